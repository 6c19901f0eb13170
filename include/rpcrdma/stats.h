/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters. Each endpoint (endpoint.h) has one set. A client's transport keeps it over
 * all of its connections, so a reconnect does not reset it.
 *
 * They are not per CPU: a server with thousands of connections would have a set for each
 * of them and each possible CPU. Senders and completion handlers count at the same
 * time, so the values are atomic. Those that count in one connection share the
 * cache lines of its locks anyway.
 */
#ifndef _RPCRDMA_STATS_H
#define _RPCRDMA_STATS_H

#include <linux/atomic.h>
#include <rpcrdma/latency.h>
#include <rpcrdma/reason.h>

/* The name of a counter, reason or histogram is shorter, so that a page has room for all */
#define RPCRDMA_NAME_SIZE	32

/* stats.c has their names; KUnit checks that each has one */
enum rpcrdma_counter {
	RPCRDMA_C_CONNECTS,
	RPCRDMA_C_CLOSES,
	RPCRDMA_C_SENDS,
	RPCRDMA_C_SENDS_INV,
	RPCRDMA_C_RECVS,
	RPCRDMA_C_POSTS,
	RPCRDMA_C_COMPLETIONS,
	RPCRDMA_C_KEEPALIVES,
	RPCRDMA_C_SENDQ_WAITS,
	RPCRDMA_C_CALLS_INLINE,
	RPCRDMA_C_CALLS_LONG,
	RPCRDMA_C_REPLIES_INLINE,
	RPCRDMA_C_REPLIES_LONG,
	RPCRDMA_C_READ_CHUNKS,
	RPCRDMA_C_READ_BYTES,
	RPCRDMA_C_WRITE_CHUNKS,
	RPCRDMA_C_WRITE_BYTES,
	RPCRDMA_C_REPLY_CHUNKS,
	RPCRDMA_C_REPLY_BYTES,
	RPCRDMA_C_REGISTRATIONS,
	RPCRDMA_C_LOCAL_INVS,
	RPCRDMA_C_REMOTE_INVS,
	RPCRDMA_C_MRS_RECYCLED,
	RPCRDMA_C_MRS_ALLOCATED,
	RPCRDMA_C_MRS_EMPTY,
	RPCRDMA_C_MR_WAITS,
	RPCRDMA_C_PULLUP_BYTES,
	RPCRDMA_C_FIXUP_BYTES,
	RPCRDMA_C_ERRORS_SENT,
	RPCRDMA_C_ERRORS_RECEIVED,
	RPCRDMA_C_DROPPED,
	RPCRDMA_C_INEXACT,
	RPCRDMA_C_BC_CALLS,
	RPCRDMA_C_BC_REPLIES,
	RPCRDMA_C_FALLBACKS,
	RPCRDMA_C_VERSION_TIMEOUTS,
	RPCRDMA_C_RESENDS,
	RPCRDMA_C_READ_WAITS,
	RPCRDMA_C_TRANSFER_TIMEOUTS,
	RPCRDMA_C_FAILOVERS,
	RPCRDMA_C_BUSY_POLLS,
	RPCRDMA_C_BUSY_POLL_HITS,
	RPCRDMA_C_TURNS_SKIPPED,
	RPCRDMA_C_COUNT,
};

/**
 * struct rpcrdma_stats - one set of counters and histograms; all zero at first
 * @counter: counters
 * @refused: refused messages, by reason
 * @latency: histograms
 */
struct rpcrdma_stats {
	atomic64_t	counter[RPCRDMA_C_COUNT];
	atomic64_t	refused[RPCRDMA_R_COUNT];
	atomic64_t	latency[RPCRDMA_L_COUNT][RPCRDMA_LATENCY_BUCKETS];
};

static inline void rpcrdma_count_add(struct rpcrdma_stats *stats,
				     enum rpcrdma_counter which, u64 n)
{
	if (n)
		atomic64_add(n, &stats->counter[which]);
}

static inline void rpcrdma_count(struct rpcrdma_stats *stats,
				 enum rpcrdma_counter which)
{
	atomic64_inc(&stats->counter[which]);
}

static inline void rpcrdma_count_refused(struct rpcrdma_stats *stats,
					 enum rpcrdma_reason reason)
{
	atomic64_inc(&stats->refused[reason]);
}

/* observation/latency.c */
const char *rpcrdma_latency_name(enum rpcrdma_latency which);
u64 rpcrdma_latency_read(const struct rpcrdma_stats *stats,
			 enum rpcrdma_latency which, unsigned int bucket);
u64 rpcrdma_latency_end(struct rpcrdma_stats *stats, enum rpcrdma_latency which,
			u64 begun);

/* observation/stats.c */
u64 rpcrdma_stats_read(const struct rpcrdma_stats *stats,
		       enum rpcrdma_counter which);
u64 rpcrdma_stats_read_refused(const struct rpcrdma_stats *stats,
			       enum rpcrdma_reason reason);
void rpcrdma_stats_fold(struct rpcrdma_stats *into,
			const struct rpcrdma_stats *from);
const char *rpcrdma_counter_name(enum rpcrdma_counter which);

#endif /* _RPCRDMA_STATS_H */
