// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version 1 codec and the checks of Calls against the reference decoder: headers
 * mutated in ways that are always the same. Both refuse, or both read the same and
 * the bytes come back when it is encoded again. Each message lies in memory that
 * ends with it, so that KASAN sees one byte read too far.
 */
#include <linux/slab.h>
#include "ref_checks.h"
#include "ref_decoder.h"

#define RPCRDMA_FUZZ_ROUNDS	20000

struct rpcrdma_fuzz_seed {
	const char	*name;
	u64		seed;
};

static const struct rpcrdma_fuzz_seed rpcrdma_fuzz_seeds[] = {
	{ "seed 0x8166", 0x8166 },
	{ "seed 0x8167", 0x8167 },
	{ "seed 0x8267", 0x8267 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_fuzz, rpcrdma_fuzz_seeds, name);

static void rpcrdma_fuzz_compare(struct kunit *test,
				 const struct rpcrdma_msg *msg,
				 const struct rpcrdma_msg *ref)
{
	KUNIT_EXPECT_TRUE(test, ref->xid == msg->xid);
	KUNIT_EXPECT_EQ(test, ref->vers, msg->vers);
	KUNIT_EXPECT_EQ(test, ref->credits, msg->credits);
	KUNIT_EXPECT_EQ(test, ref->type, msg->type);
	KUNIT_EXPECT_EQ(test, ref->err, msg->err);
	KUNIT_EXPECT_EQ(test, ref->vers_low, msg->vers_low);
	KUNIT_EXPECT_EQ(test, ref->vers_high, msg->vers_high);
	KUNIT_EXPECT_EQ(test, ref->header_size, msg->header_size);
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(ref, msg));
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

/* Two decoders that were made for the fuzz and for the vectors */
static struct rpcrdma_ref_decoder *rpcrdma_fuzz_ref(struct kunit *test)
{
	struct rpcrdma_ref_decoder *ref;

	ref = kunit_kzalloc(test, sizeof(*ref), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ref);
	ref->msg = rpcrdma_test_msg_segs(test, RPCRDMA_FUZZ_SEGS);
	return ref;
}

/* Decode @len bytes both ways; true if they are a message to both */
static bool rpcrdma_fuzz_both(struct kunit *test, struct rpcrdma_msg *msg,
			      struct rpcrdma_ref_decoder *ref,
			      const void *wire, size_t len, unsigned int round)
{
	enum rpcrdma_reason reason;
	bool good;

	reason = rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire, len);
	good = rpcrdma_ref_v1_decode(ref, wire, len);
	KUNIT_EXPECT_EQ_MSG(test, good, reason == RPCRDMA_OK, "round %u: %s",
			    round, rpcrdma_reason_text(reason));
	if (reason) {
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		return false;
	}
	if (!good)
		return false;
	rpcrdma_fuzz_compare(test, msg, ref->msg);
	rpcrdma_fuzz_round_trip(test, msg, wire);
	return true;
}

/*
 * RFC 8166 8.2.2.4, 4.5 (V1-SEC-12, V1-ERR-02): nothing in a header is believed
 * before it is checked
 */
static void rpcrdma_codec_fuzz(struct kunit *test)
{
	const struct rpcrdma_fuzz_seed *seed = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg_segs(test,
							RPCRDMA_FUZZ_SEGS);
	struct rpcrdma_ref_decoder *ref = rpcrdma_fuzz_ref(test);
	unsigned int round, taken = 0, calls = 0;
	__be32 *wire, *cut;
	struct rnd_state rnd;
	void *payload;
	size_t len;
	bool call;

	wire = kunit_kmalloc_array(test, RPCRDMA_FUZZ_WORDS, sizeof(*wire),
				   GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wire);
	prandom_seed_state(&rnd, seed->seed);
	for (round = 0; round < RPCRDMA_FUZZ_ROUNDS; round++) {
		len = rpcrdma_fuzz_make(&rnd, rpcrdma_v1_vectors,
					RPCRDMA_V1_VECTORS, wire);
		cut = kmemdup(wire, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, cut);
		if (rpcrdma_fuzz_both(test, msg, ref, cut, len, round)) {
			taken++;
			payload = (void *)cut + msg->header_size;
			len -= msg->header_size;
			call = rpcrdma_ref_check_call(ref->msg, payload, len);
			calls += call;
			KUNIT_EXPECT_EQ(test, call,
					!rpcrdma_call_check(msg, payload, len));
		}
		kfree(cut);
		if (rpcrdma_test_faulty(test, round))
			return;
	}

	/* A fuzzer that never gets in, or always, tests nothing */
	kunit_info(test, "%u of %u messages were taken, %u as Calls", taken,
		   round, calls);
	KUNIT_EXPECT_GT(test, taken, round / 20);
	KUNIT_EXPECT_LT(test, taken, round - round / 20);
	KUNIT_EXPECT_GT(test, calls, round / 100);
	KUNIT_EXPECT_LT(test, calls, taken - round / 100);
}

KUNIT_ARRAY_PARAM_DESC(rpcrdma_vector, rpcrdma_v1_vectors, name);

/*
 * RFC 8166 4.5 (V1-ERR-01): each worked header and all of its beginnings, to
 * both decoders
 */
static void rpcrdma_codec_ref_vectors(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg_segs(test,
							RPCRDMA_FUZZ_SEGS);
	struct rpcrdma_ref_decoder *ref = rpcrdma_fuzz_ref(test);
	__be32 *wire;
	size_t len;

	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	for (len = 0; len <= header->nwords * sizeof(*wire); len++)
		KUNIT_EXPECT_EQ(test, len == header->nwords * sizeof(*wire),
				rpcrdma_fuzz_both(test, msg, ref,
						  rpcrdma_test_cut(test, wire,
								   len),
						  len, len));
}

/*
 * RFC 8166 4.5 (V1-ERR-02): each word of each worked header wrong in turn, to
 * both decoders
 */
static void rpcrdma_codec_ref_words(struct kunit *test)
{
	static const u32 wrong[] = {
		0, 1, 2, 3, 4, 5, 0x01000000, 0x10000001, 0x80000000,
		0xfffffffc, 0xffffffff,
	};
	const struct rpcrdma_test_vector *header = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg_segs(test,
							RPCRDMA_FUZZ_SEGS);
	struct rpcrdma_ref_decoder *ref = rpcrdma_fuzz_ref(test);
	unsigned int word, i;
	__be32 *wire;

	for (word = 0; word < header->nwords; word++) {
		for (i = 0; i < ARRAY_SIZE(wrong); i++) {
			wire = rpcrdma_test_wire(test, header->words,
						 header->nwords);
			wire[word] = cpu_to_be32(wrong[i]);
			rpcrdma_fuzz_both(test, msg, ref, wire,
					  header->nwords * sizeof(*wire), word);
		}
		if (rpcrdma_test_faulty(test, word))
			return;
	}
}

static struct kunit_case rpcrdma_codec_fuzz_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_codec_ref_vectors,
			 rpcrdma_vector_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_ref_words, rpcrdma_vector_gen_params),
	KUNIT_CASE_PARAM_ATTR(rpcrdma_codec_fuzz, rpcrdma_fuzz_gen_params,
			      { .speed = KUNIT_SPEED_SLOW }),
	{}
};

static struct kunit_suite rpcrdma_codec_fuzz_test_suite = {
	.name		= "rpcrdma_codec_fuzz",
	.test_cases	= rpcrdma_codec_fuzz_test_cases,
};

kunit_test_suite(rpcrdma_codec_fuzz_test_suite);
