// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cursor over an xdr_buf: returns its bytes in runs of contiguous memory, so that a run
 * can become a scatterlist entry or an SGE. Pages that follow one another in memory are one
 * run, as those of a large folio that nfsd has read.
 */
#include <kunit/visibility.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/sunrpc/xdr.h>
#include "send.h"

/* Longest run, bytes: every device that the DMA API knows takes entries of this length */
#define SVCRDMA_RUN_MAX		max_t(u32, SZ_64K, PAGE_SIZE)

/**
 * svcrdma_xdr_cursor_init - set a cursor to a range of an xdr_buf
 * @cursor: filled in
 * @xdr: buffer; must stay valid while @cursor is used
 * @offset: start of the range, bytes from the start of @xdr
 * @length: length of the range, bytes; must lie within @xdr
 *
 * Context: any.
 */
void svcrdma_xdr_cursor_init(struct svcrdma_xdr_cursor *cursor,
			     const struct xdr_buf *xdr, u32 offset, u32 length)
{
	cursor->xdr = xdr;
	cursor->pos = offset;
	cursor->end = offset + length;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_xdr_cursor_init);

static void svcrdma_kvec_run(struct bio_vec *bv, const struct kvec *iov,
			     u32 skip)
{
	void *addr = iov->iov_base + skip;

	bvec_set_page(bv, virt_to_page(addr), iov->iov_len - skip,
		      offset_in_page(addr));
}

/* Bytes from @offset in *@page on that are contiguous, at most @most */
static u32 svcrdma_pages_joined(struct page *const *page, u32 offset, u32 most)
{
	u32 len = PAGE_SIZE - offset;

	for (; len < most && page_to_pfn(page[1]) == page_to_pfn(page[0]) + 1; page++)
		len += PAGE_SIZE;
	return min(len, most);
}

static void svcrdma_pages_run(struct bio_vec *bv, const struct xdr_buf *xdr, u32 skip, u32 most)
{
	u32 base = xdr->page_base + skip;
	struct page *const *page = &xdr->pages[base >> PAGE_SHIFT];
	u32 offset = offset_in_page(base);

	most = min(most, xdr->page_len - skip);
	bvec_set_page(bv, *page, svcrdma_pages_joined(page, offset, most), offset);
}

/**
 * svcrdma_xdr_cursor_next - get the next run of bytes
 * @cursor: cursor; moves behind the run
 * @max: largest length of the run, bytes, not 0
 * @single_page: the run ends with its page, even if the next one follows it in memory
 * @bv: filled in: page, offset and length of the run
 *
 * Context: any.
 * Return: false if the range has no bytes left.
 */
bool svcrdma_xdr_cursor_next(struct svcrdma_xdr_cursor *cursor, u32 max, bool single_page,
			     struct bio_vec *bv)
{
	const struct xdr_buf *xdr = cursor->xdr;
	u32 pages_start = xdr->head[0].iov_len;
	u32 tail_start = pages_start + xdr->page_len;
	u32 pos = cursor->pos;

	if (pos == cursor->end)
		return false;
	max = min3(max, cursor->end - pos, SVCRDMA_RUN_MAX);
	if (pos < pages_start)
		svcrdma_kvec_run(bv, &xdr->head[0], pos);
	else if (pos < tail_start)
		svcrdma_pages_run(bv, xdr, pos - pages_start, max);
	else
		svcrdma_kvec_run(bv, &xdr->tail[0], pos - tail_start);

	bv->bv_len = min(bv->bv_len, max);
	if (single_page)
		bv->bv_len = min_t(u32, bv->bv_len, PAGE_SIZE - bv->bv_offset);
	cursor->pos += bv->bv_len;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_xdr_cursor_next);
