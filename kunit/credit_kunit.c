// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credit arithmetic.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <linux/limits.h>
#include <rpcrdma/credit.h>
#include <rpcrdma/wire.h>

struct rpcrdma_credit_case {
	const char	*name;
	u32		asked;
	u32		other;
	u32		window;		/* @other is a grant */
	u32		grant;		/* @other is what there is */
};

static const struct rpcrdma_credit_case rpcrdma_credit_cases[] = {
	{ "equal", 32, 32, 32, 32 },
	{ "less than asked (V1-CRED-06)", 64, 32, 32, 32 },
	{ "more than asked (T-19)", 32, 64, 32, 32 },
	{ "huge (T-19)", 32, U32_MAX, 32, 32 },
	{ "first exchange (T-20, V1-CRED-12)", 128, RPCRDMA_V1_FIRST_CREDIT,
	  1, 1 },
	{ "nothing given (T-18, V1-CRED-05)", 32, 0, 1, 1 },
	{ "nothing asked (T-18)", 0, 32, 1, 1 },
	{ "nothing at all (T-18)", 0, 0, 1, 1 },
	{ "huge both", U32_MAX, U32_MAX, U32_MAX, U32_MAX },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_credit, rpcrdma_credit_cases, name);

static void rpcrdma_credit_table(struct kunit *test)
{
	const struct rpcrdma_credit_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, c->window,
			rpcrdma_credit_window(c->asked, c->other));
	KUNIT_EXPECT_EQ(test, c->grant,
			rpcrdma_credit_grant(c->asked, c->other));
}

/*
 * RFC 8166 3.3.1 (V1-CRED-07, V1-CRED-16, T-16): the same grant again, or a smaller
 * one, replaces the old one
 */
static void rpcrdma_credits_levels(struct kunit *test)
{
	static const u32 grants[] = { 32, 32, 32, 8, 0, 64, 32 };
	static const u32 windows[] = { 32, 32, 32, 8, 1, 48, 32 };
	struct rpcrdma_credits credits;
	int i;

	rpcrdma_credits_reset(&credits);
	for (i = 0; i < ARRAY_SIZE(grants); i++) {
		rpcrdma_credits_grant(&credits, 48, grants[i]);
		KUNIT_EXPECT_EQ(test, windows[i], credits.window);
		KUNIT_EXPECT_EQ(test, windows[i],
				rpcrdma_credits_available(&credits, U32_MAX));
	}
}

/* RFC 8166 3.3.3 (V1-CRED-12, T-20): one Call, whatever was before */
static void rpcrdma_credits_new_connection(struct kunit *test)
{
	struct rpcrdma_credits credits = { .window = 32, .abandoned = 5 };

	rpcrdma_credits_reset(&credits);
	KUNIT_EXPECT_EQ(test, 1U, credits.window);
	KUNIT_EXPECT_EQ(test, 0U, credits.abandoned);
	KUNIT_EXPECT_EQ(test, 1U, rpcrdma_credits_available(&credits, U32_MAX));
}

/*
 * RFC 8167 4.1 and RFC 8166 3.3.1 (BI-CRED-08, V1-CRED-04): an abandoned Call
 * is still unanswered
 */
static void rpcrdma_credits_left(struct kunit *test)
{
	static const struct {
		struct rpcrdma_credits	credits;
		u32			limit;
		u32			available;
	} cases[] = {
		{ { 16, 0 }, U32_MAX, 16 },
		{ { 16, 15 }, U32_MAX, 1 },
		{ { 16, 16 }, U32_MAX, 0 },
		/* The grant has become smaller since (RFC 8166, T-17) */
		{ { 2, 16 }, U32_MAX, 0 },
		{ { 1, U32_MAX }, U32_MAX, 0 },
		{ { U32_MAX, U32_MAX - 1 }, U32_MAX, 1 },
		/* The limit is below, at and above the window */
		{ { 16, 0 }, 4, 4 },
		{ { 16, 3 }, 4, 1 },
		{ { 16, 4 }, 4, 0 },
		{ { 16, 3 }, 16, 13 },
		{ { 16, 3 }, 17, 13 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, cases[i].available,
				    rpcrdma_credits_available(&cases[i].credits,
							      cases[i].limit),
				    "case %d", i);
}

/* Each late Reply gives one credit back, and only those of abandoned Calls do */
static void rpcrdma_credits_late_replies(struct kunit *test)
{
	struct rpcrdma_credits credits;
	u32 i;

	rpcrdma_credits_reset(&credits);
	KUNIT_EXPECT_FALSE(test, rpcrdma_credits_reclaim(&credits));
	rpcrdma_credits_grant(&credits, 3, 3);
	for (i = 3; i > 0; i--) {
		KUNIT_EXPECT_EQ(test, i,
				rpcrdma_credits_available(&credits, U32_MAX));
		rpcrdma_credits_abandon(&credits);
	}
	KUNIT_EXPECT_EQ(test, 3U, credits.abandoned);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, i,
				rpcrdma_credits_available(&credits, U32_MAX));
		KUNIT_EXPECT_TRUE(test, rpcrdma_credits_reclaim(&credits));
	}
	KUNIT_EXPECT_FALSE(test, rpcrdma_credits_reclaim(&credits));
	KUNIT_EXPECT_EQ(test, 0U, credits.abandoned);
	KUNIT_EXPECT_EQ(test, 3U, credits.window);
}

/*
 * RFC 8166 3.3.1 (V1-CRED-05, V1-CRED-06, T-18, T-19): every pair of small
 * values
 */
static void rpcrdma_credit_all(struct kunit *test)
{
	u32 asked, other, least;

	for (asked = 0; asked < 70; asked++) {
		for (other = 0; other < 70; other++) {
			least = asked < other ? asked : other;
			if (!least)
				least = 1;
			KUNIT_EXPECT_EQ(test, least,
					rpcrdma_credit_window(asked, other));
			KUNIT_EXPECT_EQ(test, least,
					rpcrdma_credit_grant(asked, other));
		}
	}
}

static struct kunit_case rpcrdma_credit_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_credit_table, rpcrdma_credit_gen_params),
	KUNIT_CASE(rpcrdma_credits_levels),
	KUNIT_CASE(rpcrdma_credits_new_connection),
	KUNIT_CASE(rpcrdma_credits_left),
	KUNIT_CASE(rpcrdma_credits_late_replies),
	KUNIT_CASE(rpcrdma_credit_all),
	{}
};

static struct kunit_suite rpcrdma_credit_test_suite = {
	.name		= "rpcrdma_credit",
	.test_cases	= rpcrdma_credit_test_cases,
};

kunit_test_suite(rpcrdma_credit_test_suite);
