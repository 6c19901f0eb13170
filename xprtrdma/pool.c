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
#define XPRTRDMA_TRIM_INTERVAL	(30UL * HZ)

/**
 * xprtrdma_pool_idle - take out what nobody has wanted for a while
 * @idle: list of spare objects
 * @keep: so many stay in any case
 * @before: jiffies; those that have been spare since then
 * @gone: they are moved here
 *
 * Context: holds the lock of @idle.
 */
void xprtrdma_pool_idle(struct list_head *idle, unsigned int keep,
			unsigned long before, struct list_head *gone)
{
	struct xprtrdma_pool_item *item;
	unsigned int n = 0;

	list_for_each_entry(item, idle, node) {
		if (n++ < keep || time_after(item->since, before))
			continue;
		/* Those behind it have been there for longer */
		list_bulk_move_tail(gone, &item->node, idle->prev);
		return;
	}
}

static void xprtrdma_trim_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    trim_work.work);
	unsigned long before = jiffies - XPRTRDMA_TRIM_INTERVAL;
	unsigned int nofs = memalloc_nofs_save();

	xprtrdma_mr_pool_trim(r_xprt, before);
	xprtrdma_send_pool_trim(r_xprt, before);
	xprtrdma_req_pool_trim(r_xprt, XPRTRDMA_REQS_MIN, before);
	memalloc_nofs_restore(nofs);
	xprtrdma_trim_start(r_xprt);
}

/**
 * xprtrdma_trim_init - set up what this file has in a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_trim_init(struct xprtrdma_xprt *r_xprt)
{
	INIT_DELAYED_WORK(&r_xprt->trim_work, xprtrdma_trim_work);
}

/**
 * xprtrdma_trim_start - look for what is not needed, from now on
 * @r_xprt: transport with a connection
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_trim_start(struct xprtrdma_xprt *r_xprt)
{
	queue_delayed_work(xprtrdma_wq, &r_xprt->trim_work,
			   round_jiffies_relative(XPRTRDMA_TRIM_INTERVAL));
}

/**
 * xprtrdma_trim_stop - the connection is about to go
 * @r_xprt: transport
 *
 * When this returns nothing is given back any more.
 *
 * Context: may sleep; holds XPRT_LOCKED or is the only user.
 */
void xprtrdma_trim_stop(struct xprtrdma_xprt *r_xprt)
{
	cancel_delayed_work_sync(&r_xprt->trim_work);
}
