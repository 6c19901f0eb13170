// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Reply chunk whose head or tail is moved to bounce pages, wherever it lies in memory: the Reply
 * keeps its form, and needs no more segments than before.
 *
 * Proves: xprtrdma_plan_bounced() xprtrdma_layout_bounce() xprtrdma_layout_join_first_page()
 * Sources: xprtrdma/protocol/plan.c rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c
 * Sources: rpcrdma/protocol/chunk_xdr.c rpcrdma/protocol/chunk.c
 * Sources: rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: MR_PAGES=259 KVEC=16384 PAGES=16777216
 * Unwind: 4
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <asm/page.h>
#include "kunit/plan_bounce.h"
#include "proof.h"

static void any_extent(struct xprtrdma_extent *extent, u32 most)
{
	extent->offset = any_up_to(PAGE_SIZE - 1);
	extent->length = any_up_to(most);
}

static u32 length_of(const struct xprtrdma_layout *layout)
{
	return layout->head.length + layout->pages.length + layout->tail.length;
}

/* A short Call */
static void any_args(struct xprtrdma_plan_args *args)
{
	*args = (struct xprtrdma_plan_args) {
		.codec		= &rpcrdma_codec_v1,
		.call.head	= { .offset = any_up_to(PAGE_SIZE - 1), .length = any_up_to(1024) },
		.reply_ddp	= any_bool(),
		.retry		= { .reply_chunk = any_bool() },
		.inline_send	= any_up_to(256 * 1024),
		.inline_recv	= any_up_to(256 * 1024),
		.mr_pages	= MR_PAGES,
	};
	any_extent(&args->reply.head, KVEC);
	any_extent(&args->reply.pages, PAGES);
	any_extent(&args->reply.tail, KVEC);
}

int main(void)
{
	struct xprtrdma_plan_args args, moved;
	struct xprtrdma_plan plan, again;
	unsigned int bounce;

	any_args(&args);
	bounce = xprtrdma_layout_bounce(&args.reply);
	PROVE(!bounce || args.reply.pages.length);
	if (xprtrdma_plan(&plan, &args) || plan.reply != XPRTRDMA_REPLY_CHUNK || !bounce)
		return 0;
	moved = args;
	xprtrdma_test_bounce(&moved.reply, bounce);
	PROVE(length_of(&moved.reply) == length_of(&args.reply));
	PROVE(!xprtrdma_plan_bounced(&again, &moved));
	PROVE(again.reply == XPRTRDMA_REPLY_CHUNK);
	PROVE(again.reply_segs <= plan.reply_segs);
	REACH(again.reply_segs + 2 == plan.reply_segs);
	return 0;
}
