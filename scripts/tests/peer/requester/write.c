// SPDX-License-Identifier: GPL-2.0-only
/* Write chunks: what the server writes, and what it leaves unchanged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

static const size_t sizes[] = {
	1, 2, 3, 4, 5, 7, 8, 1021, 4095, 4096, 4097, 65535, 65537, 1048573,
	1048576,
};

#define SIZES	(sizeof(sizes) / sizeof(sizes[0]))

/* More than fit into one WR chain of the server */
#define UNPOSTED_SEGMENTS	240
#define UNPOSTED_SIZE		(8 * UNPOSTED_SEGMENTS)

#define FAIL_POST		"/sys/kernel/debug/rpcrdma_fail/post_send/"

/* The chunk has the whole result without padding */
static void check_item(const struct chunk *returned, size_t len,
		       unsigned int seed)
{
	uint8_t *data = chunk_bytes(returned);

	check(chunk_length(returned) == len, "%llu bytes in the chunk, not %zu",
	      (unsigned long long)chunk_length(returned), len);
	check(has_pattern(data, len, seed),
	      "the contents of the chunk and of the file differ");
	free(data);
}

static struct reply *read3_into(struct verbs_conn *conn, struct call *call,
				struct memory *memory, size_t len)
{
	struct reply *reply;
	uint32_t status, count;

	send_call(conn, call);
	reply = expect_success(conn, call);
	status = get_status3(reply);
	check(!status, "READ of %zu bytes fails with status %u", len, status);
	count = get_read3(reply);
	check(count == len, "READ returns a count of %u, not %zu", count, len);
	check_end(reply);
	check_item(&reply->header.writes[0], len, len);
	check_memory(memory, &reply->header.writes[0]);
	return reply;
}

/*
 * READ a file of @len bytes into a chunk of @n segments that is @extra bytes
 * longer
 */
static void read_one(struct verbs_conn *conn, size_t len, size_t extra,
		     unsigned int n)
{
	struct memory *memory = writable_memory(conn, len + extra);
	struct nfs_handle handle;
	struct call *call;

	make_file("write", len, len);
	look_up(conn, "write", &handle);
	call = new3_read(&handle, 0, len + extra);
	add_segments(header_add_write(&call->header), memory, 0, len + extra, n);
	free_reply(conn, read3_into(conn, call, memory, len));
	free_memory(memory);
	free(call);
}

void scenario_write_sizes(void)
{
	struct verbs_conn *conn = open_default();
	unsigned int i;

	for (i = 0; i < SIZES; i++) {
		read_one(conn, sizes[i], 0, 1);
		read_one(conn, sizes[i], 1, 1);
		read_one(conn, sizes[i], xdr_pad(sizes[i]) + 8, 1);
	}
	verbs_close(conn);
}

void read_payload(struct verbs_conn *conn)
{
	read_one(conn, largest_payload(), 0, 1);
}

void scenario_write_largest_segments(void)
{
	static const unsigned int counts[] = { 1, 3, 15 };
	struct verbs_conn *conn = open_default();
	unsigned int i;

	for (i = 0; i < 3; i++) {
		read_one(conn, largest_payload() - 5001, 5000, counts[i]);
		read_one(conn, largest_payload(), 0, counts[i] + 1);
	}
	verbs_close(conn);
}

void scenario_write_segments(void)
{
	static const unsigned int counts[] = { 2, 3, 7, 16 };
	struct verbs_conn *conn = open_default();
	unsigned int i, j;

	for (i = 5; i < SIZES; i++)
		for (j = 0; j < 4; j++)
			if (counts[j] <= sizes[i]) {
				read_one(conn, sizes[i], 0, counts[j]);
				read_one(conn, sizes[i], 5000, counts[j]);
			}
	verbs_close(conn);
}

static void write_word(const char *path, const char *word)
{
	FILE *file = fopen(path, "w");

	check(file && fputs(word, file) >= 0 && !fclose(file),
	      "%s cannot be written", path);
}

/* The server's next post fails. Needs a kernel with fault injection */
static void fail_next_post(void)
{
	write_word(FAIL_POST "interval", "1");
	write_word(FAIL_POST "times", "1");
	write_word(FAIL_POST "probability", "100");
}

/*
 * A result in so many segments that the server posts its Writes in several batches. If one
 * of them is not posted, the Reply must not come: it would tell of data that is not there.
 */
void scenario_unposted_writes(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, UNPOSTED_SIZE);
	struct nfs_handle handle;
	struct call *call;

	make_file("write", UNPOSTED_SIZE, UNPOSTED_SIZE);
	look_up(conn, "write", &handle);
	call = new3_read(&handle, 0, UNPOSTED_SIZE);
	add_segments(header_add_write(&call->header), memory, 0, UNPOSTED_SIZE,
		     UNPOSTED_SEGMENTS);
	fail_next_post();
	send_call(conn, call);
	expect_no_answer(conn);
	verbs_close(conn);
	free_memory(memory);
	free(call);
}

/* The server makes no RDMA Write for empty segments, but returns them */
void scenario_write_empty_segments(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 5000);
	struct nfs_handle handle;
	struct chunk *chunk;
	struct call *call;

	make_file("write", 3000, 3000);
	look_up(conn, "write", &handle);
	call = new3_read(&handle, 0, 3000);
	chunk = header_add_write(&call->header);
	chunk_add(chunk, 0xdead, 0, 0);
	add_segment(chunk, memory, 0, 1001);
	chunk_add(chunk, 0xdead, 0, 0xffffffffffffffff);
	add_segment(chunk, memory, 2001, 1999);
	chunk_add(chunk, 0, 0, 0);
	add_segment(chunk, memory, 4001, 999);
	free_reply(conn, read3_into(conn, call, memory, 3000));
	verbs_close(conn);
}

/*
 * Chunks that are too short, by one byte up to all bytes: ERR_CHUNK, and no
 * RDMA Write
 */
void scenario_write_small(void)
{
	static const size_t lengths[] = { 4999, 4996, 1, 0 };
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 8192);
	struct nfs_handle handle;
	struct call *call;
	unsigned int i;

	make_file("write", 5000, 1);
	look_up(conn, "write", &handle);
	for (i = 0; i < 4; i++) {
		call = new3_read(&handle, 0, 5000);
		add_segments(header_add_write(&call->header), memory, 0,
			     lengths[i], 2);
		send_call(conn, call);
		expect_refusal(conn, call->header.xid, ERR2_WRITE_RESOURCE);
		check_memory(memory, NULL);
		expect_alive(conn);
	}
	verbs_close(conn);
}

static void add_unused(struct call *call, struct memory *memory)
{
	add_segments(header_add_write(&call->header), memory, 0, 4000, 3);
	header_add_write(&call->header);
	add_segments(header_add_write(&call->header), memory, 5000, 800, 1);
	add_segments(header_add_reply(&call->header), memory, 6000, 2000, 2);
}

static void check_unused(struct reply *reply, struct memory *memory)
{
	unsigned int i;

	for (i = 0; i < reply->header.nwrites; i++)
		check(!chunk_length(&reply->header.writes[i]),
		      "a chunk without a result was written");
	check(!chunk_length(&reply->header.reply),
	      "a short Reply uses the Reply chunk");
	check_memory(memory, NULL);
}

/* Every Reply returns the chunks, even if there is no result for them */
void scenario_write_unused(void)
{
	static const uint32_t stats[] = {
		RPC_SUCCESS, RPC_SUCCESS, RPC_SUCCESS, PROC_UNAVAIL,
		PROG_UNAVAIL, PROG_MISMATCH, GARBAGE_ARGS,
	};
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 8192);
	struct nfs_handle handle, root;
	struct call *calls[7];
	struct reply *reply;
	unsigned int i;

	make_file("write", 5000, 1);
	look_up(conn, "write", &handle);
	look_up(conn, "", &root);
	calls[0] = null_call();
	calls[1] = new3_getattr(&handle);
	calls[2] = new3_read(&root, 0, 1000);		/* a directory */
	calls[3] = new_call(NFS_PROGRAM, 3, 4711);
	calls[4] = new_call(4711, 3, 0);
	calls[5] = new_call(NFS_PROGRAM, 4711, 0);
	calls[6] = new3_read(&handle, 0, 1000);
	calls[6]->payload.len -= 4;
	for (i = 0; i < 7; i++) {
		add_unused(calls[i], memory);
		send_call(conn, calls[i]);
		reply = expect_reply(conn, calls[i]);
		check(!reply->rpc.denied && reply->rpc.stat == stats[i],
		      "RPC status %u of Call %u", reply->rpc.stat, i);
		check_unused(reply, memory);
		free_reply(conn, reply);
	}
	/* MSG_DENIED: RPC version 3 does not exist */
	calls[0] = null_call();
	set_u32(calls[0]->payload.data + 8, 3);
	add_unused(calls[0], memory);
	send_call(conn, calls[0]);
	reply = expect_reply(conn, calls[0]);
	check(reply->rpc.denied, "RPC version 3 is accepted");
	check_unused(reply, memory);
	verbs_close(conn);
}

/* The target of a symbolic link, in NFSv3 and NFSv4: RFC 8267 6.1 (UQ-06) */
void scenario_write_readlink(void)
{
	static const char * const text[] = { "x", "four", "a/longer/target" };
	struct verbs_conn *conn = open_default();
	struct nfs_handle handle;
	struct memory *memory;
	struct reply *reply;
	struct call *call;
	unsigned int i;
	uint32_t len, nops;

	for (i = 0; i < 6; i++) {
		memory = writable_memory(conn, 4096);
		len = strlen(text[i / 2]);
		make_link("link", text[i / 2]);
		look_up(conn, "link", &handle);
		call = i % 2 ? new_compound(0) : new3_readlink(&handle);
		if (i % 2) {
			put_op(call, OP_PUTROOTFH);
			put_lookup(call, "link");
			put_op(call, OP_READLINK);
		}
		add_segments(header_add_write(&call->header), memory, 0, 4096, 2);
		send_call(conn, call);
		reply = expect_success(conn, call);
		if (i % 2) {
			check(!get_compound(reply, &nops), "READLINK fails");
			get_op(reply, OP_PUTROOTFH);
			get_op(reply, OP_LOOKUP);
			get_op(reply, OP_READLINK);
		} else {
			check(!get_status3(reply), "READLINK fails");
			skip_attributes3(reply);
		}
		check(get_u32(&reply->results) == len, "a wrong length");
		check_end(reply);
		check(chunk_length(&reply->header.writes[0]) == len &&
		      !memcmp(memory->data, text[i / 2], len),
		      "the chunk has a wrong target");
		check_memory(memory, &reply->header.writes[0]);
		free_reply(conn, reply);
	}
	verbs_close(conn);
}

/* Directories and attributes are not eligible and stay inline */
void scenario_write_not_eligible(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 8192);
	struct nfs_handle handle;
	struct reply *reply;
	struct call *call;
	unsigned int i;

	make_directory("directory", 5);
	look_up(conn, "directory", &handle);
	for (i = 0; i < 2; i++) {
		call = i ? new3_getattr(&handle) : new3_readdir(&handle, 4096);
		add_segments(header_add_write(&call->header), memory, 0, 8192, 1);
		send_call(conn, call);
		reply = expect_success(conn, call);
		check(!get_status3(reply), "the Call fails");
		check(reply->results.left >= 80, "the results are missing");
		check(!chunk_length(&reply->header.writes[0]),
		      "a result that is not eligible was reduced");
		check_memory(memory, NULL);
		free_reply(conn, reply);
	}
	verbs_close(conn);
}

/* As with Read chunks, 259 segments are taken; more may be refused */
void scenario_write_many(void)
{
	static const unsigned int counts[] = { 16, 17, 64, 65, 129, 259, 300 };
	struct verbs_conn *conn = open_default();
	struct nfs_handle handle;
	struct memory *memory;
	struct call *call;
	unsigned int i, j;
	bool taken;

	make_file("write", 1000, 1);
	look_up(conn, "write", &handle);
	memory = writable_memory(conn, 1000);
	for (i = 0; i < 7; i++) {
		call = new3_read(&handle, 0, 1000);
		add_segments(header_add_write(&call->header), memory, 0, 1000,
			     counts[i]);
		send_call(conn, call);
		taken = executed_or_refused(conn, call, ERR2_SEGMENTS);
		check(taken || counts[i] > 259, "%u segments are refused",
		      counts[i]);
		if (taken)
			check(has_pattern(memory->data, 1000, 1), "wrong data");
	}
	for (i = 1; i <= 64; i++) {
		call = new3_read(&handle, 0, 1000);
		for (j = 0; j < i; j++)
			add_segment(header_add_write(&call->header), memory, 0,
				    1000);
		send_call(conn, call);
		taken = executed_or_refused(conn, call, ERR2_WRITE_CHUNKS);
		check(taken || i > 1, "one Write chunk is refused");
	}
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * A Reply repeats the Write list. If that is more than the client can receive, the Call
 * must be refused before it is executed
 */
void scenario_write_no_room(void)
{
	struct verbs_options options;
	struct nfs_handle handle;
	struct verbs_conn *conn;
	struct memory *memory;
	struct call *call;
	uint32_t position;

	default_options(&options);
	private_put(options.private, false, 8192, 1024);
	conn = open_with(&options);
	make_file("write", 4, 1);
	look_up(conn, "write", &handle);
	memory = writable_memory(conn, 1000);

	call = new3_write(&handle, 0, 4, &position);
	put_u32(&call->payload, 0x6e6f6e65);
	add_segments(header_add_write(&call->header), memory, 0, 1000, 80);
	send_call(conn, call);
	expect_err_chunk(conn, call->header.xid);
	fill_pattern(memory->data, 4, 1);
	check_file("write", memory->data, 4);
	expect_alive(conn);
	verbs_close(conn);
}
