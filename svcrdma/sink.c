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
 * struct svcrdma_pile - pages that were given on a NUMA node
 * @lock:     all of this
 * @n:	      used in @pages; may be looked at without @lock
 * @unwanted: so many were there all the time since the last trimming
 * @pages:    last in, first out
 */
struct svcrdma_pile {
	spinlock_t		lock;		/* see above */
	unsigned int		n;
	unsigned int		unwanted;
	struct page		*pages[SVCRDMA_SINK_MAX];
};

static struct svcrdma_pile **svcrdma_piles;

static void svcrdma_sink_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(svcrdma_sink_later, svcrdma_sink_work);

/* A few at a time, so that nobody waits for long */
static void svcrdma_pile_trim(struct svcrdma_pile *pile)
{
	struct page *some[16];
	unsigned int n;

	do {
		spin_lock(&pile->lock);
		n = min_t(unsigned int, pile->unwanted, ARRAY_SIZE(some));
		WRITE_ONCE(pile->n, pile->n - n);
		pile->unwanted -= n;
		memcpy(some, pile->pages + pile->n, n * sizeof(*some));
		if (!n)
			pile->unwanted = pile->n;
		spin_unlock(&pile->lock);
		release_pages(some, n);
	} while (n);
}

static void svcrdma_sink_trim_later(void)
{
	queue_delayed_work(svcrdma_wq, &svcrdma_sink_later,
			   round_jiffies_relative(SVCRDMA_IDLE));
}

static void svcrdma_sink_work(struct work_struct *work)
{
	int node;

	svcrdma_sink_trim();
	for_each_node(node)
		if (READ_ONCE(svcrdma_piles[node]->n))
			svcrdma_sink_trim_later();
}

/**
 * svcrdma_page_ours - may a page of an nfsd thread be written to?
 * @page: entry of rq_pages
 *
 * nfsd can leave pages of the page cache there, or the zero page of a hole: when it
 * finds that there is no room for what follows a READ, it takes the READ back, and
 * its pages are forgotten.
 *
 * Context: any.
 * Return: false if it is one of those.
 */
bool svcrdma_page_ours(struct page *page)
{
	return !PageLRU(page) && !PageCompound(page) &&
	       !PageReserved(page) && !READ_ONCE(page->mapping);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_page_ours);

/**
 * svcrdma_sink_take - get pages for a Call
 * @pages: where they go; they are the caller's then
 * @n: how many are wanted
 *
 * Context: process context, does not sleep.
 * Return: how many there were, at most @n.
 */
unsigned int svcrdma_sink_take(struct page **pages, unsigned int n)
{
	struct svcrdma_pile *pile = svcrdma_piles[numa_mem_id()];

	spin_lock(&pile->lock);
	n = min(n, pile->n);
	WRITE_ONCE(pile->n, pile->n - n);
	memcpy(pages, pile->pages + pile->n, n * sizeof(*pages));
	pile->unwanted = min(pile->unwanted, pile->n);
	spin_unlock(&pile->lock);
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_take);

/**
 * svcrdma_sink_give - give pages that are left over
 * @pages: the caller's; not any more
 * @n: how many
 *
 * Those that are too many are freed.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_give(struct page **pages, unsigned int n)
{
	struct svcrdma_pile *pile = svcrdma_piles[numa_mem_id()];
	unsigned int kept;

	spin_lock(&pile->lock);
	kept = min_t(unsigned int, n, SVCRDMA_SINK_MAX - pile->n);
	memcpy(pile->pages + pile->n, pages, kept * sizeof(*pages));
	WRITE_ONCE(pile->n, pile->n + kept);
	spin_unlock(&pile->lock);

	if (kept && !delayed_work_pending(&svcrdma_sink_later))
		svcrdma_sink_trim_later();
	if (kept < n)
		release_pages(pages + kept, n - kept);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_give);

/**
 * svcrdma_sink_trim - free what nobody has wanted since the last time
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_trim(void)
{
	int node;

	for_each_node(node)
		svcrdma_pile_trim(svcrdma_piles[node]);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_trim);

static void svcrdma_piles_free(void)
{
	int node;

	for_each_node(node)
		kvfree(svcrdma_piles[node]);
	kfree(svcrdma_piles);
}

/**
 * svcrdma_sink_start - make empty piles
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_sink_start(void)
{
	struct svcrdma_pile *pile;
	int node;

	svcrdma_piles = kcalloc(nr_node_ids, sizeof(*svcrdma_piles),
				GFP_KERNEL);
	if (!svcrdma_piles)
		return -ENOMEM;
	for_each_node(node) {
		pile = kvzalloc_node(sizeof(*pile), GFP_KERNEL, node);
		if (!pile) {
			svcrdma_piles_free();
			return -ENOMEM;
		}
		spin_lock_init(&pile->lock);
		svcrdma_piles[node] = pile;
	}
	return 0;
}

/**
 * svcrdma_sink_stop - free all pages; no connection is left
 *
 * Context: module exit; svcrdma_wq is still there.
 */
void svcrdma_sink_stop(void)
{
	int node;

	cancel_delayed_work_sync(&svcrdma_sink_later);
	for_each_node(node)
		release_pages(svcrdma_piles[node]->pages,
			      svcrdma_piles[node]->n);
	svcrdma_piles_free();
}
