// SPDX-License-Identifier: GPL-2.0-only
/*
 * Negotiation, the client: each answer that the opening Call and the CONNPROP can get,
 * and what is remembered afterwards.
 */
#include "negotiate_kunit.h"

struct rpcrdma_negotiate_answer_case {
	const char			*name;
	unsigned int			len;	/* bytes */
	u32				words[16];
	enum rpcrdma_negotiate_verdict	verdict;
	u32				version;
	u32				grant;
};

#define RPCRDMA_NEGOTIATE_ANSWER(...)	{ RPCRDMA_NEGOTIATE_XID, __VA_ARGS__ }
#define RPCRDMA_NEGOTIATE_REPLY(credits, type, flags, ...) \
	RPCRDMA_NEGOTIATE_ANSWER(2, credits, type, flags, 0, 0, 0, 0, __VA_ARGS__)

/* To the opening Call */
static const struct rpcrdma_negotiate_answer_case rpcrdma_negotiate_answers[] = {
	{ "nothing", 0, { 0 }, RPCRDMA_NEGOTIATE_IGNORED },
	{ "15 bytes", 15, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply (V2-CRD-04, V2-NEG-05, OQ-02, OQ-11)", 44,
	  RPCRDMA_NEGOTIATE_REPLY(64, 0, 1, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_TELL, 2, 64 },
	{ "Reply, grant 0 (V2-CRD-05)", 44,
	  RPCRDMA_NEGOTIATE_REPLY(0, 0, 1, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_TELL, 2, 1 },
	{ "Reply, F clear", 44,
	  RPCRDMA_NEGOTIATE_REPLY(64, 0, 0, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply, another XID inside", 44, RPCRDMA_NEGOTIATE_REPLY(64, 0, 1, 7, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply, other XID", 44, { 7, 2, 64, 0, 1, 0, 0, 0, 0, 7, 1 },
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply, cut", 40,
	  RPCRDMA_NEGOTIATE_REPLY(64, 0, 1, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply, another XID that is higher on the wire", 44,
	  { 0xff, 2, 64, 0, 1, 0, 0, 0, 0, 0xff, 1 }, RPCRDMA_NEGOTIATE_IGNORED },
	{ "RDMA2_NOMSG with a payload", 44,
	  RPCRDMA_NEGOTIATE_REPLY(64, 1, 1, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply in a chunk", 56,
	  { RPCRDMA_NEGOTIATE_XID, 2, 64, 1, 1, 0, 0, 0, 1, 1, 7, 24, 0, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "CONNPROP of its own accord (V2-CPR-10)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5, 1, 0), RPCRDMA_NEGOTIATE_WAIT },
	{ "the same, F clear", 24, { 7, 2, 64, 5, 0, 0 }, RPCRDMA_NEGOTIATE_WAIT },
	{ "malformed CONNPROP", 20, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "CONNPROP in version 3", 24, RPCRDMA_NEGOTIATE_ANSWER(3, 64, 5, 1, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "header type 6", 24, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 6, 1, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "18 bytes", 18, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "RDMA2_MSG, cut", 36, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "version 1 message", 28, RPCRDMA_NEGOTIATE_ANSWER(1, 64, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },

	{ "ERR_VERS, seven words (V2-NEG-17, OQ-08)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS under version 1 (V2-NEG-18)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(1, 64, 4, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, range 1 to 3", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 3), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, range 0 to 2", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 0, 2), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, range 3 to 4 (V2-NEG-28)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 3, 4), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_VERS, range 2 to 2 (V2-NEG-28)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 2, 2), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_VERS, range 0 to 0 (V2-NEG-28)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 0, 0), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_VERS, range 3 to 1 (V2-NEG-19)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 3, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, range 3 to 0 (V2-NEG-19)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 3, 0), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS and three bytes", 31,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, other XID", 28, { 7, 2, 64, 4, 1, 1, 1 },
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "ERR_VERS, eight words (V2-NEG-17, OQ-08)", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, eight words, range 3 to 4", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 3, 4), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_VERS, eight words and a tail, range 3 to 4", 36,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 3, 4), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_VERS behind a flags word, no range (V2-NEG-20)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1), RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "ERR_CHUNK, 20 bytes (V2-NEG-19, OQ-11)", 20,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 2), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "error, 16 bytes (V2-NEG-19)", 16, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4),
	  RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_CHUNK of version 1 with a tail (V2-NEG-19)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(1, 64, 4, 2, 0), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "BAD_XDR (V2-NEG-20)", 24, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 2),
	  RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "SYSTEM (V2-NEG-20)", 24, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 9),
	  RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "BAD_XDR, F clear (V2-NEG-19)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 0, 2), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "SYSTEM, another flag only (V2-NEG-19)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 2, 9), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "F set, 20 bytes (V2-NEG-19)", 20, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1),
	  RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "SYSTEM and a tail (V2-NEG-20)", 36,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 9), RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	/*
	 * As long as an ERR_VERS, and words like a range of versions; but the flags, or the
	 * code, are others (v2 5.3.3 and 9.4, OQ-08, OQ-19)
	 */
	{ "SYSTEM with an unknown flag, seven words", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 3, 9, 0), RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "error code 256, seven words", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 0x100, 3, 4), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "SYSTEM with an unknown flag, eight words", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 3, 9, 0, 0), RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "code 1 with an unknown flag, eight words", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 3, 1, 3, 4), RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "code 1, F clear, eight words", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 0x100, 1, 3, 4), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "code 2, eight words", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 2, 3, 4), RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "code 256, eight words", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 0x100, 3, 4), RPCRDMA_NEGOTIATE_TELL, 2, 0 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_negotiate_answer, rpcrdma_negotiate_answers, name);

/* The answer of @c, in memory that ends with it */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_test_answer(struct kunit *test, struct rpcrdma_negotiation *neg,
			      const struct rpcrdma_negotiate_answer_case *c)
{
	void *wire = rpcrdma_test_wire(test, c->words, ARRAY_SIZE(c->words));

	return rpcrdma_negotiate_answer(neg, rpcrdma_test_msg(test),
					rpcrdma_test_cut(test, wire, c->len),
					c->len);
}

static void rpcrdma_negotiate_answer_test(struct kunit *test)
{
	const struct rpcrdma_negotiate_answer_case *c = test->param_value;
	const struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, c->verdict,
			rpcrdma_negotiate_test_answer(test, &neg, c));
	KUNIT_EXPECT_EQ(test, c->version, neg.version);
	KUNIT_EXPECT_EQ(test, c->grant, neg.grant);
	KUNIT_EXPECT_EQ(test, c->verdict == RPCRDMA_NEGOTIATE_TELL,
			neg.state == RPCRDMA_NEGOTIATE_TELLING);
	KUNIT_EXPECT_EQ(test, c->verdict == RPCRDMA_NEGOTIATE_WAIT, neg.has_props);

	/*
	 * rpcrdma-version-two-09 (V2-SEC-05): who refuses version 1 never gets
	 * it
	 */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_2);
	KUNIT_EXPECT_EQ(test, c->version == 1 ? RPCRDMA_NEGOTIATE_NO_VERSION : c->verdict,
			rpcrdma_negotiate_test_answer(test, &neg, c));
	KUNIT_EXPECT_NE(test, 1, neg.version);

	/*
	 * rpcrdma-version-two-09 (V2-CPR-10): before the opening Call a server
	 * has nothing to say
	 */
	rpcrdma_negotiate_client(&neg, &past, RPCRDMA_VERSIONS_BOTH,
				 cpu_to_be32(RPCRDMA_NEGOTIATE_XID));
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_IGNORED,
			rpcrdma_negotiate_test_answer(test, &neg, c));
}

/* To the CONNPROP of the client; 32 credits are granted before */
static const struct rpcrdma_negotiate_answer_case rpcrdma_negotiate_told_answers[] = {
	{ "CONNPROP (V2-CRD-04, OQ-02)", 24,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 1, 0 }, RPCRDMA_NEGOTIATE_DONE, 2, 64 },
	{ "CONNPROP, grant 0 (V2-CRD-05)", 24,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 0, 5, 1, 0 }, RPCRDMA_NEGOTIATE_DONE, 2, 1 },
	{ "CONNPROP, F clear (V2-CPR-13, OQ-02)", 24,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 0, 0 }, RPCRDMA_NEGOTIATE_DONE, 2, 32 },
	{ "CONNPROP, other XID (V2-CPR-13)", 24, { 7, 2, 64, 5, 1, 0 },
	  RPCRDMA_NEGOTIATE_DONE, 2, 64 },
	{ "malformed CONNPROP (V2-CPR-15)", 20,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 1 },
	  RPCRDMA_NEGOTIATE_DONE_DELIVER, 2, 32 },
	{ "RDMA2_MSG", 36, { 7, 2, 64, 0 }, RPCRDMA_NEGOTIATE_DONE_DELIVER, 2, 32 },
	{ "15 bytes", 15, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 1, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
	{ "18 bytes", 18, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 1, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
	{ "header type 6", 24, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 6, 1, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
	{ "version 1 message", 28, { RPCRDMA_NEGOTIATE_XID_2, 1, 64, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
	{ "BAD_XDR (OQ-02)", 24, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 4, 1, 2 },
	  RPCRDMA_NEGOTIATE_DONE, 2, 32 },
	{ "ERR_VERS (V2-NEG-14)", 28, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 4, 1, 1, 1 },
	  RPCRDMA_NEGOTIATE_DONE, 2, 32 },
	{ "error, other XID", 24, { 7, 2, 64, 4, 1, 2 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_negotiate_told, rpcrdma_negotiate_told_answers, name);

/* A Reply to the opening Call */
static void rpcrdma_negotiate_test_found(struct kunit *test,
					 struct rpcrdma_negotiation *neg)
{
	static const struct rpcrdma_negotiate_answer_case found = {
		"", 44, RPCRDMA_NEGOTIATE_REPLY(32, 0, 1, RPCRDMA_NEGOTIATE_XID, 1)
	};

	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_TELL,
			rpcrdma_negotiate_test_answer(test, neg, &found));
	KUNIT_EXPECT_EQ(test, 2, neg->version);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_2, rpcrdma_negotiate_versions(neg));
}

static void rpcrdma_negotiate_test_settle(struct kunit *test,
					  struct rpcrdma_negotiation *neg)
{
	rpcrdma_negotiate_test_found(test, neg);
	rpcrdma_negotiate_told(neg);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, neg->state);
}

/*
 * An answer settles version 2, whatever it says; and so does none:
 * rpcrdma-version-two-09 5.3.4 (V2-CPR-06)
 */
static void rpcrdma_negotiate_told_test(struct kunit *test)
{
	const struct rpcrdma_negotiate_answer_case *c = test->param_value;
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;
	struct rpcrdma_msg connprop;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_test_found(test, &neg);
	rpcrdma_negotiate_tell(&neg, &connprop, &rpcrdma_negotiate_own, 128,
			       cpu_to_be32(RPCRDMA_NEGOTIATE_XID_2));
	KUNIT_EXPECT_EQ(test, c->verdict,
			rpcrdma_negotiate_test_answer(test, &neg, c));
	KUNIT_EXPECT_EQ(test, c->version, neg.version);
	KUNIT_EXPECT_EQ(test, c->grant, neg.grant);
	KUNIT_EXPECT_EQ(test, c->verdict == RPCRDMA_NEGOTIATE_IGNORED ?
			RPCRDMA_NEGOTIATE_TELLING : RPCRDMA_NEGOTIATE_SETTLED,
			neg.state);
	rpcrdma_negotiate_told(&neg);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, neg.state);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_IGNORED,
			rpcrdma_negotiate_test_answer(test, &neg, c));

	/* The version was known: its loss does not mean version 1 */
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
}

/* rpcrdma-version-two-09 5.3.4 (V2-CPR-10, V2-CPR-14): the second one says nothing */
static void rpcrdma_negotiate_props_twice(struct kunit *test)
{
	static const struct rpcrdma_negotiate_answer_case props = {
		"", 24, { 7, 2, 64, 5, 0, 0 }
	};
	const struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_WAIT,
			rpcrdma_negotiate_test_answer(test, &neg, &props));
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_IGNORED,
			rpcrdma_negotiate_test_answer(test, &neg, &props));
	rpcrdma_negotiate_test_found(test, &neg);
}

/* The time for an answer to the CONNPROP ends when none is awaited: nothing happens */
static void rpcrdma_negotiate_told_late(struct kunit *test)
{
	const struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_told(&neg);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_ASKING, neg.state);
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_1);
	rpcrdma_negotiate_told(&neg);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_ONE, neg.version);
	neg.state = RPCRDMA_NEGOTIATE_FAILED;
	rpcrdma_negotiate_told(&neg);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_FAILED, neg.state);
}

/* Bytes of an ERR_VERS that allows version 1 */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_test_refuse(struct kunit *test, struct rpcrdma_negotiation *neg)
{
	static const u32 words[] = RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1);

	return rpcrdma_negotiate_answer(neg, rpcrdma_test_msg(test),
					rpcrdma_test_wire(test, words, 7), 28);
}

/*
 * rpcrdma-version-two-09 7.2, 7 (V2-NEG-10, V2-NEG-11, V2-NEG-26, V2-NEG-27,
 * V2-NEG-29, OQ-12)
 */
static void rpcrdma_negotiate_memory(struct kunit *test)
{
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;
	unsigned int i;

	/* Never connected: nothing was learned */
	rpcrdma_negotiate_client(&neg, &past, RPCRDMA_VERSIONS_BOTH, 0);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);

	/* The opening Call was lost, or not answered in time: version 1 next */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	/* Properties and then silence: the server has version 2 */
	past.no_v2 = false;
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	neg.has_props = true;
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
	past.no_v2 = true;

	/* Version 1 that does not come to work does not end that */
	for (i = 0; i < 3; i++) {
		rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, neg.state);
		KUNIT_EXPECT_EQ(test, 1, neg.version);
		rpcrdma_negotiate_lost(&neg, &past);
		KUNIT_EXPECT_TRUE(test, past.no_v2);
	}

	/* A client of version 2 alone tries again each time */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_2);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_ASKING, neg.state);

	/* A client of version 1 alone has not asked, and learns nothing */
	past.no_v2 = false;
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_1);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
	past.no_v2 = true;

	/* Version 1 that has worked and is replaced ends it */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
}

/*
 * rpcrdma-version-two-09 7.2 (V2-NEG-10, V2-NEG-27, OQ-12): an ERR_VERS is
 * remembered only if the loss follows
 */
static void rpcrdma_negotiate_memory_refused(struct kunit *test)
{
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_DONE,
			rpcrdma_negotiate_test_refuse(test, &neg));
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_DONE,
			rpcrdma_negotiate_test_refuse(test, &neg));
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	/* Version 2 that worked says nothing about version 1 */
	rpcrdma_negotiate_server(&neg, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_settle(&neg, RPCRDMA_VERSION_TWO);
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	/* Nor does a failure */
	past.no_v2 = false;
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_2);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_NO_VERSION,
			rpcrdma_negotiate_test_refuse(test, &neg));
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_2,
			rpcrdma_negotiate_versions(&neg));
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
}

/*
 * rpcrdma-version-two-09 7.2 (V2-NEG-27, OQ-12), on five connections: version 2
 * works; the server restarts and the next opening message is lost; it comes back
 * with version 2 only
 */
static void rpcrdma_negotiate_memory_outdated(struct kunit *test)
{
	static const struct {
		u32	low, high;
		bool	outdated;
	} ranges[] = {
		{ 1, 1 }, { 1, 2 }, { 3, 4 }, { 2, 1 }, { 0, 2 }, { 2, 3, true },
		{ 2, 2, true },
	};
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_msg err = { .type = RPCRDMA_ERROR };
	struct rpcrdma_negotiation neg;
	unsigned int i;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_test_settle(test, &neg);
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, 1, neg.version);
	err.err = RPCRDMA_ERR_VERS;
	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		err.vers_low = ranges[i].low;
		err.vers_high = ranges[i].high;
		KUNIT_EXPECT_EQ(test, ranges[i].outdated,
				rpcrdma_negotiate_outdated(&neg, &err));
		KUNIT_EXPECT_EQ(test, ranges[i].outdated, neg.outdated);
	}
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);

	for (i = 0; i < 2; i++) {
		rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_ASKING, neg.state);
		KUNIT_EXPECT_FALSE(test, rpcrdma_negotiate_outdated(&neg, &err));
		rpcrdma_negotiate_test_settle(test, &neg);
		/* Version 2 is never taken for outdated */
		KUNIT_EXPECT_FALSE(test, rpcrdma_negotiate_outdated(&neg, &err));
		rpcrdma_negotiate_lost(&neg, &past);
		KUNIT_EXPECT_FALSE(test, past.no_v2);
	}

	/* A client of version 1 alone has nothing to go on with */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_1);
	KUNIT_EXPECT_FALSE(test, rpcrdma_negotiate_outdated(&neg, &err));
}

static struct kunit_case rpcrdma_negotiate_client_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_negotiate_answer_test,
			 rpcrdma_negotiate_answer_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_negotiate_told_test,
			 rpcrdma_negotiate_told_gen_params),
	KUNIT_CASE(rpcrdma_negotiate_props_twice),
	KUNIT_CASE(rpcrdma_negotiate_told_late),
	KUNIT_CASE(rpcrdma_negotiate_memory),
	KUNIT_CASE(rpcrdma_negotiate_memory_refused),
	KUNIT_CASE(rpcrdma_negotiate_memory_outdated),
	{}
};

static struct kunit_suite rpcrdma_negotiate_client_test_suite = {
	.name		= "rpcrdma_negotiate_client",
	.test_cases	= rpcrdma_negotiate_client_test_cases,
};

kunit_test_suite(rpcrdma_negotiate_client_test_suite);
