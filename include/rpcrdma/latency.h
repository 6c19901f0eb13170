/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latency histograms. Counting is one atomic addition, like a counter. Reading the
 * clock costs more, so a static key turns it off (parameter latency_histograms of
 * rpcrdma).
 */
#ifndef _RPCRDMA_LATENCY_H
#define _RPCRDMA_LATENCY_H

#include <linux/bitops.h>
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* The first bucket ends at 1 << RPCRDMA_LATENCY_SHIFT ns, each other at twice that */
#define RPCRDMA_LATENCY_SHIFT	8
#define RPCRDMA_LATENCY_BUCKETS	28U

/* latency.c has their names */
enum rpcrdma_latency {
	RPCRDMA_L_POST,			/* post to completion */
	RPCRDMA_L_REGISTER,
	RPCRDMA_L_CREDIT,
	RPCRDMA_L_SENDQ,
	RPCRDMA_L_COUNT,
};

DECLARE_STATIC_KEY_TRUE(rpcrdma_latency_on);

/**
 * rpcrdma_latency_bucket - the bucket that counts a time
 * @ns: nanoseconds
 *
 * Context: any.
 * Return: its index, below RPCRDMA_LATENCY_BUCKETS.
 */
static inline unsigned int rpcrdma_latency_bucket(u64 ns)
{
	return min_t(unsigned int, fls64(ns >> RPCRDMA_LATENCY_SHIFT),
		     RPCRDMA_LATENCY_BUCKETS - 1);
}

/**
 * rpcrdma_latency_begin - read the clock at the start of an operation
 *
 * Context: any.
 * Return: nanoseconds, for rpcrdma_latency_end(); 0 if the histograms are off.
 */
static inline u64 rpcrdma_latency_begin(void)
{
	return static_branch_likely(&rpcrdma_latency_on) ? ktime_get_ns() : 0;
}

#endif /* _RPCRDMA_LATENCY_H */
