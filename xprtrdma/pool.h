/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is kept for the next RPC, and given back when none comes; see idle.c.
 */
#ifndef _XPRTRDMA_POOL_H
#define _XPRTRDMA_POOL_H

#include <linux/jiffies.h>
#include <linux/list.h>

struct xprtrdma_xprt;

/**
 * struct xprtrdma_pool_item - what an object has that can be spare
 * @node:  in a list of spare objects, or with whoever uses it
 * @since: in that list: since when, jiffies
 */
struct xprtrdma_pool_item {
	struct list_head	node;
	unsigned long		since;
};

/**
 * xprtrdma_pool_put - nobody uses an object any more
 * @item: of the object; in no list, or in one whose lock is held
 * @idle: list of spare objects
 *
 * Context: holds the lock of @idle.
 */
static inline void xprtrdma_pool_put(struct xprtrdma_pool_item *item,
				     struct list_head *idle)
{
	item->since = jiffies;
	list_move(&item->node, idle);
}

void xprtrdma_pool_idle(struct list_head *idle, unsigned int keep,
			unsigned long before, struct list_head *gone);
void xprtrdma_trim_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_trim_start(struct xprtrdma_xprt *r_xprt);
void xprtrdma_trim_stop(struct xprtrdma_xprt *r_xprt);

#endif /* _XPRTRDMA_POOL_H */
