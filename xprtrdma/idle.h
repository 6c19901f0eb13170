/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is kept for the next RPC, and given back when none comes; see idle.c.
 */
#ifndef _XPRTRDMA_IDLE_H
#define _XPRTRDMA_IDLE_H

#include <linux/jiffies.h>
#include <linux/list.h>

struct xprtrdma_xprt;

/**
 * struct xprtrdma_item - what an object has that can be spare
 * @node:  in a list of spare objects, or with whoever uses it
 * @since: in that list: since when, jiffies
 */
struct xprtrdma_item {
	struct list_head	node;
	unsigned long		since;
};

/**
 * xprtrdma_item_spare - nobody uses an object any more
 * @item: of the object; in no list, or in one whose lock is held
 * @spare: list of spare objects
 *
 * Context: holds the lock of @spare.
 */
static inline void xprtrdma_item_spare(struct xprtrdma_item *item,
				       struct list_head *spare)
{
	item->since = jiffies;
	list_move(&item->node, spare);
}

void xprtrdma_items_idle(struct list_head *spare, unsigned int keep,
			 unsigned long before, struct list_head *gone);
void xprtrdma_idle_init(struct xprtrdma_xprt *sx);
void xprtrdma_idle_start(struct xprtrdma_xprt *sx);
void xprtrdma_idle_stop(struct xprtrdma_xprt *sx);

#endif /* _XPRTRDMA_IDLE_H */
