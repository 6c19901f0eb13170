// SPDX-License-Identifier: GPL-2.0-only
/*
 * Giving back what a connection has not needed for a while.
 *
 * MRs, Send contexts and requests are made when an RPC finds none, and kept for
 * the next. Whatever was put back last is taken first, so that those a connection
 * does not need any more gather at the end of each list. A work item looks there
 * from time to time, as long as there is a connection: an NFSv4.1 mount may keep
 * one for months. As many spare ones stay as a connection begins with, so that the
 * next RPC does not depend on finding memory.
 */
#include <linux/sched/mm.h>
#include "xprtrdma.h"

/* Twice as long is the most that anything stays */
#define XPRTRDMA_IDLE	(30UL * HZ)

/**
 * xprtrdma_items_idle - take out what nobody has wanted for a while
 * @spare: list of spare objects
 * @keep: so many stay in any case
 * @before: jiffies; those that have been spare since then
 * @gone: they are moved here
 *
 * Context: holds the lock of @spare.
 */
void xprtrdma_items_idle(struct list_head *spare, unsigned int keep,
			 unsigned long before, struct list_head *gone)
{
	struct xprtrdma_item *item;
	unsigned int n = 0;

	list_for_each_entry(item, spare, node) {
		if (n++ < keep || time_after(item->since, before))
			continue;
		/* Those behind it have been there for longer */
		list_bulk_move_tail(gone, &item->node, spare->prev);
		return;
	}
}

static void xprtrdma_idle_work(struct work_struct *work)
{
	struct xprtrdma_xprt *sx = container_of(work, struct xprtrdma_xprt,
						idle_work.work);
	unsigned long before = jiffies - XPRTRDMA_IDLE;
	unsigned int nofs = memalloc_nofs_save();

	xprtrdma_mrs_trim(sx, before);
	xprtrdma_sends_trim(sx, before);
	xprtrdma_reqs_trim(sx, XPRTRDMA_REQS_KEPT, before);
	memalloc_nofs_restore(nofs);
	xprtrdma_idle_start(sx);
}

/**
 * xprtrdma_idle_init - set up what this file has in a transport
 * @sx: new transport
 *
 * Context: any.
 */
void xprtrdma_idle_init(struct xprtrdma_xprt *sx)
{
	INIT_DELAYED_WORK(&sx->idle_work, xprtrdma_idle_work);
}

/**
 * xprtrdma_idle_start - look for what is not needed, from now on
 * @sx: transport with a connection
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_idle_start(struct xprtrdma_xprt *sx)
{
	queue_delayed_work(xprtrdma_wq, &sx->idle_work,
			   round_jiffies_relative(XPRTRDMA_IDLE));
}

/**
 * xprtrdma_idle_stop - the connection is about to go
 * @sx: transport
 *
 * When this returns nothing is given back any more.
 *
 * Context: may sleep; holds XPRT_LOCKED or is the only user.
 */
void xprtrdma_idle_stop(struct xprtrdma_xprt *sx)
{
	cancel_delayed_work_sync(&sx->idle_work);
}
