// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version 1 codec: worked headers both ways, every way to cut or spoil
 * them, and the boundaries of every limit.
 */
#include <linux/module.h>
#include "support.h"

#define RPCRDMA_TEST_GUARD	0xa5
#define RPCRDMA_TEST_PROC	3	/* index of the procedure word */

KUNIT_ARRAY_PARAM_DESC(rpcrdma_header, rpcrdma_v1_vectors, name);

static size_t rpcrdma_header_size(const struct rpcrdma_test_vector *header)
{
	return header->nwords * sizeof(__be32);
}

/* Decode words, after making a wire buffer of them */
static enum rpcrdma_reason rpcrdma_decode_words(struct kunit *test,
						struct rpcrdma_msg *msg,
						const u32 *words,
						unsigned int nwords)
{
	__be32 *wire = rpcrdma_test_wire(test, words, nwords);

	return rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire,
				  nwords * sizeof(*wire));
}

static void rpcrdma_codec_encode(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t size = rpcrdma_header_size(header);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire, *buf;
	u8 guard[16];

	header->build(msg);
	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	buf = kunit_kzalloc(test, size + sizeof(guard), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	memset(guard, RPCRDMA_TEST_GUARD, sizeof(guard));
	memcpy((u8 *)buf + size, guard, sizeof(guard));

	KUNIT_EXPECT_EQ(test, size, rpcrdma_codec_v1.size(msg));
	KUNIT_ASSERT_EQ(test, (int)size,
			rpcrdma_codec_v1.encode(msg, buf, size));
	KUNIT_EXPECT_EQ(test, size, msg->header_size);
	KUNIT_EXPECT_MEMEQ(test, buf, wire, size);
	/* and nothing behind it */
	KUNIT_EXPECT_MEMEQ(test, (u8 *)buf + size, guard, sizeof(guard));
}

/* An encoder that is given too little room writes nothing at all */
static void rpcrdma_codec_encode_no_room(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t len, i, size = rpcrdma_header_size(header);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u8 *buf;

	header->build(msg);
	for (len = 0; len < size; len++) {
		buf = kunit_kmalloc(test, len ?: 1, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		memset(buf, RPCRDMA_TEST_GUARD, len);
		KUNIT_EXPECT_EQ(test, -EMSGSIZE,
				rpcrdma_codec_v1.encode(msg, buf, len));
		for (i = 0; i < len; i++)
			KUNIT_ASSERT_EQ(test, RPCRDMA_TEST_GUARD, buf[i]);
	}
}

static void rpcrdma_codec_decode(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	struct rpcrdma_msg *want = rpcrdma_test_msg(test);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);

	header->build(want);
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_decode_words(test, msg, header->words,
					     header->nwords));
	KUNIT_EXPECT_TRUE(test, want->xid == msg->xid);
	KUNIT_EXPECT_EQ(test, want->vers, msg->vers);
	KUNIT_EXPECT_EQ(test, want->credits, msg->credits);
	KUNIT_EXPECT_EQ(test, want->type, msg->type);
	KUNIT_EXPECT_EQ(test, want->err, msg->err);
	KUNIT_EXPECT_EQ(test, want->vers_low, msg->vers_low);
	KUNIT_EXPECT_EQ(test, want->vers_high, msg->vers_high);
	KUNIT_EXPECT_EQ(test, rpcrdma_header_size(header), msg->header_size);
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(want, msg));
}

static enum rpcrdma_reason
rpcrdma_cut_reason(const struct rpcrdma_test_vector *header, size_t len)
{
	if (len < RPCRDMA_FIXED_SIZE)
		return RPCRDMA_R_SHORT;
	if (header->words[RPCRDMA_TEST_PROC] == RPCRDMA_WIRE_ERROR)
		return RPCRDMA_R_ERR_BODY;
	if (len < RPCRDMA_V1_HDR_MIN)
		return RPCRDMA_R_SHORT;
	return RPCRDMA_R_LIST_CUT;
}

/*
 * RFC 8166 4.5 (T-01, V1-ERR-01, V1-ERR-10): no prefix of a header is a header
 */
static void rpcrdma_codec_decode_cut(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t len, size = rpcrdma_header_size(header);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire;
	void *cut;

	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	for (len = 0; len < size; len++) {
		cut = rpcrdma_test_cut(test, wire, len);
		KUNIT_EXPECT_EQ_MSG(test, rpcrdma_cut_reason(header, len),
				    rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1,
						       cut, len),
				    "%zu bytes", len);
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		if (len >= RPCRDMA_FIXED_SIZE)
			KUNIT_EXPECT_TRUE(test, wire[0] == msg->xid);
	}
}

/* RFC 8166 (T-36): a payload, or bytes that mean nothing, follow the header */
static void rpcrdma_codec_decode_trailing(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t extra, size = rpcrdma_header_size(header);
	struct rpcrdma_msg *want = rpcrdma_test_msg(test);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire;
	u8 *buf;

	header->build(want);
	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	for (extra = 1; extra <= 9; extra++) {
		buf = kunit_kmalloc(test, size + extra, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		memcpy(buf, wire, size);
		memset(buf + size, RPCRDMA_TEST_GUARD, extra);
		KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
				rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, buf,
						   size + extra));
		KUNIT_EXPECT_EQ(test, size, msg->header_size);
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(want, msg));
	}
}

/*
 * RFC 8166 4.3, 4.7 (V1-CHK-14, T-10): each discriminator wrong in turn; in an
 * error its code
 */
static void rpcrdma_codec_decode_bool(struct kunit *test)
{
	static const u32 wrong[] = { 3, 0x100, 0x01000000, 0xffffffff };
	const struct rpcrdma_test_vector *header = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[RPCRDMA_TEST_WORDS];
	enum rpcrdma_reason reason;
	const u8 *at;
	int i;

	reason = header->words[RPCRDMA_TEST_PROC] == RPCRDMA_WIRE_ERROR ?
		 RPCRDMA_R_ERR_BODY : RPCRDMA_R_BAD_BOOL;
	for (at = header->bools; *at; at++) {
		for (i = 0; i < ARRAY_SIZE(wrong); i++) {
			memcpy(words, header->words, sizeof(words));
			words[*at] = wrong[i];
			KUNIT_EXPECT_EQ_MSG(test, reason,
					    rpcrdma_decode_words(test, msg,
								 words,
								 header->nwords),
					    "word %u is %#x", *at, wrong[i]);
			KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		}
	}
}

struct rpcrdma_codec_case {
	const char		*name;
	unsigned int		nwords;
	u32			words[RPCRDMA_TEST_WORDS];
	enum rpcrdma_reason	reason;
};

/* One read entry, then two empty lists */
#define RPCRDMA_TEST_READ(position, length, high, low)			\
	{ 1, 1, 1, 0, 1, (position), 7, (length), (high), (low), 0, 0, 0 }

static const struct rpcrdma_codec_case rpcrdma_codec_cases[] = {
	{ "smallest header (V1-ERR-01)", 7, { 1, 1, 1, 0 }, RPCRDMA_OK },
	{ "six words (V1-ERR-01)", 6, { 1, 1, 1, 0 }, RPCRDMA_R_SHORT },
	{ "credits 0 are for the caller to check (T-18)", 7, { 1, 1, 0, 0 },
	  RPCRDMA_OK },
	{ "credits of all ones", 7, { 1, 1, 0xffffffff, 0 }, RPCRDMA_OK },

	{ "RDMA_DONE (V1-DEP-05)", 7, { 1, 1, 1, 3 }, RPCRDMA_R_DONE },
	{ "RDMA_DONE as it was sent, 16 bytes (T-01)", 4, { 1, 1, 1, 3 },
	  RPCRDMA_R_SHORT },
	{ "RDMA_MSGP (V1-DEP-02)", 9, { 1, 1, 1, 2, 16, 1024 },
	  RPCRDMA_R_PROC },
	{ "RDMA_MSGP, body not parsed (T-05)", 7, { 1, 1, 1, 2, 7, 7, 7 },
	  RPCRDMA_R_PROC },
	{ "procedure 5 (V1-ERR-12)", 7, { 1, 1, 1, 5 }, RPCRDMA_R_PROC },
	{ "procedure of all ones (V1-ERR-12)", 7, { 1, 1, 1, 0xffffffff },
	  RPCRDMA_R_PROC },

	{ "version 0 (V1-VER-01)", 7, { 1, 0, 1, 0 }, RPCRDMA_R_VERS },
	{ "version 2 (V1-VER-01)", 7, { 1, 2, 1, 0 }, RPCRDMA_R_VERS },
	{ "version of all ones", 7, { 1, 0xffffffff, 1, 0 }, RPCRDMA_R_VERS },
	{ "version 2, body not parsed (T-04, DR-21)", 7, { 1, 2, 1, 0, 7, 7, 7 },
	  RPCRDMA_R_VERS },
	{ "version 2, procedure 2 (T-04)", 7, { 1, 2, 1, 2 }, RPCRDMA_R_VERS },
	{ "version 2, procedure 3 (T-04)", 7, { 1, 2, 1, 3 }, RPCRDMA_R_VERS },
	{ "version 2, six words", 6, { 1, 2, 1, 0 }, RPCRDMA_R_SHORT },

	{ "ERR_VERS, version 2 (T-02, T-03)", 7, { 1, 2, 1, 4, 1, 1, 1 },
	  RPCRDMA_OK },
	{ "ERR_VERS, version 1", 7, { 1, 1, 1, 4, 1, 2, 3 }, RPCRDMA_OK },
	{ "ERR_VERS, version 0 (DR-14)", 7, { 1, 0, 1, 4, 1, 1, 1 }, RPCRDMA_OK },
	{ "ERR_VERS, version of all ones", 7,
	  { 1, 0xffffffff, 1, 4, 1, 1, 1 }, RPCRDMA_OK },
	{ "ERR_VERS, one range word missing (T-01)", 6,
	  { 1, 1, 1, 4, 1, 1 }, RPCRDMA_R_ERR_BODY },
	{ "ERR_VERS, version 2, one range word missing", 6,
	  { 1, 2, 1, 4, 1, 1 }, RPCRDMA_R_ERR_BODY },
	{ "ERR_CHUNK, 20 bytes (T-01)", 5, { 1, 1, 1, 4, 2 }, RPCRDMA_OK },
	{ "ERR_CHUNK, version 2 (V1-VER-08)", 5, { 1, 2, 1, 4, 2 },
	  RPCRDMA_R_ERR_BODY },
	{ "RDMA_ERROR without a code (V1-ERR-10)", 4, { 1, 1, 1, 4 },
	  RPCRDMA_R_ERR_BODY },
	{ "RDMA_ERROR without a code, version 2", 4, { 1, 2, 1, 4 },
	  RPCRDMA_R_ERR_BODY },
	{ "error code 0 (T-10)", 7, { 1, 1, 1, 4, 0 }, RPCRDMA_R_ERR_BODY },
	{ "error code 3 (T-10)", 7, { 1, 1, 1, 4, 3 }, RPCRDMA_R_ERR_BODY },
	{ "error code 3, version 2", 7, { 1, 2, 1, 4, 3 },
	  RPCRDMA_R_ERR_BODY },

	{ "Position 1 (V1-RD-03)", 13, RPCRDMA_TEST_READ(1, 1, 0, 0),
	  RPCRDMA_R_POSITION_ALIGN },
	{ "Position 2 (V1-RD-03)", 13, RPCRDMA_TEST_READ(2, 1, 0, 0),
	  RPCRDMA_R_POSITION_ALIGN },
	{ "Position 3 (V1-RD-03)", 13, RPCRDMA_TEST_READ(3, 1, 0, 0),
	  RPCRDMA_R_POSITION_ALIGN },
	{ "Position 4", 13, RPCRDMA_TEST_READ(4, 1, 0, 0), RPCRDMA_OK },
	{ "highest Position", 13,
	  RPCRDMA_TEST_READ(0xfffffffc, 1, 0, 0), RPCRDMA_OK },
	{ "Position of all ones", 13,
	  RPCRDMA_TEST_READ(0xffffffff, 1, 0, 0),
	  RPCRDMA_R_POSITION_ALIGN },

	{ "segment of length 0 (T-37)", 13,
	  RPCRDMA_TEST_READ(4, 0, 0, 0), RPCRDMA_OK },
	{ "segment of length 0 at the highest address", 13,
	  RPCRDMA_TEST_READ(4, 0, 0xffffffff, 0xffffffff), RPCRDMA_OK },
	{ "segment that ends below 2^64 (T-34)", 13,
	  RPCRDMA_TEST_READ(4, 0x1000, 0xffffffff, 0xffffefff),
	  RPCRDMA_OK },
	{ "segment that ends at 2^64 (T-34)", 13,
	  RPCRDMA_TEST_READ(4, 0x1000, 0xffffffff, 0xfffff000),
	  RPCRDMA_R_SEG_WRAP },
	{ "segment that wraps (T-34)", 13,
	  RPCRDMA_TEST_READ(4, 2, 0xffffffff, 0xffffffff),
	  RPCRDMA_R_SEG_WRAP },
	{ "longest segment", 13, RPCRDMA_TEST_READ(4, 0xffffffff, 0, 0),
	  RPCRDMA_OK },
	{ "Write segment that wraps (T-34)", 13,
	  { 1, 1, 1, 0, 0, 1, 1, 7, 2, 0xffffffff, 0xffffffff, 0, 0 },
	  RPCRDMA_R_SEG_WRAP },
	{ "Reply segment that wraps (T-34)", 12,
	  { 1, 1, 1, 0, 0, 0, 1, 1, 7, 2, 0xffffffff, 0xffffffff },
	  RPCRDMA_R_SEG_WRAP },

	{ "Write count above what follows (T-34)", 13,
	  { 1, 1, 1, 0, 0, 1, 2, 7, 2, 0, 0, 0, 0 }, RPCRDMA_R_LIST_CUT },
	{ "Write count of all ones (T-34)", 13,
	  { 1, 1, 1, 0, 0, 1, 0xffffffff, 7, 2, 0, 0, 0, 0 },
	  RPCRDMA_R_LIST_CUT },
	{ "Write count that times 16 wraps to 0 (T-34)", 13,
	  { 1, 1, 1, 0, 0, 1, 0x10000000, 7, 2, 0, 0, 0, 0 },
	  RPCRDMA_R_LIST_CUT },
	{ "Write count that times 16 wraps to 16 (T-34)", 13,
	  { 1, 1, 1, 0, 0, 1, 0x10000001, 7, 2, 0, 0, 0, 0 },
	  RPCRDMA_R_LIST_CUT },
	{ "Write count above what follows and above what is taken (T-34)", 13,
	  { 1, 1, 1, 0, 0, 1, 200, 7, 2, 0, 0, 0, 0 }, RPCRDMA_R_LIST_CUT },
	{ "second Write segment wraps (T-34)", 17,
	  { 1, 1, 1, 0, 0, 1, 2, 7, 2, 0, 0, 7, 2, 0xffffffff, 0xffffffff, 0, 0 },
	  RPCRDMA_R_SEG_WRAP },
	{ "second Reply segment wraps (T-34)", 16,
	  { 1, 1, 1, 0, 0, 0, 1, 2, 7, 2, 0, 0, 7, 2, 0xffffffff, 0xffffffff },
	  RPCRDMA_R_SEG_WRAP },
	{ "Reply count of all ones (T-34)", 12,
	  { 1, 1, 1, 0, 0, 0, 1, 0xffffffff, 7, 2, 0, 0 },
	  RPCRDMA_R_LIST_CUT },
	{ "empty Reply chunk", 8, { 1, 1, 1, 1, 0, 0, 1, 0 }, RPCRDMA_OK },
	{ "RDMA_NOMSG without lists is for the caller to check (T-06)", 7,
	  { 1, 1, 1, 1 }, RPCRDMA_OK },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_codec, rpcrdma_codec_cases, name);

static void rpcrdma_codec_decode_case(struct kunit *test)
{
	const struct rpcrdma_codec_case *c = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);

	KUNIT_EXPECT_EQ(test, c->reason,
			rpcrdma_decode_words(test, msg, c->words, c->nwords));
	KUNIT_EXPECT_EQ(test, c->words[0], be32_to_cpu(msg->xid));
	KUNIT_EXPECT_EQ(test, c->words[1], msg->vers);
	KUNIT_EXPECT_EQ(test, c->words[2], msg->credits);
	if (c->words[RPCRDMA_TEST_PROC] == RPCRDMA_WIRE_ERROR)
		KUNIT_EXPECT_EQ(test, RPCRDMA_ERROR, msg->type);
	if (c->reason)
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
}

/* Encode @msg, decode it with room for @room segments */
static enum rpcrdma_reason rpcrdma_reread(struct kunit *test,
					  struct rpcrdma_msg *msg,
					  struct rpcrdma_msg **copy,
					  unsigned int room)
{
	size_t size = rpcrdma_codec_v1.size(msg);
	void *buf = kunit_kmalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buf);
	KUNIT_ASSERT_EQ(test, (int)size,
			rpcrdma_codec_v1.encode(msg, buf, size));
	*copy = rpcrdma_test_msg_segs(test, room);
	return rpcrdma_msg_decode(*copy, RPCRDMA_VERSIONS_1, buf, size);
}

/*
 * RFC 8166 (T-35): as many segments as there is room for, and one more, in each
 * list
 */
static void rpcrdma_codec_most_segments(struct kunit *test)
{
	const unsigned int most = RPCRDMA_MAX_SEGS;
	struct rpcrdma_msg *msg, *copy;
	unsigned int list, i;

	for (list = 0; list < 3; list++) {
		msg = rpcrdma_test_msg(test);
		switch (list) {
		case 0:
			for (i = 0; i < most; i++)
				rpcrdma_test_add_read(test, msg, 4 * i, i);
			break;
		case 1:
			rpcrdma_test_add_write(test, msg, most, 1);
			break;
		case 2:
			rpcrdma_test_add_reply(test, msg, most, 1);
			break;
		}
		KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
				rpcrdma_reread(test, msg, &copy, most));
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(msg, copy));
		KUNIT_EXPECT_EQ(test, RPCRDMA_R_TOO_MANY_SEGS,
				rpcrdma_reread(test, msg, &copy, most - 1));
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(copy));
	}
}

/* RFC 8166 (T-35): the limit holds for all lists together */
static void rpcrdma_codec_most_segments_mixed(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test), *copy;

	rpcrdma_test_add_read(test, msg, 4, 1);
	rpcrdma_test_add_write(test, msg, 2, 1);
	rpcrdma_test_add_write(test, msg, 0, 0);
	rpcrdma_test_add_write(test, msg, 3, 1);
	rpcrdma_test_add_reply(test, msg, 4, 1);

	KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
			rpcrdma_reread(test, msg, &copy, 10));
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(msg, copy));
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_TOO_MANY_SEGS,
			rpcrdma_reread(test, msg, &copy, 9));
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_TOO_MANY_SEGS,
			rpcrdma_reread(test, msg, &copy, 0));
}

/* The segments of a message lie in any order of the lists */
static void rpcrdma_codec_lists_order(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test), *copy;

	rpcrdma_test_add_reply(test, msg, 2, 3);
	rpcrdma_test_add_write(test, msg, 2, 1);
	rpcrdma_test_add_read(test, msg, 4, 5);
	rpcrdma_test_add_read(test, msg, 8, 7);
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reread(test, msg, &copy, 6));
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(msg, copy));
}

/*
 * RFC 8166 (T-35): 16 Write chunks are taken, 17 are not; empty ones count (RFC
 * 8166 4.3.2.3 and older drafts, V1-WR-21, DR-07)
 */
static void rpcrdma_codec_most_writes(struct kunit *test)
{
	const unsigned int most = RPCRDMA_MAX_WRITE_CHUNKS;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[RPCRDMA_FIXED_WORDS + 3 + 2 * (RPCRDMA_MAX_WRITE_CHUNKS + 1)];
	unsigned int i, n;

	for (n = most; n <= most + 1; n++) {
		memset(words, 0, sizeof(words));
		words[1] = RPCRDMA_VERSION_ONE;
		for (i = 0; i < n; i++)
			words[RPCRDMA_FIXED_WORDS + 1 + 2 * i] = 1;
		KUNIT_EXPECT_EQ(test, n > most ? RPCRDMA_R_TOO_MANY_CHUNKS :
						 RPCRDMA_OK,
				rpcrdma_decode_words(test, msg, words,
						     RPCRDMA_FIXED_WORDS + 3 +
						     2 * n));
		KUNIT_EXPECT_EQ(test, n > most ? 0 : n, msg->nwrites);
	}
}

/*
 * RFC 8166 4.5 (V1-ERR-01): a codec, asked by itself, looks at the length first
 * too
 */
static void rpcrdma_codec_decode_short(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	static const u32 words[] = { 1, 1, 1, 0 };
	__be32 *wire;
	size_t len;

	wire = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));
	for (len = 0; len <= sizeof(words); len++) {
		void *cut = rpcrdma_test_cut(test, wire, len);

		KUNIT_EXPECT_EQ(test, RPCRDMA_R_SHORT,
				rpcrdma_codec_v1.decode(msg, cut, len));
		KUNIT_EXPECT_EQ(test, RPCRDMA_R_SHORT,
				rpcrdma_codec_v2.decode(msg, cut, len));
	}
}

/* A length of which the lower 32 bits are 0 is not taken for none (RFC 8166 trap T-34) */
static void rpcrdma_codec_decode_long(struct kunit *test)
{
	static const u32 words[7] = { 1, 1, 1, 0 };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));

	if (sizeof(size_t) == sizeof(u32))
		kunit_skip(test, "lengths have 32 bits");
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
			rpcrdma_codec_v1.decode(msg, wire, (size_t)(1ULL << 32)));
	KUNIT_EXPECT_EQ(test, RPCRDMA_V1_HDR_MIN, msg->header_size);
}

/* What an earlier message left in the struct does not shine through */
static void rpcrdma_codec_decode_reuse(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int i, j;

	for (i = 0; i < RPCRDMA_V1_VECTORS; i++) {
		for (j = 0; j < RPCRDMA_V1_VECTORS; j++) {
			const struct rpcrdma_test_vector *h =
				&rpcrdma_v1_vectors[j];
			struct rpcrdma_msg *want = rpcrdma_test_msg(test);

			h->build(want);
			rpcrdma_decode_words(test, msg,
					     rpcrdma_v1_vectors[i].words,
					     rpcrdma_v1_vectors[i].nwords);
			rpcrdma_decode_words(test, msg, h->words, h->nwords);
			KUNIT_EXPECT_TRUE(test,
					  rpcrdma_test_lists_equal(want, msg));
			KUNIT_EXPECT_EQ(test, want->err, msg->err);
			KUNIT_EXPECT_EQ(test, want->type, msg->type);
		}
	}
}

static void rpcrdma_codec_versions(struct kunit *test)
{
	u32 low, high;

	rpcrdma_versions(RPCRDMA_VERSIONS_1, &low, &high);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_ONE, low);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_ONE, high);
	KUNIT_EXPECT_PTR_EQ(test, &rpcrdma_codec_v1, rpcrdma_codec_find(1));
	KUNIT_EXPECT_NULL(test, rpcrdma_codec_find(0));
	KUNIT_EXPECT_PTR_EQ(test, &rpcrdma_codec_v2, rpcrdma_codec_find(2));
	KUNIT_EXPECT_NULL(test, rpcrdma_codec_find(3));
	KUNIT_EXPECT_NULL(test, rpcrdma_codec_find(U32_MAX));
}

/*
 * RFC 8166 4.2.2 and older drafts (V1-HDR-06, T-03, DR-14): only an RDMA_ERROR
 * carries another version than 1
 */
static void rpcrdma_codec_encode_version(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 buf[7];

	msg->vers = 9;
	msg->type = RPCRDMA_MSG;
	KUNIT_ASSERT_EQ(test, 28,
			rpcrdma_codec_v1.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, 1, be32_to_cpu(buf[RPCRDMA_WORD_VERS]));
	msg->type = RPCRDMA_ERROR;
	msg->err = RPCRDMA_ERR_VERS;
	KUNIT_ASSERT_EQ(test, 28,
			rpcrdma_codec_v1.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, 9, be32_to_cpu(buf[RPCRDMA_WORD_VERS]));
}

static struct kunit_case rpcrdma_codec_v1_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_codec_encode, rpcrdma_header_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_encode_no_room,
			 rpcrdma_header_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_decode, rpcrdma_header_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_decode_cut, rpcrdma_header_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_decode_trailing,
			 rpcrdma_header_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_decode_bool, rpcrdma_header_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_codec_decode_case, rpcrdma_codec_gen_params),
	KUNIT_CASE(rpcrdma_codec_most_segments),
	KUNIT_CASE(rpcrdma_codec_most_segments_mixed),
	KUNIT_CASE(rpcrdma_codec_lists_order),
	KUNIT_CASE(rpcrdma_codec_most_writes),
	KUNIT_CASE(rpcrdma_codec_decode_short),
	KUNIT_CASE(rpcrdma_codec_decode_long),
	KUNIT_CASE(rpcrdma_codec_decode_reuse),
	KUNIT_CASE(rpcrdma_codec_versions),
	KUNIT_CASE(rpcrdma_codec_encode_version),
	{}
};

static struct kunit_suite rpcrdma_codec_v1_test_suite = {
	.name		= "rpcrdma_codec_v1",
	.test_cases	= rpcrdma_codec_v1_test_cases,
};

kunit_test_suite(rpcrdma_codec_v1_test_suite);

MODULE_DESCRIPTION("KUnit tests of the RPC-over-RDMA core");
MODULE_LICENSE("GPL");
