// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of the answers of a server.
 */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>
#include "requester/requester.h"

static void check_chunk(const char *name, const struct chunk *sent,
			const struct chunk *got)
{
	unsigned int i;

	check(got->nsegs == sent->nsegs, "the %s has %u segments, not %u",
	      name, got->nsegs, sent->nsegs);
	for (i = 0; i < sent->nsegs; i++) {
		check(got->segs[i].handle == sent->segs[i].handle &&
		      got->segs[i].offset == sent->segs[i].offset,
		      "the %s has a changed segment %u", name, i);
		check(got->segs[i].length <= sent->segs[i].length,
		      "the %s claims %u bytes in segment %u of %u", name,
		      got->segs[i].length, i, sent->segs[i].length);
	}
}

/*
 * Segments are filled in order: a segment is used only if all earlier ones are
 * full
 */
static void check_order(const char *name, const struct chunk *sent,
			const struct chunk *got)
{
	bool partial = false;
	unsigned int i;

	for (i = 0; i < sent->nsegs; i++) {
		check(!partial || !got->segs[i].length,
		      "the %s is not filled in order", name);
		partial |= got->segs[i].length < sent->segs[i].length;
	}
}

static void check_lists(const struct header *sent, const struct header *got)
{
	unsigned int i;

	check(!got->nreads, "a Reply has a Read list");
	check(got->nwrites == sent->nwrites, "%u Write chunks returned, not %u",
	      got->nwrites, sent->nwrites);
	for (i = 0; i < sent->nwrites; i++) {
		check_chunk("Write chunk", &sent->writes[i], &got->writes[i]);
		check_order("Write chunk", &sent->writes[i], &got->writes[i]);
	}
	check(got->has_reply == sent->has_reply, "the Reply chunk is %s",
	      sent->has_reply ? "missing" : "returned but was not offered");
	if (!sent->has_reply)
		return;
	check_chunk("Reply chunk", &sent->reply, &got->reply);
	check_order("Reply chunk", &sent->reply, &got->reply);
}

static void check_form(struct verbs_conn *conn, const struct reply *reply)
{
	const struct header *h = &reply->header;

	check(reply->message.len <= reply_threshold(conn),
	      "a Reply of %zu bytes exceeds the inline threshold", reply->message.len);
	if (h->proc == RDMA_MSG) {
		check(!chunk_length(&h->reply),
		      "an RDMA_MSG uses the Reply chunk");
		return;
	}
	check(h->proc == RDMA_NOMSG, "procedure %u instead of a Reply", h->proc);
	check(h->has_reply && chunk_length(&h->reply),
	      "an RDMA_NOMSG does not use the Reply chunk");
	check(reply->message.len == h->size, "an RDMA_NOMSG with trailing bytes");
}

static void decode_reply(struct reply *reply)
{
	const char *wrong;

	wrong = header_get(&reply->header, reply->message.data,
			   reply->message.len);
	check(!wrong, "bad header in a Reply: %s", wrong);
	check(reply->header.vers == target.version, "version %u in a Reply",
	      reply->header.vers);
	check(reply->header.layout == 1 ||
	      (reply->header.flags == FLAG_RESPONSE &&
	       !reply->header.inv_handle),
	      "flags %08x, handle %08x in a Reply", reply->header.flags,
	      reply->header.inv_handle);
	check(reply->header.credit, "a credit grant of 0");
	check(reply->header.proc != RDMA_ERROR, "RDMA_ERROR %u instead of a Reply",
	      reply->header.error);
}

/*
 * Version 1: only if the CM private data of this end agrees. Version 2: only the handle that
 * the Call has named, which must be its own
 */
static void check_invalidated(const struct verbs_conn *conn, const struct header *call,
			      const struct verbs_message *message)
{
	struct private_data own;

	if (!message->inv)
		return;
	if (call->layout != 2) {
		private_get(&own, conn->options.private, conn->options.private_len);
		check(own.remote_inv, "handle %08x was invalidated, which was not agreed",
		      message->inv_rkey);
		return;
	}
	check(call->inv_handle && message->inv_rkey == call->inv_handle,
	      "handle %08x was invalidated instead of %08x",
	      message->inv_rkey, call->inv_handle);
	check(header_has_handle(call, message->inv_rkey),
	      "handle %08x was invalidated, which was not offered",
	      message->inv_rkey);
}

/* The payload of a Long Reply is in the Reply chunk */
static void reply_payload(struct reply *reply)
{
	const struct header *h = &reply->header;

	if (h->proc == RDMA_MSG) {
		xdr_in_init(&reply->results, reply->message.data + h->size,
			    reply->message.len - h->size);
		return;
	}
	reply->long_payload = chunk_bytes(&h->reply);
	xdr_in_init(&reply->results, reply->long_payload,
		    chunk_length(&h->reply));
}

static struct reply *check_reply(struct verbs_conn *conn,
				 const struct call *call,
				 const struct verbs_message *message)
{
	struct reply *reply = calloc(1, sizeof(*reply));
	const char *wrong;

	check(reply, "no memory");
	reply->message = *message;
	decode_reply(reply);
	check(reply->header.xid == call->header.xid, "XID %08x instead of %08x",
	      reply->header.xid, call->header.xid);
	check_lists(&call->header, &reply->header);
	check_form(conn, reply);
	check_invalidated(conn, &call->header, message);
	reply_payload(reply);
	wrong = rpc_get_reply(&reply->rpc, &reply->results);
	check(!wrong, "%s", wrong);
	check(reply->rpc.xid == call->header.xid, "XID %08x in the RPC Reply",
	      reply->rpc.xid);
	return reply;
}

struct reply *expect_reply(struct verbs_conn *conn, const struct call *call)
{
	struct verbs_message message;

	do
		next_message(conn, &message);
	while (intercept && intercept(conn, &message));
	return check_reply(conn, call, &message);
}

static struct reply *check_success(struct reply *reply)
{
	check(!reply->rpc.denied && reply->rpc.stat == RPC_SUCCESS,
	      "the RPC was %s with status %u",
	      reply->rpc.denied ? "denied" : "accepted", reply->rpc.stat);
	return reply;
}

struct reply *expect_success(struct verbs_conn *conn, const struct call *call)
{
	return check_success(expect_reply(conn, call));
}

void free_reply(struct verbs_conn *conn, struct reply *reply)
{
	repost_receive(conn, &reply->message);
	free(reply->long_payload);
	free(reply);
}

void check_error(struct verbs_conn *conn, struct header *h,
		 const struct verbs_message *message, uint32_t xid,
		 uint32_t vers)
{
	const char *wrong = header_get(h, message->data, message->len);
	bool flags = h->layout == 2 && h->error != ERR2_VERS;

	check(!wrong, "bad header: %s", wrong);
	check(h->proc == RDMA_ERROR, "procedure %u instead of RDMA_ERROR",
	      h->proc);
	check(h->xid == xid, "RDMA_ERROR has XID %08x instead of %08x", h->xid,
	      xid);
	check(h->vers == vers, "RDMA_ERROR has version %u instead of %u",
	      h->vers, vers);
	check(h->credit, "RDMA_ERROR grants no credit");
	check(!h->err_vers_flags, "ERR_VERS with a flags word");
	check(!flags || h->flags == FLAG_RESPONSE, "RDMA_ERROR has flags %08x",
	      h->flags);
	check(h->size == message->len, "RDMA_ERROR of %zu bytes", message->len);
	check(!message->inv, "RDMA_ERROR invalidates memory");
	repost_receive(conn, message);
}

static void check_refusal(struct verbs_conn *conn,
			  const struct verbs_message *message, uint32_t xid,
			  enum v2_error error)
{
	unsigned int wanted = target.version == 2 ? error : ERR_CHUNK;
	static struct header h;

	check_error(conn, &h, message, xid, target.version);
	check(h.error == wanted, "error %u instead of %u", h.error, wanted);
}

void expect_refusal(struct verbs_conn *conn, uint32_t xid, enum v2_error error)
{
	struct verbs_message message;

	next_message(conn, &message);
	check_refusal(conn, &message, xid, error);
}

void expect_err_chunk(struct verbs_conn *conn, uint32_t xid)
{
	expect_refusal(conn, xid, ERR2_BAD_XDR);
}

static bool is_error(const struct verbs_message *message)
{
	return message->len >= 16 && word_at(message->data, 3) == RDMA_ERROR;
}

void expect_refused(struct verbs_conn *conn, const struct call *call)
{
	struct verbs_message message;
	struct reply *reply;

	next_message(conn, &message);
	if (is_error(&message)) {
		check_refusal(conn, &message, call->header.xid, ERR2_BAD_XDR);
		return;
	}
	reply = check_reply(conn, call, &message);
	check(!reply->rpc.denied && reply->rpc.stat == GARBAGE_ARGS,
	      "RPC status %u instead of ERR_CHUNK or GARBAGE_ARGS",
	      reply->rpc.stat);
	free_reply(conn, reply);
}

bool executed_or_refused(struct verbs_conn *conn, const struct call *call,
			 enum v2_error error)
{
	struct verbs_message message;
	struct reply *reply;

	next_message(conn, &message);
	if (is_error(&message)) {
		check_refusal(conn, &message, call->header.xid, error);
		return false;
	}
	reply = check_reply(conn, call, &message);
	check(!reply->rpc.denied && reply->rpc.stat == RPC_SUCCESS,
	      "RPC status %u", reply->rpc.stat);
	free_reply(conn, reply);
	return true;
}

void expect_err_vers(struct verbs_conn *conn, uint32_t xid, uint32_t vers)
{
	static struct header h;
	struct verbs_message message;

	next_message(conn, &message);
	check_error(conn, &h, &message, xid, vers);
	check(h.error == ERR_VERS, "error %u instead of ERR_VERS", h.error);
	check(h.low == 1 && h.high >= h.low, "versions %u to %u", h.low, h.high);
	check(vers < h.low || vers > h.high,
	      "version %u is refused but listed as supported", vers);
}

bool nfsd_of_61(void)
{
	const char *yes = getenv("PEER_NFSD_OF_61");

	return yes && !strcmp(yes, "yes");
}

void expect_silence(struct verbs_conn *conn)
{
	struct verbs_message message;
	int ret;

	do
		ret = verbs_recv(conn, &message, silence_ms());
	while (!ret && intercept && intercept(conn, &message));
	check(ret, "an unexpected message of %zu bytes, procedure %u",
	      message.len, message.len >= 16 ? word_at(message.data, 3) : 99);
	check(ret == -ETIMEDOUT, "the connection is lost, status %s",
	      ibv_wc_status_str(conn->status));
}

void expect_lost(struct verbs_conn *conn)
{
	check(!verbs_wait_disconnected(conn, timeout_ms()),
	      "the server does not close the connection");
}

void expect_no_answer(struct verbs_conn *conn)
{
	struct verbs_message message;
	int ret = verbs_recv(conn, &message, timeout_ms());

	check(ret, "an answer of %zu bytes, procedure %u", message.len,
	      message.len >= 16 ? word_at(message.data, 3) : 99);
	check(ret == -ENOTCONN, "the connection is not lost");
	expect_lost(conn);
}

void expect_alive(struct verbs_conn *conn)
{
	struct call *call = null_call();

	send_call(conn, call);
	free_reply(conn, expect_success(conn, call));
	free(call);
}

/* sunrpc of 6.1 forgets the verifier if a Call ends inside its own: see kernel-bugs.rst */
static bool lacks_verifier(const struct call *call, const struct verbs_message *message)
{
	const uint32_t wrong[] = { call->header.xid, RPC_REPLY, 0, GARBAGE_ARGS };
	size_t words = sizeof(wrong) / sizeof(wrong[0]);
	size_t first = message->len / sizeof(wrong[0]) - words, i;

	if (!nfsd_of_61() || message->len < sizeof(wrong))
		return false;
	for (i = 0; i < words && word_at(message->data, first + i) == wrong[i]; i++)
		;
	return i == words;
}

/* An RDMA_ERROR, MSG_DENIED, or an accept_stat that is not SUCCESS */
static void check_not_executed(struct verbs_conn *conn, const struct call *call,
			       const struct verbs_message *message)
{
	struct reply *reply;

	if (is_error(message)) {
		check_refusal(conn, message, call->header.xid, ERR2_BAD_XDR);
		return;
	}
	if (lacks_verifier(call, message))
		return;
	reply = check_reply(conn, call, message);
	check(reply->rpc.denied || reply->rpc.stat != RPC_SUCCESS,
	      "a Call with %zu bytes of payload was executed", call->payload.len);
	free_reply(conn, reply);
}

bool expect_not_executed(struct verbs_conn *conn, const struct call *call,
			 unsigned int *refused)
{
	struct call *next = null_call();
	struct verbs_message message;
	unsigned int before = *refused;
	bool answered = false;
	int ret = -ENOTCONN;

	if (send_call_or_lost(conn, next))
		ret = 0;
	/* Another nfsd thread may answer the next Call first */
	while (!ret && (!answered || *refused == before)) {
		ret = verbs_recv(conn, &message, timeout_ms());
		if (ret)
			break;
		if (word_at(message.data, 0) == call->header.xid) {
			check_not_executed(conn, call, &message);
			(*refused)++;
			continue;
		}
		free_reply(conn, check_success(check_reply(conn, next, &message)));
		answered = true;
	}
	check(ret != -ETIMEDOUT, "neither an answer nor a disconnect");
	free(next);
	return !ret;
}

void check_server_alive(void)
{
	struct verbs_conn *conn = open_no_private();

	expect_alive(conn);
	verbs_close(conn);
}

void expect_server_connections(unsigned int count)
{
	int64_t end = verbs_now() + timeout_ms();
	glob_t found;
	size_t n;

	do {
		usleep(10000);
		n = 0;
		if (!glob("/sys/kernel/rpcrdma/connections/server-*", 0, NULL, &found)) {
			n = found.gl_pathc;
			globfree(&found);
		}
		check(n <= count || verbs_now() < end, "the server has %zu connections, not %u",
		      n, count);
	} while (n > count);
}
