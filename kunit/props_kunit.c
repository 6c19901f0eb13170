// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transport properties of version 2: good sets, bad ones, and our own.
 */
#include "support.h"

static enum rpcrdma_reason rpcrdma_props_words(struct kunit *test,
					       struct rpcrdma_msg *msg,
					       const u32 *words,
					       unsigned int nwords)
{
	__be32 *wire = rpcrdma_test_wire(test, words, nwords);

	return rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, wire,
				  nwords * sizeof(*wire));
}

/*
 * rpcrdma-version-two-09 4.1, 5.3.4, 4.2 (V2-PROP-03, -09, -12, -13, V2-CPR-06,
 * V2-RBS-01, V2-EXT-04, OQ-25)
 */
static void rpcrdma_v2_props(struct kunit *test)
{
	static const struct {
		unsigned int	nwords;
		u32		words[RPCRDMA_TEST_WORDS];
		u32		size;
		u32		reverse;
	} sets[] = {
		{ 6, RPCRDMA_V2_SET(0), 4096, 1 },
		{ 8, RPCRDMA_V2_SET(1, 1, 0), 4096, 1 },
		{ 8, RPCRDMA_V2_SET(1, 2, 0), 4096, 1 },
		{ 9, RPCRDMA_V2_SET(1, 1, 4, 8192), 8192, 1 },
		{ 9, RPCRDMA_V2_SET(1, 2, 4, 0), 4096, 0 },
		{ 12, RPCRDMA_V2_SET(2, 2, 4, 2, 1, 4, 16384), 16384, 2 },
		{ 12, RPCRDMA_V2_SET(2, 1, 4, 8192, 1, 4, 65536), 65536, 1 },
		{ 11, RPCRDMA_V2_SET(2, 1, 4, 8192, 1, 0), 4096, 1 },
		{ 12, RPCRDMA_V2_SET(2, 1, 0, 0x7fff0001, 5, 0xaabbccdd,
				     0xee000000), 4096, 1 },
		{ 13, RPCRDMA_V2_SET(2, 0x7fff0001, 5, 0xaabbccdd, 0xee000000,
				     1, 4, 8192), 8192, 1 },
	};
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
				rpcrdma_props_words(test, msg, sets[i].words,
						    sets[i].nwords));
		KUNIT_EXPECT_EQ_MSG(test, sets[i].size, msg->props.recv_size,
				    "set %u", i);
		KUNIT_EXPECT_EQ_MSG(test, sets[i].reverse, msg->props.reverse,
				    "set %u", i);
	}
}

/*
 * rpcrdma-version-two-09 4.1 (V2-PROP-12, OQ-25): a bad item spoils the good
 * one before it
 */
static void rpcrdma_v2_props_spoilt(struct kunit *test)
{
	static const u32 words[] =
		RPCRDMA_V2_SET(2, 1, 4, 8192, 2, 4, 3);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);

	KUNIT_EXPECT_EQ(test, RPCRDMA_R_PROPERTY,
			rpcrdma_props_words(test, msg, words,
					    ARRAY_SIZE(words)));
	KUNIT_EXPECT_EQ(test, RPCRDMA_V2_DEF_INLINE, msg->props.recv_size);
}

/*
 * rpcrdma-version-two-09 4.2.1 (V2-RBS-07, OQ-23): never less than the default;
 * rpcrdma-version-two-09 7, 4.2, 5.3.4 (V2-NEG-04, OQ-07): nor too long
 */
static void rpcrdma_v2_props_encode(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 buf[12];

	msg->type = RPCRDMA_CONNPROP;
	msg->props.recv_size = 1024;
	KUNIT_ASSERT_EQ(test, 48,
			rpcrdma_codec_v2.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, 4096, be32_to_cpu(buf[8]));
	KUNIT_EXPECT_LE(test, rpcrdma_codec_v2.size(msg),
			(size_t)RPCRDMA_V2_CONNPROP_MAX);
}

static struct kunit_case rpcrdma_props_test_cases[] = {
	KUNIT_CASE(rpcrdma_v2_props),
	KUNIT_CASE(rpcrdma_v2_props_spoilt),
	KUNIT_CASE(rpcrdma_v2_props_encode),
	{}
};

static struct kunit_suite rpcrdma_props_test_suite = {
	.name		= "rpcrdma_props",
	.test_cases	= rpcrdma_props_test_cases,
};

kunit_test_suite(rpcrdma_props_test_suite);
