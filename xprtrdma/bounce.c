// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making one memory region of a Reply chunk.
 *
 * A Reply chunk covers head, pages and tail of rq_rcv_buf. Registration takes
 * them as one only if the head ends, and the tail begins, on a page boundary;
 * otherwise there are up to three MRs, of which the server can invalidate one.
 *
 * Nothing is in the head and the tail before the Reply comes, so they can be
 * elsewhere. A request keeps spare pages for that: the head is put at the end of
 * one, the tail at the start of another. Whoever decodes follows the pointers in
 * rq_rcv_buf, and sunrpc makes these anew when it encodes the Call again, so that
 * nothing has to be moved back.
 *
 * Pages that begin in the middle of a page (the first READDIR of a directory puts
 * entries of its own there) have no page boundary for the head to end on. Then the
 * page behind the head takes what belongs into the rest of the first page, and that
 * is copied when the Reply has come.
 */
#include <linux/gfp.h>
#include <linux/highmem.h>
#include "xprtrdma.h"

#define XPRTRDMA_HEAD_ORDER	1
#define XPRTRDMA_TAIL_ORDER	0

static bool xprtrdma_bounce_alloc(void **edge, unsigned int order)
{
	if (!*edge)
		*edge = (void *)__get_free_pages(rpc_task_gfp_mask() |
						 __GFP_NOWARN, order);
	return *edge;
}

/**
 * xprtrdma_bounce_reply - put head and tail of the Reply next to its pages
 * @req: request whose Call is not sent yet; it keeps the spare pages
 * @layout: memory of its rq_rcv_buf
 *
 * Context: sender; may sleep for memory. Without memory things stay as they are.
 * Return: true if something has moved, and fewer MRs will do.
 */
bool xprtrdma_bounce_reply(struct xprtrdma_req *req,
			   const struct xprtrdma_layout *layout)
{
	unsigned int bounce = xprtrdma_layout_bounce(layout);
	struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;
	bool moved = false;

	if (bounce & XPRTRDMA_BOUNCE_HEAD &&
	    xprtrdma_bounce_alloc(&req->head_bounce, XPRTRDMA_HEAD_ORDER)) {
		xdr->head[0].iov_base = req->head_bounce + PAGE_SIZE +
					layout->pages.offset -
					xdr->head[0].iov_len;
		req->bounce_first_page = layout->pages.offset;
		moved = true;
	}
	if (bounce & XPRTRDMA_BOUNCE_TAIL &&
	    xprtrdma_bounce_alloc(&req->tail_bounce, XPRTRDMA_TAIL_ORDER)) {
		xdr->tail[0].iov_base = req->tail_bounce;
		moved = true;
	}
	return moved;
}

/**
 * xprtrdma_bounce_copy - put what came into a spare page where it belongs
 * @req: request with a Reply in its Reply chunk, not exposed any more
 * @len: bytes in the Reply chunk
 *
 * Context: completion handler.
 */
void xprtrdma_bounce_copy(struct xprtrdma_req *req, u32 len)
{
	const struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;
	u32 offset = offset_in_page(xdr->page_base);

	if (!req->bounce_first_page || len <= xdr->head[0].iov_len)
		return;
	memcpy_to_page(xdr->pages[xdr->page_base >> PAGE_SHIFT], offset,
		       req->head_bounce + PAGE_SIZE + offset,
		       min_t(u32, len - xdr->head[0].iov_len,
			     PAGE_SIZE - offset));
}

/**
 * xprtrdma_bounce_free - free the spare pages
 * @req: request that is not used
 *
 * Context: any.
 */
void xprtrdma_bounce_free(struct xprtrdma_req *req)
{
	free_pages((unsigned long)req->head_bounce, XPRTRDMA_HEAD_ORDER);
	free_pages((unsigned long)req->tail_bounce, XPRTRDMA_TAIL_ORDER);
}
