// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdma_rw contexts. rdma_rw is the API of the kernel for RDMA Read and Write; it knows
 * which devices need memory registration for that.
 *
 * A context moves data between one scatterlist and one remote segment, or a part of one.
 * It belongs to a struct svcrdma_rw_list until the WR chain with that list has completed
 * or the connection is drained. Idle contexts are kept in the pool of the transport.
 *
 * Some devices have a limited number of MRs per connection. If there is none left for a
 * context, or no memory, the caller posts the contexts that it has. If it has none, it
 * waits until another list is released: RDMA Reads without a thread (svcrdma_rw_later()),
 * Writes with their thread (svcrdma_rw_wait()); but Writes take no MRs unless rdma_rw is
 * told to, and for the memory of a Reply the thread waits a second at most. A caller with
 * contexts never waits there, so there is no deadlock.
 *
 * A client can let RDMA Reads and Writes take for ever, on iWARP even the Writes. So there
 * is a deadline: if for svcrdma.transfer_timeout no list was released, although there are
 * lists, the connection is closed. Lists complete in the order of posting, so the oldest
 * one has made no progress for so long. What arrives meanwhile does not count.
 *
 * A list may be short, and the RDMA Reads of one Call can take many lists. So a transfer that
 * takes longer than the deadline, from posting to completion, must not come from a connection
 * that moves less than SVCRDMA_RW_LEAST in that time.
 */
#include <linux/scatterlist.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <rdma/rw.h>
#include <rpcrdma/mapping.h>
#include "params.h"
#include "request.h"
#include "rw.h"
#include "svcrdma.h"

/* Scatterlist entries in struct svcrdma_rw; a mempool has the others */
#define SVCRDMA_RW_SGS	16

/*
 * Fewest bytes of a connection in each svcrdma.transfer_timeout that a transfer takes, with the
 * default of 30 s or more. With less they are fewer: many clients may share a slow link.
 */
#define SVCRDMA_RW_LEAST	((unsigned long)SZ_1M)
#define SVCRDMA_RW_LEAST_PER_SECOND	(SVCRDMA_RW_LEAST / 30)

/* svcrdma_xprt.rw_released wraps early, so that a wrong comparison shows on each connection */
#define SVCRDMA_RW_RELEASED_INITIAL	((unsigned int)-16)

/*
 * struct svcrdma_rw - one rdma_rw context
 * @item:  entry of svcrdma_xprt.rw_pool
 * @node:  entry of svcrdma_rw_list.ctxs
 * @ctx:   the context
 * @wrs:   number of work requests of @ctx
 * @nents: entries in use in @table
 * @bytes: that @ctx reads or writes
 * @table: scatterlist
 * @first: first entries of @table
 */
struct svcrdma_rw {
	struct rpcrdma_pool_item	item;
	struct list_head	node;
	struct rdma_rw_ctx	ctx;
	unsigned int		wrs;
	unsigned int		nents;
	u32			bytes;
	struct sg_table		table;
	struct scatterlist	first[SVCRDMA_RW_SGS];
};

/**
 * svcrdma_rw_pages - most pages of one context
 * @rdma: transport with queues
 *
 * Context: any.
 * Return: the number, above 0.
 */
unsigned int svcrdma_rw_pages(const struct svcrdma_xprt *rdma)
{
	return min(rdma->conn->limits.rw_pages, rdma->chain_max);
}

/**
 * svcrdma_rw_list_init - initialize an empty list, for a new transfer
 * @list: list
 *
 * Context: any.
 */
void svcrdma_rw_list_init(struct svcrdma_rw_list *list)
{
	memset(list, 0, sizeof(*list));
	INIT_LIST_HEAD(&list->ctxs);
}

/**
 * svcrdma_rw_get - take a context with an empty scatterlist
 * @rdma: transport
 * @nents: scatterlist entries wanted; set to the entries available, which may be fewer
 *	   when memory is short
 *
 * Context: may sleep; the caller keeps reclaim out of the file system.
 * Return: a context for svcrdma_rw_add(), or NULL without memory.
 */
struct svcrdma_rw *svcrdma_rw_get(struct svcrdma_xprt *rdma,
				  unsigned int *nents)
{
	struct rpcrdma_pool_item *item = rpcrdma_pool_get(&rdma->rw_pool);
	struct svcrdma_rw *rw;

	if (item)
		rw = container_of(item, struct svcrdma_rw, item);
	else
		rw = kmalloc_node(sizeof(*rw), RPCRDMA_GFP_ONCE,
				  ibdev_to_node(rdma->conn->device));
	if (!rw)
		return NULL;

	rw->table.sgl = rw->first;
	if (!sg_alloc_table_chained(&rw->table, *nents, rw->first,
				    SVCRDMA_RW_SGS))
		return rw;

	/* The atomic allocation has failed: use only the entries in the struct */
	*nents = SVCRDMA_RW_SGS;
	rw->table.sgl = rw->first;
	sg_alloc_table_chained(&rw->table, *nents, rw->first, SVCRDMA_RW_SGS);
	return rw;
}

/**
 * svcrdma_rw_sgl - get the scatterlist of a context
 * @rw: context from svcrdma_rw_get()
 *
 * Context: any.
 * Return: the first of the entries that svcrdma_rw_get() has returned in @nents.
 */
struct scatterlist *svcrdma_rw_sgl(struct svcrdma_rw *rw)
{
	return rw->table.sgl;
}

static void svcrdma_rw_put(struct svcrdma_xprt *rdma, struct svcrdma_rw *rw)
{
	sg_free_table_chained(&rw->table, SVCRDMA_RW_SGS);
	rpcrdma_pool_put(&rdma->rw_pool, &rw->item);
}

/* Connection entered, so that svcrdma_rw_stop() finds the work queued */
static void svcrdma_rw_deadline_queue(struct svcrdma_xprt *rdma, unsigned long delay)
{
	if (!delayed_work_pending(&rdma->rw_deadline))
		queue_delayed_work(svcrdma_wq, &rdma->rw_deadline, delay);
}

/* Jiffies until the deadline, 0 if it has passed; MAX_JIFFY_OFFSET without a list */
static unsigned long svcrdma_rw_time_left(struct svcrdma_xprt *rdma)
{
	unsigned long left = MAX_JIFFY_OFFSET, end;

	spin_lock(&rdma->lock);
	end = rdma->rw_progress + svcrdma_param_transfer_timeout();
	if (rdma->rw_holders)
		left = time_after(end, jiffies) ? end - jiffies : 0;
	spin_unlock(&rdma->lock);
	return left;
}

/* Its RDMA Reads and Writes take too long */
static void svcrdma_rw_close(struct svcrdma_xprt *rdma)
{
	if (rpcrdma_conn_state(rdma->conn) >= RPCRDMA_S_CLOSING)
		return;
	rpcrdma_count(rdma->conn->stats, RPCRDMA_C_TRANSFER_TIMEOUTS);
	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_TRANSFER, -ETIMEDOUT);
}

static void svcrdma_rw_deadline_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 rw_deadline.work);
	unsigned long left = svcrdma_rw_time_left(rdma);

	if (left == MAX_JIFFY_OFFSET || !rpcrdma_conn_enter(rdma->conn))
		return;
	if (left)
		svcrdma_rw_deadline_queue(rdma, left);
	else
		svcrdma_rw_close(rdma);
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_rw_init - initialize the waits for contexts and the deadline
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_rw_init(struct svcrdma_xprt *rdma)
{
	init_waitqueue_head(&rdma->rw_wait);
	INIT_LIST_HEAD(&rdma->rw_waiters);
	rdma->rw_released = SVCRDMA_RW_RELEASED_INITIAL;
	INIT_DELAYED_WORK(&rdma->rw_deadline, svcrdma_rw_deadline_work);
}

/**
 * svcrdma_rw_stop - cancel waits and deadline when the transport is destroyed
 * @rdma: transport whose connection is drained
 *
 * Requests that still wait are freed with all others.
 *
 * Context: may sleep.
 */
void svcrdma_rw_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->rw_deadline);
	spin_lock(&rdma->lock);
	INIT_LIST_HEAD(&rdma->rw_waiters);
	spin_unlock(&rdma->lock);
}

/**
 * svcrdma_rw_next - let the request that has waited longest for contexts try again
 * @rdma: transport
 *
 * Called for each list that is released, and for each request that has got contexts: there
 * may be some for the next one too.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_rw_next(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;

	if (likely(list_empty(&rdma->rw_waiters)))
		return;
	spin_lock(&rdma->lock);
	req = list_first_entry_or_null(&rdma->rw_waiters, struct svcrdma_req, node);
	if (req) {
		list_move_tail(&req->node, svcrdma_queue_of(req));
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
		svcrdma_turn_update(rdma);
	}
	spin_unlock(&rdma->lock);
	if (req)
		svc_xprt_enqueue(&rdma->xprt);
}

/*
 * A list is to get its first context. Before it takes an MR, so that a list that finds none
 * knows that another one has it.
 */
static void svcrdma_rw_list_begin(struct svcrdma_xprt *rdma)
{
	bool first;

	spin_lock(&rdma->lock);
	first = !rdma->rw_holders++;
	if (first)
		rdma->rw_progress = jiffies;
	spin_unlock(&rdma->lock);
	if (first)
		svcrdma_rw_deadline_queue(rdma,
					  svcrdma_param_transfer_timeout());
}

/* A list has released its last context, and moved so many bytes */
static void svcrdma_rw_list_end(struct svcrdma_xprt *rdma, u32 bytes)
{
	spin_lock(&rdma->lock);
	rdma->rw_holders--;
	WRITE_ONCE(rdma->rw_moved, rdma->rw_moved + bytes);
	rdma->rw_progress = jiffies;
	/* Pairs with svcrdma_rw_released(): released contexts are available */
	smp_store_release(&rdma->rw_released, rdma->rw_released + 1);
	spin_unlock(&rdma->lock);
	svcrdma_rw_next(rdma);
	if (wq_has_sleeper(&rdma->rw_wait))
		wake_up_all(&rdma->rw_wait);
}

/*
 * A list has got no context. Only with -EINVAL (gaps) it had an MR for a moment, and so has
 * released one. Otherwise its request waits itself, or the connection is closed.
 */
static void svcrdma_rw_list_failed(struct svcrdma_xprt *rdma, int error)
{
	bool idle;

	if (error == -EINVAL) {
		svcrdma_rw_list_end(rdma, 0);
		return;
	}
	spin_lock(&rdma->lock);
	idle = !--rdma->rw_holders;
	spin_unlock(&rdma->lock);
	/* What waited for this list has nothing to wait for any more */
	if (idle)
		svcrdma_rw_next(rdma);
}

/**
 * svcrdma_rw_add - map a context and append it to a list
 * @rdma: transport
 * @list: list
 * @rw: context with its scatterlist filled in
 * @nents: entries in use, at least one
 * @remote: the part of a remote segment that @rw reads or writes
 * @dir: DMA_FROM_DEVICE for RDMA Read, DMA_TO_DEVICE for RDMA Write
 *
 * Context: may sleep; the caller keeps reclaim out of the file system.
 * Return: 0, and @list owns @rw; or an error, and @rw is in the pool again: -ENOMEM;
 * -EAGAIN: no MR is available; -EINVAL: the scatterlist has gaps, which the device
 * does not support; -EIO.
 */
int svcrdma_rw_add(struct svcrdma_xprt *rdma, struct svcrdma_rw_list *list,
		   struct svcrdma_rw *rw, unsigned int nents,
		   const struct rpcrdma_segment *remote, enum dma_data_direction dir)
{
	struct rpcrdma_conn *conn = rdma->conn;
	bool first = list_empty(&list->ctxs);
	u64 begun = rpcrdma_latency_begin();
	int ret;

	if (first)
		svcrdma_rw_list_begin(rdma);
	ret = -ENOMEM;
	if (!rpcrdma_fault(RPCRDMA_FAULT_REGISTER))
		ret = rpcrdma_map_rw(&rw->ctx, conn->qp, conn->port_num, rw->table.sgl,
				     nents, remote->offset, remote->handle, dir);
	if (ret < 0) {
		if (first)
			svcrdma_rw_list_failed(rdma, ret);
		svcrdma_rw_put(rdma, rw);
		return ret;
	}
	rpcrdma_latency_end(conn->stats, RPCRDMA_L_REGISTER, begun);
	rw->nents = nents;
	rw->wrs = ret;
	rw->bytes = remote->length;
	list->wrs += ret;
	list->bytes += rw->bytes;
	list_add_tail(&rw->node, &list->ctxs);
	return 0;
}

static void svcrdma_rw_release(struct svcrdma_xprt *rdma, struct svcrdma_rw *rw,
			       enum dma_data_direction dir)
{
	struct rpcrdma_conn *conn = rdma->conn;

	list_del(&rw->node);
	rpcrdma_unmap_rw(&rw->ctx, conn->qp, conn->port_num, rw->table.sgl,
			 rw->nents, dir);
	svcrdma_rw_put(rdma, rw);
}

/**
 * svcrdma_rw_remove_last - remove the context that was added last
 * @rdma: transport
 * @list: list that is not posted and not empty
 * @dir: direction of its contexts
 *
 * Context: process context, does not sleep.
 */
void svcrdma_rw_remove_last(struct svcrdma_xprt *rdma,
			    struct svcrdma_rw_list *list,
			  enum dma_data_direction dir)
{
	struct svcrdma_rw *rw = list_last_entry(&list->ctxs, struct svcrdma_rw,
						node);

	list->wrs -= rw->wrs;
	list->bytes -= rw->bytes;
	svcrdma_rw_release(rdma, rw, dir);
	if (list_empty(&list->ctxs))
		svcrdma_rw_list_end(rdma, 0);
}

static void svcrdma_rw_failed(struct ib_cq *cq, struct ib_wc *wc)
{
	/* Unsignaled: a completion means failure */
	rpcrdma_conn_wc_failed(cq->cq_context, wc, RPCRDMA_CLOSE_COMPLETION);
}

static struct ib_cqe svcrdma_rw_failed_cqe = {
	.done	= svcrdma_rw_failed,
};

static void svcrdma_rw_list_posted(const struct svcrdma_xprt *rdma,
				   struct svcrdma_rw_list *list)
{
	if (list_empty(&list->ctxs))
		return;
	if (!list->taken) {
		list->moved_before = READ_ONCE(rdma->rw_moved);
		list->timeout = svcrdma_param_transfer_timeout();
	}
	list->posted = true;
	list->posted_at = jiffies;
}

/**
 * svcrdma_rw_list_wrs - link the work requests of a list; the caller posts them
 * @rdma: transport
 * @list: list; not empty if @next is NULL
 * @cqe: completion of the last work request; NULL if @next is not
 * @next: work request behind those of @list, or NULL
 *
 * rdma_rw gives a completion handler to the last work request only. If another one
 * fails, the CQ drops its completion, and the transport sees only that the device has
 * flushed the rest, which looks like a disconnect. So each of them gets a handler.
 *
 * Context: process context, does not sleep.
 * Return: the first work request.
 */
struct ib_send_wr *svcrdma_rw_list_wrs(struct svcrdma_xprt *rdma,
				       struct svcrdma_rw_list *list,
				       struct ib_cqe *cqe,
				       struct ib_send_wr *next)
{
	struct rpcrdma_conn *conn = rdma->conn;
	const struct ib_send_wr *behind = next;
	struct ib_send_wr *wr;
	struct svcrdma_rw *rw;

	svcrdma_rw_list_posted(rdma, list);
	list_for_each_entry_reverse(rw, &list->ctxs, node) {
		next = rdma_rw_ctx_wrs(&rw->ctx, conn->qp,
				       conn->port_num, cqe, next);
		cqe = NULL;
	}
	for (wr = next; wr != behind; wr = wr->next)
		if (!wr->wr_cqe)
			wr->wr_cqe = &svcrdma_rw_failed_cqe;
	return next;
}

static bool svcrdma_rw_list_is_slow(const struct svcrdma_xprt *rdma,
				    const struct svcrdma_rw_list *list)
{
	unsigned long least = min(SVCRDMA_RW_LEAST,
				  list->timeout / HZ * SVCRDMA_RW_LEAST_PER_SECOND);

	return READ_ONCE(rdma->rw_moved) - list->moved_before <
	       list->taken / list->timeout * least;
}

/* The contexts of a list are released: have they taken too long? */
static void svcrdma_rw_list_check(struct svcrdma_xprt *rdma, struct svcrdma_rw_list *list)
{
	if (!list->posted)
		return;
	list->posted = false;
	list->taken += jiffies - list->posted_at;
	if (unlikely(svcrdma_rw_list_is_slow(rdma, list)))
		svcrdma_rw_close(rdma);
}

/**
 * svcrdma_rw_list_release - unmap and return all contexts of a list
 * @rdma: transport
 * @list: list that has completed or was never posted, or whose connection is drained and has
 *	  its QP; empty afterwards
 * @dir: direction of its contexts
 *
 * Context: process context, does not sleep.
 */
void svcrdma_rw_list_release(struct svcrdma_xprt *rdma,
			     struct svcrdma_rw_list *list,
			     enum dma_data_direction dir)
{
	struct svcrdma_rw *rw, *next;

	if (list_empty(&list->ctxs))
		return;
	list_for_each_entry_safe(rw, next, &list->ctxs, node)
		svcrdma_rw_release(rdma, rw, dir);
	svcrdma_rw_list_end(rdma, list->bytes);
	svcrdma_rw_list_check(rdma, list);
	list->wrs = 0;
	list->bytes = 0;
}

/**
 * svcrdma_rw_released - get the count of released lists, to wait for the next one
 * @rdma: transport
 *
 * Context: process context, does not sleep.
 * Return: a count of the lists released; it begins near its end, and wraps.
 */
unsigned int svcrdma_rw_released(struct svcrdma_xprt *rdma)
{
	/* Pairs with svcrdma_rw_list_end(): released contexts are available */
	return smp_load_acquire(&rdma->rw_released);
}

/**
 * svcrdma_rw_wait - sleep until a list is released
 * @rdma: transport
 * @seen: svcrdma_rw_released() from before the attempt that failed
 * @timeout: longest time, jiffies; the deadline of RDMA Reads and Writes bounds it too
 *
 * The caller must not own contexts that are not posted.
 *
 * Context: nfsd thread; may sleep.
 * Return: true if the caller should try again; false if no other list has contexts, if
 * none was released in time, or if the connection is closing.
 */
bool svcrdma_rw_wait(struct svcrdma_xprt *rdma, unsigned int seen, long timeout)
{
	bool others;

	spin_lock(&rdma->lock);
	others = rdma->rw_holders || rdma->rw_released != seen;
	spin_unlock(&rdma->lock);
	if (!others)
		return false;

	wait_event_idle_timeout(rdma->rw_wait,
				svcrdma_rw_released(rdma) != seen ||
					rpcrdma_conn_state(rdma->conn) >=
						RPCRDMA_S_CLOSING,
				timeout);
	return svcrdma_rw_released(rdma) != seen &&
	       rpcrdma_conn_state(rdma->conn) < RPCRDMA_S_CLOSING;
}

/**
 * svcrdma_rw_later - let a request wait, without a thread, until a list is released
 * @req: request without contexts; not the caller's afterwards if it waits. Its stage says
 *	 how to go on
 * @seen: as for svcrdma_rw_wait()
 *
 * svcrdma_rw_next() queues it again, or the loss of the connection frees it.
 *
 * Context: nfsd thread; does not sleep.
 * Return: true if it waits; false if a list was released since @seen, if no other list
 * has contexts, or if the connection is lost.
 */
bool svcrdma_rw_later(struct svcrdma_req *req, unsigned int seen)
{
	struct svcrdma_xprt *rdma = req->rdma;
	bool waits;

	spin_lock(&rdma->lock);
	/* Under the lock: see svcrdma_release_waiting() */
	waits = rdma->rw_holders && rdma->rw_released == seen && !rdma->queue_closed;
	if (waits)
		list_add_tail(&req->node, &rdma->rw_waiters);
	spin_unlock(&rdma->lock);
	return waits;
}

static void svcrdma_rw_free_list(struct list_head *list)
{
	struct svcrdma_rw *rw, *next;

	list_for_each_entry_safe(rw, next, list, item.node)
		kfree(rw);
}

/**
 * svcrdma_rw_pool_trim - free contexts that have been idle for long
 * @rdma: transport
 * @before: jiffies; contexts that have been idle since then, or longer
 *
 * Context: process context, does not sleep.
 */
void svcrdma_rw_pool_trim(struct svcrdma_xprt *rdma, unsigned long before)
{
	LIST_HEAD(trimmed);

	rpcrdma_pool_trim(&rdma->rw_pool, SVCRDMA_POOL_MIN, before, &trimmed);
	svcrdma_rw_free_list(&trimmed);
}

/**
 * svcrdma_rw_pool_free - free all contexts
 * @rdma: transport whose connection is drained; every context has been released
 *
 * Context: may sleep.
 */
void svcrdma_rw_pool_free(struct svcrdma_xprt *rdma)
{
	svcrdma_rw_free_list(&rdma->rw_pool.idle);
}
