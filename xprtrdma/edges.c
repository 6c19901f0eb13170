// SPDX-License-Identifier: GPL-2.0-only
/*
 * Making one memory region of a Reply chunk.
 *
 * A Reply chunk covers head, pages and tail of rq_rcv_buf. Registration takes
 * them as one only if the head ends, and the tail begins, on a page boundary;
 * otherwise there are up to three MRs, of which the server can invalidate one.
 *
 * Nothing is in the head and the tail before the Reply comes, so they can be
 * elsewhere. A request has up to two spare pages for that: the head is put at
 * the end of one, the tail at the start of the other. Whoever decodes follows
 * the pointers in rq_rcv_buf, and sunrpc makes these anew when it encodes the
 * Call again, so that nothing has to be moved back.
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

/**
 * xprtrdma_edges_join - put head and tail of the Reply next to its pages
 * @req: request whose Call is not sent yet; it keeps the spare pages
 * @shape: memory of its rq_rcv_buf
 *
 * Context: sender; may sleep for memory. Without memory things stay as they are.
 * Return: true if something has moved, and fewer MRs will do.
 */
bool xprtrdma_edges_join(struct xprtrdma_req *req,
			 const struct xprtrdma_shape *shape)
{
	unsigned int edges = xprtrdma_shape_edges(shape);
	struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;
	bool moved = false;

	if (edges & XPRTRDMA_EDGE_HEAD && xprtrdma_edge_make(&req->head_edge)) {
		xdr->head[0].iov_base = req->head_edge + PAGE_SIZE -
					xdr->head[0].iov_len;
		moved = true;
	}
	if (edges & XPRTRDMA_EDGE_TAIL && xprtrdma_edge_make(&req->tail_edge)) {
		xdr->tail[0].iov_base = req->tail_edge;
		moved = true;
	}
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
