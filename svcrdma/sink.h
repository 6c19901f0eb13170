/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages that wait to be the sink of a Call's RDMA Reads.
 */
#ifndef _SVCRDMA_SINK_H
#define _SVCRDMA_SINK_H

#include <asm/page.h>
#include <linux/sizes.h>
#include <linux/types.h>

struct page;

/* Most pages that wait on a NUMA node */
#define SVCRDMA_SINK_MAX	(SZ_4M >> PAGE_SHIFT)

bool svcrdma_page_ours(struct page *page);
unsigned int svcrdma_sink_take(struct page **pages, unsigned int n);
void svcrdma_sink_give(struct page **pages, unsigned int n);
void svcrdma_sink_trim(void);
int svcrdma_sink_start(void);
void svcrdma_sink_stop(void);

#endif
