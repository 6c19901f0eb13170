// SPDX-License-Identifier: GPL-2.0-only
/* alloc_pages_bulk_array() fills an array, and another function a list */
#include <linux/gfp.h>

unsigned long probe(struct page **pages, unsigned long n);

unsigned long probe(struct page **pages, unsigned long n)
{
	return alloc_pages_bulk_array(GFP_KERNEL, n, pages);
}
