// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes of a server's connection: its longest WR chain, and its RDMA Read contexts.
 */
#include <linux/sizes.h>
#include <asm/page.h>
#include <rpcrdma/msg.h>
#include "limits_kunit.h"
#include "support.h"

/*
 * A server whose Calls are few, and whose RDMA Reads need MRs: the queue holds one chain as
 * long as a peer can ask for, with three WRs for each MR; and each Call has Read contexts
 * for a payload that does not begin on a page, and one more.
 */
static void rpcrdma_limits_few_calls(struct kunit *test)
{
	static const struct {
		u32	mr_pages, rw_pages;
		u32	ctxs;	/* for each Call */
		u32	mrs;	/* of 1 MiB, besides one for each segment */
	} devices[] = {
		{ 64, 64, 5 + 1, 4 }, { 128, 128, 3 + 1, 2 },
		{ 256, 256, 2 + 1, 1 }, { 512, 256, 2 + 1, 1 },
	};
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;
	unsigned int i;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	settings.credits = 8;
	caps.read_mrs = true;
	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		caps.mr_pages = devices[i].mr_pages;
		KUNIT_ASSERT_EQ(test, 0,
				rpcrdma_limits_server(&limits, &caps, &settings));
		KUNIT_EXPECT_EQ(test, devices[i].rw_pages, limits.rw_pages);
		KUNIT_EXPECT_EQ(test, 8 * devices[i].ctxs, limits.rw_ctxs);
		KUNIT_EXPECT_EQ(test, 3 * (RPCRDMA_MAX_SEGS + devices[i].mrs),
				limits.send_depth);
	}
	/* 255 pages, and one more if they do not begin on a page, are four MRs */
	caps.mr_pages = 64;
	settings.max_payload = 255 * PAGE_SIZE;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 8 * (4 + 1), limits.rw_ctxs);
	caps.mr_pages = 512;
	settings.max_payload = SZ_2M;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 3 * (RPCRDMA_MAX_SEGS + 2), limits.send_depth);
	settings.max_payload = SZ_2M + 1024;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 3 * (RPCRDMA_MAX_SEGS + 3), limits.send_depth);
}

/*
 * A server with one SGE: the longest chain is a Write for each segment of a Reply and for
 * each of its pages, of which each segment splits one; and the Send
 */
static void rpcrdma_limits_one_sge(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	settings.credits = 1;
	caps.max_send_sge = 1;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 2 * RPCRDMA_MAX_SEGS + 256 + 1, limits.send_depth);
}

/* A server whose RDMA Reads take no MR, but have one SGE, or as many as a Send */
static void rpcrdma_limits_read_sges(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	settings.credits = 1;
	caps.max_read_sge = 1;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 2 * RPCRDMA_MAX_SEGS + 256, limits.send_depth);
	caps.max_read_sge = 32;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
	/* The Writes and the Send are longer */
	KUNIT_EXPECT_EQ(test, RPCRDMA_MAX_SEGS + DIV_ROUND_UP(256 + RPCRDMA_MAX_SEGS, 16) + 1,
			limits.send_depth);
	caps.max_read_sge = 0;
	KUNIT_EXPECT_EQ(test, -EINVAL, rpcrdma_limits_server(&limits, &caps, &settings));
	/* With MRs for RDMA Reads, max_read_sge does not matter */
	caps.read_mrs = true;
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
}

/* No more Read contexts than the send queue has slots for, three for each; one is left */
static void rpcrdma_limits_many_ctxs(struct kunit *test)
{
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	caps.mr_pages = 16;
	caps.read_mrs = true;
	caps.max_qp_wr = 3 * (RPCRDMA_MAX_SEGS + 16) + 3;
	KUNIT_ASSERT_EQ(test, 0,
			rpcrdma_limits_server(&limits, &caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, caps.max_qp_wr - 2, limits.send_depth);
	KUNIT_EXPECT_EQ(test, (limits.send_depth - 1) / 3, limits.rw_ctxs);
}

static struct kunit_case rpcrdma_limits_server_test_cases[] = {
	KUNIT_CASE(rpcrdma_limits_few_calls),
	KUNIT_CASE(rpcrdma_limits_one_sge),
	KUNIT_CASE(rpcrdma_limits_read_sges),
	KUNIT_CASE(rpcrdma_limits_many_ctxs),
	{}
};

static struct kunit_suite rpcrdma_limits_server_test_suite = {
	.name		= "rpcrdma_limits_server",
	.test_cases	= rpcrdma_limits_server_test_cases,
};

kunit_test_suite(rpcrdma_limits_server_test_suite);
