// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making one memory region of a Reply chunk.
 *
 * A Reply chunk covers head, pages and tail of rq_rcv_buf. Registration takes
 * them as one only if the head ends, and the tail begins, on a page boundary;
 * otherwise there are three MRs, of which the server can invalidate one.
 *
 * Nothing is in the head and the tail before the Reply comes, so they can be
 * moved. The request has two spare pages for that: the head is moved to the end
 * of one, the tail to the start of the other. The decoder follows the pointers
 * in rq_rcv_buf; when the Call is encoded again they are as sunrpc made them.
 */
#include <linux/gfp.h>
#include "xprtrdma.h"

static bool xprtrdma_edge_make(void **edge)
{
	if (!*edge)
		*edge = (void *)__get_free_page(rpc_task_gfp_mask() |
						__GFP_NOWARN);
	return *edge;
}

/* Do the pages begin on a boundary, and does the head end on none? */
static bool xprtrdma_head_movable(const struct xdr_buf *xdr)
{
	const struct kvec *head = &xdr->head[0];

	return head->iov_len && head->iov_len <= PAGE_SIZE &&
	       !offset_in_page(xdr->page_base) &&
	       offset_in_page(head->iov_base + head->iov_len);
}

/* Do the pages end on a boundary, and does the tail begin on none? */
static bool xprtrdma_tail_movable(const struct xdr_buf *xdr)
{
	const struct kvec *tail = &xdr->tail[0];

	return tail->iov_len && tail->iov_len <= PAGE_SIZE &&
	       !offset_in_page(xdr->page_base + xdr->page_len) &&
	       offset_in_page(tail->iov_base);
}

/**
 * xprtrdma_edges_join - move head and tail of the Reply next to its pages
 * @req: request whose Call is not sent yet
 *
 * Context: sender; may sleep for memory.
 * Return: true if something has moved, and fewer MRs will do.
 */
bool xprtrdma_edges_join(struct xprtrdma_req *req)
{
	struct rpc_rqst *rqst = &req->rqst;
	struct xdr_buf *xdr = &rqst->rq_rcv_buf;
	bool moved = false;

	if (!xdr->page_len)
		return false;
	if (xprtrdma_head_movable(xdr) && xprtrdma_edge_make(&req->head_edge)) {
		xdr->head[0].iov_base = req->head_edge + PAGE_SIZE -
					xdr->head[0].iov_len;
		moved = true;
	}
	if (xprtrdma_tail_movable(xdr) && xprtrdma_edge_make(&req->tail_edge)) {
		xdr->tail[0].iov_base = req->tail_edge;
		moved = true;
	}
	/* sunrpc compares the two */
	if (moved)
		rqst->rq_private_buf = *xdr;
	return moved;
}

/**
 * xprtrdma_edges_free - free the spare pages
 * @req: request that is not used
 *
 * Context: any.
 */
void xprtrdma_edges_free(struct xprtrdma_req *req)
{
	free_page((unsigned long)req->head_edge);
	free_page((unsigned long)req->tail_edge);
}
