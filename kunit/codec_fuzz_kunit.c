// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version 1 codec and the checks of Calls against their simple twins: headers
 * mutated in ways that are always the same. Both refuse, or both read the same and
 * the bytes come back when it is encoded again. Each message lies in memory that
 * ends with it, so that KASAN sees one byte read too far.
 */
#include <linux/slab.h>
<<<<<<< HEAD
=======
#include "support.h"
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
#include "twin.h"

#define RPCRDMA_FUZZ_ROUNDS	20000
<<<<<<< HEAD

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

=======
#define RPCRDMA_FUZZ_WORDS	64
#define RPCRDMA_FUZZ_SEGS	8	/* few, so that the limit is met often */

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

/* Values near which decoders go wrong */
static u32 rpcrdma_fuzz_value(struct rnd_state *rnd)
{
	static const u32 values[] = {
		0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 0x10000000,
		0x0fffffff, 0x10000001, 0x7fffffff, 0x80000000, 0xfffffffc,
		0xfffffffe, 0xffffffff,
	};
	u32 r = prandom_u32_state(rnd);

	if (r & 1)
		return prandom_u32_state(rnd);
	return values[(r >> 1) % ARRAY_SIZE(values)];
}

/* One change in the first @n words: a value, a bit, a word more, a word less */
static void rpcrdma_fuzz_change(struct rnd_state *rnd, __be32 *wire,
				unsigned int n)
{
	unsigned int at = prandom_u32_state(rnd) % n;
	size_t rest = (RPCRDMA_FUZZ_WORDS - 1 - at) * sizeof(*wire);

	switch (prandom_u32_state(rnd) % 8) {
	case 0:
		memmove(wire + at + 1, wire + at, rest);
		wire[at] = cpu_to_be32(rpcrdma_fuzz_value(rnd));
		break;
	case 1:
		memmove(wire + at, wire + at + 1, rest);
		break;
	case 2:
	case 3:
		wire[at] ^= cpu_to_be32(1U << prandom_u32_state(rnd) % 32);
		break;
	default:
		wire[at] = cpu_to_be32(rpcrdma_fuzz_value(rnd));
	}
}

/* A worked header with some changes, and longer or shorter; its length */
static size_t rpcrdma_fuzz_make(struct rnd_state *rnd, __be32 *wire)
{
	const struct rpcrdma_test_header *h;
	unsigned int i, changes;
	size_t len;

	h = &rpcrdma_test_headers[prandom_u32_state(rnd) %
				  RPCRDMA_TEST_HEADERS];
	for (i = 0; i < RPCRDMA_FUZZ_WORDS; i++)
		wire[i] = cpu_to_be32(i < h->nwords ? h->words[i] :
				      rpcrdma_fuzz_value(rnd));
	/* often a payload that belongs to the header */
	if (prandom_u32_state(rnd) % 2) {
		wire[h->nwords] = wire[0];
		wire[h->nwords + 1] = 0;
	}

	changes = prandom_u32_state(rnd) % 4;
	for (i = 0; i < changes; i++)
		rpcrdma_fuzz_change(rnd, wire, h->nwords + 2);

	len = h->nwords * 4;
	switch (prandom_u32_state(rnd) % 4) {
	case 0:
		return prandom_u32_state(rnd) % (len + 1);
	case 1:
		return len + prandom_u32_state(rnd) %
		       (RPCRDMA_FUZZ_WORDS * 4 - len + 1);
	default:
		return len;
	}
}

>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
static void rpcrdma_fuzz_compare(struct kunit *test,
				 const struct rpcrdma_msg *msg,
				 const struct rpcrdma_msg *twin)
{
	KUNIT_EXPECT_TRUE(test, twin->xid == msg->xid);
	KUNIT_EXPECT_EQ(test, twin->vers, msg->vers);
	KUNIT_EXPECT_EQ(test, twin->credits, msg->credits);
	KUNIT_EXPECT_EQ(test, twin->type, msg->type);
	KUNIT_EXPECT_EQ(test, twin->err, msg->err);
	KUNIT_EXPECT_EQ(test, twin->vers_low, msg->vers_low);
	KUNIT_EXPECT_EQ(test, twin->vers_high, msg->vers_high);
	KUNIT_EXPECT_EQ(test, twin->header_size, msg->header_size);
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

/* Two decoders that were made for the fuzz and for the vectors */
static struct rpcrdma_twin *rpcrdma_fuzz_twin(struct kunit *test)
{
	struct rpcrdma_twin *twin;

	twin = kunit_kzalloc(test, sizeof(*twin), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, twin);
	twin->msg = rpcrdma_test_msg_room(test, RPCRDMA_FUZZ_SEGS);
	return twin;
}

/* The twin speaks version 1 only */
static bool rpcrdma_fuzz_foreign(const __be32 *wire, size_t len)
{
	const struct rpcrdma_codec *codec;

	if (len < RPCRDMA_FIXED_SIZE)
		return false;
	codec = rpcrdma_codec_find(be32_to_cpu(wire[RPCRDMA_WORD_VERS]));
	return codec && codec != &rpcrdma_codec_v1;
}

/* Decode @len bytes both ways; true if they are a message to both */
static bool rpcrdma_fuzz_both(struct kunit *test, struct rpcrdma_msg *msg,
			      struct rpcrdma_twin *twin, const void *wire,
			      size_t len, unsigned int round)
{
	enum rpcrdma_reason reason;
	bool good;

	reason = rpcrdma_msg_decode(msg, wire, len);
	if (rpcrdma_fuzz_foreign(wire, len))
		return false;
	good = rpcrdma_twin_decode(twin, wire, len);
	KUNIT_EXPECT_EQ_MSG(test, good, reason == RPCRDMA_OK, "round %u: %s",
			    round, rpcrdma_reason_text(reason));
	if (reason) {
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		return false;
	}
	if (!good)
		return false;
	rpcrdma_fuzz_compare(test, msg, twin->msg);
	rpcrdma_fuzz_round_trip(test, msg, wire);
	return true;
}

/* V1-SEC-12, V1-ERR-02: nothing in a header is believed before it is checked */
static void rpcrdma_codec_fuzz(struct kunit *test)
{
	const struct rpcrdma_fuzz_seed *seed = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg_room(test,
							RPCRDMA_FUZZ_SEGS);
	struct rpcrdma_twin *twin = rpcrdma_fuzz_twin(test);
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
		len = rpcrdma_fuzz_make(&rnd, rpcrdma_test_headers,
					RPCRDMA_TEST_HEADERS, wire);
		cut = kmemdup(wire, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, cut);
<<<<<<< HEAD

		good = rpcrdma_twin_decode(twin, cut, len);
		reason = rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, cut, len);
		KUNIT_EXPECT_EQ_MSG(test, good, reason == RPCRDMA_OK,
				    "round %u: %s", round,
				    rpcrdma_reason_text(reason));
		if (good && !reason) {
=======
		if (rpcrdma_fuzz_both(test, msg, twin, cut, len, round)) {
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
			taken++;
			payload = (void *)cut + msg->header_size;
			len -= msg->header_size;
			call = rpcrdma_twin_call_ok(twin->msg, payload, len);
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

KUNIT_ARRAY_PARAM_DESC(rpcrdma_vector, rpcrdma_test_headers, name);

/* V1-ERR-01: each worked header and all of its beginnings, to both decoders */
static void rpcrdma_codec_twin_vectors(struct kunit *test)
{
	const struct rpcrdma_test_header *header = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg_room(test,
							RPCRDMA_FUZZ_SEGS);
	struct rpcrdma_twin *twin = rpcrdma_fuzz_twin(test);
	__be32 *wire;
	size_t len;

	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	for (len = 0; len <= header->nwords * sizeof(*wire); len++)
		KUNIT_EXPECT_EQ(test, len == header->nwords * sizeof(*wire),
				rpcrdma_fuzz_both(test, msg, twin,
						  rpcrdma_test_cut(test, wire,
								   len),
						  len, len));
}

/* V1-ERR-02: each word of each worked header wrong in turn, to both decoders */
static void rpcrdma_codec_twin_words(struct kunit *test)
{
	static const u32 wrong[] = {
		0, 1, 2, 3, 4, 5, 0x01000000, 0x10000001, 0x80000000,
		0xfffffffc, 0xffffffff,
	};
	const struct rpcrdma_test_header *header = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg_room(test,
							RPCRDMA_FUZZ_SEGS);
	struct rpcrdma_twin *twin = rpcrdma_fuzz_twin(test);
	unsigned int word, i;
	__be32 *wire;

	for (word = 0; word < header->nwords; word++) {
		for (i = 0; i < ARRAY_SIZE(wrong); i++) {
			wire = rpcrdma_test_wire(test, header->words,
						 header->nwords);
			wire[word] = cpu_to_be32(wrong[i]);
			rpcrdma_fuzz_both(test, msg, twin, wire,
					  header->nwords * sizeof(*wire), word);
		}
		if (rpcrdma_test_faulty(test, word))
			return;
	}
}

static struct kunit_case rpcrdma_codec_fuzz_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_codec_twin_vectors,
			 rpcrdma_vector_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_twin_words, rpcrdma_vector_gen_params),
	KUNIT_CASE_PARAM_ATTR(rpcrdma_codec_fuzz, rpcrdma_fuzz_gen_params,
			      { .speed = KUNIT_SPEED_SLOW }),
	{}
};

static struct kunit_suite rpcrdma_codec_fuzz_test_suite = {
	.name		= "rpcrdma_codec_fuzz",
	.test_cases	= rpcrdma_codec_fuzz_test_cases,
};

kunit_test_suite(rpcrdma_codec_fuzz_test_suite);
