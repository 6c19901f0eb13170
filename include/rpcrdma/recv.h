/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receive buffers. They are posted before the connection is offered, and again when the
 * owner is done with a message. The credits that a peer is granted stand for posted
 * Receives.
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
 * @inv_rkey:	 handle that the peer's Send With Invalidate has invalidated
 * @invalidated: @inv_rkey is valid
 * @cqe:	 its completion; private to recv.c, as all that follows
 * @sge:	 names @buf
 * @all:	 in the list of all buffers of the connection
 */
struct rpcrdma_recv {
	struct rpcrdma_conn	*conn;
	struct rpcrdma_buf	buf;
	u32			len;
	u32			inv_rkey;
	bool			invalidated;

	struct ib_cqe		cqe;
	struct ib_sge		sge;
	struct list_head	all;
};

/* connection/recv.c */
int rpcrdma_recv_provision(struct rpcrdma_conn *conn, unsigned int count,
			   unsigned int least, size_t size, gfp_t gfp);
unsigned int rpcrdma_recv_add(struct rpcrdma_conn *conn, unsigned int count,
			      size_t size, gfp_t gfp);
void rpcrdma_recv_retire(struct rpcrdma_recv *recv);
void rpcrdma_recv_repost(struct rpcrdma_recv *recv);

#endif /* _RPCRDMA_RECV_H */
