// SPDX-License-Identifier: GPL-2.0-only
/*
 * The form of a Reply: boundaries of each choice, results paired with chunks,
 * and Replies that a client takes.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include "support.h"
#include "../svcrdma/protocol/reply_plan.h"

#define SVCRDMA_TEST_INLINE	4096

/**
 * struct svcrdma_reply_case - a Call, its results, and what is to become of them
 * @name:     what it shows
 * @nwrites:  Write chunks offered
 * @writes:   bytes of each, in one segment; 0 is an empty chunk
 * @reply:    bytes of the Reply chunk, 0 for none
 * @nresults: results reported
 * @results:  offset and length of each
 * @length:   bytes of the Reply
 * @form:     how it goes
 * @reduced:  bytes that are left of it
 * @items:    bytes in each Write chunk
 * @reason:   why it does not go
 */
struct svcrdma_reply_case {
	const char		*name;
	unsigned int		nwrites;
	u32			writes[3];
	u32			reply;
	unsigned int		nresults;
	struct svcrdma_range	results[3];
	u32			length;
	enum svcrdma_form	form;
	u32			reduced;
	u32			items[3];
	enum rpcrdma_reason	reason;
};

static const struct svcrdma_reply_case svcrdma_reply_cases[] = {
	{ "short (V1-INL-10)", 0, {}, 0, 0, {}, 100, SVCRDMA_FORM_INLINE, 100 },
	{ "fills the threshold (T-22)", 0, {}, 0, 0, {}, 4096 - 28,
	  SVCRDMA_FORM_INLINE, 4096 - 28 },
	{ "one byte above, nowhere to go (T-12)", 0, {}, 0, 0, {}, 4096 - 27,
	  SVCRDMA_FORM_REFUSE, .reason = RPCRDMA_R_REPLY_TOO_BIG },
	{ "fits, Reply chunk repeated (T-23, V1-RPL-06)", 0, {}, 8192, 0, {}, 4096 - 48,
	  SVCRDMA_FORM_INLINE, 4096 - 48 },
	{ "one byte above, into the Reply chunk (T-23, V1-RPL-05)", 0, {}, 8192,
	  0, {}, 4096 - 47, SVCRDMA_FORM_CHUNK, 4096 - 47 },
	{ "fills the Reply chunk", 0, {}, 8192, 0, {}, 8192, SVCRDMA_FORM_CHUNK,
	  8192 },
	{ "more than the Reply chunk (V1-ERR-18)", 0, {}, 8192, 0, {}, 8193,
	  SVCRDMA_FORM_REFUSE, .reason = RPCRDMA_R_REPLY_TOO_BIG },
	{ "nothing in an unusable Write list (T-31)", 1, { 8192 }, 0, 0, {},
	  100, SVCRDMA_FORM_INLINE, 100, { 0 } },
	{ "READ, whole words (V1-WR-09)", 1, { 8192 }, 0, 1, { { 100, 4096 } },
	  4196, SVCRDMA_FORM_INLINE, 100, { 4096 } },
	{ "READ, pad gone too (T-27, V1-PAD-02, ULB-V23-07)", 1, { 8192 }, 0, 1,
	  { { 100, 4093 } }, 4200, SVCRDMA_FORM_INLINE, 104, { 4093 } },
	{ "READ, all in the Reply chunk, with its pad (V1-PAD-12)", 0, {}, 8192,
	  1, { { 100, 4093 } }, 4200, SVCRDMA_FORM_CHUNK, 4200 },
	{ "READ, Reply ends without the pad (V1-PAD-11)", 1, { 8192 }, 0, 1,
	  { { 100, 4093 } }, 4193, SVCRDMA_FORM_INLINE, 100, { 4093 } },
	{ "READ of one byte (T-32)", 1, { 8192 }, 0, 1, { { 100, 1 } }, 104,
	  SVCRDMA_FORM_INLINE, 100, { 1 } },
	{ "READ of nothing (UQ-04)", 1, { 8192 }, 0, 1, { { 100, 0 } }, 100,
	  SVCRDMA_FORM_INLINE, 100, { 0 } },
	{ "READ fills its chunk", 1, { 4096 }, 0, 1, { { 100, 4096 } }, 4196,
	  SVCRDMA_FORM_INLINE, 100, { 4096 } },
	{ "READ above its chunk (ULB-RSZ-06)", 1, { 4095 }, 0, 1,
	  { { 100, 4096 } }, 4196, SVCRDMA_FORM_REFUSE,
	  .reason = RPCRDMA_R_WRITE_TOO_SMALL },
	{ "result taken back (end of the Reply before it)", 1, { 8192 }, 0, 1,
	  { { 100, 4096 } }, 60, SVCRDMA_FORM_INLINE, 60, { 0 } },
	{ "result taken back in part", 1, { 8192 }, 0, 1, { { 100, 4096 } },
	  200, SVCRDMA_FORM_INLINE, 200, { 0 } },
	{ "result taken back but for a few bytes", 1, { 8192 }, 0, 1, { { 100, 150 } },
	  200, SVCRDMA_FORM_INLINE, 200, { 0 } },
	{ "empty chunk, inline (V1-WR-20)", 1, { 0 }, 0, 1, { { 100, 512 } },
	  612, SVCRDMA_FORM_INLINE, 612, { 0 } },
	{ "empty chunk, too much inline (V1-WR-22)", 1, { 0 }, 8192, 1,
	  { { 100, 4096 } }, 4196, SVCRDMA_FORM_CHUNK, 4196, { 0 } },
	{ "no Write list, Reply chunk (V1-WR-18)", 0, {}, 8192, 1,
	  { { 100, 4096 } }, 4196, SVCRDMA_FORM_CHUNK, 4196 },
	{ "two results, two chunks (V1-WR-13, UQ-03)", 2, { 1000, 2000 }, 0, 2,
	  { { 100, 1000 }, { 1200, 2000 } }, 3300, SVCRDMA_FORM_INLINE, 300,
	  { 1000, 2000 } },
	{ "two results, one chunk (ULB-CMP-08)", 1, { 1000 }, 0, 2,
	  { { 100, 1000 }, { 1200, 2000 } }, 3300, SVCRDMA_FORM_INLINE, 2300,
	  { 1000 } },
	{ "one result, two chunks (V1-WR-16, UQ-02)", 2, { 1000, 2000 }, 0, 1,
	  { { 100, 1000 } }, 1200, SVCRDMA_FORM_INLINE, 200, { 1000, 0 } },
	{ "first kept inline by an empty chunk (V1-WR-19)", 2, { 0, 2000 }, 0,
	  2, { { 100, 1000 }, { 1200, 2000 } }, 3300, SVCRDMA_FORM_INLINE, 1300,
	  { 0, 2000 } },
	{ "nothing first uses its chunk up (UQ-04)", 2, { 1000, 2000 }, 0, 2,
	  { { 100, 0 }, { 120, 2000 } }, 2120, SVCRDMA_FORM_INLINE, 120,
	  { 0, 2000 } },
	{ "three results that touch", 3, { 8, 8, 8 }, 0, 3, { { 100, 5 },
	  { 108, 6 }, { 116, 7 } }, 124, SVCRDMA_FORM_INLINE, 100, { 5, 6, 7 } },
	{ "reduced, and still long (V1-RPL-11, V1-RPL-04)", 1, { 4096 }, 8192, 1,
	  { { 5000, 4096 } }, 9200, SVCRDMA_FORM_CHUNK, 5104, { 4096 } },
	{ "results that overlap (V1-DDP-12)", 2, { 1000, 1000 }, 0, 2,
	  { { 100, 1000 }, { 1096, 1000 } }, 2100, SVCRDMA_FORM_REFUSE,
	  .reason = RPCRDMA_R_REPLY_FORM },
	{ "results out of order (V1-WR-13)", 2, { 1000, 1000 }, 0, 2,
	  { { 1200, 100 }, { 100, 100 } }, 2100, SVCRDMA_FORM_REFUSE,
	  .reason = RPCRDMA_R_REPLY_FORM },
	{ "second chunk too small (V1-ERR-22)", 2, { 1000, 1999 }, 0, 2,
	  { { 100, 1000 }, { 1200, 2000 } }, 3300, SVCRDMA_FORM_REFUSE,
	  .reason = RPCRDMA_R_WRITE_TOO_SMALL },
};

KUNIT_ARRAY_PARAM_DESC(svcrdma_reply, svcrdma_reply_cases, name);

static struct rpcrdma_msg *svcrdma_reply_call(struct kunit *test,
					      const struct svcrdma_reply_case *c)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int i;

	msg->vers = RPCRDMA_VERSION_ONE;
	msg->xid = cpu_to_be32(0x1a2b3c4d);
	rpcrdma_test_add_read(test, msg, 148, 4096);
	for (i = 0; i < c->nwrites; i++)
		rpcrdma_test_add_write(test, msg, !!c->writes[i],
				       c->writes[i]);
	if (c->reply)
		rpcrdma_test_add_reply(test, msg, 1, c->reply);
	return msg;
}

static u32 svcrdma_reply_header_len(const struct rpcrdma_msg *msg)
{
	u32 size = 28;
	unsigned int i;

	for (i = 0; i < msg->nwrites; i++)
		size += 8 + 16 * msg->writes[i].nsegs;
	if (msg->has_reply)
		size += 4 + 16 * msg->reply.nsegs;
	return size;
}

/* All bytes but reduced items and their pads are sent once, in order */
static void svcrdma_reply_covers(struct kunit *test,
				 const struct svcrdma_reply_plan *plan,
				 u32 length)
{
	u32 sum = 0, end = 0;
	unsigned int i, j;

	for (i = 0; i < plan->nranges; i++) {
		const struct svcrdma_range *r = &plan->ranges[i];

		KUNIT_EXPECT_NE(test, 0, r->length);
		KUNIT_EXPECT_GE(test, r->offset, end);
		end = r->offset + r->length;
		sum += r->length;
		KUNIT_EXPECT_LE(test, end, length);
		for (j = 0; j < RPCRDMA_MAX_WRITE_CHUNKS; j++) {
			const struct svcrdma_range *item = &plan->items[j];

			KUNIT_EXPECT_TRUE(test, !item->length ||
					  item->offset >= end ||
					  item->offset + item->length <=
					  r->offset);
		}
	}
	KUNIT_EXPECT_EQ(test, plan->length, sum);

	for (j = 0; j < RPCRDMA_MAX_WRITE_CHUNKS; j++) {
		if (!plan->items[j].length)
			continue;
		end = plan->items[j].offset + ALIGN(plan->items[j].length, 4);
		sum += min(end, length) - plan->items[j].offset;
	}
	KUNIT_EXPECT_EQ(test, length, sum);
}

/* A client accepts the header that follows from the plan */
static void svcrdma_reply_accepted(struct kunit *test,
				   const struct rpcrdma_msg *call,
				   const struct svcrdma_reply_plan *plan)
{
	struct rpcrdma_msg *reply = rpcrdma_test_msg(test);
	struct rpcrdma_segment *segs = reply->segs;
	unsigned int i;

	*reply = *call;
	reply->segs = segs;
	memcpy(segs, call->segs, call->nsegs * sizeof(*segs));
	/* What is left of the Call, or of an error, must not stay */
	reply->type = RPCRDMA_ERROR;
	reply->dir = RPCRDMA_DIR_CALL;
	reply->err = RPCRDMA_ERR_CHUNK;
	reply->reads.nsegs = 1;
	svcrdma_reply_header(reply, plan, 16);
	KUNIT_EXPECT_EQ(test, plan->form == SVCRDMA_FORM_CHUNK ?
			RPCRDMA_NOMSG : RPCRDMA_MSG, reply->type);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_REPLY, reply->dir);
	KUNIT_EXPECT_EQ(test, RPCRDMA_ERR_NONE, reply->err);
	KUNIT_EXPECT_EQ(test, 0, reply->reads.nsegs);

	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_reply_check(reply, call));
	KUNIT_EXPECT_EQ(test, 16, reply->credits);
	KUNIT_EXPECT_TRUE(test, call->xid == reply->xid);
	KUNIT_EXPECT_EQ(test, call->has_reply, reply->has_reply);
	KUNIT_EXPECT_EQ(test, plan->header_size, rpcrdma_codec_v1.size(reply));
	for (i = 0; i < reply->nwrites; i++)
		KUNIT_EXPECT_EQ(test, plan->items[i].length,
				rpcrdma_chunk_length(reply,
						     &reply->writes[i]));
	if (reply->has_reply)
		KUNIT_EXPECT_EQ(test, plan->form == SVCRDMA_FORM_CHUNK ?
				plan->length : 0,
				rpcrdma_chunk_length(reply, &reply->reply));
}

static void svcrdma_reply_table(struct kunit *test)
{
	const struct svcrdma_reply_case *c = test->param_value;
	struct rpcrdma_msg *call = svcrdma_reply_call(test, c);
	struct svcrdma_reply_plan *plan;
	unsigned int i;

	plan = kunit_kmalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	svcrdma_reply_plan(plan, call, c->results, c->nresults, c->length,
			   SVCRDMA_TEST_INLINE);
	KUNIT_ASSERT_EQ(test, c->form, plan->form);
	KUNIT_EXPECT_EQ(test, c->reason, plan->reason);
	KUNIT_EXPECT_EQ(test, svcrdma_reply_header_len(call),
			plan->header_size);
	/* Only a chunk that is too small could be larger */
	if (c->reason == RPCRDMA_R_REPLY_FORM)
		KUNIT_EXPECT_EQ(test, 0, plan->needed);
	if (c->form == SVCRDMA_FORM_REFUSE)
		return;

	KUNIT_EXPECT_EQ(test, c->reduced, plan->length);
	for (i = 0; i < c->nwrites; i++)
		KUNIT_EXPECT_EQ(test, c->items[i], plan->items[i].length);
	svcrdma_reply_covers(test, plan, c->length);
	svcrdma_reply_accepted(test, call, plan);
}

/* RFC 8166 (T-43): nothing is reduced, and the chunks come back unused */
static void svcrdma_reply_protected(struct kunit *test)
{
	static const struct svcrdma_reply_case c = {
		.nwrites = 2, .writes = { 4096, 4096 }, .reply = 8192,
	};
	struct rpcrdma_msg *call = svcrdma_reply_call(test, &c);
	struct svcrdma_reply_plan *plan;
	unsigned int i;

	plan = kunit_kmalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	svcrdma_reply_plan(plan, call, NULL, 0, 5000, SVCRDMA_TEST_INLINE);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_CHUNK, plan->form);
	KUNIT_EXPECT_EQ(test, 5000, plan->length);
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_EQ(test, 0, plan->items[i].length);
	svcrdma_reply_accepted(test, call, plan);
}

/* The repeated lists alone are too long for the Reply: RFC 8166 (T-23) */
static void svcrdma_reply_header_too_big(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);
	struct svcrdma_reply_plan *plan;

	plan = kunit_kmalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	call->vers = RPCRDMA_VERSION_ONE;
	rpcrdma_test_add_write(test, call, 62, 4096);
	rpcrdma_test_add_reply(test, call, 1, 8192);
	KUNIT_ASSERT_GT(test, svcrdma_reply_header_len(call), 1024);
	svcrdma_reply_plan(plan, call, NULL, 0, 100, 1024);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_REFUSE, plan->form);
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_REPLY_TOO_BIG, plan->reason);
}

/* A header that fills the Send leaves the Reply chunk: RFC 8166 (T-22, T-23) */
static void svcrdma_reply_header_fills(struct kunit *test)
{
	static const struct svcrdma_reply_case c = { .reply = 8192 };
	struct rpcrdma_msg *call = svcrdma_reply_call(test, &c);
	struct svcrdma_reply_plan *plan;
	u32 size = svcrdma_reply_header_len(call);

	plan = kunit_kmalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	svcrdma_reply_plan(plan, call, NULL, 0, 100, size);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_CHUNK, plan->form);
	svcrdma_reply_plan(plan, call, NULL, 0, 100, size - 1);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_REFUSE, plan->form);
}

/* What is in the array behind the last Write chunk is not a part of the Call */
static void svcrdma_reply_stale_write(struct kunit *test)
{
	static const struct svcrdma_reply_case c = {
		.nwrites = 2, .writes = { 1000, 2000 },
	};
	static const struct svcrdma_range results[] = { { 100, 1000 }, { 1200, 2000 } };
	struct rpcrdma_msg *call = svcrdma_reply_call(test, &c);
	struct svcrdma_reply_plan *plan;
	u32 length;

	plan = kunit_kmalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	call->nwrites = 1;
	svcrdma_reply_plan(plan, call, results, 2, 3300, SVCRDMA_TEST_INLINE);
	KUNIT_EXPECT_EQ(test, SVCRDMA_FORM_INLINE, plan->form);
	KUNIT_EXPECT_EQ(test, 2300, plan->length);
	KUNIT_EXPECT_EQ(test, 0, plan->items[1].length);
	length = call->segs[call->writes[1].first].length;
	svcrdma_reply_header(call, plan, 16);
	KUNIT_EXPECT_EQ(test, length, call->segs[call->writes[1].first].length);
}

/* A result of no bytes does not split the Reply (v2 6.4.1, UQ-04) */
static void svcrdma_reply_nothing(struct kunit *test)
{
	static const struct svcrdma_reply_case c = { .nwrites = 1, .writes = { 1000 } };
	static const struct svcrdma_range result = { 100, 0 };
	struct rpcrdma_msg *call = svcrdma_reply_call(test, &c);
	struct svcrdma_reply_plan *plan;

	plan = kunit_kmalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	svcrdma_reply_plan(plan, call, &result, 1, 200, SVCRDMA_TEST_INLINE);
	KUNIT_EXPECT_EQ(test, 1, plan->nranges);
	KUNIT_EXPECT_EQ(test, 200, plan->ranges[0].length);
}

#define SVCRDMA_REPLY_SEED	0x31
#define SVCRDMA_REPLY_ROUNDS	5000

/* One round: chunks, results and lengths by chance */
static bool svcrdma_reply_round(struct kunit *test, struct rnd_state *rnd,
				struct rpcrdma_msg *call,
				struct svcrdma_reply_plan *plan)
{
	struct svcrdma_range results[6];
	unsigned int i, n;
	u32 length;

	rpcrdma_msg_init(call, call->segs, call->max_segs);
	call->vers = RPCRDMA_VERSION_ONE;
	n = prandom_u32_state(rnd) % 5;
	for (i = 0; i < n; i++)
		rpcrdma_test_add_write(test, call, prandom_u32_state(rnd) % 4,
				       prandom_u32_state(rnd) % 300);
	if (prandom_u32_state(rnd) % 2)
		rpcrdma_test_add_reply(test, call, prandom_u32_state(rnd) % 3,
				       prandom_u32_state(rnd) % 1000);

	length = 24 + prandom_u32_state(rnd) % 20 * 4;
	n = prandom_u32_state(rnd) % ARRAY_SIZE(results);
	for (i = 0; i < n; i++) {
		results[i].offset = length;
		results[i].length = prandom_u32_state(rnd) % 300;
		length += ALIGN(results[i].length, 4);
		length += prandom_u32_state(rnd) % 10 * 4;
	}
	svcrdma_reply_plan(plan, call, results, n, length, 600);
	if (plan->form == SVCRDMA_FORM_REFUSE) {
		KUNIT_EXPECT_NE(test, RPCRDMA_OK, plan->reason);
		return false;
	}
	svcrdma_reply_covers(test, plan, length);
	if (plan->form == SVCRDMA_FORM_INLINE)
		KUNIT_EXPECT_LE(test, plan->header_size + plan->length, 600);
	else
		KUNIT_EXPECT_LE(test, plan->length,
				rpcrdma_chunk_length(call, &call->reply));
	svcrdma_reply_accepted(test, call, plan);
	return true;
}

static void svcrdma_reply_random(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);
	struct svcrdma_reply_plan *plan;
	unsigned int round, sent = 0;
	struct rnd_state rnd;

	plan = kunit_kmalloc(test, sizeof(*plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, plan);
	prandom_seed_state(&rnd, SVCRDMA_REPLY_SEED);
	for (round = 0; round < SVCRDMA_REPLY_ROUNDS; round++) {
		sent += svcrdma_reply_round(test, &rnd, call, plan);
		if (rpcrdma_test_faulty(test, round))
			return;
	}
	kunit_info(test, "%u of %u Replies could be sent", sent, round);
	KUNIT_EXPECT_GT(test, sent, round / 20);
	KUNIT_EXPECT_LT(test, sent, round - round / 20);
}

/* The Call has offered the handle to invalidate: RFC 8166 (V1-MEM-20) */
static void svcrdma_reply_handle(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);

	KUNIT_EXPECT_EQ(test, 0, svcrdma_reply_inv_handle(call));
	rpcrdma_test_add_write(test, call, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, svcrdma_reply_inv_handle(call));
	rpcrdma_test_add_read(test, call, 148, 4096);
	KUNIT_EXPECT_EQ(test, 1, svcrdma_reply_inv_handle(call));
	/* An empty Reply chunk has no handle, whatever its first segment is */
	call->has_reply = true;
	call->reply.first = call->nsegs;
	call->segs[call->nsegs].handle = 99;
	KUNIT_EXPECT_EQ(test, 1, svcrdma_reply_inv_handle(call));
	rpcrdma_test_add_reply(test, call, 1, 100);
	KUNIT_EXPECT_EQ(test, 2, svcrdma_reply_inv_handle(call));
	rpcrdma_test_add_write(test, call, 1, 100);
	KUNIT_EXPECT_EQ(test, 3, svcrdma_reply_inv_handle(call));
}

/* Unexecuted is every Call whose shortest Reply cannot be sent: RFC 8166 (V1-WR-05) */
static void svcrdma_reply_room(struct kunit *test)
{
	struct rpcrdma_msg *call = rpcrdma_test_msg(test);
	const u32 shortest = 24;
	u32 size;

	call->vers = RPCRDMA_VERSION_ONE;
	rpcrdma_test_add_read(test, call, 148, 4096);
	rpcrdma_test_add_write(test, call, 60, 64);
	size = svcrdma_reply_header_len(call);
	/* A Read list of one segment, which the Reply does not repeat */
	call->header_size = size + 24;
	KUNIT_EXPECT_TRUE(test, svcrdma_reply_possible(call, size + shortest));
	KUNIT_EXPECT_TRUE(test, svcrdma_reply_possible(call, size + shortest + 1));
	KUNIT_EXPECT_FALSE(test, svcrdma_reply_possible(call, size + shortest - 1));
	/* Enough for the Call's own header */
	KUNIT_EXPECT_TRUE(test, svcrdma_reply_possible(call, size + 24 + shortest));

	rpcrdma_test_add_reply(test, call, 1, shortest - 1);
	size = svcrdma_reply_header_len(call);
	call->header_size = size + 24;
	KUNIT_EXPECT_FALSE(test, svcrdma_reply_possible(call, size + shortest - 1));
	call->segs[call->reply.first].length++;
	KUNIT_EXPECT_TRUE(test, svcrdma_reply_possible(call, size));
	KUNIT_EXPECT_TRUE(test, svcrdma_reply_possible(call, size + 1));
	KUNIT_EXPECT_FALSE(test, svcrdma_reply_possible(call, size - 1));
	call->segs[call->reply.first].length++;
	KUNIT_EXPECT_TRUE(test, svcrdma_reply_possible(call, size));
}

/* The bounds by which Sends and page references are allocated */
static void svcrdma_reply_longest(struct kunit *test)
{
	const struct svcrdma_reply_case c = {
		.nwrites = 3, .writes = { 4096, 0, U32_MAX },
	};
	struct rpcrdma_msg *call = svcrdma_reply_call(test, &c);
	u64 results = 4096 + (u64)U32_MAX;

	KUNIT_EXPECT_EQ(test, results, svcrdma_reply_write_len(call));
	KUNIT_EXPECT_EQ(test, results + 1024, svcrdma_reply_max_len(call, 1024));
	/* Without has_reply the chunk means nothing */
	call->reply = call->writes[0];
	KUNIT_EXPECT_EQ(test, results + 1024, svcrdma_reply_max_len(call, 1024));
	call->has_reply = true;
	KUNIT_EXPECT_EQ(test, results, svcrdma_reply_write_len(call));
	KUNIT_EXPECT_EQ(test, results + 1024 + 4096, svcrdma_reply_max_len(call, 1024));
	call->nwrites = 0;
	KUNIT_EXPECT_EQ(test, 0ULL, svcrdma_reply_write_len(call));
	KUNIT_EXPECT_EQ(test, 1024ULL + 4096, svcrdma_reply_max_len(call, 1024));
}

static struct kunit_case svcrdma_reply_plan_test_cases[] = {
	KUNIT_CASE_PARAM(svcrdma_reply_table, svcrdma_reply_gen_params),
	KUNIT_CASE(svcrdma_reply_protected),
	KUNIT_CASE(svcrdma_reply_header_too_big),
	KUNIT_CASE(svcrdma_reply_header_fills),
	KUNIT_CASE(svcrdma_reply_stale_write),
	KUNIT_CASE(svcrdma_reply_nothing),
	KUNIT_CASE(svcrdma_reply_random),
	KUNIT_CASE(svcrdma_reply_handle),
	KUNIT_CASE(svcrdma_reply_room),
	KUNIT_CASE(svcrdma_reply_longest),
	{}
};

static struct kunit_suite svcrdma_reply_plan_test_suite = {
	.name		= "svcrdma_reply_plan",
	.test_cases	= svcrdma_reply_plan_test_cases,
};

kunit_test_suite(svcrdma_reply_plan_test_suite);
