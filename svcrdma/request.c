// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool of requests. A request stands for one received message: from its
 * Receive until its answer is posted.
 *
 * A connection never has more requests than receive buffers, so their memory is
 * bounded. Requests that stay unused for a while are freed.
 */
#include <linux/slab.h>
#include "svcrdma.h"

/**
 * svcrdma_req_get - an empty request
 * @rdma: its connection
 *
 * Context: completion handler.
 * Return: the request, for svcrdma_req_put(), or NULL.
 */
struct svcrdma_req *svcrdma_req_get(struct svcrdma_xprt *rdma)
{
	struct rpcrdma_pool_item *item = rpcrdma_pool_get(&rdma->req_pool);
	struct svcrdma_req *req;

	if (item) {
		req = container_of(item, struct svcrdma_req, item);
	} else {
		if (rpcrdma_fault(RPCRDMA_FAULT_ALLOC))
			return NULL;
		req = kzalloc(sizeof(*req), GFP_NOFS);
		if (!req)
			return NULL;
		req->rdma = rdma;
		spin_lock(&rdma->lock);
		list_add(&req->all, &rdma->all_reqs);
		spin_unlock(&rdma->lock);
	}
	INIT_LIST_HEAD(&req->node);
	req->counted = false;
	req->protected = false;
	req->invalidate = 0;
	req->nresults = 0;
	req->nchunks = 0;
	rpcrdma_msg_init(&req->msg, req->segs, ARRAY_SIZE(req->segs));
	return req;
}

/**
 * svcrdma_req_repost_recv - give the receive buffer of a request back, and with it
 *	the client's credit
 * @req: request whose Call nobody looks at any more
 *
 * To be done before the Reply is sent, since that invites the next Call.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_repost_recv(struct svcrdma_req *req)
{
	struct rpcrdma_recv *recv = req->recv;

	WRITE_ONCE(req->recv, NULL);
	svcrdma_credit_put(req);
	if (recv)
		rpcrdma_recv_repost(recv);
}

/**
 * svcrdma_req_put - let go of a request
 * @req: request that nothing is under way for
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_put(struct svcrdma_req *req)
{
	svcrdma_req_repost_recv(req);
	svcrdma_reply_pages_put(req);
	svcrdma_read_reset(req);
	rpcrdma_pool_put(&req->rdma->req_pool, &req->item);
}

/**
 * svcrdma_req_release - sunrpc is done with a Call, and with its Reply if it has one
 * @req: request that nothing is under way for
 *
 * If it has none, nfsd has dropped it.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_release(struct svcrdma_req *req)
{
	if (req->counted)
		svcrdma_dropped(req->rdma);
	svcrdma_req_put(req);
}

/* What it holds for the next Call */
static void svcrdma_req_empty(struct svcrdma_req *req)
{
	svcrdma_read_free(req);
	svcrdma_reply_pages_free(req);
}

static void svcrdma_req_free(struct svcrdma_req *req)
{
	svcrdma_req_empty(req);
	kfree(req);
}

/**
 * svcrdma_req_pool_trim - free requests that have been idle for long
 * @rdma: connection
 * @before: jiffies; requests that have been idle since then, or longer
 *
 * The few that stay give up what they hold.
 *
 * Context: may sleep; svcrdma_req_pool_free() is not called meanwhile.
 */
void svcrdma_req_pool_trim(struct svcrdma_xprt *rdma, unsigned long before)
{
	struct svcrdma_req *req, *next;
	unsigned int n = 0;
	LIST_HEAD(idle);

	rpcrdma_pool_trim(&rdma->req_pool, 0, before, &idle);
	list_for_each_entry_safe(req, next, &idle, item.node) {
		if (n++ < SVCRDMA_POOL_MIN) {
			svcrdma_req_empty(req);
			list_del(&req->item.node);
			rpcrdma_pool_put(&rdma->req_pool, &req->item);
			continue;
		}
		spin_lock(&rdma->lock);
		list_del(&req->all);
		spin_unlock(&rdma->lock);
		svcrdma_req_free(req);
	}
}

/**
 * svcrdma_req_pool_free - free all requests
 * @rdma: drained connection without references
 *
 * Context: may sleep.
 */
void svcrdma_req_pool_free(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req, *next;

	list_for_each_entry_safe(req, next, &rdma->all_reqs, all)
		svcrdma_req_free(req);
}
