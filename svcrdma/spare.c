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
 * Return: struct svcrdma_spare.node of the objects, which are the caller's.
 */
struct llist_node *svcrdma_pool_idle(struct svcrdma_pool *pool,
				     unsigned int keep, unsigned long before)
{
	struct llist_node *first, *node, *last = NULL;
	struct svcrdma_spare *spare;
	unsigned int n = 0;

	spin_lock(&pool->lock);
	first = llist_del_all(&pool->free);
	llist_for_each(node, first) {
		spare = llist_entry(node, struct svcrdma_spare, node);
		if (n++ >= keep && !time_after(spare->since, before))
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

static void svcrdma_idle_work(struct work_struct *work)
{
	struct svcrdma_xprt *sx = container_of(work, struct svcrdma_xprt,
					       idle_work.work);
	unsigned long before = jiffies - SVCRDMA_IDLE;

	svcrdma_reqs_trim(sx, before);
	svcrdma_sends_trim(sx, before);
	svcrdma_rws_trim(sx, before);
	svcrdma_idle_start(sx);
}

/**
 * svcrdma_idle_init - set up what this file has in a connection
 * @sx: new connection
 *
 * Context: any.
 */
void svcrdma_idle_init(struct svcrdma_xprt *sx)
{
	svcrdma_pool_init(&sx->reqs);
	svcrdma_pool_init(&sx->sends);
	svcrdma_pool_init(&sx->rw_pool);
	INIT_DELAYED_WORK(&sx->idle_work, svcrdma_idle_work);
}

/**
 * svcrdma_idle_start - look for what is not needed, from now on
 * @sx: connection that can take Calls
 *
 * Context: process context, does not sleep. svcrdma_idle_stop() ends it.
 */
void svcrdma_idle_start(struct svcrdma_xprt *sx)
{
	queue_delayed_work(svcrdma_wq, &sx->idle_work,
			   round_jiffies_relative(SVCRDMA_IDLE));
}

/**
 * svcrdma_idle_stop - the connection is about to go
 * @sx: connection without references
 *
 * When this returns nothing is given back any more.
 *
 * Context: may sleep.
 */
void svcrdma_idle_stop(struct svcrdma_xprt *sx)
{
	cancel_delayed_work_sync(&sx->idle_work);
}
