// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of a Send that only the server has: the RDMA Writes in front of it, and the
 * pages of its Reply. Send and Writes are posted as one WR chain, so an RPC costs
 * one doorbell.
 *
 * Pages that the device reads move from the svc_rqst to the Send. They are released
 * after the completion of the Send, or by the teardown.
 */
#include <linux/pagemap.h>
#include <linux/slab.h>
#include "request.h"
#include "rw.h"
#include "send.h"
#include "svcrdma.h"

static void svcrdma_send_waited(struct svcrdma_chain *chain)
{
	struct svcrdma_send *send = container_of(chain, struct svcrdma_send,
						 waiting);

	lockdep_assert_held(&send->rdma->lock);
	/* After an error the connection is closing, and the Send is not ours */
	svcrdma_send_post(send, send->length, send->invalidate);
}

static void svcrdma_send_init(struct rpcrdma_send *base)
{
	struct svcrdma_send *send = container_of(base, struct svcrdma_send, send);

	send->rdma = base->conn->owner;
	send->pages = send->few_pages;
	send->max_pages = ARRAY_SIZE(send->few_pages);
	svcrdma_rw_list_init(&send->writes);
	send->memory_due = 0;
	INIT_LIST_HEAD(&send->batches);
	send->waiting.post = svcrdma_send_waited;
	send->waiting.release = NULL;
}

static void svcrdma_send_release(struct rpcrdma_send *base)
{
	struct svcrdma_send *send = container_of(base, struct svcrdma_send, send);

	svcrdma_writes_release(send);
	release_pages(send->pages, send->npages);
	send->npages = 0;
	if (send->pages != send->few_pages) {
		kvfree(send->pages);
		send->pages = send->few_pages;
		send->max_pages = ARRAY_SIZE(send->few_pages);
	}
	svcrdma_rw_list_init(&send->writes);
	send->memory_due = 0;
}

const struct rpcrdma_send_ops svcrdma_send_ops = {
	.size		= sizeof(struct svcrdma_send),
	.init		= svcrdma_send_init,
	.release	= svcrdma_send_release,
};

/**
 * svcrdma_send_pool_fill - allocate the Sends that a connection keeps
 * @rdma: transport whose pool of Sends is open
 *
 * With these it can answer whatever becomes of memory.
 *
 * Context: may sleep; the caller keeps reclaim out of the file system.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_send_pool_fill(struct svcrdma_xprt *rdma)
{
	return rpcrdma_send_pool_grow(&rdma->send_pool, SVCRDMA_POOL_MIN,
				      RPCRDMA_GFP_ONCE);
}

/**
 * svcrdma_send_pool_unmap - release the rdma_rw contexts of all Sends
 * @rdma: transport without references, whose connection is drained and has its QP
 *
 * Their buffers and pages stay: a device that could not drain the QP may still read them.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_send_pool_unmap(struct svcrdma_xprt *rdma)
{
	struct svcrdma_send *send;

	list_for_each_entry(send, &rdma->send_pool.all, send.all)
		svcrdma_writes_release(send);
}

/**
 * svcrdma_send_get - take a Send, if there is one or memory for one
 * @rdma: transport
 *
 * Context: connection entered; may reclaim memory once; the caller keeps reclaim out of
 * the file system.
 * Return: an empty Send, which the caller posts with svcrdma_send_post(), returns with
 * rpcrdma_send_put(), or leaves to the teardown; or NULL if there is no memory, and
 * unsignaled Sends that are complete return to the pool soon.
 */
struct svcrdma_send *svcrdma_send_get(struct svcrdma_xprt *rdma)
{
	struct rpcrdma_send *base = rpcrdma_send_get(&rdma->send_pool,
						     RPCRDMA_GFP_ONCE);

	if (likely(base))
		return container_of(base, struct svcrdma_send, send);
	/* Unsignaled Sends may be complete: the completion of a keepalive returns them */
	rpcrdma_keepalive_now(rdma->conn);
	return NULL;
}

/**
 * svcrdma_send_reserve - make sure that a request can be answered
 * @req: request; svcrdma_req_put() returns the Send if it is not used
 *
 * Context: as svcrdma_send_get().
 * Return: true if @req has a Send; false without memory.
 */
bool svcrdma_send_reserve(struct svcrdma_req *req)
{
	if (!req->send)
		req->send = svcrdma_send_get(req->rdma);
	return req->send;
}

/**
 * svcrdma_send_reserved - take the Send that is reserved for an answer
 * @req: request that is being answered
 *
 * Context: any.
 * Return: the Send, which is the caller's, as after svcrdma_send_get(); not NULL.
 */
struct svcrdma_send *svcrdma_send_reserved(struct svcrdma_req *req)
{
	struct svcrdma_send *send = req->send;

	req->send = NULL;
	return send;
}

/**
 * svcrdma_send_more_pages - make room for the pages of a Reply
 * @send: empty Send
 * @n: pages
 *
 * Context: nfsd thread; may sleep; the caller keeps reclaim out of the file system.
 * Return: false without memory.
 */
bool svcrdma_send_more_pages(struct svcrdma_send *send, unsigned long n)
{
	struct page **pages;

	if (n <= send->max_pages)
		return true;
	pages = kvmalloc_array(n, sizeof(*pages), RPCRDMA_GFP_ONCE);
	if (!pages)
		return false;
	if (send->pages != send->few_pages)
		kvfree(send->pages);
	send->pages = pages;
	send->max_pages = n;
	return true;
}

/**
 * svcrdma_send_uses_pages - does the device read memory besides the buffer?
 * @send: Send that is not posted yet
 *
 * Context: any.
 * Return: true if pages must stay until the Send has completed.
 */
bool svcrdma_send_uses_pages(const struct svcrdma_send *send)
{
	return send->send.mapped || !list_empty(&send->writes.ctxs) ||
	       !list_empty(&send->batches);
}

/**
 * svcrdma_send_post - post a Send and the Writes in front of it
 * @send: Send; no longer the caller's afterwards. The caller has reserved the send
 *	  queue slots for it and for its Writes
 * @length: length of the message in its buffer, bytes
 * @invalidate: handle for Send With Invalidate, or 0
 *
 * Context: connection entered; does not sleep.
 * Return: as rpcrdma_send_post().
 */
int svcrdma_send_post(struct svcrdma_send *send, u32 length, u32 invalidate)
{
	struct rpcrdma_send *base = &send->send;
	struct ib_send_wr *first;

	base->slots = send->writes.wrs + 1;
	base->wr.opcode = IB_WR_SEND;
	if (invalidate) {
		base->wr.opcode = IB_WR_SEND_WITH_INV;
		base->wr.ex.invalidate_rkey = invalidate;
		rpcrdma_count(base->conn->stats, RPCRDMA_C_SENDS_INV);
	}
	rpcrdma_send_set_front(base, length);
	first = svcrdma_rw_list_wrs(send->rdma, &send->writes, NULL,
				    &base->wr);
	return rpcrdma_send_post(base, first, !svcrdma_send_uses_pages(send));
}

/**
 * svcrdma_send_answer - post a Send now, or when there are send queue slots
 * @send: Send; not the caller's afterwards, who closes the connection after an error; the
 *	  teardown releases @send
 * @length: as for svcrdma_send_post()
 * @invalidate: as for svcrdma_send_post()
 *
 * Context: connection entered; does not sleep.
 * Return: 0; or -ENOTCONN, -E2BIG or an error of the device.
 */
int svcrdma_send_answer(struct svcrdma_send *send, u32 length, u32 invalidate)
{
	unsigned int slots = send->writes.wrs + 1;
	int ret = -ENOBUFS;

	/* Not before its batches, which may wait */
	if (likely(list_empty(&send->batches)))
		ret = rpcrdma_sendq_try_reserve(send->rdma->conn, slots);
	if (likely(!ret))
		return svcrdma_send_post(send, length, invalidate);
	if (ret != -ENOBUFS)
		return ret;
	send->length = length;
	send->invalidate = invalidate;
	send->waiting.slots = slots;
	svcrdma_slot_wait(send->rdma, &send->waiting);
	return 0;
}
