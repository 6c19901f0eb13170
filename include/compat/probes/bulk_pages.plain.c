// SPDX-License-Identifier: GPL-2.0-only
/* alloc_pages_bulk() fills an array */
#include <linux/gfp.h>

unsigned long probe(struct page **pages, unsigned long n);

unsigned long probe(struct page **pages, unsigned long n)
{
	return alloc_pages_bulk(GFP_KERNEL, n, pages);
}
