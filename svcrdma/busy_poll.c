// SPDX-License-Identifier: GPL-2.0-only
/*
 * Busy polling (rpcrdma.busy_poll_us): an nfsd thread that has answered a Call, or has started
 * RDMA Reads, polls the CQ of the same connection for a while, before it sleeps.
 *
 * When a request becomes ready, sunrpc wakes a thread as always, but the one that polls is
 * there first. It stops when any transport waits for a thread of its pool, so no other
 * connection or transport has fewer threads.
 */
#include <compat/svc_queue.h>
#include <rpcrdma/completion.h>
#include "svcrdma.h"

static bool svcrdma_busy_found(const void *pool)
{
	return !rpcrdma_svc_queue_empty((struct svc_pool *)pool);
}

/**
 * svcrdma_busy_poll - poll for the next request, if the administrator wants that
 * @rdma: transport, which the caller has a reference to
 * @pool: pool of this nfsd thread
 *
 * Context: nfsd thread that has released what it held for a Call; may sleep for memory.
 */
void svcrdma_busy_poll(struct svcrdma_xprt *rdma, struct svc_pool *pool)
{
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	rpcrdma_busy_poll(rdma->conn, svcrdma_busy_found, pool);
	rpcrdma_conn_leave(rdma->conn);
}
