// SPDX-License-Identifier: GPL-2.0-only
/*
 * Busy polling (rpcrdma.busy_poll_us): an nfsd thread that has nothing to do for a connection
 * polls its CQ for a while, before it looks for other work or sleeps: for the next Call, or
 * for the end of RDMA Reads that it has started.
 *
 * When a request becomes ready, sunrpc wakes a thread as always, but the one that polls is
 * there first. It stops when any transport waits for a thread of its pool, so polling keeps
 * no thread from another connection.
 */
#include <compat/svc_queue.h>
#include <rpcrdma/completion.h>
#include "svcrdma.h"

/**
 * struct svcrdma_busy - a thread that polls
 * @rdma: transport
 * @pool: pool of the thread
 */
struct svcrdma_busy {
	const struct svcrdma_xprt	*rdma;
	struct svc_pool			*pool;
};

static bool svcrdma_busy_found(const void *waiter)
{
	const struct svcrdma_busy *busy = waiter;

	/* sunrpc may queue the transport only when this thread has left it */
	return test_bit(XPT_DATA, &busy->rdma->xprt.xpt_flags) ||
	       !rpcrdma_svc_queue_empty(busy->pool);
}

/**
 * svcrdma_busy_poll - poll for the next request, if the administrator wants that
 * @rdma: transport, which the caller has a reference to
 * @pool: pool of this nfsd thread
 *
 * Context: nfsd thread that works on no request; may sleep for memory.
 */
void svcrdma_busy_poll(struct svcrdma_xprt *rdma, struct svc_pool *pool)
{
	const struct svcrdma_busy busy = {
		.rdma	= rdma,
		.pool	= pool,
	};

	if (!rpcrdma_busy_poll_wanted(rdma->conn) || !rpcrdma_conn_enter(rdma->conn))
		return;
	rpcrdma_busy_poll(rdma->conn, svcrdma_busy_found, &busy);
	rpcrdma_conn_leave(rdma->conn);
}
