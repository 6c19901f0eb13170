// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exhausts the memory of the machine, without fault injection: takes all free blocks of two
 * or more pages, and goes on taking those that are freed. Allocations of two pages, such
 * as those of 8 KiB, then find none, and reclaim cannot make any, because the neighbour of
 * each page that it frees is taken. Single pages are left, so that programs can run; but
 * nothing can start a thread, which needs several pages in one piece.
 *
 * The parameter "leave" is the amount of memory in such blocks that stays free, in KiB.
 * Writing it begins, and takes the last blocks a few ticks later; writing -1 gives everything
 * back.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/timer.h>

/* Largest block to take; larger ones are taken in parts of this size */
#define EXHAUST_ORDER		3

/* Single pages that are free in the beginning */
#define EXHAUST_SINGLES		((24UL << 20) / PAGE_SIZE)

#define EXHAUST_INTERVAL	(HZ / 100 ?: 1)
/* What is reserved too: free pages that the allocator keeps for a CPU do not count */
#define EXHAUST_GFP		(GFP_ATOMIC | __GFP_MEMALLOC | __GFP_NOWARN)

struct exhaust_block {
	struct list_head	node;
	unsigned int		order;
};

static int exhaust_leave = -1;
static LIST_HEAD(exhaust_blocks);
static DEFINE_SPINLOCK(exhaust_lock);

/* The description of a block is at its start */
static void exhaust_keep(struct page *page, unsigned int order)
{
	struct exhaust_block *block = page_address(page);

	block->order = order;
	list_add_tail(&block->node, &exhaust_blocks);
}

/*
 * The allocator keeps some free blocks for each CPU, and does not count them. So take all
 * blocks, and then free as many as are to be left.
 */
static void exhaust_take(void)
{
	unsigned long leave = (unsigned long)exhaust_leave * 1024 / PAGE_SIZE;
	struct list_head *pos = exhaust_blocks.prev;
	unsigned int order = EXHAUST_ORDER;
	struct exhaust_block *block, *next;
	struct page *page;

	while (order) {
		page = alloc_pages(EXHAUST_GFP, order);
		if (page)
			exhaust_keep(page, order);
		else
			order--;
	}
	/* Of those that were taken just now, the largest: no others are to become free */
	block = list_entry(pos, struct exhaust_block, node);
	list_for_each_entry_safe_continue(block, next, &exhaust_blocks, node) {
		if (1UL << block->order > leave)
			continue;
		leave -= 1UL << block->order;
		list_del(&block->node);
		__free_pages(virt_to_page(block), block->order);
	}
}

static void exhaust_tick(struct timer_list *timer)
{
	spin_lock(&exhaust_lock);
	if (exhaust_leave >= 0) {
		exhaust_take();
		mod_timer(timer, jiffies + EXHAUST_INTERVAL);
	}
	spin_unlock(&exhaust_lock);
}

static DEFINE_TIMER(exhaust_timer, exhaust_tick);

/* One page of each pair stays taken, so that the other cannot become a pair again */
static void exhaust_free_singles(void)
{
	LIST_HEAD(singles);
	struct page *page;
	unsigned long n;

	for (n = 0; n < EXHAUST_SINGLES; n++) {
		page = alloc_pages(EXHAUST_GFP, 1);
		if (!page)
			break;
		split_page(page, 1);
		exhaust_keep(page, 0);
		list_add(&page[1].lru, &singles);
	}
	while (!list_empty(&singles)) {
		page = list_first_entry(&singles, struct page, lru);
		list_del(&page->lru);
		__free_page(page);
	}
}

static void exhaust_stop(void)
{
	struct exhaust_block *block, *next;
	LIST_HEAD(blocks);

	spin_lock_bh(&exhaust_lock);
	exhaust_leave = -1;
	list_splice_init(&exhaust_blocks, &blocks);
	spin_unlock_bh(&exhaust_lock);
	list_for_each_entry_safe(block, next, &blocks, node)
		__free_pages(virt_to_page(block), block->order);
}

static int exhaust_set(const char *val, const struct kernel_param *kp)
{
	int leave, ret;

	ret = kstrtoint(val, 0, &leave);
	if (ret)
		return ret;
	if (leave < 0) {
		exhaust_stop();
		return 0;
	}
	spin_lock_bh(&exhaust_lock);
	if (exhaust_leave < 0)
		exhaust_free_singles();
	exhaust_leave = leave;
	exhaust_take();
	mod_timer(&exhaust_timer, jiffies + EXHAUST_INTERVAL);
	spin_unlock_bh(&exhaust_lock);
	return 0;
}

static const struct kernel_param_ops exhaust_param_ops = {
	.set = exhaust_set,
};

module_param_cb(leave, &exhaust_param_ops, NULL, 0200);
MODULE_PARM_DESC(leave, "KiB to leave in blocks of two or more pages, or -1");

static int __init exhaust_init(void)
{
	return 0;	/* taking memory begins when the parameter is written */
}

static void __exit exhaust_exit(void)
{
	exhaust_stop();
	timer_shutdown_sync(&exhaust_timer);
}

module_init(exhaust_init);
module_exit(exhaust_exit);

MODULE_DESCRIPTION("Exhausts memory");
MODULE_LICENSE("GPL");
