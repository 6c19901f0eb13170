// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replies of version 2: what the errors about resources say, the header, and the
 * handle that is invalidated.
 */
#include "support.h"
#include "../svcrdma/protocol/reply_plan.h"

static struct rpcrdma_msg *svcrdma_v2_call(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);

	call->vers = RPCRDMA_VERSION_TWO;
	call->dir = RPCRDMA_DIR_CALL;
	return call;
}

/*
 * WRITE_RESOURCE: the index counts empty chunks, the length has no pad:
 * rpcrdma-version-two-09 5.3.3 (V2-ERC-19 to V2-ERC-21, V2-ERC-31, OQ-37).
 */
static void svcrdma_v2_write_resource(struct kunit *test)
{
	const struct svcrdma_range results[] = {
		{ 100, 10 }, { 112, 1000 }, { 1112, 2001 },
	};
	struct rpcrdma_msg *call = svcrdma_v2_call(test);
	struct svcrdma_reply_plan plan;

	rpcrdma_test_add_write(test, call, 0, 0);
	rpcrdma_test_add_write(test, call, 1, 1000);
	rpcrdma_test_add_write(test, call, 2, 1000);
	rpcrdma_test_add_reply(test, call, 1, 16);
	svcrdma_reply_plan(&plan, call, results, 3, 3200, 4096);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_REFUSE, plan.form);
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_WRITE_TOO_SMALL, plan.reason);
	KUNIT_EXPECT_EQ(test, 3, plan.chunk_index);
	KUNIT_EXPECT_EQ(test, 2001, plan.needed);
}

/*
 * REPLY_RESOURCE: the length of the reduced Reply, pads included:
 * rpcrdma-version-two-09 5.3.3 (V2-ERC-24, V2-ERC-25, V2-INL-09, V2-INL-10, OQ-37).
 */
static void svcrdma_v2_reply_resource(struct kunit *test)
{
	const struct svcrdma_range result = { 100, 4093 };
	struct rpcrdma_msg *call = svcrdma_v2_call(test);
	struct svcrdma_reply_plan plan;

	svcrdma_reply_plan(&plan, call, NULL, 0, 4096 - 36, 4096);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_INLINE, plan.form);
	KUNIT_EXPECT_EQ(test, 36, plan.header_size);
	svcrdma_reply_plan(&plan, call, NULL, 0, 4096 - 35, 4096);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_REFUSE, plan.form);
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_REPLY_TOO_BIG, plan.reason);
	KUNIT_EXPECT_EQ(test, 4096 - 35, plan.needed);
	KUNIT_EXPECT_EQ(test, 0, plan.chunk_index);

	rpcrdma_test_add_write(test, call, 1, 8192);
	rpcrdma_test_add_reply(test, call, 1, 5003);
	svcrdma_reply_plan(&plan, call, &result, 1, 9100, 4096);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_REFUSE, plan.form);
	KUNIT_EXPECT_EQ(test, 9100 - 4096, plan.needed);
	call->segs[call->reply.first].length++;
	svcrdma_reply_plan(&plan, call, &result, 1, 9100, 4096);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_CHUNK, plan.form);
	KUNIT_EXPECT_EQ(test, 0, plan.needed);
}

/*
 * The header of a Reply: rpcrdma-version-two-09 3.2, 10.1 (V2-HDR-08, V2-CHK-08, V2-CHK-10,
 * V2-CHK-15, OQ-21, OQ-30).
 */
static void svcrdma_v2_header(struct kunit *test)
{
	struct rpcrdma_msg *call = svcrdma_v2_call(test);
	struct svcrdma_reply_plan plan;
	__be32 buf[32];

	call->inv_handle = 2;
	rpcrdma_test_add_read(test, call, 4, 4);
	rpcrdma_test_add_reply(test, call, 1, 8192);
	svcrdma_reply_plan(&plan, call, NULL, 0, 100, 4096);
	svcrdma_reply_header(call, &plan, 9);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_REPLY, call->dir);
	KUNIT_ASSERT_EQ(test, 56,
			rpcrdma_codec_v2.encode(call, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, plan.header_size, 56);
	KUNIT_EXPECT_EQ(test, 9, be32_to_cpu(buf[2]));
	KUNIT_EXPECT_EQ(test, 1, be32_to_cpu(buf[4]));
	KUNIT_EXPECT_EQ(test, 0, be32_to_cpu(buf[5]));	/* handle */
	KUNIT_EXPECT_EQ(test, 0, be32_to_cpu(buf[6]));	/* Read list */
	KUNIT_EXPECT_EQ(test, 1, be32_to_cpu(buf[8]));	/* Reply chunk */
	KUNIT_EXPECT_EQ(test, 0, be32_to_cpu(buf[11]));	/* its length */
}

/*
 * The handle to invalidate: rpcrdma-version-two-09 3.3, 8.4 (V2-CHK-06, V2-CHK-07, V2-CHK-09,
 * V2-RI-03, V2-SEC-06, OQ-21).
 */
static void svcrdma_v2_handle(struct kunit *test)
{
	struct rpcrdma_msg *call = svcrdma_v2_call(test);

	KUNIT_EXPECT_EQ(test, 0, svcrdma_reply_inv_handle(call));
	call->inv_handle = 77;
	KUNIT_EXPECT_EQ(test, 0, svcrdma_reply_inv_handle(call));
	rpcrdma_test_add_read(test, call, 4, 4);	/* handle 1 */
	rpcrdma_test_add_write(test, call, 1, 4);	/* handle 2 */
	rpcrdma_test_add_reply(test, call, 1, 4);	/* handle 3 */
	KUNIT_EXPECT_EQ(test, 0, svcrdma_reply_inv_handle(call));
	for (call->inv_handle = 1; call->inv_handle <= 3; call->inv_handle++)
		KUNIT_EXPECT_EQ(test, call->inv_handle,
				svcrdma_reply_inv_handle(call));
	call->inv_handle = 0;
	KUNIT_EXPECT_EQ(test, 0, svcrdma_reply_inv_handle(call));

	/* Version 1 names no handle: rpcrdma-version-two-09 (V2-RI-11) */
	call->vers = RPCRDMA_VERSION_ONE;
	call->inv_handle = 77;
	KUNIT_EXPECT_EQ(test, 2, svcrdma_reply_inv_handle(call));
}

static struct kunit_case svcrdma_reply_v2_test_cases[] = {
	KUNIT_CASE(svcrdma_v2_write_resource),
	KUNIT_CASE(svcrdma_v2_reply_resource),
	KUNIT_CASE(svcrdma_v2_header),
	KUNIT_CASE(svcrdma_v2_handle),
	{}
};

static struct kunit_suite svcrdma_reply_v2_test_suite = {
	.name		= "svcrdma_reply_v2",
	.test_cases	= svcrdma_reply_v2_test_cases,
};

kunit_test_suite(svcrdma_reply_v2_test_suite);
