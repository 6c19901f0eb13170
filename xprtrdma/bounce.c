// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bounce pages: one MR for a Reply chunk in place of up to three.
 *
 * A Reply chunk covers head, pages and tail of rq_rcv_buf. One MR can cover
 * them all only if the head ends, and the tail begins, on a page boundary.
 * With more MRs the client has more to invalidate itself, because the server
 * can invalidate only one.
 *
 * Head and tail are empty until the Reply arrives, so they can lie anywhere. A
 * request owns bounce pages for them: the head is placed at the end of one, the
 * tail at the start of another. Nothing is moved back: the decoder follows the
 * pointers in rq_rcv_buf, and sunrpc sets these again when it encodes the Call
 * again.
 *
 * The page list may begin in the middle of a page. In the first READDIR of a
 * directory it does, because the client puts entries of its own in front. Then
 * the head has no page boundary to end on. A second bounce page, after that of
 * the head, replaces the first page of the list, and its data is copied there
 * when the Reply has arrived.
 */
#include <linux/gfp.h>
#include <linux/highmem.h>
#include "xprtrdma.h"

#define XPRTRDMA_HEAD_ORDER	1
#define XPRTRDMA_TAIL_ORDER	0

static bool xprtrdma_bounce_alloc(void **page, unsigned int order)
{
	if (!*page)
		*page = (void *)__get_free_pages(XPRTRDMA_GFP_NOWAIT |
						 __GFP_NOMEMALLOC, order);
	return *page;
}

/**
 * xprtrdma_bounce_reply - place head and tail of the Reply in bounce pages
 * @req: request whose Call is not sent yet; it keeps the bounce pages
 * @layout: memory of its rq_rcv_buf
 *
 * Without memory for a bounce page its part stays where it is.
 *
 * Context: RPC task that holds XPRT_LOCKED; does not sleep.
 * Return: true if a part has moved, so that fewer MRs are needed.
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
 * xprtrdma_bounce_copy - copy received data from bounce memory to the first page
 * @req: request with a Reply in its Reply chunk, no longer exposed
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
 * xprtrdma_bounce_free - free the bounce pages
 * @req: request that is about to be freed
 *
 * Context: any.
 */
void xprtrdma_bounce_free(struct xprtrdma_req *req)
{
	free_pages((unsigned long)req->head_bounce, XPRTRDMA_HEAD_ORDER);
	free_pages((unsigned long)req->tail_bounce, XPRTRDMA_TAIL_ORDER);
}
