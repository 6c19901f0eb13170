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
 * @waiters: sleepers, oldest first
 */
struct rpcrdma_sendq {
	spinlock_t		lock;	/* everything below */
	unsigned int		room;
	unsigned int		depth;
	bool			wanted;
	bool			closed;
	struct list_head	waiters;
};

/* sendq.c */
void rpcrdma_sendq_init(struct rpcrdma_sendq *sendq);
void rpcrdma_sendq_open(struct rpcrdma_sendq *sendq, unsigned int depth);
void rpcrdma_sendq_close(struct rpcrdma_sendq *sendq);
int rpcrdma_sendq_try(struct rpcrdma_conn *conn, unsigned int n);
int rpcrdma_sendq_wait(struct rpcrdma_conn *conn, unsigned int n);
void rpcrdma_sendq_return(struct rpcrdma_conn *conn, unsigned int n);
int rpcrdma_sendq_post(struct rpcrdma_conn *conn, struct ib_send_wr *first);

#endif /* _RPCRDMA_SENDQ_H */
