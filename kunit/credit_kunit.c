// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credit arithmetic.
 */
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

/* V1-CRED-07, T-16, V1-CRED-16: levels: the same grant again, or a smaller one, replaces the old */
static void rpcrdma_credit_level(struct kunit *test)
{
	static const u32 grants[] = { 32, 32, 32, 8, 0, 64, 32 };
	static const u32 windows[] = { 32, 32, 32, 8, 1, 48, 32 };
	u32 window = RPCRDMA_V1_FIRST_CREDIT;
	int i;

	for (i = 0; i < ARRAY_SIZE(grants); i++) {
		window = rpcrdma_credit_window(48, grants[i]);
		KUNIT_EXPECT_EQ(test, windows[i], window);
	}
}

/* BI-CRED-08, V1-CRED-04: a Call that was given up is still unanswered */
static void rpcrdma_credit_late(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 16U, rpcrdma_credit_left(16, 0));
	KUNIT_EXPECT_EQ(test, 1U, rpcrdma_credit_left(16, 15));
	KUNIT_EXPECT_EQ(test, 0U, rpcrdma_credit_left(16, 16));
	/* The grant has shrunk since (T-17) */
	KUNIT_EXPECT_EQ(test, 0U, rpcrdma_credit_left(2, 16));
	KUNIT_EXPECT_EQ(test, 0U, rpcrdma_credit_left(1, U32_MAX));
	KUNIT_EXPECT_EQ(test, 1U, rpcrdma_credit_left(U32_MAX, U32_MAX - 1));
}

/* V1-CRED-05, V1-CRED-06, T-18, T-19: every pair of small values */
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
	KUNIT_CASE(rpcrdma_credit_level),
	KUNIT_CASE(rpcrdma_credit_late),
	KUNIT_CASE(rpcrdma_credit_all),
	{}
};

static struct kunit_suite rpcrdma_credit_test_suite = {
	.name		= "rpcrdma_credit",
	.test_cases	= rpcrdma_credit_test_cases,
};

kunit_test_suite(rpcrdma_credit_test_suite);
