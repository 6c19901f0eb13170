// SPDX-License-Identifier: GPL-2.0-only
/*
 * When a silent peer is sent a keepalive, and when it counts as dead.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/module.h>
#include <rpcrdma/keepalive.h>

/* Looks until the peer is called dead; 0 if it is not within @most looks */
static unsigned int rpcrdma_keepalive_looks(struct rpcrdma_keepalive_plan *plan,
					    u32 heard, unsigned int most)
{
	bool in_progress = false;
	unsigned int look;

	for (look = 1; look <= most; look++) {
		switch (rpcrdma_keepalive_look(plan, heard, in_progress)) {
		case RPCRDMA_KEEPALIVE_SEND:
			in_progress = true;
			break;
		case RPCRDMA_KEEPALIVE_DEAD:
			return look;
		default:
			break;
		}
	}
	return 0;
}

/* The peer dies right after it was heard for the last time, after a look */
static void rpcrdma_keepalive_worst(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;

	rpcrdma_keepalive_begin(&plan, 7);
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_LOOKS,
			rpcrdma_keepalive_looks(&plan, 8, 100));
}

/* It has been silent for a while, and dies before a look */
static void rpcrdma_keepalive_best(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;

	rpcrdma_keepalive_begin(&plan, 7);
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_LOOKS - 1,
			rpcrdma_keepalive_looks(&plan, 7, 100));
}

/* A peer that is heard between any two looks is sent no keepalive */
static void rpcrdma_keepalive_busy(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;
	u32 heard = U32_MAX - 50;
	unsigned int i;

	rpcrdma_keepalive_begin(&plan, heard);
	for (i = 0; i < 100; i++)
		KUNIT_ASSERT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
				rpcrdma_keepalive_look(&plan, ++heard, false));
}

/* An idle peer that answers each keepalive, however late, never counts as dead */
static void rpcrdma_keepalive_answers(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;
	u32 heard = U32_MAX - 50;
	unsigned int i, late;

	rpcrdma_keepalive_begin(&plan, heard);
	for (late = 0; late < RPCRDMA_KEEPALIVE_LOOKS - 2; late++) {
		for (i = 0; i < 100; i++) {
			unsigned int look;

			KUNIT_ASSERT_EQ(test, RPCRDMA_KEEPALIVE_SEND,
					rpcrdma_keepalive_look(&plan, heard,
							       false));
			for (look = 0; look < late; look++)
				KUNIT_ASSERT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
						rpcrdma_keepalive_look(&plan,
								       heard,
								       true));
			KUNIT_ASSERT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
					rpcrdma_keepalive_look(&plan, ++heard,
							       false));
		}
	}
}

/* Messages in front of a queued keepalive are signs of life too */
static void rpcrdma_keepalive_slow(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;
	unsigned int i;

	rpcrdma_keepalive_begin(&plan, 0);
	KUNIT_ASSERT_EQ(test, RPCRDMA_KEEPALIVE_SEND,
			rpcrdma_keepalive_look(&plan, 0, false));
	for (i = 1; i < 100; i++)
		KUNIT_ASSERT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
				rpcrdma_keepalive_look(&plan, i, true));
	KUNIT_EXPECT_NE(test, 0, rpcrdma_keepalive_looks(&plan, i - 1, 100));
}

/* While a keepalive is in the send queue, no other one is sent */
static void rpcrdma_keepalive_queued(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;

	rpcrdma_keepalive_begin(&plan, 0);
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_SEND,
			rpcrdma_keepalive_look(&plan, 0, false));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
			rpcrdma_keepalive_look(&plan, 1, true));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
			rpcrdma_keepalive_look(&plan, 1, true));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
			rpcrdma_keepalive_look(&plan, 1, true));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_DEAD,
			rpcrdma_keepalive_look(&plan, 1, true));
	/* and stays so until it is heard */
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_DEAD,
			rpcrdma_keepalive_look(&plan, 1, true));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
			rpcrdma_keepalive_look(&plan, 2, true));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_SEND,
			rpcrdma_keepalive_look(&plan, 2, false));
}

/* One that the plan has not sent leaves the peer as much time to respond */
static void rpcrdma_keepalive_not_ours(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;
	unsigned int look;

	rpcrdma_keepalive_begin(&plan, 0);
	for (look = 1; look < RPCRDMA_KEEPALIVE_LOOKS - 1; look++)
		KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
				rpcrdma_keepalive_look(&plan, 0, look == 1));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_DEAD,
			rpcrdma_keepalive_look(&plan, 0, false));
}

/* A keepalive that completed is no answer on Soft-iWARP: TCP has only taken it */
static void rpcrdma_keepalive_taken(struct kunit *test)
{
	struct rpcrdma_keepalive_plan plan;
	unsigned int keepalives = 0, look = 0;
	enum rpcrdma_keepalive_step step;

	rpcrdma_keepalive_begin(&plan, 7);
	do {
		step = rpcrdma_keepalive_look(&plan, 7, false);
		keepalives += step == RPCRDMA_KEEPALIVE_SEND;
	} while (step != RPCRDMA_KEEPALIVE_DEAD && ++look < 100);
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_DEAD, step);
	KUNIT_EXPECT_EQ(test, 1, keepalives);
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_WAIT,
			rpcrdma_keepalive_look(&plan, 8, false));
	KUNIT_EXPECT_EQ(test, RPCRDMA_KEEPALIVE_SEND,
			rpcrdma_keepalive_look(&plan, 8, false));
}

/* All looks together take no longer than the time that was set */
static void rpcrdma_keepalive_time(struct kunit *test)
{
	unsigned int seconds;

	for (seconds = 1; seconds <= RPCRDMA_KEEPALIVE_MAX; seconds++) {
		unsigned int within = rpcrdma_keepalive_timeout_ms(seconds, 0, 0);
		unsigned int interval = rpcrdma_keepalive_interval(within);

		KUNIT_ASSERT_EQ(test, within, seconds * 1000);
		KUNIT_ASSERT_LE(test, RPCRDMA_KEEPALIVE_LOOKS * interval, within);
		KUNIT_ASSERT_GE(test, interval, 250);
	}
	KUNIT_EXPECT_LE(test, RPCRDMA_KEEPALIVE_DEFAULT, 10);
}

/* A connection may want to know sooner, but not later, and not if keepalives are off */
static void rpcrdma_keepalive_sooner(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 1500, rpcrdma_keepalive_timeout_ms(10, 1500, 0));
	KUNIT_EXPECT_EQ(test, 1000, rpcrdma_keepalive_timeout_ms(1, 1500, 0));
	KUNIT_EXPECT_EQ(test, 2000, rpcrdma_keepalive_timeout_ms(2, 2000, 0));
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_keepalive_timeout_ms(0, 1500, 0));
	KUNIT_EXPECT_EQ(test, 25, rpcrdma_keepalive_interval(100));
}

/* One lost packet is no dead peer, whatever the administrator has set */
static void rpcrdma_keepalive_lost_packet(struct kunit *test)
{
	unsigned int ack_timeout;

	KUNIT_EXPECT_EQ(test, 0, rpcrdma_keepalive_min_ms(0));
	for (ack_timeout = 1; ack_timeout <= 31; ack_timeout++) {
		u64 us = 4096ULL * BIT(ack_timeout) / 1000;
		u64 least = rpcrdma_keepalive_min_ms(ack_timeout) * 1000ULL;

		/* Both of the packets, and a quarter; or all of it is less than a look */
		KUNIT_EXPECT_GE(test, least + 4000, us * 5 / 2);
		KUNIT_EXPECT_LE(test, least, us * 5 / 2 + us / 100);
	}
	KUNIT_EXPECT_EQ(test, 1342, rpcrdma_keepalive_min_ms(17));
	KUNIT_EXPECT_EQ(test, 2685, rpcrdma_keepalive_timeout_ms(10, 1500, 2685));
	KUNIT_EXPECT_EQ(test, 1500, rpcrdma_keepalive_timeout_ms(10, 1500, 1342));
	KUNIT_EXPECT_EQ(test, 1000, rpcrdma_keepalive_timeout_ms(1, 1500, 2685));
	KUNIT_EXPECT_EQ(test, 10000, rpcrdma_keepalive_timeout_ms(10, 0, 20000));
}

static struct kunit_case rpcrdma_keepalive_test_cases[] = {
	KUNIT_CASE(rpcrdma_keepalive_worst),
	KUNIT_CASE(rpcrdma_keepalive_best),
	KUNIT_CASE(rpcrdma_keepalive_busy),
	KUNIT_CASE(rpcrdma_keepalive_answers),
	KUNIT_CASE(rpcrdma_keepalive_slow),
	KUNIT_CASE(rpcrdma_keepalive_queued),
	KUNIT_CASE(rpcrdma_keepalive_not_ours),
	KUNIT_CASE(rpcrdma_keepalive_taken),
	KUNIT_CASE(rpcrdma_keepalive_time),
	KUNIT_CASE(rpcrdma_keepalive_sooner),
	KUNIT_CASE(rpcrdma_keepalive_lost_packet),
	{}
};

static struct kunit_suite rpcrdma_keepalive_test_suite = {
	.name		= "rpcrdma_keepalive",
	.test_cases	= rpcrdma_keepalive_test_cases,
};

kunit_test_suite(rpcrdma_keepalive_test_suite);

RPCRDMA_IMPORT_KUNIT_SYMBOLS;
