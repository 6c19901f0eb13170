// SPDX-License-Identifier: GPL-2.0-only
/*
 * States of a connection: the whole table.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/module.h>
#include <rpcrdma/state.h>

/* Row: from, column: to; order of enum rpcrdma_state */
static const bool rpcrdma_state_legal[RPCRDMA_S_COUNT][RPCRDMA_S_COUNT] = {
	/*		  new res'g res'd con'g est cl'g cl'd */
	/* new */	{ 0, 1, 1, 0, 0, 1, 0 },
	/* resolving */	{ 0, 0, 1, 0, 0, 1, 0 },
	/* resolved */	{ 0, 0, 0, 1, 0, 1, 0 },
	/* connecting */{ 0, 0, 0, 0, 1, 1, 0 },
	/* established*/{ 0, 0, 0, 0, 0, 1, 0 },
	/* closing */	{ 0, 0, 0, 0, 0, 0, 1 },
	/* closed */	{ 0, 0, 0, 0, 0, 0, 0 },
};

static void rpcrdma_state_table(struct kunit *test)
{
	int from, to;

	for (from = 0; from < RPCRDMA_S_COUNT; from++)
		for (to = 0; to < RPCRDMA_S_COUNT; to++)
			KUNIT_EXPECT_EQ_MSG(test,
					    rpcrdma_state_legal[from][to],
					    rpcrdma_state_may_move(from, to),
					    "%s to %s",
					    rpcrdma_state_name(from),
					    rpcrdma_state_name(to));
}

static void rpcrdma_state_outside(struct kunit *test)
{
	int i;

	for (i = -1; i <= RPCRDMA_S_COUNT; i++) {
		KUNIT_EXPECT_FALSE(test, rpcrdma_state_may_move(i, -1));
		KUNIT_EXPECT_FALSE(test, rpcrdma_state_may_move(-1, i));
		KUNIT_EXPECT_FALSE(test,
				   rpcrdma_state_may_move(i, RPCRDMA_S_COUNT));
		KUNIT_EXPECT_FALSE(test,
				   rpcrdma_state_may_move(RPCRDMA_S_COUNT, i));
	}
}

/* From every state down to Closed, and never out of it */
static void rpcrdma_state_ends(struct kunit *test)
{
	int from;

	for (from = 0; from < RPCRDMA_S_CLOSING; from++) {
		KUNIT_EXPECT_TRUE(test,
				  rpcrdma_state_may_move(from,
							 RPCRDMA_S_CLOSING));
		KUNIT_EXPECT_FALSE(test,
				   rpcrdma_state_may_move(from,
							  RPCRDMA_S_CLOSED));
	}
	/* of two who close, one wins */
	KUNIT_EXPECT_FALSE(test, rpcrdma_state_may_move(RPCRDMA_S_CLOSING,
							RPCRDMA_S_CLOSING));
}

static void rpcrdma_state_names(struct kunit *test)
{
	int i, j;

	for (i = 0; i < RPCRDMA_S_COUNT; i++)
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, rpcrdma_state_name(i),
					    rpcrdma_state_name(j));
	KUNIT_EXPECT_STREQ(test, "unknown", rpcrdma_state_name(-1));
	KUNIT_EXPECT_STREQ(test, "unknown",
			   rpcrdma_state_name(RPCRDMA_S_COUNT));
}

static struct kunit_case rpcrdma_state_test_cases[] = {
	KUNIT_CASE(rpcrdma_state_table),
	KUNIT_CASE(rpcrdma_state_outside),
	KUNIT_CASE(rpcrdma_state_ends),
	KUNIT_CASE(rpcrdma_state_names),
	{}
};

static struct kunit_suite rpcrdma_state_test_suite = {
	.name		= "rpcrdma_state",
	.test_cases	= rpcrdma_state_test_cases,
};

kunit_test_suite(rpcrdma_state_test_suite);

RPCRDMA_IMPORT_KUNIT_SYMBOLS;
