// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends of the client: the pool of Send contexts, send queue slots, and short
 * messages that consist of one Send. Calls are in call.c. The Send contexts
 * themselves are those of the core (rpcrdma/send.h).
 *
 * A connection starts with enough contexts for a Call and an error message,
 * and for the unsignaled Sends before them, so that there is always progress.
 */
#include "xprtrdma.h"

#define XPRTRDMA_SENDS_MIN	2

static void xprtrdma_send_completed(void *waiter)
{
	xprtrdma_req_send_done(waiter);
}

static const struct rpcrdma_send_ops xprtrdma_send_ops = {
	.size		= sizeof(struct rpcrdma_send),
	.completed	= xprtrdma_send_completed,
};

/**
 * xprtrdma_send_pool_init - set up the pool of Send contexts of a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_send_pool_init(struct xprtrdma_xprt *r_xprt)
{
	rpcrdma_send_pool_init(&r_xprt->send_pool, &xprtrdma_send_ops);
}

/**
 * xprtrdma_send_pool_create - allocate the contexts that a connection starts with
 * @r_xprt: transport; r_xprt->conn has its queues
 *
 * Context: may sleep; holds XPRT_LOCKED; the caller keeps reclaim out of the
 * file system.
 * Return: 0 or -ENOMEM. rpcrdma_send_pool_destroy() undoes it, whole or in
 * part.
 */
int xprtrdma_send_pool_create(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;

	rpcrdma_send_pool_open(&r_xprt->send_pool, conn,
			       XPRTRDMA_SENDS_MIN + conn->limits.unsignaled);
	return rpcrdma_send_pool_fill(&r_xprt->send_pool);
}

/**
 * xprtrdma_send_reserve - reserve send queue slots, or have sunrpc wait for them
 * @r_xprt: transport
 * @conn: its connection, entered
 * @n: work requests
 *
 * Context: process context, does not sleep.
 * Return: 0; -EAGAIN if sunrpc is told when to try again; -ENOTCONN; -EIO if
 * the send queue is too short for @n.
 */
int xprtrdma_send_reserve(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_conn *conn, unsigned int n)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	int ret;

	ret = rpcrdma_sendq_try_reserve(conn, n);
	if (ret == -E2BIG)
		return -EIO;
	if (ret != -ENOBUFS)
		return ret;

	/* Slots may have come back before sunrpc was told to wait for them */
	xprt_wait_for_buffer_space(xprt);
	ret = rpcrdma_sendq_try_reserve(conn, n);
	if (ret == -ENOBUFS)
		return -EAGAIN;
	xprt_write_space(xprt);
	return ret;
}

/**
 * xprtrdma_sendq_avail - slots came back after xprtrdma_send_reserve() had failed
 * @conn: connection
 *
 * Context: completion handler.
 */
void xprtrdma_sendq_avail(struct rpcrdma_conn *conn)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;

	xprt_write_space(&r_xprt->xprt);
}

/**
 * xprtrdma_send_short - send a message that is in the buffer as a whole
 * @r_xprt: transport
 * @conn: its connection, entered
 * @send: context with the message; no longer owned by the caller
 * @len: bytes of the message
 *
 * Context: process context, does not sleep.
 * Return: 0; or what xprtrdma_send_reserve() says, or -ENOTCONN.
 */
int xprtrdma_send_short(struct xprtrdma_xprt *r_xprt, struct rpcrdma_conn *conn,
			struct rpcrdma_send *send, u32 len)
{
	int ret;

	ret = xprtrdma_send_reserve(r_xprt, conn, 1);
	if (ret) {
		rpcrdma_send_put(send);
		return ret;
	}
	send->slots = 1;
	send->posted_on = NULL;
	rpcrdma_send_set_front(send, len);
	return rpcrdma_send_post(send, &send->wr, true) ? -ENOTCONN : 0;
}
