// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters, histograms and their names.
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

static void rpcrdma_stats_folded(struct kunit *test)
{
	struct rpcrdma_stats into, from;

	KUNIT_ASSERT_EQ(test, 0, rpcrdma_stats_init(&into));
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_stats_init(&from));
	rpcrdma_count_add(&into, RPCRDMA_C_SENDS, 5);
	rpcrdma_count_add(&from, RPCRDMA_C_SENDS, 1ULL << 32);
	rpcrdma_count_refused(&from, RPCRDMA_R_XID);
	rpcrdma_stats_fold(&into, &from);
	KUNIT_EXPECT_EQ(test, (1ULL << 32) + 5,
			rpcrdma_stats_read(&into, RPCRDMA_C_SENDS));
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_stats_read(&into, RPCRDMA_C_RECVS));
	KUNIT_EXPECT_EQ(test, 1,
			rpcrdma_stats_read_refused(&into, RPCRDMA_R_XID));
	rpcrdma_stats_destroy(&from);
	rpcrdma_stats_destroy(&into);
}

/* Number i counts what takes less than 2^(i+8) ns, the last whatever takes longer */
static void rpcrdma_stats_buckets(struct kunit *test)
{
	int i, last = RPCRDMA_LATENCY_BUCKETS - 1;

	KUNIT_EXPECT_EQ(test, 0, rpcrdma_latency_bucket(0));
	for (i = 0; i < last; i++) {
		KUNIT_EXPECT_EQ(test, i,
				rpcrdma_latency_bucket((256ULL << i) - 1));
		KUNIT_EXPECT_EQ(test, i + 1,
				rpcrdma_latency_bucket(256ULL << i));
	}
	KUNIT_EXPECT_EQ(test, last, rpcrdma_latency_bucket(256ULL << last));
	KUNIT_EXPECT_EQ(test, last, rpcrdma_latency_bucket(U64_MAX));
}

static void rpcrdma_stats_latency(struct kunit *test)
{
	struct rpcrdma_stats stats;
	unsigned int i;
	u64 sum = 0;

	KUNIT_ASSERT_EQ(test, 0, rpcrdma_stats_init(&stats));
	/* no one wanted to know when it began */
	KUNIT_EXPECT_EQ(test, 0,
			rpcrdma_latency_end(&stats, RPCRDMA_L_SENDQ, 0));
	KUNIT_EXPECT_GE(test,
			rpcrdma_latency_end(&stats, RPCRDMA_L_SENDQ,
					    ktime_get_ns() - NSEC_PER_MSEC),
			NSEC_PER_MSEC);
	for (i = 0; i < RPCRDMA_LATENCY_BUCKETS; i++)
		sum += rpcrdma_latency_read(&stats, RPCRDMA_L_SENDQ, i);
	KUNIT_EXPECT_EQ(test, 1, sum);
	for (i = 0; i < rpcrdma_latency_bucket(NSEC_PER_MSEC); i++)
		KUNIT_EXPECT_EQ(test, 0,
				rpcrdma_latency_read(&stats, RPCRDMA_L_SENDQ,
						     i));
	rpcrdma_stats_destroy(&stats);
}

static struct kunit_case rpcrdma_stats_test_cases[] = {
	KUNIT_CASE(rpcrdma_stats_count),
	KUNIT_CASE(rpcrdma_stats_sum),
	KUNIT_CASE(rpcrdma_stats_names),
	KUNIT_CASE(rpcrdma_stats_folded),
	KUNIT_CASE(rpcrdma_stats_buckets),
	KUNIT_CASE(rpcrdma_stats_latency),
	{}
};

static struct kunit_suite rpcrdma_stats_test_suite = {
	.name		= "rpcrdma_stats",
	.test_cases	= rpcrdma_stats_test_cases,
};

kunit_test_suite(rpcrdma_stats_test_suite);
