// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page recycling: pages for the data sink of RDMA Reads.
 *
 * The payload of a Call with Read chunks arrives in pages of its own, which are kept for
 * the next Call. On a kernel that clears pages on allocation (init_on_alloc), allocating
 * them would cost more than all else that this transport does.
 *
 * All pages come from svcrdma_recycle_take(), so they are never pages of a file or of
 * an nfsd thread. A page that anybody else has a reference to when it comes back is not
 * kept. A page has the data of the last Call that used it. A page is only ever a data sink,
 * and assemble.c fills each byte of a data sink that is passed to nfsd. But some devices
 * report success for an RDMA Read that brought fewer bytes. So a page that was used for
 * another client is cleared, and new pages are.
 *
 * Each NUMA node has one stack of pages for all transports. The last page in is the
 * first out, since it is most likely in the CPU's cache. A stack has a fixed limit, and
 * a work item frees the pages that were not used for a while.
 */
#include <kunit/visibility.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <compat/bulk_pages.h>
#include "page_recycle.h"
#include "svcrdma.h"

/*
 * struct svcrdma_page_stack - recycled pages of a NUMA node
 * @lock:   protects all fields
 * @n:	    pages in @pages; may be read without @lock
 * @unused: the smallest value of @n since the last trim
 * @wanted: pages that RDMA Reads have needed
 * @reused: those of @wanted that were on the stack
 * @pages:  the pages, the last one on top
 */
struct svcrdma_page_stack {
	spinlock_t		lock;		/* see above */
	unsigned int		n;
	unsigned int		unused;
	u64			wanted;
	u64			reused;
	struct page		*pages[SVCRDMA_RECYCLE_MAX];
};

static struct svcrdma_page_stack **svcrdma_page_stacks;

static void svcrdma_recycle_trim_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(svcrdma_recycle_trim_work, svcrdma_recycle_trim_fn);

/* In small batches, so that the lock is held only for a short time */
static void svcrdma_page_stack_trim(struct svcrdma_page_stack *stack)
{
	struct page *batch[16];
	unsigned int n;

	do {
		spin_lock(&stack->lock);
		n = min_t(unsigned int, stack->unused, ARRAY_SIZE(batch));
		WRITE_ONCE(stack->n, stack->n - n);
		stack->unused -= n;
		memcpy(batch, stack->pages + stack->n, n * sizeof(*batch));
		if (!n)
			stack->unused = stack->n;
		spin_unlock(&stack->lock);
		release_pages(batch, n);
	} while (n);
}

static void svcrdma_recycle_queue_trim(void)
{
	queue_delayed_work(svcrdma_wq, &svcrdma_recycle_trim_work,
			   round_jiffies_relative(RPCRDMA_TRIM_INTERVAL));
}

static void svcrdma_recycle_trim_fn(struct work_struct *work)
{
	int node;

	svcrdma_recycle_trim();
	for_each_node(node)
		if (READ_ONCE(svcrdma_page_stacks[node]->n))
			svcrdma_recycle_queue_trim();
}

/**
 * svcrdma_recycle_pop - take pages off the stack of this NUMA node
 * @pages: filled in; the caller owns the pages
 * @n: pages wanted
 *
 * Context: process context, does not sleep.
 * Return: number of pages taken, from 0 to @n.
 */
unsigned int svcrdma_recycle_pop(struct page **pages, unsigned int n)
{
	struct svcrdma_page_stack *stack = svcrdma_page_stacks[numa_mem_id()];

	spin_lock(&stack->lock);
	stack->wanted += n;
	n = min(n, stack->n);
	stack->reused += n;
	WRITE_ONCE(stack->n, stack->n - n);
	memcpy(pages, stack->pages + stack->n, n * sizeof(*pages));
	stack->unused = min(stack->unused, stack->n);
	spin_unlock(&stack->lock);
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_recycle_pop);

/* A recycled page has the client that used it last in page_private() */
static void svcrdma_recycle_clear(struct page **pages, unsigned int n,
				  unsigned long client)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (page_private(pages[i]) != client)
			clear_page(page_address(pages[i]));
		set_page_private(pages[i], 0);
	}
}

/**
 * svcrdma_recycle_take - take pages off the stack, and allocate what is missing
 * @pages: filled in; the caller owns the pages
 * @n: pages wanted
 * @client: number of the client, not 0; no page has data of another one
 *
 * Context: may reclaim memory once; the caller keeps reclaim out of the file system.
 * Return: number of pages; less than @n without memory.
 */
unsigned int svcrdma_recycle_take(struct page **pages, unsigned int n,
				  unsigned long client)
{
	unsigned int had, got = svcrdma_recycle_pop(pages, n);

	svcrdma_recycle_clear(pages, got, client);
	if (likely(got == n))
		return n;
	memset(pages + got, 0, (n - got) * sizeof(*pages));
	do {
		had = got;
		got = alloc_pages_bulk(RPCRDMA_GFP_ONCE | __GFP_ZERO, n, pages);
	} while (got > had && got < n);
	return got;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_recycle_take);

/*
 * Puts the pages without other references first, and marks them; returns how many there
 * are
 */
static unsigned int svcrdma_recycle_sort(struct page **pages, unsigned int n,
					 unsigned long client)
{
	unsigned int i, own = 0;

	for (i = 0; i < n; i++) {
		if (unlikely(page_count(pages[i]) != 1))
			continue;
		set_page_private(pages[i], client);
		if (unlikely(own != i))
			swap(pages[own], pages[i]);
		own++;
	}
	return own;
}

/**
 * svcrdma_recycle_give - put pages on the stack of this NUMA node
 * @pages: pages from svcrdma_recycle_take(); no longer the caller's afterwards, and
 *	reordered
 * @n: number of pages
 * @client: number of the client whose data they have
 *
 * Pages beyond the limit of the stack are freed, and so are pages with other references.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_recycle_give(struct page **pages, unsigned int n,
			  unsigned long client)
{
	struct svcrdma_page_stack *stack = svcrdma_page_stacks[numa_mem_id()];
	unsigned int kept, own = svcrdma_recycle_sort(pages, n, client);

	spin_lock(&stack->lock);
	kept = min_t(unsigned int, own, SVCRDMA_RECYCLE_MAX - stack->n);
	memcpy(stack->pages + stack->n, pages, kept * sizeof(*pages));
	WRITE_ONCE(stack->n, stack->n + kept);
	spin_unlock(&stack->lock);

	if (kept && !delayed_work_pending(&svcrdma_recycle_trim_work))
		svcrdma_recycle_queue_trim();
	if (kept < n)
		release_pages(pages + kept, n - kept);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_recycle_give);

/**
 * svcrdma_recycle_trim - free the pages that were not used since the last call
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

/**
 * svcrdma_recycle_counts - how many pages RDMA Reads have needed since the module was loaded
 * @reused: filled in: those that were recycled
 *
 * Context: process context, does not sleep.
 * Return: all of them, the recycled ones included.
 */
u64 svcrdma_recycle_counts(u64 *reused)
{
	struct svcrdma_page_stack *stack;
	u64 wanted = 0;
	int node;

	*reused = 0;
	for_each_node(node) {
		stack = svcrdma_page_stacks[node];
		spin_lock(&stack->lock);
		wanted += stack->wanted;
		*reused += stack->reused;
		spin_unlock(&stack->lock);
	}
	return wanted;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_recycle_counts);

static void svcrdma_page_stacks_free(void)
{
	int node;

	for_each_node(node)
		kvfree(svcrdma_page_stacks[node]);
	kfree(svcrdma_page_stacks);
}

/**
 * svcrdma_recycle_start - create an empty stack for each NUMA node
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
 * svcrdma_recycle_stop - free all pages and stacks
 *
 * Context: module exit, after the last transport and before svcrdma_wq is destroyed;
 * may sleep.
 */
void svcrdma_recycle_stop(void)
{
	int node;

	cancel_delayed_work_sync(&svcrdma_recycle_trim_work);
	for_each_node(node)
		release_pages(svcrdma_page_stacks[node]->pages,
			      svcrdma_page_stacks[node]->n);
	svcrdma_page_stacks_free();
}
