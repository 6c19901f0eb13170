// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version 2 codec: worked messages both ways, every way to cut or spoil
 * them, errors, and what answers a message that is refused.
 */
#include "support.h"

#define RPCRDMA_TEST_GUARD	0xa5
#define RPCRDMA_V2_WORD_HTYPE	3	/* indices of words */
#define RPCRDMA_V2_WORD_FLAGS	4

KUNIT_ARRAY_PARAM_DESC(rpcrdma_header_v2, rpcrdma_v2_vectors, name);

static size_t rpcrdma_v2_header_size(const struct rpcrdma_test_vector *header)
{
	return header->nwords * sizeof(__be32);
}

static enum rpcrdma_reason rpcrdma_v2_decode_words(struct kunit *test,
						   struct rpcrdma_msg *msg,
						   const u32 *words,
						   unsigned int nwords)
{
	__be32 *wire = rpcrdma_test_wire(test, words, nwords);

	return rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, wire,
				  nwords * sizeof(*wire));
}

/*
 * rpcrdma-version-two-09 3.2, 4, 5.3 (OQ-28): each worked message, word by word
 */
static void rpcrdma_v2_encode_test(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t size = rpcrdma_v2_header_size(header);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire, *buf;
	u8 guard[16];

	header->build(msg);
	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	buf = kunit_kzalloc(test, size + sizeof(guard), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, buf);
	memset(guard, RPCRDMA_TEST_GUARD, sizeof(guard));
	memcpy((u8 *)buf + size, guard, sizeof(guard));

	KUNIT_EXPECT_EQ(test, size, rpcrdma_codec_v2.size(msg));
	KUNIT_ASSERT_EQ(test, (int)size,
			rpcrdma_codec_v2.encode(msg, buf, size));
	KUNIT_EXPECT_EQ(test, size, msg->header_size);
	KUNIT_EXPECT_MEMEQ(test, buf, wire, size);
	/* and nothing behind it */
	KUNIT_EXPECT_MEMEQ(test, (u8 *)buf + size, guard, sizeof(guard));
}

/* An encoder that is given too little room writes nothing at all */
static void rpcrdma_v2_encode_no_room(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t len, i, size = rpcrdma_v2_header_size(header);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u8 *buf;

	header->build(msg);
	for (len = 0; len < size; len++) {
		buf = kunit_kmalloc(test, len ?: 1, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		memset(buf, RPCRDMA_TEST_GUARD, len);
		KUNIT_EXPECT_EQ(test, -EMSGSIZE,
				rpcrdma_codec_v2.encode(msg, buf, len));
		for (i = 0; i < len; i++)
			KUNIT_ASSERT_EQ(test, RPCRDMA_TEST_GUARD, buf[i]);
	}
}

static void rpcrdma_v2_expect_equal(struct kunit *test,
				    const struct rpcrdma_msg *want,
				    const struct rpcrdma_msg *msg)
{
	KUNIT_EXPECT_TRUE(test, want->xid == msg->xid);
	KUNIT_EXPECT_EQ(test, want->vers, msg->vers);
	KUNIT_EXPECT_EQ(test, want->credits, msg->credits);
	KUNIT_EXPECT_EQ(test, want->type, msg->type);
	KUNIT_EXPECT_EQ(test, want->dir, msg->dir);
	KUNIT_EXPECT_EQ(test, want->inv_handle, msg->inv_handle);
	KUNIT_EXPECT_EQ(test, want->props.recv_size, msg->props.recv_size);
	KUNIT_EXPECT_EQ(test, want->props.reverse, msg->props.reverse);
	KUNIT_EXPECT_EQ(test, want->err, msg->err);
	KUNIT_EXPECT_EQ(test, want->vers_low, msg->vers_low);
	KUNIT_EXPECT_EQ(test, want->vers_high, msg->vers_high);
	KUNIT_EXPECT_EQ(test, want->err_max, msg->err_max);
	KUNIT_EXPECT_EQ(test, want->err_index, msg->err_index);
	KUNIT_EXPECT_EQ(test, want->err_length, msg->err_length);
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_equal(want, msg));
}

/* rpcrdma-version-two-09 3.2, 4, 5.3 (OQ-28): and back */
static void rpcrdma_v2_decode_test(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	struct rpcrdma_msg *want = rpcrdma_test_msg(test);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);

	header->build(want);
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_v2_decode_words(test, msg, header->words,
						header->nwords));
	rpcrdma_v2_expect_equal(test, want, msg);
	KUNIT_EXPECT_EQ(test, rpcrdma_v2_header_size(header),
			msg->header_size);
}

static enum rpcrdma_reason
rpcrdma_v2_cut_reason(const struct rpcrdma_test_vector *header, size_t len)
{
	u32 htype = header->words[RPCRDMA_V2_WORD_HTYPE];

	if (len < RPCRDMA_FIXED_SIZE)
		return RPCRDMA_R_SHORT;
	if (htype == RPCRDMA_WIRE_ERROR)
		return RPCRDMA_R_ERR_BODY;
	if (len < RPCRDMA_V2_PREFIX_SIZE)
		return RPCRDMA_R_SHORT;
	if (htype == RPCRDMA_WIRE_CONNPROP)
		return RPCRDMA_R_PROPERTY;
	return RPCRDMA_R_LIST_CUT;
}

/*
 * rpcrdma-version-two-09 5.3.3, 4.1, 6.5 (V2-HDR-18, V2-CHK-11, V2-PROP-05,
 * V2-ERR-12, OQ-32): no prefix is a message
 */
static void rpcrdma_v2_decode_cut(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t len, size = rpcrdma_v2_header_size(header);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire;
	void *cut;

	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	for (len = 0; len < size; len++) {
		cut = rpcrdma_test_cut(test, wire, len);
		KUNIT_EXPECT_EQ_MSG(test, rpcrdma_v2_cut_reason(header, len),
				    rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2,
						       cut, len),
				    "%zu bytes", len);
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		if (len >= RPCRDMA_FIXED_SIZE)
			KUNIT_EXPECT_TRUE(test, wire[0] == msg->xid);
	}
}

/*
 * rpcrdma-version-two-09 5.3.1, 5.3.3, 6.5 (V2-MSG-04, V2-MSG-09, OQ-32): a
 * payload, or bytes that mean nothing, follow
 */
static void rpcrdma_v2_decode_trailing(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	size_t extra, size = rpcrdma_v2_header_size(header);
	struct rpcrdma_msg *want = rpcrdma_test_msg(test);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire;
	u8 *buf;

	header->build(want);
	/* Its length is what an ERR_VERS of seven words is known by */
	if (want->err == RPCRDMA_ERR_VERS)
		kunit_skip(test, "an ERR_VERS has nothing behind it");
	wire = rpcrdma_test_wire(test, header->words, header->nwords);
	for (extra = 1; extra <= 9; extra++) {
		buf = kunit_kmalloc(test, size + extra, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		memcpy(buf, wire, size);
		memset(buf + size, RPCRDMA_TEST_GUARD, extra);
		KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
				rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2,
						   buf, size + extra));
		KUNIT_EXPECT_EQ(test, size, msg->header_size);
		rpcrdma_v2_expect_equal(test, want, msg);
	}
}

/*
 * rpcrdma-version-two-09 5.3.3 (V2-CHK-11): each discriminator of the lists
 * wrong in turn
 */
static void rpcrdma_v2_decode_bool(struct kunit *test)
{
	static const u32 wrong[] = { 2, 3, 0x100, 0x01000000, 0xffffffff };
	const struct rpcrdma_test_vector *header = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[RPCRDMA_TEST_WORDS];
	const u8 *at;
	int i;

	if (!header->bools[0])
		kunit_skip(test, "a header without lists");
	for (at = header->bools; *at; at++) {
		for (i = 0; i < ARRAY_SIZE(wrong); i++) {
			memcpy(words, header->words, sizeof(words));
			words[*at] = wrong[i];
			KUNIT_EXPECT_EQ_MSG(test, RPCRDMA_R_BAD_BOOL,
					    rpcrdma_v2_decode_words(test, msg,
								    words,
								    header->nwords),
					    "word %u is %#x", *at, wrong[i]);
			KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		}
	}
}

/*
 * rpcrdma-version-two-09 3.2, 9.4 (V2-HDR-05, V2-HDR-06, V2-EXT-05, OQ-19): an
 * unknown flag is ignored, and none is sent
 */
static void rpcrdma_v2_decode_flags(struct kunit *test)
{
	const struct rpcrdma_test_vector *header = test->param_value;
	struct rpcrdma_msg *want = rpcrdma_test_msg(test);
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[RPCRDMA_TEST_WORDS];

	header->build(want);
	if (want->err == RPCRDMA_ERR_VERS)
		kunit_skip(test, "an ERR_VERS has no flags word");
	memcpy(words, header->words, sizeof(words));
	KUNIT_EXPECT_EQ(test, 0, words[RPCRDMA_V2_WORD_FLAGS] & ~1);
	words[RPCRDMA_V2_WORD_FLAGS] |= 0xfffffffe;
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_v2_decode_words(test, msg, words,
						header->nwords));
	rpcrdma_v2_expect_equal(test, want, msg);
}

/*
 * rpcrdma-version-two-09 3.2, 10.1 (V2-HDR-12, V2-HDR-14): the direction is
 * that of the flag, whatever follows
 */
static void rpcrdma_v2_direction(struct kunit *test)
{
	const __be32 reply[2] = { 0, cpu_to_be32(1) };
	const __be32 call[2] = { 0, 0 };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[9] = { 1, 2, 1, 0 };

	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_v2_decode_words(test, msg, words, 9));
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_CALL,
			rpcrdma_msg_direction(msg, reply, sizeof(reply)));
	/*
	 * rpcrdma-version-two-09 3.2 (V2-HDR-16, OQ-20): and then the payload
	 * is refused
	 */
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_XID,
			rpcrdma_call_check(msg, reply, sizeof(reply)));
	msg->xid = 0;
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_MSG_TYPE,
			rpcrdma_call_check(msg, reply, sizeof(reply)));
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
			rpcrdma_call_check(msg, call, sizeof(call)));

	words[RPCRDMA_V2_WORD_FLAGS] = 1;
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_v2_decode_words(test, msg, words, 9));
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_REPLY,
			rpcrdma_msg_direction(msg, call, sizeof(call)));
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_CALL,
			rpcrdma_payload_direction(call, sizeof(call)));
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_UNKNOWN,
			rpcrdma_payload_direction(call, sizeof(call) - 1));
}

struct rpcrdma_codec_v2_case {
	const char		*name;
	unsigned int		nwords;
	u32			words[RPCRDMA_TEST_WORDS];
	enum rpcrdma_reason	reason;
};

static const struct rpcrdma_codec_v2_case rpcrdma_codec_v2_cases[] = {
	{ "version 0 (V2-HDR-04)", 9, { 1, 0, 1, 0 }, RPCRDMA_R_VERS },
	{ "version 1 (V2-NEG-22)", 9, { 1, 1, 1, 0 }, RPCRDMA_R_VERS },
	{ "version 3, body not parsed (V2-EXT-11)", 9,
	  { 1, 3, 1, 0, 7, 7, 7, 7, 7 }, RPCRDMA_R_VERS },
	{ "version 33 (V2-HDR-04)", 9, { 1, 33, 1, 0 }, RPCRDMA_R_VERS },
	{ "version 64 (V2-HDR-04)", 9, { 1, 64, 1, 0 }, RPCRDMA_R_VERS },
	{ "version 66 (V2-HDR-04)", 9, { 1, 66, 1, 0 }, RPCRDMA_R_VERS },
	{ "version of all ones", 9, { 1, 0xffffffff, 1, 0 }, RPCRDMA_R_VERS },
	{ "version 3, six words", 6, { 1, 3, 1, 0 }, RPCRDMA_R_SHORT },

	{ "header type 2 (V2-MSG-10, OQ-31)", 9, { 1, 2, 1, 2 }, RPCRDMA_R_PROC },
	{ "header type 3 (V2-MSG-10, OQ-31)", 9, { 1, 2, 1, 3 }, RPCRDMA_R_PROC },
	{ "header type 6 (V2-MSG-02)", 9, { 1, 2, 1, 6 }, RPCRDMA_R_PROC },
	{ "header type 6, prefix only (V2-EXT-03)", 5, { 1, 2, 1, 6 },
	  RPCRDMA_R_PROC },
	{ "header type of all ones (V2-HDR-15)", 9, { 1, 2, 1, 0xffffffff },
	  RPCRDMA_R_PROC },
	{ "four words (V2-HDR-18)", 4, { 1, 2, 1, 0 }, RPCRDMA_R_SHORT },

	{ "empty set, 24 bytes (V2-CPR-12)", 6, RPCRDMA_V2_SET(0),
	  RPCRDMA_OK },
	{ "no count", 5, RPCRDMA_V2_SET(0), RPCRDMA_R_PROPERTY },
	{ "count above what follows (V2-PROP-05)", 9,
	  RPCRDMA_V2_SET(2, 1, 4, 8192), RPCRDMA_R_PROPERTY },
	{ "count of all ones (V2-SEC-04)", 9,
	  RPCRDMA_V2_SET(0xffffffff, 1, 4, 8192), RPCRDMA_R_PROPERTY },
	{ "RBSIZ too short (V2-PROP-07)", 9, RPCRDMA_V2_SET(1, 1, 3, 0),
	  RPCRDMA_R_PROPERTY },
	{ "RBSIZ too long (V2-PROP-08)", 10, RPCRDMA_V2_SET(1, 1, 5, 0, 0),
	  RPCRDMA_R_PROPERTY },
	{ "BRS too short (V2-PROP-07)", 9, RPCRDMA_V2_SET(1, 2, 1, 0),
	  RPCRDMA_R_PROPERTY },
	{ "BRS too long (V2-PROP-08)", 10, RPCRDMA_V2_SET(1, 2, 8, 0, 0),
	  RPCRDMA_R_PROPERTY },
	{ "BRS 2 (V2-BRS-01)", 9, RPCRDMA_V2_SET(1, 2, 4, 2), RPCRDMA_OK },
	{ "BRS 3 (V2-BRS-13)", 9, RPCRDMA_V2_SET(1, 2, 4, 3),
	  RPCRDMA_R_PROPERTY },
	{ "length past the end, known (V2-PROP-05)", 9,
	  RPCRDMA_V2_SET(1, 1, 8, 0), RPCRDMA_R_PROPERTY },
	{ "length past the end, unknown (V2-PROP-05)", 9,
	  RPCRDMA_V2_SET(1, 77, 5, 0), RPCRDMA_R_PROPERTY },
	{ "length of all ones (V2-SEC-04)", 9,
	  RPCRDMA_V2_SET(1, 77, 0xffffffff, 0), RPCRDMA_R_PROPERTY },
	{ "length that rounds up to 0 (V2-SEC-04)", 9,
	  RPCRDMA_V2_SET(1, 77, 0xfffffffd, 0), RPCRDMA_R_PROPERTY },
	{ "unknown property of no length", 8, RPCRDMA_V2_SET(1, 77, 0),
	  RPCRDMA_OK },

	{ "error without F (V2-ERR-12)", 6, { 1, 2, 1, 4, 0, 2 },
	  RPCRDMA_R_ERR_BODY },
	{ "error, four words (V2-ERR-12)", 4, { 1, 2, 1, 4 },
	  RPCRDMA_R_ERR_BODY },
	{ "error, five words (V2-ERR-12)", 5, { 1, 2, 1, 4, 1 },
	  RPCRDMA_R_ERR_BODY },
	{ "ERR_VERS without a range (V2-ERR-12)", 6, { 1, 2, 1, 4, 1, 1 },
	  RPCRDMA_R_ERR_BODY },
	{ "seven words, another code than ERR_VERS", 7, { 1, 2, 1, 4, 0x100, 1, 1 },
	  RPCRDMA_R_ERR_BODY },
	{ "READ_CHUNKS without a limit (V2-ERR-12)", 6, { 1, 2, 1, 4, 1, 4 },
	  RPCRDMA_R_ERR_BODY },
	{ "WRITE_RESOURCE without a length (V2-ERR-12)", 7,
	  { 1, 2, 1, 4, 1, 7, 1 }, RPCRDMA_R_ERR_BODY },
	{ "version 1 layout of ERR_CHUNK", 5, { 1, 1, 1, 4, 2 },
	  RPCRDMA_R_ERR_BODY },
	{ "seven words, not a range of version 1", 7, { 1, 2, 1, 4, 1, 1, 2 },
	  RPCRDMA_R_ERR_BODY },
	{ "error under version 1 (V2-NEG-18)", 7, { 1, 1, 1, 4, 1, 1, 1 },
	  RPCRDMA_OK },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_codec_v2, rpcrdma_codec_v2_cases, name);

static void rpcrdma_v2_decode_case(struct kunit *test)
{
	const struct rpcrdma_codec_v2_case *c = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);

	KUNIT_EXPECT_EQ(test, c->reason,
			rpcrdma_v2_decode_words(test, msg, c->words,
						c->nwords));
	KUNIT_EXPECT_EQ(test, c->words[0], be32_to_cpu(msg->xid));
	KUNIT_EXPECT_EQ(test, c->words[1], msg->vers);
	KUNIT_EXPECT_EQ(test, c->words[2], msg->credits);
	/*
	 * rpcrdma-version-two-09 (V2-ERR-09): who refuses it knows whether it
	 * may be answered
	 */
	if (c->words[RPCRDMA_V2_WORD_HTYPE] == RPCRDMA_WIRE_ERROR) {
		KUNIT_EXPECT_EQ(test, RPCRDMA_ERROR, msg->type);
		KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_REPLY, msg->dir);
	}
	if (c->reason == RPCRDMA_R_PROC || c->reason == RPCRDMA_R_PROPERTY)
		KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_CALL, msg->dir);
	if (c->reason == RPCRDMA_R_PROPERTY)
		KUNIT_EXPECT_EQ(test, RPCRDMA_V2_DEF_INLINE,
				msg->props.recv_size);
}

/*
 * rpcrdma-version-two-09 5.3.3, 6.4, 7.2 (V2-NEG-17, OQ-08): the draft's own
 * layout of ERR_VERS
 */
static void rpcrdma_v2_err_vers_long(struct kunit *test)
{
	static const u32 words[] = { 1, 2, 1, 4, 1, 1, 1, 3 };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);

	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_v2_decode_words(test, msg, words, 8));
	KUNIT_EXPECT_EQ(test, RPCRDMA_ERR_VERS, msg->err);
	KUNIT_EXPECT_EQ(test, 1, msg->vers_low);
	KUNIT_EXPECT_EQ(test, 3, msg->vers_high);
}

/*
 * rpcrdma-version-two-09 6.4, 9.3 (V2-ERR-06, V2-ERR-11, V2-EXT-07, OQ-18,
 * OQ-34): a code of a later extension is void
 */
static void rpcrdma_v2_err_unknown(struct kunit *test)
{
	static const u32 codes[] = { 0, 10, 11, 0x80000000, 0xffffffff };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[8] = { 1, 2, 1, 4, 1, 0, 7, 7 };
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		words[5] = codes[i];
		for (n = 6; n <= 8; n++) {
			KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
					rpcrdma_v2_decode_words(test, msg,
								words, n));
			KUNIT_EXPECT_EQ(test, RPCRDMA_ERR_UNKNOWN, msg->err);
			KUNIT_EXPECT_EQ(test, RPCRDMA_V2_ERR_MIN,
					msg->header_size);
		}
	}
}

/*
 * rpcrdma-version-two-09 3.2, 3.3, 8.4 (V2-CHK-08, V2-HDR-11, OQ-21): what a
 * Reply and an error never say
 */
static void rpcrdma_v2_encode_reply(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[9] = { 1, 2, 1, 0, 1, 7 };
	__be32 buf[9];

	msg->inv_handle = 7;
	msg->dir = RPCRDMA_DIR_REPLY;
	KUNIT_ASSERT_EQ(test, 36,
			rpcrdma_codec_v2.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, 0, be32_to_cpu(buf[5]));

	/* Nor is it read from one */
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_v2_decode_words(test, msg, words, 9));
	KUNIT_EXPECT_EQ(test, 0, msg->inv_handle);

	msg->type = RPCRDMA_ERROR;
	msg->err = RPCRDMA_ERR_SYSTEM;
	msg->dir = RPCRDMA_DIR_UNKNOWN;
	KUNIT_ASSERT_EQ(test, 24,
			rpcrdma_codec_v2.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, 1, be32_to_cpu(buf[4]));

	/* An error that version 2 does not have, and none */
	msg->err = RPCRDMA_ERR_CHUNK;
	KUNIT_ASSERT_EQ(test, 24,
			rpcrdma_codec_v2.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, RPCRDMA_WIRE_ERR2_SYSTEM, be32_to_cpu(buf[5]));
	msg->err = RPCRDMA_ERR_NONE;
	KUNIT_ASSERT_EQ(test, 24,
			rpcrdma_codec_v2.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, 1, be32_to_cpu(buf[4]));
	KUNIT_EXPECT_EQ(test, RPCRDMA_WIRE_ERR2_SYSTEM, be32_to_cpu(buf[5]));
}

/*
 * rpcrdma-version-two-09 5.3.3, 6.4 (V2-NEG-16, OQ-08): only an RDMA_ERROR carries
 * another version than 2, and only ERR_VERS has no flags
 */
static void rpcrdma_v2_encode_version(struct kunit *test)
{
	static const u32 words[] = { 0, 9, 0, 4, 1, 1, 2 };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire, buf[9];

	msg->vers = 9;
	msg->type = RPCRDMA_ERROR;
	msg->err = RPCRDMA_ERR_VERS;
	msg->vers_low = 1;
	msg->vers_high = 2;
	wire = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));
	KUNIT_ASSERT_EQ(test, 28,
			rpcrdma_codec_v2.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_MEMEQ(test, wire, buf, 28);

	msg->type = RPCRDMA_MSG;
	msg->dir = RPCRDMA_DIR_REPLY;
	KUNIT_ASSERT_EQ(test, 36,
			rpcrdma_codec_v2.encode(msg, buf, sizeof(buf)));
	KUNIT_EXPECT_EQ(test, 2, be32_to_cpu(buf[RPCRDMA_WORD_VERS]));
	KUNIT_EXPECT_EQ(test, 1, be32_to_cpu(buf[RPCRDMA_V2_WORD_FLAGS]));
}

/*
 * rpcrdma-version-two-09 1, 5.3, 10.1 (V2-NEG-21, OQ-27): a server that has not
 * settled takes either version
 */
static void rpcrdma_v2_decode_either(struct kunit *test)
{
	static const u32 one[9] = { 1, 1, 5, 0 }, two[9] = { 1, 2, 5, 0 };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire;

	wire = rpcrdma_test_wire(test, one, 9);
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
			rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_BOTH, wire,
					   36));
	KUNIT_EXPECT_EQ(test, RPCRDMA_V1_HDR_MIN, msg->header_size);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_UNKNOWN, msg->dir);
	wire = rpcrdma_test_wire(test, two, 9);
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
			rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_BOTH, wire,
					   36));
	KUNIT_EXPECT_EQ(test, RPCRDMA_V2_HDR_MIN, msg->header_size);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_CALL, msg->dir);
	/*
	 * rpcrdma-version-two-09 7.3 (V2-NEG-23, V2-NEG-30): switched off it is
	 * as if it did not exist
	 */
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_VERS,
			rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire, 36));
}

/*
 * rpcrdma-version-two-09 8.3 (V2-BRS-15, V2-INL-10): what a payload without
 * chunks has in front of it
 */
static void rpcrdma_v2_least(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, (size_t)RPCRDMA_V1_HDR_MIN,
			rpcrdma_codec_least(&rpcrdma_codec_v1));
	KUNIT_EXPECT_EQ(test, 36, rpcrdma_codec_least(&rpcrdma_codec_v2));
}

static struct kunit_case rpcrdma_codec_v2_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_v2_encode_test, rpcrdma_header_v2_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_v2_encode_no_room,
			 rpcrdma_header_v2_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_v2_decode_test, rpcrdma_header_v2_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_v2_decode_cut, rpcrdma_header_v2_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_v2_decode_trailing,
			 rpcrdma_header_v2_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_v2_decode_bool, rpcrdma_header_v2_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_v2_decode_flags,
			 rpcrdma_header_v2_gen_params),
	KUNIT_CASE(rpcrdma_v2_direction),
	KUNIT_CASE_PARAM(rpcrdma_v2_decode_case, rpcrdma_codec_v2_gen_params),
	KUNIT_CASE(rpcrdma_v2_err_vers_long),
	KUNIT_CASE(rpcrdma_v2_err_unknown),
	KUNIT_CASE(rpcrdma_v2_encode_reply),
	KUNIT_CASE(rpcrdma_v2_encode_version),
	KUNIT_CASE(rpcrdma_v2_decode_either),
	KUNIT_CASE(rpcrdma_v2_least),
	{}
};

static struct kunit_suite rpcrdma_codec_v2_test_suite = {
	.name		= "rpcrdma_codec_v2",
	.test_cases	= rpcrdma_codec_v2_test_cases,
};

kunit_test_suite(rpcrdma_codec_v2_test_suite);
