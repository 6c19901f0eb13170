// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters, their names, and the texts of reasons.
 */
#include <kunit/test.h>
#include <linux/preempt.h>
#include <rpcrdma/stats.h>

static void rpcrdma_stats_count(struct kunit *test)
{
	struct rpcrdma_stats stats;
	int i;

	KUNIT_ASSERT_EQ(test, 0, rpcrdma_stats_init(&stats));
	for (i = 0; i < RPCRDMA_C_COUNT; i++)
		KUNIT_EXPECT_EQ(test, 0, rpcrdma_stats_read(&stats, i));
	for (i = 0; i < RPCRDMA_R_COUNT; i++)
		KUNIT_EXPECT_EQ(test, 0, rpcrdma_stats_read_refused(&stats, i));

	for (i = 0; i < RPCRDMA_C_COUNT; i++) {
		rpcrdma_count(&stats, i);
		rpcrdma_count_add(&stats, i, (u64)i << 32);
	}
	for (i = 0; i < RPCRDMA_R_COUNT; i++) {
		if (i % 3 == 0)
			rpcrdma_count_refused(&stats, i);
	}

	for (i = 0; i < RPCRDMA_C_COUNT; i++)
		KUNIT_EXPECT_EQ(test, ((u64)i << 32) + 1,
				rpcrdma_stats_read(&stats, i));
	for (i = 0; i < RPCRDMA_R_COUNT; i++)
		KUNIT_EXPECT_EQ(test, i % 3 == 0,
				rpcrdma_stats_read_refused(&stats, i));

	rpcrdma_stats_destroy(&stats);
	rpcrdma_stats_destroy(&stats);
}

/* The value is the sum of what each CPU has */
static void rpcrdma_stats_sum(struct kunit *test)
{
	struct rpcrdma_stats stats;
	u64 want = 0;
	int cpu;

	KUNIT_ASSERT_EQ(test, 0, rpcrdma_stats_init(&stats));
	for_each_possible_cpu(cpu) {
		per_cpu_ptr(stats.cpu, cpu)->counter[RPCRDMA_C_SENDS] = 7;
		per_cpu_ptr(stats.cpu, cpu)->refused[RPCRDMA_R_XID] = 7;
		want += 7;
	}
	KUNIT_EXPECT_EQ(test, want,
			rpcrdma_stats_read(&stats, RPCRDMA_C_SENDS));
	KUNIT_EXPECT_EQ(test, want,
			rpcrdma_stats_read_refused(&stats, RPCRDMA_R_XID));
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_stats_read(&stats, RPCRDMA_C_RECVS));
	rpcrdma_stats_destroy(&stats);
}

static void rpcrdma_stats_names(struct kunit *test)
{
	int i, j;

	for (i = 0; i < RPCRDMA_C_COUNT; i++) {
		KUNIT_EXPECT_STRNEQ(test, "unknown", rpcrdma_counter_name(i));
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, rpcrdma_counter_name(i),
					    rpcrdma_counter_name(j));
	}
	KUNIT_EXPECT_STREQ(test, "unknown", rpcrdma_counter_name(-1));
	KUNIT_EXPECT_STREQ(test, "unknown",
			   rpcrdma_counter_name(RPCRDMA_C_COUNT));
}

static void rpcrdma_stats_reasons(struct kunit *test)
{
	int i, j;

	for (i = 0; i < RPCRDMA_R_COUNT; i++) {
		KUNIT_EXPECT_STRNEQ(test, "unknown reason",
				    rpcrdma_reason_text(i));
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, rpcrdma_reason_text(i),
					    rpcrdma_reason_text(j));
	}
	KUNIT_EXPECT_STREQ(test, "unknown reason", rpcrdma_reason_text(-1));
	KUNIT_EXPECT_STREQ(test, "unknown reason",
			   rpcrdma_reason_text(RPCRDMA_R_COUNT));
}

static struct kunit_case rpcrdma_stats_test_cases[] = {
	KUNIT_CASE(rpcrdma_stats_count),
	KUNIT_CASE(rpcrdma_stats_sum),
	KUNIT_CASE(rpcrdma_stats_names),
	KUNIT_CASE(rpcrdma_stats_reasons),
	{}
};

static struct kunit_suite rpcrdma_stats_test_suite = {
	.name		= "rpcrdma_stats",
	.test_cases	= rpcrdma_stats_test_cases,
};

kunit_test_suite(rpcrdma_stats_test_suite);
