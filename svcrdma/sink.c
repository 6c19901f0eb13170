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
 * Last in, first out, so that one Call at a time uses the same pages again and
 * again. Each connection has a pile of its own, which is enough for small WRITEs;
 * what does not fit in goes to one that is common to all. What has not been wanted
 * for a while is given back: of a connection's by its own work item (spare.c), of
 * the common ones by one that runs as long as there are any.
 */
#include <kunit/visibility.h>
#include <linux/mm.h>
#include "svcrdma.h"

/* Pages of all NUMA nodes: it is for large WRITEs, for which clearing costs more */
static struct page *svcrdma_common_pages[SVCRDMA_SINK_COMMON];
static struct svcrdma_pile svcrdma_common = {
	.lock	= __SPIN_LOCK_UNLOCKED(svcrdma_common.lock),
	.max	= SVCRDMA_SINK_COMMON,
	.pages	= svcrdma_common_pages,
};

static void svcrdma_common_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(svcrdma_common_trim, svcrdma_common_work);

static unsigned int svcrdma_pile_take(struct svcrdma_pile *pile,
				      struct page **pages, unsigned int n)
{
	spin_lock(&pile->lock);
	n = min(n, pile->n);
	WRITE_ONCE(pile->n, pile->n - n);
	memcpy(pages, pile->pages + pile->n, n * sizeof(*pages));
	pile->unwanted = min(pile->unwanted, pile->n);
	spin_unlock(&pile->lock);
	return n;
}

static unsigned int svcrdma_pile_give(struct svcrdma_pile *pile,
				      struct page **pages, unsigned int n)
{
	spin_lock(&pile->lock);
	n = min(n, pile->max - pile->n);
	memcpy(pile->pages + pile->n, pages, n * sizeof(*pages));
	WRITE_ONCE(pile->n, pile->n + n);
	spin_unlock(&pile->lock);
	return n;
}

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

static void svcrdma_common_start(void)
{
	queue_delayed_work(svcrdma_wq, &svcrdma_common_trim,
			   round_jiffies_relative(SVCRDMA_IDLE));
}

static void svcrdma_common_work(struct work_struct *work)
{
	svcrdma_sink_trim_common();
	if (READ_ONCE(svcrdma_common.n))
		svcrdma_common_start();
}

/**
 * svcrdma_page_ours - may a page of an nfsd thread be written to?
 * @page: entry of rq_pages
 *
 * nfsd can leave pages of the page cache there: when it finds that there is no room
 * for what follows a READ, it takes the READ back, and its pages are forgotten.
 *
 * Context: any.
 * Return: true if it was allocated for the thread.
 */
bool svcrdma_page_ours(struct page *page)
{
	return !PageLRU(page) && !PageCompound(page) &&
	       !READ_ONCE(page->mapping);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_page_ours);

/**
 * svcrdma_sink_init - set up an empty sink
 * @sink: of a new connection
 *
 * Context: any.
 */
void svcrdma_sink_init(struct svcrdma_sink *sink)
{
	spin_lock_init(&sink->pile.lock);
	sink->pile.n = 0;
	sink->pile.max = SVCRDMA_SINK_OWN;
	sink->pile.unwanted = 0;
	sink->pile.pages = sink->pages;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_init);

/**
 * svcrdma_sink_take - get pages for a Call
 * @sink: of its connection
 * @pages: where they go; they are the caller's then
 * @n: how many are wanted
 *
 * Context: process context, does not sleep.
 * Return: how many there were, at most @n.
 */
unsigned int svcrdma_sink_take(struct svcrdma_sink *sink, struct page **pages,
			       unsigned int n)
{
	unsigned int taken = svcrdma_pile_take(&sink->pile, pages, n);

	if (taken < n && READ_ONCE(svcrdma_common.n))
		taken += svcrdma_pile_take(&svcrdma_common, pages + taken,
					   n - taken);
	return taken;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_take);

/**
 * svcrdma_sink_give - give pages that are left over
 * @sink: of their connection
 * @pages: the caller's; not any more
 * @n: how many
 *
 * Those that are too many are freed.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_give(struct svcrdma_sink *sink, struct page **pages,
		       unsigned int n)
{
	unsigned int kept = svcrdma_pile_give(&sink->pile, pages, n);
	unsigned int more;

	if (kept == n)
		return;
	more = svcrdma_pile_give(&svcrdma_common, pages + kept, n - kept);
	if (more && !delayed_work_pending(&svcrdma_common_trim))
		svcrdma_common_start();
	kept += more;
	release_pages(pages + kept, n - kept);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_give);

/**
 * svcrdma_sink_trim - free what a connection has not wanted since the last time
 * @sink: of the connection
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_trim(struct svcrdma_sink *sink)
{
	svcrdma_pile_trim(&sink->pile);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_trim);

/**
 * svcrdma_sink_free - free a connection's pages
 * @sink: of a connection without requests, whose work item is stopped
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_free(struct svcrdma_sink *sink)
{
	release_pages(sink->pages, sink->pile.n);
	sink->pile.n = 0;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_free);

/**
 * svcrdma_sink_trim_common - free what nobody has wanted since the last time
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_trim_common(void)
{
	svcrdma_pile_trim(&svcrdma_common);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_trim_common);

/**
 * svcrdma_sink_stop - free the common pages; no connection is left
 *
 * Context: module exit.
 */
void svcrdma_sink_stop(void)
{
	cancel_delayed_work_sync(&svcrdma_common_trim);
	release_pages(svcrdma_common_pages, svcrdma_common.n);
}
