// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plan of a Call and its Reply: the boundaries of each form.
 */
#include <compat/kunit.h>
#include <kunit/visibility.h>
#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <asm/page.h>
#include "support.h"
#include "../xprtrdma/protocol/plan.h"

#define XPRTRDMA_TEST_INLINE	4096

/**
 * struct xprtrdma_plan_case - sizes and the expected plan
 * @name:   what it shows
 * @call:   bytes of head, pages and tail of the Call
 * @reply:  bytes of head, pages and tail of the largest Reply
 * @at:     offset of the pages of both in their first page
 * @ddp:    pages may be placed directly
 * @gpu:    pages of the Call are GPU memory, if it has any; otherwise those of the Reply
 * @mr_pages: pages of an MR, 0 for 4096
 * @ret:    result
 * @form:   form of the Call
 * @reply_form: what is offered for the Reply
 * @skip:   bytes of the pad that are left out
 * @read_segs: segments for the Call
 * @reply_segs: segments for the Reply
 */
struct xprtrdma_plan_case {
	const char			*name;
	u32				call[3];
	u32				reply[3];
	u32				at;
	bool				ddp;
	bool				gpu;
	u32				mr_pages;
	int				ret;
	enum xprtrdma_call_form		form;
	enum xprtrdma_reply_form	reply_form;
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
	  .reply_form = XPRTRDMA_REPLY_CHUNK, .reply_segs = 1 },
	{ .name = "Call fits with the Reply chunk (T-23)",
	  .call = { 4096 - 48 }, .reply = { 5000 },
	  .reply_form = XPRTRDMA_REPLY_CHUNK, .reply_segs = 1 },
	{ .name = "Call does not fit with the Reply chunk (T-23)",
	  .call = { 4096 - 47 }, .reply = { 5000 },
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 1,
	  .reply_form = XPRTRDMA_REPLY_CHUNK, .reply_segs = 1 },

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
	{ .name = "large WRITE (V1-RD-07, V1-CHK-08)", .call = { 148, SZ_1M },
	  .reply = { 200 }, .ddp = true, .form = XPRTRDMA_CALL_READ_CHUNK,
	  .read_segs = 1 },
	{ .name = "large WRITE, pad left out (V1-PAD-03, V1-PAD-05)",
	  .call = { 148, SZ_1M - 3, 3 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 1, .skip = 3 },
	{ .name = "large WRITE, more behind the pad",
	  .call = { 148, SZ_1M - 1, 41 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 1, .skip = 1 },
	{ .name = "pages are not a whole item: no pad (V1-PAD-02, V1-CHK-07)",
	  .call = { 148, SZ_1M - 3, 2 }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 3 },
	{ .name = "pages are not a whole item: head (V1-RD-03)",
	  .call = { 147, SZ_1M }, .reply = { 200 }, .ddp = true,
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 2 },
	{ .name = "large, must not be reduced (V1-DDP-02, T-43)",
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
	  .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 1 },
	{ .name = "large READ", .call = { 100 }, .reply = { 100, SZ_1M, 4 },
	  .ddp = true, .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK,
	  .reply_segs = 1 },
	{ .name = "READ whose rest fills the threshold (T-23)",
	  .call = { 100 }, .reply = { 4096 - 52 - 4, SZ_1M, 4 }, .ddp = true,
	  .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 1 },
	{ .name = "READ whose rest does not fit (T-23)", .call = { 100 },
	  .reply = { 4096 - 52 - 3, SZ_1M, 4 }, .ddp = true,
	  .reply_form = XPRTRDMA_REPLY_CHUNK, .reply_segs = 3 },
	{ .name = "large Reply, must not be reduced (T-43)", .call = { 100 },
	  .reply = { 100, SZ_1M, 4 }, .reply_form = XPRTRDMA_REPLY_CHUNK,
	  .reply_segs = 3 },
	{ .name = "large both ways, must not be reduced (V1-SEC-07)",
	  .call = { 200, SZ_64K, 40 }, .reply = { 200, SZ_64K, 40 },
	  .form = XPRTRDMA_CALL_LONG, .read_segs = 3,
	  .reply_form = XPRTRDMA_REPLY_CHUNK, .reply_segs = 3 },

	{ .name = "small WRITE from GPU memory", .call = { 100, 1024 },
	  .reply = { 200 }, .ddp = true, .gpu = true,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 1 },
	{ .name = "one byte from GPU memory", .call = { 100, 1, 3 },
	  .reply = { 200 }, .ddp = true, .gpu = true,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 1, .skip = 3 },
	{ .name = "GPU memory that must not be reduced", .call = { 100, 1024 },
	  .reply = { 200 }, .gpu = true, .ret = -EMSGSIZE },
	{ .name = "large GPU memory, the rest does not fit",
	  .call = { 4080, SZ_1M }, .reply = { 200 }, .ddp = true, .gpu = true,
	  .ret = -EMSGSIZE },
	{ .name = "small READ into GPU memory", .call = { 100 },
	  .reply = { 100, 1024 }, .ddp = true, .gpu = true,
	  .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 1 },
	{ .name = "small Reply into GPU memory, must not be reduced",
	  .call = { 100 }, .reply = { 100, 1024 }, .gpu = true,
	  .ret = -EMSGSIZE },
	{ .name = "READ into GPU memory whose rest does not fit",
	  .call = { 100 }, .reply = { 4096 - 52 - 3, SZ_1M, 4 }, .ddp = true,
	  .gpu = true, .ret = -EMSGSIZE },

	{ .name = "one MR less one page", .call = { 100 },
	  .reply = { 100, SZ_1M }, .at = 0, .ddp = true,
	  .mr_pages = SZ_1M / PAGE_SIZE,
	  .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 1 },
	{ .name = "not aligned: two MRs", .call = { 100 },
	  .reply = { 100, SZ_1M }, .at = 1, .ddp = true,
	  .mr_pages = SZ_1M / PAGE_SIZE,
	  .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 2 },
	{ .name = "sixteen segments (ULB-CLX-04)", .call = { 100 },
	  .reply = { 100, 16 * PAGE_SIZE }, .ddp = true, .mr_pages = 1,
	  .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 16 },
	{ .name = "sixty-four segments for the Reply",
	  .call = { 100 }, .reply = { 100, 64 * PAGE_SIZE }, .ddp = true,
	  .mr_pages = 1,
	  .reply_form = XPRTRDMA_REPLY_WRITE_CHUNK, .reply_segs = 64 },
	{ .name = "sixty-four segments for the Call",
	  .call = { 100, 64 * PAGE_SIZE }, .reply = { 100 }, .ddp = true,
	  .mr_pages = 1,
	  .form = XPRTRDMA_CALL_READ_CHUNK, .read_segs = 64 },
	{ .name = "one segment more for the Reply",
	  .call = { 100 }, .reply = { 100, 64 * PAGE_SIZE }, .at = 4,
	  .ddp = true, .mr_pages = 1, .ret = -EMSGSIZE },
	{ .name = "sixty-five segments for a Reply without a head",
	  .call = { 100 }, .reply = { 0, 64 * PAGE_SIZE }, .at = 4,
	  .ddp = true, .mr_pages = 1, .ret = -EMSGSIZE },
	{ .name = "one segment more for the Call",
	  .call = { 100, 64 * PAGE_SIZE }, .reply = { 100 }, .at = 4,
	  .ddp = true, .mr_pages = 1, .ret = -EMSGSIZE },
};

KUNIT_ARRAY_PARAM_DESC(xprtrdma_plan, xprtrdma_plan_cases, name);

/* Heads and tails begin in the middle of a page: there is a gap next to each */
static void xprtrdma_test_layout(struct xprtrdma_layout *layout,
				 const u32 *bytes, u32 at)
{
	layout->head.offset = 8;
	layout->head.length = bytes[0];
	layout->pages.offset = at;
	layout->pages.length = bytes[1];
	layout->tail.offset = 8;
	layout->tail.length = bytes[2];
}

static void xprtrdma_plan_table(struct kunit *test)
{
	const struct xprtrdma_plan_case *c = test->param_value;
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v1,
		.call_ddp	= c->ddp,
		.reply_ddp	= c->ddp,
		.call_gpu	= c->gpu && c->call[1],
		.reply_gpu	= c->gpu && !c->call[1],
		.inline_send	= XPRTRDMA_TEST_INLINE,
		.inline_recv	= XPRTRDMA_TEST_INLINE,
		.mr_pages	= c->mr_pages ?: 4096,
		.send_sges	= 8,
		.copy_max	= 1024,
	};
	struct xprtrdma_plan plan;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	xprtrdma_test_layout(&args.call, c->call, c->at);
	xprtrdma_test_layout(&args.reply, c->reply, c->at);

	KUNIT_ASSERT_EQ(test, c->ret, xprtrdma_plan(&plan, &args));
	if (c->ret)
		return;
	KUNIT_EXPECT_EQ(test, c->form, plan.call);
	KUNIT_EXPECT_EQ(test, c->reply_form, plan.reply);
	KUNIT_EXPECT_EQ(test, c->read_segs, plan.read_segs);
	KUNIT_EXPECT_EQ(test, c->reply_segs, plan.reply_segs);
	KUNIT_EXPECT_EQ(test, c->skip, plan.skip);
	if (plan.call == XPRTRDMA_CALL_READ_CHUNK)
		KUNIT_EXPECT_EQ(test, c->call[0], plan.position);
}

/* What an error of version 2 rules out, GPU memory needs */
static void xprtrdma_plan_gpu_retry(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v1,
		.call_ddp	= true,
		.reply_ddp	= true,
		.inline_send	= XPRTRDMA_TEST_INLINE,
		.inline_recv	= XPRTRDMA_TEST_INLINE,
		.mr_pages	= 256,
		.call		= { .head = { .length = 100 },
				    .pages = { .length = SZ_8K } },
		.reply		= { .head = { .length = 100 },
				    .pages = { .length = SZ_8K } },
	};
	struct xprtrdma_plan plan;

	args.retry.no_reads = true;
	KUNIT_EXPECT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	args.call_gpu = true;
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, xprtrdma_plan(&plan, &args));
	args.retry.no_reads = false;
	KUNIT_EXPECT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	args.retry.reply_chunk = true;
	KUNIT_EXPECT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	args.reply_gpu = true;
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, xprtrdma_plan(&plan, &args));
}

/* Neither a Write chunk nor a Reply chunk fits into the header of the Reply */
static void xprtrdma_plan_reply_header(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v1,
		.reply_ddp	= true,
		.inline_send	= 4096,
		.inline_recv	= 28 + 4 + 64 * 16,
		.mr_pages	= 1,
		.call.head	= { .length = 100 },
		.reply.pages	= { .length = 64 * PAGE_SIZE },
	};
	struct xprtrdma_plan plan;

	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
	args.inline_recv--;
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, xprtrdma_plan(&plan, &args));
}

/* The Position Zero chunk fills the header of the Call, or does not fit */
static void xprtrdma_plan_call_header(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v1,
		.inline_send	= 28 + 64 * 24,
		.inline_recv	= 4096,
		.mr_pages	= 1,
		.call.pages	= { .length = 64 * PAGE_SIZE },
		.reply.head	= { .length = 100 },
	};
	struct xprtrdma_plan plan;

	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_LONG, plan.call);
	KUNIT_EXPECT_EQ(test, 64, plan.read_segs);
	args.inline_send--;
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, xprtrdma_plan(&plan, &args));
}

/* The parts of a message that are not empty, in order */
static void xprtrdma_plan_extents(struct kunit *test)
{
	struct xprtrdma_extent extents[XPRTRDMA_LAYOUT_EXTENTS];
	struct xprtrdma_layout layout;
	unsigned int parts, n;

	for (parts = 0; parts < 8; parts++) {
		layout = (struct xprtrdma_layout) {
			.head	= { 1, parts & 1 ? 10 : 0 },
			.pages	= { 2, parts & 2 ? 20 : 0 },
			.tail	= { 3, parts & 4 ? 30 : 0 },
		};
		n = 0;
		KUNIT_ASSERT_EQ(test, !!(parts & 1) + !!(parts & 2) + !!(parts & 4),
				xprtrdma_layout_extents(&layout, extents));
		if (parts & 1)
			KUNIT_EXPECT_EQ(test, 10, extents[n++].length);
		if (parts & 2)
			KUNIT_EXPECT_EQ(test, 20, extents[n++].length);
		if (parts & 4)
			KUNIT_EXPECT_EQ(test, 30, extents[n++].length);
	}
}

/* Pages with too few SGEs for them are copied */
static void xprtrdma_plan_sges(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
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
	args.send_sges = 4;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_GATHERED, plan.call);
	args.send_sges = 3;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_COPIED, plan.call);
	args.send_sges = 1;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_COPIED, plan.call);
}

struct xprtrdma_extent_case {
	const char		*name;
	struct xprtrdma_extent	extent;
	u32			pages;
};

#define XPRTRDMA_EXTENT(offset, length, pages)				\
	{ #offset " + " #length, { (offset), (length) }, (pages) }

static const struct xprtrdma_extent_case xprtrdma_extent_cases[] = {
	XPRTRDMA_EXTENT(0, 0, 0),
	XPRTRDMA_EXTENT(17, 0, 0),
	XPRTRDMA_EXTENT(0, 1, 1),
	XPRTRDMA_EXTENT(PAGE_SIZE - 1, 1, 1),
	XPRTRDMA_EXTENT(PAGE_SIZE - 1, 2, 2),
	XPRTRDMA_EXTENT(0, PAGE_SIZE, 1),
	XPRTRDMA_EXTENT(1, PAGE_SIZE, 2),
	XPRTRDMA_EXTENT(0, SZ_1M, SZ_1M / PAGE_SIZE),
	XPRTRDMA_EXTENT(1, SZ_1M, SZ_1M / PAGE_SIZE + 1),
};

KUNIT_ARRAY_PARAM_DESC(xprtrdma_extent, xprtrdma_extent_cases, name);

static void xprtrdma_plan_extent(struct kunit *test)
{
	const struct xprtrdma_extent_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, c->pages, xprtrdma_extent_pages(&c->extent));
}

/**
 * struct xprtrdma_bounce_case - a layout and the parts that need a bounce page
 * @name:  what it shows
 * @layout: memory of the Reply before any part is moved
 * @bounce: expected set of parts
 * @segs:  expected MRs of a Reply chunk after these parts were moved
 */
struct xprtrdma_bounce_case {
	const char		*name;
	struct xprtrdma_layout	layout;
	unsigned int		bounce;
	u16			segs;
};

#define XPRTRDMA_BOUNCE_CASE(_name, _head_at, _head, _at, _pages, _tail_at, _tail, \
			     _bounce, _segs)					\
	{								\
		.name	= _name,					\
		.layout	= { { _head_at, _head }, { _at, _pages },	\
			    { _tail_at, _tail } },			\
		.bounce	= _bounce,					\
		.segs	= _segs,					\
	}

#define XPRTRDMA_BOUNCE_BOTH	(XPRTRDMA_BOUNCE_HEAD | XPRTRDMA_BOUNCE_TAIL)

static const struct xprtrdma_bounce_case xprtrdma_bounce_cases[] = {
	XPRTRDMA_BOUNCE_CASE("READDIR: both", 8, 400, 0, 4 * PAGE_SIZE, 500, 40,
			     XPRTRDMA_BOUNCE_BOTH, 1),
	XPRTRDMA_BOUNCE_CASE("no tail", 8, 400, 0, 2 * PAGE_SIZE, 0, 0,
			     XPRTRDMA_BOUNCE_HEAD, 1),
	XPRTRDMA_BOUNCE_CASE("no head", 0, 0, 0, 2 * PAGE_SIZE, 500, 40,
			     XPRTRDMA_BOUNCE_TAIL, 1),
	XPRTRDMA_BOUNCE_CASE("no head, pages begin in a page", 0, 0, 4, 2 * PAGE_SIZE - 4,
			     500, 40, XPRTRDMA_BOUNCE_TAIL, 1),
	XPRTRDMA_BOUNCE_CASE("pages end with one byte of a page", 8, 400, 4, PAGE_SIZE - 3,
			     0, 0, XPRTRDMA_BOUNCE_HEAD, 1),
	XPRTRDMA_BOUNCE_CASE("empty tail in a page", 8, 400, 0, 2 * PAGE_SIZE, 500, 0,
			     XPRTRDMA_BOUNCE_HEAD, 1),
	XPRTRDMA_BOUNCE_CASE("tail of a page and a byte", 0, 0, 0, PAGE_SIZE, 8,
			     PAGE_SIZE + 1, 0, 2),
	XPRTRDMA_BOUNCE_CASE("no pages", 8, 4 * PAGE_SIZE, 0, 0, 500, 40, 0, 2),
	XPRTRDMA_BOUNCE_CASE("moved already", PAGE_SIZE - 400, 400, 0, PAGE_SIZE, 0,
			     40, 0, 1),
	XPRTRDMA_BOUNCE_CASE("a full page", 8, PAGE_SIZE, 0, PAGE_SIZE, 8, PAGE_SIZE,
			     XPRTRDMA_BOUNCE_BOTH, 1),
	XPRTRDMA_BOUNCE_CASE("more than a page", 8, PAGE_SIZE + 4, 0, PAGE_SIZE, 8,
			     PAGE_SIZE + 4, 0, 3),
	XPRTRDMA_BOUNCE_CASE("pages begin in a page", 8, 400, 4, 2 * PAGE_SIZE - 4,
			     500, 40, XPRTRDMA_BOUNCE_BOTH, 1),
	XPRTRDMA_BOUNCE_CASE("first READDIR", 3992, 104, 88, 16 * PAGE_SIZE - 88, 0,
			     4, XPRTRDMA_BOUNCE_HEAD, 1),
	XPRTRDMA_BOUNCE_CASE("pages in one page", 8, 400, 4, PAGE_SIZE - 4, 500, 40,
			     XPRTRDMA_BOUNCE_TAIL, 2),
	XPRTRDMA_BOUNCE_CASE("pages begin in a word", 8, 400, 2, 2 * PAGE_SIZE - 2,
			     500, 40, XPRTRDMA_BOUNCE_TAIL, 2),
	XPRTRDMA_BOUNCE_CASE("pages end in a page", 8, 400, 0, 2 * PAGE_SIZE - 4,
			     500, 40, XPRTRDMA_BOUNCE_HEAD, 2),
	XPRTRDMA_BOUNCE_CASE("head of no whole words", 8, 402, 0, PAGE_SIZE, 0, 0, 0,
			     2),
};

KUNIT_ARRAY_PARAM_DESC(xprtrdma_bounce, xprtrdma_bounce_cases, name);

static void xprtrdma_plan_bounce(struct kunit *test)
{
	const struct xprtrdma_bounce_case *c = test->param_value;
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v1,
		.inline_send	= 1024,
		.inline_recv	= 1024,
		.mr_pages	= 256,
		.call		= { .head = { .length = 100 } },
		.reply		= c->layout,
	};
	struct xprtrdma_layout *reply = &args.reply;
	struct xprtrdma_plan plan;

	KUNIT_EXPECT_EQ(test, c->bounce, xprtrdma_layout_bounce(reply));
	if (c->bounce & XPRTRDMA_BOUNCE_HEAD)
		reply->head.offset = (PAGE_SIZE + reply->pages.offset -
				      reply->head.length) % PAGE_SIZE;
	if (c->bounce & XPRTRDMA_BOUNCE_HEAD && reply->pages.offset)
		xprtrdma_layout_join_first_page(reply);
	if (c->bounce & XPRTRDMA_BOUNCE_TAIL)
		reply->tail.offset = 0;
	KUNIT_EXPECT_EQ(test, 0, xprtrdma_layout_bounce(reply));
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
	KUNIT_EXPECT_EQ(test, c->segs, plan.reply_segs);
}

/* One MR if the head ends and the tail begins on a page boundary */
static void xprtrdma_plan_joined(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
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

	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
	KUNIT_EXPECT_EQ(test, 1, plan.reply_segs);

	/* miss each of the four page boundaries in turn */
	args.reply.head.length--;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);
	args.reply.head.length++;
	args.reply.pages.offset = 4;
	args.reply.pages.length -= 4;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);
	args.reply.pages.offset = 0;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);
	args.reply.pages.length += 4;
	args.reply.tail.offset = 4;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, 2, plan.reply_segs);

	/* nothing between head and tail */
	args.reply.pages.length = 0;
	args.reply.head = (struct xprtrdma_extent) { 0, 2 * PAGE_SIZE };
	args.reply.tail.offset = 0;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, 1, plan.reply_segs);
}

/* RFC 8267 6.4.2 (ULB-CLX-11): the largest payload fits, at any offset */
static void xprtrdma_plan_largest(struct kunit *test)
{
	static const u32 mrs[] = { 1, 2, 3, 16, 256 };
	static const u32 at[] = { 0, 1, 2048, PAGE_SIZE - 1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mrs) * ARRAY_SIZE(at); i++) {
		struct xprtrdma_plan_args args = {
			.codec		= &rpcrdma_codec_v1,
			.inline_send	= 4096,
			.inline_recv	= 4096,
			.mr_pages	= mrs[i / ARRAY_SIZE(at)],
			.call.head	= { 8, 200 },
			.call.tail	= { 8, 40 },
		};
		struct xprtrdma_plan plan;

		args.call.pages.offset = at[i % ARRAY_SIZE(at)];
		args.call.pages.length = xprtrdma_plan_payload(args.mr_pages);
		args.reply = args.call;
		KUNIT_ASSERT_EQ_MSG(test, 0, xprtrdma_plan(&plan, &args),
				    "MRs of %u pages, offset %u", args.mr_pages,
				    args.call.pages.offset);
		KUNIT_EXPECT_LE(test, plan.read_segs, XPRTRDMA_CHUNK_SEGS_MAX);
		KUNIT_EXPECT_LE(test, plan.reply_segs, XPRTRDMA_CHUNK_SEGS_MAX);

		/* one page and a byte more does not */
		args.call.pages.length += PAGE_SIZE + 1;
		args.call.pages.offset = PAGE_SIZE - 1;
		KUNIT_EXPECT_EQ(test, -EMSGSIZE, xprtrdma_plan(&plan, &args));
	}
}

/*
 * The pages begin in the last bytes of a page, and MRs hold 256 pages: with the first
 * page in bounce memory the pages alone need one segment less, so that the rest would
 * fit inline behind a Write chunk. The Reply keeps the chunk that its memory is laid out
 * for.
 */
static void xprtrdma_plan_bounced_form(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v1,
		.call		= { .head = { .length = 100 } },
		.reply		= {
			.head	= { .length = 500 },
			.pages	= { .offset = PAGE_SIZE - 12,
				    .length = 256 * PAGE_SIZE + 12 },
			.tail	= { .length = 457 },
		},
		.reply_ddp	= true,
		.inline_send	= 1024,
		.inline_recv	= 1024,
		.mr_pages	= 256,
		.send_sges	= 4,
	};
	struct xprtrdma_plan plan;

	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_ASSERT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
	KUNIT_ASSERT_EQ(test, XPRTRDMA_BOUNCE_HEAD,
			xprtrdma_layout_bounce(&args.reply));
	xprtrdma_layout_join_first_page(&args.reply);
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan_bounced(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
}

static struct kunit_case xprtrdma_plan_test_cases[] = {
	KUNIT_CASE_PARAM(xprtrdma_plan_table, xprtrdma_plan_gen_params),
	KUNIT_CASE(xprtrdma_plan_gpu_retry),
	KUNIT_CASE(xprtrdma_plan_reply_header),
	KUNIT_CASE(xprtrdma_plan_call_header),
	KUNIT_CASE(xprtrdma_plan_extents),
	KUNIT_CASE(xprtrdma_plan_sges),
	KUNIT_CASE_PARAM(xprtrdma_plan_extent, xprtrdma_extent_gen_params),
	KUNIT_CASE_PARAM(xprtrdma_plan_bounce, xprtrdma_bounce_gen_params),
	KUNIT_CASE(xprtrdma_plan_bounced_form),
	KUNIT_CASE(xprtrdma_plan_joined),
	KUNIT_CASE(xprtrdma_plan_largest),
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
