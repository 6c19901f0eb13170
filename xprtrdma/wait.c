// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting for a Reply, and what follows when it takes long.
 *
 * A Call that was sent on a reliable connection has been delivered. If its Reply takes
 * longer than the time-out of the mount, the server is dead, or busy with this Call,
 * such as with a disk that hangs. A new connection helps only in the first case; in the
 * second it disturbs all other Calls of the mount. So the task looks around and sleeps
 * again, unless
 *
 *  - it is soft and not of NFSv4, and its whole time (retrans included) has passed: the
 *    RPC ends;
 *  - no keepalive watches the connection, and no Reply to any Call has come since the
 *    last look: the server may be dead, and the connection closes, RFC 8267 6.7.2
 *    (ULB-KA-05);
 *  - the Call has waited so long that the server may have dropped it in silence: the
 *    connection closes, and the Call is sent again. That happens late, and each time
 *    that it did not help doubles the wait for the next one, so that a disk that hangs
 *    for hours does not cause a series of reconnects. Not for NFSv4: its servers may
 *    not do that (RFC 7530 3.1.1, RFC 8881 2.9.2). And with a session it would do harm:
 *    when the server then says that the callback path is down, the NFS client begins no
 *    Call before all earlier ones have ended (nfs4_bind_conn_to_session()).
 *    But if a message was dropped here since the Call was sent, that may have been its
 *    Reply, which does not come again on this connection;
 *  - no connection will bring its Reply any more: a connection that is still up closes, and
 *    the Call is sent again (xprtrdma_wait_not_awaited()).
 *
 * After a time-out sunrpc would encode the Call again at once, although the server may
 * still use its memory, and send it a second time on the same connection. So it is not
 * told of a time-out, except when that ends the RPC. The messages that sunrpc writes in
 * that case are written here.
 *
 * Model: scripts/tests/models/teardown_client.pml
 */
#include <rpcrdma/completion.h>
#include "xprtrdma.h"

/*
 * A Call counts as dropped after three times the time-out of the mount, at least this;
 * but if it is soft, in the middle of its time
 */
#define XPRTRDMA_DROPPED_MIN		(180UL * HZ)
#define XPRTRDMA_DROPPED_TIMEOUTS	3

/* That time is doubled this often at most */
#define XPRTRDMA_DROPPED_DOUBLED	6U

/*
 * NFSv4 marks its Calls: they must not be sent twice on one connection, and a soft one
 * may end only if the connection is lost.
 */
static bool xprtrdma_wait_may_end(const struct rpc_task *task)
{
	return RPC_IS_SOFT(task) &&
	       !(task->tk_flags & RPC_TASK_NO_RETRANS_TIMEOUT);
}

static bool xprtrdma_wait_is_over(const struct rpc_task *task)
{
	return xprtrdma_wait_may_end(task) &&
	       time_after_eq(jiffies, task->tk_rqstp->rq_majortimeo);
}

/* Can it be that no Reply will come on this connection? */
static bool xprtrdma_wait_may_be_dropped(const struct xprtrdma_xprt *r_xprt,
					 const struct xprtrdma_req *req)
{
	const struct rpc_task *task = req->rqst.rq_task;

	return !(task->tk_flags & RPC_TASK_NO_RETRANS_TIMEOUT) ||
	       READ_ONCE(r_xprt->drops) != req->drops_seen;
}

/* How long a Call waits before it counts as dropped, jiffies; @waited until now */
static unsigned long xprtrdma_wait_limit(const struct rpc_rqst *rqst,
					 unsigned long waited)
{
	unsigned long limit = max(rqst->rq_timeout * XPRTRDMA_DROPPED_TIMEOUTS,
				  XPRTRDMA_DROPPED_MIN);

	/* The copy needs time, too, before the RPC ends */
	if (xprtrdma_wait_may_end(rqst->rq_task))
		limit = min(limit, (rqst->rq_majortimeo - jiffies + waited) / 2);
	return limit;
}

/* Has the server dropped this Call, or has this side dropped its Reply? */
static bool xprtrdma_wait_dropped(struct xprtrdma_xprt *r_xprt,
				  struct xprtrdma_req *req)
{
	const struct rpc_rqst *rqst = &req->rqst;
	ktime_t since = ktime_sub(ktime_get(), rqst->rq_xtime);
	unsigned long waited = nsecs_to_jiffies(ktime_to_ns(since));

	lockdep_assert_held(&rqst->rq_xprt->queue_lock);
	if (!xprtrdma_wait_may_be_dropped(r_xprt, req) ||
	    waited < xprtrdma_wait_limit(rqst, waited) <<
		     min(r_xprt->dropped_closes, XPRTRDMA_DROPPED_DOUBLED))
		return false;
	r_xprt->dropped_closes++;
	req->doubted = true;
	return true;
}

/* Is it certain that a dead server would be found by other means than this Call? */
static bool xprtrdma_wait_alive(struct xprtrdma_req *req,
				const struct rpcrdma_conn *conn)
{
	unsigned long replies = req->rqst.rq_xprt->stat.recvs;
	bool answers = replies != req->replies_seen;

	req->replies_seen = replies;
	return answers || rpcrdma_keepalive_watches(conn);
}

static void xprtrdma_wait_notice(const struct rpc_task *task,
				 const struct xprtrdma_req *req, const char *what)
{
	if (task->tk_client->cl_chatty)
		pr_notice_ratelimited("%s: server %s %s\n",
				      task->tk_client->cl_program->name,
				      task->tk_xprt->servername, what);
}

static unsigned long xprtrdma_wait_deadline(const struct rpc_task *task)
{
	const struct rpc_rqst *rqst = task->tk_rqstp;
	unsigned long next = jiffies + rqst->rq_timeout;

	if (xprtrdma_wait_may_end(task) &&
	    time_after(next, rqst->rq_majortimeo))
		return rqst->rq_majortimeo;
	return next;
}

/*
 * The whole time of the mount has passed. The words are those of sunrpc, since
 * monitoring looks for them.
 *
 * A soft Call that goes on waiting is one of NFSv4. sunrpc ends it, or one that needs a
 * connection (SOFTCONN, as of pNFS to a data server), if its time is over when the
 * connection is lost, and begins that time again with each time-out that it is told of.
 * Here each look begins it again: a Call whose connection is lost has the whole time to be
 * sent on another one. A hard one too: sunrpc adds to the old time, so after a long wait it would
 * take the Call for late at once, many times in a row. And if only the smaller time had passed, it
 * would make the next one longer.
 */
static void xprtrdma_wait_late(const struct rpc_task *task,
			       struct xprtrdma_req *req)
{
	struct rpc_rqst *rqst = &req->rqst;

	if (!req->late && time_before(jiffies, rqst->rq_majortimeo))
		return;
	/* Its time has ended since xprtrdma_wait_is_over(): the next look ends it */
	if (xprtrdma_wait_may_end(task))
		return;
	if (!req->late)
		xprtrdma_wait_notice(task, req, "not responding, still trying");
	req->late = true;
	rqst->rq_minortimeo = jiffies + rqst->rq_timeout;
	rqst->rq_majortimeo = xprtrdma_wait_deadline(task) +
			      task->tk_client->cl_timeout->to_maxval;
}

/* No failure (xprtrdma_reply_outgrown()), but sunrpc would write a line to the log for each */
static void xprtrdma_wait_outgrown(struct rpc_task *task)
{
	if (unlikely(task->tk_status == -ERANGE))
		rpc_exit(task, -ERANGE);
}

static void xprtrdma_wait_sleep(struct rpc_task *task, struct xprtrdma_req *req);

/*
 * No connection will bring the Reply: the connection was drained, or the Reply came and
 * sunrpc discarded it because its verifier is wrong. sunrpc sends an NFSv4 Call again only
 * on a new connection, so if the Call was sent on the current one, this closes it.
 */
static void xprtrdma_wait_not_awaited(struct rpc_task *task,
				      struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;

	task->tk_status = -ENOTCONN;
	if (xprt_connected(xprt) &&
	    task->tk_rqstp->rq_connect_cookie == READ_ONCE(xprt->connect_cookie))
		xprtrdma_force_disconnect(r_xprt);
}

/*
 * One look after a time-out. While a Reply is being received, posted_on is NULL and the
 * request is pinned.
 */
static void xprtrdma_wait_look(struct rpc_task *task, struct xprtrdma_req *req)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(req->rqst.rq_xprt);
	struct rpcrdma_conn *conn = req->posted_on;
	struct rpc_rqst *rqst = &req->rqst;

	lockdep_assert_held(&rqst->rq_xprt->queue_lock);
	task->tk_status = req->error;
	if (req->error || rqst->rq_reply_bytes_recvd)
		return;
	if (req->retrying) {
		rqst->rq_connect_cookie = rqst->rq_xprt->connect_cookie - 1;
		task->tk_status = -EAGAIN;
	} else if (!conn && !req->pinned) {
		xprtrdma_wait_not_awaited(task, r_xprt);
	} else if (xprtrdma_wait_is_over(task)) {
		task->tk_status = -ETIMEDOUT;
	} else {
		xprtrdma_wait_late(task, req);
		if (conn && (!xprtrdma_wait_alive(req, conn) ||
			     xprtrdma_wait_dropped(r_xprt, req)))
			rpcrdma_conn_close(conn, RPCRDMA_CLOSE_TIMEOUT,
					   -ETIMEDOUT);
		xprtrdma_wait_sleep(task, req);
	}
}

/* Called when the task wakes: with -ETIMEDOUT, or for any other reason */
static void xprtrdma_wait_woken(struct rpc_task *task)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(task->tk_rqstp);
	struct rpc_xprt *xprt = req->rqst.rq_xprt;

	if (task->tk_status == -ETIMEDOUT) {
		spin_lock(&xprt->queue_lock);
		xprtrdma_wait_look(task, req);
		spin_unlock(&xprt->queue_lock);
	}
	if ((req->late || req->doubted) && req->rqst.rq_reply_bytes_recvd) {
		/* The Call was slow, or the close has helped */
		spin_lock(&xprt->queue_lock);
		xprtrdma_from_xprt(xprt)->dropped_closes = 0;
		spin_unlock(&xprt->queue_lock);
		if (req->late)
			xprtrdma_wait_notice(task, req, "OK");
		req->late = false;
		req->doubted = false;
	}
	xprtrdma_wait_outgrown(task);
}

/*
 * A task whose request is exposed sleeps on a queue of the transport, see
 * req_memory.c.
 */
static void xprtrdma_wait_sleep(struct rpc_task *task, struct xprtrdma_req *req)
{
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct rpc_wait_queue *queue = &xprt->pending;

	if (xprtrdma_req_exposed(req))
		queue = &xprtrdma_from_xprt(xprt)->exposed_waitq;
	task->tk_status = 0;
	rpc_sleep_on_timeout(queue, task, xprtrdma_wait_woken,
			     xprtrdma_wait_deadline(task));
}

/* Does the task have no reason to wait any more? */
static bool xprtrdma_wait_has_ended(const void *waiter)
{
	const struct xprtrdma_req *req = waiter;

	return !test_bit(RPC_TASK_NEED_RECV, &req->rqst.rq_task->tk_runstate) ||
	       READ_ONCE(req->error) || READ_ONCE(req->retrying);
}

/* Busy polling; releases queue_lock meanwhile. Returns true if the Reply has come. */
static bool xprtrdma_wait_busy(struct rpc_task *task, struct xprtrdma_req *req)
{
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct rpcrdma_conn *conn = req->posted_on;

	lockdep_assert_held(&xprt->queue_lock);
	/* Under the lock, a connection that a request was posted on is not destroyed */
	if (!conn || !rpcrdma_busy_poll_wanted(conn) || !rpcrdma_conn_enter(conn))
		return false;
	spin_unlock(&xprt->queue_lock);
	rpcrdma_busy_poll(conn, xprtrdma_wait_has_ended, req);
	rpcrdma_conn_leave(conn);
	spin_lock(&xprt->queue_lock);
	return !test_bit(RPC_TASK_NEED_RECV, &task->tk_runstate);
}

/**
 * xprtrdma_wait_for_reply - ops->wait_for_reply_request: sleep until the Reply
 * @task: task whose Call has been sent, or waits for MRs (mr_wait.c)
 *
 * Context: RPC task; holds xprt->queue_lock.
 */
void xprtrdma_wait_for_reply(struct rpc_task *task)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(task->tk_rqstp);
	struct rpc_xprt *xprt = req->rqst.rq_xprt;

	lockdep_assert_held(&xprt->queue_lock);

	/* From here on the task does not encode again before the request is released */
	xprtrdma_req_unpin_sent(req);
	/*
	 * A task that waited in xprt_prepare_transmit() gets XPRT_LOCKED when it
	 * wakes. If another task has sent its Call meanwhile, it comes here from
	 * call_transmit_status() without xprt_end_transmit(), and must not sleep
	 * with the lock.
	 */
	spin_lock(&xprt->transport_lock);
	xprt_release_xprt_cong(xprt, task);
	spin_unlock(&xprt->transport_lock);

	if (xprtrdma_wait_busy(task, req))
		return;
	if (req->retrying)
		req->rqst.rq_connect_cookie = xprt->connect_cookie - 1;
	if (xprtrdma_mr_wait(task, xprtrdma_wait_deadline(task)))
		return;
	req->replies_seen = xprt->stat.recvs;
	if (!req->error) {
		xprtrdma_wait_sleep(task, req);
		return;
	}
	task->tk_status = req->error;
	xprtrdma_wait_outgrown(task);
}
