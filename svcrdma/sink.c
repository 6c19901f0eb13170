// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that wait to be the sink of a Call's RDMA Reads.
 *
 * A Call with Read chunks takes as many pages as it has payload, and the nfsd
 * thread that gets it when the Reads are done has as many left over, those that it
 * had in that place before. They wait here for the next Call on the connection.
 * Without that each thread would have sunrpc find new ones, and a kernel that clears
 * what it allocates (init_on_alloc) spends more on that than all of this transport
 * does.
 *
 * Last in, first out, so that one Call at a time uses the same pages again and
 * again. A connection may always keep a few; for more, all connections together
 * have a common limit. What has not been wanted for a while is given back, and so
 * is the connection's part of the common limit; see spare.c.
 */
#include <kunit/visibility.h>
#include <linux/mm.h>
#include "sink.h"

static atomic_t svcrdma_sink_shared = ATOMIC_INIT(0);

/* The common limit is asked for more only when it is needed, and once */
static unsigned int svcrdma_sink_room(struct svcrdma_sink *sink,
				      unsigned int n)
{
	unsigned int room = SVCRDMA_SINK_OWN + sink->shared - sink->n;
	unsigned int more;

	if (n <= room)
		return n;
	more = n - room;
	if (atomic_read(&svcrdma_sink_shared) + more > SVCRDMA_SINK_SHARED)
		return room;
	if (atomic_add_return(more, &svcrdma_sink_shared) >
	    SVCRDMA_SINK_SHARED) {
		atomic_sub(more, &svcrdma_sink_shared);
		return room;
	}
	sink->shared += more;
	return n;
}

/**
 * svcrdma_sink_init - set up an empty sink
 * @sink: of a new connection
 *
 * Context: any.
 */
void svcrdma_sink_init(struct svcrdma_sink *sink)
{
	spin_lock_init(&sink->lock);
	INIT_LIST_HEAD(&sink->pages);
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
	unsigned int i;

	spin_lock(&sink->lock);
	n = min(n, sink->n);
	for (i = 0; i < n; i++) {
		pages[i] = list_first_entry(&sink->pages, struct page, lru);
		list_del(&pages[i]->lru);
	}
	sink->n -= n;
	sink->unwanted = min(sink->unwanted, sink->n);
	spin_unlock(&sink->lock);
	return n;
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
	unsigned int i, kept;

	spin_lock(&sink->lock);
	kept = svcrdma_sink_room(sink, n);
	for (i = 0; i < kept; i++)
		list_add(&pages[i]->lru, &sink->pages);
	sink->n += kept;
	spin_unlock(&sink->lock);
	if (kept < n)
		release_pages(pages + kept, n - kept);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_give);

/* The oldest ones */
static void svcrdma_sink_shrink(struct svcrdma_sink *sink, unsigned int n,
				struct list_head *old)
{
	unsigned int shared = min(n, sink->shared);

	sink->n -= n;
	sink->shared -= shared;
	atomic_sub(shared, &svcrdma_sink_shared);
	while (n--)
		list_move(sink->pages.prev, old);
}

/**
 * svcrdma_sink_trim - free what nobody has wanted since the last time
 * @sink: of a connection
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_trim(struct svcrdma_sink *sink)
{
	LIST_HEAD(old);

	spin_lock(&sink->lock);
	svcrdma_sink_shrink(sink, sink->unwanted, &old);
	sink->unwanted = sink->n;
	spin_unlock(&sink->lock);
	put_pages_list(&old);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_trim);

/**
 * svcrdma_sink_free - free all pages
 * @sink: of a connection without requests
 *
 * Context: process context, does not sleep.
 */
void svcrdma_sink_free(struct svcrdma_sink *sink)
{
	LIST_HEAD(old);

	svcrdma_sink_shrink(sink, sink->n, &old);
	put_pages_list(&old);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_sink_free);
