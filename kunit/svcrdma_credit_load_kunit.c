// SPDX-License-Identifier: GPL-2.0-only
/*
 * The credits of a client by its load: growing, shrinking, and random clients that keep to
 * what they were told.
 */
#include <compat/kunit.h>
#include <kunit/visibility.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include "support.h"
#include "../svcrdma/protocol/credit_load.h"

#define SVCRDMA_TEST_LEAST	8
#define SVCRDMA_TEST_MOST	64
#define SVCRDMA_LOAD_SEED	0x10ad

/* Adds all Receives that are asked for */
static void svcrdma_test_grow(struct svcrdma_credit_load *load)
{
	svcrdma_load_grow(load, svcrdma_load_lacks(load));
}

static void svcrdma_load_grows(struct kunit *test)
{
	static const u32 steps[] = { 16, 32, 64, 64 };
	struct svcrdma_credit_load load;
	unsigned int i;

	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 8);
	KUNIT_EXPECT_EQ(test, 8, load.credits);
	/* Before the first answer a client may have one Call: RFC 8166 3.3.3 (V1-CRED-12) */
	KUNIT_EXPECT_FALSE(test, svcrdma_load_call(&load, 1, 0));
	KUNIT_EXPECT_TRUE(test, svcrdma_load_call(&load, 2, 0));
	KUNIT_EXPECT_FALSE(test, svcrdma_load_call(&load, 7, 8));
	KUNIT_EXPECT_TRUE(test, svcrdma_load_call(&load, 8, 8));
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		svcrdma_test_grow(&load);
		KUNIT_EXPECT_EQ(test, steps[i], load.credits);
		KUNIT_EXPECT_EQ(test, steps[i], load.receives);
		KUNIT_EXPECT_FALSE(test, svcrdma_load_retire(&load));
	}
	KUNIT_EXPECT_FALSE(test, svcrdma_load_call(&load, 64, 64));
}

/* No credit without a Receive: RFC 8166 3.3.1 (V1-CRED-09) */
static void svcrdma_load_short_of_memory(struct kunit *test)
{
	struct svcrdma_credit_load load;

	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 8);
	svcrdma_load_grow(&load, 0);
	KUNIT_EXPECT_EQ(test, 8, load.credits);
	svcrdma_load_grow(&load, 3);
	KUNIT_EXPECT_EQ(test, 11, load.credits);
	KUNIT_EXPECT_EQ(test, 11, svcrdma_load_lacks(&load));
	/* A connection may begin with fewer than the least, and grows like all */
	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 4);
	svcrdma_load_look(&load, 0, 4);
	KUNIT_EXPECT_EQ(test, 4, load.credits);
	svcrdma_test_grow(&load);
	KUNIT_EXPECT_EQ(test, 8, load.credits);
	/* The most is what counts if the least is more */
	svcrdma_load_init(&load, 100, SVCRDMA_TEST_MOST, SVCRDMA_TEST_MOST);
	KUNIT_EXPECT_EQ(test, SVCRDMA_TEST_MOST, load.least);
}

static void svcrdma_load_shrinks(struct kunit *test)
{
	struct svcrdma_credit_load load;
	unsigned int i;

	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 64);
	svcrdma_load_call(&load, 20, 64);
	svcrdma_load_look(&load, 0, 64);
	KUNIT_EXPECT_EQ(test, 40, load.credits);
	/* What hangs counts as used */
	svcrdma_load_look(&load, 10, 64);
	KUNIT_EXPECT_EQ(test, 20, load.credits);
	svcrdma_load_look(&load, 0, 64);
	KUNIT_EXPECT_EQ(test, SVCRDMA_TEST_LEAST, load.credits);

	/* The client does not know it yet: all Receives stay: RFC 8166 3.3.1 (V1-CRED-07) */
	for (i = 0; i < 5; i++)
		svcrdma_load_look(&load, 0, 64);
	KUNIT_EXPECT_FALSE(test, svcrdma_load_retire(&load));
	/* It was told, and two looks later it has had the answer */
	svcrdma_load_look(&load, 0, 8);
	svcrdma_load_look(&load, 0, 8);
	KUNIT_EXPECT_FALSE(test, svcrdma_load_retire(&load));
	svcrdma_load_look(&load, 0, 8);
	svcrdma_load_look(&load, 0, 8);
	for (i = 0; i < 64 - 8; i++) {
		KUNIT_EXPECT_TRUE(test, svcrdma_load_surplus(&load));
		KUNIT_EXPECT_TRUE(test, svcrdma_load_retire(&load));
	}
	KUNIT_EXPECT_FALSE(test, svcrdma_load_surplus(&load));
	KUNIT_EXPECT_FALSE(test, svcrdma_load_retire(&load));
	KUNIT_EXPECT_EQ(test, 8, load.receives);
}

/* Receives that were to be retired are used again */
static void svcrdma_load_grows_again(struct kunit *test)
{
	struct svcrdma_credit_load load;
	unsigned int i;

	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 64);
	for (i = 0; i < 4; i++)
		svcrdma_load_look(&load, 0, 8);
	KUNIT_EXPECT_TRUE(test, svcrdma_load_retire(&load));
	KUNIT_EXPECT_TRUE(test, svcrdma_load_call(&load, 8, 8));
	KUNIT_EXPECT_EQ(test, 0, svcrdma_load_lacks(&load));
	svcrdma_test_grow(&load);
	KUNIT_EXPECT_EQ(test, 16, load.credits);
	KUNIT_EXPECT_EQ(test, 63, load.receives);
	KUNIT_EXPECT_FALSE(test, svcrdma_load_retire(&load));
}

/* Looks at an idle client that was told @told */
static void svcrdma_test_idle(struct svcrdma_credit_load *load, u32 told,
			      unsigned int looks)
{
	while (looks--)
		svcrdma_load_look(load, 0, told);
}

/* Two looks at a client that knows the smaller grant: RFC 8166 3.3.1 (V1-CRED-07) */
static void svcrdma_load_waits_for_client(struct kunit *test)
{
	struct svcrdma_credit_load load;

	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 64);
	svcrdma_test_idle(&load, 64, 1);
	svcrdma_test_idle(&load, 8, 2);
	KUNIT_EXPECT_FALSE(test, svcrdma_load_surplus(&load));
	/* There was no answer, or one with the old grant: from the beginning */
	svcrdma_test_idle(&load, 0, 1);
	svcrdma_test_idle(&load, 8, 2);
	KUNIT_EXPECT_FALSE(test, svcrdma_load_surplus(&load));
	svcrdma_test_idle(&load, 64, 1);
	svcrdma_test_idle(&load, 8, 2);
	KUNIT_EXPECT_FALSE(test, svcrdma_load_surplus(&load));
	svcrdma_test_idle(&load, 8, 1);
	KUNIT_EXPECT_TRUE(test, svcrdma_load_surplus(&load));
	/* The same after it has grown: 64 Receives and 16 credits, then 8 */
	svcrdma_test_grow(&load);
	svcrdma_test_idle(&load, 16, 1);
	svcrdma_test_idle(&load, 8, 2);
	KUNIT_EXPECT_FALSE(test, svcrdma_load_surplus(&load));
	svcrdma_test_idle(&load, 8, 1);
	KUNIT_EXPECT_TRUE(test, svcrdma_load_surplus(&load));
}

/* A client that was told less than the grant has even fewer Calls */
static void svcrdma_load_told_less(struct kunit *test)
{
	struct svcrdma_credit_load load;
	unsigned int i;

	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 64);
	svcrdma_test_idle(&load, 64, 1);
	svcrdma_test_grow(&load);
	for (i = 0; i < 3; i++)
		svcrdma_load_look(&load, 8, 8);
	KUNIT_EXPECT_EQ(test, 16, load.credits);
	KUNIT_EXPECT_TRUE(test, svcrdma_load_surplus(&load));
}

/* Nothing of what was used before a look counts after it */
static void svcrdma_load_forgets(struct kunit *test)
{
	struct svcrdma_credit_load load;

	svcrdma_load_init(&load, 1, SVCRDMA_TEST_MOST, 64);
	svcrdma_load_call(&load, 64, 64);
	svcrdma_test_idle(&load, 64, 1);
	KUNIT_EXPECT_EQ(test, 64, load.credits);
	svcrdma_test_idle(&load, 64, 1);
	KUNIT_EXPECT_EQ(test, 1, load.credits);
	svcrdma_test_grow(&load);
	svcrdma_test_idle(&load, 2, 1);
	KUNIT_EXPECT_EQ(test, 1, load.credits);
}

/*
 * A client with any load, which has what it was told at the look before, at the latest:
 * whatever it sends has a Receive.
 */
static void svcrdma_load_random(struct kunit *test)
{
	struct svcrdma_credit_load load;
	u32 told = 8, known = 8, calls;
	struct rnd_state rnd;
	unsigned int i, n;

	prandom_seed_state(&rnd, SVCRDMA_LOAD_SEED);
	svcrdma_load_init(&load, SVCRDMA_TEST_LEAST, SVCRDMA_TEST_MOST, 8);
	for (i = 0; i < 20000; i++) {
		/* Loads last for a while */
		u32 busy = (i / 64) % 3 ? 3 : SVCRDMA_TEST_MOST;

		calls = prandom_u32_state(&rnd) % min(known, busy) + 1;
		KUNIT_ASSERT_LE(test, calls, load.receives);
		if (svcrdma_load_call(&load, calls, known))
			svcrdma_load_grow(&load, prandom_u32_state(&rnd) %
					  (svcrdma_load_lacks(&load) + 1));
		for (n = 0; n < calls; n++)
			svcrdma_load_retire(&load);
		KUNIT_ASSERT_GE(test, load.receives, load.credits);
		KUNIT_ASSERT_LE(test, load.receives, SVCRDMA_TEST_MOST);
		known = told;
		told = load.credits;
		if (i % 4 == 0)
			svcrdma_load_look(&load, 0, told);
	}
}

static struct kunit_case svcrdma_credit_load_tests[] = {
	KUNIT_CASE(svcrdma_load_grows),
	KUNIT_CASE(svcrdma_load_short_of_memory),
	KUNIT_CASE(svcrdma_load_shrinks),
	KUNIT_CASE(svcrdma_load_grows_again),
	KUNIT_CASE(svcrdma_load_waits_for_client),
	KUNIT_CASE(svcrdma_load_told_less),
	KUNIT_CASE(svcrdma_load_forgets),
	KUNIT_CASE(svcrdma_load_random),
	{}
};

static struct kunit_suite svcrdma_credit_load_suite = {
	.name = "svcrdma_credit_load",
	.test_cases = svcrdma_credit_load_tests,
};

kunit_test_suite(svcrdma_credit_load_suite);
