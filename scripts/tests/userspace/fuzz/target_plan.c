// SPDX-License-Identifier: GPL-2.0-only
/*
 * The client's plan: the headers that it leads to are no larger than the inline
 * thresholds, and its segments are those of a walk through the pages.
 *
 * Input: where Call and Reply lie in memory, eligibility, limits, what errors changed.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <asm/page.h>
#include "kunit/plan_bounce.h"
#include "message.h"

#define PAGES_MAX	(2U << 20)	/* bytes of a page list */
#define KVEC_MAX	(4 * PAGE_SIZE)
#define MR_PAGES_MAX	512

static void any_extent(struct fuzz_input *in, struct xprtrdma_extent *extent, u32 most)
{
	extent->offset = fuzz_bool(in) ? 0 : fuzz_any(in) % PAGE_SIZE;
	extent->length = fuzz_any(in) % (most + 1);
	if (fuzz_bool(in))	/* ends with its page */
		extent->length = ALIGN(extent->offset + extent->length, PAGE_SIZE) -
				 extent->offset;
}

static void any_layout(struct fuzz_input *in, struct xprtrdma_layout *layout)
{
	any_extent(in, &layout->head, fuzz_bool(in) ? KVEC_MAX : 256);
	any_extent(in, &layout->pages, PAGES_MAX);
	any_extent(in, &layout->tail, fuzz_bool(in) ? KVEC_MAX : 4);
}

/* Count MRs page by page: a new one at each gap, and when one is full */
struct walk {
	u32	mr_pages;
	u32	mrs;
	u32	in_mr;
	bool	gap;
};

static void walk_extent(struct walk *walk, const struct xprtrdma_extent *extent)
{
	u32 offset = extent->offset, done = 0, len;

	for (; done < extent->length; done += len, offset = 0) {
		len = min_t(u32, extent->length - done, PAGE_SIZE - offset);
		if (walk->gap || offset || walk->in_mr == walk->mr_pages) {
			walk->mrs++;
			walk->in_mr = 0;
		}
		walk->in_mr++;
		walk->gap = offset + len != PAGE_SIZE;
	}
}

static u32 walk_item(const struct xprtrdma_layout *layout, u32 mr_pages)
{
	struct walk walk = { .mr_pages = mr_pages, .gap = true };

	walk_extent(&walk, &layout->pages);
	return walk.mrs;
}

static u32 walk_all(const struct xprtrdma_layout *layout, u32 mr_pages)
{
	struct walk walk = { .mr_pages = mr_pages, .gap = true };

	walk_extent(&walk, &layout->head);
	walk_extent(&walk, &layout->pages);
	walk_extent(&walk, &layout->tail);
	return walk.mrs;
}

static u32 length_of(const struct xprtrdma_layout *layout)
{
	return layout->head.length + layout->pages.length + layout->tail.length;
}

/* Bytes of a header with these segments; @writes and @reply may be -1 for no chunk */
static u32 header_size(const struct xprtrdma_plan_args *args, int reads, int writes, int reply)
{
	u32 size = args->codec->version == 2 ? 36 : 28;

	return size + 24 * reads + (writes < 0 ? 0 : 8 + 16 * writes) +
	       (reply < 0 ? 0 : 4 + 16 * reply);
}

/* A Reply whose head and tail just fit beside a Write chunk, or just do not */
static void near_threshold(struct fuzz_input *in, struct xprtrdma_plan_args *args)
{
	struct xprtrdma_layout *reply = &args->reply;
	u32 segs = walk_item(reply, args->mr_pages);
	u32 used = header_size(args, 0, segs, -1) + reply->tail.length;
	u32 head = args->inline_recv - 16 + fuzz_below(in, 32);

	if (used < head && head - used <= KVEC_MAX)
		reply->head.length = head - used;
}

static void any_args(struct fuzz_input *in, struct xprtrdma_plan_args *args)
{
	u8 flags = fuzz_u8(in);

	*args = (struct xprtrdma_plan_args) {
		.codec		= flags & 1 ? &rpcrdma_codec_v2 : &rpcrdma_codec_v1,
		.call_ddp	= flags & 2,
		.reply_ddp	= flags & 4,
		.call_gpu	= flags & 64,
		.reply_gpu	= flags & 128,
		.retry		= {
			.done		= flags & 0x18,
			.no_reads	= flags & 8,
			.reply_chunk	= flags & 16,
		},
		.inline_send	= (1 + fuzz_below(in, 256)) * 1024,
		.inline_recv	= (1 + fuzz_below(in, 256)) * 1024,
		.mr_pages	= 1 + fuzz_any(in) % MR_PAGES_MAX,
		.send_sges	= fuzz_u8(in),
		.copy_max	= fuzz_any(in),
	};
	any_layout(in, &args->call);
	any_layout(in, &args->reply);
	if (flags & 32)
		near_threshold(in, args);
}

static u32 planned_header(const struct xprtrdma_plan_args *args,
			  const struct xprtrdma_plan *plan, u32 reads)
{
	int write = plan->reply == XPRTRDMA_REPLY_WRITE_CHUNK ? plan->reply_segs : -1;
	int reply = plan->reply == XPRTRDMA_REPLY_CHUNK ? plan->reply_segs : -1;

	return header_size(args, reads, write, reply);
}

static void check_reply(const struct xprtrdma_plan_args *args, const struct xprtrdma_plan *plan)
{
	const struct xprtrdma_layout *layout = &args->reply;
	u32 all = length_of(layout), header = planned_header(args, plan, 0);

	switch (plan->reply) {
	case XPRTRDMA_REPLY_INLINE:
		CHECK(!args->retry.reply_chunk && !args->reply_gpu);
		CHECK(!plan->reply_segs);
		CHECK(header + all <= args->inline_recv);
		return;
	case XPRTRDMA_REPLY_WRITE_CHUNK:
		CHECK(args->reply_ddp && !args->retry.reply_chunk);
		CHECK(plan->reply_segs == walk_item(layout, args->mr_pages));
		CHECK(header + all - layout->pages.length <= args->inline_recv);
		CHECK(plan->reply_segs);
		break;
	case XPRTRDMA_REPLY_CHUNK:
		CHECK(!args->reply_gpu);
		CHECK(plan->reply_segs == walk_all(layout, args->mr_pages));
		CHECK(header <= args->inline_recv);
		break;
	}
	CHECK(plan->reply_segs <= XPRTRDMA_CHUNK_SEGS_MAX);
	CHECK(args->retry.reply_chunk || args->reply_gpu ||
	      header_size(args, 0, -1, -1) + all > args->inline_recv);
}

static void check_read_chunk(const struct xprtrdma_plan_args *args,
			     const struct xprtrdma_plan *plan, u32 header)
{
	const struct xprtrdma_layout *layout = &args->call;

	CHECK(args->call_ddp && !args->retry.no_reads);
	CHECK(plan->position == layout->head.length && plan->position % 4 == 0);
	CHECK((layout->pages.length + plan->skip) % 4 == 0 && plan->skip < 4);
	CHECK(plan->skip <= layout->tail.length);
	CHECK(plan->read_segs == walk_item(layout, args->mr_pages));
	CHECK(header + length_of(layout) - layout->pages.length - plan->skip <=
	      args->inline_send);
}

static void check_call(const struct xprtrdma_plan_args *args, const struct xprtrdma_plan *plan)
{
	const struct xprtrdma_layout *layout = &args->call;
	u32 all = length_of(layout), header = planned_header(args, plan, plan->read_segs);

	switch (plan->call) {
	case XPRTRDMA_CALL_GATHERED:
		CHECK(layout->pages.length > args->copy_max);
		CHECK(xprtrdma_extent_pages(&layout->pages) + 2 <= args->send_sges);
		fallthrough;
	case XPRTRDMA_CALL_COPIED:
		CHECK(!plan->read_segs && !args->call_gpu);
		CHECK(header + all <= args->inline_send);
		return;
	case XPRTRDMA_CALL_READ_CHUNK:
		check_read_chunk(args, plan, header);
		break;
	case XPRTRDMA_CALL_LONG:
		CHECK(!plan->position && !args->call_gpu);
		CHECK(plan->read_segs == walk_all(layout, args->mr_pages));
		CHECK(header <= args->inline_send);
		break;
	}
	CHECK(plan->read_segs && plan->read_segs <= XPRTRDMA_CHUNK_SEGS_MAX);
	CHECK(args->call_gpu || planned_header(args, plan, 0) + all > args->inline_send);
}

/*
 * Nothing that is refused could have been sent as a long Call with a Reply chunk, but for GPU
 * memory
 */
static void check_refused(const struct xprtrdma_plan_args *args)
{
	u32 reads = walk_all(&args->call, args->mr_pages);
	u32 reply = walk_all(&args->reply, args->mr_pages);
	u32 write = walk_item(&args->reply, args->mr_pages);

	CHECK(args->call_gpu || args->reply_gpu ||
	      reads > XPRTRDMA_CHUNK_SEGS_MAX || reply > XPRTRDMA_CHUNK_SEGS_MAX ||
	      header_size(args, reads, -1, reply) > args->inline_send ||
	      header_size(args, reads, write, -1) > args->inline_send ||
	      header_size(args, 0, -1, reply) > args->inline_recv);
}

/* Bounce pages save MRs, and the form of the Reply stays */
static void check_bounced(const struct xprtrdma_plan_args *args, const struct xprtrdma_plan *plan)
{
	unsigned int bounce = xprtrdma_layout_bounce(&args->reply);
	struct xprtrdma_plan_args moved = *args;
	struct xprtrdma_layout *reply = &moved.reply;
	struct xprtrdma_plan again;

	if (plan->reply != XPRTRDMA_REPLY_CHUNK || !bounce)
		return;
	xprtrdma_test_bounce(reply, bounce);
	CHECK(length_of(reply) == length_of(&args->reply));
	CHECK(!xprtrdma_plan_bounced(&again, &moved));
	CHECK(again.reply == XPRTRDMA_REPLY_CHUNK);
	CHECK(again.reply_segs == walk_all(reply, args->mr_pages));
	CHECK(again.reply_segs <= plan->reply_segs);
	check_call(&moved, &again);
}

/* What NFS is told fits into a chunk, wherever it lies */
static void check_payload(const struct xprtrdma_plan_args *args)
{
	const struct xprtrdma_layout *layout = &args->reply;
	u32 mr = args->mr_pages * PAGE_SIZE;

	if (layout->pages.length <= xprtrdma_plan_payload(args->mr_pages) &&
	    layout->head.offset + layout->head.length <= mr &&
	    layout->tail.offset + layout->tail.length <= mr)
		CHECK(walk_all(layout, args->mr_pages) <= XPRTRDMA_CHUNK_SEGS_MAX);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct xprtrdma_plan_args args;
	struct xprtrdma_plan plan;
	int ret;

	any_args(&in, &args);
	check_payload(&args);
	ret = xprtrdma_plan(&plan, &args);
	CHECK(!ret || ret == -EMSGSIZE);
	if (ret) {
		check_refused(&args);
		return 0;
	}
	check_reply(&args, &plan);
	check_call(&args, &plan);
	check_bounced(&args, &plan);
	return 0;
}
