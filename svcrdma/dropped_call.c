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
 */
#include "svcrdma.h"

/* From the dropped Call to the close */
#define SVCRDMA_UNANSWERED_DELAY	HZ

static void svcrdma_unanswered_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 unanswered_work.work);

	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_UNANSWERED, 0);
}

/**
 * svcrdma_unanswered_init - initialize the fields that this file uses
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_unanswered_init(struct svcrdma_xprt *rdma)
{
	INIT_DELAYED_WORK(&rdma->unanswered_work, svcrdma_unanswered_work);
}

/**
 * svcrdma_call_unanswered - nfsd has dropped a Call
 * @rdma: transport of the Call; its connection closes soon
 *
 * Context: process context, does not sleep.
 */
void svcrdma_call_unanswered(struct svcrdma_xprt *rdma)
{
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	queue_delayed_work(svcrdma_wq, &rdma->unanswered_work,
			   SVCRDMA_UNANSWERED_DELAY);
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_unanswered_stop - cancel a delayed close when the transport is destroyed
 * @rdma: transport whose connection is drained
 *
 * Context: may sleep.
 */
void svcrdma_unanswered_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->unanswered_work);
}
