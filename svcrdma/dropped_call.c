// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Call that nfsd drops without an answer costs its connection.
 *
 * Without an answer, the client's credit would be lost for the life of the connection.
 * If the first Call of a connection is dropped, the client has no other credit, and
 * nothing would arrive any more. So the server closes the connection, and the client
 * reconnects and resends: RFC 8881 2.9.2 allows that.
 *
 * The close comes with a delay. It lets other Calls be answered first, and it limits
 * how often a client reconnects whose Calls are dropped again and again.
 */
#include "svcrdma.h"

/* From the dropped Call to the close */
#define SVCRDMA_DROP_DELAY	HZ

static void svcrdma_drop_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 drop_work.work);

	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_UNANSWERED, 0);
}

/**
 * svcrdma_dropped_init - initialize the fields that this file uses
 * @rdma: new connection
 *
 * Context: any.
 */
void svcrdma_dropped_init(struct svcrdma_xprt *rdma)
{
	INIT_DELAYED_WORK(&rdma->drop_work, svcrdma_drop_work);
}

/**
 * svcrdma_dropped - nfsd has dropped a Call
 * @rdma: connection of the Call; closes soon
 *
 * Context: process context, does not sleep.
 */
void svcrdma_dropped(struct svcrdma_xprt *rdma)
{
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	queue_delayed_work(svcrdma_wq, &rdma->drop_work, SVCRDMA_DROP_DELAY);
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_dropped_stop - cancel a delayed close when the connection is destroyed
 * @rdma: drained connection
 *
 * Context: may sleep.
 */
void svcrdma_dropped_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->drop_work);
}
