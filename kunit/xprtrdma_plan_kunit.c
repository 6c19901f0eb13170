// SPDX-License-Identifier: GPL-2.0-only
/*
 * The form of a Call and its Reply: boundaries of each choice, and random
 * shapes whose plan is checked by building the headers it leads to.
 */
#include <compat/kunit.h>
#include <kunit/visibility.h>
#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <asm/page.h>
#include "support.h"
#include "../xprtrdma/plan.h"

#define XPRTRDMA_TEST_INLINE	4096

/**
 * struct xprtrdma_plan_case - sizes, and what is to become of them
 * @name:   what it shows
 * @call:   bytes of head, pages and tail of the Call
 * @reply:  bytes of head, pages and tail of the largest Reply
 * @at:     offset of the pages of both in their first page
 * @ddp:    pages may be placed directly
 * @mr_pages: pages of an MR, 0 for plenty
 * @ret:    result
 * @form:   form of the Call
 * @answer: form of the Reply
 * @skip:   pad that stays at home
 * @read_segs: segments for the Call
 * @reply_segs: segments for the Reply
 */
struct xprtrdma_plan_case {
	const char			*name;
	u32				call[3];
	u32				reply[3];
	u32				at;
	bool				ddp;
	u32				mr_pages;
	int				ret;
	enum xprtrdma_call_form		form;
	enum xprtrdma_reply_form	answer;
	u32				skip;
	u16				read_segs;
	u16				reply_segs;
};

static const struct xprtrdma_plan_case xprtrdma_plan_cases[] = {
	{ .name = "short both ways (V1-INL-10, V1-RPL-02)",
	  .call = { 100 }, .reply = { 200 } },
	{ .name = "both fill the threshold (T-22)",
	  .call = { 4096 - 28 }, .reply = { 4096 - 28 } },
	{ .name = "Call one byte above (V1-PZ-04)",
	  .call = { 4096 - 27 }, .reply = { 200 },
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 1 },
	{ .name = "Reply one byte above (V1-RPL-01)",
	  .call = { 100 }, .reply = { 4096 - 27 },
	  .answer = XPRTRDMA_REPLY_CHUNK, .reply_segs = 1 },
	{ .name = "Call fits with the Reply chunk (T-23)",
	  .call = { 4096 - 48 }, .reply = { 5000 },
	  .answer = XPRTRDMA_REPLY_CHUNK, .reply_segs = 1 },
	{ .name = "Call does not fit with the Reply chunk (T-23)",
	  .call = { 4096 - 47 }, .reply = { 5000 },
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 1,
	  .answer = XPRTRDMA_REPLY_CHUNK, .reply_segs = 1 },

	{ .name = "few pages are copied", .call = { 100, 1024 },
	  .reply = { 200 } },
	{ .name = "more pages are gathered", .call = { 100, 1025 },
	  .reply = { 200 }, .form = XPRTRDMA_CALL_GATHERED },
	{ .name = "small WRITE stays inline (V1-RD-14)",
	  .call = { 100, 2048 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_GATHERED },
	{ .name = "WRITE that fills the threshold", .call = { 100, 3968 },
	  .reply = { 200 }, .ddp = true, .form = XPRTRDMA_CALL_GATHERED },
	{ .name = "WRITE one word above", .call = { 100, 3972 },
	  .reply = { 200 }, .ddp = true, .form = XPRTRDMA_CALL_READ_CHUNK,
	  .read_segs = 1 },
	{ .name = "large WRITE (V1-RD-07)", .call = { 148, SZ_1M },
	  .reply = { 200 }, .ddp = true, .form = XPRTRDMA_CALL_READ_CHUNK,
	  .read_segs = 1 },
	{ .name = "large WRITE, pad left out (V1-PAD-03, V1-PAD-05)",
	  .call = { 148, SZ_1M - 3, 3 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 1, .skip = 3 },
	{ .name = "large WRITE, more behind the pad",
	  .call = { 148, SZ_1M - 1, 41 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 1, .skip = 1 },
	{ .name = "pages are no whole item: no pad (V1-PAD-02)",
	  .call = { 148, SZ_1M - 3, 2 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 3 },
	{ .name = "pages are no whole item: head (V1-RD-03)",
	  .call = { 147, SZ_1M }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 2 },
	{ .name = "large, and not to be reduced (V1-DDP-02, T-43)",
	  .call = { 148, SZ_1M }, .reply = { 200 },
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 2 },
	{ .name = "WRITE whose rest fills the threshold (T-22)",
	  .call = { 4096 - 52, SZ_1M - 3, 3 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 1, .skip = 3 },
	{ .name = "the rest of the WRITE does not fit either",
	  .call = { 4080, SZ_1M }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 2 },

	{ .name = "small READ stays inline (V1-WR-18)", .call = { 100 },
	  .reply = { 100, 3968 }, .ddp = true },
	{ .name = "READ one byte above (V1-WR-12)", .call = { 100 },
	  .reply = { 100, 3969 }, .ddp = true,
	  .answer = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 1 },
	{ .name = "large READ", .call = { 100 }, .reply = { 100, SZ_1M, 4 },
	  .ddp = true, .answer = XPRTRDMA_REPLY_WRITE_CHUNK,
	  .reply_segs = 1 },
	{ .name = "READ whose rest fills the threshold (T-23)",
	  .call = { 100 }, .reply = { 4096 - 52 - 4, SZ_1M, 4 }, .ddp = true,
	  .answer = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 1 },
	{ .name = "READ whose rest does not fit (T-23)", .call = { 100 },
	  .reply = { 4096 - 52 - 3, SZ_1M, 4 }, .ddp = true,
	  .answer = XPRTRDMA_REPLY_CHUNK, .reply_segs = 3 },
	{ .name = "large Reply, not to be reduced (T-43)", .call = { 100 },
	  .reply = { 100, SZ_1M, 4 }, .answer = XPRTRDMA_REPLY_CHUNK,
	  .reply_segs = 3 },
	{ .name = "large both ways, not to be reduced (V1-SEC-07)",
	  .call = { 200, SZ_64K, 40 }, .reply = { 200, SZ_64K, 40 },
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 3,
	  .answer = XPRTRDMA_REPLY_CHUNK, .reply_segs = 3 },

	{ .name = "one MR less one page", .call = { 100 },
	  .reply = { 100, SZ_1M }, .at = 0, .ddp = true,
	  .mr_pages = SZ_1M / PAGE_SIZE,
	  .answer = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 1 },
	{ .name = "not aligned: two MRs", .call = { 100 },
	  .reply = { 100, SZ_1M }, .at = 1, .ddp = true,
	  .mr_pages = SZ_1M / PAGE_SIZE,
	  .answer = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 2 },
	{ .name = "sixteen segments (ULB-CLX-04)", .call = { 100 },
	  .reply = { 100, 16 * PAGE_SIZE }, .ddp = true, .mr_pages = 1,
	  .answer = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 16 },
	{ .name = "sixty-four segments for the Reply",
	  .call = { 100 }, .reply = { 100, 64 * PAGE_SIZE }, .ddp = true,
	  .mr_pages = 1,
	  .answer = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 64 },
	{ .name = "sixty-four segments for the Call",
	  .call = { 100, 64 * PAGE_SIZE }, .reply = { 100 }, .ddp = true,
	  .mr_pages = 1,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 64 },
	{ .name = "one segment more for the Reply",
	  .call = { 100 }, .reply = { 100, 64 * PAGE_SIZE }, .at = 4,
	  .ddp = true, .mr_pages = 1, .ret = -EMSGSIZE },
	{ .name = "one segment more for the Call",
	  .call = { 100, 64 * PAGE_SIZE }, .reply = { 100 }, .at = 4,
	  .ddp = true, .mr_pages = 1, .ret = -EMSGSIZE },
};

KUNIT_ARRAY_PARAM_DESC(xprtrdma_plan, xprtrdma_plan_cases, name);

/* Heads and tails begin in the middle of a page, so that nothing joins */
static void xprtrdma_test_shape(struct xprtrdma_shape *shape, const u32 *bytes,
				u32 at)
{
	shape->head.offset = 8;
	shape->head.length = bytes[0];
	shape->pages.offset = at;
	shape->pages.length = bytes[1];
	shape->tail.offset = 8;
	shape->tail.length = bytes[2];
}

static void xprtrdma_plan_table(struct kunit *test)
{
	const struct xprtrdma_plan_case *c = test->param_value;
	struct xprtrdma_question q = {
		.codec		= &rpcrdma_codec_v1,
		.call_ddp	= c->ddp,
		.reply_ddp	= c->ddp,
		.inline_send	= XPRTRDMA_TEST_INLINE,
		.inline_recv	= XPRTRDMA_TEST_INLINE,
		.mr_pages	= c->mr_pages ?: 4096,
		.send_sges	= 8,
		.copy_max	= 1024,
	};
	struct xprtrdma_plan plan;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	xprtrdma_test_shape(&q.call, c->call, c->at);
	xprtrdma_test_shape(&q.reply, c->reply, c->at);

	KUNIT_ASSERT_EQ(test, c->ret, xprtrdma_plan(&plan, &q));
	if (c->ret)
		return;
	KUNIT_EXPECT_EQ(test, c->form, plan.call);
	KUNIT_EXPECT_EQ(test, c->answer, plan.reply);
	KUNIT_EXPECT_EQ(test, c->read_segs, plan.read_segs);
	KUNIT_EXPECT_EQ(test, c->reply_segs, plan.reply_segs);
	KUNIT_EXPECT_EQ(test, c->skip, plan.skip);
	if (plan.call == XPRTRDMA_CALL_READ_CHUNK)
		KUNIT_EXPECT_EQ(test, c->call[0], plan.position);
}

/* Pages with too few SGEs for them are copied */
static void xprtrdma_plan_sges(struct kunit *test)
{
	struct xprtrdma_question q = {
		.codec		= &rpcrdma_codec_v1,
		.inline_send	= 16384,
		.inline_recv	= 4096,
		.mr_pages	= 256,
		.call = {
			.head	= { .length = 100 },
			.pages	= { .offset = PAGE_SIZE - 1, .length = 2 },
			.tail	= { .length = 2 },
		},
	};
	struct xprtrdma_plan plan;

	/* two pages, the buffer with the head, the tail */
	q.send_sges = 4;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_GATHERED, plan.call);
	q.send_sges = 3;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_COPIED, plan.call);
	q.send_sges = 1;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_COPIED, plan.call);
}

struct xprtrdma_span_case {
	const char		*name;
	struct xprtrdma_span	span;
	u32			pages;
};

#define XPRTRDMA_SPAN(offset, length, pages)				\
	{ #offset " + " #length, { (offset), (length) }, (pages) }

static const struct xprtrdma_span_case xprtrdma_span_cases[] = {
	XPRTRDMA_SPAN(0, 0, 0),
	XPRTRDMA_SPAN(17, 0, 0),
	XPRTRDMA_SPAN(0, 1, 1),
	XPRTRDMA_SPAN(PAGE_SIZE - 1, 1, 1),
	XPRTRDMA_SPAN(PAGE_SIZE - 1, 2, 2),
	XPRTRDMA_SPAN(0, PAGE_SIZE, 1),
	XPRTRDMA_SPAN(1, PAGE_SIZE, 2),
	XPRTRDMA_SPAN(0, SZ_1M, SZ_1M / PAGE_SIZE),
	XPRTRDMA_SPAN(1, SZ_1M, SZ_1M / PAGE_SIZE + 1),
};

KUNIT_ARRAY_PARAM_DESC(xprtrdma_span, xprtrdma_span_cases, name);

static void xprtrdma_plan_span(struct kunit *test)
{
	const struct xprtrdma_span_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, c->pages, xprtrdma_span_pages(&c->span));
}

/* Design: one MR where the head ends and the tail begins on a page boundary */
static void xprtrdma_plan_joined(struct kunit *test)
{
	struct xprtrdma_question q = {
		.codec		= &rpcrdma_codec_v1,
		.inline_send	= 1024,
		.inline_recv	= 1024,
		.mr_pages	= 256,
		.call		= { .head = { .length = 100 } },
		.reply = {
			.head	= { PAGE_SIZE - 400, 400 },
			.pages	= { 0, 4 * PAGE_SIZE },
			.tail	= { 0, 40 },
		},
	};
	struct xprtrdma_plan plan;

	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
	KUNIT_EXPECT_EQ(test, 1, plan.reply_segs);

	/* each of the four page boundaries missed in turn */
	q.reply.head.length--;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);
	q.reply.head.length++;
	q.reply.pages.offset = 4;
	q.reply.pages.length -= 4;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);
	q.reply.pages.offset = 0;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);
	q.reply.pages.length += 4;
	q.reply.tail.offset = 4;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);

	/* nothing between head and tail */
	q.reply.pages.length = 0;
	q.reply.head = (struct xprtrdma_span) { 0, 2 * PAGE_SIZE };
	q.reply.tail.offset = 0;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &q));
	KUNIT_EXPECT_EQ(test, 1, plan.reply_segs);
}

#define XPRTRDMA_PLAN_SEED	0x22
#define XPRTRDMA_PLAN_ROUNDS	20000

static u32 xprtrdma_test_pick(struct rnd_state *rnd, const u32 *from, u32 n)
{
	return from[prandom_u32_state(rnd) % n];
}

static void xprtrdma_random_span(struct rnd_state *rnd,
				 struct xprtrdma_span *span, u32 most)
{
	static const u32 offsets[] = { 0, 0, 4, 17, PAGE_SIZE - 4 };
	u32 r = prandom_u32_state(rnd);

	span->offset = xprtrdma_test_pick(rnd, offsets, ARRAY_SIZE(offsets));
	span->length = prandom_u32_state(rnd) % (most + 1);
	switch (r % 8) {
	case 0:
		span->length = 0;
		break;
	case 1:
	case 2:
		span->length = ALIGN(span->length, 4);
		break;
	case 3:
	case 4:
		/* ends on a page boundary */
		span->length = ALIGN(span->offset + span->length, PAGE_SIZE) -
			       span->offset;
		break;
	}
}

static void xprtrdma_random_shape(struct rnd_state *rnd,
				  struct xprtrdma_shape *shape)
{
	static const u32 most[] = { 64, 5000, 5 * PAGE_SIZE, 40 * PAGE_SIZE };

	xprtrdma_random_span(rnd, &shape->head, 600);
	if (prandom_u32_state(rnd) % 2)
		shape->head.length = ALIGN(shape->head.length, 4);
	xprtrdma_random_span(rnd, &shape->pages,
			     xprtrdma_test_pick(rnd, most, ARRAY_SIZE(most)));
	xprtrdma_random_span(rnd, &shape->tail, 40);
}

static void xprtrdma_random_question(struct rnd_state *rnd,
				     struct xprtrdma_question *q)
{
	static const u32 inlines[] = { 1024, 4096, 8192 };
	static const u32 mrs[] = { 1, 2, 3, 16, 256 };

	q->codec = &rpcrdma_codec_v1;
	xprtrdma_random_shape(rnd, &q->call);
	xprtrdma_random_shape(rnd, &q->reply);
	q->call_ddp = prandom_u32_state(rnd) % 2;
	q->reply_ddp = prandom_u32_state(rnd) % 2;
	q->inline_send = xprtrdma_test_pick(rnd, inlines, ARRAY_SIZE(inlines));
	q->inline_recv = xprtrdma_test_pick(rnd, inlines, ARRAY_SIZE(inlines));
	q->mr_pages = xprtrdma_test_pick(rnd, mrs, ARRAY_SIZE(mrs));
	q->send_sges = prandom_u32_state(rnd) % 8 + 1;
	q->copy_max = prandom_u32_state(rnd) % 4096;
}

/* Naive: page by page; a new MR at each gap and when one is full */
static u32 xprtrdma_walk_mrs(const struct xprtrdma_span *const *spans,
			     unsigned int n, u32 mr_pages)
{
	u32 mrs = 0, in_mr = 0, done, len, offset;
	bool gap = true;
	unsigned int i;

	for (i = 0; i < n; i++) {
		offset = spans[i]->offset;
		for (done = 0; done < spans[i]->length; done += len) {
			len = min_t(u32, spans[i]->length - done,
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

static u32 xprtrdma_walk_all(const struct xprtrdma_shape *shape, u32 mr_pages)
{
	const struct xprtrdma_span *const spans[] = {
		&shape->head, &shape->pages, &shape->tail,
	};

	return xprtrdma_walk_mrs(spans, ARRAY_SIZE(spans), mr_pages);
}

static u32 xprtrdma_walk_item(const struct xprtrdma_shape *shape, u32 mr_pages)
{
	const struct xprtrdma_span *const spans[] = { &shape->pages };

	return xprtrdma_walk_mrs(spans, ARRAY_SIZE(spans), mr_pages);
}

static u32 xprtrdma_test_length(const struct xprtrdma_shape *shape)
{
	return shape->head.length + shape->pages.length + shape->tail.length;
}

/* The header that the plan leads to; Reply header if @answer */
static u32 xprtrdma_test_header(struct kunit *test, struct rpcrdma_msg *msg,
				const struct xprtrdma_plan *plan, bool answer)
{
	unsigned int i;

	rpcrdma_msg_init(msg, msg->segs, msg->max_segs);
	if (!answer)
		for (i = 0; i < plan->read_segs; i++)
			rpcrdma_test_add_read(test, msg, plan->position, 1);
	if (plan->reply == XPRTRDMA_REPLY_WRITE_CHUNK)
		rpcrdma_test_add_write(test, msg, plan->reply_segs, 1);
	if (plan->reply == XPRTRDMA_REPLY_CHUNK)
		rpcrdma_test_add_reply(test, msg, plan->reply_segs, 1);
	return rpcrdma_codec_v1.size(msg);
}

static void xprtrdma_check_reply(struct kunit *test,
				 const struct xprtrdma_question *q,
				 const struct xprtrdma_plan *plan, u32 header)
{
	u32 all = xprtrdma_test_length(&q->reply);

	switch (plan->reply) {
	case XPRTRDMA_REPLY_INLINE:
		KUNIT_EXPECT_EQ(test, 0, plan->reply_segs);
		KUNIT_EXPECT_LE(test, header + all, q->inline_recv);
		return;
	case XPRTRDMA_REPLY_WRITE_CHUNK:
		KUNIT_EXPECT_TRUE(test, q->reply_ddp);
		KUNIT_EXPECT_EQ(test, plan->reply_segs,
				xprtrdma_walk_item(&q->reply, q->mr_pages));
		KUNIT_EXPECT_LE(test, header + all - q->reply.pages.length,
				q->inline_recv);
		break;
	case XPRTRDMA_REPLY_CHUNK:
		KUNIT_EXPECT_EQ(test, plan->reply_segs,
				xprtrdma_walk_all(&q->reply, q->mr_pages));
		KUNIT_EXPECT_LE(test, header, q->inline_recv);
		break;
	}
	/* no chunk without need (V1-RPL-02) */
	KUNIT_EXPECT_GT(test, 28 + all, q->inline_recv);
	KUNIT_EXPECT_GE(test, plan->reply_segs, 1);
	KUNIT_EXPECT_LE(test, plan->reply_segs, XPRTRDMA_CHUNK_SEGS);
}

static void xprtrdma_check_call(struct kunit *test,
				const struct xprtrdma_question *q,
				const struct xprtrdma_plan *plan, u32 header)
{
	u32 all = xprtrdma_test_length(&q->call);

	switch (plan->call) {
	case XPRTRDMA_CALL_GATHERED:
		KUNIT_EXPECT_GT(test, q->call.pages.length, q->copy_max);
		KUNIT_EXPECT_LE(test, xprtrdma_span_pages(&q->call.pages) + 2,
				q->send_sges);
		fallthrough;
	case XPRTRDMA_CALL_COPIED:
		KUNIT_EXPECT_EQ(test, 0, plan->read_segs);
		KUNIT_EXPECT_LE(test, header + all, q->inline_send);
		return;
	case XPRTRDMA_CALL_READ_CHUNK:
		KUNIT_EXPECT_TRUE(test, q->call_ddp);
		KUNIT_EXPECT_EQ(test, plan->position, q->call.head.length);
		KUNIT_EXPECT_TRUE(test, IS_ALIGNED(plan->position, 4));
		KUNIT_EXPECT_TRUE(test, IS_ALIGNED(q->call.pages.length +
						   plan->skip, 4));
		KUNIT_EXPECT_LT(test, plan->skip, 4);
		KUNIT_EXPECT_LE(test, plan->skip, q->call.tail.length);
		KUNIT_EXPECT_EQ(test, plan->read_segs,
				xprtrdma_walk_item(&q->call, q->mr_pages));
		KUNIT_EXPECT_LE(test, header + all - q->call.pages.length -
				plan->skip, q->inline_send);
		break;
	case XPRTRDMA_CALL_LONG:
		KUNIT_EXPECT_EQ(test, 0, plan->position);
		KUNIT_EXPECT_EQ(test, plan->read_segs,
				xprtrdma_walk_all(&q->call, q->mr_pages));
		KUNIT_EXPECT_LE(test, header, q->inline_send);
		break;
	}
	header -= 24 * plan->read_segs;
	KUNIT_EXPECT_GT(test, header + all, q->inline_send);
	KUNIT_EXPECT_GE(test, plan->read_segs, 1);
	KUNIT_EXPECT_LE(test, plan->read_segs, XPRTRDMA_CHUNK_SEGS);
}

/* Too many segments for a form that takes anything, or for its header */
static bool xprtrdma_too_much(const struct xprtrdma_question *q)
{
	u32 reads = xprtrdma_walk_all(&q->call, q->mr_pages);
	u32 writes = xprtrdma_walk_all(&q->reply, q->mr_pages);

	return reads > XPRTRDMA_CHUNK_SEGS || writes > XPRTRDMA_CHUNK_SEGS ||
	       36 + 24 * reads + 16 * writes > q->inline_send ||
	       32 + 16 * writes > q->inline_recv;
}

/* T-22, T-23, V1-INL-08, V1-RPL-01, V1-PZ-04 */
static void xprtrdma_plan_random(struct kunit *test)
{
	unsigned int calls[4] = {}, replies[3] = {}, refused = 0, round, i;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	struct xprtrdma_question q;
	struct xprtrdma_plan plan;
	struct rnd_state rnd;
	int ret;

	prandom_seed_state(&rnd, XPRTRDMA_PLAN_SEED);
	for (round = 0; round < XPRTRDMA_PLAN_ROUNDS; round++) {
		xprtrdma_random_question(&rnd, &q);
		ret = xprtrdma_plan(&plan, &q);
		if (ret) {
			KUNIT_EXPECT_EQ(test, -EMSGSIZE, ret);
			KUNIT_EXPECT_TRUE(test, xprtrdma_too_much(&q));
			refused++;
			if (rpcrdma_test_faulty(test, round))
				return;
			continue;
		}
		calls[plan.call]++;
		replies[plan.reply]++;
		xprtrdma_check_reply(test, &q, &plan,
				     xprtrdma_test_header(test, msg, &plan,
							  true));
		xprtrdma_check_call(test, &q, &plan,
				    xprtrdma_test_header(test, msg, &plan,
							 false));
		if (rpcrdma_test_faulty(test, round))
			return;
	}
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		KUNIT_EXPECT_GT(test, calls[i], round / 100);
	for (i = 0; i < ARRAY_SIZE(replies); i++)
		KUNIT_EXPECT_GT(test, replies[i], round / 100);
	KUNIT_EXPECT_GT(test, refused, round / 1000);
}

static struct kunit_case xprtrdma_plan_test_cases[] = {
	KUNIT_CASE_PARAM(xprtrdma_plan_table, xprtrdma_plan_gen_params),
	KUNIT_CASE(xprtrdma_plan_sges),
	KUNIT_CASE_PARAM(xprtrdma_plan_span, xprtrdma_span_gen_params),
	KUNIT_CASE(xprtrdma_plan_joined),
	KUNIT_CASE(xprtrdma_plan_random),
	{}
};

static struct kunit_suite xprtrdma_plan_test_suite = {
	.name		= "xprtrdma_plan",
	.test_cases	= xprtrdma_plan_test_cases,
};

kunit_test_suite(xprtrdma_plan_test_suite);

MODULE_DESCRIPTION("KUnit tests of the RPC-over-RDMA client");
MODULE_LICENSE("GPL");
RPCRDMA_IMPORT_KUNIT_SYMBOLS;
