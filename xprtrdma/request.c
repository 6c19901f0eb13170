// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests: an rpc_rqst with what the transport adds to it, and the buffers for
 * Call and Reply.
 *
 * A request is allocated when sunrpc asks for a slot and none is free. It is
 * used again and again, and keeps its buffers. sunrpc owns it from
 * ops->alloc_slot to ops->free_slot, and the pool of the transport otherwise.
 * Requests that have been unused for a while are freed, and most of them when
 * the connection is closed.
 *
 * While an RPC is in progress the device and the server may access the memory
 * of its request; that is the subject of req_memory.c.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "xprtrdma.h"

/* Size of a new buffer; most metadata RPCs fit */
#define XPRTRDMA_BUFFER_MIN	1024

/* Segments of a new request, enough for most Calls: the rest is allocated under a lock */
#define XPRTRDMA_SEGS_MIN	4

static struct xprtrdma_req *xprtrdma_req_alloc(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_req *req;

	if (rpcrdma_fault(RPCRDMA_FAULT_ALLOC))
		return NULL;
	req = kzalloc(sizeof(*req), rpc_task_gfp_mask());
	if (!req)
		return NULL;
	req->segs = kmalloc_array(XPRTRDMA_SEGS_MIN, sizeof(*req->segs),
				  rpc_task_gfp_mask());
	if (!req->segs) {
		kfree(req);
		return NULL;
	}
	req->max_segs = XPRTRDMA_SEGS_MIN;
	INIT_LIST_HEAD(&req->mrs);
	spin_lock_init(&req->lock);
	init_completion(&req->released);

	spin_lock(&r_xprt->all_lock);
	list_add(&req->all, &r_xprt->all_reqs);
	spin_unlock(&r_xprt->all_lock);
	return req;
}

/* Allocate the request for a slot that is counted already */
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
 * xprtrdma_req_pool_init - initialize the requests of a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_req_pool_init(struct xprtrdma_xprt *r_xprt)
{
	INIT_LIST_HEAD(&r_xprt->free_reqs);
	INIT_LIST_HEAD(&r_xprt->all_reqs);
	spin_lock_init(&r_xprt->all_lock);
	rpc_init_wait_queue(&r_xprt->exposed_waitq, "xprtrdma_exposed");
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
	rpcrdma_idle_trim(&r_xprt->free_reqs, keep, before, &gone,
			  &xprt->reserve_lock);
	xprt->num_reqs -= list_count_nodes(&gone);
	spin_unlock(&xprt->reserve_lock);
	xprtrdma_req_pool_free(r_xprt, &gone);
}

/**
 * xprtrdma_req_pool_destroy - free all requests
 * @r_xprt: transport without a connection and without users
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
 * Sets task->tk_status: 0, and task->tk_rqstp is the request; -EAGAIN if the
 * task sleeps until a request is free; -ENOMEM if it should try again later.
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
 * @rqst: request that is not exposed, because ops->buf_free has returned
 *
 * If a task waits for a slot, it gets this one.
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
 * @task: task with a request; rq_callsize and rq_rcvsize are the sizes in bytes
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
	xprtrdma_paths_check_other(r_xprt, task->tk_client);
	req->error = 0;
	req->retrying = false;
	req->late = false;
	req->doubted = false;
	req->credit_wait = false;
	req->gpu = 0;
	memset(&req->retry, 0, sizeof(req->retry));
	rqst->rq_buffer = req->call_buf;
	rqst->rq_rbuffer = req->reply_buf;
	return 0;
}
