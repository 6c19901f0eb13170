/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The send queue of a connection: reserving slots, posting WR chains, and which of them
 * are complete.
 */
#ifndef _RPCRDMA_SENDQ_H
#define _RPCRDMA_SENDQ_H

#include <linux/list.h>
#include <rdma/ib_verbs.h>

struct rpcrdma_conn;

/**
 * struct rpcrdma_wr_chain - a chain of work requests, from post to completion
 * @number:    number of the chain, unique in its connection until it wraps; "cid" in
 *	       traces
 * @xid:       of the RPC that it belongs to, or 0; set by the poster
 * @posted_at: rpcrdma_latency_begin() of the post; 0 if the chain has no completion
 */
struct rpcrdma_wr_chain {
	u32	number;
	__be32	xid;
	u64	posted_at;
};

/**
 * rpcrdma_sendq_reached - do the numbers of WR chains say that one is complete?
 * @completed: of the last one that is complete; numbers wrap
 * @number: of one that was posted less than 2^31 chains before or after it
 *
 * Context: any.
 * Return: true if @number is @completed, or was posted before it.
 */
static inline bool rpcrdma_sendq_reached(u32 completed, u32 number)
{
	return (s32)(completed - number) >= 0;
}

/* connection/sendq.c */
int rpcrdma_sendq_try_reserve(struct rpcrdma_conn *conn, unsigned int n);
void rpcrdma_sendq_release(struct rpcrdma_conn *conn, unsigned int n);
int rpcrdma_sendq_post(struct rpcrdma_conn *conn,
		       struct rpcrdma_wr_chain *chain,
		       struct ib_send_wr *first);
void rpcrdma_sendq_done(struct rpcrdma_conn *conn,
			const struct rpcrdma_wr_chain *chain,
			const struct ib_wc *wc);
u32 rpcrdma_sendq_posted(const struct rpcrdma_conn *conn);
bool rpcrdma_sendq_completed(const struct rpcrdma_conn *conn, u32 number);

/* connection/unsignaled.c */
u32 rpcrdma_unsignaled_sends(const struct rpcrdma_conn *conn);

#endif /* _RPCRDMA_SENDQ_H */
