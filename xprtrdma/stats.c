// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting Calls, and the "xprt: rdma" line of /proc/self/mountstats. Its
 * columns are those of the in-tree transport in the same order, for the tools
 * that read them. A column for something that this transport does not have is
 * 0.
 */
#include <linux/seq_file.h>
#include "xprtrdma.h"

static void xprtrdma_print_common(struct rpc_xprt *xprt, struct seq_file *seq)
{
	/* Only shown, so read without the locks under which they change */
	const typeof(xprt->stat) stat = data_race(xprt->stat);
	/* Likewise */
	unsigned long used = data_race(xprt->last_used);
	long idle = 0;

	if (xprt_connected(xprt))
		idle = (long)(jiffies - used) / HZ;

	/* 0 in place of the local port */
	seq_printf(seq, "\txprt:\trdma 0 %lu %lu %lu %ld %lu %lu %lu %llu %llu ",
		   stat.bind_count, stat.connect_count,
		   stat.connect_time / HZ, idle, stat.sends, stat.recvs,
		   stat.bad_xids, stat.req_u, stat.bklog_u);
}

/**
 * xprtrdma_print_stats - ops->print_stats: print the line of mountstats
 * @xprt: transport
 * @seq: output
 *
 * Context: may sleep.
 */
void xprtrdma_print_stats(struct rpc_xprt *xprt, struct seq_file *seq)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	const struct rpcrdma_stats *stats = &r_xprt->ep.stats;
	/* Only shown, so read without the locks under which they change */
	const struct xprtrdma_legacy_stats legacy = data_race(r_xprt->legacy);

	xprtrdma_print_common(xprt, seq);
	seq_printf(seq, "%llu %llu %llu %llu %llu %llu %llu %lu %lu %lu %llu ",
		   rpcrdma_stats_read(stats, RPCRDMA_C_READ_CHUNKS),
		   rpcrdma_stats_read(stats, RPCRDMA_C_WRITE_CHUNKS),
		   rpcrdma_stats_read(stats, RPCRDMA_C_REPLY_CHUNKS),
		   legacy.offered,
		   rpcrdma_stats_read(stats, RPCRDMA_C_WRITE_BYTES) +
		   rpcrdma_stats_read(stats, RPCRDMA_C_REPLY_BYTES),
		   rpcrdma_stats_read(stats, RPCRDMA_C_PULLUP_BYTES),
		   rpcrdma_stats_read(stats, RPCRDMA_C_FIXUP_BYTES),
		   atomic_long_read(&legacy.hardway), legacy.marshal,
		   legacy.bad_replies,
		   rpcrdma_stats_read(stats, RPCRDMA_C_CALLS_LONG));
	seq_printf(seq, "%llu %lu %llu %llu %llu 0\n",
		   rpcrdma_stats_read(stats, RPCRDMA_C_MRS_RECYCLED),
		   legacy.mrs_lost,
		   rpcrdma_stats_read(stats, RPCRDMA_C_MRS_ALLOCATED),
		   rpcrdma_stats_read(stats, RPCRDMA_C_LOCAL_INVS),
		   rpcrdma_stats_read(stats, RPCRDMA_C_SENDQ_WAITS));
}

static void xprtrdma_count_reads(struct rpcrdma_stats *stats, u32 bytes)
{
	rpcrdma_count(stats, RPCRDMA_C_READ_CHUNKS);
	rpcrdma_count_add(stats, RPCRDMA_C_READ_BYTES, bytes);
}

/**
 * xprtrdma_count_call - count a Call that is about to be posted
 * @r_xprt: transport
 * @rqst: the Call
 * @plan: form of the Call and its Reply
 *
 * Not called for a Call that must wait for MRs or send queue slots, so that it counts once.
 *
 * Context: RPC task that holds XPRT_LOCKED.
 */
void xprtrdma_count_call(struct xprtrdma_xprt *r_xprt,
			 const struct rpc_rqst *rqst,
			 const struct xprtrdma_plan *plan)
{
	const struct xdr_buf *call = &rqst->rq_snd_buf;
	const struct xdr_buf *reply = &rqst->rq_rcv_buf;
	struct rpcrdma_stats *stats = &r_xprt->ep.stats;

	if (plan->call == XPRTRDMA_CALL_READ_CHUNK)
		xprtrdma_count_reads(stats, call->page_len);
	if (plan->call == XPRTRDMA_CALL_LONG)
		xprtrdma_count_reads(stats, call->len);
	if (plan->call == XPRTRDMA_CALL_COPIED)
		rpcrdma_count_add(stats, RPCRDMA_C_PULLUP_BYTES,
				  call->page_len + call->tail[0].iov_len);
	rpcrdma_count(stats, plan->call == XPRTRDMA_CALL_LONG ?
		      RPCRDMA_C_CALLS_LONG : RPCRDMA_C_CALLS_INLINE);

	if (plan->reply == XPRTRDMA_REPLY_WRITE_CHUNK) {
		rpcrdma_count(stats, RPCRDMA_C_WRITE_CHUNKS);
		r_xprt->legacy.offered += reply->page_len;
	}
	if (plan->reply == XPRTRDMA_REPLY_CHUNK) {
		rpcrdma_count(stats, RPCRDMA_C_REPLY_CHUNKS);
		r_xprt->legacy.offered += reply->buflen;
	}
}
