// SPDX-License-Identifier: GPL-2.0-only
/*
 * The queue of ready requests, each of which waits for an nfsd thread. While the connection is
 * established, XPT_DATA tells sunrpc whether the queue has requests.
 *
 * Messages can arrive before the CM reports the connection as established. Their
 * requests stay in the queue, and XPT_DATA stays clear until svcrdma_queue_start().
 * After the loss of the connection, a work item (xprt.c) releases each request that comes to
 * the queue. Its Reply could not be sent, and the teardown may wait for ever for a Call that
 * hangs in nfsd.
 *
 * A thread that takes a request does so under svcrdma_xprt.lock, and notes there whether
 * it will give the Call to nfsd (reconnect_hold.c).
 *
 * Model: scripts/tests/models/teardown_server.pml
 */
#include <kunit/visibility.h>
#include "request.h"
#include "svcrdma.h"

/* Nothing more is to be read: the next step gives the Call to nfsd */
static bool svcrdma_is_complete(const struct svcrdma_req *req)
{
	return req->stage == SVCRDMA_STAGE_READ_DONE ||
	       (req->stage == SVCRDMA_STAGE_NEW && !req->nchunks);
}

/**
 * svcrdma_queue - pass a request to the nfsd threads
 * @rdma: transport of the request
 * @req: request; not the caller's afterwards. If the connection is lost, it is released
 * @stage: what a thread must do with @req
 *
 * Context: process context, does not sleep; may hold svcrdma_hold_lock and
 * svcrdma_read_budget.lock.
 */
void svcrdma_queue(struct svcrdma_xprt *rdma, struct svcrdma_req *req,
		   enum svcrdma_stage stage)
{
	bool now;

	req->stage = stage;
	spin_lock(&rdma->lock);
	list_add_tail(&req->node, svcrdma_queue_of(req));
	svcrdma_turn_update(rdma);
	now = rdma->started && !rdma->queue_closed;
	if (now)
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	if (unlikely(rdma->queue_closed))
		queue_work(svcrdma_wq, &rdma->release_work);
	spin_unlock(&rdma->lock);

	if (now)
		svc_xprt_enqueue(&rdma->xprt);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_queue);

/**
 * svcrdma_queue_failed - the RDMA Reads of a request have failed
 * @rdma: transport of the request, whose connection is closing
 * @req: request; not the caller's afterwards. It is released when the connection is lost
 *
 * No nfsd thread may get it, because there is no data.
 *
 * Context: completion handler.
 */
void svcrdma_queue_failed(struct svcrdma_xprt *rdma, struct svcrdma_req *req)
{
	spin_lock(&rdma->lock);
	list_add_tail(&req->node, &rdma->failed);
	if (rdma->queue_closed)
		queue_work(svcrdma_wq, &rdma->release_work);
	spin_unlock(&rdma->lock);
}

/* Requests that need no turn go first: most have begun, and their data sinks hold memory */
static struct svcrdma_req *svcrdma_queue_choose(struct svcrdma_xprt *rdma, struct svc_pool *pool)
{
	struct svcrdma_req *req;

	lockdep_assert_held(&rdma->lock);
	req = list_first_entry_or_null(&rdma->begun, struct svcrdma_req, node);
	if (req)
		return req;
	req = list_first_entry_or_null(&rdma->ready, struct svcrdma_req, node);
	if (req && pool && svcrdma_turn_skip(rdma, pool))
		return NULL;
	return req;
}

/**
 * svcrdma_queue_next - take the request that a thread is to work on
 * @rdma: transport
 * @pool: pool of the thread; NULL: skip no turn, to release requests
 *
 * Context: nfsd thread that holds XPT_BUSY of the transport, or work item after the
 * connection is lost; does not sleep.
 * Return: the request, which the caller owns: the oldest one that needs no turn, or else the
 * oldest one; NULL if the queue is empty or the turn is skipped.
 */
struct svcrdma_req *svcrdma_queue_next(struct svcrdma_xprt *rdma, struct svc_pool *pool)
{
	struct svcrdma_req *req;

	spin_lock(&rdma->lock);
	req = svcrdma_queue_choose(rdma, pool);
	if (req) {
		list_del_init(&req->node);
		req->at_work = svcrdma_is_complete(req);
	}
	if (svcrdma_queue_empty(rdma))
		clear_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	svcrdma_turn_update(rdma);
	spin_unlock(&rdma->lock);
	return req;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_queue_next);

/**
 * svcrdma_queue_start - the connection is established
 * @rdma: transport
 *
 * Context: CM handler; does not sleep.
 */
void svcrdma_queue_start(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	rdma->started = true;
	if (!svcrdma_queue_empty(rdma))
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	svcrdma_turn_update(rdma);
	spin_unlock(&rdma->lock);
	svc_xprt_enqueue(&rdma->xprt);
}
