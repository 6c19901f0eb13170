/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages that wait to be the sink of a Call's RDMA Reads.
 */
#ifndef _SVCRDMA_SINK_H
#define _SVCRDMA_SINK_H

#include <linux/list.h>
#include <linux/spinlock.h>

struct page;

/* Of one connection in any case: 256 KiB if pages have 4 KiB */
#define SVCRDMA_SINK_OWN	64

/* Of all connections together, beyond those: 4 MiB */
#define SVCRDMA_SINK_SHARED	1024

/**
 * struct svcrdma_sink - pages that wait for RDMA Reads
 * @lock:     all of this
 * @pages:    last in, first out
 * @n:	      how many
 * @shared:   room for so many is the connection's part of the common limit
 * @unwanted: so many were there all the time since svcrdma_sink_trim()
 */
struct svcrdma_sink {
	spinlock_t		lock;		/* see above */
	struct list_head	pages;
	unsigned int		n;
	unsigned int		shared;
	unsigned int		unwanted;
};

void svcrdma_sink_init(struct svcrdma_sink *sink);
unsigned int svcrdma_sink_take(struct svcrdma_sink *sink, struct page **pages,
			       unsigned int n);
void svcrdma_sink_give(struct svcrdma_sink *sink, struct page **pages,
		       unsigned int n);
void svcrdma_sink_trim(struct svcrdma_sink *sink);
void svcrdma_sink_free(struct svcrdma_sink *sink);

#endif
