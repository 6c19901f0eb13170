// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receive path: classifies and checks each received message.
 *
 * It processes itself: messages to be dropped; transport properties, unless their
 * answer must wait for a send queue slot; and Replies and RDMA_ERRORs that answer reverse
 * Calls. The last must not depend on a free nfsd thread, since all threads may be waiting
 * for such a Reply. All other messages go to the queue of ready requests.
 */
#include <trace/events/svcrdma.h>
#include "request.h"
#include "reverse.h"
#include "svcrdma.h"

/* Most wrong messages of a client before its first Call that is accepted */
#define SVCRDMA_JUNK_MAX	256

static void svcrdma_count_junk(struct svcrdma_xprt *rdma)
{
	if (READ_ONCE(rdma->reads.accepted) || ++rdma->junk <= SVCRDMA_JUNK_MAX)
		return;
	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
}

static void svcrdma_drop(struct svcrdma_req *req, enum rpcrdma_reason reason)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	const struct rpcrdma_recv *recv = req->recv;
	__be32 xid = 0;

	if (recv->len >= sizeof(xid))
		memcpy(&xid, recv->buf.data, sizeof(xid));
	rpcrdma_report_reason(conn, reason, xid);
	rpcrdma_count(conn->stats, RPCRDMA_C_DROPPED);
	svcrdma_count_junk(req->rdma);
	svcrdma_req_put(req);
}

static bool svcrdma_is_error(const struct rpcrdma_recv *recv)
{
	const __be32 *words = recv->buf.data;

	return words[RPCRDMA_WORD_PROC] == cpu_to_be32(RPCRDMA_WIRE_ERROR);
}

/*
 * In version 1 the RPC message type tells the direction. Reverse Calls of this server
 * offer no chunks, so an RDMA_NOMSG cannot be a Reply to one: it is a Call.
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

static void svcrdma_refuse(struct svcrdma_req *req, enum rpcrdma_reason reason)
{
	req->refused = reason;
	svcrdma_count_junk(req->rdma);
	svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_REFUSED);
}

/* After an overrun the connection is closing, and the request is put */
static bool svcrdma_credit_or_close(struct svcrdma_req *req)
{
	if (svcrdma_credit_take(req))
		return true;
	svcrdma_req_put(req);
	return false;
}

/*
 * Of the messages that do not decode, three kinds must not be answered: RDMA_DONE,
 * RFC 8166 4.6.2 (V1-DEP-05); short messages, RFC 8166 4.5 (V1-ERR-01); and Replies,
 * which only version 2 marks as such. The others count as Calls.
 */
static void svcrdma_receive_refused(struct svcrdma_req *req,
				    enum rpcrdma_reason reason)
{
	if (reason == RPCRDMA_R_DONE || reason == RPCRDMA_R_SHORT ||
	    req->msg.dir == RPCRDMA_DIR_REPLY)
		svcrdma_drop(req, reason);
	else if (svcrdma_credit_or_close(req))
		svcrdma_refuse(req, reason);
}

/* A CONNPROP that asks for an answer holds a credit until it is answered */
static void svcrdma_receive_connprop(struct svcrdma_req *req)
{
	enum rpcrdma_reason reason;

	if (req->msg.dir == RPCRDMA_DIR_CALL && !svcrdma_credit_or_close(req))
		return;
	reason = svcrdma_connprop(req);
	if (reason == RPCRDMA_OK)
		return;
	if (req->msg.dir == RPCRDMA_DIR_CALL)
		svcrdma_refuse(req, reason);
	else
		svcrdma_drop(req, reason);
}

static enum rpcrdma_reason svcrdma_decode_header(struct svcrdma_req *req)
{
	struct rpcrdma_negotiation *negotiation = &req->rdma->conn->negotiation;
	const struct rpcrdma_recv *recv = req->recv;

	return rpcrdma_msg_decode(&req->msg,
				  rpcrdma_negotiate_versions(negotiation),
				  recv->buf.data, recv->len);
}

/* The first message in a version that this server supports fixes the version */
static enum rpcrdma_reason svcrdma_decode(struct svcrdma_req *req)
{
	struct rpcrdma_negotiation *negotiation = &req->rdma->conn->negotiation;
	enum rpcrdma_reason reason;

	reason = svcrdma_decode_header(req);
	if (unlikely(reason == RPCRDMA_R_TOO_MANY_SEGS) &&
	    svcrdma_req_more_segs(req))
		reason = svcrdma_decode_header(req);
	if (reason != RPCRDMA_R_SHORT &&
	    negotiation->state != RPCRDMA_NEGOTIATE_SETTLED)
		svcrdma_negotiate_settle(req->rdma->conn, req->msg.vers);
	return reason;
}

static void svcrdma_receive_call(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	enum rpcrdma_reason reason;

	if (!svcrdma_credit_or_close(req))
		return;
	if (READ_ONCE(rdma->last_asked) != req->msg.credits)
		WRITE_ONCE(rdma->last_asked, req->msg.credits);
	reason = svcrdma_check_call(req);
	if (reason != RPCRDMA_OK) {
		svcrdma_refuse(req, reason);
		return;
	}
	rpcrdma_count(rdma->conn->stats, req->msg.type == RPCRDMA_MSG ?
		      RPCRDMA_C_CALLS_INLINE : RPCRDMA_C_CALLS_LONG);
	trace_svcrdma_call(rdma->conn, &req->msg, req->recv->len);
	svcrdma_not_idle(rdma);
	if (!svcrdma_hold(req))
		svcrdma_call_ready(req);
}

static void svcrdma_receive(struct svcrdma_req *req)
{
	const struct rpcrdma_recv *recv = req->recv;
	enum rpcrdma_reason reason;

	/* RFC 8166 4.5 (V1-ERR-01): without the fixed words nothing is parsed */
	if (recv->len < RPCRDMA_FIXED_SIZE) {
		svcrdma_drop(req, RPCRDMA_R_SHORT);
		return;
	}
	/* Before the version is checked: an error is never answered with an error */
	if (svcrdma_is_error(recv)) {
		svcrdma_receive_error(req);
		return;
	}
	/* Version, header type, chunk lists: each step checks what the next reads */
	reason = svcrdma_decode(req);
	if (reason != RPCRDMA_OK) {
		svcrdma_receive_refused(req, reason);
		return;
	}
	/* Direction before credits: a Reply holds no credit of the client */
	if (req->msg.type == RPCRDMA_CONNPROP)
		svcrdma_receive_connprop(req);
	else if (svcrdma_is_reply(req))
		svcrdma_receive_reply(req);
	else
		svcrdma_receive_call(req);
}

/**
 * svcrdma_received - ops->received: a message has arrived
 * @conn: connection
 * @recv: receive buffer with the message; the request owns it afterwards
 *
 * Context: completion handler, serial per connection; may sleep for memory.
 */
void svcrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv)
{
	struct svcrdma_req *req = svcrdma_req_get(conn->owner);

	if (!req) {
		/* RFC 8166 4.5.4 (V1-ERR-21): there can be no answer, so close */
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_ANSWER, -ENOMEM);
		return;
	}
	WRITE_ONCE(req->recv, recv);
	svcrdma_receive(req);
}
