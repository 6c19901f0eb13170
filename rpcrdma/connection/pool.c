// SPDX-License-Identifier: GPL-2.0-only
/*
 * Freeing idle objects.
 *
 * MRs, Send contexts, requests and rdma_rw contexts are allocated when an RPC finds
 * none idle, and kept for the next RPC. An NFSv4.1 client may keep its connection for
 * months, and would keep all memory of its busiest moment. So a work item frees from
 * time to time what has not been needed for a while. A minimum stays idle in each
 * pool, so that the next RPC does not depend on an allocation.
 */
#include <linux/sched/mm.h>
#include <rpcrdma/pool.h>
#include "../core.h"

/**
 * rpcrdma_idle_trim - take the objects that have been idle for long off a list
 * @idle: list of idle objects
 * @keep: number of idle objects that stay in any case
 * @before: jiffies; objects that have been idle since then, or longer
 * @gone: list that they are moved to
 * @lock: lock of @idle, held
 *
 * Context: any.
 */
void rpcrdma_idle_trim(struct list_head *idle, unsigned int keep,
		       unsigned long before, struct list_head *gone,
		       spinlock_t *lock)
{
	struct rpcrdma_pool_item *item;
	unsigned int n = 0;

	lockdep_assert_held(lock);
	list_for_each_entry(item, idle, node) {
		if (n++ < keep || time_after(item->since, before))
			continue;
		/* All objects behind it have been idle for longer */
		list_bulk_move_tail(gone, &item->node, idle->prev);
		return;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_idle_trim);

static void rpcrdma_trimmer_queue(struct rpcrdma_trimmer *trimmer)
{
	queue_delayed_work(trimmer->wq, &trimmer->work,
			   round_jiffies_relative(RPCRDMA_TRIM_INTERVAL));
}

static void rpcrdma_trimmer_work(struct work_struct *work)
{
	struct rpcrdma_trimmer *trimmer =
		container_of(work, struct rpcrdma_trimmer, work.work);
	unsigned int nofs = memalloc_nofs_save();

	trimmer->trim(trimmer, jiffies - RPCRDMA_TRIM_INTERVAL);
	memalloc_nofs_restore(nofs);
	rpcrdma_trimmer_queue(trimmer);
}

/**
 * rpcrdma_trimmer_init - a trimmer that is stopped
 * @trimmer: memory of the trimmer
 * @trim: see struct rpcrdma_trimmer; runs in process context and may sleep
 *
 * Context: any.
 */
void rpcrdma_trimmer_init(struct rpcrdma_trimmer *trimmer,
			  void (*trim)(struct rpcrdma_trimmer *trimmer,
				       unsigned long before))
{
	INIT_DELAYED_WORK(&trimmer->work, rpcrdma_trimmer_work);
	trimmer->trim = trim;
}
EXPORT_SYMBOL_GPL(rpcrdma_trimmer_init);

/**
 * rpcrdma_trimmer_start - begin to free idle objects
 * @trimmer: trimmer that is stopped
 * @wq: workqueue to run on
 *
 * Context: process context, does not sleep. rpcrdma_trimmer_stop() ends it.
 */
void rpcrdma_trimmer_start(struct rpcrdma_trimmer *trimmer,
			   struct workqueue_struct *wq)
{
	trimmer->wq = wq;
	rpcrdma_trimmer_queue(trimmer);
}
EXPORT_SYMBOL_GPL(rpcrdma_trimmer_start);

/**
 * rpcrdma_trimmer_stop - free no more idle objects
 * @trimmer: trimmer, started or not; its work is over when this returns
 *
 * Context: may sleep.
 */
void rpcrdma_trimmer_stop(struct rpcrdma_trimmer *trimmer)
{
	cancel_delayed_work_sync(&trimmer->work);
}
EXPORT_SYMBOL_GPL(rpcrdma_trimmer_stop);
