// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Call that the transport makes itself: its bytes in both versions, and short
 * buffers.
 */
#include "../xprtrdma/null_call.h"
#include "support.h"

#define XPRTRDMA_NULL_XID	0x2b0000f0

/* RFC 5531 9: a Call of NFS version 3 procedure 0, credential and verifier AUTH_NONE */
static const u32 xprtrdma_null_v1[] = {
	XPRTRDMA_NULL_XID, 1, 128, 0, 0, 0, 0,
	XPRTRDMA_NULL_XID, 0, 2, 100003, 3, 0, 0, 0, 0, 0,
};

/* rpcrdma-version-two-09 3.2, 7 (V2-NEG-03, V2-NEG-04): F clear, no handle, no chunks */
static const u32 xprtrdma_null_v2[] = {
	XPRTRDMA_NULL_XID, 2, 128, 0, 0, 0, 0, 0, 0,
	XPRTRDMA_NULL_XID, 0, 2, 100003, 3, 0, 0, 0, 0, 0,
};

static void xprtrdma_null_call_is(struct kunit *test,
				  const struct rpcrdma_codec *codec,
				  const u32 *words, unsigned int n)
{
	const __be32 xid = cpu_to_be32(XPRTRDMA_NULL_XID);
	int len = n * sizeof(__be32), i;
	__be32 *buf;

	for (i = 0; i < len; i++) {
		buf = kunit_kzalloc(test, i, GFP_KERNEL);
		KUNIT_EXPECT_EQ(test, -EMSGSIZE,
				xprtrdma_null_call_encode(codec, xid, 128, buf, i));
	}
	buf = kunit_kzalloc(test, len, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_ASSERT_EQ(test, len,
			xprtrdma_null_call_encode(codec, xid, 128, buf, len));
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, words[i], be32_to_cpu(buf[i]));

	/* A buffer that is larger than the Call */
	buf = kunit_kzalloc(test, len + 4, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_EXPECT_EQ(test, len,
			xprtrdma_null_call_encode(codec, xid, 128, buf, len + 4));
}

static void xprtrdma_null_call_bytes(struct kunit *test)
{
	xprtrdma_null_call_is(test, &rpcrdma_codec_v1, xprtrdma_null_v1,
			      ARRAY_SIZE(xprtrdma_null_v1));
	xprtrdma_null_call_is(test, &rpcrdma_codec_v2, xprtrdma_null_v2,
			      ARRAY_SIZE(xprtrdma_null_v2));
}

static struct kunit_case xprtrdma_null_call_cases[] = {
	KUNIT_CASE(xprtrdma_null_call_bytes),
	{}
};

static struct kunit_suite xprtrdma_null_call_suite = {
	.name		= "xprtrdma_null_call",
	.test_cases	= xprtrdma_null_call_cases,
};

kunit_test_suite(xprtrdma_null_call_suite);
