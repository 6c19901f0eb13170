// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters, histograms and their names.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <rpcrdma/stats.h>

static struct rpcrdma_stats *rpcrdma_stats_new(struct kunit *test)
{
	struct rpcrdma_stats *stats = kunit_kzalloc(test, sizeof(*stats), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, stats);
	return stats;
}

static void rpcrdma_stats_count(struct kunit *test)
{
	struct rpcrdma_stats *stats = rpcrdma_stats_new(test);
	int i;

	for (i = 0; i < RPCRDMA_C_COUNT; i++)
		KUNIT_EXPECT_EQ(test, 0, rpcrdma_stats_read(stats, i));
	for (i = 0; i < RPCRDMA_R_COUNT; i++)
		KUNIT_EXPECT_EQ(test, 0, rpcrdma_stats_read_refused(stats, i));

	for (i = 0; i < RPCRDMA_C_COUNT; i++) {
		rpcrdma_count(stats, i);
		rpcrdma_count_add(stats, i, (u64)i << 32);
	}
	for (i = 0; i < RPCRDMA_R_COUNT; i++) {
		if (i % 3 == 0)
			rpcrdma_count_refused(stats, i);
	}

	for (i = 0; i < RPCRDMA_C_COUNT; i++)
		KUNIT_EXPECT_EQ(test, ((u64)i << 32) + 1,
				rpcrdma_stats_read(stats, i));
	for (i = 0; i < RPCRDMA_R_COUNT; i++)
		KUNIT_EXPECT_EQ(test, i % 3 == 0,
				rpcrdma_stats_read_refused(stats, i));
}

#define RPCRDMA_STATS_ROUNDS	200000

/*
 * struct rpcrdma_stats_counter - a work item that counts
 * @work:  the work item
 * @stats: set that others count in at the same time
 */
struct rpcrdma_stats_counter {
	struct work_struct	work;
	struct rpcrdma_stats	*stats;
};

static void rpcrdma_stats_count_much(struct work_struct *work)
{
	struct rpcrdma_stats *stats =
		container_of(work, struct rpcrdma_stats_counter, work)->stats;
	int i;

	for (i = 0; i < RPCRDMA_STATS_ROUNDS; i++) {
		rpcrdma_count(stats, RPCRDMA_C_SENDS);
		rpcrdma_count_add(stats, RPCRDMA_C_READ_BYTES, 3);
		rpcrdma_count_refused(stats, RPCRDMA_R_XID);
		/* Begun at boot */
		rpcrdma_latency_end(stats, RPCRDMA_L_POST, 1);
		if (i % 1000 == 0)
			cond_resched();
	}
}

/* All that is counted on several CPUs at the same time is in the values */
static void rpcrdma_stats_parallel(struct kunit *test)
{
	struct rpcrdma_stats *stats = rpcrdma_stats_new(test);
	unsigned int i, ncounters = 2 * num_online_cpus();
	const u64 want = (u64)ncounters * RPCRDMA_STATS_ROUNDS;
	struct rpcrdma_stats_counter *counters;
	struct workqueue_struct *wq;
	u64 times = 0;

	counters = kunit_kcalloc(test, ncounters, sizeof(*counters), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, counters);
	wq = alloc_workqueue("rpcrdma_stats_test", WQ_UNBOUND, 0);
	KUNIT_ASSERT_NOT_NULL(test, wq);
	for (i = 0; i < ncounters; i++) {
		counters[i].stats = stats;
		INIT_WORK(&counters[i].work, rpcrdma_stats_count_much);
		queue_work(wq, &counters[i].work);
	}
	destroy_workqueue(wq);

	KUNIT_EXPECT_EQ(test, want, rpcrdma_stats_read(stats, RPCRDMA_C_SENDS));
	KUNIT_EXPECT_EQ(test, 3 * want,
			rpcrdma_stats_read(stats, RPCRDMA_C_READ_BYTES));
	KUNIT_EXPECT_EQ(test, want,
			rpcrdma_stats_read_refused(stats, RPCRDMA_R_XID));
	for (i = 0; i < RPCRDMA_LATENCY_BUCKETS; i++)
		times += rpcrdma_latency_read(stats, RPCRDMA_L_POST, i);
	KUNIT_EXPECT_EQ(test, want, times);
}

static void rpcrdma_stats_names(struct kunit *test)
{
	int i, j;

	for (i = 0; i < RPCRDMA_C_COUNT; i++) {
		KUNIT_EXPECT_STRNEQ(test, "unknown", rpcrdma_counter_name(i));
		KUNIT_EXPECT_LT(test, strlen(rpcrdma_counter_name(i)),
				(size_t)RPCRDMA_NAME_SIZE);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, rpcrdma_counter_name(i),
					    rpcrdma_counter_name(j));
	}
	for (i = 0; i < RPCRDMA_R_COUNT; i++)
		KUNIT_EXPECT_LT(test, strlen(rpcrdma_reason_name(i)),
				(size_t)RPCRDMA_NAME_SIZE);
	KUNIT_EXPECT_STREQ(test, "unknown", rpcrdma_counter_name(-1));
	KUNIT_EXPECT_STREQ(test, "unknown",
			   rpcrdma_counter_name(RPCRDMA_C_COUNT));
}

static void rpcrdma_stats_folded(struct kunit *test)
{
	struct rpcrdma_stats *into = rpcrdma_stats_new(test);
	struct rpcrdma_stats *from = rpcrdma_stats_new(test);

	rpcrdma_count_add(into, RPCRDMA_C_SENDS, 5);
	rpcrdma_count_add(from, RPCRDMA_C_SENDS, 1ULL << 32);
	rpcrdma_count_refused(from, RPCRDMA_R_XID);
	rpcrdma_stats_fold(into, from);
	KUNIT_EXPECT_EQ(test, (1ULL << 32) + 5,
			rpcrdma_stats_read(into, RPCRDMA_C_SENDS));
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_stats_read(into, RPCRDMA_C_RECVS));
	KUNIT_EXPECT_EQ(test, 1,
			rpcrdma_stats_read_refused(into, RPCRDMA_R_XID));
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
	struct rpcrdma_stats *stats = rpcrdma_stats_new(test);
	unsigned int i;
	u64 sum = 0;

	/* no one wanted to know when it began */
	KUNIT_EXPECT_EQ(test, 0,
			rpcrdma_latency_end(stats, RPCRDMA_L_SENDQ, 0));
	KUNIT_EXPECT_GE(test,
			rpcrdma_latency_end(stats, RPCRDMA_L_SENDQ,
					    ktime_get_ns() - NSEC_PER_MSEC),
			NSEC_PER_MSEC);
	for (i = 0; i < RPCRDMA_LATENCY_BUCKETS; i++)
		sum += rpcrdma_latency_read(stats, RPCRDMA_L_SENDQ, i);
	KUNIT_EXPECT_EQ(test, 1, sum);
	for (i = 0; i < rpcrdma_latency_bucket(NSEC_PER_MSEC); i++)
		KUNIT_EXPECT_EQ(test, 0,
				rpcrdma_latency_read(stats, RPCRDMA_L_SENDQ,
						     i));
}

static struct kunit_case rpcrdma_stats_test_cases[] = {
	KUNIT_CASE(rpcrdma_stats_count),
	KUNIT_CASE(rpcrdma_stats_parallel),
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
