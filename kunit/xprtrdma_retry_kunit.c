// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of version 2: after which errors a Call is rebuilt, how, and which
 * errno the others return.
 */
#include "support.h"
#include "../xprtrdma/protocol/plan.h"

#define XPRTRDMA_TEST_REPLY_MAX	65536

/* Chunks of the Call that draws the error */
enum xprtrdma_retry_call {
	XPRTRDMA_TEST_BARE,
	XPRTRDMA_TEST_READS,
	XPRTRDMA_TEST_WRITES,
	XPRTRDMA_TEST_REPLY,		/* a Reply chunk of 4096 bytes */
	XPRTRDMA_TEST_P0,
};

struct xprtrdma_retry_case {
	const char			*name;
	enum xprtrdma_retry_call	call;
	enum rpcrdma_err_code		err;
	u32				length;
	int				ret;
	bool				no_reads;
	bool				reply_chunk;
};

static const struct xprtrdma_retry_case xprtrdma_retry_cases[] = {
	{ "READ_CHUNKS (V2-ERC-11)", XPRTRDMA_TEST_READS,
	  RPCRDMA_ERR_READ_CHUNKS, 0, 0, true, false },
	{ "READ_CHUNKS, Call in P0 (V2-ERC-12)", XPRTRDMA_TEST_P0,
	  RPCRDMA_ERR_READ_CHUNKS, 0, -EIO },
	{ "READ_CHUNKS, Call without any", XPRTRDMA_TEST_BARE,
	  RPCRDMA_ERR_READ_CHUNKS, 0, -EIO },
	{ "WRITE_CHUNKS (V2-ERC-16, OQ-16, OQ-17)", XPRTRDMA_TEST_WRITES,
	  RPCRDMA_ERR_WRITE_CHUNKS, 0, 0, false, true },
	{ "WRITE_CHUNKS, which has no length", XPRTRDMA_TEST_WRITES,
	  RPCRDMA_ERR_WRITE_CHUNKS, XPRTRDMA_TEST_REPLY_MAX + 1, 0, false, true },
	{ "WRITE_CHUNKS, Call without any", XPRTRDMA_TEST_REPLY,
	  RPCRDMA_ERR_WRITE_CHUNKS, 0, -EIO },
	{ "SEGMENTS (V2-ERC-18, OQ-17)", XPRTRDMA_TEST_WRITES, RPCRDMA_ERR_SEGMENTS,
	  0, -EIO },
	{ "WRITE_RESOURCE (V2-ERC-23)", XPRTRDMA_TEST_WRITES,
	  RPCRDMA_ERR_WRITE_RESOURCE, 9000, 0, false, true },
	{ "WRITE_RESOURCE, both fields 0 (V2-ERC-22)", XPRTRDMA_TEST_REPLY,
	  RPCRDMA_ERR_WRITE_RESOURCE, 0, -EMSGSIZE },
	{ "WRITE_RESOURCE, no memory for that (V2-SEC-08)",
	  XPRTRDMA_TEST_WRITES, RPCRDMA_ERR_WRITE_RESOURCE,
	  XPRTRDMA_TEST_REPLY_MAX + 1, -EMSGSIZE },
	{ "REPLY_RESOURCE, none was offered (V2-ERC-27)", XPRTRDMA_TEST_BARE,
	  RPCRDMA_ERR_REPLY_RESOURCE, 9000, 0, false, true },
	{ "REPLY_RESOURCE of one byte, none was offered (V2-ERC-27)", XPRTRDMA_TEST_BARE,
	  RPCRDMA_ERR_REPLY_RESOURCE, 1, 0, false, true },
	{ "REPLY_RESOURCE, as large as the memory", XPRTRDMA_TEST_BARE,
	  RPCRDMA_ERR_REPLY_RESOURCE, XPRTRDMA_TEST_REPLY_MAX, 0, false, true },
	{ "REPLY_RESOURCE, no memory for that (V2-SEC-08)",
	  XPRTRDMA_TEST_BARE, RPCRDMA_ERR_REPLY_RESOURCE,
	  XPRTRDMA_TEST_REPLY_MAX + 1, -EMSGSIZE },
	{ "REPLY_RESOURCE, length of all ones (V2-SEC-08)",
	  XPRTRDMA_TEST_BARE, RPCRDMA_ERR_REPLY_RESOURCE, U32_MAX, -EMSGSIZE },
	{ "REPLY_RESOURCE, a larger one (V2-ERC-27)", XPRTRDMA_TEST_REPLY,
	  RPCRDMA_ERR_REPLY_RESOURCE, 4097, 0, false, true },
	{ "REPLY_RESOURCE, what was offered", XPRTRDMA_TEST_REPLY,
	  RPCRDMA_ERR_REPLY_RESOURCE, 4096, -EMSGSIZE },
	{ "REPLY_RESOURCE, less than was offered", XPRTRDMA_TEST_REPLY,
	  RPCRDMA_ERR_REPLY_RESOURCE, 4095, -EMSGSIZE },
	{ "REPLY_RESOURCE, length 0 (V2-ERC-26, OQ-15)", XPRTRDMA_TEST_BARE,
	  RPCRDMA_ERR_REPLY_RESOURCE, 0, -EMSGSIZE },
	{ "REPLY_RESOURCE for Write chunks (V2-ERC-15, V2-ERC-16, OQ-16)",
	  XPRTRDMA_TEST_WRITES, RPCRDMA_ERR_REPLY_RESOURCE, 0, 0, false,
	  true },
	{ "BAD_XDR (V2-ERC-08)", XPRTRDMA_TEST_READS, RPCRDMA_ERR_BAD_XDR, 0,
	  -EIO },
	{ "INVAL_HTYPE (V2-ERC-04)", XPRTRDMA_TEST_P0, RPCRDMA_ERR_HTYPE, 0,
	  -EIO },
	{ "SYSTEM (V2-ERC-29)", XPRTRDMA_TEST_READS, RPCRDMA_ERR_SYSTEM, 0,
	  -EREMOTEIO },
	{ "unknown code (V2-ERR-11, OQ-18)", XPRTRDMA_TEST_READS,
	  RPCRDMA_ERR_UNKNOWN, 0, -EREMOTEIO },
	{ "ERR_VERS (V2-ERC-02)", XPRTRDMA_TEST_READS, RPCRDMA_ERR_VERS, 0,
	  -EREMOTEIO },
	{ "ERR_CHUNK of version 1 (V1-ERR-09, UQ-01)", XPRTRDMA_TEST_READS,
	  RPCRDMA_ERR_CHUNK, 0, -EIO },
};

KUNIT_ARRAY_PARAM_DESC(xprtrdma_retry, xprtrdma_retry_cases, name);

static struct rpcrdma_msg *xprtrdma_retry_call(struct kunit *test,
					       enum xprtrdma_retry_call kind)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);

	switch (kind) {
	case XPRTRDMA_TEST_BARE:
		break;
	case XPRTRDMA_TEST_READS:
		rpcrdma_test_add_read(test, call, 100, 8192);
		break;
	case XPRTRDMA_TEST_WRITES:
		rpcrdma_test_add_write(test, call, 1, 8192);
		break;
	case XPRTRDMA_TEST_REPLY:
		rpcrdma_test_add_reply(test, call, 2, 2048);
		break;
	case XPRTRDMA_TEST_P0:
		rpcrdma_test_add_read(test, call, 0, 8192);
		call->type = RPCRDMA_NOMSG;
		break;
	}
	return call;
}

static void xprtrdma_retry_test(struct kunit *test)
{
	const struct xprtrdma_retry_case *c = test->param_value;
	struct rpcrdma_msg *call = xprtrdma_retry_call(test, c->call);
	struct rpcrdma_msg err = {
		.type		= RPCRDMA_ERROR,
		.err		= c->err,
		.err_length	= c->length,
	};
	struct xprtrdma_retry retry = {};

	KUNIT_EXPECT_EQ(test, c->ret,
			xprtrdma_retry(&retry, &err, call,
				       XPRTRDMA_TEST_REPLY_MAX));
	KUNIT_EXPECT_EQ(test, c->no_reads, retry.no_reads);
	KUNIT_EXPECT_EQ(test, c->reply_chunk, retry.reply_chunk);
	KUNIT_EXPECT_EQ(test, !c->ret, retry.done);

	/* rpcrdma-version-two-09 5.3.3 (V2-ERR-15, OQ-14): one retry only */
	KUNIT_EXPECT_GT(test, 0,
			c->ret ?: xprtrdma_retry(&retry, &err, call,
						 XPRTRDMA_TEST_REPLY_MAX));
}

/* How a retry changes plans that had small chunks or none */
static void xprtrdma_retry_plan(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v2,
		.call.head	= { 0, 200 },
		.reply.head	= { 0, 200 },
		.call_ddp	= true,
		.reply_ddp	= true,
		.inline_send	= 4096,
		.inline_recv	= 4096,
		.mr_pages	= 256,
		.send_sges	= 8,
		.copy_max	= 4096,
	};
	struct xprtrdma_plan plan;

	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_INLINE, plan.reply);
	args.retry.reply_chunk = true;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);

	args.reply.pages.length = 65536;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
	args.retry.reply_chunk = false;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_WRITE_CHUNK, plan.reply);

	args.call.pages.length = 65536;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_READ_CHUNK, plan.call);
	args.retry.no_reads = true;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_LONG, plan.call);
}

/*
 * rpcrdma-version-two-09 4.2.1, 8.3 (V2-INL-08, V2-INL-10, OQ-27): the header
 * of 36 bytes counts against the threshold.
 */
static void xprtrdma_plan_header(struct kunit *test)
{
	struct xprtrdma_plan_args args = {
		.codec		= &rpcrdma_codec_v2,
		.call.head	= { 0, 4096 - 36 },
		.reply.head	= { 0, 4096 - 36 },
		.inline_send	= 4096,
		.inline_recv	= 4096,
		.mr_pages	= 256,
		.send_sges	= 8,
	};
	struct xprtrdma_plan plan;

	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_INLINE, plan.reply);
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_COPIED, plan.call);
	args.call.head.length++;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_CALL_LONG, plan.call);
	args.reply.head.length++;
	KUNIT_ASSERT_EQ(test, 0, xprtrdma_plan(&plan, &args));
	KUNIT_EXPECT_EQ(test, XPRTRDMA_REPLY_CHUNK, plan.reply);
}

static struct kunit_case xprtrdma_retry_test_cases[] = {
	KUNIT_CASE_PARAM(xprtrdma_retry_test, xprtrdma_retry_gen_params),
	KUNIT_CASE(xprtrdma_retry_plan),
	KUNIT_CASE(xprtrdma_plan_header),
	{}
};

static struct kunit_suite xprtrdma_retry_test_suite = {
	.name		= "xprtrdma_retry",
	.test_cases	= xprtrdma_retry_test_cases,
};

kunit_test_suite(xprtrdma_retry_test_suite);
