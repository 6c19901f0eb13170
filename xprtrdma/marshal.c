// SPDX-License-Identifier: GPL-2.0-only
/*
 * Carrying out a plan: register the chunks, write the transport header, and
 * put the inline payload behind it.
 *
 * All of a Call is put together before anything is posted, so a failure half
 * way leaves nothing but MRs on the request's list and pages on the Send
 * context, which the caller takes back. Handles are new for each transmission,
 * and so is the header (T-42).
 */
#include <linux/highmem.h>
#include <linux/slab.h>
#include <linux/sunrpc/auth.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/**
 * struct xprtrdma_part - head, pages or tail of an xdr_buf
 * @base:  address, or NULL if it is a list of pages
 * @pages: list of pages, or NULL
 * @done:  bytes taken so far
 */
struct xprtrdma_part {
	void		*base;
	struct page	**pages;
	u32		done;
};

/**
 * struct xprtrdma_walk - a walk over the memory of an xdr_buf, page by page
 * @extents: extents of the parts that are not empty
 * @parts: where they are; parallel to @extents
 * @n:	   number of parts left, the first being the current one
 */
struct xprtrdma_walk {
	struct xprtrdma_extent	extents[XPRTRDMA_LAYOUT_EXTENTS];
	struct xprtrdma_part	parts[XPRTRDMA_LAYOUT_EXTENTS];
	unsigned int		n;
};

static struct xprtrdma_extent xprtrdma_kvec_extent(const struct kvec *kvec)
{
	return (struct xprtrdma_extent) {
		.offset	= offset_in_page(kvec->iov_base),
		.length	= kvec->iov_len,
	};
}

static void xprtrdma_layout(struct xprtrdma_layout *layout,
			    const struct xdr_buf *xdr)
{
	layout->head = xprtrdma_kvec_extent(&xdr->head[0]);
	layout->pages.offset = offset_in_page(xdr->page_base);
	layout->pages.length = xdr->page_len;
	layout->tail = xprtrdma_kvec_extent(&xdr->tail[0]);
}

static struct page **xprtrdma_pages(const struct xdr_buf *xdr)
{
	return xdr->pages + (xdr->page_base >> PAGE_SHIFT);
}

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

/* @join_first_page: the first page goes with the head */
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

/* The next piece of a part; a piece lies in one page */
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

/* Fill @count entries of @sg; they lie before the next gap */
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

/* @used parts have been registered: go on with those behind the gap */
static void xprtrdma_walk_skip(struct xprtrdma_walk *walk, unsigned int used)
{
	unsigned int i;

	walk->n -= used;
	for (i = 0; i < walk->n; i++) {
		walk->extents[i] = walk->extents[i + used];
		walk->parts[i] = walk->parts[i + used];
	}
}

static int xprtrdma_register(struct xprtrdma_xprt *r_xprt,
			     struct xprtrdma_req *req,
			     struct xprtrdma_walk *walk, u32 *pages,
			     struct rpcrdma_chunk *chunk, u32 position,
			     enum dma_data_direction dir)
{
	struct xprtrdma_mr *mr;
	unsigned int count;
	int ret;

	mr = xprtrdma_mr_get(r_xprt, *pages);
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

/* One MR for each segment; a gap begins a new one */
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

static int xprtrdma_build_lists(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req,
				const struct xprtrdma_plan *plan)
{
	u64 begun;
	int ret;

	if (!plan->read_segs && !plan->reply_segs)
		return 0;
	begun = rpcrdma_latency_begin();
	ret = xprtrdma_build_chunks(r_xprt, req, plan);
	if (!ret)
		rpcrdma_latency_end(&r_xprt->ep.stats, RPCRDMA_L_REGISTER,
				    begun);
	return ret;
}

static u8 *xprtrdma_copy(u8 *to, const void *from, u32 len)
{
	memcpy(to, from, len);
	return to + len;
}

static u8 *xprtrdma_copy_pages(u8 *to, const struct xdr_buf *xdr)
{
	struct page **page = xprtrdma_pages(xdr);
	u32 offset = offset_in_page(xdr->page_base);
	u32 left = xdr->page_len;
	u32 len;

	for (; left; left -= len, offset = 0) {
		len = min_t(u32, PAGE_SIZE - offset, left);
		memcpy_from_page(to, *page++, offset, len);
		to += len;
	}
	return to;
}

/* Tail behind the pages; the header and the head, but not the tail, precede */
static int xprtrdma_gather(struct rpcrdma_send *send,
			   const struct xdr_buf *xdr, u32 front)
{
	struct page **page = xprtrdma_pages(xdr);
	u32 offset = offset_in_page(xdr->page_base);
	u32 tail = xdr->tail[0].iov_len;
	u32 left = xdr->page_len;
	u32 len;
	int ret;

	rpcrdma_send_start(send, front);
	for (; left; left -= len, offset = 0) {
		len = min_t(u32, PAGE_SIZE - offset, left);
		ret = rpcrdma_send_add_page(send, *page++, offset, len);
		if (ret)
			return ret;
	}
	if (!tail)
		return 0;
	memcpy(send->buf.data + front, xdr->tail[0].iov_base, tail);
	rpcrdma_send_add_buf(send, front, tail);
	return 0;
}

/* The inline payload, behind the header */
static int xprtrdma_payload(struct xprtrdma_xprt *r_xprt,
			    struct rpcrdma_send *send,
			    const struct xdr_buf *xdr,
			    const struct xprtrdma_plan *plan, u32 header)
{
	u8 *start = send->buf.data;
	u8 *end = start + header;

	if (plan->call != XPRTRDMA_CALL_LONG)
		end = xprtrdma_copy(end, xdr->head[0].iov_base,
				    xdr->head[0].iov_len);
	switch (plan->call) {
	case XPRTRDMA_CALL_GATHERED:
		return xprtrdma_gather(send, xdr, end - start);
	case XPRTRDMA_CALL_COPIED:
		end = xprtrdma_copy_pages(end, xdr);
		end = xprtrdma_copy(end, xdr->tail[0].iov_base,
				    xdr->tail[0].iov_len);
		rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_PULLUP_BYTES,
				  xdr->page_len + xdr->tail[0].iov_len);
		break;
	case XPRTRDMA_CALL_READ_CHUNK:
		end = xprtrdma_copy(end, xdr->tail[0].iov_base + plan->skip,
				    xdr->tail[0].iov_len - plan->skip);
		break;
	case XPRTRDMA_CALL_LONG:
		break;
	}
	rpcrdma_send_start(send, end - start);
	return 0;
}

/*
 * With integrity or privacy nothing is reduced (V1-SEC-06, T-43). Without, sunrpc's
 * flag is not to be trusted: it sets bits in memory that it has not cleared, so
 * plain krb5 may have the flag too (V1-SEC-03).
 */
static bool xprtrdma_may_reduce(const struct rpc_auth *auth)
{
	return auth->au_flavor == RPC_AUTH_GSS_KRB5 ||
	       !test_bit(RPCAUTH_AUTH_DATATOUCH, &auth->au_flags);
}

static void xprtrdma_plan_args_init(struct xprtrdma_plan_args *q,
				    struct xprtrdma_xprt *r_xprt,
				    struct rpc_rqst *rqst)
{
	const struct rpcrdma_conn *conn = r_xprt->conn;
	bool ddp = xprtrdma_may_reduce(rqst->rq_cred->cr_auth);

	*q = (struct xprtrdma_plan_args) {
		.codec		= conn->codec,
		.retry		= xprtrdma_from_rqst(rqst)->retry,
		.call_ddp	= ddp && rqst->rq_snd_buf.flags & XDRBUF_WRITE,
		.reply_ddp	= ddp && rqst->rq_rcv_buf.flags & XDRBUF_READ,
		.inline_send	= conn->inline_send,
		.inline_recv	= conn->inline_recv,
		.mr_pages	= conn->limits.mr_pages,
		.send_sges	= conn->limits.send_sges,
		.copy_max	= xprtrdma_tunable(XPRTRDMA_T_COPY_MAX),
	};
	xprtrdma_layout(&q->call, &rqst->rq_snd_buf);
	xprtrdma_layout(&q->reply, &rqst->rq_rcv_buf);
}

/* ACL code leaves it to the transport to find pages (ULB-ACL-06) */
static int xprtrdma_fill_sparse(struct xdr_buf *xdr)
{
	u32 count = DIV_ROUND_UP(offset_in_page(xdr->page_base) +
				 xdr->page_len, PAGE_SIZE);
	struct page **page = xprtrdma_pages(xdr);

	for (; count; count--, page++) {
		if (!*page)
			*page = alloc_page(rpc_task_gfp_mask());
		if (!*page)
			return -ENOMEM;
	}
	return 0;
}

/* A Reply chunk of several MRs is planned again when its parts have been joined */
static int xprtrdma_decide(struct xprtrdma_xprt *r_xprt,
			   struct xprtrdma_req *req, struct xprtrdma_plan *plan)
{
	struct xprtrdma_plan_args args;
	int ret;

	req->bounce_first_page = false;
	xprtrdma_plan_args_init(&args, r_xprt, &req->rqst);
	ret = xprtrdma_plan(plan, &args);
	if (ret || plan->reply != XPRTRDMA_REPLY_CHUNK ||
	    plan->reply_segs == 1 || !xprtrdma_bounce_reply(req, &args.reply))
		return ret;
	xprtrdma_layout(&args.reply, &req->rqst.rq_rcv_buf);
	if (req->bounce_first_page)
		xprtrdma_layout_join_first_page(&args.reply);
	return xprtrdma_plan(plan, &args);
}

static int xprtrdma_segs_grow(struct xprtrdma_req *req,
			      const struct xprtrdma_plan *plan)
{
	unsigned int wanted = plan->read_segs + plan->reply_segs;
	struct rpcrdma_segment *segs;

	if (wanted <= req->max_segs)
		return 0;
	segs = kmalloc_array(wanted, sizeof(*segs), rpc_task_gfp_mask());
	if (!segs)
		return -ENOMEM;
	kfree(req->segs);
	req->segs = segs;
	req->max_segs = wanted;
	return 0;
}

/**
 * xprtrdma_marshal - put a Call together
 * @r_xprt: transport, connected
 * @req: request that is not exposed; gets its MRs and its header
 * @send: fresh Send context; gets the message
 *
 * Context: sender, with the connection entered; may sleep for memory.
 * Return: 0; -EAGAIN if sunrpc is told when there are MRs; -ENOMEM; -EIO if the
 * Call cannot be sent in any form, or not be mapped. After an error the caller
 * takes back the MRs of @req, and @send with its pages.
 */
int xprtrdma_marshal(struct xprtrdma_xprt *r_xprt, struct xprtrdma_req *req,
		     struct rpcrdma_send *send)
{
	struct rpc_rqst *rqst = &req->rqst;
	const struct rpcrdma_codec *codec = r_xprt->conn->codec;
	struct rpcrdma_msg *msg = &req->msg;
	struct xprtrdma_plan plan;
	int ret;

	if (rqst->rq_rcv_buf.flags & XDRBUF_SPARSE_PAGES) {
		ret = xprtrdma_fill_sparse(&rqst->rq_rcv_buf);
		if (ret)
			return ret;
	}
	if (xprtrdma_decide(r_xprt, req, &plan))
		return -EIO;
	ret = xprtrdma_segs_grow(req, &plan);
	if (ret)
		return ret;

	rpcrdma_msg_init(msg, req->segs, req->max_segs);
	msg->xid = rqst->rq_xid;
	msg->vers = codec->version;
	msg->dir = RPCRDMA_DIR_CALL;
	msg->credits = xprtrdma_credits_asked(r_xprt, r_xprt->conn);
	ret = xprtrdma_build_lists(r_xprt, req, &plan);
	if (ret)
		return ret == -EMSGSIZE ? -EIO : ret;
	msg->inv_handle = rpcrdma_msg_first_handle(msg);
	ret = codec->encode(msg, send->buf.data, send->buf.size);
	if (ret < 0)
		return -EIO;
	ret = xprtrdma_payload(r_xprt, send, &rqst->rq_snd_buf, &plan, ret);
	if (!ret)
		xprtrdma_count_call(r_xprt, rqst, &plan);
	return ret;
}
