// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version 2 codec against the reference decoder: mutated messages,
 * always the same ones. Both refuse, or both read the same; chunk lists come
 * back byte for byte when they are encoded again. The client's negotiation is
 * given the same messages as answers to its opening Call and its CONNPROP.
 */
#include <linux/slab.h>
#include <rpcrdma/v2/negotiate.h>
#include "ref_decoder.h"

#define RPCRDMA_FUZZ_SEED	0x0209
#define RPCRDMA_FUZZ_ROUNDS	30000
#define RPCRDMA_FUZZ_OPENING_XID	0x2b0000f0

static void rpcrdma_fuzz_v2_compare(struct kunit *test,
				    const struct rpcrdma_msg *msg,
				    const struct rpcrdma_msg *ref)
{
	KUNIT_EXPECT_EQ(test, ref->type, msg->type);
	KUNIT_EXPECT_EQ(test, ref->dir, msg->dir);
	KUNIT_EXPECT_EQ(test, ref->inv_handle, msg->inv_handle);
	KUNIT_EXPECT_EQ(test, ref->props.recv_size, msg->props.recv_size);
	KUNIT_EXPECT_EQ(test, ref->props.reverse, msg->props.reverse);
	KUNIT_EXPECT_EQ(test, ref->err, msg->err);
	KUNIT_EXPECT_EQ(test, ref->vers_low, msg->vers_low);
	KUNIT_EXPECT_EQ(test, ref->vers_high, msg->vers_high);
	KUNIT_EXPECT_EQ(test, ref->err_max, msg->err_max);
	KUNIT_EXPECT_EQ(test, ref->err_index, msg->err_index);
	KUNIT_EXPECT_EQ(test, ref->err_length, msg->err_length);
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(ref, msg));
}

/* Flags and a Reply's handle are not kept, so only what follows is compared */
static void rpcrdma_fuzz_v2_round_trip(struct kunit *test,
				       struct rpcrdma_msg *msg,
				       const void *wire)
{
	const size_t skip = RPCRDMA_V2_PREFIX_SIZE + sizeof(__be32);
	u32 size = msg->header_size;
	u8 *again;

	if (msg->type != RPCRDMA_MSG && msg->type != RPCRDMA_NOMSG)
		return;
	again = kmalloc(size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, again);
	KUNIT_EXPECT_EQ(test, size, rpcrdma_codec_v2.size(msg));
	KUNIT_EXPECT_EQ(test, (int)size,
			rpcrdma_codec_v2.encode(msg, again, size));
	KUNIT_EXPECT_MEMEQ(test, wire, again, RPCRDMA_FIXED_SIZE);
	KUNIT_EXPECT_MEMEQ(test, wire + skip, again + skip, size - skip);
	kfree(again);
}

static void rpcrdma_codec_v2_fuzz(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg_segs(test,
							RPCRDMA_FUZZ_SEGS);
	unsigned int round, taken = 0;
	enum rpcrdma_reason reason;
	struct rpcrdma_ref_decoder *ref;
	struct rnd_state rnd;
	__be32 *wire, *cut;
	size_t len;
	bool good;

	ref = kunit_kzalloc(test, sizeof(*ref), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ref);
	ref->msg = rpcrdma_test_msg_segs(test, RPCRDMA_FUZZ_SEGS);
	wire = kunit_kmalloc_array(test, RPCRDMA_FUZZ_WORDS, sizeof(*wire),
				   GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wire);

	prandom_seed_state(&rnd, RPCRDMA_FUZZ_SEED);
	for (round = 0; round < RPCRDMA_FUZZ_ROUNDS; round++) {
		len = rpcrdma_fuzz_make(&rnd, rpcrdma_v2_vectors,
					RPCRDMA_V2_VECTORS, wire);
		cut = kmemdup(wire, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, cut);

		good = rpcrdma_ref_v2_decode(ref, cut, len);
		reason = rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, cut, len);
		KUNIT_EXPECT_EQ_MSG(test, good, reason == RPCRDMA_OK,
				    "round %u: %s", round,
				    rpcrdma_reason_text(reason));
		if (good && !reason) {
			taken++;
			rpcrdma_fuzz_v2_compare(test, msg, ref->msg);
			rpcrdma_fuzz_v2_round_trip(test, msg, cut);
		} else if (reason) {
			KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		}
		kfree(cut);
		if (rpcrdma_test_faulty(test, round))
			return;
	}

	/* A fuzzer that never gets in, or always, tests nothing */
	kunit_info(test, "%u of %u messages were taken", taken, round);
	KUNIT_EXPECT_GT(test, taken, round / 20);
	KUNIT_EXPECT_LT(test, taken, round - round / 20);
}

/*
 * Whatever answers the opening Call or the CONNPROP, the state stays one of those that it
 * may have, and only what the peer has really said leads to it.
 */
static void rpcrdma_negotiate_fuzz_check(struct kunit *test,
					 const struct rpcrdma_negotiation *neg,
					 enum rpcrdma_negotiate_state before,
					 enum rpcrdma_negotiate_verdict verdict,
					 const __be32 *wire, size_t len)
{
	bool error = len >= 16 && be32_to_cpu(wire[3]) == 4;

	switch (verdict) {
	case RPCRDMA_NEGOTIATE_IGNORED:
	case RPCRDMA_NEGOTIATE_WAIT:
		KUNIT_EXPECT_EQ(test, before, neg->state);
		break;
	case RPCRDMA_NEGOTIATE_TELL:
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_ASKING, before);
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_TELLING, neg->state);
		KUNIT_EXPECT_EQ(test, 2, be32_to_cpu(wire[1]));
		break;
	case RPCRDMA_NEGOTIATE_DONE:
	case RPCRDMA_NEGOTIATE_DONE_DELIVER:
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, neg->state);
		KUNIT_EXPECT_TRUE(test, neg->versions & BIT(neg->version));
		if (neg->version == RPCRDMA_VERSION_TWO)
			KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_TELLING, before);
		else
			KUNIT_EXPECT_TRUE(test, error && neg->fell_back);
		break;
	case RPCRDMA_NEGOTIATE_NO_VERSION:
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_FAILED, neg->state);
		KUNIT_EXPECT_TRUE(test, error);
		break;
	}
	if (neg->state != before && error)
		KUNIT_EXPECT_EQ(test, RPCRDMA_FUZZ_OPENING_XID,
				be32_to_cpu(wire[0]));
}

static void rpcrdma_negotiate_fuzz(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg_segs(test,
							RPCRDMA_FUZZ_SEGS);
	const struct rpcrdma_negotiate_past past = {};
	enum rpcrdma_negotiate_verdict verdict;
	enum rpcrdma_negotiate_state before;
	unsigned int round, settled = 0;
	struct rpcrdma_negotiation neg;
	struct rnd_state rnd;
	__be32 *wire, *cut;
	size_t len;

	wire = kunit_kmalloc_array(test, RPCRDMA_FUZZ_WORDS, sizeof(*wire),
				   GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wire);

	prandom_seed_state(&rnd, RPCRDMA_FUZZ_SEED);
	for (round = 0; round < RPCRDMA_FUZZ_ROUNDS; round++) {
		len = rpcrdma_fuzz_make(&rnd, rpcrdma_v2_vectors,
					RPCRDMA_V2_VECTORS, wire);
		if (round & 1)
			wire[0] = cpu_to_be32(RPCRDMA_FUZZ_OPENING_XID);
		cut = kmemdup(wire, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, cut);
		rpcrdma_negotiate_client(&neg, &past,
					 round & 2 ? RPCRDMA_VERSIONS_2 :
						     RPCRDMA_VERSIONS_BOTH,
					 cpu_to_be32(RPCRDMA_FUZZ_OPENING_XID));
		rpcrdma_negotiate_opened(&neg, true);
		before = round & 4 ? RPCRDMA_NEGOTIATE_TELLING :
				     RPCRDMA_NEGOTIATE_ASKING;
		neg.state = before;
		msg->segs = NULL;
		msg->max_segs = 0;
		verdict = rpcrdma_negotiate_answer(&neg, msg, cut, len);
		rpcrdma_negotiate_fuzz_check(test, &neg, before, verdict, cut,
					     len);
		settled += verdict != RPCRDMA_NEGOTIATE_IGNORED;
		kfree(cut);
		if (rpcrdma_test_faulty(test, round))
			return;
	}
	kunit_info(test, "%u of %u answers settled it", settled, round);
	KUNIT_EXPECT_GT(test, settled, round / 20);
	KUNIT_EXPECT_LT(test, settled, round - round / 20);
}

static struct kunit_case rpcrdma_codec_v2_fuzz_test_cases[] = {
	KUNIT_CASE_SLOW(rpcrdma_codec_v2_fuzz),
	KUNIT_CASE_SLOW(rpcrdma_negotiate_fuzz),
	{}
};

static struct kunit_suite rpcrdma_codec_v2_fuzz_test_suite = {
	.name		= "rpcrdma_codec_v2_fuzz",
	.test_cases	= rpcrdma_codec_v2_fuzz_test_cases,
};

kunit_test_suite(rpcrdma_codec_v2_fuzz_test_suite);
