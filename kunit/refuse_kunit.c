// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which error answers a message that is refused, and thresholds from what a
 * hostile peer says of itself.
 */
#include "support.h"

/*
 * Which error answers what, and with which limit (rpcrdma-version-two-09 5.3.3,
 * OQ-35)
 */
static void rpcrdma_v2_refuse_test(struct kunit *test)
{
	static const struct {
		enum rpcrdma_reason	reason;
		enum rpcrdma_msg_type	type;
		bool			reads;
		enum rpcrdma_err_code	err;
		u32			max;
	} cases[] = {
		{ RPCRDMA_R_PROC, 0, false, RPCRDMA_ERR_HTYPE, 0 },
		{ RPCRDMA_R_SHORT, 0, false, RPCRDMA_ERR_BAD_XDR, 0 },
		{ RPCRDMA_R_LIST_CUT, 0, false, RPCRDMA_ERR_BAD_XDR, 0 },
		{ RPCRDMA_R_PROPERTY, 0, false, RPCRDMA_ERR_BAD_XDR, 0 },
		{ RPCRDMA_R_MSG_WITH_P0, 0, false, RPCRDMA_ERR_BAD_XDR, 0 },
		{ RPCRDMA_R_NOMSG_EMPTY, 1, false, RPCRDMA_ERR_BAD_XDR, 0 },
		{ RPCRDMA_R_MSG_TYPE, 0, false, RPCRDMA_ERR_BAD_XDR, 0 },
		{ RPCRDMA_R_TOO_MANY_READS, RPCRDMA_MSG, true,
		  RPCRDMA_ERR_READ_CHUNKS, 16 },
		{ RPCRDMA_R_TOO_MANY_READS, RPCRDMA_NOMSG, true,
		  RPCRDMA_ERR_READ_CHUNKS, 15 },
		{ RPCRDMA_R_REDUCED, 0, true, RPCRDMA_ERR_READ_CHUNKS, 0 },
		{ RPCRDMA_R_NOT_ELIGIBLE, 0, true, RPCRDMA_ERR_READ_CHUNKS,
		  0 },
		{ RPCRDMA_R_TOO_MANY_CHUNKS, 0, false,
		  RPCRDMA_ERR_WRITE_CHUNKS, 16 },
		{ RPCRDMA_R_TOO_MANY_SEGS, 0, false, RPCRDMA_ERR_SEGMENTS,
		  16 },
		{ RPCRDMA_R_WRITE_TOO_SMALL, 0, false,
		  RPCRDMA_ERR_WRITE_RESOURCE, 0 },
		{ RPCRDMA_R_REPLY_TOO_BIG, 0, false,
		  RPCRDMA_ERR_REPLY_RESOURCE, 0 },
		{ RPCRDMA_R_REPLY_TOO_BIG, 0, true,
		  RPCRDMA_ERR_REPLY_RESOURCE, 0 },
		{ RPCRDMA_R_REVERSE_CHUNKS, 0, true, RPCRDMA_ERR_READ_CHUNKS,
		  0 },
		{ RPCRDMA_R_REVERSE_CHUNKS, 0, false,
		  RPCRDMA_ERR_REPLY_RESOURCE, 0 },
		{ RPCRDMA_R_NO_REVERSE, 0, false, RPCRDMA_ERR_SYSTEM, 0 },
		{ RPCRDMA_R_PROPERTIES_TWICE, RPCRDMA_CONNPROP, false,
		  RPCRDMA_ERR_SYSTEM, 0 },
		{ RPCRDMA_R_REPLY_BROKEN, 0, false, RPCRDMA_ERR_SYSTEM, 0 },
	};
	struct rpcrdma_msg *bad, err;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bad = rpcrdma_test_msg(test);
		bad->xid = cpu_to_be32(0x77);
		bad->vers = RPCRDMA_VERSION_TWO;
		bad->type = cases[i].type;
		if (cases[i].reads)
			rpcrdma_test_add_read(test, bad, 4, 4);
		rpcrdma_msg_refuse(&err, bad, RPCRDMA_VERSIONS_2,
				   cases[i].reason);
		KUNIT_EXPECT_EQ_MSG(test, cases[i].err, err.err, "case %u", i);
		KUNIT_EXPECT_EQ_MSG(test, cases[i].max, err.err_max,
				    "case %u", i);
		/* rpcrdma-version-two-09 5.3.3 (V2-ERR-02, V2-ERR-03, OQ-03) */
		KUNIT_EXPECT_TRUE(test, err.xid == bad->xid);
		KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_TWO, err.vers);
		KUNIT_EXPECT_EQ(test, RPCRDMA_ERROR, err.type);
		KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_REPLY, err.dir);
		KUNIT_EXPECT_EQ(test, 0, err.max_segs);
	}
}

/*
 * rpcrdma-version-two-09 7.2, 5.3.3, 6.4 (V2-NEG-08, V2-NEG-16, V2-NEG-23,
 * V2-ERR-17, OQ-08, OQ-39): one layout for all
 */
static void rpcrdma_v2_refuse_version(struct kunit *test)
{
	static const struct {
		unsigned long	versions;
		u32		vers;
		u32		low;
		u32		high;
	} cases[] = {
		{ RPCRDMA_VERSIONS_BOTH, 9, 1, 2 },
		{ RPCRDMA_VERSIONS_1, 2, 1, 1 },
		{ RPCRDMA_VERSIONS_2, 1, 2, 2 },
		{ RPCRDMA_VERSIONS_2, 0, 2, 2 },
	};
	struct rpcrdma_msg *bad = rpcrdma_test_msg(test), err;
	u32 words[7] = { 0x77, 0, 0x20, 4, 1 };
	__be32 buf[8], *wire;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bad->xid = cpu_to_be32(0x77);
		bad->vers = cases[i].vers;
		rpcrdma_msg_refuse(&err, bad, cases[i].versions,
				   RPCRDMA_R_VERS);
		err.credits = 0x20;
		words[1] = cases[i].vers;
		words[5] = cases[i].low;
		words[6] = cases[i].high;
		wire = rpcrdma_test_wire(test, words, 7);
		KUNIT_ASSERT_EQ(test, 28,
				rpcrdma_error_encode(&err, buf, sizeof(buf)));
		KUNIT_EXPECT_MEMEQ(test, wire, buf, 28);
	}

	bad->vers = RPCRDMA_VERSION_ONE;
	rpcrdma_msg_refuse(&err, bad, RPCRDMA_VERSIONS_1, RPCRDMA_R_PROC);
	KUNIT_EXPECT_EQ(test, RPCRDMA_ERR_CHUNK, err.err);
	KUNIT_EXPECT_EQ(test, 20, rpcrdma_error_encode(&err, buf, 20));
}

/*
 * rpcrdma-version-two-09 11.1, 4.2.1, 8.3 (V2-RBS-08, V2-INL-06, V2-SEC-04,
 * OQ-22, OQ-23)
 */
static void rpcrdma_v2_threshold(struct kunit *test)
{
	static const u32 sizes[][3] = {
		/* said, own, threshold */
		{ 4096, 8192, 4096 }, { 8192, 8192, 8192 },
		{ 16384, 8192, 8192 }, { 0, 8192, 1024 }, { 1, 8192, 1024 },
		{ 1023, 8192, 1024 }, { 1025, 8192, 1025 },
		{ 0xffffffff, 8192, 8192 },
	};
	struct rpcrdma_props props;
	unsigned int i;

	rpcrdma_props_default(&props);
	KUNIT_EXPECT_EQ(test, 4096, rpcrdma_props_threshold(&props, 8192));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		props.recv_size = sizes[i][0];
		KUNIT_EXPECT_EQ(test, sizes[i][2],
				rpcrdma_props_threshold(&props, sizes[i][1]));
	}
}

static struct kunit_case rpcrdma_refuse_test_cases[] = {
	KUNIT_CASE(rpcrdma_v2_refuse_test),
	KUNIT_CASE(rpcrdma_v2_refuse_version),
	KUNIT_CASE(rpcrdma_v2_threshold),
	{}
};

static struct kunit_suite rpcrdma_refuse_test_suite = {
	.name		= "rpcrdma_refuse",
	.test_cases	= rpcrdma_refuse_test_cases,
};

kunit_test_suite(rpcrdma_refuse_test_suite);
