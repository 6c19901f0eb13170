/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Room in the send queue: reserved and returned in this one place. Whoever
 * has to wait is served in order of arrival and woken when the connection
 * closes.
 */
#ifndef _RPCRDMA_SENDQ_H
#define _RPCRDMA_SENDQ_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>

struct rpcrdma_conn;

/**
 * struct rpcrdma_wr_chain - a chain of work requests, from post to completion
 * @cid:   number of the chain; a connection does not give it again before it wraps
 * @xid:   of the RPC that it belongs to, or 0; set by whoever posts
 * @posted_at: rpcrdma_latency_begin() of the post, 0 if there is no completion to come
 */
struct rpcrdma_wr_chain {
	u32	cid;
	__be32	xid;
	u64	posted_at;
};

/**
 * struct rpcrdma_sendq - room left on one send queue
 * @lock:    protects the rest
 * @slots:    free entries
 * @depth:   all entries
 * @wanted:  rpcrdma_sendq_try_reserve() failed since room last came back
 * @closed:  no more room will come
 * @returned: how often room has come back, wrapping
 * @since:   rpcrdma_latency_begin() when it first failed since room last came back
 * @waiters: sleepers, oldest first
 * @post_lock: order of posting; @unsignaled, @nunsignaled, @unsignaled_slots, @posted
 * @unsignaled:   Sends without a completion, posted since the last one with it
 * @nunsignaled:  how many
 * @unsignaled_slots:    entries that they keep
 * @posted:  number of the last chain posted, wrapping
 * @completed:    number of the last one that has completed; all before it are over as well
 */
struct rpcrdma_sendq {
	spinlock_t		lock;	/* everything below */
	unsigned int		slots;
	unsigned int		depth;
	bool			wanted;
	bool			closed;
	u32			returned;
	u64			since;
	struct list_head	waiters;

	spinlock_t		post_lock;	/* see above */
	struct list_head	unsignaled;
	unsigned int		nunsignaled;
	unsigned int		unsignaled_slots;
	u32			posted;
	u32			completed;
};

/* connection/sendq.c */
void rpcrdma_sendq_init(struct rpcrdma_sendq *sendq);
void rpcrdma_sendq_open(struct rpcrdma_sendq *sendq, unsigned int depth);
void rpcrdma_sendq_close(struct rpcrdma_sendq *sendq);
unsigned int rpcrdma_sendq_used(struct rpcrdma_sendq *sendq);
int rpcrdma_sendq_try_reserve(struct rpcrdma_conn *conn, unsigned int n);
int rpcrdma_sendq_reserve(struct rpcrdma_conn *conn, unsigned int n);
void rpcrdma_sendq_release(struct rpcrdma_conn *conn, unsigned int n);
int rpcrdma_sendq_post(struct rpcrdma_conn *conn,
		       struct rpcrdma_wr_chain *chain,
		       struct ib_send_wr *first);
void rpcrdma_sendq_done(struct rpcrdma_conn *conn,
			const struct rpcrdma_wr_chain *chain,
			const struct ib_wc *wc);
u32 rpcrdma_sendq_posted(const struct rpcrdma_conn *conn);
bool rpcrdma_sendq_completed(const struct rpcrdma_conn *conn, u32 mark);

/* connection/unsignaled.c */
u32 rpcrdma_unsignaled_sends(void);
void rpcrdma_unsignaled_init(struct rpcrdma_sendq *sendq);

#endif /* _RPCRDMA_SENDQ_H */
