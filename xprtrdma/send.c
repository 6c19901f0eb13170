// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends of the client: the pool of Send contexts, send queue slots, and short
 * messages that consist of one Send. Calls are in call.c. The Send contexts
 * themselves are those of the core (rpcrdma/send.h).
 *
 * A connection starts with enough contexts for a Call and an error message,
 * and for the unsignaled Sends before them, so that there is always progress.
 *
 * More are allocated when a Call finds none idle, without reclaim: a task that
 * waits for memory with XPRT_LOCKED held would hold up all others, among them
 * the writeback that frees memory. If that fails, a work item allocates some,
 * and sunrpc tries again after a quarter of a second. Meanwhile Sends complete
 * and put their contexts back. The memory reserves stay for what has no such
 * minimum.
 */
#include <linux/sched/mm.h>
#include "xprtrdma.h"

#define XPRTRDMA_SENDS_MIN	2

/* How many the work item allocates */
#define XPRTRDMA_SENDS_BATCH	8

static void xprtrdma_send_completed(void *waiter)
{
	xprtrdma_req_send_done(waiter);
}

static const struct rpcrdma_send_ops xprtrdma_send_ops = {
	.size		= sizeof(struct rpcrdma_send),
	.completed	= xprtrdma_send_completed,
};

static void xprtrdma_send_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    send_work);
	unsigned int nofs = memalloc_nofs_save();

	rpcrdma_send_pool_grow(&r_xprt->send_pool, XPRTRDMA_SENDS_BATCH,
			       RPCRDMA_GFP_ONCE);
	memalloc_nofs_restore(nofs);
}

/**
 * xprtrdma_send_pool_init - set up the pool of Send contexts of a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_send_pool_init(struct xprtrdma_xprt *r_xprt)
{
	rpcrdma_send_pool_init(&r_xprt->send_pool, &xprtrdma_send_ops);
	INIT_WORK(&r_xprt->send_work, xprtrdma_send_work);
}

/**
 * xprtrdma_send_pool_create - allocate the contexts that a connection starts with
 * @r_xprt: transport; r_xprt->conn has its queues
 * @gfp: how to allocate them
 *
 * Context: may sleep; holds XPRT_LOCKED; the caller keeps reclaim out of the
 * file system.
 * Return: 0 or -ENOMEM. xprtrdma_send_pool_destroy() undoes it, whole or in
 * part.
 */
int xprtrdma_send_pool_create(struct xprtrdma_xprt *r_xprt, gfp_t gfp)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	unsigned int n = XPRTRDMA_SENDS_MIN + conn->limits.unsignaled;

	rpcrdma_send_pool_open(&r_xprt->send_pool, conn, n);
	return rpcrdma_send_pool_grow(&r_xprt->send_pool, n, gfp);
}

/**
 * xprtrdma_send_pool_destroy - free all contexts of a connection
 * @r_xprt: transport whose connection is drained and has no QP
 *
 * Context: may sleep; holds xprtrdma_xprt.teardown_lock.
 */
void xprtrdma_send_pool_destroy(struct xprtrdma_xprt *r_xprt)
{
	cancel_work_sync(&r_xprt->send_work);
	rpcrdma_send_pool_destroy(&r_xprt->send_pool);
}

/**
 * xprtrdma_send_get - take a Send context
 * @r_xprt: transport; its connection is entered
 *
 * Context: process context, does not sleep.
 * Return: a context, as rpcrdma_send_get() returns it; or NULL, and there may be
 * one a little later.
 */
struct rpcrdma_send *xprtrdma_send_get(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_send *send;

	send = rpcrdma_send_get(&r_xprt->send_pool,
				XPRTRDMA_GFP_NOWAIT | __GFP_NOMEMALLOC);
	if (unlikely(!send))
		queue_work(xprtrdma_wq, &r_xprt->send_work);
	return send;
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
	xprtrdma_write_space(conn->owner);
}

/**
 * xprtrdma_own_xid - XID for a message that no RPC of sunrpc has sent
 * @r_xprt: transport
 *
 * It is half of all XIDs away from those that sunrpc uses at this time, so it is not
 * that of a request that waits. No two calls return the same.
 *
 * Context: any.
 * Return: the XID.
 */
__be32 xprtrdma_own_xid(struct xprtrdma_xprt *r_xprt)
{
	/* sunrpc may count on at this moment, which makes no difference */
	u32 next = data_race(READ_ONCE(r_xprt->xprt.xid));

	return (__force __be32)(next + BIT(31) + (u32)atomic_inc_return(&r_xprt->own_xids));
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
