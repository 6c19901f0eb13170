// SPDX-License-Identifier: GPL-2.0-only
/* Reply chunks, and the limit between short and Long Replies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define ENTRIES	300

/* The Reply is complete and has all names */
static void check_entries(struct reply *reply)
{
	const uint8_t *name;
	unsigned int n = 0;
	uint32_t len;

	check(!get_status3(reply), "READDIR fails");
	skip_attributes3(reply);
	get_u64(&reply->results);	/* verifier */
	while (get_u32(&reply->results) == 1) {
		get_u64(&reply->results);
		name = get_opaque(&reply->results, &len);
		get_u64(&reply->results);
		if (name && len == 11 && !memcmp(name, "entry-", 6))
			n++;
	}
	get_u32(&reply->results);	/* end of the directory */
	check_end(reply);
	check(n == ENTRIES, "%u entries of %u", n, ENTRIES);
}

/* Results that are not eligible come in the Reply chunk, whatever its segments */
void scenario_reply_long(void)
{
	struct verbs_conn *conn = open_default();
	struct nfs_handle handle;
	struct memory *memory;
	struct reply *reply;
	struct call *call;
	unsigned int n;

	make_directory("directory", ENTRIES);
	look_up(conn, "directory", &handle);
	for (n = 1; n <= 16; n++) {
		memory = writable_memory(conn, 40000);
		call = new3_readdir(&handle, 32768);
		add_segments(header_add_reply(&call->header), memory, 0, 40000, n);
		send_call(conn, call);
		reply = expect_success(conn, call);
		check(reply->header.proc == RDMA_NOMSG, "not a Long Reply");
		check_entries(reply);
		check_memory(memory, &reply->header.reply);
		free_reply(conn, reply);
		free_memory(memory);
	}
	verbs_close(conn);
}

static struct reply *read3(struct verbs_conn *conn, struct call *call)
{
	struct reply *reply;

	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply), "READ fails");
	return reply;
}

/* READ data without a Write chunk: inline, with padding */
static void check_inline_data(struct reply *reply, size_t len)
{
	uint32_t count = get_read3(reply);
	const uint8_t *data = get_bytes(&reply->results, len);

	check(count == len && data, "READ has %u bytes, not %zu", count, len);
	check(has_pattern(data, len, 1),
	      "the Reply and the file have different data");
	check(get_bytes(&reply->results, xdr_pad(len)), "the padding is missing");
	check_end(reply);
}

/* Bytes of a READ Reply without its data */
static size_t read_overhead(struct verbs_conn *conn,
			    const struct nfs_handle *handle)
{
	struct reply *reply = read3(conn, new3_read(handle, 0, 4));
	size_t len = reply->message.len - 4;

	check_inline_data(reply, 4);
	free_reply(conn, reply);
	return len;
}

/*
 * READ @len bytes with a Reply chunk of @n segments, or without one. If header
 * and payload do not exceed the threshold, the Reply is inline; otherwise it is
 * a Long Reply or refused.
 */
static void edge(struct verbs_conn *conn, const struct nfs_handle *handle,
		 size_t len, size_t overhead, unsigned int n)
{
	size_t total = overhead + xdr_round(len) + (n ? 4 + 16 * n : 0);
	bool fits = total <= reply_threshold(conn);
	struct memory *memory = writable_memory(conn, 20000);
	struct call *call = new3_read(handle, 0, len);
	struct reply *reply;

	if (n)
		add_segments(header_add_reply(&call->header), memory, 0, 20000, n);
	if (!fits && !n) {
		send_call(conn, call);
		expect_refusal(conn, call->header.xid, ERR2_REPLY_RESOURCE);
	} else {
		reply = read3(conn, call);
		check(reply->header.proc == (fits ? RDMA_MSG : RDMA_NOMSG),
		      "a Reply of %zu bytes has procedure %u", total,
		      reply->header.proc);
		check(!fits || reply->message.len == total,
		      "a Reply has %zu bytes, not %zu", reply->message.len, total);
		check_inline_data(reply, len);
		check_memory(memory, &reply->header.reply);
		free_reply(conn, reply);
	}
	free_memory(memory);
	free(call);
}

static void edges(struct verbs_conn *conn)
{
	struct nfs_handle handle;
	unsigned int n;
	size_t base, most;
	int off;

	make_file("edge", 16384, 1);
	look_up(conn, "edge", &handle);
	base = read_overhead(conn, &handle);
	for (n = 0; n <= 3; n++) {
		most = reply_threshold(conn) - base - (n ? 4 + 16 * n : 0);
		for (off = -9; off <= 9; off++)
			edge(conn, &handle, most + off, base, n);
	}
	expect_alive(conn);
}

/* The inline thresholds: the default, and different ones for each direction */
void scenario_reply_edges(void)
{
	static const unsigned int receive[] = { 1024, 2048, 8192, 16384 };
	struct verbs_options options;
	struct verbs_conn *conn = open_no_private();
	unsigned int i;

	check(reply_threshold(conn) == DEFAULT_THRESHOLD,
	      "the default threshold is wrong");
	edges(conn);
	verbs_close(conn);
	for (i = 0; i < 4; i++) {
		default_options(&options);
		private_put(options.private, false, 4096, receive[i]);
		conn = open_with(&options);
		edges(conn);
		verbs_close(conn);
	}
}

/* The Reply chunk includes padding */
void scenario_reply_sizes(void)
{
	static const size_t sizes[] = {
		9001, 9002, 9003, 9004, 65535, 65536, 1048573, 1048575, 1048576,
	};
	struct verbs_conn *conn = open_default();
	struct nfs_handle handle;
	struct memory *memory;
	struct reply *reply;
	struct call *call;
	unsigned int i, n;

	for (i = 0; i < 9; i++) {
		make_file("reply", sizes[i], 1);
		look_up(conn, "reply", &handle);
		for (n = 1; n <= 16; n += 5) {
			memory = writable_memory(conn, sizes[i] + 1000);
			call = new3_read(&handle, 0, sizes[i]);
			add_segments(header_add_reply(&call->header), memory, 0,
				     memory->len, n);
			reply = read3(conn, call);
			check_inline_data(reply, sizes[i]);
			check_memory(memory, &reply->header.reply);
			free_reply(conn, reply);
			free_memory(memory);
		}
	}
	verbs_close(conn);
}

/*
 * Reply chunks of exactly the needed length, and shorter ones: ERR_CHUNK, and
 * no RDMA Write
 */
void scenario_reply_small(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 20000);
	struct nfs_handle handle;
	struct reply *reply;
	struct call *call;
	size_t exact, length;
	int less;

	make_file("small", 9001, 1);
	look_up(conn, "small", &handle);
	exact = read_overhead(conn, &handle) - header_min_size() + xdr_round(9001);
	for (less = 0; less <= 16; less += 2) {
		length = less == 16 ? 0 : exact - less;
		call = new3_read(&handle, 0, 9001);
		add_segments(header_add_reply(&call->header), memory, 0, length, 3);
		if (less) {
			send_call(conn, call);
			expect_refusal(conn, call->header.xid, ERR2_REPLY_RESOURCE);
			check_memory(memory, NULL);
			expect_alive(conn);
			continue;
		}
		reply = read3(conn, call);
		check_inline_data(reply, 9001);
		check_memory(memory, &reply->header.reply);
		free_reply(conn, reply);
	}
	/* A Reply chunk without segments */
	call = new3_read(&handle, 0, 9001);
	header_add_reply(&call->header);
	send_call(conn, call);
	expect_refusal(conn, call->header.xid, ERR2_REPLY_RESOURCE);
	call = null_call();
	header_add_reply(&call->header);
	send_call(conn, call);
	free_reply(conn, expect_success(conn, call));
	verbs_close(conn);
}

/* Empty segments before, between and after the others */
void scenario_reply_empty_segments(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 20000);
	struct nfs_handle handle;
	struct chunk *chunk;
	struct reply *reply;
	struct call *call;

	make_file("small", 9001, 1);
	look_up(conn, "small", &handle);
	call = new3_read(&handle, 0, 9001);
	chunk = header_add_reply(&call->header);
	chunk_add(chunk, 0xdead, 0, 1);
	add_segment(chunk, memory, 1, 4001);
	chunk_add(chunk, 0xdead, 0, 1);
	add_segment(chunk, memory, 5000, 9999);
	chunk_add(chunk, 0, 0, 0);
	reply = read3(conn, call);
	check_inline_data(reply, 9001);
	check_memory(memory, &reply->header.reply);
	verbs_close(conn);
}

static void put_readdir(struct call *call, const char *name)
{
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, name);
	put_op(call, OP_READDIR);
	put_u64(&call->payload, 0);
	put_u64(&call->payload, 0);
	put_u32(&call->payload, 32768);
	put_u32(&call->payload, 32768);
	put_u32(&call->payload, 0);
}

static void put_read_item(struct call *call)
{
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "item");
	put_read(call, 0, 5000);
}

/*
 * READDIR makes the Reply long; READ uses its Write chunk all the same:
 * RFC 8166 4.2.4, 3.5.3 (V1-RPL-11)
 */
void scenario_reply_and_write(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *item = writable_memory(conn, 5000);
	struct memory *rest = writable_memory(conn, 40000);
	struct call *call = new_compound(0);
	struct reply *reply;
	uint32_t nops;

	make_directory("directory", ENTRIES);
	make_file("item", 4999, 4);
	put_readdir(call, "directory");
	put_read_item(call);
	add_segments(header_add_write(&call->header), item, 0, 5000, 3);
	add_segments(header_add_reply(&call->header), rest, 0, 40000, 4);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(reply->header.proc == RDMA_NOMSG, "not a Long Reply");
	check(!get_compound(reply, &nops) && nops == 6,
	      "the COMPOUND ends after %u operations", nops);
	check(chunk_length(&reply->header.writes[0]) == 4999,
	      "READ did not use its Write chunk");
	check_memory(item, &reply->header.writes[0]);
	check_memory(rest, &reply->header.reply);
	verbs_close(conn);
}

/*
 * READDIR behind a READ: nfsd of 6.1 gives the transport a Reply with a wrong length.
 * Whatever the Reply chunk has room for, memory of others must not get there.
 */
void scenario_reply_broken(void)
{
	static const size_t most = 5000 + 32768 + 4096;
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 1000000);
	uint8_t *before = malloc(memory->len);
	unsigned int i;

	check(before, "no memory");
	make_directory("directory", ENTRIES);
	make_file("item", 4999, 4);
	memcpy(before, memory->data, memory->len);
	for (i = 0; i < 20; i++) {
		struct call *call = new_compound(0);

		put_read_item(call);
		put_readdir(call, "directory");
		add_segments(header_add_reply(&call->header), memory, 0, memory->len, 4);
		send_call(conn, call);
		check(executed_or_refused(conn, call, ERR2_SYSTEM) || nfsd_of_61(),
		      "refused, although nfsd is not that of 6.1");
		check(!memcmp(memory->data + most, before + most, memory->len - most),
		      "more than %zu bytes were written", most);
		free(call);
	}
	expect_alive(conn);
	free(before);
	verbs_close(conn);
}

/*
 * A result that must stay inline can make the Reply long:
 * RFC 8166 4.3.2.3 (V1-WR-22)
 */
void scenario_reply_forced(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 20000);
	struct nfs_handle handle;
	struct reply *reply;
	struct call *call;

	make_file("small", 9001, 1);
	look_up(conn, "small", &handle);
	call = new3_read(&handle, 0, 9001);
	header_add_write(&call->header);
	add_segments(header_add_reply(&call->header), memory, 0, 20000, 2);
	reply = read3(conn, call);
	check(reply->header.proc == RDMA_NOMSG, "not a Long Reply");
	check_inline_data(reply, 9001);
	check_memory(memory, &reply->header.reply);
	verbs_close(conn);
}

/* Long Call and Long Reply in one exchange: RFC 8166 8.2.2.2 (V1-PZ-08) */
void scenario_reply_to_long_call(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *sink = writable_memory(conn, 40000), *source;
	struct nfs_handle handle;
	struct reply *reply;
	struct call *call;

	make_directory("directory", ENTRIES);
	look_up(conn, "directory", &handle);
	call = new3_readdir(&handle, 32768);
	source = readable_memory(conn, call->payload.len, 1);
	memcpy(source->data, call->payload.data, call->payload.len);
	call->header.proc = RDMA_NOMSG;
	add_read_chunk(&call->header, 0, source, 0, source->len, 2);
	add_segments(header_add_reply(&call->header), sink, 0, 40000, 3);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check_entries(reply);
	check_memory(sink, &reply->header.reply);
	verbs_close(conn);
}
