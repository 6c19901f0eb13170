// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spare objects of a connection, and giving back those that it does not need.
 *
 * Requests, Sends and rdma_rw contexts are made when there is no spare one, and
 * kept for the next Call. A client that has had many Calls under way at once and
 * then keeps its connection for months would keep all of them: a work item looks
 * from time to time and frees those that nobody has wanted for a while.
 */
#include "svcrdma.h"

/**
 * svcrdma_pool_idle - take out what nobody has wanted for a while
 * @pool: spare objects
 * @keep: so many stay in any case
 * @before: jiffies; those that have been spare since then
 *
 * Whoever wants one meanwhile waits for the lock.
 *
 * Context: process context, does not sleep.
 * Return: struct svcrdma_pool_item.node of the objects, which are the caller's.
 */
struct llist_node *svcrdma_pool_idle(struct svcrdma_pool *pool,
				     unsigned int keep, unsigned long before)
{
	struct llist_node *first, *node, *last = NULL;
	struct svcrdma_pool_item *item;
	unsigned int n = 0;

	spin_lock(&pool->lock);
	first = llist_del_all(&pool->free);
	llist_for_each(node, first) {
		item = llist_entry(node, struct svcrdma_pool_item, node);
		if (n++ >= keep && !time_after(item->since, before))
			break;
		last = node;
	}
	if (last) {
		last->next = NULL;
		llist_add_batch(first, last, &pool->free);
	}
	spin_unlock(&pool->lock);
	return node;
}

static void svcrdma_trim_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 trim_work.work);
	unsigned long before = jiffies - SVCRDMA_TRIM_INTERVAL;

	svcrdma_req_pool_trim(rdma, before);
	svcrdma_send_pool_trim(rdma, before);
	svcrdma_rw_pool_trim(rdma, before);
	svcrdma_trim_start(rdma);
}

/**
 * svcrdma_trim_init - set up what this file has in a connection
 * @rdma: new connection
 *
 * Context: any.
 */
void svcrdma_trim_init(struct svcrdma_xprt *rdma)
{
	svcrdma_pool_init(&rdma->reqs);
	svcrdma_pool_init(&rdma->sends);
	svcrdma_pool_init(&rdma->rw_pool);
	INIT_DELAYED_WORK(&rdma->trim_work, svcrdma_trim_work);
}

/**
 * svcrdma_trim_start - look for what is not needed, from now on
 * @rdma: connection that can take Calls
 *
 * Context: process context, does not sleep. svcrdma_trim_stop() ends it.
 */
void svcrdma_trim_start(struct svcrdma_xprt *rdma)
{
	queue_delayed_work(svcrdma_wq, &rdma->trim_work,
			   round_jiffies_relative(SVCRDMA_TRIM_INTERVAL));
}

/**
 * svcrdma_trim_stop - the connection is about to go
 * @rdma: connection without references
 *
 * When this returns nothing is given back any more.
 *
 * Context: may sleep.
 */
void svcrdma_trim_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->trim_work);
}
