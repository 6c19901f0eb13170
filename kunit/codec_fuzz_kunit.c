// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version 1 codec against a deliberately simple twin: mutated headers,
 * always the same ones. Both refuse, or both read the same and the bytes come
 * back when it is encoded again.
 */
#include <linux/slab.h>
#include "support.h"

#define RPCRDMA_FUZZ_SEED	0x8166
#define RPCRDMA_FUZZ_ROUNDS	20000
#define RPCRDMA_FUZZ_WORDS	64
#define RPCRDMA_FUZZ_SEGS	8	/* few, so that the limit is met often */

/*
 * struct rpcrdma_twin - an array of words, read by index
 * @w:	   words in host order
 * @n:	   number of words
 * @at:	   next one
 * @bad:   something was wrong; nothing counts any more
 * @msg:   what was read; segments counted in reads, writes and reply
 */
struct rpcrdma_twin {
	u32			w[RPCRDMA_FUZZ_WORDS];
	unsigned int		n;
	unsigned int		at;
	bool			bad;
	struct rpcrdma_msg	*msg;
};

static u32 rpcrdma_twin_word(struct rpcrdma_twin *t)
{
	if (t->at >= t->n) {
		t->bad = true;
		return 0;
	}
	return t->w[t->at++];
}

static bool rpcrdma_twin_more(struct rpcrdma_twin *t)
{
	u32 word = rpcrdma_twin_word(t);

	if (word > 1)
		t->bad = true;
	return word == 1 && !t->bad;
}

static void rpcrdma_twin_segment(struct rpcrdma_twin *t,
				 struct rpcrdma_chunk *chunk, u32 position)
{
	u32 handle = rpcrdma_twin_word(t);
	u32 length = rpcrdma_twin_word(t);
	u64 offset = (u64)rpcrdma_twin_word(t) << 32;

	offset |= rpcrdma_twin_word(t);
	if (t->bad)
		return;
	if (U64_MAX - offset < length || t->msg->nsegs == RPCRDMA_FUZZ_SEGS) {
		t->bad = true;
		return;
	}
	if (!chunk->nsegs++)
		chunk->first = t->msg->nsegs;
	t->msg->segs[t->msg->nsegs++] = (struct rpcrdma_segment) {
		.handle = handle, .length = length, .offset = offset,
		.position = position,
	};
}

static void rpcrdma_twin_array(struct rpcrdma_twin *t,
			       struct rpcrdma_chunk *chunk)
{
	u32 count = rpcrdma_twin_word(t);

	while (count-- && !t->bad)
		rpcrdma_twin_segment(t, chunk, 0);
}

static void rpcrdma_twin_lists(struct rpcrdma_twin *t)
{
	u32 position;

	while (rpcrdma_twin_more(t)) {
		position = rpcrdma_twin_word(t);
		if (position % 4)
			t->bad = true;
		rpcrdma_twin_segment(t, &t->msg->reads, position);
	}
	while (rpcrdma_twin_more(t)) {
		if (t->msg->nwrites == RPCRDMA_MAX_WRITE_CHUNKS)
			t->bad = true;
		else
			rpcrdma_twin_array(t,
					   &t->msg->writes[t->msg->nwrites++]);
	}
	if (rpcrdma_twin_more(t)) {
		t->msg->has_reply = true;
		rpcrdma_twin_array(t, &t->msg->reply);
	}
}

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
	unsigned int i;

	t->n = len / 4;
	for (i = 0; i < t->n; i++)
		t->w[i] = be32_to_cpu(wire[i]);
	t->at = 1;
	t->bad = false;
	rpcrdma_msg_init(t->msg, t->msg->segs, RPCRDMA_FUZZ_SEGS);

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

/* A worked header with some words changed, added or cut off; its length */
static size_t rpcrdma_fuzz_make(struct rnd_state *rnd, __be32 *wire)
{
	const struct rpcrdma_test_header *h;
	unsigned int i, n, changes;
	size_t len;

	h = &rpcrdma_test_headers[prandom_u32_state(rnd) %
				  RPCRDMA_TEST_HEADERS];
	for (i = 0; i < RPCRDMA_FUZZ_WORDS; i++)
		wire[i] = cpu_to_be32(i < h->nwords ? h->words[i] :
				      rpcrdma_fuzz_value(rnd));

	changes = prandom_u32_state(rnd) % 4;
	for (i = 0; i < changes; i++) {
		n = prandom_u32_state(rnd) % (h->nwords + 2);
		wire[n] = cpu_to_be32(rpcrdma_fuzz_value(rnd));
	}

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
		len = rpcrdma_fuzz_make(&rnd, wire);
		cut = kmemdup(wire, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, cut);

		good = rpcrdma_twin_decode(twin, cut, len);
		reason = rpcrdma_msg_decode(msg, cut, len);
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
