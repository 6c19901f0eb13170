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
 * struct rpcrdma_sendq - room left on one send queue
 * @lock:    protects the rest
 * @room:    free entries
 * @depth:   all entries
 * @wanted:  rpcrdma_sendq_try() failed since room last came back
 * @closed:  no more room will come
 * @returned: how often room has come back, wrapping
 * @waiters: sleepers, oldest first
 * @post_lock: order of posting; @quiet, @nquiet
 * @quiet:   Sends without a completion, posted since the last one with it
 * @nquiet:  how many
 */
struct rpcrdma_sendq {
	spinlock_t		lock;	/* everything below */
	unsigned int		room;
	unsigned int		depth;
	bool			wanted;
	bool			closed;
	u32			returned;
	struct list_head	waiters;

	spinlock_t		post_lock;	/* see above */
	struct list_head	quiet;
	unsigned int		nquiet;
};

/**
 * struct rpcrdma_quiet - place of a Send in the order of completions
 * @node:   in rpcrdma_sendq.quiet, or in @before of a later Send
 * @before: Sends without a completion that are over when this one completes
 */
struct rpcrdma_quiet {
	struct list_head	node;
	struct list_head	before;
};

/* sendq.c */
void rpcrdma_sendq_init(struct rpcrdma_sendq *sendq);
void rpcrdma_sendq_open(struct rpcrdma_sendq *sendq, unsigned int depth);
void rpcrdma_sendq_close(struct rpcrdma_sendq *sendq);
unsigned int rpcrdma_sendq_used(struct rpcrdma_sendq *sendq);
int rpcrdma_sendq_try(struct rpcrdma_conn *conn, unsigned int n);
int rpcrdma_sendq_wait(struct rpcrdma_conn *conn, unsigned int n);
void rpcrdma_sendq_return(struct rpcrdma_conn *conn, unsigned int n);
int rpcrdma_sendq_post(struct rpcrdma_conn *conn, struct ib_send_wr *first);

/* quiet.c */
void rpcrdma_quiet_init(struct rpcrdma_sendq *sendq);
int rpcrdma_quiet_post(struct rpcrdma_conn *conn, struct rpcrdma_quiet *sent,
		       struct ib_send_wr *first, struct ib_send_wr *send,
		       bool may_be_quiet);

#endif /* _RPCRDMA_SENDQ_H */
