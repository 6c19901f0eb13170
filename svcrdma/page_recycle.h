/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page recycling: pages for the data sink of RDMA Reads.
 */
#ifndef _SVCRDMA_PAGE_RECYCLE_H
#define _SVCRDMA_PAGE_RECYCLE_H

#include <asm/page.h>
#include <linux/sizes.h>
#include <linux/types.h>

struct page;

/* Limit on the pages that one NUMA node keeps */
#define SVCRDMA_RECYCLE_MAX	(SZ_4M >> PAGE_SHIFT)

/* page_recycle.c */
unsigned int svcrdma_recycle_pop(struct page **pages, unsigned int n);
unsigned int svcrdma_recycle_take(struct page **pages, unsigned int n,
				  unsigned long client);
void svcrdma_recycle_give(struct page **pages, unsigned int n,
			  unsigned long client);
void svcrdma_recycle_trim(void);
u64 svcrdma_recycle_counts(u64 *reused);
int svcrdma_recycle_start(void);
void svcrdma_recycle_stop(void);

#endif
