// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that wait to be the sink of a Call's RDMA Reads.
 *
 * A Call with Read chunks takes as many pages as it has payload, and the nfsd
 * thread that gets it when the Reads are done has as many left over, those that it
 * had in that place before. They wait here for the next Call. Without that each
 * thread would have sunrpc find new ones, and a kernel that clears what it allocates
 * (init_on_alloc) spends more on that than all of this transport does.
 *
 * Each NUMA node has one pile for all connections, last in, first out, so that one
 * Call at a time uses the same pages again and again, whichever connection it comes
 * on. A pile has a limit, and what nobody has wanted for a while is given back by a
 * work item that runs as long as there are any.
 */
#include <kunit/visibility.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "svcrdma.h"

/*
 * struct svcrdma_page_stack - pages that were given on a NUMA node
 * @lock:     all of this
 * @n:	      used in @pages; may be looked at without @lock
 * @unused: so many were there all the time since the last trimming
 * @pages:    last in, first out
 */
struct svcrdma_page_stack {
	spinlock_t		lock;		/* see above */
	unsigned int		n;
	unsigned int		unused;
	struct page		*pages[SVCRDMA_RECYCLE_MAX];
};

static struct svcrdma_page_stack **svcrdma_page_stacks;

static void svcrdma_recycle_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(svcrdma_recycle_later, svcrdma_recycle_work);

/* A few at a time, so that nobody waits for long */
static void svcrdma_page_stack_trim(struct svcrdma_page_stack *stack)
{
	struct page *some[16];
	unsigned int n;

	do {
		spin_lock(&stack->lock);
		n = min_t(unsigned int, stack->unused, ARRAY_SIZE(some));
		WRITE_ONCE(stack->n, stack->n - n);
		stack->unused -= n;
		memcpy(some, stack->pages + stack->n, n * sizeof(*some));
		if (!n)
			stack->unused = stack->n;
		spin_unlock(&stack->lock);
		release_pages(some, n);
	} while (n);
}

static void svcrdma_recycle_trim_later(void)
{
	queue_delayed_work(svcrdma_wq, &svcrdma_recycle_later,
			   round_jiffies_relative(SVCRDMA_TRIM_INTERVAL));
}

static void svcrdma_recycle_work(struct work_struct *work)
{
	int node;

	svcrdma_recycle_trim();
	for_each_node(node)
		if (READ_ONCE(svcrdma_page_stacks[node]->n))
			svcrdma_recycle_trim_later();
}

/**
 * svcrdma_page_recyclable - may a page of an nfsd thread be written to?
 * @page: entry of rq_pages
 *
 * nfsd can leave pages of the page cache there, or the zero page of a hole: when it
 * finds that there is no room for what follows a READ, it takes the READ back, and
 * its pages are forgotten.
 *
 * Context: any.
 * Return: false if it is one of those.
 */
bool svcrdma_page_recyclable(struct page *page)
{
	return !PageLRU(page) && !PageCompound(page) &&
	       !PageReserved(page) && !READ_ONCE(page->mapping);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_page_recyclable);

/**
 * svcrdma_recycle_take - get pages for a Call
 * @pages: where they go; they are the caller's then
 * @n: how many are wanted
 *
 * Context: process context, does not sleep.
 * Return: how many there were, at most @n.
 */
unsigned int svcrdma_recycle_take(struct page **pages, unsigned int n)
{
	struct svcrdma_page_stack *stack = svcrdma_page_stacks[numa_mem_id()];

	spin_lock(&stack->lock);
	n = min(n, stack->n);
	WRITE_ONCE(stack->n, stack->n - n);
	memcpy(pages, stack->pages + stack->n, n * sizeof(*pages));
	stack->unused = min(stack->unused, stack->n);
	spin_unlock(&stack->lock);
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_recycle_take);

/**
 * svcrdma_recycle_give - give pages that are left over
 * @pages: the caller's; not any more
 * @n: how many
 *
 * Those that are too many are freed.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_recycle_give(struct page **pages, unsigned int n)
{
	struct svcrdma_page_stack *stack = svcrdma_page_stacks[numa_mem_id()];
	unsigned int kept;

	spin_lock(&stack->lock);
	kept = min_t(unsigned int, n, SVCRDMA_RECYCLE_MAX - stack->n);
	memcpy(stack->pages + stack->n, pages, kept * sizeof(*pages));
	WRITE_ONCE(stack->n, stack->n + kept);
	spin_unlock(&stack->lock);

	if (kept && !delayed_work_pending(&svcrdma_recycle_later))
		svcrdma_recycle_trim_later();
	if (kept < n)
		release_pages(pages + kept, n - kept);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_recycle_give);

/**
 * svcrdma_recycle_trim - free what nobody has wanted since the last time
 *
 * Context: process context, does not sleep.
 */
void svcrdma_recycle_trim(void)
{
	int node;

	for_each_node(node)
		svcrdma_page_stack_trim(svcrdma_page_stacks[node]);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_recycle_trim);

static void svcrdma_page_stacks_free(void)
{
	int node;

	for_each_node(node)
		kvfree(svcrdma_page_stacks[node]);
	kfree(svcrdma_page_stacks);
}

/**
 * svcrdma_recycle_start - make empty piles
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_recycle_start(void)
{
	struct svcrdma_page_stack *stack;
	int node;

	svcrdma_page_stacks = kcalloc(nr_node_ids, sizeof(*svcrdma_page_stacks),
				      GFP_KERNEL);
	if (!svcrdma_page_stacks)
		return -ENOMEM;
	for_each_node(node) {
		stack = kvzalloc_node(sizeof(*stack), GFP_KERNEL, node);
		if (!stack) {
			svcrdma_page_stacks_free();
			return -ENOMEM;
		}
		spin_lock_init(&stack->lock);
		svcrdma_page_stacks[node] = stack;
	}
	return 0;
}

/**
 * svcrdma_recycle_stop - free all pages; no connection is left
 *
 * Context: module exit; svcrdma_wq is still there.
 */
void svcrdma_recycle_stop(void)
{
	int node;

	cancel_delayed_work_sync(&svcrdma_recycle_later);
	for_each_node(node)
		release_pages(svcrdma_page_stacks[node]->pages,
			      svcrdma_page_stacks[node]->n);
	svcrdma_page_stacks_free();
}
