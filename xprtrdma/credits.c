// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credits, as sunrpc's congestion window.
 *
 * sunrpc adds RPC_CWNDSCALE to xprt->cong for each Call on the wire and sends
 * no more when that reaches xprt->cwnd. So the window is the server's grant
 * (V1-CRED-04), times RPC_CWNDSCALE, and 1 until the first valid Reply on a
 * connection (V1-CRED-12). Two things are not Calls that await a Reply and
 * still have to be counted right:
 *
 *  - Abandoned Calls: sunrpc is done with them although the server's Reply has
 *    still to come, because it wants none or has given up. Until then the
 *    window is smaller by one for each, since to the server they are unanswered
 *    like any other. When they have taken all of it, the next Call might wait for
 *    ever, so the connection is closed and another one made. That is not undone
 *    if the server answers after all: no event would wake the waiting Calls.
 *  - Replies to reverse Calls. They take no forward credit (BI-CRED-02), but
 *    sunrpc sends a request past a full window only if it is counted already.
 *    So it is counted when the reverse Call arrives, and the window is made
 *    larger by one.
 *
 * A lost connection takes all of it along: every request is uncounted, in the
 * same critical section that sets xprt->cong to 0.
 */
#include <rpcrdma/credit.h>
#include <rpcrdma/wire.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

static void xprtrdma_credits_exhausted(struct xprtrdma_xprt *r_xprt)
{
	r_xprt->exhausted = true;
	queue_work(xprtrdma_wq, &r_xprt->exhausted_work);
}

static void xprtrdma_credits_apply(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned long calls;

	lockdep_assert_held(&xprt->transport_lock);
	calls = rpcrdma_credits_available(&r_xprt->flow,
					  READ_ONCE(r_xprt->ep.credits_limit));
	if (!calls)
		xprtrdma_credits_exhausted(r_xprt);
	xprt->cwnd = (calls + r_xprt->reverse.active) << RPC_CWNDSHIFT;
}

static void xprtrdma_exhausted_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    exhausted_work);
	bool starved;

	spin_lock(&r_xprt->xprt.transport_lock);
	starved = r_xprt->exhausted;
	spin_unlock(&r_xprt->xprt.transport_lock);
	if (!starved)
		return;
	pr_info_ratelimited("xprtrdma: %pISpc: all credits are with Calls that were given up: another connection\n",
			    &r_xprt->xprt.addr);
	xprt_force_disconnect(&r_xprt->xprt);
}

/**
 * xprtrdma_credits_init - set up what this file has in a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_credits_init(struct xprtrdma_xprt *r_xprt)
{
	INIT_WORK(&r_xprt->exhausted_work, xprtrdma_exhausted_work);
}

/**
 * xprtrdma_credits_destroy - undo xprtrdma_credits_init()
 * @r_xprt: transport that no task uses any more, without a connection: nobody is left
 *	to queue the work
 *
 * Context: may sleep.
 */
void xprtrdma_credits_destroy(struct xprtrdma_xprt *r_xprt)
{
	cancel_work_sync(&r_xprt->exhausted_work);
}

/**
 * xprtrdma_credits_asked - what Calls ask for
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
 * xprtrdma_credits_limit_changed - the administrator has changed the limit of credits
 * @r_xprt: transport
 *
 * If it has become larger, waiting Calls notice when some RPC is released.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_credits_limit_changed(struct xprtrdma_xprt *r_xprt)
{
	spin_lock(&r_xprt->xprt.transport_lock);
	xprtrdma_credits_apply(r_xprt);
	spin_unlock(&r_xprt->xprt.transport_lock);
}

/**
 * xprtrdma_credits_granted - the newest grant (RFC 8166 3.3.1 (V1-CRED-16))
 * @r_xprt: transport
 * @conn: its connection
 * @granted: credits as the server says
 *
 * Waiting Calls are woken when the RPC that brought the grant is released.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_credits_granted(struct xprtrdma_xprt *r_xprt,
			      const struct rpcrdma_conn *conn, u32 granted)
{
	u32 window = rpcrdma_credit_window(conn->limits.credits, granted);

	if (READ_ONCE(r_xprt->granted) != granted)
		WRITE_ONCE(r_xprt->granted, granted);
	if (READ_ONCE(r_xprt->flow.window) == window)
		return;
	spin_lock(&r_xprt->xprt.transport_lock);
	rpcrdma_credits_grant(&r_xprt->flow, conn->limits.credits, granted);
	xprtrdma_credits_apply(r_xprt);
	spin_unlock(&r_xprt->xprt.transport_lock);
}

/**
 * xprtrdma_credits_wait_begin - a Call has to wait for a credit
 * @rqst: request, of either direction
 *
 * Context: process context, does not sleep; nobody sends the Call meanwhile.
 */
void xprtrdma_credits_wait_begin(struct rpc_rqst *rqst)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);

	if (bc_prealloc(rqst) || req->credit_wait)
		return;
	req->credit_wait_begun = rpcrdma_latency_begin();
	/* Another task may send the Call at this moment: xprtrdma_credits_wait_end() */
	smp_store_release(&req->credit_wait, true);
	trace_xprtrdma_credit_wait(rqst->rq_xprt, rqst->rq_xid);
}

/**
 * xprtrdma_credits_wait_end - a Call that had to wait for a credit is sent
 * @r_xprt: transport
 * @req: its request
 *
 * Context: sender.
 */
void xprtrdma_credits_wait_end(struct xprtrdma_xprt *r_xprt,
			       struct xprtrdma_req *req)
{
	u64 ns = rpcrdma_latency_end(&r_xprt->ep.stats, RPCRDMA_L_CREDIT,
				     req->credit_wait_begun);

	req->credit_wait = false;
	trace_xprtrdma_credit_go(&r_xprt->xprt, req->rqst.rq_xid, ns);
}

/**
 * xprtrdma_reserve_xprt - ops->reserve_xprt: ask for the send lock
 * @xprt: transport
 * @task: RPC task
 *
 * Looks for want of credits first: afterwards the task may have gone on.
 *
 * Context: holds xprt->transport_lock.
 * Return: 1 if @task has it; 0 if it sleeps.
 */
int xprtrdma_reserve_xprt(struct rpc_xprt *xprt, struct rpc_task *task)
{
	if (unlikely(test_bit(XPRT_CWND_WAIT, &xprt->state)) &&
	    task->tk_rqstp && xprt->snd_task != task)
		xprtrdma_credits_wait_begin(task->tk_rqstp);
	return xprt_reserve_xprt_cong(xprt, task);
}

/**
 * xprtrdma_credits_abandon - sunrpc is done with a Call
 * @r_xprt: transport
 * @req: request; if its Call was sent and has no Reply, one will come
 *
 * Context: the caller holds xprt->transport_lock. sunrpc still counts the Call.
 */
void xprtrdma_credits_abandon(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req)
{
	lockdep_assert_held(&r_xprt->xprt.transport_lock);
	if (!READ_ONCE(req->sent))
		return;
	WRITE_ONCE(req->sent, NULL);
	rpcrdma_credits_abandon(&r_xprt->flow);
	xprtrdma_credits_apply(r_xprt);
}

/**
 * xprtrdma_credits_reclaim - a Reply has come that no RPC waits for
 * @r_xprt: transport
 * @conn: connection that it came on
 * @xid: of the Reply
 * @credits: its grant. The Reply cannot be checked any more, so the grant is used
 *	only if it is smaller than the one in force (RFC 8166 3.3.1 (V1-CRED-16))
 *
 * sunrpc may have taken the Call out of its queue without having released it yet:
 * then the Call has been answered, and is not abandoned later.
 *
 * Context: process context, does not sleep.
 * Return: true if it may be the Reply to an abandoned Call.
 */
bool xprtrdma_credits_reclaim(struct xprtrdma_xprt *r_xprt,
			      const struct rpcrdma_conn *conn, __be32 xid,
			      u32 credits)
{
	struct xprtrdma_req *req;
	bool found = false;

	spin_lock(&r_xprt->xprt.transport_lock);
	spin_lock(&r_xprt->all_lock);
	list_for_each_entry(req, &r_xprt->all_reqs, all) {
		if (READ_ONCE(req->sent) != conn || req->rqst.rq_xid != xid)
			continue;
		WRITE_ONCE(req->sent, NULL);
		found = true;
	}
	spin_unlock(&r_xprt->all_lock);
	if (!found)
		found = rpcrdma_credits_reclaim(&r_xprt->flow);
	if (found) {
		rpcrdma_credits_grant(&r_xprt->flow, r_xprt->flow.window,
				      credits);
		xprtrdma_credits_apply(r_xprt);
	}
	spin_unlock(&r_xprt->xprt.transport_lock);
	return found;
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
	xprtrdma_credits_apply(r_xprt);
	spin_unlock(&xprt->transport_lock);
}

/**
 * xprtrdma_credits_sub_reverse - undo the window's half of xprtrdma_credits_add_reverse()
 * @r_xprt: transport
 *
 * The caller, or sunrpc, takes care of rq_cong and xprt->cong.
 *
 * Context: holds xprt->transport_lock.
 */
void xprtrdma_credits_sub_reverse(struct xprtrdma_xprt *r_xprt)
{
	r_xprt->reverse.active--;
	xprtrdma_credits_apply(r_xprt);
}

/**
 * xprtrdma_credits_reset - no connection, so nothing is on the wire
 * @r_xprt: transport
 *
 * Context: process context, does not sleep. Nothing is being sent.
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
	xprtrdma_reverse_disown(r_xprt);

	WRITE_ONCE(r_xprt->granted, 0);
	rpcrdma_credits_reset(&r_xprt->flow);
	r_xprt->exhausted = false;
	r_xprt->reverse.active = 0;
	xprt->cong = 0;
	xprtrdma_credits_apply(r_xprt);
	spin_unlock(&xprt->transport_lock);
}
