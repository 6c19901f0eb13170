// SPDX-License-Identifier: GPL-2.0-only
/*
 * Version 1 on the wire, byte by byte and word by word, as RFC 8166 section 4 and its
 * XDR have it.
 */
#include "support.h"

#define RPCRDMA_WIRE_MAX	512

static size_t rpcrdma_wire_encode(struct kunit *test, struct rpcrdma_msg *msg,
				  void *buf)
{
	int ret = rpcrdma_codec_v1.encode(msg, buf, RPCRDMA_WIRE_MAX);

	KUNIT_ASSERT_GT(test, ret, 0);
	return ret;
}

/*
 * RFC 8166 4, 4.2, 4.2.3 and older drafts (V1-HDR-02, V1-HDR-03, V1-HDR-07,
 * DR-02): big-endian words, in this order
 */
static void rpcrdma_wire_fixed(struct kunit *test)
{
	static const u8 want[] = {
		0x11, 0x22, 0x33, 0x44, 0, 0, 0, 1,
		0x55, 0x66, 0x77, 0x88, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u8 buf[RPCRDMA_WIRE_MAX];

	msg->xid = cpu_to_be32(0x11223344);
	msg->credits = 0x55667788;
	KUNIT_ASSERT_EQ(test, sizeof(want), rpcrdma_wire_encode(test, msg, buf));
	KUNIT_EXPECT_MEMEQ(test, want, buf, sizeof(want));
}

/*
 * RFC 8166 4, 3.4.3, 4.1.2 (V1-HDR-02, V1-CHK-01, V1-MEM-01): handle, length,
 * 64-bit offset
 */
static void rpcrdma_wire_segment(struct kunit *test)
{
	static const u8 want[] = {
		0, 0, 0, 1, 0, 0, 0, 1,
		0xa1, 0xa2, 0xa3, 0xa4, 0xb1, 0xb2, 0xb3, 0xb4,
		0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8,
	};
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u8 buf[RPCRDMA_WIRE_MAX];

	msg->has_reply = true;
	rpcrdma_msg_add_segment(msg, &msg->reply, 0, 0xa1a2a3a4, 0xb1b2b3b4,
				0xc1c2c3c4c5c6c7c8);
	KUNIT_ASSERT_EQ(test, 24 + sizeof(want),
			rpcrdma_wire_encode(test, msg, buf));
	KUNIT_EXPECT_MEMEQ(test, want, buf + 24, sizeof(want));
}

/*
 * RFC 8166 3.4.5, 4.1.2 (V1-RD-01): a read segment is a Position and a segment;
 * RFC 8166 4.7 (V1-CHK-15)
 */
static void rpcrdma_wire_read_segment(struct kunit *test)
{
	static const u8 want[] = {
		0, 0, 0, 1, 0xd1, 0xd2, 0xd3, 0xd4,
		0xa1, 0xa2, 0xa3, 0xa4, 0xb1, 0xb2, 0xb3, 0xb4,
		0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u8 buf[RPCRDMA_WIRE_MAX];

	rpcrdma_msg_add_segment(msg, &msg->reads, 0xd1d2d3d4, 0xa1a2a3a4,
				0xb1b2b3b4, 0xc1c2c3c4c5c6c7c8);
	KUNIT_ASSERT_EQ(test, 16 + sizeof(want),
			rpcrdma_wire_encode(test, msg, buf));
	KUNIT_EXPECT_MEMEQ(test, want, buf + 16, sizeof(want));
}

struct rpcrdma_proc_case {
	const char		*name;
	enum rpcrdma_msg_type	type;
	u32			proc;
};

static const struct rpcrdma_proc_case rpcrdma_proc_cases[] = {
	{ "RDMA_MSG is 0 (V1-HDR-08)", RPCRDMA_MSG, 0 },
	{ "RDMA_NOMSG is 1 (V1-HDR-08)", RPCRDMA_NOMSG, 1 },
	{ "RDMA_ERROR is 4 (V1-HDR-08, V1-ERR-07)", RPCRDMA_ERROR, 4 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_proc, rpcrdma_proc_cases, name);

/*
 * RFC 8166 4.6.1, 4.6.2 (V1-DEP-01, V1-DEP-04): nothing makes the encoder write
 * 2 or 3
 */
static void rpcrdma_wire_proc(struct kunit *test)
{
	const struct rpcrdma_proc_case *c = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 buf[RPCRDMA_WIRE_MAX / 4];

	msg->type = c->type;
	rpcrdma_wire_encode(test, msg, buf);
	KUNIT_EXPECT_EQ(test, c->proc, be32_to_cpu(buf[3]));
}

/*
 * RFC 8166 4.2.4, 4.6 (V1-HDR-08, V1-DEP-07): each value of the procedure word,
 * and what it means
 */
static void rpcrdma_wire_proc_decode(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 wire[7] = { 0, cpu_to_be32(1) };
	u32 proc;

	for (proc = 0; proc < 300; proc++) {
		enum rpcrdma_reason want = RPCRDMA_R_PROC;

		wire[3] = cpu_to_be32(proc);
		if (proc == 0 || proc == 1)
			want = RPCRDMA_OK;
		if (proc == 3)
			want = RPCRDMA_R_DONE;
		if (proc == 4)
			want = RPCRDMA_R_ERR_BODY;
		KUNIT_EXPECT_EQ(test, want,
				rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire, sizeof(wire)));
		if (proc < 2)
			KUNIT_EXPECT_EQ(test, proc, (u32)msg->type);
	}
}

/* The words of a header with any of the three lists, one after the other */
static unsigned int rpcrdma_wire_lists_by_hand(u32 *w, unsigned int lists)
{
	unsigned int n = 4;

	if (lists & 1) {
		w[n++] = 1;
		w[n++] = 8;
		w[n++] = 1;
		w[n++] = 77;
		w[n++] = 1;
		w[n++] = 0;
	}
	w[n++] = 0;
	if (lists & 2) {
		w[n++] = 1;
		w[n++] = 1;
		w[n++] = lists & 1 ? 2 : 1;
		w[n++] = 88;
		w[n++] = 0;
		w[n++] = lists & 1 ? 0x1000 : 0;
	}
	w[n++] = 0;
	if (!(lists & 4)) {
		w[n++] = 0;
		return n;
	}
	w[n++] = 1;
	w[n++] = 1;
	w[n++] = 1 + hweight32(lists & 3);
	w[n++] = 99;
	w[n++] = 0;
	w[n++] = 0x1000 * hweight32(lists & 3);
	return n;
}

static void rpcrdma_wire_lists_make(struct kunit *test, struct rpcrdma_msg *msg,
				    unsigned int lists)
{
	if (lists & 1)
		rpcrdma_test_add_read(test, msg, 8, 77);
	if (lists & 2)
		rpcrdma_test_add_write(test, msg, 1, 88);
	if (lists & 4)
		rpcrdma_test_add_reply(test, msg, 1, 99);
}

/*
 * RFC 8166 4.3, 4.2.4, 3.4.6 (V1-CHK-13, V1-HDR-09, V1-HDR-10, V1-HDR-11,
 * V1-WR-01): each list there or not, in this order, and the header ends with
 * them.
 */
static void rpcrdma_wire_lists(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 words[RPCRDMA_TEST_WORDS] = { 0x1a2b3c4d, 1, 32 };
	__be32 buf[RPCRDMA_WIRE_MAX / 4], *wire;
	unsigned int i, n;

	for (i = 0; i < 16; i++) {
		rpcrdma_msg_init(msg, msg->segs, msg->max_segs);
		msg->xid = cpu_to_be32(0x1a2b3c4d);
		msg->credits = 32;
		msg->type = i & 8 ? RPCRDMA_NOMSG : RPCRDMA_MSG;
		rpcrdma_wire_lists_make(test, msg, i & 7);

		words[3] = i & 8 ? 1 : 0;
		n = rpcrdma_wire_lists_by_hand(words, i & 7);
		wire = rpcrdma_test_wire(test, words, n);
		KUNIT_ASSERT_EQ(test, 4 * n, rpcrdma_wire_encode(test, msg, buf));
		KUNIT_EXPECT_MEMEQ(test, wire, buf, 4 * n);
		KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
				rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire, 4 * n));
		KUNIT_EXPECT_EQ(test, 4 * n, msg->header_size);
	}
}

/*
 * RFC 8166 4.3.3 (V1-RPL-12): behind the Reply chunk the payload begins,
 * whatever it looks like
 */
static void rpcrdma_wire_one_reply_chunk(struct kunit *test)
{
	static const u32 words[] = {
		1, 1, 1, 0, 0, 0,
		1, 1, 7, 100, 0, 0,
		1, 1, 8, 100, 0, 0,
	};
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 *wire = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));

	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire, sizeof(words)));
	KUNIT_EXPECT_EQ(test, 1, msg->reply.nsegs);
	KUNIT_EXPECT_EQ(test, 48, msg->header_size);
}

/*
 * RFC 8166 7 (V1-VER-04): of a message in another version nothing is read but
 * fixed words
 */
static void rpcrdma_wire_version_first(struct kunit *test)
{
	static const u32 versions[] = { 0, 3, 4, 0x100, 0x80000001, U32_MAX };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int i, round;
	struct rnd_state rnd;
	u32 words[16];
	__be32 *wire;

	prandom_seed_state(&rnd, 0x45);
	for (round = 0; round < 200; round++) {
		for (i = 0; i < ARRAY_SIZE(words); i++)
			words[i] = prandom_u32_state(&rnd) % 6;
		words[0] = round;
		words[1] = versions[round % ARRAY_SIZE(versions)];
		words[3] = round % 4;
		wire = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));
		KUNIT_EXPECT_EQ(test, RPCRDMA_R_VERS,
				rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire, sizeof(words)));
		KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(msg));
		KUNIT_EXPECT_EQ(test, words[1], msg->vers);
		KUNIT_EXPECT_EQ(test, round, be32_to_cpu(msg->xid));
	}
}

/*
 * RFC 8166 4.1.2, 7 (V1-VER-05): ERR_VERS reads alike whatever version it
 * carries
 */
static void rpcrdma_wire_err_vers(struct kunit *test)
{
	static const u32 versions[] = { 0, 1, 2, 3, 0x80000001, U32_MAX };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		u32 words[] = { 9, versions[i], 16, 4, 1, 5, 6 + i };
		__be32 *wire = rpcrdma_test_wire(test, words,
						 ARRAY_SIZE(words));

		KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
				rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_1, wire, sizeof(words)));
		KUNIT_EXPECT_EQ(test, RPCRDMA_ERROR, msg->type);
		KUNIT_EXPECT_EQ(test, RPCRDMA_ERR_VERS, msg->err);
		KUNIT_EXPECT_EQ(test, versions[i], msg->vers);
		KUNIT_EXPECT_EQ(test, 16, msg->credits);
		KUNIT_EXPECT_EQ(test, 5, msg->vers_low);
		KUNIT_EXPECT_EQ(test, 6 + i, msg->vers_high);
	}
}

/*
 * RFC 8166 4.2.4, 4.5 (V1-HDR-13, V1-ERR-05, V1-ERR-06): XID and version of the
 * request, no payload
 */
static void rpcrdma_wire_error_answers(struct kunit *test)
{
	static const u32 vers[] = { 0xdeadbeef, 7, 3, 4, 1, 1, 1 };
	static const u32 chunk[] = { 0xdeadbeef, 1, 3, 4, 2 };
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 buf[RPCRDMA_WIRE_MAX / 4];

	/* lists of the request, still in the struct, do not go along */
	rpcrdma_wire_lists_make(test, msg, 7);
	msg->xid = cpu_to_be32(0xdeadbeef);
	msg->credits = 3;
	msg->type = RPCRDMA_ERROR;
	msg->vers = 7;
	msg->err = RPCRDMA_ERR_VERS;
	msg->vers_low = 1;
	msg->vers_high = 1;
	KUNIT_ASSERT_EQ(test, sizeof(vers), rpcrdma_wire_encode(test, msg, buf));
	KUNIT_EXPECT_MEMEQ(test, buf,
			   rpcrdma_test_wire(test, vers, ARRAY_SIZE(vers)),
			   sizeof(vers));

	msg->vers = 1;
	msg->err = RPCRDMA_ERR_CHUNK;
	KUNIT_ASSERT_EQ(test, sizeof(chunk),
			rpcrdma_wire_encode(test, msg, buf));
	KUNIT_EXPECT_MEMEQ(test, buf,
			   rpcrdma_test_wire(test, chunk, ARRAY_SIZE(chunk)),
			   sizeof(chunk));
}

static struct kunit_case rpcrdma_wire_test_cases[] = {
	KUNIT_CASE(rpcrdma_wire_fixed),
	KUNIT_CASE(rpcrdma_wire_segment),
	KUNIT_CASE(rpcrdma_wire_read_segment),
	KUNIT_CASE_PARAM(rpcrdma_wire_proc, rpcrdma_proc_gen_params),
	KUNIT_CASE(rpcrdma_wire_proc_decode),
	KUNIT_CASE(rpcrdma_wire_lists),
	KUNIT_CASE(rpcrdma_wire_one_reply_chunk),
	KUNIT_CASE(rpcrdma_wire_version_first),
	KUNIT_CASE(rpcrdma_wire_err_vers),
	KUNIT_CASE(rpcrdma_wire_error_answers),
	{}
};

static struct kunit_suite rpcrdma_wire_test_suite = {
	.name		= "rpcrdma_wire",
	.test_cases	= rpcrdma_wire_test_cases,
};

kunit_test_suite(rpcrdma_wire_test_suite);
