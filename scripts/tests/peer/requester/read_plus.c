// SPDX-License-Identifier: GPL-2.0-only
/* READ_PLUS of NFSv4.2 is not eligible, unlike READ. */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define BUF_LEN		4096
#define SESSION_ID	16

/*
 * Send one COMPOUND, whose first operation must succeed. Return: the Reply, at
 * the results of that operation
 */
static struct reply *first_op(struct verbs_conn *conn, struct call *call,
			      enum nfs4_op op)
{
	struct reply *reply;
	uint32_t nops, status;

	send_call(conn, call);
	reply = expect_success(conn, call);
	status = get_compound(reply, &nops);
	check(!status && !get_op(reply, op), "operation %u fails: %u", op,
	      status);
	return reply;
}

static uint64_t exchange_id(struct verbs_conn *conn, uint32_t *sequence)
{
	struct call *call = new_compound(2);
	struct reply *reply;
	uint64_t client;

	put_op(call, OP_EXCHANGE_ID);
	put_u64(&call->payload, 0x70656572);	/* verifier */
	put_string(&call->payload, "raw peer");
	put_u32(&call->payload, 0);		/* flags */
	put_u32(&call->payload, 0);		/* SP4_NONE */
	put_u32(&call->payload, 0);		/* no implementation ID */
	reply = first_op(conn, call, OP_EXCHANGE_ID);
	client = get_u64(&reply->results);
	*sequence = get_u32(&reply->results);
	free_reply(conn, reply);
	free(call);
	return client;
}

static void put_channel(struct call *call)
{
	put_u32(&call->payload, 0);		/* header pad */
	put_u32(&call->payload, 65536);		/* request */
	put_u32(&call->payload, 65536);		/* response */
	put_u32(&call->payload, 1024);		/* cached response */
	put_u32(&call->payload, 8);		/* operations */
	put_u32(&call->payload, 1);		/* slots */
	put_u32(&call->payload, 0);		/* no RDMA depth */
}

static void make_session(struct verbs_conn *conn, uint8_t *id)
{
	struct call *call;
	struct reply *reply;
	const uint8_t *bytes;
	uint32_t sequence;
	uint64_t client = exchange_id(conn, &sequence);

	call = new_compound(2);
	put_op(call, OP_CREATE_SESSION);
	put_u64(&call->payload, client);
	put_u32(&call->payload, sequence);
	put_u32(&call->payload, 0);		/* flags */
	put_channel(call);
	put_channel(call);
	put_u32(&call->payload, 0x40000000);	/* callback program */
	put_u32(&call->payload, 1);		/* one flavor for callbacks */
	put_u32(&call->payload, AUTH_NULL);
	reply = first_op(conn, call, OP_CREATE_SESSION);
	bytes = get_bytes(&reply->results, SESSION_ID);
	check(bytes, "a session without an ID");
	memcpy(id, bytes, SESSION_ID);
	free_reply(conn, reply);
	free(call);
}

/* A COMPOUND with SEQUENCE that sets the current file handle */
static struct call *in_session(const uint8_t *id, uint32_t sequence)
{
	struct call *call = new_compound(2);

	put_op(call, OP_SEQUENCE);
	put_bytes(&call->payload, id, SESSION_ID);
	put_u32(&call->payload, sequence);
	put_u32(&call->payload, 0);		/* slot */
	put_u32(&call->payload, 0);		/* highest slot */
	put_u32(&call->payload, 0);		/* not cached */
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "plus");
	return call;
}

static void put_read_plus(struct call *call, uint64_t offset, uint32_t count)
{
	put_read(call, offset, count);
	/* READ and READ_PLUS have the same arguments */
	set_u32(call->payload.data + call->payload.len - 32, OP_READ_PLUS);
}

static void skip_to_file(struct reply *reply)
{
	get_bytes(&reply->results, SESSION_ID + 5 * 4);
	check(!get_op(reply, OP_PUTROOTFH) && !get_op(reply, OP_LOOKUP),
	      "the file is not found");
}

/* The data of READ_PLUS must be inline */
static void take_read_plus(struct reply *reply, uint64_t offset, uint32_t count)
{
	const uint8_t *data;
	uint32_t len;

	check(!get_op(reply, OP_READ_PLUS), "READ_PLUS fails");
	get_u32(&reply->results);		/* eof */
	check(get_u32(&reply->results) == 1 && !get_u32(&reply->results) &&
	      get_u64(&reply->results) == offset, "no data segment");
	data = get_opaque(&reply->results, &len);
	check(data && len == count, "READ_PLUS: %u bytes inline", len);
	check(has_pattern(data, len, 4), "READ_PLUS: wrong data");
}

/*
 * Offer a Write chunk to a READ_PLUS: the server returns it unused, or fills it
 * with the result of the READ that follows. If the Reply is too long, it goes
 * into the Reply chunk.
 */
void scenario_read_plus(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *sink = writable_memory(conn, BUF_LEN);
	struct memory *rest = writable_memory(conn, 65536);
	uint8_t id[SESSION_ID];
	struct reply *reply;
	struct call *call;
	unsigned int i;
	const uint32_t counts[] = { 100, 1001, 30000 };

	make_file("plus", 40000, 4);
	make_session(conn, id);
	for (i = 0; i < 6; i++) {
		uint32_t count = counts[i / 2];
		bool read = i & 1;

		call = in_session(id, 1 + i);
		put_read_plus(call, 0, count);
		if (read)
			put_read(call, 0, 100);
		add_segments(header_add_write(&call->header), sink, 0, BUF_LEN, 2);
		add_segments(header_add_reply(&call->header), rest, 0, 65536, 2);
		reply = first_op(conn, call, OP_SEQUENCE);
		skip_to_file(reply);
		take_read_plus(reply, 0, count);
		if (read)
			check(!get_op(reply, OP_READ) &&
			      get_read4(reply) == 100, "READ fails");
		check(chunk_length(&reply->header.writes[0]) ==
		      (read ? 100 : 0), "the Write chunk holds %llu bytes",
		      (unsigned long long)chunk_length(&reply->header.writes[0]));
		check_end(reply);
		free_reply(conn, reply);
		free(call);
	}
	verbs_close(conn);
}
