/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The send queue of a connection, as the files of the core see it.
 */
#ifndef _RPCRDMA_CONNECTION_SENDQ_H
#define _RPCRDMA_CONNECTION_SENDQ_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <rpcrdma/sendq.h>

/**
 * struct rpcrdma_sendq - slots and order of one send queue
 * @lock:	protects all up to @since; @depth and @returned are written with
 *		WRITE_ONCE(), so that they can be read without it
 * @slots:	free slots
 * @depth:	all slots
 * @wanted:	rpcrdma_sendq_try_reserve() has failed since slots last came back
 * @closed:	the connection is closing: no slot can be reserved any more
 * @returned:	how often slots have come back, wrapping
 * @since:	rpcrdma_latency_begin() of the first failure that @wanted stands for
 * @post_lock:	held across ib_post_send(); protects the rest but for @completed
 * @failed:	a chain was not posted, or only in part
 * @unsignaled:	Sends without a completion, posted since the last one with it
 * @nunsignaled: length of @unsignaled
 * @unsignaled_slots: slots that the Sends in @unsignaled keep
 * @posted:	number of the chain posted last, wrapping
 * @completed:	number of the chain completed last; all before it are complete too.
 *		Written by completion handlers, one at a time
 */
struct rpcrdma_sendq {
	spinlock_t		lock;	/* see above */
	unsigned int		slots;
	unsigned int		depth;
	bool			wanted;
	bool			closed;
	u32			returned;
	u64			since;

	spinlock_t		post_lock;	/* see above */
	bool			failed;
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
int rpcrdma_sendq_post_locked(struct rpcrdma_conn *conn,
			      struct rpcrdma_wr_chain *chain,
			      struct ib_send_wr *first, bool signaled,
			      struct rpcrdma_conn **posted_on);

#endif /* _RPCRDMA_CONNECTION_SENDQ_H */
