// SPDX-License-Identifier: GPL-2.0-only
/*
 * The client's plan, for any place of Call and Reply in memory and any thresholds, with MRs of
 * MR_PAGES pages: the headers that it leads to are no larger than the inline thresholds, no
 * chunk has more segments than are allowed, and the segments have room for the data. Pages in
 * GPU memory are in a Read or Write chunk.
 *
 * Proves: xprtrdma_plan() xprtrdma_layout_extents() xprtrdma_run_pages() xprtrdma_extent_pages()
 * Sources: xprtrdma/protocol/plan.c rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c
 * Sources: rpcrdma/protocol/chunk_xdr.c rpcrdma/protocol/chunk.c
 * Sources: rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: MR_PAGES=259 KVEC=16384 PAGES=16777216
 * Unwind: 4
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <asm/page.h>
#include "xprtrdma/protocol/plan.h"
#include "proof.h"

static void any_extent(struct xprtrdma_extent *extent, u32 most)
{
	extent->offset = any_up_to(PAGE_SIZE - 1);
	extent->length = any_up_to(most);
}

static void any_layout(struct xprtrdma_layout *layout)
{
	any_extent(&layout->head, KVEC);
	any_extent(&layout->pages, PAGES);
	any_extent(&layout->tail, KVEC);
}

static u32 length_of(const struct xprtrdma_layout *layout)
{
	return layout->head.length + layout->pages.length + layout->tail.length;
}

/* Bytes of a header with these segments; @write, @reply: there is such a chunk */
static u32 header_size(const struct xprtrdma_plan_args *args, u32 reads, bool write, bool reply,
		       u32 segs)
{
	return (args->codec == &rpcrdma_codec_v2 ? 36 : 28) + 24 * reads +
	       (write ? 8 + 16 * segs : 0) + (reply ? 4 + 16 * segs : 0);
}

static u32 planned_header(const struct xprtrdma_plan_args *args,
			  const struct xprtrdma_plan *plan, u32 reads)
{
	return header_size(args, reads, plan->reply == XPRTRDMA_REPLY_WRITE_CHUNK,
			   plan->reply == XPRTRDMA_REPLY_CHUNK, plan->reply_segs);
}

/* Segments of so many MRs can cover what lies in memory, and none of them is too many */
static void prove_segs(u32 segs, const struct xprtrdma_layout *layout, bool all)
{
	u32 length = all ? length_of(layout) : layout->pages.length;

	PROVE(segs <= XPRTRDMA_CHUNK_SEGS_MAX);
	PROVE((u64)segs * MR_PAGES * PAGE_SIZE >= length);
	/* At most one of them for each extent is not full */
	PROVE((u64)segs * MR_PAGES * PAGE_SIZE < length + (u64)(all ? 3 : 1) *
	      (MR_PAGES + 1) * PAGE_SIZE);
}

static void prove_reply(const struct xprtrdma_plan_args *args, const struct xprtrdma_plan *plan)
{
	const struct xprtrdma_layout *layout = &args->reply;
	u32 all = length_of(layout), header = planned_header(args, plan, 0);

	switch (plan->reply) {
	case XPRTRDMA_REPLY_INLINE:
		PROVE(!args->retry.reply_chunk && !args->reply_gpu && !plan->reply_segs);
		PROVE(header + all <= args->inline_recv);
		return;
	case XPRTRDMA_REPLY_WRITE_CHUNK:
		PROVE(args->reply_ddp && !args->retry.reply_chunk && layout->pages.length);
		PROVE(plan->reply_segs);
		PROVE(header + all - layout->pages.length <= args->inline_recv);
		prove_segs(plan->reply_segs, layout, false);
		break;
	default:
		PROVE(plan->reply == XPRTRDMA_REPLY_CHUNK && !args->reply_gpu);
		PROVE(header <= args->inline_recv);
		prove_segs(plan->reply_segs, layout, true);
	}
	PROVE(args->retry.reply_chunk || args->reply_gpu ||
	      header_size(args, 0, false, false, 0) + all > args->inline_recv);
}

static void prove_read_chunk(const struct xprtrdma_plan_args *args,
			     const struct xprtrdma_plan *plan)
{
	const struct xprtrdma_layout *layout = &args->call;

	PROVE(args->call_ddp && !args->retry.no_reads && plan->read_segs);
	PROVE(plan->position == layout->head.length && plan->position % 4 == 0);
	PROVE(plan->skip < 4 && (layout->pages.length + plan->skip) % 4 == 0);
	PROVE(plan->skip <= layout->tail.length);
	PROVE(planned_header(args, plan, plan->read_segs) + length_of(layout) -
	      layout->pages.length - plan->skip <= args->inline_send);
	prove_segs(plan->read_segs, layout, false);
}

static void prove_call(const struct xprtrdma_plan_args *args, const struct xprtrdma_plan *plan)
{
	const struct xprtrdma_layout *layout = &args->call;
	u32 all = length_of(layout);

	switch (plan->call) {
	case XPRTRDMA_CALL_GATHERED:
	case XPRTRDMA_CALL_COPIED:
		PROVE(!plan->read_segs && !args->call_gpu);
		PROVE(planned_header(args, plan, 0) + all <= args->inline_send);
		if (plan->call == XPRTRDMA_CALL_GATHERED)
			PROVE(xprtrdma_extent_pages(&layout->pages) + 2 <= args->send_sges &&
			      layout->pages.length > args->copy_max);
		return;
	case XPRTRDMA_CALL_READ_CHUNK:
		prove_read_chunk(args, plan);
		break;
	default:
		PROVE(plan->call == XPRTRDMA_CALL_LONG && !plan->position && !plan->skip);
		PROVE(!args->call_gpu);
		PROVE(planned_header(args, plan, plan->read_segs) <= args->inline_send);
		prove_segs(plan->read_segs, layout, true);
	}
	PROVE(args->call_gpu || planned_header(args, plan, 0) + all > args->inline_send);
}

static void any_args(struct xprtrdma_plan_args *args)
{
	args->codec = any_bool() ? &rpcrdma_codec_v1 : &rpcrdma_codec_v2;
	any_layout(&args->call);
	any_layout(&args->reply);
	args->call_ddp = any_bool();
	args->reply_ddp = any_bool();
	args->call_gpu = any_bool();
	args->reply_gpu = any_bool();
	args->inline_send = any_up_to(256 * 1024);
	args->inline_recv = any_up_to(256 * 1024);
	args->mr_pages = MR_PAGES;
	args->send_sges = nondet_u32();
	args->copy_max = nondet_u32();
	args->retry.done = any_bool();
	args->retry.no_reads = any_bool();
	args->retry.reply_chunk = any_bool();
}

int main(void)
{
	struct xprtrdma_plan_args args;
	struct xprtrdma_plan plan;
	int ret;

	any_args(&args);
	ret = xprtrdma_plan(&plan, &args);
	PROVE(!ret || ret == -EMSGSIZE);
	if (ret)
		return 0;
	prove_reply(&args, &plan);
	prove_call(&args, &plan);
	REACH(plan.call == XPRTRDMA_CALL_READ_CHUNK && plan.reply == XPRTRDMA_REPLY_CHUNK);
	REACH(plan.call == XPRTRDMA_CALL_LONG && plan.reply == XPRTRDMA_REPLY_WRITE_CHUNK);
	REACH(plan.call == XPRTRDMA_CALL_GATHERED);
	REACH(args.call_gpu && args.reply_gpu);
	return 0;
}
