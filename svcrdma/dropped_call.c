// SPDX-License-Identifier: GPL-2.0-only
/*
 * When nfsd drops a Call without an answer, the server closes the connection.
 *
 * Otherwise the client's credit would be lost for the life of the connection. If the
 * first Call of a connection is dropped, the client has no other credit, and nothing
 * would arrive any more. After the close the client reconnects and resends: RFC 8881
 * 2.9.2 allows that.
 *
 * The close comes with a delay. It lets other Calls be answered first, and it limits
 * how often a client reconnects whose Calls are dropped again and again.
 *
 * A copy of a Call that nfsd still works on is dropped for that reason, and would be
 * dropped again after a reconnect. If the first copy came on a lost connection, the
 * close waits until it ends. If it came on the same connection, its Reply answers both,
 * and nothing is closed.
 *
 * Model: scripts/tests/models/reconnect_hold.pml
 */
#include "request.h"
#include "svcrdma.h"

/* From the dropped Call to the close */
#define SVCRDMA_DROPPED_DELAY	HZ

static void svcrdma_dropped_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 dropped_work.work);

	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_DROPPED, 0);
}

/**
 * svcrdma_dropped_init - initialize the fields that this file uses
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_dropped_init(struct svcrdma_xprt *rdma)
{
	INIT_DELAYED_WORK(&rdma->dropped_work, svcrdma_dropped_work);
}

/**
 * svcrdma_dropped_soon - close a connection soon, because nfsd has dropped a Call
 * @rdma: transport of the Call, entered
 *
 * Context: process context, does not sleep.
 */
void svcrdma_dropped_soon(struct svcrdma_xprt *rdma)
{
	queue_delayed_work(svcrdma_wq, &rdma->dropped_work,
			   SVCRDMA_DROPPED_DELAY);
}

/**
 * svcrdma_call_dropped - nfsd has dropped a Call
 * @req: the Call
 *
 * Context: process context, does not sleep.
 * Return: true if @req is kept until its first copy ends, and is not the caller's any
 * more.
 */
bool svcrdma_call_dropped(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	bool kept = false;

	if (!rpcrdma_conn_enter(rdma->conn))
		return false;
	if (!svcrdma_drop_finds_copy(req)) {
		svcrdma_req_release_memory(req);
		kept = svcrdma_hold_dropped(req);
		if (!kept)
			svcrdma_dropped_soon(rdma);
	}
	rpcrdma_conn_leave(rdma->conn);
	return kept;
}

/**
 * svcrdma_dropped_stop - cancel a delayed close when the transport is destroyed
 * @rdma: transport whose connection is drained
 *
 * Context: may sleep.
 */
void svcrdma_dropped_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->dropped_work);
}
