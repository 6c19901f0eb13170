// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool of requests. A request stands for one received message, from its Receive
 * until it is answered. A Call that sunrpc got keeps its request until sunrpc releases
 * it (xpo_release_ctxt).
 *
 * A connection has at most one request for each receive buffer, and one for each nfsd
 * thread that is sending an answer, so their memory is bounded. Requests that stay
 * unused for a while are freed.
 */
#include <linux/slab.h>
#include "request.h"
#include "send.h"
#include "svcrdma.h"

/**
 * svcrdma_req_get - take an empty request
 * @rdma: transport
 *
 * Context: completion handler; may reclaim memory once.
 * Return: a request, which ends with svcrdma_req_put(); or NULL without memory.
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
		req = kzalloc(sizeof(*req), SVCRDMA_GFP_RECEIVE);
		if (!req)
			return NULL;
		req->rdma = rdma;
		INIT_LIST_HEAD(&req->second_copies);
		spin_lock(&rdma->lock);
		list_add(&req->all, &rdma->all_reqs);
		spin_unlock(&rdma->lock);
	}
	INIT_LIST_HEAD(&req->node);
	req->counted = false;
	req->at_work = false;
	req->answered_by = NULL;
	req->protected = false;
	req->invalidate = 0;
	req->nresults = 0;
	req->nchunks = 0;
	rpcrdma_msg_init(&req->msg, req->segs, ARRAY_SIZE(req->segs));
	return req;
}

/**
 * svcrdma_req_more_segs - make room for as many segments as a message can have
 * @req: request whose message has more segments than there is room for
 *
 * The connection closes if there is no memory: RFC 8166 4.5.4 (V1-ERR-21).
 *
 * Context: completion handler; may reclaim memory once.
 * Return: true if there is more room than before, and the message can be decoded again.
 */
bool svcrdma_req_more_segs(struct svcrdma_req *req)
{
	unsigned int n = min_t(size_t, SVCRDMA_SEGS_MAX,
			       req->recv->len / RPCRDMA_WIRE_SEG_SIZE);

	if (n <= req->msg.max_segs)
		return false;
	req->many_segs = kmalloc_array(n, sizeof(*req->many_segs),
				       SVCRDMA_GFP_RECEIVE);
	if (!req->many_segs) {
		rpcrdma_conn_close(req->rdma->conn, RPCRDMA_CLOSE_NO_ANSWER,
				   -ENOMEM);
		return false;
	}
	rpcrdma_msg_init(&req->msg, req->many_segs, n);
	return true;
}

/**
 * svcrdma_req_repost_recv - repost or retire the receive buffer, and return the credit
 * @req: request whose message is not read any more
 *
 * Must come before the Reply is posted, since the client may send its next Call as
 * soon as it has the Reply.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_repost_recv(struct svcrdma_req *req)
{
	struct rpcrdma_recv *recv = req->recv;
	bool call = req->counted;

	WRITE_ONCE(req->recv, NULL);
	svcrdma_credit_put(req);
	if (recv)
		svcrdma_receives_put(req->rdma, recv, call);
}

static void svcrdma_req_free_segs(struct svcrdma_req *req)
{
	kfree(req->many_segs);
	req->many_segs = NULL;
}

/**
 * svcrdma_req_release_memory - release the pages that a request holds, their bytes, and
 * the Send that is reserved for its answer
 * @req: request that nfsd has not got, or has finished
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_release_memory(struct svcrdma_req *req)
{
	svcrdma_reply_pages_put(req);
	if (req->sink_bytes) {
		svcrdma_read_reset(req);
		svcrdma_read_budget_put(req);
	}
	if (unlikely(req->send))
		rpcrdma_send_put(&svcrdma_send_reserved(req)->send);
}

/**
 * svcrdma_req_put - release what a request holds, and return it to the pool
 * @req: request without work in progress
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_put(struct svcrdma_req *req)
{
	svcrdma_req_repost_recv(req);
	svcrdma_req_release_memory(req);
	if (unlikely(req->many_segs))
		svcrdma_req_free_segs(req);
	rpcrdma_pool_put(&req->rdma->req_pool, &req->item);
}

/**
 * svcrdma_req_release - return a request after sunrpc has finished its Call
 * @req: request without work in progress
 *
 * A Call that still counts as unanswered was dropped by nfsd, or its Reply could not
 * be sent; then the connection is closing already. A dropped Call may stay until its
 * first copy ends.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_release(struct svcrdma_req *req)
{
	if (req->counted && svcrdma_call_dropped(req))
		return;
	svcrdma_req_put(req);
}

/* Frees the memory that a request keeps for the next Call */
static void svcrdma_req_empty(struct svcrdma_req *req)
{
	svcrdma_read_free(req);
	svcrdma_reply_pages_free(req);
	svcrdma_req_free_segs(req);
}

static void svcrdma_req_free(struct svcrdma_req *req)
{
	svcrdma_req_empty(req);
	kfree(req);
}

/**
 * svcrdma_req_pool_trim - free requests that have been idle for long
 * @rdma: transport
 * @before: jiffies; requests that have been idle since then, or longer
 *
 * The requests that stay are emptied.
 *
 * Context: may sleep; must not run in parallel with svcrdma_req_pool_free().
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
 * svcrdma_req_pool_unmap - release the rdma_rw contexts of all requests
 * @rdma: transport without references, whose connection is drained and has its QP
 *
 * Their pages stay: a device that could not drain the QP may still write them. But rdma_rw
 * has unmapped them then, so behind an IOMMU such a device may see a fault.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_pool_unmap(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;

	list_for_each_entry(req, &rdma->all_reqs, all)
		svcrdma_read_unmap(req);
}

/**
 * svcrdma_req_pool_free - free all requests
 * @rdma: transport without references, whose connection is drained and has no QP
 *
 * Context: may sleep.
 */
void svcrdma_req_pool_free(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req, *next;

	list_for_each_entry_safe(req, next, &rdma->all_reqs, all)
		svcrdma_req_free(req);
}
