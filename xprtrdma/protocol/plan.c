// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which form a Call and its Reply take: the plan, made before anything is
 * registered, copied or encoded.
 *
 * Sizes are always those of header and payload together (T-22). Offering a
 * chunk makes the header of the Call longer, and that of the Reply too, since
 * the server repeats it (T-23). So the Reply is decided first:
 *
 *  - inline, if the largest possible Reply fits (V1-RPL-02, V1-WR-11);
 *  - else as a Write chunk, if the pages are fit for direct placement and the
 *    rest fits inline (V1-WR-12). It has no room for the pad (V1-PAD-09);
 *  - else all of it as a Reply chunk (V1-RPL-01), where pads stay (T-28).
 *
 * Then the Call, with what the Reply costs it:
 *
 *  - inline, if it fits (V1-INL-10): copied, or with its pages gathered;
 *  - else the pages as a Read chunk, if they are fit for direct placement and
 *    the rest fits inline. The pad stays at home (V1-PAD-03);
 *  - else as a Long Call (V1-PZ-04).
 *
 * What needs more than XPRTRDMA_CHUNK_SEGS segments in one chunk, or has a header
 * that does not fit inline, cannot be sent. Pure.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sunrpc/xdr.h>
#include <asm/page.h>
#include <kunit/visibility.h>
#include "plan.h"

/* SGEs of a gathered Send beside the pages: header with head, and tail */
#define XPRTRDMA_KVEC_SGES	2

/**
 * xprtrdma_extent_pages - pages that a stretch of memory touches
 * @extent: stretch of memory
 *
 * Context: any.
 * Return: number of pages, 0 for an empty one.
 */
u32 xprtrdma_extent_pages(const struct xprtrdma_extent *extent)
{
	if (!extent->length)
		return 0;
	return DIV_ROUND_UP(extent->offset + extent->length, PAGE_SIZE);
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_extent_pages);

static bool xprtrdma_extent_joins(const struct xprtrdma_extent *extent,
				  const struct xprtrdma_extent *next)
{
	return IS_ALIGNED(extent->offset + extent->length, PAGE_SIZE) &&
	       !next->offset;
}

/**
 * xprtrdma_run_pages - pages up to the first gap
 * @extents: stretches of memory, in order, none of them empty
 * @n: number of them, at least 1
 * @used: how many of them lie before the gap
 *
 * Registration maps whole pages, so it takes two stretches as one only if the
 * first ends, and the second begins, on a page boundary.
 *
 * Context: any.
 * Return: number of pages.
 */
u32 xprtrdma_run_pages(const struct xprtrdma_extent *extents, unsigned int n,
		       unsigned int *used)
{
	u32 pages = xprtrdma_extent_pages(&extents[0]);
	unsigned int i = 1;

	while (i < n && xprtrdma_extent_joins(&extents[i - 1], &extents[i]))
		pages += xprtrdma_extent_pages(&extents[i++]);
	*used = i;
	return pages;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_run_pages);

static u32 xprtrdma_extents_segs(const struct xprtrdma_extent *extents,
				 unsigned int n, u32 mr_pages)
{
	unsigned int used;
	u32 segs = 0;

	for (; n; extents += used, n -= used)
		segs += DIV_ROUND_UP(xprtrdma_run_pages(extents, n, &used),
				     mr_pages);
	return segs;
}

/**
 * xprtrdma_layout_extents - the parts of a shape that are not empty
 * @layout: memory of an xdr_buf
 * @extents: result, room for XPRTRDMA_LAYOUT_EXTENTS
 *
 * Context: any.
 * Return: number of spans.
 */
unsigned int xprtrdma_layout_extents(const struct xprtrdma_layout *layout,
				     struct xprtrdma_extent *extents)
{
	unsigned int n = 0;

	if (layout->head.length)
		extents[n++] = layout->head;
	if (layout->pages.length)
		extents[n++] = layout->pages;
	if (layout->tail.length)
		extents[n++] = layout->tail;
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_layout_extents);

/**
 * xprtrdma_plan_payload - largest payload of any READ or WRITE
 * @mr_pages: pages of an MR
 *
 * Context: any.
 * Return: bytes that fit into a chunk together with head and tail, wherever in
 * their pages they begin.
 */
size_t xprtrdma_plan_payload(u32 mr_pages)
{
	/* A gap in front of the pages, and one behind them */
	const size_t mrs = XPRTRDMA_CHUNK_SEGS - (XPRTRDMA_LAYOUT_EXTENTS - 1);

	/* They may begin in the middle of their first page */
	return (mrs * mr_pages - 1) * PAGE_SIZE;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_plan_payload);

/**
 * xprtrdma_layout_bounce - what keeps a message from being one MR?
 * @layout: memory of an xdr_buf
 *
 * A head that ends, and a tail that begins, in the middle of a page would join the
 * pages if it were moved to the end, or to the start, of a page of its own. If the
 * pages begin in the middle of a page, the rest of that one goes with the head
 * (xprtrdma_layout_join_first_page()). They must end on a page boundary to be joined by a tail.
 *
 * Context: any.
 * Return: enum xprtrdma_bounce, or 0 if there is nothing to gain.
 */
unsigned int xprtrdma_layout_bounce(const struct xprtrdma_layout *layout)
{
	const struct xprtrdma_extent *head = &layout->head;
	const struct xprtrdma_extent *pages = &layout->pages;
	const struct xprtrdma_extent *tail = &layout->tail;
	unsigned int bounce = 0;

	if (!pages->length)
		return 0;
	/* What is decoded from its start must be aligned to words there */
	if (head->length && head->length <= PAGE_SIZE &&
	    IS_ALIGNED(head->length | pages->offset, XDR_UNIT) &&
	    (pages->offset ? pages->offset + pages->length > PAGE_SIZE :
	     !IS_ALIGNED(head->offset + head->length, PAGE_SIZE)))
		bounce |= XPRTRDMA_BOUNCE_HEAD;
	if (tail->length && tail->length <= PAGE_SIZE && tail->offset &&
	    IS_ALIGNED(pages->offset + pages->length, PAGE_SIZE))
		bounce |= XPRTRDMA_BOUNCE_TAIL;
	return bounce;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_layout_bounce);

/**
 * xprtrdma_layout_join_first_page - the first page goes with the head
 * @layout: memory whose pages begin in the middle of a page, where the head, which
 *	has been moved, ends
 *
 * Context: any.
 */
void xprtrdma_layout_join_first_page(struct xprtrdma_layout *layout)
{
	u32 first = PAGE_SIZE - layout->pages.offset;

	layout->head.length += first;
	layout->pages.length -= first;
	layout->pages.offset = 0;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_layout_join_first_page);

/* Segments for a whole message: head, pages and tail */
static u32 xprtrdma_layout_segs(const struct xprtrdma_layout *layout,
				u32 mr_pages)
{
	struct xprtrdma_extent extents[XPRTRDMA_LAYOUT_EXTENTS];
	unsigned int n = xprtrdma_layout_extents(layout, extents);

	return xprtrdma_extents_segs(extents, n, mr_pages);
}

static u32 xprtrdma_layout_length(const struct xprtrdma_layout *layout)
{
	return layout->head.length + layout->pages.length + layout->tail.length;
}

/* A header with nothing in it but the counts that decide its size */
static void xprtrdma_offer(struct rpcrdma_msg *msg,
			   enum xprtrdma_reply_form form, u32 segs)
{
	msg->nwrites = form == XPRTRDMA_REPLY_WRITE_CHUNK;
	msg->writes[0].nsegs = segs;
	msg->has_reply = form == XPRTRDMA_REPLY_CHUNK;
	msg->reply.nsegs = segs;
}

static bool xprtrdma_fits(const struct xprtrdma_plan_args *args,
			  const struct rpcrdma_msg *msg, u32 payload, u32 limit)
{
	return args->codec->size(msg) + payload <= limit;
}

static int xprtrdma_plan_reply(struct xprtrdma_plan *plan,
			       const struct xprtrdma_plan_args *args,
			       struct rpcrdma_msg *msg)
{
	const struct xprtrdma_layout *reply = &args->reply;
	u32 segs;

	plan->reply = XPRTRDMA_REPLY_INLINE;
	if (!args->retry.reply_chunk &&
	    xprtrdma_fits(args, msg, xprtrdma_layout_length(reply),
			  args->inline_recv))
		return 0;

	if (args->reply_ddp && reply->pages.length &&
	    !args->retry.reply_chunk) {
		segs = xprtrdma_extents_segs(&reply->pages, 1, args->mr_pages);
		plan->reply = XPRTRDMA_REPLY_WRITE_CHUNK;
		plan->reply_segs = segs;
		xprtrdma_offer(msg, plan->reply, segs);
		if (segs <= XPRTRDMA_CHUNK_SEGS &&
		    xprtrdma_fits(args, msg,
				  reply->head.length + reply->tail.length,
				  args->inline_recv))
			return 0;
	}

	segs = xprtrdma_layout_segs(reply, args->mr_pages);
	plan->reply = XPRTRDMA_REPLY_CHUNK;
	plan->reply_segs = segs;
	xprtrdma_offer(msg, plan->reply, segs);
	if (segs > XPRTRDMA_CHUNK_SEGS ||
	    !xprtrdma_fits(args, msg, 0, args->inline_recv))
		return -EMSGSIZE;
	return 0;
}

static enum xprtrdma_call_form
xprtrdma_plan_inline(const struct xprtrdma_plan_args *args)
{
	const struct xprtrdma_extent *pages = &args->call.pages;

	if (pages->length <= args->copy_max)
		return XPRTRDMA_CALL_COPIED;
	if (xprtrdma_extent_pages(pages) + XPRTRDMA_KVEC_SGES > args->send_sges)
		return XPRTRDMA_CALL_COPIED;
	return XPRTRDMA_CALL_GATHERED;
}

/* Only a whole XDR item may leave the stream, with its pad (V1-PAD-02) */
static bool xprtrdma_plan_read_chunk(struct xprtrdma_plan *plan,
				     const struct xprtrdma_plan_args *args,
				     struct rpcrdma_msg *msg)
{
	const struct xprtrdma_layout *call = &args->call;
	u32 pad, segs;

	if (!args->call_ddp || args->retry.no_reads || !call->pages.length ||
	    !IS_ALIGNED(call->head.length, XDR_UNIT))
		return false;
	pad = -call->pages.length & (XDR_UNIT - 1);
	segs = xprtrdma_extents_segs(&call->pages, 1, args->mr_pages);
	if (pad > call->tail.length || segs > XPRTRDMA_CHUNK_SEGS)
		return false;

	msg->reads.nsegs = segs;
	if (!xprtrdma_fits(args, msg,
			   call->head.length + call->tail.length - pad,
			   args->inline_send))
		return false;
	plan->call = XPRTRDMA_CALL_READ_CHUNK;
	plan->position = call->head.length;
	plan->skip = pad;
	plan->read_segs = segs;
	return true;
}

static int xprtrdma_plan_call(struct xprtrdma_plan *plan,
			      const struct xprtrdma_plan_args *args,
			      struct rpcrdma_msg *msg)
{
	u32 segs;

	if (xprtrdma_fits(args, msg, xprtrdma_layout_length(&args->call),
			  args->inline_send)) {
		plan->call = xprtrdma_plan_inline(args);
		return 0;
	}
	if (xprtrdma_plan_read_chunk(plan, args, msg))
		return 0;

	segs = xprtrdma_layout_segs(&args->call, args->mr_pages);
	msg->type = RPCRDMA_NOMSG;
	msg->reads.nsegs = segs;
	if (segs > XPRTRDMA_CHUNK_SEGS ||
	    !xprtrdma_fits(args, msg, 0, args->inline_send))
		return -EMSGSIZE;
	plan->call = XPRTRDMA_CALL_LONG;
	plan->read_segs = segs;
	return 0;
}

/* Bytes that the largest chunk for a Reply in @call can take */
static u64 xprtrdma_offered(const struct rpcrdma_msg *call)
{
	return call->has_reply ? rpcrdma_chunk_length(call, &call->reply) : 0;
}

static bool xprtrdma_may_enlarge(const struct rpcrdma_msg *call, u32 needed,
				 u32 reply_max)
{
	if (needed > reply_max)
		return false;		/* V2-SEC-08 */
	/* Without a length only leaving out Write chunks can help (OQ-16) */
	if (!needed)
		return call->nwrites;
	return needed > xprtrdma_offered(call);
}

/**
 * xprtrdma_retry - can a Call be rebuilt, so that the server takes it?
 * @retry: what is known already of this Call; updated
 * @err: RDMA_ERROR that answers it, hostile
 * @call: its header as it was sent
 * @reply_max: bytes that sunrpc has for the Reply
 *
 * V2-ERC-04, -08, -11, -12, -16, -18, -22, -23, -26, -27, -29, V2-ERR-11 and
 * V2-ERR-15. Fewer segments than the smallest number that the MRs at hand allow
 * are not to be had, so RDMA2_ERR_SEGMENTS ends the RPC.
 *
 * Context: any.
 * Return: 0 if the Call is to be encoded and sent once more, under the same XID;
 * otherwise the errno that ends the RPC.
 */
int xprtrdma_retry(struct xprtrdma_retry *retry,
		   const struct rpcrdma_msg *err,
		   const struct rpcrdma_msg *call, u32 reply_max)
{
	switch (err->err) {
	case RPCRDMA_ERR_READ_CHUNKS:
		if (retry->done || call->type == RPCRDMA_NOMSG ||
		    !call->reads.nsegs)
			return -EIO;
		retry->no_reads = true;
		break;
	case RPCRDMA_ERR_WRITE_CHUNKS:
		if (retry->done || !call->nwrites)
			return -EIO;
		retry->reply_chunk = true;
		break;
	case RPCRDMA_ERR_WRITE_RESOURCE:
	case RPCRDMA_ERR_REPLY_RESOURCE:
		if (retry->done ||
		    !xprtrdma_may_enlarge(call, err->err_length, reply_max))
			return -EMSGSIZE;
		retry->reply_chunk = true;
		break;
	case RPCRDMA_ERR_VERS:
	case RPCRDMA_ERR_SYSTEM:
	case RPCRDMA_ERR_UNKNOWN:
		return -EREMOTEIO;
	default:
		return -EIO;
	}
	retry->done = true;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_retry);

/**
 * xprtrdma_plan - decide how a Call and its Reply travel
 * @plan: result; undefined after an error
 * @args: sizes, permissions and limits
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE if no form can carry it.
 */
int xprtrdma_plan(struct xprtrdma_plan *plan,
		  const struct xprtrdma_plan_args *args)
{
	struct rpcrdma_msg msg = { .type = RPCRDMA_MSG };
	int ret;

	memset(plan, 0, sizeof(*plan));
	ret = xprtrdma_plan_reply(plan, args, &msg);
	if (ret)
		return ret;
	return xprtrdma_plan_call(plan, args, &msg);
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_plan);
