// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a message is. ops->received() checks the header completely, in the order that
 * the specification's traps ask for, and gets rid of what no nfsd thread needs to
 * see: messages to be dropped, properties, and replies to reverse Calls (those must
 * not wait for an nfsd thread, since all of these may be waiting for such a reply).
 * Everything else goes into the queue of ready requests, see recv.c.
 */
#include <trace/events/svcrdma.h>
#include "svcrdma.h"

static void svcrdma_drop(struct svcrdma_req *req, enum rpcrdma_reason reason)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	const struct rpcrdma_recv *recv = req->recv;
	__be32 xid = 0;

	if (recv->len >= sizeof(xid))
		memcpy(&xid, recv->buf.data, sizeof(xid));
	rpcrdma_conn_refuse(conn, reason, xid);
	rpcrdma_count(conn->stats, RPCRDMA_C_DROPPED);
	svcrdma_req_put(req);
}

static bool svcrdma_is_error(const struct rpcrdma_recv *recv)
{
	const __be32 *words = recv->buf.data;

	return words[RPCRDMA_WORD_PROC] == cpu_to_be32(RPCRDMA_WIRE_ERROR);
}

/*
 * Our reverse Calls offer no chunks, so no Reply to them can be an RDMA_NOMSG:
 * that is a Call, and without a Position Zero chunk a bad one (T-06, T-47).
 */
static bool svcrdma_is_reply(const struct svcrdma_req *req)
{
	if (req->msg.dir != RPCRDMA_DIR_UNKNOWN)
		return req->msg.dir == RPCRDMA_DIR_REPLY;
	return req->msg.type == RPCRDMA_MSG &&
	       rpcrdma_msg_direction(&req->msg, svcrdma_payload(req),
				     svcrdma_payload_len(req)) ==
	       RPCRDMA_DIR_REPLY;
}

static void svcrdma_receive_error(struct svcrdma_req *req)
{
	const struct rpcrdma_recv *recv = req->recv;

	rpcrdma_count(req->rdma->conn->stats, RPCRDMA_C_ERRORS_RECEIVED);
	if (svcrdma_reverse_error(req->rdma, recv->buf.data, recv->len))
		svcrdma_req_put(req);
	else
		svcrdma_drop(req, RPCRDMA_R_UNEXPECTED_ERROR);
}

static void svcrdma_receive_reply(struct svcrdma_req *req)
{
	if (svcrdma_reverse_reply(req->rdma, &req->msg, svcrdma_payload(req),
				  svcrdma_payload_len(req)))
		svcrdma_req_put(req);
	else
		svcrdma_drop(req, RPCRDMA_R_UNKNOWN_XID);
}

/* A Call whose arguments are protected may use nothing but Position zero */
static bool svcrdma_reduced(const struct svcrdma_req *req)
{
	unsigned int i;

	for (i = 0; i < req->nchunks; i++)
		if (req->segs[req->chunks[i].first].position)
			return true;
	return false;
}

/**
 * svcrdma_check_protection - may the arguments of a Call be reduced as they are?
 * @req: request; its protected flag is set here
 * @call: the Call from its XID on
 * @len: bytes there
 *
 * Context: any.
 * Return: RPCRDMA_OK or the reason to refuse it.
 */
enum rpcrdma_reason svcrdma_check_protection(struct svcrdma_req *req,
					     const void *call, size_t len)
{
	req->protected = svcrdma_call_protected(call, len);
	if (req->protected && svcrdma_reduced(req))
		return RPCRDMA_R_REDUCED;
	return RPCRDMA_OK;
}

static enum rpcrdma_reason svcrdma_check_call(struct svcrdma_req *req)
{
	struct rpcrdma_msg *msg = &req->msg;
	enum rpcrdma_reason reason;

	reason = rpcrdma_call_check(msg, svcrdma_payload(req),
				    svcrdma_payload_len(req));
	if (reason != RPCRDMA_OK)
		return reason;
	if (msg->reads.nsegs)
		reason = rpcrdma_reads_sort(msg, req->rdma->max_call,
					    req->chunks, &req->nchunks);
	if (reason != RPCRDMA_OK)
		return reason;

	/* Nothing in front of the arguments is a data item (V1-SEC-01) */
	if (msg->type == RPCRDMA_MSG && req->nchunks &&
	    req->segs[req->chunks[0].first].position < SVCRDMA_ARGS_MIN)
		return RPCRDMA_R_POSITION_RANGE;
	if (msg->type == RPCRDMA_MSG)
		reason = svcrdma_check_protection(req, svcrdma_payload(req),
						  svcrdma_payload_len(req));
	if (reason != RPCRDMA_OK)
		return reason;
	if (req->rdma->conn->remote_inv)
		req->invalidate = svcrdma_reply_inv_handle(msg);
	return RPCRDMA_OK;
}

static void svcrdma_refuse(struct svcrdma_req *req, enum rpcrdma_reason reason)
{
	req->refused = reason;
	svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_REFUSED);
}

/* What cannot be decoded is taken for a Call (T-47) */
static void svcrdma_receive_bad(struct svcrdma_req *req,
				enum rpcrdma_reason reason)
{
	if (svcrdma_credit_take(req))
		svcrdma_refuse(req, reason);
}

/* What must not be answered is dropped (V1-DEP-05, V1-ERR-01, V2-ERR-09) */
static void svcrdma_receive_refused(struct svcrdma_req *req,
				    enum rpcrdma_reason reason)
{
	if (reason == RPCRDMA_R_DONE || reason == RPCRDMA_R_SHORT ||
	    req->msg.dir == RPCRDMA_DIR_REPLY)
		svcrdma_drop(req, reason);
	else
		svcrdma_receive_bad(req, reason);
}

/* What opens an exchange takes a credit until it is answered (V2-CPR-17) */
static void svcrdma_receive_connprop(struct svcrdma_req *req)
{
	enum rpcrdma_reason reason;

	if (req->msg.dir == RPCRDMA_DIR_CALL && !svcrdma_credit_take(req))
		return;
	reason = svcrdma_connprop(req);
	if (reason == RPCRDMA_OK)
		return;
	if (req->msg.dir == RPCRDMA_DIR_CALL)
		svcrdma_refuse(req, reason);
	else
		svcrdma_drop(req, reason);
}

/* "Order of checks": the numbers are those of the Responder receive path */
static void svcrdma_receive(struct svcrdma_req *req)
{
	const struct rpcrdma_recv *recv = req->recv;
	enum rpcrdma_reason reason;

	/* 1 */
	if (recv->len < RPCRDMA_FIXED_SIZE) {
		svcrdma_drop(req, RPCRDMA_R_SHORT);
		return;
	}
	/* 2: before the version, so that no error is answered by one (T-02) */
	if (svcrdma_is_error(recv)) {
		svcrdma_receive_error(req);
		return;
	}
	/* 3, 4, 5 and 6 */
	reason = svcrdma_version_decode(req);
	if (reason != RPCRDMA_OK) {
		svcrdma_receive_refused(req, reason);
		return;
	}
	if (req->msg.type == RPCRDMA_CONNPROP) {
		svcrdma_receive_connprop(req);
		return;
	}
	/* 8 */
	if (svcrdma_is_reply(req)) {
		svcrdma_receive_reply(req);
		return;
	}
	if (!svcrdma_credit_take(req))
		return;
	if (READ_ONCE(req->rdma->asked) != req->msg.credits)
		WRITE_ONCE(req->rdma->asked, req->msg.credits);
	/* 7 and 9 */
	reason = svcrdma_check_call(req);
	if (reason != RPCRDMA_OK) {
		svcrdma_refuse(req, reason);
		return;
	}
	rpcrdma_count(req->rdma->conn->stats, req->msg.type == RPCRDMA_MSG ?
		      RPCRDMA_C_CALLS_INLINE : RPCRDMA_C_CALLS_LONG);
	trace_svcrdma_call(req->rdma->conn, &req->msg, recv->len);
	svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_NEW);
}

/**
 * svcrdma_received - a message has arrived
 * @conn: connection
 * @recv: receive buffer; not the caller's any more
 *
 * Context: completion handler, serial per connection.
 */
void svcrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv)
{
	struct svcrdma_req *req = svcrdma_req_get(conn->owner);

	if (!req) {
		/* Neither Reply nor error is possible (V1-ERR-21) */
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_MEMORY, -ENOMEM);
		return;
	}
	WRITE_ONCE(req->recv, recv);
	svcrdma_receive(req);
}
