// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters: values and names. Counting is one atomic addition (stats.h).
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <rpcrdma/stats.h>

static const char *const rpcrdma_counter_names[] = {
	[RPCRDMA_C_CONNECTS]		= "connects",
	[RPCRDMA_C_CLOSES]		= "closes",
	[RPCRDMA_C_SENDS]		= "sends",
	[RPCRDMA_C_SENDS_INV]		= "sends_with_invalidate",
	[RPCRDMA_C_RECVS]		= "receives",
	[RPCRDMA_C_POSTS]		= "post_sends",
	[RPCRDMA_C_COMPLETIONS]		= "completions",
	[RPCRDMA_C_KEEPALIVES]		= "keepalives",
	[RPCRDMA_C_SENDQ_WAITS]		= "send_queue_waits",
	[RPCRDMA_C_CALLS_INLINE]	= "calls_inline",
	[RPCRDMA_C_CALLS_LONG]		= "calls_long",
	[RPCRDMA_C_REPLIES_INLINE]	= "replies_inline",
	[RPCRDMA_C_REPLIES_LONG]	= "replies_long",
	[RPCRDMA_C_READ_CHUNKS]		= "read_chunks",
	[RPCRDMA_C_READ_BYTES]		= "read_bytes",
	[RPCRDMA_C_WRITE_CHUNKS]	= "write_chunks",
	[RPCRDMA_C_WRITE_BYTES]		= "write_bytes",
	[RPCRDMA_C_REPLY_CHUNKS]	= "reply_chunks",
	[RPCRDMA_C_REPLY_BYTES]		= "reply_bytes",
	[RPCRDMA_C_REGISTRATIONS]	= "registrations",
	[RPCRDMA_C_LOCAL_INVS]		= "local_invalidations",
	[RPCRDMA_C_REMOTE_INVS]		= "remote_invalidations",
	[RPCRDMA_C_MRS_RECYCLED]	= "mrs_recycled",
	[RPCRDMA_C_MRS_ALLOCATED]	= "mrs_allocated",
	[RPCRDMA_C_MRS_EMPTY]		= "mr_shortages",
	[RPCRDMA_C_MR_WAITS]		= "mr_waits",
	[RPCRDMA_C_PULLUP_BYTES]	= "pullup_bytes",
	[RPCRDMA_C_FIXUP_BYTES]		= "fixup_bytes",
	[RPCRDMA_C_ERRORS_SENT]		= "rdma_errors_sent",
	[RPCRDMA_C_ERRORS_RECEIVED]	= "rdma_errors_received",
	[RPCRDMA_C_DROPPED]		= "messages_dropped",
	[RPCRDMA_C_INEXACT]		= "replies_inexact",
	[RPCRDMA_C_BC_CALLS]		= "reverse_calls",
	[RPCRDMA_C_BC_REPLIES]		= "reverse_replies",
	[RPCRDMA_C_FALLBACKS]		= "version_fallbacks",
	[RPCRDMA_C_VERSION_TIMEOUTS]	= "version_timeouts",
	[RPCRDMA_C_RESENDS]		= "calls_rebuilt",
	[RPCRDMA_C_READ_WAITS]		= "read_memory_waits",
	[RPCRDMA_C_TRANSFER_TIMEOUTS]	= "transfer_timeouts",
	[RPCRDMA_C_FAILOVERS]		= "failovers",
	[RPCRDMA_C_BUSY_POLLS]		= "busy_polls",
	[RPCRDMA_C_BUSY_POLL_HITS]	= "busy_poll_hits",
	[RPCRDMA_C_TURNS_SKIPPED]	= "turns_skipped",
};

static_assert(ARRAY_SIZE(rpcrdma_counter_names) == RPCRDMA_C_COUNT,
	      "the last counter has no name");

/**
 * rpcrdma_stats_read - value of a counter
 * @stats: the set
 * @which: counter
 *
 * Context: any.
 * Return: the value.
 */
u64 rpcrdma_stats_read(const struct rpcrdma_stats *stats,
		       enum rpcrdma_counter which)
{
	return atomic64_read(&stats->counter[which]);
}
EXPORT_SYMBOL_GPL(rpcrdma_stats_read);

/**
 * rpcrdma_stats_read_refused - number of messages refused for a reason
 * @stats: the set
 * @reason: reason
 *
 * Context: any.
 * Return: the value.
 */
u64 rpcrdma_stats_read_refused(const struct rpcrdma_stats *stats,
			       enum rpcrdma_reason reason)
{
	return atomic64_read(&stats->refused[reason]);
}
EXPORT_SYMBOL_GPL(rpcrdma_stats_read_refused);

/**
 * rpcrdma_stats_fold - add the counters of one set to another one
 * @into: set that stays
 * @from: set that is no longer counted in
 *
 * Histograms are left out: no file shows those of all endpoints together.
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_stats_fold(struct rpcrdma_stats *into,
			const struct rpcrdma_stats *from)
{
	unsigned int i;

	for (i = 0; i < RPCRDMA_C_COUNT; i++)
		rpcrdma_count_add(into, i, rpcrdma_stats_read(from, i));
	for (i = 0; i < RPCRDMA_R_COUNT; i++)
		atomic64_add(rpcrdma_stats_read_refused(from, i),
			     &into->refused[i]);
}
EXPORT_SYMBOL_GPL(rpcrdma_stats_fold);

/**
 * rpcrdma_counter_name - name of a counter
 * @which: counter; anything is allowed
 *
 * Context: any.
 * Return: a constant string, never NULL.
 */
const char *rpcrdma_counter_name(enum rpcrdma_counter which)
{
	if ((unsigned int)which >= RPCRDMA_C_COUNT ||
	    !rpcrdma_counter_names[which])
		return "unknown";
	return rpcrdma_counter_names[which];
}
EXPORT_SYMBOL_GPL(rpcrdma_counter_name);
