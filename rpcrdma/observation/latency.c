// SPDX-License-Identifier: GPL-2.0-only
/*
 * Latency histograms: the parameter that turns them on, their names, and reading them.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/moduleparam.h>
#include <rpcrdma/param.h>
#include <rpcrdma/stats.h>

/* On while the times are kept; follows the parameter latency_histograms */
struct static_key_true rpcrdma_latency_on = STATIC_KEY_TRUE_INIT;
EXPORT_SYMBOL_GPL(rpcrdma_latency_on);

static const char *const rpcrdma_latency_names[] = {
	[RPCRDMA_L_POST]	= "post_to_completion",
	[RPCRDMA_L_REGISTER]	= "registration",
	[RPCRDMA_L_CREDIT]	= "credit_wait",
	[RPCRDMA_L_SENDQ]	= "send_queue_wait",
};

static_assert(ARRAY_SIZE(rpcrdma_latency_names) == RPCRDMA_L_COUNT,
	      "the last histogram has no name");

static struct rpcrdma_param rpcrdma_latency_wanted = {
	.value	= 1,
	.max	= 1,
	.unit	= 1,
};

static int rpcrdma_latency_set(const char *text, const struct kernel_param *kp)
{
	int ret = rpcrdma_param_set(text, kp);

	if (ret)
		return ret;
	if (rpcrdma_param_value(&rpcrdma_latency_wanted))
		static_branch_enable(&rpcrdma_latency_on);
	else
		static_branch_disable(&rpcrdma_latency_on);
	return 0;
}

static const struct kernel_param_ops rpcrdma_latency_param_ops = {
	.set	= rpcrdma_latency_set,
	.get	= rpcrdma_param_get,
};

module_param_cb(latency_histograms, &rpcrdma_latency_param_ops,
		&rpcrdma_latency_wanted, 0644);
MODULE_PARM_DESC(latency_histograms, "Fill the latency histograms of all connections, at once (0 or 1, default 1)");

/**
 * rpcrdma_latency_name - name of a histogram
 * @which: histogram
 *
 * Context: any.
 * Return: a constant string.
 */
const char *rpcrdma_latency_name(enum rpcrdma_latency which)
{
	return rpcrdma_latency_names[which];
}

/**
 * rpcrdma_latency_read - value of a bucket
 * @stats: set of counters with the histogram
 * @which: histogram
 * @bucket: below RPCRDMA_LATENCY_BUCKETS
 *
 * Context: any.
 * Return: the value.
 */
u64 rpcrdma_latency_read(const struct rpcrdma_stats *stats,
			 enum rpcrdma_latency which, unsigned int bucket)
{
	return atomic64_read(&stats->latency[which][bucket]);
}
EXPORT_SYMBOL_GPL(rpcrdma_latency_read);

/**
 * rpcrdma_latency_end - count how long an operation has taken
 * @stats: set of counters
 * @which: histogram
 * @begun: from rpcrdma_latency_begin()
 *
 * Context: any.
 * Return: nanoseconds; 0 if @begun is 0.
 */
u64 rpcrdma_latency_end(struct rpcrdma_stats *stats, enum rpcrdma_latency which,
			u64 begun)
{
	u64 ns;

	if (!begun)
		return 0;
	ns = ktime_get_ns() - begun;
	atomic64_inc(&stats->latency[which][rpcrdma_latency_bucket(ns)]);
	return ns;
}
EXPORT_SYMBOL_GPL(rpcrdma_latency_end);
