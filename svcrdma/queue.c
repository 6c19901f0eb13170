// SPDX-License-Identifier: GPL-2.0-only
/*
 * The queue of ready requests, each of which waits for an nfsd thread. XPT_DATA tells
 * sunrpc that the queue is not empty.
 *
 * Messages can arrive before the CM reports the connection as established. Their
 * requests stay in the queue, and XPT_DATA stays clear until svcrdma_queue_start().
 *
 * While Calls are held (reconnect_hold.c), new Calls go to a second list, except NULL
 * Calls: nfsd never drops one, and a client of version 2 begins its connection with one.
 */
#include "svcrdma.h"

static void svcrdma_queue_set_data(struct svcrdma_xprt *rdma)
{
	lockdep_assert_held(&rdma->lock);
	if (!list_empty(&rdma->ready))
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
}

/* A new Call, but no NULL Call: the procedure is the sixth word (RFC 5531 9) */
static bool svcrdma_queue_may_hold(const struct svcrdma_req *req)
{
	const __be32 *rpc;
	u32 len;

	if (req->stage != SVCRDMA_STAGE_NEW)
		return false;
	rpc = req->recv->buf.data + req->msg.header_size;
	len = req->recv->len - req->msg.header_size;
	return req->msg.type != RPCRDMA_MSG || len < 6 * sizeof(*rpc) || rpc[5];
}

/**
 * svcrdma_queue - pass a request to the nfsd threads
 * @rdma: transport of the request
 * @req: request; the queue owns it afterwards
 * @stage: what a thread must do with @req
 *
 * Context: process context, does not sleep.
 */
void svcrdma_queue(struct svcrdma_xprt *rdma, struct svcrdma_req *req,
		   enum svcrdma_stage stage)
{
	bool now;

	req->stage = stage;
	spin_lock(&rdma->lock);
	if (rdma->hold_calls && svcrdma_queue_may_hold(req)) {
		list_add_tail(&req->node, &rdma->held_calls);
		now = false;
	} else {
		list_add_tail(&req->node, &rdma->ready);
		now = rdma->started;
	}
	if (now)
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	spin_unlock(&rdma->lock);

	if (now)
		svc_xprt_enqueue(&rdma->xprt);
}

/**
 * svcrdma_queue_next - take the request that has waited longest
 * @rdma: transport
 *
 * Context: nfsd thread that holds XPT_BUSY of the transport; does not sleep.
 * Return: the request, which the caller owns, or NULL if the queue is empty.
 */
struct svcrdma_req *svcrdma_queue_next(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;

	spin_lock(&rdma->lock);
	req = list_first_entry_or_null(&rdma->ready, struct svcrdma_req, node);
	if (req)
		list_del_init(&req->node);
	if (list_empty(&rdma->ready))
		clear_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	spin_unlock(&rdma->lock);
	return req;
}

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
	svcrdma_queue_set_data(rdma);
	spin_unlock(&rdma->lock);
	svc_xprt_enqueue(&rdma->xprt);
}

/**
 * svcrdma_queue_hold - hold new Calls, those in the queue included
 * @rdma: transport, before svcrdma_queue_start()
 *
 * Context: CM handler; does not sleep. svcrdma_queue_unhold() ends it.
 */
void svcrdma_queue_hold(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req, *next;

	spin_lock(&rdma->lock);
	rdma->hold_calls = true;
	list_for_each_entry_safe(req, next, &rdma->ready, node)
		if (svcrdma_queue_may_hold(req))
			list_move_tail(&req->node, &rdma->held_calls);
	spin_unlock(&rdma->lock);
}

/**
 * svcrdma_queue_unhold - pass held Calls to the nfsd threads
 * @rdma: transport of an established connection
 *
 * Context: process context, does not sleep.
 */
void svcrdma_queue_unhold(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	rdma->hold_calls = false;
	list_splice_tail_init(&rdma->held_calls, &rdma->ready);
	svcrdma_queue_set_data(rdma);
	spin_unlock(&rdma->lock);
	svc_xprt_enqueue(&rdma->xprt);
}
