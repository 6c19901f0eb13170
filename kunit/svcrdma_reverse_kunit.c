// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reverse Calls are measured against the inline threshold of the connection that carries
 * them, which can be another one than that of the session.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include "../svcrdma/reverse.h"
#include "../svcrdma/send.h"
#include "support.h"

#define SVCRDMA_REVERSE_TEST_XID	0x11223344
#define SVCRDMA_REVERSE_TEST_LEN	48

/*
 * Encodes a Call of SVCRDMA_REVERSE_TEST_LEN bytes for an inline threshold. Returns what
 * svcrdma_reverse_encode() does, or -ERANGE if it wrote past the threshold.
 */
static int svcrdma_reverse_try(struct kunit *test,
			       const struct rpcrdma_codec *codec,
			       u32 threshold)
{
	struct svcrdma_xprt *rdma = kunit_kzalloc(test, sizeof(*rdma), GFP_KERNEL);
	struct rpcrdma_conn *conn = kunit_kzalloc(test, sizeof(*conn), GFP_KERNEL);
	struct svcrdma_send *send = kunit_kzalloc(test, sizeof(*send), GFP_KERNEL);
	struct rpc_rqst *rqst = kunit_kzalloc(test, sizeof(*rqst), GFP_KERNEL);
	u8 *call = kunit_kzalloc(test, SVCRDMA_REVERSE_TEST_LEN, GFP_KERNEL);
	u8 *buf = kunit_kzalloc(test, threshold + 8, GFP_KERNEL);
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, rdma);
	KUNIT_ASSERT_NOT_NULL(test, conn);
	KUNIT_ASSERT_NOT_NULL(test, send);
	KUNIT_ASSERT_NOT_NULL(test, rqst);
	KUNIT_ASSERT_NOT_NULL(test, call);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	conn->codec = codec;
	conn->inline_send = threshold;
	rdma->conn = conn;
	rdma->bc_credits = 1;
	send->rdma = rdma;
	send->send.buf.data = buf;
	memset(call, 0x5a, SVCRDMA_REVERSE_TEST_LEN);
	rqst->rq_xid = cpu_to_be32(SVCRDMA_REVERSE_TEST_XID);
	rqst->rq_snd_buf.head[0].iov_base = call;
	rqst->rq_snd_buf.head[0].iov_len = SVCRDMA_REVERSE_TEST_LEN;
	rqst->rq_snd_buf.len = SVCRDMA_REVERSE_TEST_LEN;

	ret = svcrdma_reverse_encode(send, rqst);
	if (memchr_inv(buf + threshold, 0, 8))
		return -ERANGE;
	if (ret > 0)
		KUNIT_EXPECT_MEMEQ(test, buf + ret - SVCRDMA_REVERSE_TEST_LEN,
				   call, SVCRDMA_REVERSE_TEST_LEN);
	return ret;
}

/* @header: bytes of a header without chunks */
static void svcrdma_reverse_fits(struct kunit *test,
				 const struct rpcrdma_codec *codec, int header)
{
	int whole = svcrdma_reverse_try(test, codec, 1024);
	int threshold;

	KUNIT_ASSERT_EQ(test, header + SVCRDMA_REVERSE_TEST_LEN, whole);
	KUNIT_EXPECT_EQ(test, whole, svcrdma_reverse_try(test, codec, whole));
	for (threshold = 0; threshold < whole; threshold++)
		KUNIT_EXPECT_EQ(test, -EMSGSIZE,
				svcrdma_reverse_try(test, codec, threshold));
}

/* RFC 8167 5.3 (BI-CHK-05), RFC 8267 6.5.2 (ULB-V2X-09): what does not fit is not sent */
static void svcrdma_reverse_threshold(struct kunit *test)
{
	svcrdma_reverse_fits(test, &rpcrdma_codec_v1, 28);
	svcrdma_reverse_fits(test, &rpcrdma_codec_v2, 36);
}

static struct kunit_case svcrdma_reverse_cases[] = {
	KUNIT_CASE(svcrdma_reverse_threshold),
	{}
};

static struct kunit_suite svcrdma_reverse_suite = {
	.name		= "svcrdma_reverse",
	.test_cases	= svcrdma_reverse_cases,
};

kunit_test_suite(svcrdma_reverse_suite);
