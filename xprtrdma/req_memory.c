// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may access the memory of a request, and when sunrpc gets it back.
 *
 * From the moment a Call is posted, up to four parties use the memory of its
 * request. sunrpc gets it back when all of them are done:
 *
 *  - the device, while the Send is in progress, if the Send names pages of the
 *    Call (SENDING). If the Call was copied, the device reads only the buffer
 *    of the Send context, which is not the request's;
 *  - the server, through valid MRs, until it invalidates them with its Reply;
 *  - the device, while it invalidates the other MRs (INVALIDATING);
 *  - the receive path, while a Reply waits for the three above (REPLIED). It pins
 *    the rpc_rqst, so that sunrpc cannot free it.
 *
 * A request is exposed while one of the first three may use its memory; one whose
 * pages were gathered stays so until its Reply, a cancellation or the drain. Then
 * req->conn is the connection; otherwise it is NULL and req->state is 0.
 *
 *   state                   event                  next state
 *   ----------------------  ---------------------  ----------------------------
 *   not exposed             Call is posted         SENDING if pages are gathered,
 *                                                  0 if it has only chunks,
 *                                                  otherwise not exposed
 *   not exposed             Reply is accepted      not exposed: end the RPC
 *   not exposed             sunrpc frees memory    not exposed
 *   0                       Reply is accepted      REPLIED, go on with (*)
 *   0                       sunrpc frees memory    CANCELED, go on with (*)
 *   SENDING                 Reply is accepted      SENDING | REPLIED
 *   SENDING                 sunrpc frees memory    SENDING | CANCELED
 *   any with SENDING        Send has completed     without SENDING, then (*)
 *   any with INVALIDATING   invalidation is done   without INVALIDATING, then (*)
 *   any                     connection is drained  not exposed: send again, or
 *                                                  wake the task (CANCELED)
 *
 *   (*) only if the state is REPLIED or CANCELED, and nothing else:
 *       some MR is valid    post the invalidation, and add INVALIDATING
 *       no MR is valid      not exposed: return the MRs to their pool, then end
 *                           the RPC (REPLIED) or wake the task (CANCELED)
 *
 * Who reports which event:
 *
 *   Call is posted          RPC task that sends    xprtrdma_req_expose()
 *   Send has completed      completion handler     xprtrdma_req_send_done()
 *   invalidation is done    completion handler     xprtrdma_req_invalidated()
 *   Reply is accepted       receive path           xprtrdma_req_replied()
 *   sunrpc frees memory     RPC task, ended by     xprtrdma_buf_free()
 *                           a signal or a time-out
 *   connection is drained   teardown (connect.c)   xprtrdma_req_reset_all()
 *
 * req->lock protects the state. A Reply ends the RPC only after its memory is
 * invalidated and unmapped (RFC 8166 4.4.1, T-38). The same holds for an
 * RPC that is canceled: RFC 8166 4.4.1 (V1-MEM-04).
 *
 * An MR is only used inside rpcrdma_conn_enter(), because the end of the
 * connection frees all MRs. Code that cannot enter leaves the request to
 * xprtrdma_req_reset_all(). So does an invalidation that fails or cannot be
 * posted: the connection is closed, and the RPC does not end before
 * (RFC 8166 4.5.4, V1-MEM-05).
 *
 * How sunrpc is kept away from exposed memory
 * -------------------------------------------
 *
 * sunrpc can free the memory of a request, and it can encode the Call again,
 * which overwrites the memory and, with encryption, frees pages. It calls
 * ops->buf_free before it frees. It does not ask before it encodes, but it
 * waits until the request is not pinned. A pin for the whole time would make a
 * task deaf to signals. So there are three measures:
 *
 *  - sunrpc is told of a time-out only when that ends the RPC (wait.c), since it
 *    encodes the Call again after any other.
 *  - xprt_autoclose() changes xprt->connect_cookie before it calls ops->close.
 *    If a task goes to sleep on xprt->pending in between,
 *    xprt_request_wait_receive() finds that the cookie of its request differs,
 *    and wakes it at once with -ENOTCONN. It would encode its Call while the
 *    request is exposed. So such a task sleeps on r_xprt->exposed_waitq, where
 *    that call does not find it. It is woken by its Reply, or by
 *    xprtrdma_disconnect().
 *  - A task that waits for XPRT_LOCKED has a time-out there, if it is of a soft mount.
 *    Then it looks first whether its Call was sent, and encodes it if it was not. In
 *    between another task may send it. So a Call of such a task that another task sends
 *    is pinned before the post, until its own task is seen to wait for the Reply:
 *    xprtrdma_req_pin_sent(). That is at once, unless the task was killed, or has just
 *    timed out. Then it waits, for the Reply, or until pin_work closes the connection.
 *
 * ops->prepare_request warns if an exposed request was encoded all the same.
 *
 * Model: scripts/tests/models/mr_ownership.pml
 */
#include "xprtrdma.h"

/* A working device takes far less time for a Send or an invalidation */
#define XPRTRDMA_RELEASE_TIMEOUT	(30UL * HZ)

/* Most Calls take less time, so their copies are answered soon */
#define XPRTRDMA_LONG_CALL_MS		500

/* How long a task may wait for xprtrdma_req.sent_pinned: once to twice that */
#define XPRTRDMA_PIN_CHECK		HZ

/**
 * xprtrdma_req_expose - a Call with chunks or gathered pages is about to be posted
 * @req: request that is not exposed
 * @conn: connection, entered
 * @gathered: the Send names pages of the Call
 * @nmrs: number of its MRs, and of the send queue slots reserved to invalidate them
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_req_expose(struct xprtrdma_req *req, struct rpcrdma_conn *conn,
			 bool gathered, unsigned int nmrs)
{
	spin_lock(&req->lock);
	WARN_ON_ONCE(req->conn);
	req->conn = conn;
	req->state = gathered ? XPRTRDMA_REQ_SENDING : 0;
	req->inv_slots = nmrs;
	reinit_completion(&req->released);
	spin_unlock(&req->lock);
}

/* The request is no longer exposed: return its MRs and slots, and go on */
static void xprtrdma_req_finish(struct xprtrdma_req *req,
				struct rpcrdma_conn *conn, unsigned int state,
				unsigned int inv_slots, struct list_head *mrs)
{
	xprtrdma_mr_list_put(conn->owner, mrs);
	if (inv_slots)
		rpcrdma_sendq_release(conn, inv_slots);
	if (state & XPRTRDMA_REQ_REPLIED)
		xprtrdma_reply_complete(req);
	else
		complete(&req->released);
}

/* Does a Reply or a cancellation wait, and is no Send or invalidation in progress? */
static bool xprtrdma_req_ready(const struct xprtrdma_req *req)
{
	return !(req->state &
		 (XPRTRDMA_REQ_SENDING | XPRTRDMA_REQ_INVALIDATING)) &&
	       req->state & (XPRTRDMA_REQ_REPLIED | XPRTRDMA_REQ_CANCELED);
}

/*
 * Take an event and the step marked with (*) above. Returns false if the
 * request is not exposed; then nothing has been done.
 */
static bool xprtrdma_req_advance(struct xprtrdma_req *req, unsigned int set,
				 unsigned int clear)
{
	struct ib_send_wr *invalidate;
	struct rpcrdma_wr_chain *chain;
	struct rpcrdma_conn *conn;
	unsigned int state, inv_slots;
	LIST_HEAD(mrs);

	spin_lock(&req->lock);
	conn = req->conn;
	if (!conn) {
		spin_unlock(&req->lock);
		return false;
	}
	req->state = (req->state & ~clear) | set;
	/* If the connection is lost, xprtrdma_req_reset_all() goes on */
	if (!xprtrdma_req_ready(req) || !rpcrdma_conn_enter(conn)) {
		spin_unlock(&req->lock);
		return true;
	}
	state = req->state;
	inv_slots = req->inv_slots;
	invalidate = xprtrdma_mr_list_invalidate(req, &chain);
	if (invalidate) {
		req->state |= XPRTRDMA_REQ_INVALIDATING;
	} else {
		list_splice_init(&req->mrs, &mrs);
		req->state = 0;
		req->conn = NULL;
	}
	spin_unlock(&req->lock);

	if (invalidate)
		rpcrdma_sendq_post(conn, chain, invalidate);
	else
		xprtrdma_req_finish(req, conn, state, inv_slots, &mrs);
	rpcrdma_conn_leave(conn);
	return true;
}

/**
 * xprtrdma_req_send_done - the Send of an exposed request has completed
 * @req: request
 *
 * Context: completion handler.
 */
void xprtrdma_req_send_done(struct xprtrdma_req *req)
{
	xprtrdma_req_advance(req, 0, XPRTRDMA_REQ_SENDING);
}

/**
 * xprtrdma_req_invalidated - the invalidation of a request's MRs has completed
 * @req: request
 *
 * Context: completion handler.
 */
void xprtrdma_req_invalidated(struct xprtrdma_req *req)
{
	xprtrdma_req_advance(req, 0, XPRTRDMA_REQ_INVALIDATING);
}

/**
 * xprtrdma_req_replied - the Reply has been accepted and noted in req->reply
 * @req: pinned request
 *
 * The RPC ends now, or when the request is no longer exposed.
 *
 * Context: receive path.
 */
void xprtrdma_req_replied(struct xprtrdma_req *req)
{
	if (!xprtrdma_req_advance(req, XPRTRDMA_REQ_REPLIED, 0))
		xprtrdma_reply_complete(req);
}

/**
 * xprtrdma_req_unpin - the receive path no longer needs a request
 * @req: request pinned by the receive path
 *
 * Context: holds xprt->queue_lock.
 */
void xprtrdma_req_unpin(struct xprtrdma_req *req)
{
	lockdep_assert_held(&req->rqst.rq_xprt->queue_lock);
	WRITE_ONCE(req->pinned, false);
	xprt_unpin_rqst(&req->rqst);
}

/**
 * xprtrdma_req_exposed - may device or server access the memory?
 * @req: request
 *
 * Context: any.
 * Return: true if they may. Once false, it is false until the Call is sent
 * again.
 */
bool xprtrdma_req_exposed(struct xprtrdma_req *req)
{
	bool exposed;

	spin_lock(&req->lock);
	exposed = req->conn;
	spin_unlock(&req->lock);
	return exposed;
}

/* The request is exposed for too long: its connection closes, and no other one */
static void xprtrdma_req_close(struct xprtrdma_req *req)
{
	spin_lock(&req->lock);
	if (req->conn)
		rpcrdma_conn_close(req->conn, RPCRDMA_CLOSE_TIMEOUT, -ETIMEDOUT);
	spin_unlock(&req->lock);
}

/*
 * Does a task wait for the end of xprtrdma_req_pin_sent()? It was killed, or is about to
 * encode. sunrpc does not tell the transport, and the Reply may take long or not come:
 * close the connection. The others will be seen to wait for their Reply.
 */
static void xprtrdma_pin_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    pin_work.work);
	struct xprtrdma_req *req;
	bool pinned = false;

	spin_lock(&r_xprt->xprt.queue_lock);
	spin_lock(&r_xprt->all_lock);
	list_for_each_entry(req, &r_xprt->all_reqs, all) {
		if (!req->sent_pinned)
			continue;
		pinned = true;
		if (test_bit(RPC_TASK_MSG_PIN_WAIT,
			     &req->rqst.rq_task->tk_runstate))
			xprtrdma_req_close(req);
	}
	spin_unlock(&r_xprt->all_lock);
	spin_unlock(&r_xprt->xprt.queue_lock);

	if (pinned)
		queue_delayed_work(xprtrdma_wq, &r_xprt->pin_work,
				   XPRTRDMA_PIN_CHECK);
}

/**
 * xprtrdma_req_pins_init - initialize what xprtrdma_req_pin_sent() needs
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_req_pins_init(struct xprtrdma_xprt *r_xprt)
{
	INIT_DELAYED_WORK(&r_xprt->pin_work, xprtrdma_pin_work);
}

/**
 * xprtrdma_req_pins_destroy - undo xprtrdma_req_pins_init()
 * @r_xprt: transport without a connection and without users
 *
 * Context: may sleep.
 */
void xprtrdma_req_pins_destroy(struct xprtrdma_xprt *r_xprt)
{
	cancel_delayed_work_sync(&r_xprt->pin_work);
}

/**
 * xprtrdma_req_pin_sent - the calling task may send the Call of another task
 * @r_xprt: transport
 * @req: exposed request, about to be posted
 *
 * The request is pinned if its own task could be about to encode it again.
 *
 * Context: RPC task that holds XPRT_LOCKED; does not sleep.
 */
void xprtrdma_req_pin_sent(struct xprtrdma_xprt *r_xprt,
			   struct xprtrdma_req *req)
{
	struct rpc_task *task = req->rqst.rq_task;

	/* Only such a task has a time-out while it waits for XPRT_LOCKED */
	if (r_xprt->xprt.snd_task == task ||
	    !(RPC_IS_SOFT(task) || RPC_IS_SOFTCONN(task)))
		return;
	spin_lock(&r_xprt->xprt.queue_lock);
	req->sent_pinned = true;
	xprt_pin_rqst(&req->rqst);
	spin_unlock(&r_xprt->xprt.queue_lock);
	queue_delayed_work(xprtrdma_wq, &r_xprt->pin_work, XPRTRDMA_PIN_CHECK);
}

/**
 * xprtrdma_req_unpin_sent - undo xprtrdma_req_pin_sent()
 * @req: request that is no longer exposed, or whose task waits for the Reply
 *
 * Context: holds xprt->queue_lock.
 */
void xprtrdma_req_unpin_sent(struct xprtrdma_req *req)
{
	if (!req->sent_pinned)
		return;
	lockdep_assert_held(&req->rqst.rq_xprt->queue_lock);
	req->sent_pinned = false;
	xprt_unpin_rqst(&req->rqst);
}

/**
 * xprtrdma_buf_free - ops->buf_free: sunrpc is about to free the memory of a request
 * @task: task whose RPC has ended, with or without a Reply
 *
 * Without a Reply the request may be exposed: wait until it is not. If the
 * device takes too long, the connection is closed, which ends the wait.
 *
 * Context: RPC task without XPRT_LOCKED; may sleep. The request is not pinned,
 * not being sent, and can no longer be found by XID.
 */
void xprtrdma_buf_free(struct rpc_task *task)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(task->tk_rqstp);

	xprtrdma_mr_promise_drop(req);
	if (!xprtrdma_req_advance(req, XPRTRDMA_REQ_CANCELED, 0) ||
	    wait_for_completion_timeout(&req->released,
					XPRTRDMA_RELEASE_TIMEOUT))
		return;
	xprtrdma_req_close(req);
	wait_for_completion(&req->released);
}

/* Will the copy of this Call take long on the next connection (first_call.c)? */
static bool xprtrdma_req_took_long(const struct xprtrdma_req *req)
{
	return ktime_to_ms(ktime_sub(ktime_get(), req->rqst.rq_xtime)) >=
	       XPRTRDMA_LONG_CALL_MS;
}

/*
 * The connection is drained, and the MRs of the request are freed. Unless it is exposed or
 * pinned, sunrpc may be clearing its rpc_rqst meanwhile: an rq_xtime of 0 costs a NULL Call, and
 * rq_xprt is not read.
 */
static void xprtrdma_req_reset(struct xprtrdma_xprt *r_xprt,
			       struct xprtrdma_req *req)
{
	bool canceled;

	if (req->posted_on && xprtrdma_req_took_long(req))
		r_xprt->first_call.due = true;
	WRITE_ONCE(req->posted_on, NULL);
	spin_lock(&req->lock);
	canceled = req->state & XPRTRDMA_REQ_CANCELED;
	INIT_LIST_HEAD(&req->mrs);
	req->state = 0;
	req->inv_slots = 0;
	req->conn = NULL;
	spin_unlock(&req->lock);
	if (canceled)
		complete(&req->released);

	if (req->pinned)
		xprtrdma_req_unpin(req);
	xprtrdma_req_unpin_sent(req);
}

/**
 * xprtrdma_req_reset_all - take all requests back from a lost connection
 * @r_xprt: transport whose connection is drained, and whose MRs are freed
 *
 * No request is exposed or pinned by the transport afterwards. The caller, or
 * ops->close after it, wakes the tasks that wait for a Reply.
 *
 * Context: process context, does not sleep; holds xprtrdma_xprt.teardown_lock.
 */
void xprtrdma_req_reset_all(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	struct xprtrdma_req *req;

	lockdep_assert_held(&r_xprt->teardown_lock);
	/* Lock order: queue, transport, all, request */
	spin_lock(&xprt->queue_lock);
	spin_lock(&r_xprt->all_lock);
	list_for_each_entry(req, &r_xprt->all_reqs, all)
		xprtrdma_req_reset(r_xprt, req);
	spin_unlock(&r_xprt->all_lock);
	spin_unlock(&xprt->queue_lock);
}
