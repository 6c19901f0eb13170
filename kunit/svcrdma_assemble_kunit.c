// SPDX-License-Identifier: GPL-2.0-only
/*
 * Putting a Call together: a table of cases, random Calls that are reduced and put
 * together again, and random Read lists.
 */
#include <compat/kunit.h>
#include <kunit/visibility.h>
#include <linux/align.h>
#include <linux/module.h>
#include "support.h"
#include "../svcrdma/protocol/assemble.h"

#define SVCRDMA_TEST_MAX_CALL	0x100000

struct svcrdma_assemble_case {
	const char		*name;
	u32			inline_len;
	unsigned int		nreads;
	u32			reads[4][2];	/* Position and length */
	enum rpcrdma_reason	reason;
	enum svcrdma_layout	layout;
	u32			split;
	u32			sink_len;
	u32			call_len;
};

static const struct svcrdma_assemble_case svcrdma_assemble_cases[] = {
	{ "no chunk", 100, 0, {}, RPCRDMA_OK, SVCRDMA_LAYOUT_INLINE, 0, 0,
	  100 },
	{ "WRITE of whole words", 148, 1, { { 148, 4096 } }, RPCRDMA_OK,
	  SVCRDMA_LAYOUT_ITEM, 148, 4096, 4244 },
	{ "pad left out (T-26, V1-PAD-08, V1-PAD-13, DR-05)", 148, 1, { { 148, 4101 } },
	  RPCRDMA_OK, SVCRDMA_LAYOUT_ITEM, 148, 4104, 4252 },
	{ "pad brought along, as a segment (T-26, V1-PAD-04, V1-PAD-07)", 148, 2,
	  { { 148, 4101 }, { 148, 3 } }, RPCRDMA_OK, SVCRDMA_LAYOUT_ITEM, 148,
	  4104, 4252 },
	{ "SYMLINK of NFSv2: attributes behind the path (ULB-V23-06)", 112, 1,
	  { { 80, 11 } }, RPCRDMA_OK, SVCRDMA_LAYOUT_ITEM, 80, 12, 124 },
	{ "more inline behind the item", 200, 1, { { 148, 5 } }, RPCRDMA_OK,
	  SVCRDMA_LAYOUT_ITEM, 148, 8, 208 },
	{ "empty item (T-37)", 148, 1, { { 148, 0 } }, RPCRDMA_OK,
	  SVCRDMA_LAYOUT_ITEM, 148, 0, 148 },
	{ "empty item inside the stream (T-37): nothing is split", 148, 1, { { 80, 0 } },
	  RPCRDMA_OK, SVCRDMA_LAYOUT_ITEM, 148, 0, 148 },
	{ "Position past the stream (T-29)", 148, 1, { { 152, 4 } },
	  RPCRDMA_R_POSITION_RANGE },
	{ "two items, second by its Position in the whole (T-25)", 164, 2,
	  { { 156, 5 }, { 172, 4 } }, RPCRDMA_OK, SVCRDMA_LAYOUT_FLAT, 0,
	  176, 176 },
	{ "two items, second by its place inline (T-25)", 164, 2,
	  { { 156, 5 }, { 176, 4 } }, RPCRDMA_R_POSITION_RANGE },
	{ "two items, second inside the first", 164, 2,
	  { { 156, 16 }, { 168, 4 } }, RPCRDMA_R_POSITION_RANGE },
	{ "long Call (V1-PZ-05)", 0, 2, { { 0, 1000 }, { 0, 24 } },
	  RPCRDMA_OK, SVCRDMA_LAYOUT_FLAT, 0, 1024, 1024 },
	{ "long Call with an item (V1-PZ-07, UQ-09)", 0, 2,
	  { { 0, 160 }, { 148, 4101 } }, RPCRDMA_OK, SVCRDMA_LAYOUT_FLAT, 0,
	  4264, 4264 },
	{ "long Call with an item past its end (T-29)", 0, 2,
	  { { 0, 160 }, { 164, 4 } }, RPCRDMA_R_POSITION_RANGE },
	{ "nothing at all (T-06)", 0, 0, {}, RPCRDMA_R_NOMSG_EMPTY },
	{ "an item in nothing (T-06)", 0, 1, { { 4, 4 } },
	  RPCRDMA_R_NOMSG_EMPTY },
	{ "an item in an empty Position Zero chunk (T-06)", 0, 2, { { 0, 0 }, { 4, 4 } },
	  RPCRDMA_R_NOMSG_EMPTY },
	{ "as long as a Call can be", 48, 1,
	  { { 48, SVCRDMA_TEST_MAX_CALL - 48 } }, RPCRDMA_OK,
	  SVCRDMA_LAYOUT_ITEM, 48, SVCRDMA_TEST_MAX_CALL - 48,
	  SVCRDMA_TEST_MAX_CALL },
	{ "longer than a Call can be with its pad (T-26)", 49, 1,
	  { { 48, SVCRDMA_TEST_MAX_CALL - 49 } }, RPCRDMA_R_CHUNK_LENGTH },
	{ "longer than a Call can be", 49, 1,
	  { { 48, SVCRDMA_TEST_MAX_CALL - 48 } }, RPCRDMA_R_CHUNK_LENGTH },
};

KUNIT_ARRAY_PARAM_DESC(svcrdma_assemble, svcrdma_assemble_cases, name);

/* Sort as the receive path does, then plan */
static enum rpcrdma_reason svcrdma_test_plan(struct kunit *test,
					     struct svcrdma_assembly *plan,
					     struct rpcrdma_msg *msg,
					     struct rpcrdma_chunk *chunks,
					     unsigned int *nchunks,
					     u32 inline_len)
{
	enum rpcrdma_reason reason;

	reason = rpcrdma_reads_sort(msg, SVCRDMA_TEST_MAX_CALL, chunks,
				    nchunks);
	if (reason)
		return reason;
	return svcrdma_assemble(plan, msg, chunks, *nchunks, inline_len,
				SVCRDMA_TEST_MAX_CALL);
}

/* The pieces fill the data sink from its start, without gaps, from valid sources */
static void svcrdma_test_pieces(struct kunit *test,
				const struct svcrdma_assembly *plan,
				const struct rpcrdma_msg *msg,
				const struct rpcrdma_chunk *chunks,
				unsigned int nchunks, u32 inline_len)
{
	unsigned int i;
	u64 source_len;
	u32 to = 0;

	KUNIT_ASSERT_LE(test, plan->npieces, SVCRDMA_MAX_PIECES);
	for (i = 0; i < plan->npieces; i++) {
		const struct svcrdma_piece *piece = &plan->pieces[i];

		KUNIT_EXPECT_NE(test, 0, piece->len);
		KUNIT_EXPECT_EQ(test, to, piece->to);
		to += piece->len;

		if (piece->kind != SVCRDMA_PIECE_READ)
			KUNIT_EXPECT_EQ(test, 0, piece->chunk);
		source_len = 3;	/* a pad */
		if (piece->kind == SVCRDMA_PIECE_COPY)
			source_len = inline_len;
		if (piece->kind == SVCRDMA_PIECE_READ) {
			KUNIT_ASSERT_LT(test, piece->chunk, nchunks);
			source_len = rpcrdma_chunk_length(msg,
							  &chunks[piece->chunk]);
		}
		KUNIT_EXPECT_LE(test, (u64)piece->from + piece->len,
				source_len);
	}
	KUNIT_EXPECT_EQ(test, to, plan->sink_len);
	KUNIT_EXPECT_LE(test, plan->call_len, SVCRDMA_TEST_MAX_CALL);
	KUNIT_EXPECT_GE(test, plan->call_len, plan->sink_len);
	KUNIT_EXPECT_LE(test, plan->split, inline_len);
}

static void svcrdma_assemble_table(struct kunit *test)
{
	const struct svcrdma_assemble_case *c = test->param_value;
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	struct svcrdma_assembly *plan;
	unsigned int i, nchunks;

	plan = kunit_kzalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	for (i = 0; i < c->nreads; i++)
		rpcrdma_test_add_read(test, msg, c->reads[i][0],
				      c->reads[i][1]);

	KUNIT_ASSERT_EQ(test, c->reason,
			svcrdma_test_plan(test, plan, msg, chunks, &nchunks,
					  c->inline_len));
	if (c->reason)
		return;
	KUNIT_EXPECT_EQ(test, c->layout, plan->layout);
	KUNIT_EXPECT_EQ(test, c->split, plan->split);
	KUNIT_EXPECT_EQ(test, c->sink_len, plan->sink_len);
	KUNIT_EXPECT_EQ(test, c->call_len, plan->call_len);
	svcrdma_test_pieces(test, plan, msg, chunks, nchunks, c->inline_len);
}

#define SVCRDMA_CALL_SEED	0x25
#define SVCRDMA_CALL_ROUNDS	2000
#define SVCRDMA_CALL_ITEMS	4
#define SVCRDMA_CALL_MAX	1024

/*
 * struct svcrdma_call - a Call before and after it was reduced
 * @whole:     the complete Call
 * @len:       length of @whole, bytes
 * @base:      the Call without the reduced items and their pads
 * @base_len:  length of @base, bytes
 * @nitems:    number of reduced items
 * @items:     offsets of the items in @whole, bytes
 * @lengths:   lengths of the chunks of the items, bytes
 * @long_call: @base is in a Position Zero chunk
 */
struct svcrdma_call {
	u8		whole[SVCRDMA_CALL_MAX];
	u32		len;
	u8		base[SVCRDMA_CALL_MAX];
	u32		base_len;
	unsigned int	nitems;
	u32		items[SVCRDMA_CALL_ITEMS];
	u32		lengths[SVCRDMA_CALL_ITEMS];
	bool		long_call;
};

/* Pads are zero; each other byte encodes its offset */
static void svcrdma_call_bytes(struct svcrdma_call *call, u32 n, bool in_base)
{
	while (n--) {
		u8 byte = call->len * 7 % 255 + 1;

		call->whole[call->len++] = byte;
		if (in_base)
			call->base[call->base_len++] = byte;
	}
}

static void svcrdma_call_item(struct rnd_state *rnd, struct svcrdma_call *call)
{
	u32 len = prandom_u32_state(rnd) % 50;
	unsigned int i = call->nitems++;

	call->items[i] = call->len;
	svcrdma_call_bytes(call, len, false);
	/* A chunk may include the pad: RFC 8166 (T-26) */
	call->lengths[i] = prandom_u32_state(rnd) % 2 ? len : ALIGN(len, 4);
	while (!IS_ALIGNED(call->len, 4))
		call->whole[call->len++] = 0;
}

static void svcrdma_call_make(struct rnd_state *rnd, struct svcrdma_call *call)
{
	unsigned int items = prandom_u32_state(rnd) % (SVCRDMA_CALL_ITEMS + 1);

	memset(call, 0, sizeof(*call));
	call->long_call = prandom_u32_state(rnd) % 2;
	svcrdma_call_bytes(call, 8, true);
	while (items--) {
		svcrdma_call_item(rnd, call);
		/* an item of no bytes has no Position of its own */
		if (call->len == call->items[call->nitems - 1])
			svcrdma_call_bytes(call, 4, true);
		svcrdma_call_bytes(call, prandom_u32_state(rnd) % 6 * 4, true);
	}
}

/* Read segments in random order, each item cut at random */
static void svcrdma_call_reads(struct kunit *test, struct rnd_state *rnd,
			       const struct svcrdma_call *call,
			       struct rpcrdma_msg *msg)
{
	unsigned int i, item, start = 0;
	u32 cut;

	if (call->nitems)
		start = prandom_u32_state(rnd) % call->nitems;
	for (i = 0; i < call->nitems; i++) {
		item = (start + i) % call->nitems;
		cut = prandom_u32_state(rnd) % (call->lengths[item] + 1);
		rpcrdma_test_add_read(test, msg, call->items[item], cut);
		rpcrdma_test_add_read(test, msg, call->items[item],
				      call->lengths[item] - cut);
	}
	if (call->long_call)
		rpcrdma_test_add_read(test, msg, 0, call->base_len);
}

/* Copies bytes @from to @from + @len of the chunk at @position */
static void svcrdma_call_pull(const struct svcrdma_call *call, u32 position,
			      u32 from, u32 len, u8 *to)
{
	const u8 *source = position ? call->whole + position : call->base;

	memcpy(to, source + from, len);
}

/* Does what read.c does for @plan */
static void svcrdma_call_rebuild(const struct svcrdma_call *call,
				 const struct svcrdma_assembly *plan,
				 const struct rpcrdma_msg *msg,
				 const struct rpcrdma_chunk *chunks, u8 *sink,
				 u8 *result)
{
	unsigned int i;

	for (i = 0; i < plan->npieces; i++) {
		const struct svcrdma_piece *piece = &plan->pieces[i];
		u32 chunk = piece->chunk;

		switch (piece->kind) {
		case SVCRDMA_PIECE_COPY:
			memcpy(sink + piece->to, call->base + piece->from,
			       piece->len);
			break;
		case SVCRDMA_PIECE_PAD:
			memset(sink + piece->to, 0, piece->len);
			break;
		case SVCRDMA_PIECE_READ:
			svcrdma_call_pull(call,
					  msg->segs[chunks[chunk].first].position,
					  piece->from, piece->len,
					  sink + piece->to);
			break;
		}
	}
	switch (plan->layout) {
	case SVCRDMA_LAYOUT_INLINE:
		memcpy(result, call->base, call->base_len);
		break;
	case SVCRDMA_LAYOUT_FLAT:
		memcpy(result, sink, plan->sink_len);
		break;
	case SVCRDMA_LAYOUT_ITEM:
		memcpy(result, call->base, plan->split);
		memcpy(result + plan->split, sink, plan->sink_len);
		memcpy(result + plan->split + plan->sink_len,
		       call->base + plan->split, call->base_len - plan->split);
		break;
	}
}

/*
 * A random Call that is reduced and put together again is the same, byte by byte: RFC
 * 8166 2.2.4.2, 3.4, 4, 6.1 (V1-RD-02, V1-RD-05, V1-PZ-07, V1-PAD-01, V1-PAD-08, V1-HDR-19,
 * V1-CHK-18, V1-DDP-09), RFC 8166 (T-25, T-26, T-28, T-29). Each item is at its
 * Position: RFC 8267 6.4.1 (ULB-CMP-01).
 */
static void svcrdma_assemble_random(struct kunit *test)
{
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int round, nchunks;
	struct svcrdma_assembly *plan;
	struct svcrdma_call *call;
	struct rnd_state rnd;
	u8 *sink, *result;
	u32 inline_len;

	plan = kunit_kzalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	call = kunit_kzalloc(test, sizeof(*call), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, call);
	sink = kunit_kzalloc(test, SVCRDMA_CALL_MAX, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sink);
	result = kunit_kzalloc(test, SVCRDMA_CALL_MAX, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, result);

	prandom_seed_state(&rnd, SVCRDMA_CALL_SEED);
	for (round = 0; round < SVCRDMA_CALL_ROUNDS; round++) {
		rpcrdma_msg_init(msg, msg->segs, msg->max_segs);
		svcrdma_call_make(&rnd, call);
		svcrdma_call_reads(test, &rnd, call, msg);
		inline_len = call->long_call ? 0 : call->base_len;

		KUNIT_ASSERT_EQ_MSG(test, RPCRDMA_OK,
				    svcrdma_test_plan(test, plan, msg, chunks,
						      &nchunks, inline_len),
				    "round %u", round);
		svcrdma_test_pieces(test, plan, msg, chunks, nchunks,
				    inline_len);
		KUNIT_ASSERT_EQ(test, call->len, plan->call_len);

		memset(sink, 0xee, SVCRDMA_CALL_MAX);
		memset(result, 0xee, SVCRDMA_CALL_MAX);
		svcrdma_call_rebuild(call, plan, msg, chunks, sink, result);
		KUNIT_ASSERT_MEMEQ(test, call->whole, result, call->len);
	}
}

#define SVCRDMA_HOSTILE_SEED	0x29
#define SVCRDMA_HOSTILE_ROUNDS	20000

static u32 svcrdma_hostile_length(struct rnd_state *rnd)
{
	u32 r = prandom_u32_state(rnd);

	switch (r % 16) {
	case 0:
		return U32_MAX - r / 16 % 8;
	case 1:
		return SVCRDMA_TEST_MAX_CALL - r / 16 % 16;
	case 2:
		return 0;
	default:
		return r / 16 % 24;
	}
}

/* Random Read lists are refused, or get a plan that stays in bounds */
static void svcrdma_assemble_hostile(struct kunit *test)
{
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int round, i, n, nchunks, taken = 0;
	struct svcrdma_assembly *plan;
	enum rpcrdma_reason reason;
	struct rnd_state rnd;
	u32 inline_len;

	plan = kunit_kzalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	prandom_seed_state(&rnd, SVCRDMA_HOSTILE_SEED);
	for (round = 0; round < SVCRDMA_HOSTILE_ROUNDS; round++) {
		rpcrdma_msg_init(msg, msg->segs, msg->max_segs);
		n = prandom_u32_state(&rnd) % 8;
		for (i = 0; i < n; i++)
			rpcrdma_test_add_read(test, msg,
					      prandom_u32_state(&rnd) % 16 * 4,
					      svcrdma_hostile_length(&rnd));
		inline_len = prandom_u32_state(&rnd) % 64;
		for (i = 0; i < n; i++)
			if (!msg->segs[i].position)
				inline_len = 0;

		reason = svcrdma_test_plan(test, plan, msg, chunks, &nchunks,
					   inline_len);
		if (reason)
			continue;
		taken++;
		svcrdma_test_pieces(test, plan, msg, chunks, nchunks,
				    inline_len);
		if (rpcrdma_test_faulty(test, round))
			return;
	}
	kunit_info(test, "%u of %u Read lists were taken", taken, round);
	KUNIT_EXPECT_GT(test, taken, round / 50);
	KUNIT_EXPECT_LT(test, taken, round - round / 50);
}

struct svcrdma_protected_case {
	const char	*name;
	u32		flavor;
	u32		gss_proc;
	u32		service;
	bool		is_protected;
};

static const struct svcrdma_protected_case svcrdma_protected_cases[] = {
	{ "AUTH_NONE", 0, 0, 0, false },
	{ "AUTH_SYS that looks like krb5p", 1, 0, 3, false },
	{ "a flavor above that looks like krb5p", 7, 0, 3, false },
	{ "krb5 (V1-SEC-03)", 6, 0, 1, false },
	{ "krb5i (V1-SEC-06)", 6, 0, 2, true },
	{ "krb5p (V1-SEC-06)", 6, 0, 3, true },
	{ "no such service", 6, 0, 0, true },
	{ "context set-up (V1-SEC-01)", 6, 1, 1, true },
	{ "context set-up goes on (V1-SEC-01)", 6, 2, 1, true },
	{ "context destruction (V1-SEC-01)", 6, 3, 1, true },
};

KUNIT_ARRAY_PARAM_DESC(svcrdma_protected, svcrdma_protected_cases, name);

/* RPCSEC_GSS with integrity or privacy forbids reduction: RFC 8166 (T-43) */
static void svcrdma_assemble_protected(struct kunit *test)
{
	const struct svcrdma_protected_case *c = test->param_value;
	const u32 words[] = {
		0x1a2b3c4d, 0, 2, 100003, 4, 1,
		c->flavor, 24, 1, c->gss_proc, 77, c->service, 0,
	};
	const size_t needed = sizeof(words) - sizeof(words[0]);
	__be32 *wire = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));
	size_t len;

	KUNIT_EXPECT_EQ(test, c->is_protected, svcrdma_call_protected(wire, needed));
	KUNIT_EXPECT_EQ(test, c->is_protected,
			svcrdma_call_protected(wire, sizeof(words)));
	/* Too short to tell; must not look further than told */
	for (len = 0; len < needed; len += 4)
		KUNIT_EXPECT_FALSE(test,
				   svcrdma_call_protected(rpcrdma_test_cut(test,
									   wire,
									   len),
							  len));
}

/* RFC 8166 8.2.2 (V1-SEC-01): where the RPC header ends, and where it does not */
static void svcrdma_args_begin(struct kunit *test)
{
	static const u32 words[] = {
		0x1a2b3c4d, 0, 2, 100003, 3, 7,
		1, 5, 0, 0,		/* credential of 5 bytes */
		0, 4, 0,		/* verifier of 4 bytes */
		9,
	};
	static const u32 huge[] = {
		0x1a2b3c4d, 0, 2, 100003, 3, 7, 1, 401, 0, 0,
	};
	__be32 *call = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));
	size_t len;

	for (len = 0; len < 52; len++)
		KUNIT_EXPECT_EQ(test, U32_MAX,
				svcrdma_call_args(rpcrdma_test_cut(test, call, len), len));
	for (; len <= 56; len++)
		KUNIT_EXPECT_EQ(test, 52, svcrdma_call_args(call, len));
	call[7] = cpu_to_be32(U32_MAX);
	KUNIT_EXPECT_EQ(test, U32_MAX, svcrdma_call_args(call, 56));
	call = rpcrdma_test_wire(test, huge, ARRAY_SIZE(huge));
	KUNIT_EXPECT_EQ(test, U32_MAX, svcrdma_call_args(call, 1000));
}

/* RFC 5531 8.2: no byte in credential and verifier, and as many as there can be */
static void svcrdma_args_sizes(struct kunit *test)
{
	u32 words[2 + 4 + 2 + 400 / 4 + 2] = { 0x1a2b3c4d, 0, 2, 100003, 3, 7 };
	__be32 *call = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));

	KUNIT_EXPECT_EQ(test, 40, svcrdma_call_args(call, 40));
	call[7] = cpu_to_be32(400);
	KUNIT_EXPECT_EQ(test, sizeof(words), svcrdma_call_args(call, sizeof(words)));
}

static struct kunit_case svcrdma_assemble_test_cases[] = {
	KUNIT_CASE_PARAM(svcrdma_assemble_table, svcrdma_assemble_gen_params),
	KUNIT_CASE(svcrdma_assemble_random),
	KUNIT_CASE(svcrdma_assemble_hostile),
	KUNIT_CASE(svcrdma_args_begin),
	KUNIT_CASE(svcrdma_args_sizes),
	KUNIT_CASE_PARAM(svcrdma_assemble_protected,
			 svcrdma_protected_gen_params),
	{}
};

static struct kunit_suite svcrdma_assemble_test_suite = {
	.name		= "svcrdma_assemble",
	.test_cases	= svcrdma_assemble_test_cases,
};

kunit_test_suite(svcrdma_assemble_test_suite);

MODULE_DESCRIPTION("KUnit tests of the RPC-over-RDMA server");
MODULE_LICENSE("GPL");
RPCRDMA_IMPORT_KUNIT_SYMBOLS;
