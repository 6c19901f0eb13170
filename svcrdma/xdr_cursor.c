// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cursor over an xdr_buf: returns its bytes in runs that each lie in one page, so
 * that a run can become a scatterlist entry or an SGE.
 */
#include <linux/mm.h>
#include <linux/sunrpc/xdr.h>
#include "send.h"

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

static void svcrdma_kvec_run(struct bio_vec *bv, const struct kvec *iov,
			     u32 skip)
{
	void *addr = iov->iov_base + skip;

	bvec_set_page(bv, virt_to_page(addr), iov->iov_len - skip,
		      offset_in_page(addr));
}

static void svcrdma_pages_run(struct bio_vec *bv, const struct xdr_buf *xdr,
			      u32 skip)
{
	u32 offset = xdr->page_base + skip;

	bvec_set_page(bv, xdr->pages[offset >> PAGE_SHIFT],
		      xdr->page_len - skip, offset_in_page(offset));
}

/**
 * svcrdma_xdr_cursor_next - get the next run of bytes that lies in one page
 * @cursor: cursor; moves behind the run
 * @max: largest length of the run, bytes, not 0
 * @bv: filled in: page, offset and length of the run
 *
 * Context: any.
 * Return: false if the range has no bytes left.
 */
bool svcrdma_xdr_cursor_next(struct svcrdma_xdr_cursor *cursor, u32 max,
			     struct bio_vec *bv)
{
	const struct xdr_buf *xdr = cursor->xdr;
	u32 pages_start = xdr->head[0].iov_len;
	u32 tail_start = pages_start + xdr->page_len;
	u32 pos = cursor->pos;

	if (pos == cursor->end)
		return false;
	if (pos < pages_start)
		svcrdma_kvec_run(bv, &xdr->head[0], pos);
	else if (pos < tail_start)
		svcrdma_pages_run(bv, xdr, pos - pages_start);
	else
		svcrdma_kvec_run(bv, &xdr->tail[0], pos - tail_start);

	bv->bv_len = min3(bv->bv_len, max, cursor->end - pos);
	bv->bv_len = min_t(u32, bv->bv_len, PAGE_SIZE - bv->bv_offset);
	cursor->pos += bv->bv_len;
	return true;
}
