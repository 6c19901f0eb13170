/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages that wait to be the sink of a Call's RDMA Reads.
 */
#ifndef _SVCRDMA_SINK_H
#define _SVCRDMA_SINK_H

#include <linux/sizes.h>
#include <linux/spinlock.h>

struct page;

/* What a connection keeps for itself, and what all of them keep together */
#define SVCRDMA_SINK_OWN	(SZ_256K >> PAGE_SHIFT)
#define SVCRDMA_SINK_COMMON	(SZ_4M >> PAGE_SHIFT)

/**
 * struct svcrdma_pile - pages, last in, first out
 * @lock:     all of this
 * @n:	      how many; may be looked at without @lock
 * @max:      room for so many
 * @unwanted: so many were there all the time since the last trimming
 * @pages:    @max of them
 */
struct svcrdma_pile {
	spinlock_t		lock;		/* see above */
	unsigned int		n;
	unsigned int		max;
	unsigned int		unwanted;
	struct page		**pages;
};

/**
 * struct svcrdma_sink - pages of a connection
 * @pile:  those that it keeps for itself
 * @pages: room for @pile
 */
struct svcrdma_sink {
	struct svcrdma_pile	pile;
	struct page		*pages[SVCRDMA_SINK_OWN];
};

bool svcrdma_page_ours(struct page *page);
void svcrdma_sink_init(struct svcrdma_sink *sink);
unsigned int svcrdma_sink_take(struct svcrdma_sink *sink, struct page **pages,
			       unsigned int n);
void svcrdma_sink_give(struct svcrdma_sink *sink, struct page **pages,
		       unsigned int n);
void svcrdma_sink_trim(struct svcrdma_sink *sink);
void svcrdma_sink_free(struct svcrdma_sink *sink);
void svcrdma_sink_trim_common(void);
void svcrdma_sink_stop(void);

#endif
