// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version 1 codec against a deliberately simple twin: mutated headers,
 * always the same ones. Both refuse, or both read the same and the bytes come
 * back when it is encoded again.
 */
#include <linux/slab.h>
#include "twin.h"

#define RPCRDMA_FUZZ_SEED	0x8166
#define RPCRDMA_FUZZ_ROUNDS	20000

static void rpcrdma_twin_error(struct rpcrdma_twin *t, u32 version)
{
	u32 code = rpcrdma_twin_word(t);

	t->msg->type = RPCRDMA_ERROR;
	if (code == 1) {
		t->msg->err = RPCRDMA_ERR_VERS;
		t->msg->vers_low = rpcrdma_twin_word(t);
		t->msg->vers_high = rpcrdma_twin_word(t);
	} else if (code == 2 && version == 1) {
		t->msg->err = RPCRDMA_ERR_CHUNK;
	} else {
		t->bad = true;
	}
}

/* @len bytes at @wire; returns whether they are a message */
static bool rpcrdma_twin_decode(struct rpcrdma_twin *t, const __be32 *wire,
				size_t len)
{
	u32 version, proc;

	rpcrdma_twin_begin(t, wire, len);
	version = rpcrdma_twin_word(t);
	rpcrdma_twin_word(t);
	proc = rpcrdma_twin_word(t);
	if (proc == 4) {
		rpcrdma_twin_error(t, version);
		return !t->bad;
	}
	if (proc > 1 || version != 1 || len < 28)
		return false;
	rpcrdma_twin_lists(t);
	if (proc == 1)
		t->msg->type = RPCRDMA_NOMSG;
	return !t->bad;
}

static void rpcrdma_fuzz_compare(struct kunit *test,
				 const struct rpcrdma_msg *msg,
				 const struct rpcrdma_msg *twin)
{
	KUNIT_EXPECT_EQ(test, twin->type, msg->type);
	KUNIT_EXPECT_EQ(test, twin->err, msg->err);
	KUNIT_EXPECT_EQ(test, twin->vers_low, msg->vers_low);
	KUNIT_EXPECT_EQ(test, twin->vers_high, msg->vers_high);
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(twin, msg));
}

static void rpcrdma_fuzz_round_trip(struct kunit *test, struct rpcrdma_msg *msg,
				    const void *wire)
{
	u32 size = msg->header_size;
	void *again = kmalloc(size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, again);
	KUNIT_EXPECT_EQ(test, size, rpcrdma_codec_v1.size(msg));
	KUNIT_EXPECT_EQ(test, (int)size,
			rpcrdma_codec_v1.encode(msg, again, size));
	KUNIT_EXPECT_MEMEQ(test, wire, again, size);
	kfree(again);
}

static void rpcrdma_codec_fuzz(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg_room(test,
							RPCRDMA_FUZZ_SEGS);
	unsigned int round, taken = 0;
	enum rpcrdma_reason reason;
	struct rpcrdma_twin *twin;
	struct rnd_state rnd;
	__be32 *wire, *cut;
	size_t len;
	bool good;

	twin = kunit_kzalloc(test, sizeof(*twin), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, twin);
	twin->msg = rpcrdma_test_msg_room(test, RPCRDMA_FUZZ_SEGS);
	wire = kunit_kmalloc_array(test, RPCRDMA_FUZZ_WORDS, sizeof(*wire),
				   GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wire);

	prandom_seed_state(&rnd, RPCRDMA_FUZZ_SEED);
	for (round = 0; round < RPCRDMA_FUZZ_ROUNDS; round++) {
		len = rpcrdma_fuzz_make(&rnd, rpcrdma_test_headers,
					RPCRDMA_TEST_HEADERS, wire);
		cut = kmemdup(wire, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, cut);

		good = rpcrdma_twin_decode(twin, cut, len);
		reason = rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, cut, len);
		KUNIT_EXPECT_EQ_MSG(test, good, reason == RPCRDMA_OK,
				    "round %u: %s", round,
				    rpcrdma_reason_text(reason));
		if (good && !reason) {
			taken++;
			rpcrdma_fuzz_compare(test, msg, twin->msg);
			rpcrdma_fuzz_round_trip(test, msg, cut);
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

static struct kunit_case rpcrdma_codec_fuzz_test_cases[] = {
	KUNIT_CASE_SLOW(rpcrdma_codec_fuzz),
	{}
};

static struct kunit_suite rpcrdma_codec_fuzz_test_suite = {
	.name		= "rpcrdma_codec_fuzz",
	.test_cases	= rpcrdma_codec_fuzz_test_cases,
};

kunit_test_suite(rpcrdma_codec_fuzz_test_suite);
