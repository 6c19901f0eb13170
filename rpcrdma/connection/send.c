// SPDX-License-Identifier: GPL-2.0-only
/*
 * Send contexts, of clients and servers.
 *
 * A Send context has a buffer that is mapped for the life of the connection. The
 * buffer holds the transport header and any payload that is copied behind it. Pages
 * that are not copied are mapped for one Send and follow as SGEs. From posting to
 * completion the context belongs to the device. The completion puts it back into its
 * pool, after the earlier Sends that have no completion of their own (unsignaled.c).
 *
 * Contexts are allocated when none is idle. Send queue slots bound how many Sends are
 * in progress; besides those there is one context for each message that is being
 * built. Those that are idle for long are freed (pool.c).
 *
 * A Send that failed, or that could not be posted, keeps its context: the device may
 * be working on part of the chain. The connection closes, and the teardown finds the
 * context in the list of all.
 */
#include <linux/slab.h>
#include <trace/events/rpcrdma_core.h>
#include <rpcrdma/mapping.h>
#include <rpcrdma/send.h>
#include "../core.h"

/**
 * rpcrdma_sends_complete - unsignaled Sends are complete: put back their contexts
 * @conn: their connection
 * @sends: from rpcrdma_unsignaled_take(); empty afterwards
 * @number: of the WR chain whose completion says so
 *
 * Context: completion handler.
 * Return: their send queue slots, which the caller releases.
 */
unsigned int rpcrdma_sends_complete(struct rpcrdma_conn *conn,
				    struct list_head *sends, u32 number)
{
	struct rpcrdma_send *send, *next;
	unsigned int slots = 0;

	list_for_each_entry_safe(send, next, sends, order) {
		trace_rpcrdma_done(conn, &send->chain, number, IB_WC_SUCCESS, 0);
		slots += send->slots;
		rpcrdma_send_put(send);
	}
	INIT_LIST_HEAD(sends);
	return slots;
}

static void rpcrdma_send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rpcrdma_send *send =
		container_of(wc->wr_cqe, struct rpcrdma_send, cqe);
	const struct rpcrdma_send_ops *ops = send->pool->ops;
	struct rpcrdma_conn *conn = cq->cq_context;
	unsigned int slots = send->slots;
	void *waiter = send->waiter;

	rpcrdma_fault_wc(wc);
	rpcrdma_sendq_done(conn, &send->chain, wc);
	if (wc->status != IB_WC_SUCCESS) {
		rpcrdma_conn_wc_failed(conn, wc, RPCRDMA_CLOSE_COMPLETION);
		return;
	}
	slots += rpcrdma_sends_complete(conn, &send->covers, send->chain.number);
	rpcrdma_send_put(send);
	rpcrdma_sendq_release(conn, slots);
	if (waiter)
		ops->completed(waiter);
}

static void rpcrdma_send_init(struct rpcrdma_send *send,
			      struct rpcrdma_send_pool *pool)
{
	struct rpcrdma_conn *conn = pool->conn;
	unsigned int i;

	INIT_LIST_HEAD(&send->covers);
	send->pool = pool;
	send->conn = conn;
	send->cqe.done = rpcrdma_send_done;
	send->wr.wr_cqe = &send->cqe;
	send->wr.opcode = IB_WR_SEND;
	send->wr.num_sge = 1;
	send->wr.sg_list = (void *)send +
			   ALIGN(pool->ops->size, __alignof__(struct ib_sge));
	send->wr.sg_list[0].addr = send->buf.addr;
	for (i = 0; i < conn->limits.send_sges; i++)
		send->wr.sg_list[i].lkey = conn->pd->local_dma_lkey;
	if (pool->ops->init)
		pool->ops->init(send);
}

static struct rpcrdma_send *rpcrdma_send_alloc(struct rpcrdma_send_pool *pool,
					       gfp_t gfp)
{
	struct rpcrdma_conn *conn = pool->conn;
	int node = ibdev_to_node(conn->device);
	struct rpcrdma_send *send;
	size_t size;

	size = ALIGN(pool->ops->size, __alignof__(struct ib_sge)) +
	       conn->limits.send_sges * sizeof(struct ib_sge);
	send = kzalloc_node(size, gfp, node);
	if (!send)
		return NULL;
	if (rpcrdma_buf_alloc(&send->buf, conn->limits.inline_send,
			      DMA_TO_DEVICE, node, gfp))
		goto out_free;
	if (rpcrdma_buf_map(&send->buf, conn->device))
		goto out_free_buf;
	rpcrdma_send_init(send, pool);

	spin_lock(&pool->pool.lock);
	list_add(&send->all, &pool->all);
	spin_unlock(&pool->pool.lock);
	return send;

out_free_buf:
	rpcrdma_buf_free(&send->buf);
out_free:
	kfree(send);
	return NULL;
}

/* Everything but the buffer */
static void rpcrdma_send_release(struct rpcrdma_send *send)
{
	const struct rpcrdma_send_ops *ops = send->pool->ops;

	rpcrdma_send_unmap(send);
	send->waiter = NULL;
	if (ops->release)
		ops->release(send);
}

static void rpcrdma_send_free(struct rpcrdma_send *send)
{
	rpcrdma_send_release(send);
	rpcrdma_buf_free(&send->buf);
	kfree(send);
}

/**
 * rpcrdma_send_pool_init - an empty pool without a connection
 * @pool: memory of the pool
 * @ops: what the owner adds to each context
 *
 * Context: any.
 */
void rpcrdma_send_pool_init(struct rpcrdma_send_pool *pool,
			    const struct rpcrdma_send_ops *ops)
{
	rpcrdma_pool_init(&pool->pool);
	INIT_LIST_HEAD(&pool->all);
	pool->minimum = 0;
	pool->conn = NULL;
	pool->ops = ops;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_pool_init);

/**
 * rpcrdma_send_pool_open - the pool is for a connection from now on
 * @pool: empty pool
 * @conn: connection after rpcrdma_conn_setup()
 * @minimum: number of contexts that stay when the connection is idle
 *
 * Context: any; before the first rpcrdma_send_get().
 */
void rpcrdma_send_pool_open(struct rpcrdma_send_pool *pool,
			    struct rpcrdma_conn *conn, unsigned int minimum)
{
	pool->conn = conn;
	pool->minimum = minimum;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_pool_open);

/**
 * rpcrdma_send_pool_grow - allocate contexts for later
 * @pool: open pool
 * @count: number of contexts
 * @gfp: how to allocate them
 *
 * Context: as @gfp allows; the caller keeps reclaim out of the file system.
 * Return: 0; or -ENOMEM, with fewer contexts than asked for.
 * rpcrdma_send_pool_destroy() frees them.
 */
int rpcrdma_send_pool_grow(struct rpcrdma_send_pool *pool, unsigned int count,
			   gfp_t gfp)
{
	struct rpcrdma_send *send;

	while (count--) {
		send = rpcrdma_send_alloc(pool, gfp);
		if (!send)
			return -ENOMEM;
		rpcrdma_send_put(send);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_pool_grow);

/**
 * rpcrdma_send_pool_trim - free contexts that have been idle for long
 * @pool: open pool
 * @before: jiffies; contexts that have been idle since then, or longer
 *
 * Context: process context, does not sleep; rpcrdma_send_pool_destroy() is not
 * called meanwhile.
 */
void rpcrdma_send_pool_trim(struct rpcrdma_send_pool *pool,
			    unsigned long before)
{
	struct rpcrdma_send *send, *next;
	LIST_HEAD(gone);

	spin_lock(&pool->pool.lock);
	rpcrdma_idle_trim(&pool->pool.idle, pool->minimum, before, &gone,
			  &pool->pool.lock);
	list_for_each_entry(send, &gone, item.node)
		list_del(&send->all);
	spin_unlock(&pool->pool.lock);

	list_for_each_entry_safe(send, next, &gone, item.node)
		rpcrdma_send_free(send);
}
EXPORT_SYMBOL_GPL(rpcrdma_send_pool_trim);

/**
 * rpcrdma_send_pool_destroy - free all contexts, with all that they hold
 * @pool: pool whose connection is drained and has no QP; empty afterwards
 *
 * Context: process context, does not sleep; the caller is the only user.
 */
void rpcrdma_send_pool_destroy(struct rpcrdma_send_pool *pool)
{
	struct rpcrdma_send *send, *next;

	list_for_each_entry_safe(send, next, &pool->all, all)
		rpcrdma_send_free(send);
	INIT_LIST_HEAD(&pool->pool.idle);
	INIT_LIST_HEAD(&pool->all);
}
EXPORT_SYMBOL_GPL(rpcrdma_send_pool_destroy);

/**
 * rpcrdma_send_get - take a Send context
 * @pool: open pool
 * @gfp: how to allocate one if none is idle
 *
 * Context: process context, connection entered; sleeps as @gfp allows.
 * Return: a context without pages and waiter, with a buffer for
 * conn->limits.inline_send bytes; or NULL. It goes back by rpcrdma_send_put(), or is
 * posted by rpcrdma_send_post(), or is left to rpcrdma_send_pool_destroy().
 */
struct rpcrdma_send *rpcrdma_send_get(struct rpcrdma_send_pool *pool, gfp_t gfp)
{
	struct rpcrdma_pool_item *item = rpcrdma_pool_get(&pool->pool);

	if (likely(item))
		return container_of(item, struct rpcrdma_send, item);
	return rpcrdma_send_alloc(pool, gfp);
}
EXPORT_SYMBOL_GPL(rpcrdma_send_get);

/**
 * rpcrdma_send_put - release what a Send holds, and put its context back
 * @send: Send that has completed, or of which nothing was posted
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_send_put(struct rpcrdma_send *send)
{
	rpcrdma_send_release(send);
	rpcrdma_pool_put(&send->pool->pool, &send->item);
}
EXPORT_SYMBOL_GPL(rpcrdma_send_put);

/**
 * rpcrdma_send_add_page - the message goes on in a page
 * @send: Send context with fewer than conn->limits.send_sges SGEs; none is from
 *	rpcrdma_send_add_buf()
 * @page: page, which stays untouched until the Send has completed
 * @offset: in @page, bytes
 * @len: bytes
 *
 * rpcrdma_send_put() unmaps the page.
 *
 * Context: any.
 * Return: 0; or -ENOBUFS if the page cannot be mapped now.
 */
int rpcrdma_send_add_page(struct rpcrdma_send *send, struct page *page,
			  u32 offset, u32 len)
{
	struct ib_sge *sge = &send->wr.sg_list[send->wr.num_sge];

	if (rpcrdma_map_page(send->conn->device, page, offset, len,
			     DMA_TO_DEVICE, &sge->addr))
		return -ENOBUFS;
	sge->length = len;
	send->wr.num_sge++;
	send->mapped++;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_add_page);

/**
 * rpcrdma_send_add_buf - the last part of the message is in the buffer again
 * @send: Send context after rpcrdma_send_add_page()
 * @offset: in the buffer, bytes
 * @len: bytes that the CPU has written there
 *
 * Context: any.
 */
void rpcrdma_send_add_buf(struct rpcrdma_send *send, u32 offset, u32 len)
{
	struct ib_sge *sge = &send->wr.sg_list[send->wr.num_sge++];

	rpcrdma_buf_to_device(&send->buf, offset + len);
	sge->addr = send->buf.addr + offset;
	sge->length = len;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_add_buf);

/**
 * rpcrdma_send_unmap - unmap all pages of a Send
 * @send: Send context that the device does not use. Its message keeps only the SGE of
 *	the start of the buffer
 *
 * Context: any.
 */
void rpcrdma_send_unmap(struct rpcrdma_send *send)
{
	struct ib_device *device = send->conn->device;
	struct ib_sge *sge;

	for (; send->mapped; send->mapped--) {
		sge = &send->wr.sg_list[send->mapped];
		rpcrdma_unmap_page(device, sge->addr, sge->length,
				   DMA_TO_DEVICE);
	}
	send->wr.num_sge = 1;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_unmap);
