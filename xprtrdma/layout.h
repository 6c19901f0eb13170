/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the memory of an xdr_buf lies, in the terms of the plan
 * (protocol/plan.h).
 */
#ifndef _XPRTRDMA_LAYOUT_H
#define _XPRTRDMA_LAYOUT_H

#include <linux/mm.h>
#include <linux/sunrpc/xdr.h>
#include "protocol/plan.h"

static inline struct xprtrdma_extent
xprtrdma_kvec_extent(const struct kvec *kvec)
{
	return (struct xprtrdma_extent) {
		.offset	= offset_in_page(kvec->iov_base),
		.length	= kvec->iov_len,
	};
}

/**
 * xprtrdma_layout - the layout of an xdr_buf
 * @layout: result
 * @xdr: buffer
 *
 * Context: any.
 */
static inline void xprtrdma_layout(struct xprtrdma_layout *layout,
				   const struct xdr_buf *xdr)
{
	layout->head = xprtrdma_kvec_extent(&xdr->head[0]);
	layout->pages.offset = offset_in_page(xdr->page_base);
	layout->pages.length = xdr->page_len;
	layout->tail = xprtrdma_kvec_extent(&xdr->tail[0]);
}

/**
 * xprtrdma_pages - the first page of an xdr_buf that holds data
 * @xdr: buffer
 *
 * Context: any.
 * Return: its place in the page list.
 */
static inline struct page **xprtrdma_pages(const struct xdr_buf *xdr)
{
	return xdr->pages + (xdr->page_base >> PAGE_SHIFT);
}

#endif /* _XPRTRDMA_LAYOUT_H */
