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
 *  - Orphans: Calls that sunrpc is done with although the server's Reply has
 *    still to come, because it wants none or has given up. Until then the
 *    window is smaller by one for each, since to the server they are unanswered
 *    like any other. When they have taken all of it, the next Call might wait for
 *    ever, so the connection is given up for another one. That is not taken back
 *    when the server answers after all: nobody would wake who waits already.
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

static void xprtrdma_window_starved(struct xprtrdma_xprt *sx)
{
	sx->starved = true;
	queue_work(xprtrdma_wq, &sx->starved_work);
}

static void xprtrdma_window_apply(struct xprtrdma_xprt *sx)
{
	struct rpc_xprt *xprt = &sx->xprt;
	u32 window = min(sx->window, READ_ONCE(sx->end.credits_limit));
	unsigned long calls = 0;

	lockdep_assert_held(&xprt->transport_lock);
	if (window > sx->orphans)
		calls = window - sx->orphans;
	else
		xprtrdma_window_starved(sx);
	xprt->cwnd = (calls + sx->reverse.active) << RPC_CWNDSHIFT;
}

static void xprtrdma_starved_work(struct work_struct *work)
{
	struct xprtrdma_xprt *sx = container_of(work, struct xprtrdma_xprt,
						starved_work);
	bool starved;

	spin_lock(&sx->xprt.transport_lock);
	starved = sx->starved;
	spin_unlock(&sx->xprt.transport_lock);
	if (!starved)
		return;
	pr_info_ratelimited("xprtrdma: %pISpc: all credits are with Calls that were given up: another connection\n",
			    &sx->xprt.addr);
	xprt_force_disconnect(&sx->xprt);
}

/**
 * xprtrdma_window_init - set up what this file has in a transport
 * @sx: new transport
 *
 * Context: any.
 */
void xprtrdma_window_init(struct xprtrdma_xprt *sx)
{
	INIT_WORK(&sx->starved_work, xprtrdma_starved_work);
}

/**
 * xprtrdma_window_destroy - undo xprtrdma_window_init()
 * @sx: transport that no task uses any more, without a connection: nobody is left
 *	to queue the work
 *
 * Context: may sleep.
 */
void xprtrdma_window_destroy(struct xprtrdma_xprt *sx)
{
	cancel_work_sync(&sx->starved_work);
}

/**
 * xprtrdma_credits_asked - what Calls ask for
 * @sx: transport
 * @conn: its connection
 *
 * Context: any.
 * Return: credits, 1 or more.
 */
u32 xprtrdma_credits_asked(const struct xprtrdma_xprt *sx,
			   const struct rpcrdma_conn *conn)
{
	return min(conn->limits.credits, READ_ONCE(sx->end.credits_limit));
}

/**
 * xprtrdma_window_limited - the administrator has changed the limit of credits
 * @sx: transport
 *
 * If it has become larger, waiting Calls notice when some RPC is released.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_window_limited(struct xprtrdma_xprt *sx)
{
	spin_lock(&sx->xprt.transport_lock);
	xprtrdma_window_apply(sx);
	spin_unlock(&sx->xprt.transport_lock);
}

/**
 * xprtrdma_window_granted - the newest grant (V1-CRED-16)
 * @sx: transport
 * @conn: its connection
 * @granted: credits as the server says
 *
 * Waiting Calls notice when the RPC that brought the grant is released.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_window_granted(struct xprtrdma_xprt *sx,
			     const struct rpcrdma_conn *conn, u32 granted)
{
	u32 window = rpcrdma_credit_window(conn->limits.credits, granted);

	if (READ_ONCE(sx->granted) != granted)
		WRITE_ONCE(sx->granted, granted);
	if (READ_ONCE(sx->window) == window)
		return;
	spin_lock(&sx->xprt.transport_lock);
	WRITE_ONCE(sx->window, window);
	xprtrdma_window_apply(sx);
	spin_unlock(&sx->xprt.transport_lock);
}

/**
 * xprtrdma_window_wait - a Call has to wait for a credit
 * @rqst: request, of either direction
 *
 * Context: process context, does not sleep; nobody sends the Call meanwhile.
 */
void xprtrdma_window_wait(struct rpc_rqst *rqst)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);

	if (bc_prealloc(rqst) || req->starved)
		return;
	req->starved_at = rpcrdma_latency_begin();
	/* Another task may send the Call at this moment: xprtrdma_window_go() */
	smp_store_release(&req->starved, true);
	trace_xprtrdma_credit_wait(rqst->rq_xprt, rqst->rq_xid);
}

/**
 * xprtrdma_window_go - a Call that had to wait for a credit is sent
 * @sx: transport
 * @req: its request
 *
 * Context: sender.
 */
void xprtrdma_window_go(struct xprtrdma_xprt *sx, struct xprtrdma_req *req)
{
	u64 ns = rpcrdma_latency_end(&sx->end.stats, RPCRDMA_L_CREDIT,
				     req->starved_at);

	req->starved = false;
	trace_xprtrdma_credit_go(&sx->xprt, req->rqst.rq_xid, ns);
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
		xprtrdma_window_wait(task->tk_rqstp);
	return xprt_reserve_xprt_cong(xprt, task);
}

/**
 * xprtrdma_window_orphan - sunrpc is done with a Call
 * @sx: transport
 * @req: request; if its Call was sent and has no Reply, one will come
 *
 * Context: holds xprt->transport_lock. sunrpc has not uncounted the Call yet.
 */
void xprtrdma_window_orphan(struct xprtrdma_xprt *sx, struct xprtrdma_req *req)
{
	if (!READ_ONCE(req->sent))
		return;
	WRITE_ONCE(req->sent, NULL);
	WRITE_ONCE(sx->orphans, sx->orphans + 1);
	xprtrdma_window_apply(sx);
}

/**
 * xprtrdma_window_adopt - a Reply has come that nobody waits for
 * @sx: transport
 * @conn: connection that it came on
 * @xid: of the Reply
 * @credits: its grant. The Reply cannot be checked any more, so that the grant
 *	is believed only if it is smaller than the one in force (V1-CRED-16)
 *
 * sunrpc may have taken the Call out of its queue and not yet said that it is
 * done with it: then the Call has been answered and never becomes an orphan.
 *
 * Context: process context, does not sleep.
 * Return: true if it may be the one to an orphan.
 */
bool xprtrdma_window_adopt(struct xprtrdma_xprt *sx,
			   const struct rpcrdma_conn *conn, __be32 xid,
			   u32 credits)
{
	struct xprtrdma_req *req;
	bool found = false;

	spin_lock(&sx->xprt.transport_lock);
	spin_lock(&sx->all_lock);
	list_for_each_entry(req, &sx->all_reqs, all) {
		if (READ_ONCE(req->sent) != conn || req->rqst.rq_xid != xid)
			continue;
		WRITE_ONCE(req->sent, NULL);
		found = true;
	}
	spin_unlock(&sx->all_lock);
	if (!found && sx->orphans) {
		WRITE_ONCE(sx->orphans, sx->orphans - 1);
		found = true;
	}
	if (found) {
		WRITE_ONCE(sx->window, rpcrdma_credit_window(sx->window,
							     credits));
		xprtrdma_window_apply(sx);
	}
	spin_unlock(&sx->xprt.transport_lock);
	return found;
}

/**
 * xprtrdma_window_add - count the Reply to a reverse Call
 * @sx: transport
 * @rqst: reverse request; it is counted from now on
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_window_add(struct xprtrdma_xprt *sx, struct rpc_rqst *rqst)
{
	struct rpc_xprt *xprt = &sx->xprt;

	spin_lock(&xprt->transport_lock);
	sx->reverse.active++;
	rqst->rq_cong = 1;
	xprt->cong += RPC_CWNDSCALE;
	xprtrdma_window_apply(sx);
	spin_unlock(&xprt->transport_lock);
}

/**
 * xprtrdma_window_sub - undo the window's half of xprtrdma_window_add()
 * @sx: transport
 *
 * The caller, or sunrpc, takes care of rq_cong and xprt->cong.
 *
 * Context: holds xprt->transport_lock.
 */
void xprtrdma_window_sub(struct xprtrdma_xprt *sx)
{
	sx->reverse.active--;
	xprtrdma_window_apply(sx);
}

/**
 * xprtrdma_window_reset - no connection, so nothing is on the wire
 * @sx: transport
 *
 * Context: process context, does not sleep. Nothing is being sent.
 */
void xprtrdma_window_reset(struct xprtrdma_xprt *sx)
{
	struct rpc_xprt *xprt = &sx->xprt;
	struct xprtrdma_req *req;

	spin_lock(&xprt->transport_lock);
	spin_lock(&sx->all_lock);
	list_for_each_entry(req, &sx->all_reqs, all)
		req->rqst.rq_cong = 0;
	spin_unlock(&sx->all_lock);
	xprtrdma_reverse_disown(sx);

	WRITE_ONCE(sx->granted, 0);
	WRITE_ONCE(sx->window, RPCRDMA_V1_FIRST_CREDIT);
	WRITE_ONCE(sx->orphans, 0);
	sx->starved = false;
	sx->reverse.active = 0;
	xprt->cong = 0;
	xprtrdma_window_apply(sx);
	spin_unlock(&xprt->transport_lock);
}
