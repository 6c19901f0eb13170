// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reverse direction (RFC 8167): the server sends Calls, for NFSv4.1
 * callbacks.
 *
 * Receives for reverse Calls are posted with all others before the connection
 * is established. A Call is copied out of its receive buffer, which is posted
 * again at once, and passed to the callback service. The Reply comes back
 * through ops->send_request and is one Send.
 *
 * Neither may have chunks. A Call with chunks gets an error: RFC 8167 5.3
 * (BI-CHK-02, BI-CHK-04). The server learns the limits through bc_maxpayload
 * and bc_num_slots: RFC 8267 6.5.2 (ULB-CB-11, ULB-CB-12).
 *
 * A Reply is dropped if the connection that brought the Call is gone. The
 * server then sends the Call again: RFC 8167 5.4 (BI-RTX-01).
 */
#include "reverse.h"

static void xprtrdma_reverse_fill(struct xprtrdma_reverse_req *req,
				  const void *payload, u32 len)
{
	struct rpc_rqst *rqst = &req->rqst;

	memcpy(req->call, payload, len);
	xdr_buf_init(&rqst->rq_rcv_buf, req->call, len);
	rqst->rq_rcv_buf.len = len;
	rqst->rq_private_buf = rqst->rq_rcv_buf;
	xdr_buf_init(&rqst->rq_snd_buf, req->reply, req->size);
	rqst->rq_xid = *(__be32 *)req->call;
	rqst->rq_reply_bytes_recvd = 0;
	rqst->rq_bytes_sent = 0;
	rqst->rq_connect_cookie = rqst->rq_xprt->connect_cookie;
	req->cookie = rqst->rq_xprt->connect_cookie;
}

/* Returns RPCRDMA_OK, or the reason why the Call was not passed to the service */
static enum rpcrdma_reason xprtrdma_reverse_accept(struct xprtrdma_xprt *r_xprt,
						   const void *payload, u32 len)
{
	struct xprtrdma_reverse_req *req;

	if (!READ_ONCE(r_xprt->reverse.users))
		return RPCRDMA_R_NO_REVERSE;
	if (len > PAGE_SIZE)
		return RPCRDMA_R_CHUNK_LENGTH;
	req = xprtrdma_reverse_get(r_xprt);
	if (!req)	/* The last user may have left meanwhile */
		return READ_ONCE(r_xprt->reverse.users) ?
		       RPCRDMA_R_REVERSE_CREDITS : RPCRDMA_R_NO_REVERSE;

	xprtrdma_reverse_fill(req, payload, len);
	req->counted = true;
	xprtrdma_credits_add_reverse(r_xprt, &req->rqst);
	if (!xprtrdma_reverse_deliver(r_xprt, req)) {
		xprtrdma_reverse_put(r_xprt, req);
		return RPCRDMA_R_NO_REVERSE;
	}
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_BC_CALLS);
	return RPCRDMA_OK;
}

static enum rpcrdma_reason xprtrdma_reverse_check(const struct rpcrdma_msg *msg,
						  const void *payload, u32 len)
{
	if (msg->reads.nsegs || msg->nwrites || msg->has_reply)
		return RPCRDMA_R_REVERSE_CHUNKS;
	return rpcrdma_call_check(msg, payload, len);
}

/**
 * xprtrdma_reverse_call - handle a received reverse Call
 * @r_xprt: transport; r_xprt->rx_msg is the header
 * @conn: connection
 * @recv: receive buffer; posted again here
 *
 * Context: receive path.
 */
void xprtrdma_reverse_call(struct xprtrdma_xprt *r_xprt,
			   struct rpcrdma_conn *conn, struct rpcrdma_recv *recv)
{
	const struct rpcrdma_msg *msg = &r_xprt->rx_msg;
	const void *payload = recv->buf.data + msg->header_size;
	u32 len = recv->len - msg->header_size;
	enum rpcrdma_reason reason, fault;

	fault = xprtrdma_reverse_check(msg, payload, len);
	if (fault)
		xprtrdma_count_drop(r_xprt);
	reason = fault ?: xprtrdma_reverse_accept(r_xprt, payload, len);
	/* The Receive must be posted before a Reply lets the server send again */
	rpcrdma_recv_repost(recv);
	if (!reason)
		return;

	rpcrdma_report_reason(conn, reason, msg->xid);
	/* Version 2 needs a response: rpcrdma-version-two-09 4.2.2 (V2-BRS-12) */
	if (fault || (reason == RPCRDMA_R_NO_REVERSE && msg->dir))
		xprtrdma_send_error(r_xprt, conn, reason);
	else if (reason == RPCRDMA_R_REVERSE_CREDITS)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	else
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_DROPPED);
}

static int xprtrdma_reverse_marshal(struct xprtrdma_xprt *r_xprt,
				    struct rpc_rqst *rqst,
				    struct rpcrdma_send *send, u32 limit)
{
	const struct xdr_buf *xdr = &rqst->rq_snd_buf;
	struct rpcrdma_msg msg = {
		.xid		= rqst->rq_xid,
		.credits	= r_xprt->reverse_slots,
		.type		= RPCRDMA_MSG,
		.dir		= RPCRDMA_DIR_REPLY,
	};
	int header;

	header = send->conn->codec->encode(&msg, send->buf.data, limit);
	if (header < 0 || header + xdr->len > limit)
		return -EIO;
	if (read_bytes_from_xdr_buf(xdr, 0, send->buf.data + header, xdr->len))
		return -EIO;
	return header + xdr->len;
}

static int xprtrdma_reverse_send_on(struct xprtrdma_xprt *r_xprt,
				    struct rpcrdma_conn *conn,
				    struct rpc_rqst *rqst)
{
	struct rpcrdma_send *send;
	int ret;

	send = xprtrdma_send_get(r_xprt);
	if (!send)
		return -ENOMEM;
	ret = xprtrdma_reverse_marshal(r_xprt, rqst, send, conn->inline_send);
	if (ret < 0) {
		rpcrdma_send_put(send);
		return ret;
	}
	ret = xprtrdma_send_short(r_xprt, conn, send, ret);
	if (!ret)
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_BC_REPLIES);
	return ret;
}

/**
 * xprtrdma_reverse_send - ops->send_request for the Reply to a reverse Call
 * @rqst: reverse request
 *
 * A Reply that can never be sent counts as sent. sunrpc would assign the error
 * to the task that holds XPRT_LOCKED, which may be another one.
 *
 * Context: RPC task; holds XPRT_LOCKED; does not wait for memory.
 * Return: 0; -EAGAIN or -ENOMEM if sunrpc should try again; -ENOTCONN if the
 * connection has just gone.
 */
int xprtrdma_reverse_send(struct rpc_rqst *rqst)
{
	struct xprtrdma_reverse_req *req = xprtrdma_reverse_from_rqst(rqst);
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	struct rpcrdma_conn *conn = r_xprt->conn;
	int ret;

	if (!xprt_connected(xprt))
		return -ENOTCONN;
	/* The server sends the Call again on its new connection */
	if (req->cookie != xprt->connect_cookie)
		return 0;
	ret = -ENOTCONN;
	if (rpcrdma_conn_enter(conn)) {
		ret = xprtrdma_reverse_send_on(r_xprt, conn, rqst);
		if (ret == -EIO) {
			rpcrdma_report_reason(conn, RPCRDMA_R_REPLY_TOO_BIG,
					      rqst->rq_xid);
			ret = 0;
		}
		rpcrdma_conn_leave(conn);
	}
	/* Otherwise sunrpc would try again at once, until the connection is torn down */
	if (ret == -ENOTCONN)
		xprtrdma_force_disconnect(r_xprt);
	return ret;
}
