// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "requester/session.h"

#define CALLBACK_PROGRAM	0x40000000

enum {
	OP_BIND_CONN	= 41,
	OP_CB_RECALL	= 4,
	OP_CB_SEQUENCE	= 11,
	CB_COMPOUND	= 1,
};

/* Send @call and return the Reply at the results of operation @op */
static struct reply *compound(struct verbs_conn *conn, struct call *call,
			      enum nfs4_op op)
{
	struct reply *reply;
	uint32_t nops, status;

	send_call(conn, call);
	reply = expect_success(conn, call);
	status = get_compound(reply, &nops);
	check(!status, "a COMPOUND for operation %u ends with status %u", op,
	      status);
	if (op != OP_SEQUENCE && op != OP_EXCHANGE_ID &&
	    op != OP_CREATE_SESSION && (unsigned int)op != OP_BIND_CONN) {
		get_op(reply, OP_SEQUENCE);
		get_bytes(&reply->results, SESSION_ID + 20);
	}
	free(call);
	return reply;
}

static void put_channel(struct call *call, uint32_t slots)
{
	put_u32(&call->payload, 0);		/* header padding */
	put_u32(&call->payload, 65536);		/* request */
	put_u32(&call->payload, 65536);		/* response */
	put_u32(&call->payload, 4096);		/* cached response */
	put_u32(&call->payload, 16);		/* operations */
	put_u32(&call->payload, slots);
	put_u32(&call->payload, 0);		/* no rdma_ird */
}

static uint32_t exchange_id(struct verbs_conn *conn, struct session *session)
{
	struct call *call = new_compound(1);
	struct reply *reply;
	uint32_t sequence;
	char owner[64];

	snprintf(owner, sizeof(owner), "peer %d %u", getpid(), session->number);
	put_op(call, OP_EXCHANGE_ID);
	put_u64(&call->payload, getpid());	/* verifier */
	put_string(&call->payload, owner);
	put_u32(&call->payload, 0);		/* flags */
	put_u32(&call->payload, 0);		/* SP4_NONE */
	put_u32(&call->payload, 0);		/* no implementation */
	reply = compound(conn, call, OP_EXCHANGE_ID);
	get_op(reply, OP_EXCHANGE_ID);
	session->clientid = get_u64(&reply->results);
	sequence = get_u32(&reply->results);
	free_reply(conn, reply);
	return sequence;
}

static void create_session(struct verbs_conn *conn, struct session *session,
			   uint32_t sequence)
{
	struct call *call = new_compound(1);
	struct reply *reply;
	const uint8_t *id;

	put_op(call, OP_CREATE_SESSION);
	put_u64(&call->payload, session->clientid);
	put_u32(&call->payload, sequence);
	put_u32(&call->payload, 2);		/* backchannel here */
	put_channel(call, 4);
	put_channel(call, 8);
	put_u32(&call->payload, CALLBACK_PROGRAM + session->number);
	put_u32(&call->payload, 1);
	put_u32(&call->payload, AUTH_NULL);
	reply = compound(conn, call, OP_CREATE_SESSION);
	get_op(reply, OP_CREATE_SESSION);
	id = get_bytes(&reply->results, SESSION_ID);
	check(id, "CREATE_SESSION returns nothing");
	memcpy(session->id, id, SESSION_ID);
	get_u32(&reply->results);
	check(get_u32(&reply->results) & 2, "the server refused the backchannel");
	free_reply(conn, reply);
}

static struct call *sequence(struct session *session)
{
	struct call *call = new_compound(1);

	put_op(call, OP_SEQUENCE);
	put_bytes(&call->payload, session->id, SESSION_ID);
	put_u32(&call->payload, ++session->sequence);
	put_u32(&call->payload, 0);
	put_u32(&call->payload, 0);
	put_u32(&call->payload, 0);
	return call;
}

void session_create(struct verbs_conn *conn, struct session *session,
		    unsigned int number)
{
	struct call *call;

	*session = (struct session) { .number = number };
	create_session(conn, session, exchange_id(conn, session));
	call = sequence(session);
	put_op(call, OP_RECLAIM_COMPLETE);
	put_u32(&call->payload, 0);
	free_reply(conn, compound(conn, call, OP_RECLAIM_COMPLETE));
}

void session_bind(struct verbs_conn *conn, struct session *session)
{
	struct call *call = new_compound(1);

	put_op(call, (enum nfs4_op)OP_BIND_CONN);
	put_bytes(&call->payload, session->id, SESSION_ID);
	put_u32(&call->payload, 7);		/* back, or both */
	put_u32(&call->payload, 0);		/* not in "RDMA mode" */
	free_reply(conn, compound(conn, call, (enum nfs4_op)OP_BIND_CONN));
}

static void put_open(struct call *call, struct session *session,
		     const char *name)
{
	put_op(call, OP_OPEN);
	put_u32(&call->payload, 0);
	put_u32(&call->payload, 0x101);		/* read, delegation wanted */
	put_u32(&call->payload, 0);
	put_u64(&call->payload, session->clientid);
	put_string(&call->payload, "owner");
	put_u32(&call->payload, 0);		/* do not create */
	put_u32(&call->payload, 0);		/* CLAIM_NULL */
	put_string(&call->payload, name);
}

bool session_open_delegation(struct verbs_conn *conn, struct session *session,
			     const char *name, uint8_t *state)
{
	struct call *call = sequence(session);
	struct reply *reply;
	const uint8_t *data;
	uint32_t words, type;

	put_op(call, OP_PUTROOTFH);
	put_open(call, session, name);
	reply = compound(conn, call, OP_OPEN);
	get_op(reply, OP_PUTROOTFH);
	get_op(reply, OP_OPEN);
	get_bytes(&reply->results, STATE_ID + 20 + 4);
	words = get_u32(&reply->results);
	get_bytes(&reply->results, 4 * words);
	type = get_u32(&reply->results);
	if (type == 1) {
		data = get_bytes(&reply->results, STATE_ID);
		check(data, "OPEN returns too little");
		memcpy(state, data, STATE_ID);
	}
	free_reply(conn, reply);
	return type == 1;
}

void session_return_delegation(struct verbs_conn *conn, struct session *session,
			       const char *name, const uint8_t *state)
{
	struct call *call = sequence(session);

	put_op(call, OP_PUTROOTFH);
	put_lookup(call, name);
	put_op(call, OP_DELEGRETURN);
	put_bytes(&call->payload, state, STATE_ID);
	free_reply(conn, compound(conn, call, OP_DELEGRETURN));
}

void trigger_recall(const char *name)
{
	int fd = open(export_path(name), O_WRONLY | O_NONBLOCK);

	check(fd < 0 && errno == EAGAIN,
	      "%s can be opened for writing under a delegation", name);
}

static void decode_callback(struct callback *callback, struct xdr_in *in)
{
	const uint8_t *data;
	uint32_t len;

	callback->program = get_u32(in);
	check(get_u32(in) == 1 && get_u32(in) == CB_COMPOUND,
	      "the callback is not a CB_COMPOUND");
	get_u32(in);
	get_opaque(in, &len);		/* credential */
	get_u32(in);
	get_opaque(in, &len);		/* verifier */
	get_opaque(in, &len);		/* tag */
	get_bytes(in, 8);		/* minor version, ident */
	callback->nops = get_u32(in);
	check(get_u32(in) == OP_CB_SEQUENCE, "no CB_SEQUENCE");
	data = get_bytes(in, SESSION_ID);
	callback->sequence = get_u32(in);
	callback->slot = get_u32(in);
	get_bytes(in, 8);		/* highest slot, cache this */
	check(data && !get_u32(in), "the callback has referring calls");
	memcpy(callback->session, data, SESSION_ID);
	if (callback->nops < 2)
		return;
	check(get_u32(in) == OP_CB_RECALL, "no CB_RECALL");
	data = get_bytes(in, STATE_ID);
	check(data && !in->bad, "the callback is truncated");
	memcpy(callback->state, data, STATE_ID);
}

/* Reverse Calls must not reuse a recent XID */
static void new_callback_xid(uint32_t xid)
{
	static uint32_t xids[1024];
	static unsigned int n;
	unsigned int i;

	for (i = 0; i < n && i < 1024; i++)
		check(xids[i] != xid, "reverse Call %08x arrived twice", xid);
	xids[n++ % 1024] = xid;
}

static struct callback *check_callback(struct verbs_conn *conn,
				       const struct verbs_message *message)
{
	struct callback *callback = calloc(1, sizeof(*callback));
	const struct header *h = &callback->header;
	const char *wrong;
	struct xdr_in in;

	check(callback, "no memory");
	callback->message = *message;
	wrong = header_get(&callback->header, message->data, message->len);
	check(!wrong, "bad header in a reverse Call: %s", wrong);
	check(h->proc == RDMA_MSG && h->vers == target.version,
	      "a reverse Call with procedure %u, version %u", h->proc, h->vers);
	check(!h->flags && !h->inv_handle,
	      "flags %08x, handle %08x in a reverse Call", h->flags,
	      h->inv_handle);
	check(!h->nreads && !h->nwrites && !h->has_reply,
	      "a reverse Call with chunks");
	check(h->credit, "a reverse Call requests no credit");
	check(!message->inv, "a reverse Call invalidates memory");
	check(message->len <= reply_threshold(conn),
	      "a reverse Call of %zu bytes", message->len);
	xdr_in_init(&in, message->data + h->size, message->len - h->size);
	check(get_u32(&in) == h->xid,
	      "transport and RPC header of a reverse Call have different XIDs");
	check(get_u32(&in) == RPC_CALL && get_u32(&in) == 2, "not an RPC Call");
	new_callback_xid(h->xid);
	decode_callback(callback, &in);
	return callback;
}

struct callback *expect_callback(struct verbs_conn *conn)
{
	struct verbs_message message;

	next_message(conn, &message);
	return check_callback(conn, &message);
}

/* An RDMA_MSG without chunks that contains an RPC Call */
static bool is_callback(const struct verbs_message *message)
{
	static struct header h;

	return !header_get(&h, message->data, message->len) &&
	       h.proc == RDMA_MSG && !h.nreads && !h.nwrites && !h.has_reply &&
	       message->len >= h.size + 8 &&
	       word_at(message->data + h.size, 1) == RPC_CALL;
}

static bool answer_late_call(struct verbs_conn *conn, const struct verbs_message *message)
{
	struct callback *callback;
	struct call *reply;

	if (!is_callback(message))
		return false;
	callback = check_callback(conn, message);
	reply = callback_reply(callback, 8);
	send_call(conn, reply);
	free(reply);
	callback_done(conn, callback);
	return true;
}

void session_answer_late_calls(void)
{
	intercept = answer_late_call;
}

struct call *callback_reply(const struct callback *callback, uint32_t credit)
{
	struct call *call = calloc(1, sizeof(*call));
	struct xdr_out *out;
	unsigned int i;

	check(call, "no memory");
	out = &call->payload;
	header_init(&call->header, callback->header.xid);
	header_set_response(&call->header);
	call->header.credit = credit;
	put_u32(out, callback->header.xid);
	put_u32(out, RPC_REPLY);
	for (i = 0; i < 4; i++)		/* accepted, no verifier, success */
		put_u32(out, 0);
	put_u32(out, 0);
	put_u32(out, 0);		/* tag */
	put_u32(out, callback->nops);
	put_u32(out, OP_CB_SEQUENCE);
	put_u32(out, 0);
	put_bytes(out, callback->session, SESSION_ID);
	put_u32(out, callback->sequence);
	put_u32(out, callback->slot);
	put_u32(out, 0);
	put_u32(out, 0);
	if (callback->nops > 1) {
		put_u32(out, OP_CB_RECALL);
		put_u32(out, 0);
	}
	return call;
}

void callback_done(struct verbs_conn *conn, struct callback *callback)
{
	repost_receive(conn, &callback->message);
	free(callback);
}
