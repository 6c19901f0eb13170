// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of a Call onto the wire.
 *
 * A Call reserves the send queue slots of its registrations, its Send, and the
 * invalidations that follow, all at once: an invalidation must not have to wait for
 * slots. The Send context is the core's (rpcrdma/send.h). A Send that names pages of
 * the Call tells the request when it has completed.
 *
 * A connection begins with enough contexts for a Call and an error message, and for
 * the unsignaled Sends before them, so that there is always progress.
 *
 * Calls are sent one at a time, under XPRT_LOCKED. A Call that lacks something
 * goes back to sunrpc: -EAGAIN, and sunrpc sleeps until xprt_write_space();
 * -ENOMEM, and it tries again a little later.
 */
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

#define XPRTRDMA_SENDS_MIN	2

static void xprtrdma_send_completed(void *waiter)
{
	xprtrdma_req_sent(waiter);
}

static const struct rpcrdma_send_ops xprtrdma_send_ops = {
	.size		= sizeof(struct rpcrdma_send),
	.completed	= xprtrdma_send_completed,
};

/**
 * xprtrdma_send_pool_init - set up the pool of Send contexts of a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_send_pool_init(struct xprtrdma_xprt *r_xprt)
{
	rpcrdma_send_pool_init(&r_xprt->send_pool, &xprtrdma_send_ops);
}

/**
 * xprtrdma_send_pool_create - allocate the contexts that a connection begins with
 * @r_xprt: transport; r_xprt->conn has its queues
 *
 * Context: may sleep; holds XPRT_LOCKED; the caller keeps reclaim out of the
 * file system.
 * Return: 0 or -ENOMEM. rpcrdma_send_pool_destroy() undoes it, whole or in part.
 */
int xprtrdma_send_pool_create(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;

	rpcrdma_send_pool_open(&r_xprt->send_pool, conn,
			       XPRTRDMA_SENDS_MIN + conn->limits.unsignaled);
	return rpcrdma_send_pool_fill(&r_xprt->send_pool);
}

/**
 * xprtrdma_send_reserve - reserve send queue slots, or have sunrpc wait for them
 * @r_xprt: transport
 * @conn: its connection, entered
 * @n: work requests
 *
 * Context: sender; does not sleep.
 * Return: 0; -EAGAIN if sunrpc is told when to try again; -ENOTCONN; -EIO if
 * there never will be enough.
 */
int xprtrdma_send_reserve(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_conn *conn, unsigned int n)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	int ret;

	ret = rpcrdma_sendq_try_reserve(conn, n);
	if (ret == -E2BIG)
		return -EIO;
	if (ret != -ENOBUFS)
		return ret;

	/* Slots may have come back before sunrpc knew that they are wanted */
	xprt_wait_for_buffer_space(xprt);
	ret = rpcrdma_sendq_try_reserve(conn, n);
	if (ret == -ENOBUFS)
		return -EAGAIN;
	xprt_write_space(xprt);
	return ret;
}

/**
 * xprtrdma_sendq_avail - slots came back after xprtrdma_send_reserve() had failed
 * @conn: connection
 *
 * Context: completion handler.
 */
void xprtrdma_sendq_avail(struct rpcrdma_conn *conn)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;

	xprt_write_space(&r_xprt->xprt);
}

/**
 * xprtrdma_send_short - send a message that is in the buffer as a whole
 * @r_xprt: transport
 * @conn: its connection, entered
 * @send: context with the message; not the caller's any more
 * @len: bytes of the message
 *
 * Context: process context, does not sleep.
 * Return: 0; or what xprtrdma_send_reserve() says, or -ENOTCONN.
 */
int xprtrdma_send_short(struct xprtrdma_xprt *r_xprt, struct rpcrdma_conn *conn,
			struct rpcrdma_send *send, u32 len)
{
	int ret;

	ret = xprtrdma_send_reserve(r_xprt, conn, 1);
	if (ret) {
		rpcrdma_send_put(send);
		return ret;
	}
	send->slots = 1;
	send->posted_on = NULL;
	rpcrdma_send_start(send, len);
	return rpcrdma_send_post(send, &send->wr, true) ? -ENOTCONN : 0;
}

/*
 * The last step before the wire. From here on a Reply can come at any moment,
 * also before this returns; sunrpc's sender has pinned the request.
 */
static int xprtrdma_send_marshaled(struct xprtrdma_xprt *r_xprt,
				   struct rpcrdma_conn *conn,
				   struct xprtrdma_req *req,
				   struct rpcrdma_send *send)
{
	struct rpc_rqst *rqst = &req->rqst;
	struct ib_send_wr *first = &send->wr;
	unsigned int nmrs;
	int ret;

	nmrs = list_count_nodes(&req->mrs);
	send->slots = nmrs + 1;
	/* The header is complete: the receive path may compare Replies with it */
	send->posted_on = &req->sent;
	ret = xprtrdma_send_reserve(r_xprt, conn, send->slots + nmrs);
	if (ret)
		return ret;
	xprtrdma_mr_list_chain(req, &first);
	if (send->mapped)
		send->waiter = req;
	if (nmrs || send->mapped)
		xprtrdma_req_expose(req, conn, send->mapped, nmrs);
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_REGISTRATIONS, nmrs);

	/* Pairs with xprtrdma_credits_wait_begin() */
	if (smp_load_acquire(&req->credit_wait))
		xprtrdma_credits_wait_end(r_xprt, req);
	rqst->rq_xtime = ktime_get();
	rqst->rq_xmit_bytes_sent += rqst->rq_snd_buf.len;
	req->resend = false;
	/* What cannot be posted counts as posted: the end of the connection frees it */
	if (rpcrdma_send_post(send, first, !send->waiter))
		xprt_force_disconnect(&r_xprt->xprt);
	return 0;
}

static int xprtrdma_send_call(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn,
			      struct xprtrdma_req *req)
{
	struct rpcrdma_send *send;
	int ret;

	send = rpcrdma_send_get(&r_xprt->send_pool, rpc_task_gfp_mask());
	if (!send)
		return -ENOMEM;
	ret = xprtrdma_marshal(r_xprt, req, send);
	if (trace_xprtrdma_marshal_enabled())
		trace_xprtrdma_marshal(conn, req->rqst.rq_xid, &req->msg,
				       list_count_nodes(&req->mrs), ret);
	if (!ret)
		ret = xprtrdma_send_marshaled(r_xprt, conn, req, send);
	if (ret) {
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
 * A Call goes out once on a connection, and again only on the next one
 * (V1-RTX-03, ULB-KA-09), or when an error of the server's has asked for it to be
 * rebuilt (V2-CRD-08).
 *
 * Context: RPC task; may sleep; holds XPRT_LOCKED.
 * sunrpc blames whichever task holds the lock for an error, and that need not
 * be the one whose Call this is. So a Call that cannot be sent at all counts as
 * sent, and its own task finds the errno when it wants to wait for the Reply.
 *
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

	ret = -ENOTCONN;
	if ((rqst->rq_connect_cookie != xprt->connect_cookie || req->resend) &&
	    rpcrdma_conn_enter(conn)) {
		ret = xprtrdma_send_call(r_xprt, conn, req);
		rpcrdma_conn_leave(conn);
	}
	if (ret == -ENOTCONN)
		xprt_force_disconnect(xprt);
	if (ret != -EIO)
		return ret;

	spin_lock(&xprt->queue_lock);
	req->error = ret;
	spin_unlock(&xprt->queue_lock);
	return 0;
}
