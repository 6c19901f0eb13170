// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of a Reply is taken, and how returned chunks are filled.
 */
#include "ref_checks.h"
#include "support.h"

/*
 * Replies are made of one Call: Write chunks of two, none and one segment, a
 * Reply chunk of two segments, 1000 bytes each, segments numbered 0 to 4. Each
 * case returns them all unused and then changes something.
 */
enum rpcrdma_reply_segment {
	RPCRDMA_W0_FIRST,
	RPCRDMA_W0_SECOND,
	RPCRDMA_W2,
	RPCRDMA_R_FIRST,
	RPCRDMA_R_SECOND,
};

#define RPCRDMA_TEST_SEG	1000

static void rpcrdma_reply_nothing(struct rpcrdma_msg *reply)
{
}

static void rpcrdma_reply_partial(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W0_FIRST].length = 999;
	reply->segs[RPCRDMA_W2].length = 1;
}

static void rpcrdma_reply_full(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W0_FIRST].length = RPCRDMA_TEST_SEG;
	reply->segs[RPCRDMA_W0_SECOND].length = RPCRDMA_TEST_SEG;
	reply->segs[RPCRDMA_W2].length = RPCRDMA_TEST_SEG;
}

static void rpcrdma_reply_long(struct rpcrdma_msg *reply)
{
	reply->type = RPCRDMA_NOMSG;
	reply->segs[RPCRDMA_R_FIRST].length = RPCRDMA_TEST_SEG;
	reply->segs[RPCRDMA_R_SECOND].length = RPCRDMA_TEST_SEG;
}

static void rpcrdma_reply_long_reduced(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	reply->type = RPCRDMA_NOMSG;
	reply->segs[RPCRDMA_R_FIRST].length = 8;
}

static void rpcrdma_reply_no_reply_chunk(struct rpcrdma_msg *reply)
{
	reply->has_reply = false;
	reply->reply.nsegs = 0;
}

static void rpcrdma_reply_with_read(struct rpcrdma_msg *reply)
{
	reply->reads.first = RPCRDMA_W0_FIRST;
	reply->reads.nsegs = 1;
}

static void rpcrdma_reply_no_writes(struct rpcrdma_msg *reply)
{
	reply->nwrites = 0;
}

static void rpcrdma_reply_write_missing(struct rpcrdma_msg *reply)
{
	reply->nwrites--;
}

static void rpcrdma_reply_write_added(struct rpcrdma_msg *reply)
{
	reply->nwrites++;
}

static void rpcrdma_reply_empty_gone(struct rpcrdma_msg *reply)
{
	reply->writes[1] = reply->writes[2];
	reply->nwrites--;
}

static void rpcrdma_reply_empty_gone_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_empty_gone(reply);
	reply->segs[RPCRDMA_W2].length = 1;
}

static void rpcrdma_reply_write_added_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	reply->writes[3] = reply->writes[2];
	reply->nwrites++;
}

static void rpcrdma_reply_write_emptied(struct rpcrdma_msg *reply)
{
	reply->writes[0].nsegs = 0;
}

static void rpcrdma_reply_segment_missing(struct rpcrdma_msg *reply)
{
	reply->writes[0].nsegs--;
}

static void rpcrdma_reply_segment_missing_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_segment_missing(reply);
	reply->segs[RPCRDMA_W0_FIRST].length = RPCRDMA_TEST_SEG;
}

static void rpcrdma_reply_segment_added(struct rpcrdma_msg *reply)
{
	reply->writes[2].nsegs++;
}

static void rpcrdma_reply_segment_added_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	rpcrdma_reply_segment_added(reply);
	reply->segs[RPCRDMA_R_FIRST].length = 1;
}

static void rpcrdma_reply_swapped(struct rpcrdma_msg *reply)
{
	swap(reply->segs[RPCRDMA_W0_FIRST], reply->segs[RPCRDMA_W0_SECOND]);
}

static void rpcrdma_reply_swapped_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	rpcrdma_reply_swapped(reply);
}

static void rpcrdma_reply_second_only(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W0_SECOND].length = 1;
}

static void rpcrdma_reply_handle(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W2].handle ^= 1;
}

static void rpcrdma_reply_offset(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W2].offset ^= 1ULL << 63;
}

static void rpcrdma_reply_offset_below_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	reply->segs[RPCRDMA_W2].offset--;
}

static void rpcrdma_reply_handle_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	rpcrdma_reply_handle(reply);
}

static void rpcrdma_reply_offset_used(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	rpcrdma_reply_offset(reply);
}

static void rpcrdma_reply_overrun(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W2].length = RPCRDMA_TEST_SEG + 1;
}

static void rpcrdma_reply_overrun_all_ones(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W0_SECOND].length = U32_MAX;
	reply->segs[RPCRDMA_W0_FIRST].length = RPCRDMA_TEST_SEG;
}

static void rpcrdma_reply_hole(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_W0_FIRST].length = RPCRDMA_TEST_SEG - 1;
	reply->segs[RPCRDMA_W0_SECOND].length = 1;
}

static void rpcrdma_reply_both(struct rpcrdma_msg *reply)
{
	reply->segs[RPCRDMA_R_FIRST].length = 8;
}

static void rpcrdma_reply_nowhere(struct rpcrdma_msg *reply)
{
	reply->type = RPCRDMA_NOMSG;
}

static void rpcrdma_reply_nowhere_at_all(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_no_reply_chunk(reply);
	reply->type = RPCRDMA_NOMSG;
}

static void rpcrdma_reply_nowhere_but_written(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_full(reply);
	reply->type = RPCRDMA_NOMSG;
}

static void rpcrdma_reply_long_short(struct rpcrdma_msg *reply)
{
	reply->type = RPCRDMA_NOMSG;
	reply->segs[RPCRDMA_R_FIRST].length = 7;
}

static void rpcrdma_reply_long_overrun(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_long(reply);
	reply->segs[RPCRDMA_R_SECOND].length++;
}

static void rpcrdma_reply_long_hole(struct rpcrdma_msg *reply)
{
	rpcrdma_reply_long(reply);
	reply->segs[RPCRDMA_R_FIRST].length--;
}

static void rpcrdma_reply_segment_gone(struct rpcrdma_msg *reply)
{
	reply->reply.nsegs--;
}

static void rpcrdma_reply_segment_more(struct rpcrdma_msg *reply)
{
	reply->reply.nsegs++;
}

/**
 * struct rpcrdma_reply_case - a Reply and what becomes of it
 * @name:    what it shows
 * @change:  makes the Reply
 * @reason:  result of the check
 * @inexact: it is accepted although its lists are not as they must be
 */
struct rpcrdma_reply_case {
	const char		*name;
	void			(*change)(struct rpcrdma_msg *reply);
	enum rpcrdma_reason	reason;
	bool			inexact;
};

static const struct rpcrdma_reply_case rpcrdma_reply_cases[] = {
	{ "inline, all unused (V1-WR-16, T-31)", rpcrdma_reply_nothing,
	  RPCRDMA_OK },
	{ "chunks partly filled (V1-WR-06)", rpcrdma_reply_partial,
	  RPCRDMA_OK },
	{ "chunks filled", rpcrdma_reply_full, RPCRDMA_OK },
	{ "long Reply (V1-RPL-09, V1-HDR-12)", rpcrdma_reply_long, RPCRDMA_OK },
	{ "long Reply with Write chunks (V1-RPL-11)",
	  rpcrdma_reply_long_reduced, RPCRDMA_OK },
	{ "inline, Reply chunk left out (V1-RPL-07)",
	  rpcrdma_reply_no_reply_chunk, RPCRDMA_OK, true },
	{ "Read list (V1-RD-08, DR-22)", rpcrdma_reply_with_read,
	  RPCRDMA_R_REPLY_READ_LIST },
	{ "no Write list (V1-WR-07, UQ-02)", rpcrdma_reply_no_writes,
	  RPCRDMA_OK, true },
	{ "one unused Write chunk less (V1-WR-07)",
	  rpcrdma_reply_write_missing, RPCRDMA_OK, true },
	{ "one empty Write chunk more (V1-WR-07)", rpcrdma_reply_write_added,
	  RPCRDMA_OK, true },
	{ "one filled Write chunk more (V1-WR-07)",
	  rpcrdma_reply_write_added_used, RPCRDMA_R_REPLY_CHUNKS },
	{ "empty Write chunk left out (V1-WR-21)", rpcrdma_reply_empty_gone,
	  RPCRDMA_OK, true },
	{ "empty Write chunk left out, the next one filled (V1-WR-21)",
	  rpcrdma_reply_empty_gone_used, RPCRDMA_R_REPLY_CHUNKS },
	{ "unused Write chunk comes back empty (UQ-02)",
	  rpcrdma_reply_write_emptied, RPCRDMA_OK },
	{ "unused Write segment left out (V1-WR-05, DR-08)",
	  rpcrdma_reply_segment_missing, RPCRDMA_OK, true },
	{ "the same behind a filled one (V1-WR-05)",
	  rpcrdma_reply_segment_missing_used, RPCRDMA_OK, true },
	{ "one empty Write segment more (V1-WR-05)",
	  rpcrdma_reply_segment_added, RPCRDMA_OK, true },
	{ "one filled Write segment more (V1-WR-05)",
	  rpcrdma_reply_segment_added_used, RPCRDMA_R_REPLY_CHUNKS },
	{ "unused segments in another order (V1-WR-05)",
	  rpcrdma_reply_swapped, RPCRDMA_OK },
	{ "filled segments in another order (V1-WR-05)",
	  rpcrdma_reply_swapped_used, RPCRDMA_R_REPLY_CHUNKS },
	{ "the second segment before the first one (V1-WR-04)",
	  rpcrdma_reply_second_only, RPCRDMA_R_REPLY_CHUNKS },
	{ "another handle, unused (V1-WR-05)", rpcrdma_reply_handle,
	  RPCRDMA_OK },
	{ "another handle (V1-WR-05)", rpcrdma_reply_handle_used,
	  RPCRDMA_R_REPLY_CHUNKS },
	{ "another offset, unused (V1-WR-05)", rpcrdma_reply_offset,
	  RPCRDMA_OK },
	{ "another offset (V1-WR-05)", rpcrdma_reply_offset_used,
	  RPCRDMA_R_REPLY_CHUNKS },
	{ "an offset before the one offered (V1-WR-05)",
	  rpcrdma_reply_offset_below_used, RPCRDMA_R_REPLY_CHUNKS },
	{ "one byte more than offered (T-15)", rpcrdma_reply_overrun,
	  RPCRDMA_R_REPLY_OVERRUN },
	{ "length of all ones (T-15, T-34)", rpcrdma_reply_overrun_all_ones,
	  RPCRDMA_R_REPLY_OVERRUN },
	{ "a hole (V1-WR-04)", rpcrdma_reply_hole, RPCRDMA_R_REPLY_CHUNKS },
	{ "inline and in the Reply chunk (T-31)", rpcrdma_reply_both,
	  RPCRDMA_R_REPLY_FORM },
	{ "RDMA_NOMSG, Reply chunk unused (T-06)", rpcrdma_reply_nowhere,
	  RPCRDMA_R_REPLY_FORM },
	{ "RDMA_NOMSG, Reply chunk left out (T-06)",
	  rpcrdma_reply_nowhere_at_all, RPCRDMA_R_REPLY_FORM },
	{ "RDMA_NOMSG, Write chunks only (T-06)",
	  rpcrdma_reply_nowhere_but_written, RPCRDMA_R_REPLY_FORM },
	{ "long Reply of seven bytes (T-36)", rpcrdma_reply_long_short,
	  RPCRDMA_R_PAYLOAD_SHORT },
	{ "long Reply past its chunk (T-15)", rpcrdma_reply_long_overrun,
	  RPCRDMA_R_REPLY_OVERRUN },
	{ "long Reply with a hole (V1-WR-04)", rpcrdma_reply_long_hole,
	  RPCRDMA_R_REPLY_CHUNKS },
	{ "one unused Reply segment less (V1-RPL-07)",
	  rpcrdma_reply_segment_gone, RPCRDMA_OK, true },
	{ "one empty Reply segment more (V1-RPL-07)",
	  rpcrdma_reply_segment_more, RPCRDMA_OK, true },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_reply, rpcrdma_reply_cases, name);

static struct rpcrdma_msg *rpcrdma_reply_call(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);

	rpcrdma_test_add_write(test, call, 2, RPCRDMA_TEST_SEG);
	rpcrdma_test_add_write(test, call, 0, 0);
	rpcrdma_test_add_write(test, call, 1, RPCRDMA_TEST_SEG);
	rpcrdma_test_add_reply(test, call, 2, RPCRDMA_TEST_SEG);
	return call;
}

static struct rpcrdma_msg *rpcrdma_reply_unused(struct kunit *test)
{
	struct rpcrdma_msg *reply = rpcrdma_reply_call(test);
	unsigned int i;

	for (i = 0; i < reply->nsegs; i++)
		reply->segs[i].length = 0;
	return reply;
}

static void rpcrdma_chunk_reply(struct kunit *test)
{
	const struct rpcrdma_reply_case *c = test->param_value;
	struct rpcrdma_msg *reply = rpcrdma_reply_unused(test);
	struct rpcrdma_msg *call = rpcrdma_reply_call(test);

	c->change(reply);
	KUNIT_EXPECT_EQ(test, c->reason, rpcrdma_reply_check(reply, call));
	if (!c->reason)
		KUNIT_EXPECT_EQ(test, c->inexact,
				!rpcrdma_reply_exact(reply, call));
}

/* A Call without chunks: nothing can have been written */
static void rpcrdma_chunk_reply_unasked(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);
	struct rpcrdma_msg *reply = rpcrdma_test_msg(test);

	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(reply, call));
	KUNIT_EXPECT_TRUE(test, rpcrdma_reply_exact(reply, call));
	reply->type = RPCRDMA_NOMSG;
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_REPLY_FORM,
			rpcrdma_reply_check(reply, call));
	rpcrdma_test_add_reply(test, reply, 1, 100);
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_REPLY_CHUNKS,
			rpcrdma_reply_check(reply, call));
	reply->type = RPCRDMA_MSG;
	reply->segs[0].length = 0;
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(reply, call));
	KUNIT_EXPECT_FALSE(test, rpcrdma_reply_exact(reply, call));

	reply = rpcrdma_test_msg(test);
	rpcrdma_test_add_write(test, reply, 1, 0);
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(reply, call));
	KUNIT_EXPECT_FALSE(test, rpcrdma_reply_exact(reply, call));
	reply->segs[0].length = 1;
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_REPLY_CHUNKS,
			rpcrdma_reply_check(reply, call));
}

/* An empty Reply chunk is not the same as none (RFC 8166 4.3.3, V1-RPL-07) */
static void rpcrdma_chunk_reply_empty_chunk(struct kunit *test)
{
	struct rpcrdma_msg *without = rpcrdma_test_msg(test);
	struct rpcrdma_msg *with = rpcrdma_test_msg(test);

	rpcrdma_test_add_reply(test, with, 0, 0);
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(with, without));
	KUNIT_EXPECT_FALSE(test, rpcrdma_reply_exact(with, without));
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(without, with));
	KUNIT_EXPECT_FALSE(test, rpcrdma_reply_exact(without, with));
	KUNIT_EXPECT_TRUE(test, rpcrdma_reply_exact(with, with));
}

/* What is in the arrays behind the last Write chunk of a message is not a part of it */
static void rpcrdma_chunk_reply_stale_writes(struct kunit *test)
{
	struct rpcrdma_msg *reply = rpcrdma_reply_unused(test);
	struct rpcrdma_msg *call = rpcrdma_reply_call(test);
	unsigned int n;

	reply->segs[RPCRDMA_W2].length = RPCRDMA_TEST_SEG;
	for (n = 0; n < 3; n++) {
		call->nwrites = n;
		KUNIT_EXPECT_EQ(test, RPCRDMA_R_REPLY_CHUNKS,
				rpcrdma_reply_check(reply, call));
	}
	reply->nwrites = n - 1;
	call->nwrites = n - 1;
	reply->writes[n - 1].nsegs++;
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(reply, call));
	KUNIT_EXPECT_TRUE(test, rpcrdma_reply_exact(reply, call));
}

/*
 * RFC 8166 4.3.2.2 (V1-WR-16, T-37): empty segments in an offer are neither
 * used nor lost
 */
static void rpcrdma_chunk_reply_empty_segments(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_reply_call(test);
	struct rpcrdma_msg *reply = rpcrdma_reply_unused(test);

	call->segs[RPCRDMA_W0_FIRST].length = 0;
	reply->segs[RPCRDMA_W0_SECOND].length = 5;
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(reply, call));
	KUNIT_EXPECT_TRUE(test, rpcrdma_reply_exact(reply, call));
}

/*
 * RFC 8166 3.4.6, 3.4.4, 3.5.3 (V1-WR-06, V1-CHK-05, V1-RPL-10): each length,
 * against a byte-by-byte filling
 */
static void rpcrdma_chunk_fill(struct kunit *test)
{
	static const u32 offered[] = { 3, 0, 5, 1, 0 };
	struct rpcrdma_msg *msg, *call;
	unsigned int i;
	u64 length, left;

	for (length = 0; length <= 9; length++) {
		msg = rpcrdma_test_msg(test);
		call = rpcrdma_test_msg(test);
		rpcrdma_test_add_write(test, msg, ARRAY_SIZE(offered), 0);
		rpcrdma_test_add_write(test, call, ARRAY_SIZE(offered), 0);
		for (i = 0; i < ARRAY_SIZE(offered); i++) {
			msg->segs[i].length = offered[i];
			call->segs[i].length = offered[i];
		}

		rpcrdma_chunk_returned(msg, &msg->writes[0], length);
		left = length;
		for (i = 0; i < ARRAY_SIZE(offered); i++) {
			KUNIT_EXPECT_EQ(test, min_t(u64, left, offered[i]),
					msg->segs[i].length);
			left -= msg->segs[i].length;
		}
		KUNIT_EXPECT_EQ(test, length,
				rpcrdma_chunk_length(msg, &msg->writes[0]));
		KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
				rpcrdma_reply_check(msg, call));
	}
}

/* RFC 8166 3.5.3 (V1-RPL-10, T-34): more than 32 bits come back */
static void rpcrdma_chunk_fill_large(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);

	rpcrdma_test_add_reply(test, msg, 3, U32_MAX);
	rpcrdma_chunk_returned(msg, &msg->reply, 2ULL * U32_MAX + 1);
	KUNIT_EXPECT_EQ(test, U32_MAX, msg->segs[0].length);
	KUNIT_EXPECT_EQ(test, U32_MAX, msg->segs[1].length);
	KUNIT_EXPECT_EQ(test, 1, msg->segs[2].length);
}

#define RPCRDMA_REPLY_SEED	0x15
#define RPCRDMA_REPLY_ROUNDS	20000

static u32 rpcrdma_reply_length(struct rnd_state *rnd)
{
	static const u32 lengths[] = { 0, 0, 1, 7, 8, 9, 1000, U32_MAX };

	return lengths[prandom_u32_state(rnd) % ARRAY_SIZE(lengths)];
}

static void rpcrdma_reply_random_call(struct kunit *test, struct rnd_state *rnd,
				      struct rpcrdma_msg *call)
{
	unsigned int n = prandom_u32_state(rnd) % 3;

	rpcrdma_msg_init(call, call->segs, call->max_segs);
	while (n--)
		rpcrdma_test_add_write(test, call, prandom_u32_state(rnd) % 4,
				       rpcrdma_reply_length(rnd));
	if (prandom_u32_state(rnd) % 4)
		rpcrdma_test_add_reply(test, call, prandom_u32_state(rnd) % 4,
				       rpcrdma_reply_length(rnd));
}

/* Mostly what a server would return, and then something changed */
static void rpcrdma_reply_random(struct rnd_state *rnd, struct rpcrdma_msg *reply)
{
	unsigned int i;

	for (i = 0; i < reply->nwrites; i++)
		rpcrdma_chunk_returned(reply, &reply->writes[i],
				       rpcrdma_reply_length(rnd));
	i = prandom_u32_state(rnd);
	reply->type = i % 2 ? RPCRDMA_MSG : RPCRDMA_NOMSG;
	rpcrdma_chunk_returned(reply, &reply->reply,
			       i % 2 ? 0 : rpcrdma_reply_length(rnd));

	switch (i / 2 % 12) {
	case 0:
		reply->type = i / 32 % 3;
		break;
	case 1:
		reply->has_reply = false;
		reply->reply.nsegs = 0;
		break;
	case 2:
		reply->nwrites = i / 32 % 4;
		break;
	case 3:
		reply->reads.nsegs = reply->nsegs;
		break;
	case 4:
		reply->writes[0].nsegs = i / 32 % 4;
		break;
	case 5:
		reply->segs[0].length = rpcrdma_reply_length(rnd);
		break;
	case 6:
		reply->segs[reply->nsegs / 2].handle ^= 1;
		break;
	case 7:
		reply->segs[reply->nsegs / 2].offset ^= 1;
		break;
	case 8:
		reply->segs[reply->nsegs / 2].length = rpcrdma_reply_length(rnd);
		break;
	}
}

/*
 * RFC 8166 8.2.2.4 (V1-SEC-12, T-15): whatever comes back, against the simple
 * way to judge it
 */
static void rpcrdma_chunk_reply_fuzz(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg_segs(test, 16);
	struct rpcrdma_msg *reply = rpcrdma_test_msg_segs(test, 16);
	struct rpcrdma_segment *segs = reply->segs;
	unsigned int round, taken = 0;
	struct rnd_state rnd;
	bool good;

	prandom_seed_state(&rnd, RPCRDMA_REPLY_SEED);
	for (round = 0; round < RPCRDMA_REPLY_ROUNDS; round++) {
		rpcrdma_reply_random_call(test, &rnd, call);
		*reply = *call;
		reply->segs = segs;
		memcpy(segs, call->segs, 16 * sizeof(*segs));
		rpcrdma_reply_random(&rnd, reply);

		good = rpcrdma_ref_check_reply(reply, call);
		taken += good;
		KUNIT_EXPECT_EQ(test, good, !rpcrdma_reply_check(reply, call));
		if (rpcrdma_test_faulty(test, round))
			return;
	}
	kunit_info(test, "%u of %u Replies were taken", taken, round);
	KUNIT_EXPECT_GT(test, taken, round / 20);
	KUNIT_EXPECT_LT(test, taken, round - round / 20);
}

static struct kunit_case rpcrdma_reply_check_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_chunk_reply, rpcrdma_reply_gen_params),
	KUNIT_CASE(rpcrdma_chunk_reply_unasked),
	KUNIT_CASE(rpcrdma_chunk_reply_empty_chunk),
	KUNIT_CASE(rpcrdma_chunk_reply_stale_writes),
	KUNIT_CASE(rpcrdma_chunk_reply_empty_segments),
	KUNIT_CASE(rpcrdma_chunk_fill),
	KUNIT_CASE(rpcrdma_chunk_fill_large),
	KUNIT_CASE(rpcrdma_chunk_reply_fuzz),
	{}
};

static struct kunit_suite rpcrdma_reply_check_test_suite = {
	.name		= "rpcrdma_reply_check",
	.test_cases	= rpcrdma_reply_check_test_cases,
};

kunit_test_suite(rpcrdma_reply_check_test_suite);
