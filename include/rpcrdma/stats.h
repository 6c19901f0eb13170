/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters. Each endpoint (endpoint.h) has one set. A client's transport keeps it over
 * all of its connections, so a reconnect does not reset it. They are 64-bit per-CPU
 * values.
 */
#ifndef _RPCRDMA_STATS_H
#define _RPCRDMA_STATS_H

#include <compat/percpu.h>
#include <rpcrdma/latency.h>
#include <rpcrdma/reason.h>

/* stats.c has their names, and checks at build time that each has one */
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
	RPCRDMA_C_COUNT,
};

struct rpcrdma_stats_cpu {
	u64	counter[RPCRDMA_C_COUNT];
	u64	refused[RPCRDMA_R_COUNT];
	u64	latency[RPCRDMA_L_COUNT][RPCRDMA_LATENCY_BUCKETS];
};

/**
 * struct rpcrdma_stats - one set of counters and histograms
 * @cpu: per-CPU values
 */
struct rpcrdma_stats {
	struct rpcrdma_stats_cpu __percpu *cpu;
};

static inline void rpcrdma_count_add(struct rpcrdma_stats *stats,
				     enum rpcrdma_counter which, u64 n)
{
	this_cpu_add(stats->cpu->counter[which], n);
}

static inline void rpcrdma_count(struct rpcrdma_stats *stats,
				 enum rpcrdma_counter which)
{
	this_cpu_inc(stats->cpu->counter[which]);
}

static inline void rpcrdma_count_refused(struct rpcrdma_stats *stats,
					 enum rpcrdma_reason reason)
{
	this_cpu_inc(stats->cpu->refused[reason]);
}

/* observation/latency.c */
const char *rpcrdma_latency_name(enum rpcrdma_latency which);
u64 rpcrdma_latency_read(const struct rpcrdma_stats *stats,
			 enum rpcrdma_latency which, unsigned int bucket);
u64 rpcrdma_latency_end(struct rpcrdma_stats *stats, enum rpcrdma_latency which,
			u64 begun);

/* observation/stats.c */
int rpcrdma_stats_init(struct rpcrdma_stats *stats);
void rpcrdma_stats_destroy(struct rpcrdma_stats *stats);
u64 rpcrdma_stats_read(const struct rpcrdma_stats *stats,
		       enum rpcrdma_counter which);
u64 rpcrdma_stats_read_refused(const struct rpcrdma_stats *stats,
			       enum rpcrdma_reason reason);
void rpcrdma_stats_fold(struct rpcrdma_stats *into,
			const struct rpcrdma_stats *from);
const char *rpcrdma_counter_name(enum rpcrdma_counter which);

#endif /* _RPCRDMA_STATS_H */
