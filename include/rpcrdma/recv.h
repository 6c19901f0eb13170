/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receive buffers: allocated with the connection, posted, consumed, posted
 * again. The peer's right to send (credits) rests on what is posted here.
 */
#ifndef _RPCRDMA_RECV_H
#define _RPCRDMA_RECV_H

#include <linux/list.h>
#include <rdma/ib_verbs.h>
#include <rpcrdma/buf.h>

struct rpcrdma_conn;

/**
 * struct rpcrdma_recv - one receive buffer
 * @conn:	 its connection
 * @buf:	 the memory; @buf.data holds the message once received
 * @len:	 bytes received
 * @inv_rkey:	 handle that the peer's Send invalidated
 * @invalidated: @inv_rkey holds
 * @node:	 for the owner while it owns the buffer
 *
 * The rest is private to recv.c.
 */
struct rpcrdma_recv {
	struct rpcrdma_conn	*conn;
	struct rpcrdma_buf	buf;
	u32			len;
	u32			inv_rkey;
	bool			invalidated;
	struct list_head	node;

	struct ib_cqe		cqe;
	struct ib_sge		sge;
	struct ib_recv_wr	wr;
	struct rpcrdma_recv	*next;
};

/**
 * struct rpcrdma_rq - the receive queue of a connection
 * @all: every buffer, posted or with the owner, linked by rpcrdma_recv.next;
 *	 changes only in set-up and teardown
 * @arrived: messages that have arrived, wrapping; changes in the receive path
 */
struct rpcrdma_rq {
	struct rpcrdma_recv	*all;
	u32			arrived;
};

/* recv.c */
int rpcrdma_recv_provision(struct rpcrdma_conn *conn, unsigned int count,
			   size_t size);
void rpcrdma_recv_repost(struct rpcrdma_recv *recv);
void rpcrdma_recv_destroy(struct rpcrdma_conn *conn);

#endif /* _RPCRDMA_RECV_H */
