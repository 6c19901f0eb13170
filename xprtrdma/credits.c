// SPDX-License-Identifier: GPL-2.0-only
/*
 * The credit window, as the congestion window of sunrpc.
 *
 * sunrpc adds RPC_CWNDSCALE to xprt->cong for each Call on the wire, and sends
 * no more when xprt->cong has reached xprt->cwnd. So xprt->cwnd is the grant
 * of the server (RFC 8166 3.3.1, V1-CRED-04) times RPC_CWNDSCALE. It is one
 * credit until the first valid Reply on a connection (RFC 8166 3.3.3,
 * V1-CRED-12). Two cases differ:
 *
 *  - Abandoned Calls: sunrpc no longer waits for the Reply, but the server has not
 *    sent it. Each takes one credit until its Reply arrives. When they have taken
 *    all, the next Call could wait forever, so the connection is closed for a new
 *    one. A late Reply does not stop that.
 *  - Replies to reverse Calls. They need no credit (RFC 8167 4.1, BI-CRED-02), but
 *    sunrpc sends past a full window only what is counted already. So a reverse
 *    request is counted when the Call arrives, and widens the window by one.
 *
 * When a connection is lost, no request stays counted. This and setting
 * xprt->cong to 0 are one critical section.
 *
 * Model: scripts/tests/models/credits.pml
 */
#include <rpcrdma/credit.h>
#include <rpcrdma/wire.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/*
 * Tell sunrpc how many requests it may have on the wire. @conn: connection to close if
 * no credit is left, or NULL if that cannot be; it is not destroyed before
 * xprtrdma_credits_reset().
 */
static void xprtrdma_credits_apply(struct xprtrdma_xprt *r_xprt,
				   struct rpcrdma_conn *conn)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned long calls;

	lockdep_assert_held(&xprt->transport_lock);
	calls = rpcrdma_credits_available(&r_xprt->credits,
					  READ_ONCE(r_xprt->ep.credits_limit));
	/* A ping is answered, or the keepalive closes the connection */
	if (!calls && conn &&
	    r_xprt->credits.abandoned > READ_ONCE(r_xprt->ping_waits))
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_CREDITS, -ENOBUFS);
	xprt->cwnd = (calls + r_xprt->reverse.active) << RPC_CWNDSHIFT;
}

/**
 * xprtrdma_credits_asked - number of credits that a Call asks for
 * @r_xprt: transport
 * @conn: its connection
 *
 * Context: any.
 * Return: credits, 1 or more.
 */
u32 xprtrdma_credits_asked(const struct xprtrdma_xprt *r_xprt,
			   const struct rpcrdma_conn *conn)
{
	return min(conn->limits.credits, READ_ONCE(r_xprt->ep.credits_limit));
}

/**
 * xprtrdma_credits_limit_changed - the administrator has changed the limit
 * @r_xprt: transport
 * @conn: its connection, which the caller keeps from being destroyed, or NULL
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_credits_limit_changed(struct xprtrdma_xprt *r_xprt,
				    struct rpcrdma_conn *conn)
{
	spin_lock(&r_xprt->xprt.transport_lock);
	xprtrdma_credits_apply(r_xprt, conn);
	spin_unlock(&r_xprt->xprt.transport_lock);
	xprtrdma_credits_wake(r_xprt);
}

/**
 * xprtrdma_credits_granted - use the newest grant, RFC 8166 3.3.1 (V1-CRED-16)
 * @r_xprt: transport
 * @conn: its connection
 * @granted: number of credits as the server sent it
 *
 * Waiting Calls are woken when the RPC that brought the grant is released.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_credits_granted(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn, u32 granted)
{
	u32 window = rpcrdma_credit_window(conn->limits.credits, granted);

	if (READ_ONCE(r_xprt->granted) != granted)
		WRITE_ONCE(r_xprt->granted, granted);
	if (READ_ONCE(r_xprt->credits.window) == window)
		return;
	spin_lock(&r_xprt->xprt.transport_lock);
	rpcrdma_credits_grant(&r_xprt->credits, conn->limits.credits, granted);
	xprtrdma_credits_apply(r_xprt, conn);
	spin_unlock(&r_xprt->xprt.transport_lock);

	/* A wider window can use more MRs */
	spin_lock(&r_xprt->mr_pool.lock);
	xprtrdma_mr_pool_refill(r_xprt);
	spin_unlock(&r_xprt->mr_pool.lock);
}

/**
 * xprtrdma_credits_wait_begin - a Call has to wait for a credit
 * @rqst: request, of either direction
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_credits_wait_begin(struct rpc_rqst *rqst)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);

	if (bc_prealloc(rqst) || req->credit_wait)
		return;
	req->credit_wait_start = rpcrdma_latency_begin();
	/* Another task may send the Call now. Pairs with xprtrdma_send_marshaled() */
	smp_store_release(&req->credit_wait, true);
	trace_xprtrdma_credit_wait(rqst->rq_xprt, rqst->rq_xid);
}

/**
 * xprtrdma_credits_wait_end - a Call that has waited for a credit is sent
 * @r_xprt: transport
 * @req: its request
 *
 * Context: RPC task that holds XPRT_LOCKED.
 */
void xprtrdma_credits_wait_end(struct xprtrdma_xprt *r_xprt,
			       struct xprtrdma_req *req)
{
	u64 ns = rpcrdma_latency_end(&r_xprt->ep.stats, RPCRDMA_L_CREDIT,
				     req->credit_wait_start);

	req->credit_wait = false;
	trace_xprtrdma_credit_go(&r_xprt->xprt, req->rqst.rq_xid, ns);
}

/**
 * xprtrdma_reserve_xprt - ops->reserve_xprt: ask for the send lock
 * @xprt: transport
 * @task: RPC task
 *
 * The wait for a credit is noted first, because afterwards the task may
 * already run.
 *
 * Context: holds xprt->transport_lock.
 * Return: 1 if @task has it; 0 if it sleeps.
 */
int xprtrdma_reserve_xprt(struct rpc_xprt *xprt, struct rpc_task *task)
{
	lockdep_assert_held(&xprt->transport_lock);
	if (unlikely(test_bit(XPRT_CWND_WAIT, &xprt->state)) &&
	    task->tk_rqstp && xprt->snd_task != task)
		xprtrdma_credits_wait_begin(task->tk_rqstp);
	return xprt_reserve_xprt_cong(xprt, task);
}

/**
 * xprtrdma_credits_ping - take a credit for a ping
 * @r_xprt: transport
 * @xid: of the ping
 *
 * The ping counts as an abandoned Call, and never takes the last credit.
 *
 * Context: process context, does not sleep.
 * Return: 1 if the ping is counted, and is to be sent; 0 if it is not, because Calls, or
 * the last ping, wait for Replies; -EAGAIN if nothing is on the wire, and the server has
 * granted only one credit.
 */
int xprtrdma_credits_ping(struct xprtrdma_xprt *r_xprt, __be32 xid)
{
	u32 limit = READ_ONCE(r_xprt->ep.credits_limit);
	struct rpc_xprt *xprt = &r_xprt->xprt;
	u32 calls;
	int ret;

	spin_lock(&xprt->transport_lock);
	calls = (xprt->cong >> RPC_CWNDSHIFT) - r_xprt->reverse.active;
	if (READ_ONCE(r_xprt->ping_waits)) {
		ret = 0;
	} else if (rpcrdma_credits_available(&r_xprt->credits, limit) >= calls + 2) {
		WRITE_ONCE(r_xprt->ping_xid, xid);
		WRITE_ONCE(r_xprt->ping_waits, true);
		rpcrdma_credits_abandon(&r_xprt->credits);
		xprtrdma_credits_apply(r_xprt, NULL);
		ret = 1;
	} else {
		ret = calls + r_xprt->credits.abandoned ? 0 : -EAGAIN;
	}
	spin_unlock(&xprt->transport_lock);
	return ret;
}

/**
 * xprtrdma_credits_abandon - sunrpc releases a request
 * @r_xprt: transport
 * @req: request; its Call is abandoned if it was sent and has no Reply
 *
 * Context: the caller holds xprt->transport_lock. sunrpc still counts the Call.
 */
void xprtrdma_credits_abandon(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req)
{
	struct rpcrdma_conn *conn = READ_ONCE(req->posted_on);

	lockdep_assert_held(&r_xprt->xprt.transport_lock);
	if (!conn)
		return;
	WRITE_ONCE(req->posted_on, NULL);
	rpcrdma_credits_abandon(&r_xprt->credits);
	xprtrdma_credits_apply(r_xprt, conn);
}

/**
 * xprtrdma_credits_reclaim - a Reply has arrived that no RPC waits for
 * @r_xprt: transport
 * @conn: connection that it came on
 * @xid: of the Reply
 * @credits: its grant. The Reply cannot be checked, so the grant is used
 *	only if it is smaller than the current one: RFC 8166 3.3.1 (V1-CRED-16)
 *
 * sunrpc may have taken the Call out of its queue without having released it
 * yet: then the Call has been answered, and is not abandoned later.
 *
 * Context: process context, does not sleep.
 * Return: true if it may be the Reply to an abandoned Call.
 */
bool xprtrdma_credits_reclaim(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn, __be32 xid,
			      u32 credits)
{
	struct xprtrdma_req *req;
	bool found = false;

	spin_lock(&r_xprt->xprt.transport_lock);
	spin_lock(&r_xprt->all_lock);
	list_for_each_entry(req, &r_xprt->all_reqs, all) {
		if (READ_ONCE(req->posted_on) != conn || req->rqst.rq_xid != xid)
			continue;
		WRITE_ONCE(req->posted_on, NULL);
		found = true;
	}
	spin_unlock(&r_xprt->all_lock);
	if (!found)
		found = rpcrdma_credits_reclaim(&r_xprt->credits);
	if (found) {
		rpcrdma_credits_grant(&r_xprt->credits, r_xprt->credits.window,
				      credits);
		xprtrdma_credits_apply(r_xprt, conn);
	}
	spin_unlock(&r_xprt->xprt.transport_lock);
	return found;
}

/**
 * xprtrdma_credits_wake - a credit came back, and sunrpc has released no RPC
 * @r_xprt: transport
 *
 * sunrpc lets a Call that waits for a credit go on only when it releases an RPC. All that
 * are under way may hang.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_credits_wake(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	bool locked = false;

	if (likely(!test_bit(XPRT_CWND_WAIT, &xprt->state)))
		return;
	spin_lock(&xprt->transport_lock);
	if (!RPCXPRT_CONGESTED(xprt)) {
		clear_bit(XPRT_CWND_WAIT, &xprt->state);
		/* The release wakes the next task: ours, or that of the holder */
		locked = !test_and_set_bit(XPRT_LOCKED, &xprt->state);
		if (locked)
			xprt_release_xprt_cong(xprt, NULL);
	}
	spin_unlock(&xprt->transport_lock);
	/* As sunrpc does: xprt_destroy() may have found it locked */
	if (locked)
		wake_up_bit(&xprt->state, XPRT_LOCKED);
}

/**
 * xprtrdma_credits_add_reverse - count the Reply to a reverse Call
 * @r_xprt: transport
 * @rqst: reverse request; it is counted from now on
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_credits_add_reverse(struct xprtrdma_xprt *r_xprt,
				  struct rpc_rqst *rqst)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;

	spin_lock(&xprt->transport_lock);
	r_xprt->reverse.active++;
	rqst->rq_cong = 1;
	xprt->cong += RPC_CWNDSCALE;
	xprtrdma_credits_apply(r_xprt, NULL);
	spin_unlock(&xprt->transport_lock);
}

/**
 * xprtrdma_credits_sub_reverse - narrow the window again for a reverse request
 * @r_xprt: transport
 *
 * The caller, or sunrpc, restores rq_cong and xprt->cong.
 *
 * Context: holds xprt->transport_lock.
 */
void xprtrdma_credits_sub_reverse(struct xprtrdma_xprt *r_xprt)
{
	lockdep_assert_held(&r_xprt->xprt.transport_lock);
	r_xprt->reverse.active--;
	xprtrdma_credits_apply(r_xprt, NULL);
}

/**
 * xprtrdma_credits_reset - the connection is gone: no request is on the wire
 * @r_xprt: transport
 *
 * Context: process context, does not sleep; holds XPRT_LOCKED or is the only user, so
 * nothing is being sent.
 */
void xprtrdma_credits_reset(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	struct xprtrdma_req *req;

	spin_lock(&xprt->transport_lock);
	spin_lock(&r_xprt->all_lock);
	list_for_each_entry(req, &r_xprt->all_reqs, all)
		req->rqst.rq_cong = 0;
	spin_unlock(&r_xprt->all_lock);
	xprtrdma_reverse_reset(r_xprt);

	WRITE_ONCE(r_xprt->granted, 0);
	rpcrdma_credits_reset(&r_xprt->credits);
	r_xprt->ping_waits = false;
	r_xprt->reverse.active = 0;
	xprt->cong = 0;
	xprtrdma_credits_apply(r_xprt, NULL);
	spin_unlock(&xprt->transport_lock);
}
