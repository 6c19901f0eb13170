// SPDX-License-Identifier: GPL-2.0-only
/*
 * The chunks of a Call: register the memory that they name, and build the chunk
 * lists.
 *
 * A segment is one MR. The memory of an xdr_buf is taken page by page, in
 * order; a new MR begins where one is full and at each gap (protocol/plan.c).
 */
#include <trace/events/xprtrdma.h>
#include "layout.h"
#include "xprtrdma.h"

/**
 * struct xprtrdma_part - head, pages or tail of an xdr_buf
 * @base:  address of head or tail, NULL for the pages
 * @pages: page list, NULL for head or tail
 * @done:  bytes taken so far
 */
struct xprtrdma_part {
	void		*base;
	struct page	**pages;
	u32		done;
};

/**
 * struct xprtrdma_walk - iterator over the memory of an xdr_buf, page by page
 * @extents: extents of the parts that are not empty
 * @parts:   address or page list of each extent
 * @n:	     number of parts left; the first one is the current one
 */
struct xprtrdma_walk {
	struct xprtrdma_extent	extents[XPRTRDMA_LAYOUT_EXTENTS];
	struct xprtrdma_part	parts[XPRTRDMA_LAYOUT_EXTENTS];
	unsigned int		n;
};

static void xprtrdma_walk_add(struct xprtrdma_walk *walk,
			      struct xprtrdma_extent extent, void *base,
			      struct page **pages)
{
	if (!extent.length)
		return;
	walk->extents[walk->n] = extent;
	walk->parts[walk->n++] = (struct xprtrdma_part) {
		.base	= base,
		.pages	= pages,
	};
}

static void xprtrdma_walk_pages(struct xprtrdma_walk *walk,
				const struct xdr_buf *xdr)
{
	struct xprtrdma_layout layout;

	xprtrdma_layout(&layout, xdr);
	walk->n = 0;
	xprtrdma_walk_add(walk, layout.pages, NULL, xprtrdma_pages(xdr));
}

/* @join_first_page: bounce memory of the head replaces the first page */
static void xprtrdma_walk_all(struct xprtrdma_walk *walk,
			      const struct xdr_buf *xdr, bool join_first_page)
{
	struct xprtrdma_layout layout;

	xprtrdma_layout(&layout, xdr);
	if (join_first_page)
		xprtrdma_layout_join_first_page(&layout);
	walk->n = 0;
	xprtrdma_walk_add(walk, layout.head, xdr->head[0].iov_base, NULL);
	xprtrdma_walk_add(walk, layout.pages, NULL,
			  xprtrdma_pages(xdr) + join_first_page);
	xprtrdma_walk_add(walk, layout.tail, xdr->tail[0].iov_base, NULL);
}

/* Put the next piece of a part, which lies in one page, into @sg */
static void xprtrdma_part_next(struct xprtrdma_part *part,
			       const struct xprtrdma_extent *extent,
			       struct scatterlist *sg)
{
	u32 at = extent->offset + part->done;
	u32 offset = offset_in_page(at);
	u32 len = min_t(u32, PAGE_SIZE - offset, extent->length - part->done);
	struct page *page;

	if (part->pages)
		page = part->pages[at >> PAGE_SHIFT];
	else
		page = virt_to_page(part->base + part->done);
	sg_set_page(sg, page, len, offset);
	part->done += len;
}

/* Fill @count entries of @sg; no gap is among them */
static void xprtrdma_walk_fill(struct xprtrdma_walk *walk,
			       struct scatterlist *sg, unsigned int count)
{
	unsigned int i = 0;

	while (count--) {
		while (walk->parts[i].done == walk->extents[i].length)
			i++;
		xprtrdma_part_next(&walk->parts[i], &walk->extents[i], sg++);
	}
}

/* @used parts have been registered: continue with those after the gap */
static void xprtrdma_walk_skip(struct xprtrdma_walk *walk, unsigned int used)
{
	unsigned int i;

	walk->n -= used;
	for (i = 0; i < walk->n; i++) {
		walk->extents[i] = walk->extents[i + used];
		walk->parts[i] = walk->parts[i + used];
	}
}

/* Register up to *@pages pages with one MR, and add its segment to @chunk */
static int xprtrdma_register(struct xprtrdma_xprt *r_xprt,
			     struct xprtrdma_req *req,
			     struct xprtrdma_walk *walk, u32 *pages,
			     struct rpcrdma_chunk *chunk, u32 position,
			     enum dma_data_direction dir)
{
	struct xprtrdma_mr *mr;
	unsigned int count;
	int ret;

	mr = xprtrdma_mr_get(r_xprt, req, *pages);
	if (!mr)
		return -EAGAIN;
	count = min(*pages, r_xprt->mr_pool.pages[mr->class]);
	xprtrdma_walk_fill(walk, mr->sg, count);
	*pages -= count;
	ret = xprtrdma_mr_map(mr, req, count, dir);
	if (ret)
		return ret;
	trace_xprtrdma_register(r_xprt->conn, req->rqst.rq_xid, mr->ibmr, count,
				dir == DMA_FROM_DEVICE);
	return rpcrdma_msg_add_segment(&req->msg, chunk, position,
				       mr->ibmr->rkey, mr->ibmr->length,
				       mr->ibmr->iova);
}

/* One MR for each segment; a gap needs a new MR */
static int xprtrdma_build_chunk(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req,
				struct xprtrdma_walk *walk,
				struct rpcrdma_chunk *chunk, u32 position,
				enum dma_data_direction dir)
{
	unsigned int used;
	u32 pages;
	int ret;

	for (; walk->n; xprtrdma_walk_skip(walk, used)) {
		pages = xprtrdma_run_pages(walk->extents, walk->n, &used);
		while (pages) {
			ret = xprtrdma_register(r_xprt, req, walk, &pages,
						chunk, position, dir);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int xprtrdma_build_reads(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req,
				const struct xprtrdma_plan *plan)
{
	const struct xdr_buf *xdr = &req->rqst.rq_snd_buf;
	struct rpcrdma_msg *msg = &req->msg;
	struct xprtrdma_walk walk;

	switch (plan->call) {
	case XPRTRDMA_CALL_READ_CHUNK:
		xprtrdma_walk_pages(&walk, xdr);
		break;
	case XPRTRDMA_CALL_LONG:
		msg->type = RPCRDMA_NOMSG;
		xprtrdma_walk_all(&walk, xdr, false);
		break;
	default:
		return 0;
	}
	return xprtrdma_build_chunk(r_xprt, req, &walk, &msg->reads,
				    plan->position, DMA_TO_DEVICE);
}

static int xprtrdma_build_writes(struct xprtrdma_xprt *r_xprt,
				 struct xprtrdma_req *req)
{
	struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;
	struct rpcrdma_chunk *chunk;
	struct xprtrdma_walk walk;
	int ret;

	ret = rpcrdma_msg_add_write(&req->msg, &chunk);
	if (ret)
		return ret;
	xprtrdma_walk_pages(&walk, xdr);
	return xprtrdma_build_chunk(r_xprt, req, &walk, chunk, 0,
				    DMA_FROM_DEVICE);
}

static int xprtrdma_build_reply(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req)
{
	struct xprtrdma_walk walk;

	req->msg.has_reply = true;
	xprtrdma_walk_all(&walk, &req->rqst.rq_rcv_buf, req->bounce_first_page);
	return xprtrdma_build_chunk(r_xprt, req, &walk, &req->msg.reply, 0,
				    DMA_FROM_DEVICE);
}

static int xprtrdma_build_chunks(struct xprtrdma_xprt *r_xprt,
				 struct xprtrdma_req *req,
				 const struct xprtrdma_plan *plan)
{
	int ret;

	ret = xprtrdma_build_reads(r_xprt, req, plan);
	if (ret)
		return ret;
	switch (plan->reply) {
	case XPRTRDMA_REPLY_WRITE_CHUNK:
		return xprtrdma_build_writes(r_xprt, req);
	case XPRTRDMA_REPLY_CHUNK:
		return xprtrdma_build_reply(r_xprt, req);
	default:
		return 0;
	}
}

/**
 * xprtrdma_build_lists - register memory and build the chunk lists of a Call
 * @r_xprt: transport, connected
 * @req: request; gets its MRs and the lists in req->msg
 * @plan: form of the Call and its Reply, with at least one chunk
 *
 * Context: RPC task that holds XPRT_LOCKED and has entered the connection;
 * does not sleep, but may in the provider of GPU memory.
 * Return: 0; -EAGAIN if there are too few MRs, and sunrpc is told when there
 * are more; -ENOBUFS if it may work later; -EIO or -EMSGSIZE if it never will.
 */
int xprtrdma_build_lists(struct xprtrdma_xprt *r_xprt, struct xprtrdma_req *req,
			 const struct xprtrdma_plan *plan)
{
	u64 start;
	int ret;

	start = rpcrdma_latency_begin();
	ret = xprtrdma_build_chunks(r_xprt, req, plan);
	if (!ret)
		rpcrdma_latency_end(&r_xprt->ep.stats, RPCRDMA_L_REGISTER,
				    start);
	return ret;
}
