// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plan: in which form a Call and its Reply travel. It is made before
 * anything is registered, copied or encoded. Pure: no device, no lock.
 *
 * An ID beside a section, as in RFC 8166 3.5.1 (V1-INL-10), is a row of
 * Documentation/conformance.
 *
 * A message fits inline if its header and its inline payload together are no
 * larger than the inline threshold (RFC 8166 3.5.3, T-22). Offering a
 * chunk for the Reply enlarges the header of the Call, and that of the Reply,
 * because the server repeats the chunk lists. So the Reply is decided first:
 *
 *  - inline, if the largest possible Reply fits:
 *    RFC 8166 4.3.2, 4.3.3 (V1-WR-11, V1-RPL-02);
 *  - otherwise the pages in a Write chunk, if they are eligible for direct data
 *    placement and the rest fits inline: RFC 8166 4.3.2.1 (V1-WR-12). The
 *    chunk has no space for an XDR pad: RFC 8166 3.4.6.2 (V1-PAD-09);
 *  - otherwise the whole Reply in a Reply chunk: RFC 8166 4.3.3 (V1-RPL-01).
 *    It contains XDR pads.
 *
 * Then the Call, whose header now contains the chunks for the Reply:
 *
 *  - inline, if it fits: RFC 8166 3.5.1 (V1-INL-10). Its pages are copied, or
 *    gathered: named by SGEs of the Send;
 *  - otherwise the pages in a Read chunk, if they are eligible for direct data
 *    placement and the rest fits inline. The XDR pad is left out:
 *    RFC 8166 3.4.5.2 (V1-PAD-03);
 *  - otherwise a long Call, with all of it in a Position Zero chunk:
 *    RFC 8166 3.5.3 (V1-PZ-04).
 *
 * A message that needs more than XPRTRDMA_CHUNK_SEGS_MAX segments in a chunk,
 * or whose header does not fit inline, cannot be sent.
 *
 * Pages that are GPU memory may not be touched by the CPU. So they are neither copied nor
 * gathered, and the Reply may not lie in them with its head: they take a Write chunk or a
 * Read chunk of their own, whatever their size. If no such chunk is possible, the message
 * cannot be sent.
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

/* SGEs of a gathered Send besides the pages: header with head, and tail */
#define XPRTRDMA_KVEC_SGES	2

/**
 * xprtrdma_extent_pages - number of pages that an extent touches
 * @extent: extent of memory
 *
 * Context: any.
 * Return: number of pages, 0 for an empty extent.
 */
u32 xprtrdma_extent_pages(const struct xprtrdma_extent *extent)
{
	if (!extent->length)
		return 0;
	return DIV_ROUND_UP(extent->offset + extent->length, PAGE_SIZE);
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_extent_pages);

/* True if @next continues the page-aligned range that ends with @extent */
static bool xprtrdma_extent_joins(const struct xprtrdma_extent *extent,
				  const struct xprtrdma_extent *next)
{
	return IS_ALIGNED(extent->offset + extent->length, PAGE_SIZE) &&
	       !next->offset;
}

/**
 * xprtrdma_run_pages - number of pages before the first gap
 * @extents: extents of memory, in order, none of them empty
 * @n: number of extents, at least 1
 * @used: result, number of extents before the gap
 *
 * Fast registration maps whole pages. One MR covers two extents only if the
 * first one ends and the second one begins on a page boundary; anything else is
 * a gap.
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

/* MRs, and so segments, for @n extents */
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
 * xprtrdma_layout_extents - list the parts of a layout that are not empty
 * @layout: memory of an xdr_buf
 * @extents: result, an array of XPRTRDMA_LAYOUT_EXTENTS
 *
 * Context: any.
 * Return: number of extents.
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
 * xprtrdma_plan_payload - largest NFS READ or WRITE that one chunk can carry
 * @mr_pages: pages of the largest MR
 *
 * Context: any.
 * Return: bytes of payload that fit into a chunk together with a head and a
 * tail, for any offset of each part in its first page.
 */
size_t xprtrdma_plan_payload(u32 mr_pages)
{
	/* One MR for the head and one for the tail, with a gap next to each */
	const size_t mrs = XPRTRDMA_CHUNK_SEGS_MAX - (XPRTRDMA_LAYOUT_EXTENTS - 1);

	/* An offset in the first page costs up to one page */
	return (mrs * mr_pages - 1) * PAGE_SIZE;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_plan_payload);

/**
 * xprtrdma_layout_bounce - which parts need a bounce page to save an MR
 * @layout: memory of an xdr_buf
 *
 * A head that ends in the middle of a page leaves a gap before the pages. In a
 * bounce page it can end on a page boundary. If the pages begin in the middle
 * of a page, the bounce memory of the head replaces the first page too, see
 * xprtrdma_layout_join_first_page(). In the same way a bounce page lets the
 * tail begin on a page boundary, if the pages end on one.
 *
 * Context: any.
 * Return: set of enum xprtrdma_bounce, 0 if bounce pages save no MR.
 */
unsigned int xprtrdma_layout_bounce(const struct xprtrdma_layout *layout)
{
	const struct xprtrdma_extent *head = &layout->head;
	const struct xprtrdma_extent *pages = &layout->pages;
	const struct xprtrdma_extent *tail = &layout->tail;
	unsigned int bounce = 0;

	if (!pages->length)
		return 0;
	/* The decoder reads XDR words: the head must begin on a word boundary */
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
 * xprtrdma_layout_join_first_page - count the first page as part of the head
 * @layout: memory whose pages begin in the middle of a page, and whose head is in
 *	bounce memory that continues with a page in place of that first page
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

/* Note the chunk for the Reply in @msg: the codec only needs the counts */
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
	if (!args->retry.reply_chunk && !args->reply_gpu &&
	    xprtrdma_fits(args, msg, xprtrdma_layout_length(reply),
			  args->inline_recv))
		return 0;

	if (args->reply_ddp && reply->pages.length &&
	    !args->retry.reply_chunk) {
		segs = xprtrdma_extents_segs(&reply->pages, 1, args->mr_pages);
		plan->reply = XPRTRDMA_REPLY_WRITE_CHUNK;
		plan->reply_segs = segs;
		xprtrdma_offer(msg, plan->reply, segs);
		if (segs <= XPRTRDMA_CHUNK_SEGS_MAX &&
		    xprtrdma_fits(args, msg,
				  reply->head.length + reply->tail.length,
				  args->inline_recv))
			return 0;
	}
	if (args->reply_gpu)
		return -EMSGSIZE;

	segs = xprtrdma_layout_segs(reply, args->mr_pages);
	plan->reply = XPRTRDMA_REPLY_CHUNK;
	plan->reply_segs = segs;
	xprtrdma_offer(msg, plan->reply, segs);
	if (segs > XPRTRDMA_CHUNK_SEGS_MAX ||
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

/*
 * The pages go into a Read chunk only if they are a whole XDR data item:
 * RFC 8166 3.4.4.4 (V1-PAD-02). Then the tail begins with its pad.
 */
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
	if (pad > call->tail.length || segs > XPRTRDMA_CHUNK_SEGS_MAX)
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

	if (!args->call_gpu &&
	    xprtrdma_fits(args, msg, xprtrdma_layout_length(&args->call),
			  args->inline_send)) {
		plan->call = xprtrdma_plan_inline(args);
		return 0;
	}
	if (xprtrdma_plan_read_chunk(plan, args, msg))
		return 0;
	if (args->call_gpu)
		return -EMSGSIZE;

	segs = xprtrdma_layout_segs(&args->call, args->mr_pages);
	msg->type = RPCRDMA_NOMSG;
	msg->reads.nsegs = segs;
	if (segs > XPRTRDMA_CHUNK_SEGS_MAX ||
	    !xprtrdma_fits(args, msg, 0, args->inline_send))
		return -EMSGSIZE;
	plan->call = XPRTRDMA_CALL_LONG;
	plan->read_segs = segs;
	return 0;
}

/**
 * xprtrdma_plan - decide in which form a Call and its Reply travel
 * @plan: result; undefined after an error
 * @args: sizes, eligibility and limits
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE if no form can carry the Call or its Reply, or none without the
 * CPU where it may not touch the pages.
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

/**
 * xprtrdma_plan_bounced - plan again when a Reply chunk has got bounce pages
 * @plan: plan with a Reply chunk; replaced
 * @args: as for the first plan, but with the new layout of the Reply; retry.reply_chunk
 *	is set
 *
 * The Reply keeps its form. A Write chunk could fit by now, since the pages may begin
 * in the bounce memory; but then the head would end with data of the pages.
 *
 * Context: any.
 * Return: as xprtrdma_plan(). The Reply chunk has no more segments than before.
 */
int xprtrdma_plan_bounced(struct xprtrdma_plan *plan,
			  struct xprtrdma_plan_args *args)
{
	args->retry.reply_chunk = true;
	return xprtrdma_plan(plan, args);
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_plan_bounced);
