// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request: an rpc_rqst, its buffers, and the question who has hold of its
 * memory.
 *
 * Requests are made as sunrpc asks for slots, are used again and again, and
 * keep their buffers. When the connection is closed most idle ones are freed.
 *
 * Owners
 * ------
 *
 * A request has one owner, sunrpc, from ops->alloc_slot to ops->free_slot. Up
 * to four others have hold of its memory for a while; sunrpc gets it back only
 * when all have let go:
 *
 *  - the Send (SENDING), if it names pages of the Call. A Call that was copied
 *    into the Send context is of no more concern to the device;
 *  - the server, through MRs that are valid, until it has invalidated them
 *    itself with its Reply, or
 *  - an invalidation (FENCING) has completed;
 *  - the receive path, which pins the rpc_rqst so that sunrpc cannot take it
 *    away while a Reply waits for the other three (REPLIED).
 *
 * While one of the first three may have hold of it the request is exposed, and
 * req->conn tells on which connection.
 *
 * sunrpc knows two things to do with a request: free its memory, and encode
 * its Call again, which overwrites the old one, and frees it if it is encrypted.
 * It asks before it frees (ops->buf_free). It does not ask before it encodes,
 * but waits until nothing pins the request. A pin for as long as a request is
 * exposed would do, if a signal could still get past it. So a request is pinned
 * when its task is about to encode, and there is one event that makes it do
 * so while the request is exposed: a time-out (xprtrdma_req_hold()). All others
 * are taken away from sunrpc: it wakes whoever waits for a Reply when the
 * connection is only about to be closed, and so a task with an exposed request
 * sleeps on a queue of ours, which is woken by the Reply, or when the connection
 * has let go of all requests. ops->prepare_request is the check.
 *
 * There are three ways out, and all take req->lock for the decision:
 *
 *  - A Reply: when Send and invalidation are over, the MRs are unmapped and
 *    the RPC completes (T-38). This is in completion handlers, which are
 *    serial.
 *  - A signal, or a time-out: sunrpc calls ops->buf_free, which invalidates
 *    what is valid and sleeps until it is done (T-39, V1-MEM-04).
 *  - The end of the connection: see connect.c. Whoever has entered the
 *    connection can be sure that it has not come yet, so an MR is touched only
 *    inside rpcrdma_conn_enter(), and who cannot enter leaves everything to it.
 *    The same goes for an invalidation that failed or could not be posted: the
 *    connection closes, and the RPC does not complete before (V1-MEM-05).
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "xprtrdma.h"

/* Less is not worth growing from; most metadata RPCs fit */
#define XPRTRDMA_BUFFER_MIN	1024

/* A device that works takes far less to complete a Send or an invalidation */
#define XPRTRDMA_RELEASE_TIMEOUT	(30UL * HZ)

static struct xprtrdma_req *xprtrdma_req_alloc(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_req *req;

	if (rpcrdma_fault(RPCRDMA_FAULT_ALLOC))
		return NULL;
	req = kzalloc(sizeof(*req), rpc_task_gfp_mask());
	if (!req)
		return NULL;
	INIT_LIST_HEAD(&req->mrs);
	spin_lock_init(&req->lock);
	init_completion(&req->released);

	spin_lock(&r_xprt->all_lock);
	list_add(&req->all, &r_xprt->all_reqs);
	spin_unlock(&r_xprt->all_lock);
	return req;
}

/* The slot is counted already */
static struct xprtrdma_req *xprtrdma_req_make(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_req *req = xprtrdma_req_alloc(r_xprt);

	if (!req) {
		spin_lock(&r_xprt->xprt.reserve_lock);
		r_xprt->xprt.num_reqs--;
		spin_unlock(&r_xprt->xprt.reserve_lock);
	}
	return req;
}

static void xprtrdma_req_free(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req)
{
	WARN_ON_ONCE(req->conn);

	spin_lock(&r_xprt->all_lock);
	list_del(&req->all);
	spin_unlock(&r_xprt->all_lock);
	kfree(req->call_buf);
	kfree(req->reply_buf);
	kfree(req->segs);
	xprtrdma_bounce_free(req);
	kfree(req);
}

/**
 * xprtrdma_req_pool_init - set up what this file has in a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_req_pool_init(struct xprtrdma_xprt *r_xprt)
{
	INIT_LIST_HEAD(&r_xprt->free_reqs);
	INIT_LIST_HEAD(&r_xprt->all_reqs);
	spin_lock_init(&r_xprt->all_lock);
	rpc_init_wait_queue(&r_xprt->exposed, "xprtrdma_exposed");
}

static void xprtrdma_req_pool_free(struct xprtrdma_xprt *r_xprt,
				   struct list_head *gone)
{
	struct xprtrdma_req *req, *next;

	list_for_each_entry_safe(req, next, gone, item.node)
		xprtrdma_req_free(r_xprt, req);
}

/**
 * xprtrdma_req_pool_trim - free requests that have been idle for long
 * @r_xprt: transport
 * @keep: number of idle requests that stay in any case
 * @before: jiffies; requests that have been idle since then, or longer
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_req_pool_trim(struct xprtrdma_xprt *r_xprt, unsigned int keep,
			    unsigned long before)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	LIST_HEAD(gone);

	spin_lock(&xprt->reserve_lock);
	rpcrdma_idle_trim(&r_xprt->free_reqs, keep, before, &gone);
	xprt->num_reqs -= list_count_nodes(&gone);
	spin_unlock(&xprt->reserve_lock);
	xprtrdma_req_pool_free(r_xprt, &gone);
}

/**
 * xprtrdma_req_pool_destroy - free all requests
 * @r_xprt: transport without a connection that no task uses any more
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_req_pool_destroy(struct xprtrdma_xprt *r_xprt)
{
	xprtrdma_req_pool_free(r_xprt, &r_xprt->free_reqs);
}

/**
 * xprtrdma_alloc_slot - ops->alloc_slot: give a task a request
 * @xprt: transport
 * @task: task without one
 *
 * task->tk_status becomes 0 with task->tk_rqstp set; -EAGAIN if the task has
 * been put to sleep until one is free; -ENOMEM if it should try later.
 *
 * Context: RPC task; may sleep.
 */
void xprtrdma_alloc_slot(struct rpc_xprt *xprt, struct rpc_task *task)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	struct xprtrdma_req *req = NULL;
	struct rpcrdma_pool_item *item;
	bool wait = false;

	spin_lock(&xprt->reserve_lock);
	item = rpcrdma_idle_get(&r_xprt->free_reqs, &xprt->reserve_lock);
	if (item) {
		req = container_of(item, struct xprtrdma_req, item);
	} else if (xprt->num_reqs < xprt->max_reqs) {
		xprt->num_reqs++;
	} else {
		xprt_add_backlog(xprt, task);
		task->tk_status = -EAGAIN;
		wait = true;
	}
	xprt->stat.max_slots = max_t(unsigned long, xprt->stat.max_slots,
				     xprt->num_reqs);
	spin_unlock(&xprt->reserve_lock);
	if (wait)
		return;

	if (!req)
		req = xprtrdma_req_make(r_xprt);
	task->tk_status = req ? 0 : -ENOMEM;
	if (req)
		task->tk_rqstp = &req->rqst;
}

/**
 * xprtrdma_free_slot - ops->free_slot: take a request back
 * @xprt: transport
 * @rqst: request; nobody has hold of its memory, since ops->buf_free has run
 *
 * A task that waits for a slot gets it.
 *
 * Context: RPC task; does not sleep.
 */
void xprtrdma_free_slot(struct rpc_xprt *xprt, struct rpc_rqst *rqst)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);

	spin_lock(&xprt->reserve_lock);
	if (!xprt_wake_up_backlog(xprt, rqst)) {
		memset(rqst, 0, sizeof(*rqst));
		rpcrdma_idle_put(&r_xprt->free_reqs, &req->item,
				 &xprt->reserve_lock);
	}
	spin_unlock(&xprt->reserve_lock);
}

static int xprtrdma_grow(struct xprtrdma_xprt *r_xprt, void **buf, size_t *size,
			 size_t wanted)
{
	void *grown;

	if (*size >= wanted)
		return 0;
	wanted = kmalloc_size_roundup(max_t(size_t, wanted,
					    XPRTRDMA_BUFFER_MIN));
	grown = kmalloc(wanted, rpc_task_gfp_mask());
	if (!grown)
		return -ENOMEM;
	atomic_long_add(wanted - *size, &r_xprt->legacy.hardway);
	kfree(*buf);
	*buf = grown;
	*size = wanted;
	return 0;
}

/**
 * xprtrdma_buf_alloc - ops->buf_alloc: memory for the XDR of Call and Reply
 * @task: task with a request; its rq_callsize and rq_rcvsize say how much
 *
 * Context: RPC task; may sleep.
 * Return: 0, or -ENOMEM if sunrpc should try again later.
 */
int xprtrdma_buf_alloc(struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(rqst->rq_xprt);

	if (xprtrdma_grow(r_xprt, &req->call_buf, &req->call_size,
			  rqst->rq_callsize) ||
	    xprtrdma_grow(r_xprt, &req->reply_buf, &req->reply_size,
			  rqst->rq_rcvsize))
		return -ENOMEM;
	req->error = 0;
	req->resend = false;
	req->credit_wait = false;
	memset(&req->retry, 0, sizeof(req->retry));
	rqst->rq_buffer = req->call_buf;
	rqst->rq_rbuffer = req->reply_buf;
	return 0;
}

/**
 * xprtrdma_req_expose - a Call with chunks or gathered pages is to be posted
 * @req: request that is not exposed
 * @conn: connection
 * @gathered: the Send names pages of the Call
 * @nmrs: number of its MRs, and of the send queue entries kept to invalidate them
 *
 * Context: process context, does not sleep. @conn is entered.
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

/* Nobody has hold of the memory any more: give back what held it */
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

/* Nothing is under way, and Reply or cancellation wait for just that */
static bool xprtrdma_req_ready(const struct xprtrdma_req *req)
{
	return !(req->state & (XPRTRDMA_REQ_SENDING | XPRTRDMA_REQ_FENCING)) &&
	       req->state & (XPRTRDMA_REQ_REPLIED | XPRTRDMA_REQ_CANCELED);
}

/*
 * Note what has happened and do what comes next. Returns false if the request
 * is not exposed; then nothing has been done.
 */
static bool xprtrdma_req_advance(struct xprtrdma_req *req, unsigned int begun,
				 unsigned int over)
{
	struct ib_send_wr *fence = NULL;
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
	req->state = (req->state & ~over) | begun;
	if (!xprtrdma_req_ready(req) || !rpcrdma_conn_enter(conn)) {
		spin_unlock(&req->lock);
		return true;
	}
	state = req->state;
	inv_slots = req->inv_slots;
	fence = xprtrdma_mr_list_invalidate(req, &chain);
	if (fence) {
		req->state |= XPRTRDMA_REQ_FENCING;
	} else {
		list_splice_init(&req->mrs, &mrs);
		req->state = 0;
		req->conn = NULL;
	}
	spin_unlock(&req->lock);

	if (fence)
		rpcrdma_sendq_post(conn, chain, fence);
	else
		xprtrdma_req_finish(req, conn, state, inv_slots, &mrs);
	rpcrdma_conn_leave(conn);
	return true;
}

/**
 * xprtrdma_req_sent - the Send of an exposed request has completed
 * @req: request
 *
 * Context: completion handler.
 */
void xprtrdma_req_sent(struct xprtrdma_req *req)
{
	xprtrdma_req_advance(req, 0, XPRTRDMA_REQ_SENDING);
}

/**
 * xprtrdma_req_fenced - the invalidation of a request's MRs has completed
 * @req: request
 *
 * Context: completion handler.
 */
void xprtrdma_req_fenced(struct xprtrdma_req *req)
{
	xprtrdma_req_advance(req, 0, XPRTRDMA_REQ_FENCING);
}

/**
 * xprtrdma_req_replied - the Reply has been accepted and noted in req->answer
 * @req: pinned request
 *
 * The RPC completes now, or when its memory is not exposed any more.
 *
 * Context: receive path.
 */
void xprtrdma_req_replied(struct xprtrdma_req *req)
{
	if (!xprtrdma_req_advance(req, XPRTRDMA_REQ_REPLIED, 0))
		xprtrdma_reply_complete(req);
}

/**
 * xprtrdma_req_unpin - let sunrpc have the request
 * @req: request pinned by the receive path
 *
 * Context: holds xprt->queue_lock.
 */
void xprtrdma_req_unpin(struct xprtrdma_req *req)
{
	WRITE_ONCE(req->pinned, false);
	xprt_unpin_rqst(&req->rqst);
}

/**
 * xprtrdma_req_exposed - may device or server have hold of the memory?
 * @req: request
 *
 * Context: any.
 * Return: true if so; false stays true until the Call is sent again.
 */
bool xprtrdma_req_exposed(struct xprtrdma_req *req)
{
	bool exposed;

	spin_lock(&req->lock);
	exposed = req->conn;
	spin_unlock(&req->lock);
	return exposed;
}

/**
 * xprtrdma_req_hold - sunrpc may encode an exposed request only later
 * @req: request; pinned if it is exposed, until it is not
 *
 * Context: holds xprt->queue_lock.
 */
void xprtrdma_req_hold(struct xprtrdma_req *req)
{
	if (req->held || !xprtrdma_req_exposed(req))
		return;
	req->held = true;
	xprt_pin_rqst(&req->rqst);
}

/**
 * xprtrdma_req_unhold - undo xprtrdma_req_hold()
 * @req: request that is not exposed any more
 *
 * Context: holds xprt->queue_lock.
 */
void xprtrdma_req_unhold(struct xprtrdma_req *req)
{
	if (!req->held)
		return;
	req->held = false;
	xprt_unpin_rqst(&req->rqst);
}

/**
 * xprtrdma_buf_free - ops->buf_free: sunrpc takes the memory of a request back
 * @task: task whose RPC is over, with or without a Reply
 *
 * If it is over without one the memory may still be exposed: wait until that
 * has ended. A device that does not come to an end loses its connection, which
 * sees to it.
 *
 * Context: RPC task without XPRT_LOCKED; may sleep. Nothing pins the request,
 * nothing sends it, and no Reply will find it.
 */
void xprtrdma_buf_free(struct rpc_task *task)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(task->tk_rqstp);

	if (!xprtrdma_req_advance(req, XPRTRDMA_REQ_CANCELED, 0) ||
	    wait_for_completion_timeout(&req->released,
					XPRTRDMA_RELEASE_TIMEOUT))
		return;
	xprt_force_disconnect(req->rqst.rq_xprt);
	wait_for_completion(&req->released);
}

/* Holds xprt->queue_lock */
static void xprtrdma_req_disown(struct xprtrdma_req *req)
{
	bool canceled;

	WRITE_ONCE(req->sent, NULL);
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
	xprtrdma_req_unhold(req);
}

/**
 * xprtrdma_req_pool_disown - the connection has let go of all requests
 * @r_xprt: transport whose connection is drained, and whose MRs are gone
 *
 * Their tasks wake up and send again.
 *
 * Context: process context, does not sleep; holds XPRT_LOCKED or is the only
 * user.
 */
void xprtrdma_req_pool_disown(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	struct xprtrdma_req *req;

	/* Lock order: queue, transport, all, request */
	spin_lock(&xprt->queue_lock);
	spin_lock(&r_xprt->all_lock);
	list_for_each_entry(req, &r_xprt->all_reqs, all)
		xprtrdma_req_disown(req);
	spin_unlock(&r_xprt->all_lock);
	rpc_wake_up_status(&r_xprt->exposed, -ENOTCONN);
	spin_unlock(&xprt->queue_lock);
}
