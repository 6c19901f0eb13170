// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the reference decoders of both versions share: words read by index, and the
 * three chunk lists, which are the same in both.
 */
#include <linux/minmax.h>
#include "ref_decoder.h"

/* Begin with the version word; the XID needs no reading */
void rpcrdma_ref_begin(struct rpcrdma_ref_decoder *t, const __be32 *wire,
		       size_t len)
{
	unsigned int i;

	t->n = min_t(size_t, len / 4, RPCRDMA_REF_WORDS);
	for (i = 0; i < t->n; i++)
		t->w[i] = be32_to_cpu(wire[i]);
	t->at = 1;
	t->bad = false;
	rpcrdma_msg_init(t->msg, t->msg->segs, t->msg->max_segs);
}

u32 rpcrdma_ref_word(struct rpcrdma_ref_decoder *t)
{
	if (t->at >= t->n) {
		t->bad = true;
		return 0;
	}
	return t->w[t->at++];
}

static bool rpcrdma_ref_more(struct rpcrdma_ref_decoder *t)
{
	u32 word = rpcrdma_ref_word(t);

	if (word > 1)
		t->bad = true;
	return word == 1 && !t->bad;
}

static void rpcrdma_ref_segment(struct rpcrdma_ref_decoder *t,
				struct rpcrdma_chunk *chunk, u32 position)
{
	u32 handle = rpcrdma_ref_word(t);
	u32 length = rpcrdma_ref_word(t);
	u64 offset = (u64)rpcrdma_ref_word(t) << 32;

	offset |= rpcrdma_ref_word(t);
	if (t->bad)
		return;
	if (U64_MAX - offset < length || t->msg->nsegs == t->msg->max_segs) {
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

static void rpcrdma_ref_array(struct rpcrdma_ref_decoder *t,
			      struct rpcrdma_chunk *chunk)
{
	u32 count = rpcrdma_ref_word(t);

	while (count-- && !t->bad)
		rpcrdma_ref_segment(t, chunk, 0);
}

void rpcrdma_ref_lists(struct rpcrdma_ref_decoder *t)
{
	u32 position;

	while (rpcrdma_ref_more(t)) {
		position = rpcrdma_ref_word(t);
		if (position % 4)
			t->bad = true;
		rpcrdma_ref_segment(t, &t->msg->reads, position);
	}
	while (rpcrdma_ref_more(t)) {
		if (t->msg->nwrites == RPCRDMA_MAX_WRITE_CHUNKS)
			t->bad = true;
		else
			rpcrdma_ref_array(t,
					  &t->msg->writes[t->msg->nwrites++]);
	}
	if (rpcrdma_ref_more(t)) {
		t->msg->has_reply = true;
		rpcrdma_ref_array(t, &t->msg->reply);
	}
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
size_t rpcrdma_fuzz_make(struct rnd_state *rnd,
			 const struct rpcrdma_test_vector *headers,
			 unsigned int nheaders, __be32 *wire)
{
	const struct rpcrdma_test_vector *h;
	unsigned int i, changes;
	size_t len;

	h = &headers[prandom_u32_state(rnd) % nheaders];
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
