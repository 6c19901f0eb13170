// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that wait for memory regions (MRs).
 *
 * sunrpc sends the Calls of its transmit queue in order, and stops at the first that
 * lacks something. There, a Call that lacks MRs would hold up all others, also those
 * without chunks. So a Call enters that queue only when it has been promised as many
 * idle MRs as it is likely to need. A promise is a number: it becomes MRs when the Call
 * is marshaled. A Call without a promise waits by itself:
 *
 *  1. ops->prepare_request, which sunrpc calls between encoding and queueing a Call,
 *     returns -EAGAIN. sunrpc does not queue the request, and goes on as for a Call
 *     that another task has sent: the task comes to ops->wait_for_reply_request.
 *  2. There it sleeps on a queue of the pool, in the order of arrival.
 *  3. Each MR that is made or returned gives the task in front its promise, if all it
 *     needs is idle then. The task wakes with -EAGAIN, and sunrpc encodes its Call again.
 *
 * No Call waits without a connection, because sunrpc connects only for a Call that it
 * has queued; nor if the pool is as large as the credit window can use, because then
 * Calls wait for credits. They get a promise all the same: the pool grows by what is
 * promised.
 *
 * The number is an estimate. While there is a provider of GPU memory, the data of each READ
 * or WRITE is taken for such memory, which needs a chunk whatever its size. If the number
 * was too small, or the Call did not wait for its promise, there may be too few MRs when the
 * Call is marshaled: xprtrdma_mr_get().
 */
#include <rpcrdma/gpu.h>
#include "xprtrdma.h"

static bool xprtrdma_mrs_any(const u16 *mrs)
{
	return mrs[XPRTRDMA_MR_SMALL] || mrs[XPRTRDMA_MR_LARGE];
}

static void xprtrdma_mrs_add(unsigned int *sum, const u16 *mrs)
{
	sum[XPRTRDMA_MR_SMALL] += mrs[XPRTRDMA_MR_SMALL];
	sum[XPRTRDMA_MR_LARGE] += mrs[XPRTRDMA_MR_LARGE];
}

/* Subtract @mrs from @sum, and set them to 0 */
static void xprtrdma_mrs_take(unsigned int *sum, u16 *mrs)
{
	enum xprtrdma_mr_class class;

	for (class = 0; class < XPRTRDMA_MR_CLASSES; class++) {
		sum[class] -= mrs[class];
		mrs[class] = 0;
	}
}

/* MRs for a Call or a Reply with a chunk: the pages are one run, or all is in the head */
static void xprtrdma_mr_estimate(const struct xprtrdma_mr_pool *pool,
				 const struct xdr_buf *xdr, u16 *mrs)
{
	u32 pages = DIV_ROUND_UP(offset_in_page(xdr->page_base) + xdr->page_len,
				 PAGE_SIZE);
	u32 rest = pages % pool->pages[XPRTRDMA_MR_LARGE];

	mrs[XPRTRDMA_MR_LARGE] += pages / pool->pages[XPRTRDMA_MR_LARGE];
	if (rest > pool->pages[XPRTRDMA_MR_SMALL])
		mrs[XPRTRDMA_MR_LARGE]++;
	else if (rest || !pages)
		mrs[XPRTRDMA_MR_SMALL]++;
}

/*
 * Does a message need a chunk, if none larger than @most is inline? That is U32_MAX before
 * the first connection.
 */
static bool xprtrdma_mr_needs_chunk(const struct xdr_buf *xdr, u32 len, u32 most)
{
	if (len > most)
		return true;
	return rpcrdma_gpu_on() && most != U32_MAX && xdr->page_len &&
	       xdr->flags & (XDRBUF_READ | XDRBUF_WRITE);
}

static bool xprtrdma_mr_call_needs(const struct xprtrdma_mr_pool *pool,
				   const struct rpc_rqst *rqst)
{
	return xprtrdma_mr_needs_chunk(&rqst->rq_snd_buf, rqst->rq_snd_buf.len,
				       READ_ONCE(pool->inline_call));
}

static bool xprtrdma_mr_reply_needs(const struct xprtrdma_mr_pool *pool,
				    const struct rpc_rqst *rqst)
{
	return xprtrdma_mr_needs_chunk(&rqst->rq_rcv_buf,
				       rqst->rq_rcv_buf.buflen,
				       READ_ONCE(pool->inline_reply));
}

/* No more than the pool always has, so that each Call gets its promise in the end */
static void xprtrdma_mr_needs(struct xprtrdma_xprt *r_xprt,
			      const struct rpc_rqst *rqst, u16 *mrs)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class;

	memset(mrs, 0, XPRTRDMA_MR_CLASSES * sizeof(*mrs));
	if (xprtrdma_mr_call_needs(pool, rqst))
		xprtrdma_mr_estimate(pool, &rqst->rq_snd_buf, mrs);
	if (xprtrdma_mr_reply_needs(pool, rqst))
		xprtrdma_mr_estimate(pool, &rqst->rq_rcv_buf, mrs);
	for (class = 0; class < XPRTRDMA_MR_CLASSES; class++)
		mrs[class] = min_t(unsigned int, mrs[class], pool->least[class]);
}

static bool xprtrdma_mr_promise(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req, const u16 *mrs)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class;

	lockdep_assert_held(&pool->lock);
	for (class = 0; pool->open && class < XPRTRDMA_MR_CLASSES; class++)
		if (mrs[class] &&
		    pool->promised[class] + mrs[class] > pool->idle[class] &&
		    pool->count[class] < xprtrdma_mr_pool_most(r_xprt, class))
			return false;
	memcpy(req->mr_promise, mrs, sizeof(req->mr_promise));
	xprtrdma_mrs_add(pool->promised, mrs);
	return true;
}

/* A Call that needs a large MR waits for those, whatever else it needs */
static struct rpc_wait_queue *xprtrdma_mr_waitq(struct xprtrdma_mr_pool *pool,
						const u16 *mrs)
{
	return &pool->waitq[mrs[XPRTRDMA_MR_LARGE] ? XPRTRDMA_MR_LARGE :
						     XPRTRDMA_MR_SMALL];
}

/**
 * xprtrdma_mr_prepare - a Call is about to enter the transmit queue of sunrpc
 * @rqst: encoded request, not of the reverse direction
 *
 * Context: RPC task; does not sleep.
 * Return: 0; or -EAGAIN if it must wait for MRs, and xprtrdma_mr_wait() follows.
 */
int xprtrdma_mr_prepare(struct rpc_rqst *rqst)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(rqst->rq_xprt);
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	u16 mrs[XPRTRDMA_MR_CLASSES];
	bool ready;

	if (!xprtrdma_mr_call_needs(pool, rqst) &&
	    !xprtrdma_mr_reply_needs(pool, rqst) &&
	    !xprtrdma_mrs_any(req->mr_wait))
		return 0;

	spin_lock(&pool->lock);
	xprtrdma_mrs_take(pool->waiting, req->mr_wait);
	xprtrdma_mr_needs(r_xprt, rqst, mrs);
	ready = !xprtrdma_mrs_any(mrs) || xprtrdma_mrs_any(req->mr_promise) ||
		(!READ_ONCE(xprtrdma_mr_waitq(pool, mrs)->qlen) &&
		 xprtrdma_mr_promise(r_xprt, req, mrs));
	if (!ready) {
		memcpy(req->mr_wait, mrs, sizeof(mrs));
		xprtrdma_mrs_add(pool->waiting, mrs);
	}
	xprtrdma_mr_pool_refill(r_xprt);
	spin_unlock(&pool->lock);
	return ready ? 0 : -EAGAIN;
}

static bool xprtrdma_mr_admit(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	if (!xprtrdma_mr_promise(r_xprt, req, req->mr_wait))
		return false;
	xprtrdma_mrs_take(pool->waiting, req->mr_wait);
	req->rqst.rq_task->tk_status = -EAGAIN;
	return true;
}

/**
 * xprtrdma_mr_wait - sleep until MRs are promised, if the Call waits for that
 * @task: task of the request
 * @deadline: when it wakes in any case, jiffies
 *
 * Context: RPC task; holds xprt->queue_lock.
 * Return: false if the Call does not wait for MRs; otherwise @task sleeps, or its
 * status makes sunrpc encode the Call again.
 */
bool xprtrdma_mr_wait(struct rpc_task *task, unsigned long deadline)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(task->tk_rqstp);
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(req->rqst.rq_xprt);
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	struct rpc_wait_queue *waitq;

	if (!xprtrdma_mrs_any(req->mr_wait))
		return false;
	spin_lock(&pool->lock);
	waitq = xprtrdma_mr_waitq(pool, req->mr_wait);
	if (!pool->open) {
		task->tk_status = -ENOTCONN;
	} else if (READ_ONCE(waitq->qlen) || !xprtrdma_mr_admit(r_xprt, req)) {
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_MR_WAITS);
		rpc_sleep_on_timeout(waitq, task, NULL, deadline);
	}
	spin_unlock(&pool->lock);
	return true;
}

static bool xprtrdma_mr_admit_task(struct rpc_task *task, void *data)
{
	return xprtrdma_mr_admit(data, xprtrdma_from_rqst(task->tk_rqstp));
}

/**
 * xprtrdma_mr_wake - wake those tasks whose Calls can have their MRs
 * @r_xprt: transport
 *
 * Context: holds the lock of the pool.
 */
void xprtrdma_mr_wake(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class;

	lockdep_assert_held(&pool->lock);
	for (class = 0; class < XPRTRDMA_MR_CLASSES; class++)
		while (READ_ONCE(pool->waitq[class].qlen) &&
		       rpc_wake_up_first(&pool->waitq[class],
					 xprtrdma_mr_admit_task, r_xprt))
			;
}

/**
 * xprtrdma_mr_promise_drop - a request needs no more MRs than it has
 * @req: request
 *
 * Context: process context, does not sleep. The request is not being sent by another
 * task, and its task does not sleep for MRs.
 */
void xprtrdma_mr_promise_drop(struct xprtrdma_req *req)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(req->rqst.rq_xprt);
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	if (!xprtrdma_mrs_any(req->mr_promise) && !xprtrdma_mrs_any(req->mr_wait))
		return;
	spin_lock(&pool->lock);
	xprtrdma_mrs_take(pool->promised, req->mr_promise);
	xprtrdma_mrs_take(pool->waiting, req->mr_wait);
	xprtrdma_mr_wake(r_xprt);
	spin_unlock(&pool->lock);
}

/**
 * xprtrdma_mr_wait_init - no Call waits, and none will before the first connection
 * @r_xprt: new transport
 *
 * Context: any. xprtrdma_mr_wait_destroy() undoes it.
 */
void xprtrdma_mr_wait_init(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	pool->inline_call = U32_MAX;
	pool->inline_reply = U32_MAX;
	rpc_init_wait_queue(&pool->waitq[XPRTRDMA_MR_SMALL], "xprtrdma_mr_small");
	rpc_init_wait_queue(&pool->waitq[XPRTRDMA_MR_LARGE], "xprtrdma_mr_large");
}

/**
 * xprtrdma_mr_wait_destroy - undo xprtrdma_mr_wait_init()
 * @r_xprt: transport without users
 *
 * Context: may sleep.
 */
void xprtrdma_mr_wait_destroy(struct xprtrdma_xprt *r_xprt)
{
	rpc_destroy_wait_queue(&r_xprt->mr_pool.waitq[XPRTRDMA_MR_SMALL]);
	rpc_destroy_wait_queue(&r_xprt->mr_pool.waitq[XPRTRDMA_MR_LARGE]);
}

/**
 * xprtrdma_mr_pool_open - Calls may wait for MRs from now on
 * @r_xprt: transport whose connection is ready for Calls
 *
 * Context: holds XPRT_LOCKED; does not sleep.
 */
void xprtrdma_mr_pool_open(struct xprtrdma_xprt *r_xprt)
{
	const struct rpcrdma_conn *conn = r_xprt->conn;
	size_t header = rpcrdma_codec_least(conn->codec);
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	spin_lock(&pool->lock);
	WRITE_ONCE(pool->inline_call, conn->inline_send - header);
	WRITE_ONCE(pool->inline_reply, conn->inline_recv - header);
	pool->open = true;
	xprtrdma_mr_pool_refill(r_xprt);
	spin_unlock(&pool->lock);
}

/**
 * xprtrdma_mr_pool_close - the connection is lost: no Call waits for its MRs
 * @r_xprt: transport
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_mr_pool_close(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class;

	spin_lock(&pool->lock);
	pool->open = false;
	for (class = 0; class < XPRTRDMA_MR_CLASSES; class++)
		rpc_wake_up_status(&pool->waitq[class], -ENOTCONN);
	spin_unlock(&pool->lock);
}
