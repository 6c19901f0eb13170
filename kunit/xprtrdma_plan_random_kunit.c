// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans of random Calls and Replies. Each is checked by building the headers
 * that it leads to, and by counting MRs page by page.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include <asm/page.h>
#include "plan_bounce.h"
#include "support.h"

#define XPRTRDMA_PLAN_SEED	0x22
#define XPRTRDMA_PLAN_ROUNDS	20000

static u32 xprtrdma_test_pick(struct rnd_state *rnd, const u32 *from, u32 n)
{
	return from[prandom_u32_state(rnd) % n];
}

static void xprtrdma_random_extent(struct rnd_state *rnd,
				   struct xprtrdma_extent *extent, u32 most)
{
	static const u32 offsets[] = { 0, 0, 4, 17, PAGE_SIZE - 4 };
	u32 r = prandom_u32_state(rnd);

	extent->offset = xprtrdma_test_pick(rnd, offsets, ARRAY_SIZE(offsets));
	extent->length = prandom_u32_state(rnd) % (most + 1);
	switch (r % 8) {
	case 0:
		extent->length = 0;
		break;
	case 1:
	case 2:
		extent->length = ALIGN(extent->length, 4);
		break;
	case 3:
	case 4:
		/* ends on a page boundary */
		extent->length =
			ALIGN(extent->offset + extent->length, PAGE_SIZE) -
			extent->offset;
		break;
	}
}

static void xprtrdma_random_layout(struct rnd_state *rnd,
				   struct xprtrdma_layout *layout)
{
	static const u32 most[] = { 64, 5000, 5 * PAGE_SIZE, 40 * PAGE_SIZE };

	xprtrdma_random_extent(rnd, &layout->head, 600);
	if (prandom_u32_state(rnd) % 2)
		layout->head.length = ALIGN(layout->head.length, 4);
	xprtrdma_random_extent(rnd, &layout->pages,
			       xprtrdma_test_pick(rnd, most, ARRAY_SIZE(most)));
	xprtrdma_random_extent(rnd, &layout->tail, 40);
}

static void xprtrdma_random_args(struct rnd_state *rnd,
				 struct xprtrdma_plan_args *args)
{
	static const u32 inlines[] = { 1024, 4096, 8192 };
	static const u32 mrs[] = { 1, 2, 3, 16, 256 };

	*args = (struct xprtrdma_plan_args) { .codec = &rpcrdma_codec_v1 };
	xprtrdma_random_layout(rnd, &args->call);
	xprtrdma_random_layout(rnd, &args->reply);
	args->call_ddp = prandom_u32_state(rnd) % 2;
	args->reply_ddp = prandom_u32_state(rnd) % 2;
	args->inline_send =
		xprtrdma_test_pick(rnd, inlines, ARRAY_SIZE(inlines));
	args->inline_recv =
		xprtrdma_test_pick(rnd, inlines, ARRAY_SIZE(inlines));
	args->mr_pages = xprtrdma_test_pick(rnd, mrs, ARRAY_SIZE(mrs));
	args->send_sges = prandom_u32_state(rnd) % 8 + 1;
	args->copy_max = prandom_u32_state(rnd) % 4096;
}

/* Count MRs in the simplest way: a new one at each gap, and when one is full */
static u32 xprtrdma_walk_mrs(const struct xprtrdma_extent *const *extents,
			     unsigned int n, u32 mr_pages)
{
	u32 mrs = 0, in_mr = 0, done, len, offset;
	bool gap = true;
	unsigned int i;

	for (i = 0; i < n; i++) {
		offset = extents[i]->offset;
		for (done = 0; done < extents[i]->length; done += len) {
			len = min_t(u32, extents[i]->length - done,
				    PAGE_SIZE - offset);
			if (gap || offset || in_mr == mr_pages) {
				mrs++;
				in_mr = 0;
			}
			in_mr++;
			gap = offset + len != PAGE_SIZE;
			offset = 0;
		}
	}
	return mrs;
}

static u32 xprtrdma_walk_all(const struct xprtrdma_layout *layout, u32 mr_pages)
{
	const struct xprtrdma_extent *const extents[] = {
		&layout->head, &layout->pages, &layout->tail,
	};

	return xprtrdma_walk_mrs(extents, ARRAY_SIZE(extents), mr_pages);
}

static u32 xprtrdma_walk_item(const struct xprtrdma_layout *layout,
			      u32 mr_pages)
{
	const struct xprtrdma_extent *const extents[] = { &layout->pages };

	return xprtrdma_walk_mrs(extents, ARRAY_SIZE(extents), mr_pages);
}

static u32 xprtrdma_test_length(const struct xprtrdma_layout *layout)
{
	return layout->head.length + layout->pages.length + layout->tail.length;
}

/* Size of the header that the plan leads to; of the Reply if @reply */
static u32 xprtrdma_test_header(struct kunit *test, struct rpcrdma_msg *msg,
				const struct xprtrdma_plan *plan, bool reply)
{
	unsigned int i;

	rpcrdma_msg_init(msg, msg->segs, msg->max_segs);
	if (!reply)
		for (i = 0; i < plan->read_segs; i++)
			rpcrdma_test_add_read(test, msg, plan->position, 1);
	if (plan->reply == XPRTRDMA_REPLY_WRITE_CHUNK)
		rpcrdma_test_add_write(test, msg, plan->reply_segs, 1);
	if (plan->reply == XPRTRDMA_REPLY_CHUNK)
		rpcrdma_test_add_reply(test, msg, plan->reply_segs, 1);
	return rpcrdma_codec_v1.size(msg);
}

static void xprtrdma_check_reply(struct kunit *test,
				 const struct xprtrdma_plan_args *args,
				 const struct xprtrdma_plan *plan, u32 header)
{
	u32 all = xprtrdma_test_length(&args->reply);

	switch (plan->reply) {
	case XPRTRDMA_REPLY_INLINE:
		KUNIT_EXPECT_EQ(test, 0, plan->reply_segs);
		KUNIT_EXPECT_LE(test, header + all, args->inline_recv);
		return;
	case XPRTRDMA_REPLY_WRITE_CHUNK:
		KUNIT_EXPECT_TRUE(test, args->reply_ddp);
		KUNIT_EXPECT_EQ(test, plan->reply_segs,
				xprtrdma_walk_item(&args->reply,
						   args->mr_pages));
		KUNIT_EXPECT_LE(test, header + all - args->reply.pages.length,
				args->inline_recv);
		break;
	case XPRTRDMA_REPLY_CHUNK:
		KUNIT_EXPECT_EQ(test, plan->reply_segs,
				xprtrdma_walk_all(&args->reply,
						  args->mr_pages));
		KUNIT_EXPECT_LE(test, header, args->inline_recv);
		break;
	}
	/* no chunk without need: RFC 8166 4.3.3 (V1-RPL-02) */
	KUNIT_EXPECT_GT(test, 28 + all, args->inline_recv);
	KUNIT_EXPECT_GE(test, plan->reply_segs, 1);
	KUNIT_EXPECT_LE(test, plan->reply_segs, XPRTRDMA_CHUNK_SEGS_MAX);
}

static void xprtrdma_check_call(struct kunit *test,
				const struct xprtrdma_plan_args *args,
				const struct xprtrdma_plan *plan, u32 header)
{
	u32 all = xprtrdma_test_length(&args->call);

	switch (plan->call) {
	case XPRTRDMA_CALL_GATHERED:
		KUNIT_EXPECT_GT(test, args->call.pages.length, args->copy_max);
		KUNIT_EXPECT_LE(test,
				xprtrdma_extent_pages(&args->call.pages) + 2,
				args->send_sges);
		fallthrough;
	case XPRTRDMA_CALL_COPIED:
		KUNIT_EXPECT_EQ(test, 0, plan->read_segs);
		KUNIT_EXPECT_LE(test, header + all, args->inline_send);
		return;
	case XPRTRDMA_CALL_READ_CHUNK:
		KUNIT_EXPECT_TRUE(test, args->call_ddp);
		KUNIT_EXPECT_EQ(test, plan->position, args->call.head.length);
		KUNIT_EXPECT_TRUE(test, IS_ALIGNED(plan->position, 4));
		KUNIT_EXPECT_TRUE(test, IS_ALIGNED(args->call.pages.length +
						   plan->skip, 4));
		KUNIT_EXPECT_LT(test, plan->skip, 4);
		KUNIT_EXPECT_LE(test, plan->skip, args->call.tail.length);
		KUNIT_EXPECT_EQ(test, plan->read_segs,
				xprtrdma_walk_item(&args->call,
						   args->mr_pages));
		KUNIT_EXPECT_LE(test, header + all - args->call.pages.length -
				plan->skip, args->inline_send);
		break;
	case XPRTRDMA_CALL_LONG:
		KUNIT_EXPECT_EQ(test, 0, plan->position);
		KUNIT_EXPECT_EQ(test, plan->read_segs,
				xprtrdma_walk_all(&args->call, args->mr_pages));
		KUNIT_EXPECT_LE(test, header, args->inline_send);
		break;
	}
	header -= 24 * plan->read_segs;
	KUNIT_EXPECT_GT(test, header + all, args->inline_send);
	KUNIT_EXPECT_GE(test, plan->read_segs, 1);
	KUNIT_EXPECT_LE(test, plan->read_segs, XPRTRDMA_CHUNK_SEGS_MAX);
}

/* Are there too many segments, or is the header too large, for any form? */
static bool xprtrdma_too_much(const struct xprtrdma_plan_args *args)
{
	u32 reads = xprtrdma_walk_all(&args->call, args->mr_pages);
	u32 writes = xprtrdma_walk_all(&args->reply, args->mr_pages);

	return reads > XPRTRDMA_CHUNK_SEGS_MAX || writes > XPRTRDMA_CHUNK_SEGS_MAX ||
	       36 + 24 * reads + 16 * writes > args->inline_send ||
	       32 + 16 * writes > args->inline_recv;
}

/*
 * With bounce memory the Reply keeps its chunk, which needs no more segments than before
 */
static void xprtrdma_check_bounced(struct kunit *test,
				   const struct xprtrdma_plan_args *args,
				   const struct xprtrdma_plan *plan)
{
	unsigned int bounce = xprtrdma_layout_bounce(&args->reply);
	struct xprtrdma_plan_args moved = *args;
	struct xprtrdma_layout *reply = &moved.reply;
	struct xprtrdma_plan again;

	if (plan->reply != XPRTRDMA_REPLY_CHUNK || !bounce)
		return;
	xprtrdma_test_bounce(reply, bounce);
	KUNIT_EXPECT_EQ(test, 0, xprtrdma_plan_bounced(&again, &moved));
	KUNIT_EXPECT_EQ(test, again.reply, XPRTRDMA_REPLY_CHUNK);
	KUNIT_EXPECT_EQ(test, again.reply_segs,
			xprtrdma_walk_all(reply, args->mr_pages));
	KUNIT_EXPECT_LE(test, again.reply_segs, plan->reply_segs);
}

/*
 * RFC 8166 4.2.4, 4.3.3 and 3.5.3 (V1-INL-08, V1-RPL-01, V1-PZ-04, T-22, T-23)
 */
static void xprtrdma_plan_random(struct kunit *test)
{
	unsigned int calls[4] = {}, replies[3] = {}, refused = 0, round, i;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	struct xprtrdma_plan_args args;
	struct xprtrdma_plan plan;
	struct rnd_state rnd;
	int ret;

	prandom_seed_state(&rnd, XPRTRDMA_PLAN_SEED);
	for (round = 0; round < XPRTRDMA_PLAN_ROUNDS; round++) {
		xprtrdma_random_args(&rnd, &args);
		ret = xprtrdma_plan(&plan, &args);
		if (ret) {
			KUNIT_EXPECT_EQ(test, -EMSGSIZE, ret);
			KUNIT_EXPECT_TRUE(test, xprtrdma_too_much(&args));
			refused++;
			if (rpcrdma_test_faulty(test, round))
				return;
			continue;
		}
		calls[plan.call]++;
		replies[plan.reply]++;
		xprtrdma_check_reply(test, &args, &plan,
				     xprtrdma_test_header(test, msg, &plan,
							  true));
		xprtrdma_check_call(test, &args, &plan,
				    xprtrdma_test_header(test, msg, &plan,
							 false));
		xprtrdma_check_bounced(test, &args, &plan);
		if (rpcrdma_test_faulty(test, round))
			return;
	}
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		KUNIT_EXPECT_GT(test, calls[i], round / 100);
	for (i = 0; i < ARRAY_SIZE(replies); i++)
		KUNIT_EXPECT_GT(test, replies[i], round / 100);
	KUNIT_EXPECT_GT(test, refused, round / 1000);
}

static struct kunit_case xprtrdma_plan_random_test_cases[] = {
	KUNIT_CASE(xprtrdma_plan_random),
	{}
};

static struct kunit_suite xprtrdma_plan_random_test_suite = {
	.name		= "xprtrdma_plan_random",
	.test_cases	= xprtrdma_plan_random_test_cases,
};

kunit_test_suite(xprtrdma_plan_random_test_suite);
