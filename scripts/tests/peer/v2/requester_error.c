// SPDX-License-Identifier: GPL-2.0-only
/*
 * The errors of version 2: each code in its place, with correct values. A
 * second Call shows that the values are correct.
 */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

#define SIZE	9001
#define BUF_LEN	20000

static struct nfs_handle handle;

static void prepare(struct verbs_conn *conn)
{
	make_file("error", SIZE, 1);
	look_up(conn, "error", &handle);
}

static void check_not_executed(void)
{
	uint8_t data[SIZE];

	fill_pattern(data, SIZE, 1);
	check_file("error", data, SIZE);
}

static struct call *read_call(void)
{
	return new3_read(&handle, 0, SIZE);
}

static void expect_data(struct verbs_conn *conn, struct call *call)
{
	struct reply *reply;

	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply) && get_read3(reply) == SIZE, "READ fails");
	free_reply(conn, reply);
	free(call);
}

static struct call *write_with_chunks(unsigned int n, bool long_call)
{
	struct call *call;
	uint32_t position;
	unsigned int i;

	call = new3_write(&handle, 0, 1000, &position);
	if (long_call) {
		call->header.proc = RDMA_NOMSG;
		header_add_read(&call->header, 0, 0x1234, 200, 0x1000);
	}
	for (i = 0; i < n; i++)
		header_add_read(&call->header, position + 8 * i, 0x1234, 4,
				0x1000);
	return call;
}

/*
 * This number of Read chunks is not refused as too many. They are read, and then the Call
 * fails, because not all of them can be arguments.
 */
static void not_too_many(unsigned int most, bool long_call)
{
	struct verbs_conn *conn = open_default();
	struct call *call = write_with_chunks(most, long_call);
	struct memory *memory = readable_memory(conn, call->payload.len, 1);
	unsigned int i;

	memcpy(memory->data, call->payload.data, call->payload.len);
	for (i = 0; i < call->header.nreads; i++) {
		call->header.reads[i].handle = memory->handle;
		call->header.reads[i].offset = (uintptr_t)memory->data;
	}
	if (long_call)
		call->header.reads[0].length = call->payload.len;
	send_call(conn, call);
	v2_expect_error(conn, call->header.xid, ERR2_BAD_XDR);
	check_not_executed();
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * The error has the limit: one more chunk gets the same error, and exactly that
 * many do not. The Position Zero chunk does not count.
 */
void v2_scenario_read_chunks(void)
{
	struct verbs_conn *conn = open_default();
	unsigned int most[2], i;
	struct call *call;

	prepare(conn);
	for (i = 0; i < 2; i++) {
		call = write_with_chunks(60, i);
		send_call(conn, call);
		most[i] = v2_expect_error(conn, call->header.xid,
					  ERR2_READ_CHUNKS)->max;
		check(most[i] && most[i] < 60, "a limit of %u Read chunks",
		      most[i]);
		free(call);
		call = write_with_chunks(most[i] + 1, i);
		send_call(conn, call);
		check(v2_expect_error(conn, call->header.xid,
				      ERR2_READ_CHUNKS)->max == most[i],
		      "the limit has changed");
		free(call);
	}
	note("at most %u Read chunks, and %u with a Position Zero chunk", most[0],
	     most[1]);
	expect_alive(conn);
	verbs_close(conn);
	not_too_many(most[0], false);
	not_too_many(most[1], true);
}

/* The limit is 0 for an argument that is not eligible */
void v2_scenario_read_chunks_none(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 64, 7);
	uint32_t position;
	struct call *call = not_eligible_call(conn, memory, &position);
	unsigned int i;

	send_call(conn, call);
	check(!v2_expect_error(conn, call->header.xid, ERR2_READ_CHUNKS)->max,
	      "Read chunks are permitted for an argument that is not eligible");
	check(!file_exists("not-eligible"), "the Call was executed");
	/* As a Long Call, as the error suggests */
	call->payload.len = position;
	put_fixed(&call->payload, "not-eligible", 12);
	for (i = 0; i < 6; i++)
		put_u32(&call->payload, 0);
	free_memory(memory);
	memory = readable_memory(conn, call->payload.len, 1);
	memcpy(memory->data, call->payload.data, call->payload.len);
	call->header.nreads = 0;
	call->header.proc = RDMA_NOMSG;
	add_read_segment(&call->header, 0, memory, 0, memory->len);
	send_call(conn, call);
	free_reply(conn, expect_success(conn, call));
	check(file_exists("not-eligible"), "the Call was not executed");
	verbs_close(conn);
}

void v2_scenario_write_chunks(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, BUF_LEN);
	unsigned int most, i;
	struct call *call;

	prepare(conn);
	call = read_call();
	for (i = 0; i < 40; i++)
		add_segment(header_add_write(&call->header), memory, 0, BUF_LEN);
	send_call(conn, call);
	most = v2_expect_error(conn, call->header.xid, ERR2_WRITE_CHUNKS)->max;
	check(most && most < 40, "a limit of %u Write chunks", most);
	note("at most %u Write chunks", most);
	check_memory(memory, NULL);
	call->header.nwrites = most + 1;
	send_call(conn, call);
	check(v2_expect_error(conn, call->header.xid, ERR2_WRITE_CHUNKS)->max ==
	      most, "the limit has changed");
	/* Empty chunks count as well */
	for (i = 1; i <= most; i++)
		call->header.writes[i].nsegs = 0;
	send_call(conn, call);
	v2_expect_error(conn, call->header.xid, ERR2_WRITE_CHUNKS);
	call->header.nwrites = most;
	expect_data(conn, call);
	verbs_close(conn);
}

/* Too many segments, in each of the three lists */
void v2_scenario_segments(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *sink = writable_memory(conn, BUF_LEN);
	struct memory *source = readable_memory(conn, 1000, 7);
	struct call *call;
	uint32_t position;
	unsigned int most, i;

	prepare(conn);
	for (i = 0; i < 3; i++) {
		call = i ? read_call() : new3_write(&handle, 0, 1000, &position);
		if (!i)
			add_read_chunk(&call->header, position, source, 0, 1000, 300);
		else
			add_segments(i == 1 ? header_add_write(&call->header) :
				     header_add_reply(&call->header), sink, 0,
				     BUF_LEN, 300);
		send_call(conn, call);
		most = v2_expect_error(conn, call->header.xid, ERR2_SEGMENTS)->max;
		check(most >= 16 && most < 300, "a limit of %u segments", most);
		check_not_executed();
		free(call);
		call = read_call();
		add_segments(header_add_write(&call->header), sink, 0, BUF_LEN, most);
		expect_data(conn, call);
	}
	note("at most %u segments in a chunk", most);
	verbs_close(conn);
}

/* Index and needed length of the first Write chunk that is too short */
void v2_scenario_write_resource(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, 2 * BUF_LEN);
	const struct header *h;
	struct reply *reply;
	struct call *call;
	unsigned int i;

	prepare(conn);
	for (i = 0; i < 3; i++) {
		call = new_compound(0);
		put_op(call, OP_PUTROOTFH);
		put_lookup(call, "error");
		put_read(call, 0, 100);
		put_read(call, 0, SIZE);
		add_segment(header_add_write(&call->header), memory, 0,
			    i == 1 ? 99 : 100);
		add_segment(header_add_write(&call->header), memory, BUF_LEN,
			    i == 2 ? SIZE : SIZE - 1);
		if (i == 0)
			add_segment(header_add_reply(&call->header), memory, 0, 1);
		send_call(conn, call);
		if (i == 2) {
			reply = expect_success(conn, call);
			free_reply(conn, reply);
			continue;
		}
		h = v2_expect_error(conn, call->header.xid, ERR2_WRITE_RESOURCE);
		check(h->index == 2u - i && h->needed == (i ? 100 : SIZE),
		      "Write chunk %u needs %u bytes", h->index, h->needed);
		check_memory(memory, NULL);
		free(call);
	}
	/* An empty chunk before it counts, and its result stays inline */
	call = new_compound(0);
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "error");
	put_read(call, 0, 100);
	put_read(call, 0, SIZE);
	header_add_write(&call->header);
	add_segment(header_add_write(&call->header), memory, BUF_LEN, 5000);
	send_call(conn, call);
	h = v2_expect_error(conn, call->header.xid, ERR2_WRITE_RESOURCE);
	check(h->index == 2 && h->needed == SIZE, "Write chunk %u needs %u bytes",
	      h->index, h->needed);
	expect_alive(conn);
	verbs_close(conn);
}

/* No Reply chunk, Reply chunks that are too short, and one of the needed length */
void v2_scenario_reply_resource(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = writable_memory(conn, BUF_LEN);
	uint32_t needed = 0, told;
	struct call *call;
	unsigned int i;

	prepare(conn);
	for (i = 0; i < 4; i++) {
		call = read_call();
		if (i == 1)
			header_add_reply(&call->header);
		if (i == 2)
			add_segment(header_add_reply(&call->header), memory, 0, 100);
		if (i == 3)
			add_segments(header_add_reply(&call->header), memory, 0,
				     needed - 1, 3);
		send_call(conn, call);
		told = v2_expect_error(conn, call->header.xid,
				       ERR2_REPLY_RESOURCE)->needed;
		check(told > SIZE && (!i || told == needed),
		      "%u bytes are needed, and %u in the error before", told, needed);
		needed = told;
		check_memory(memory, NULL);
		free(call);
	}
	call = read_call();
	add_segments(header_add_reply(&call->header), memory, 0, needed, 3);
	expect_data(conn, call);
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* Exactly one answer to each Call */
void v2_scenario_one_answer(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int i;

	prepare(conn);
	for (i = 0; i < 3; i++) {
		call = read_call();
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_REPLY_RESOURCE);
		call->header.proc = 99;
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_INVAL_HTYPE);
		call = null_call();
		send_call(conn, call);
		free_reply(conn, expect_success(conn, call));
		expect_silence(conn);
	}
	verbs_close(conn);
}
