// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdma_rw contexts: the kernel's API for RDMA Read and Write, which knows when a
 * device needs memory registered for that.
 *
 * One context moves data between one remote segment, or a part of it, and one
 * scatterlist. Contexts of one chain are collected in a struct svcrdma_rws. Spare
 * ones are kept with the connection. A context belongs to the struct svcrdma_rws
 * it is in, and stays there until the chain has completed or the connection is
 * drained.
 *
 * Some devices have a bounded number of MRs for a connection. Whoever gets none
 * posts what it has built, or, if it has nothing, sleeps until another chain has
 * been released (svcrdma_rw_wait()). Nobody waits there who holds contexts, so
 * those that are held are always released.
 */
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <rdma/rw.h>
#include "svcrdma.h"

/* A peer that does not let RDMA Reads complete must not hold a thread for ever */
#define SVCRDMA_RW_TIMEOUT	(30UL * HZ)

/* Scatterlist entries in the struct itself; a longer list comes from a mempool */
#define SVCRDMA_RW_SGS	16

/*
 * struct svcrdma_rw - one rdma_rw context
 * @spare: entry of svcrdma_xprt.rw_pool
 * @node:  entry of svcrdma_rws.list
 * @ctx:   the context
 * @wrs:   work requests of @ctx
 * @nents: entries of @table in use
 * @table: scatterlist, beginning in @first
 * @first: its first entries
 */
struct svcrdma_rw {
	struct svcrdma_spare	spare;
	struct list_head	node;
	struct rdma_rw_ctx	ctx;
	unsigned int		wrs;
	unsigned int		nents;
	struct sg_table		table;
	struct scatterlist	first[SVCRDMA_RW_SGS];
};

/**
 * svcrdma_rws_init - an empty chain
 * @rws: memory of the chain
 *
 * Context: any.
 */
void svcrdma_rws_init(struct svcrdma_rws *rws)
{
	INIT_LIST_HEAD(&rws->list);
	rws->wrs = 0;
}

/**
 * svcrdma_rw_get - a context that is not initialized
 * @sx: connection
 * @nents: scatterlist entries wanted; afterwards those there are, which may be
 *	   fewer when memory is short
 *
 * Context: may sleep; the caller keeps reclaim out of the file system.
 * Return: a context for svcrdma_rw_add(), or NULL.
 */
struct svcrdma_rw *svcrdma_rw_get(struct svcrdma_xprt *sx, unsigned int *nents)
{
	struct llist_node *node = svcrdma_pool_get(&sx->rw_pool);
	struct svcrdma_rw *rw;

	if (node)
		rw = llist_entry(node, struct svcrdma_rw, spare.node);
	else
		rw = kmalloc_node(sizeof(*rw), GFP_KERNEL,
				  ibdev_to_node(sx->conn->device));
	if (!rw)
		return NULL;

	rw->table.sgl = rw->first;
	if (!sg_alloc_table_chained(&rw->table, *nents, rw->first,
				    SVCRDMA_RW_SGS))
		return rw;

	/* That was an atomic allocation; the list in the struct needs none */
	*nents = SVCRDMA_RW_SGS;
	rw->table.sgl = rw->first;
	sg_alloc_table_chained(&rw->table, *nents, rw->first, SVCRDMA_RW_SGS);
	return rw;
}

/**
 * svcrdma_rw_sgl - the scatterlist to fill in
 * @rw: context from svcrdma_rw_get()
 *
 * Context: any.
 * Return: its first entry; there are as many as were asked for.
 */
struct scatterlist *svcrdma_rw_sgl(struct svcrdma_rw *rw)
{
	return rw->table.sgl;
}

static void svcrdma_rw_put(struct svcrdma_xprt *sx, struct svcrdma_rw *rw)
{
	sg_free_table_chained(&rw->table, SVCRDMA_RW_SGS);
	svcrdma_pool_put(&sx->rw_pool, &rw->spare);
}

static void svcrdma_rw_held(struct svcrdma_xprt *sx)
{
	spin_lock(&sx->lock);
	sx->rw_holders++;
	spin_unlock(&sx->lock);
}

static void svcrdma_rw_let_go(struct svcrdma_xprt *sx)
{
	spin_lock(&sx->lock);
	sx->rw_holders--;
	/* Pairs with svcrdma_rw_rounds(): what was released can be had */
	smp_store_release(&sx->rw_rounds, sx->rw_rounds + 1);
	spin_unlock(&sx->lock);
	if (wq_has_sleeper(&sx->rw_wait))
		wake_up_all(&sx->rw_wait);
}

/**
 * svcrdma_rw_add - map a context and append it to a chain
 * @sx: connection
 * @rws: chain
 * @rw: context with its scatterlist filled in
 * @nents: entries used, at least one
 * @handle: handle of the remote segment
 * @offset: remote address
 * @dir: DMA_FROM_DEVICE for RDMA Read, DMA_TO_DEVICE for RDMA Write
 *
 * Context: may sleep; the caller keeps reclaim out of the file system.
 * Return: 0, and @rw belongs to @rws; or it has been given back: -ENOMEM,
 * -EAGAIN (no MR now), -EINVAL (the list has gaps, and the device minds), -EIO.
 */
int svcrdma_rw_add(struct svcrdma_xprt *sx, struct svcrdma_rws *rws,
		   struct svcrdma_rw *rw, unsigned int nents, u32 handle,
		   u64 offset, enum dma_data_direction dir)
{
	struct rpcrdma_conn *conn = sx->conn;
	u64 begun = rpcrdma_latency_begin();
	int ret;

	if (rpcrdma_fault(RPCRDMA_FAULT_REGISTER)) {
		svcrdma_rw_put(sx, rw);
		return -ENOMEM;
	}
	ret = rdma_rw_ctx_init(&rw->ctx, conn->qp, conn->cm_id->port_num,
			       rw->table.sgl, nents, 0, offset, handle, dir);
	if (ret < 0) {
		svcrdma_rw_put(sx, rw);
		return ret;
	}
	rpcrdma_latency_end(conn->stats, RPCRDMA_L_REGISTER, begun);
	rw->nents = nents;
	rw->wrs = ret;
	rws->wrs += ret;
	if (list_empty(&rws->list))
		svcrdma_rw_held(sx);
	list_add_tail(&rw->node, &rws->list);
	return 0;
}

static void svcrdma_rw_release(struct svcrdma_xprt *sx, struct svcrdma_rw *rw,
			       enum dma_data_direction dir)
{
	struct rpcrdma_conn *conn = sx->conn;

	list_del(&rw->node);
	rdma_rw_ctx_destroy(&rw->ctx, conn->qp, conn->cm_id->port_num,
			    rw->table.sgl, rw->nents, dir);
	svcrdma_rw_put(sx, rw);
}

/**
 * svcrdma_rw_drop_last - take back what was added last
 * @sx: connection
 * @rws: chain that is not posted, and not empty
 * @dir: as it was added
 *
 * Context: process context, does not sleep.
 */
void svcrdma_rw_drop_last(struct svcrdma_xprt *sx, struct svcrdma_rws *rws,
			  enum dma_data_direction dir)
{
	struct svcrdma_rw *rw = list_last_entry(&rws->list, struct svcrdma_rw,
						node);

	rws->wrs -= rw->wrs;
	svcrdma_rw_release(sx, rw, dir);
	if (list_empty(&rws->list))
		svcrdma_rw_let_go(sx);
}

/**
 * svcrdma_rws_chain - make a chain of work requests, to be posted at once
 * @sx: connection
 * @rws: contexts, at least one unless @next is given
 * @cqe: completion of the last one; NULL if @next is given
 * @next: work request to follow, or NULL
 *
 * Context: process context, does not sleep.
 * Return: the first work request.
 */
struct ib_send_wr *svcrdma_rws_chain(struct svcrdma_xprt *sx,
				     struct svcrdma_rws *rws,
				     struct ib_cqe *cqe,
				     struct ib_send_wr *next)
{
	struct rpcrdma_conn *conn = sx->conn;
	struct svcrdma_rw *rw;

	list_for_each_entry_reverse(rw, &rws->list, node) {
		next = rdma_rw_ctx_wrs(&rw->ctx, conn->qp,
				       conn->cm_id->port_num, cqe, next);
		cqe = NULL;
	}
	return next;
}

/**
 * svcrdma_rws_release - unmap all contexts of a chain
 * @sx: connection
 * @rws: chain that has completed, or never was posted; empty afterwards
 * @dir: as they were added
 *
 * Context: process context, does not sleep.
 */
void svcrdma_rws_release(struct svcrdma_xprt *sx, struct svcrdma_rws *rws,
			 enum dma_data_direction dir)
{
	struct svcrdma_rw *rw, *next;

	if (list_empty(&rws->list))
		return;
	list_for_each_entry_safe(rw, next, &rws->list, node)
		svcrdma_rw_release(sx, rw, dir);
	rws->wrs = 0;
	svcrdma_rw_let_go(sx);
}

/**
 * svcrdma_rw_rounds - a number to compare later
 * @sx: connection
 *
 * Context: process context, does not sleep.
 * Return: how many chains with contexts have completed so far.
 */
unsigned int svcrdma_rw_rounds(struct svcrdma_xprt *sx)
{
	/* Pairs with svcrdma_rw_let_go(): what that released can be had */
	return smp_load_acquire(&sx->rw_rounds);
}

/**
 * svcrdma_rw_wait - sleep until a chain with contexts has completed
 * @sx: connection
 * @seen: svcrdma_rw_rounds() from before the attempt that failed
 *
 * The caller holds no contexts that are not posted. It must not be a completion
 * handler.
 *
 * Context: may sleep.
 * Return: true if it makes sense to try again; false if nothing is under way
 * that could help, or the connection is closing.
 */
bool svcrdma_rw_wait(struct svcrdma_xprt *sx, unsigned int seen)
{
	bool flying;

	spin_lock(&sx->lock);
	flying = sx->rw_holders || sx->rw_rounds != seen;
	spin_unlock(&sx->lock);
	if (!flying)
		return false;

	if (!wait_event_timeout(sx->rw_wait, svcrdma_rw_rounds(sx) != seen ||
				rpcrdma_conn_state(sx->conn) >=
				RPCRDMA_S_CLOSING, SVCRDMA_RW_TIMEOUT))
		rpcrdma_conn_close(sx->conn, RPCRDMA_CLOSE_TIMEOUT,
				   -ETIMEDOUT);
	return rpcrdma_conn_state(sx->conn) < RPCRDMA_S_CLOSING;
}

static void svcrdma_rw_chain_free(struct llist_node *chain)
{
	struct svcrdma_rw *rw, *next;

	llist_for_each_entry_safe(rw, next, chain, spare.node)
		kfree(rw);
}

/**
 * svcrdma_rws_trim - free spare contexts
 * @sx: connection
 * @before: jiffies; those that have been spare since then
 *
 * Context: process context, does not sleep.
 */
void svcrdma_rws_trim(struct svcrdma_xprt *sx, unsigned long before)
{
	svcrdma_rw_chain_free(svcrdma_pool_idle(&sx->rw_pool,
						SVCRDMA_SPARES_KEPT, before));
}

/**
 * svcrdma_rws_free - free the spare contexts
 * @sx: drained connection; every context has been released
 *
 * Context: may sleep.
 */
void svcrdma_rws_free(struct svcrdma_xprt *sx)
{
	svcrdma_rw_chain_free(llist_del_all(&sx->rw_pool.free));
}
