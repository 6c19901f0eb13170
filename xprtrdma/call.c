// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending a Call.
 *
 * A Call reserves the send queue slots of its registrations, its Send, and the
 * invalidations that will follow, all at once: an invalidation must not have
 * to wait for slots. Registrations and Send are posted as one WR chain. If the
 * Send names pages of the Call, its completion is reported to the request
 * (req_memory.c).
 *
 * Calls are sent one at a time, under XPRT_LOCKED. A Call that lacks a
 * resource goes back to sunrpc: after -EAGAIN sunrpc waits for
 * xprt_write_space(); after -ENOMEM it tries again a little later.
 */
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/*
 * Post the Call. The Reply can arrive before this returns; sunrpc keeps the
 * request pinned while it is being sent.
 */
static int xprtrdma_send_marshaled(struct xprtrdma_xprt *r_xprt,
				   struct rpcrdma_conn *conn,
				   struct xprtrdma_req *req,
				   struct rpcrdma_send *send,
				   const struct xprtrdma_plan *plan)
{
	struct rpc_rqst *rqst = &req->rqst;
	struct ib_send_wr *first = &send->wr;
	unsigned int nmrs;
	int ret;

	nmrs = list_count_nodes(&req->mrs);
	send->slots = nmrs + 1;
	/*
	 * The post stores @conn in req->posted_on. From then on the receive path finds
	 * this request, and compares a Reply with req->msg.
	 */
	send->posted_on = &req->posted_on;
	ret = xprtrdma_send_reserve(r_xprt, conn, send->slots + nmrs);
	if (ret)
		return ret;
	xprtrdma_mr_list_chain(req, &first);
	if (send->mapped)
		send->waiter = req;
	if (nmrs || send->mapped) {
		xprtrdma_req_expose(req, conn, send->mapped, nmrs);
		xprtrdma_req_pin_sent(r_xprt, req);
	}
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_REGISTRATIONS, nmrs);
	xprtrdma_count_call(r_xprt, rqst, plan);

	/* Pairs with xprtrdma_credits_wait_begin(): credit_wait_start is set */
	if (smp_load_acquire(&req->credit_wait))
		xprtrdma_credits_wait_end(r_xprt, req);
	rqst->rq_xtime = ktime_get();
	req->drops_seen = READ_ONCE(r_xprt->drops);
	rqst->rq_xmit_bytes_sent += rqst->rq_snd_buf.len;
	WRITE_ONCE(req->retrying, false);
	/*
	 * After a failure the teardown of the connection frees what was posted.
	 * The post has called rpcrdma_conn_close(), whose work item disconnects
	 * too; but no other task is to get XPRT_LOCKED before ops->close.
	 */
	if (rpcrdma_send_post(send, first, !send->waiter))
		xprtrdma_force_disconnect(r_xprt);
	return 0;
}

static int xprtrdma_send_call(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn,
			      struct xprtrdma_req *req)
{
	struct xprtrdma_plan plan;
	struct rpcrdma_send *send;
	int ret;

	send = xprtrdma_send_get(r_xprt);
	if (!send)
		return -ENOMEM;
	ret = xprtrdma_marshal(r_xprt, req, send, &plan);
	if (trace_xprtrdma_marshal_enabled())
		trace_xprtrdma_marshal(conn, req->rqst.rq_xid, &req->msg,
				       list_count_nodes(&req->mrs), ret);
	if (!ret)
		ret = xprtrdma_send_marshaled(r_xprt, conn, req, send, &plan);
	if (!ret) {
		xprtrdma_mr_promise_drop(req);
	} else {
		xprtrdma_mr_list_undo(r_xprt, &req->mrs);
		rpcrdma_send_put(send);
		r_xprt->legacy.marshal++;
	}
	return ret;
}

/**
 * xprtrdma_send_request - ops->send_request: send a Call, or a reverse Reply
 * @rqst: request
 *
 * A Call is sent once on a connection (RFC 8267 6.7.2, ULB-KA-09). It is sent
 * again on the next connection, or if version 2 rebuilds it after an error.
 *
 * sunrpc assigns an error to the task that holds XPRT_LOCKED, which may be
 * another task than that of the Call. So a Call that can never be sent counts
 * as sent, and its own task finds the errno when it is about to wait for the
 * Reply.
 *
 * Context: RPC task; holds XPRT_LOCKED; does not wait for memory, but may sleep in the
 * provider of GPU memory.
 * Return: 0; -ENOTCONN if sunrpc should connect first; -EBADSLT, -EAGAIN,
 * -ENOBUFS or -ENOMEM if it should try again when it has waited.
 */
int xprtrdma_send_request(struct rpc_rqst *rqst)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	struct rpcrdma_conn *conn = r_xprt->conn;
	int ret;

	if (bc_prealloc(rqst))
		return xprtrdma_reverse_send(rqst);
	if (req->error)
		return 0;
	if (!xprt_connected(xprt))
		return -ENOTCONN;
	if (!xprt_request_get_cong(xprt, rqst)) {
		xprtrdma_credits_wait_begin(rqst);
		return -EBADSLT;
	}

	/*
	 * A second send on one connection is not allowed: report the connection
	 * as lost, so that sunrpc reconnects (RFC 8267 6.7.2, ULB-KA-09).
	 */
	ret = -ENOTCONN;
	if ((rqst->rq_connect_cookie != xprt->connect_cookie || req->retrying) &&
	    rpcrdma_conn_enter(conn)) {
		ret = xprtrdma_send_call(r_xprt, conn, req);
		rpcrdma_conn_leave(conn);
	}
	if (ret == -ENOTCONN)
		xprtrdma_force_disconnect(r_xprt);
	if (ret != -EIO)
		return ret;

	spin_lock(&xprt->queue_lock);
	WRITE_ONCE(req->error, ret);
	spin_unlock(&xprt->queue_lock);
	return 0;
}
