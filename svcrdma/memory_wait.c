// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests that wait for memory without a thread.
 *
 * An nfsd thread takes what a request needs before it does anything for it: the pages of a
 * data sink before RDMA Reads start, and the Send of the answer, with room for the pages of
 * the Reply, before nfsd gets the Call.
 * So without memory the request can go back to the front of the queue, and nfsd takes none
 * of the connection for SVCRDMA_MEMORY_LOOK. When memory is short, a client that is slow to
 * take its Replies holds the Sends of its connection; threads that waited for these would be
 * lost to other clients. What the RDMA Writes of a Reply need is allocated later.
 *
 * If a thread finds no memory for any request SVCRDMA_MEMORY_TRIES times, the connection
 * closes and returns what it has.
 *
 * Model: scripts/tests/models/teardown_server.pml
 */
#include "request.h"
#include "svcrdma.h"

#define SVCRDMA_MEMORY_LOOK	(HZ / 20)

/* 10 s, if threads come at once */
#define SVCRDMA_MEMORY_TRIES	200

static void svcrdma_memory_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 memory_work.work);
	unsigned int tries = READ_ONCE(rdma->memory_tries) + 1;

	/* Not queued again after svcrdma_memory_stop(): the drain waits for the leave */
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	/* If svcrdma_memory_found() runs meanwhile, its zero may be lost: no harm */
	WRITE_ONCE(rdma->memory_tries, tries);
	spin_lock(&rdma->lock);
	WRITE_ONCE(rdma->memory_waits, false);
	svcrdma_turn_update(rdma);
	spin_unlock(&rdma->lock);
	/*
	 * Either the thread that gives up XPT_BUSY sees this, or svc_xprt_enqueue() here
	 * sees that it has done so
	 */
	smp_mb();
	if (tries > SVCRDMA_MEMORY_TRIES)
		rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_NO_ANSWER, -ENOMEM);
	else
		svc_xprt_enqueue(&rdma->xprt);
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_memory_init - initialize the fields that this file uses
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_memory_init(struct svcrdma_xprt *rdma)
{
	INIT_DELAYED_WORK(&rdma->memory_work, svcrdma_memory_work);
}

/**
 * svcrdma_memory_wait - put a request back, since there is no memory for it
 * @req: request from svcrdma_queue_next(), whose stage says how to go on; not the caller's
 *	 afterwards
 *
 * Context: nfsd thread, connection entered; does not sleep.
 */
void svcrdma_memory_wait(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	bool lost;

	spin_lock(&rdma->lock);
	/*
	 * Copies of a lost Call wait for its end. Under the lock: see
	 * svcrdma_release_waiting()
	 */
	lost = READ_ONCE(req->lost) || rdma->queue_closed;
	req->at_work = false;
	if (!lost) {
		list_add(&req->node, svcrdma_queue_of(req));
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
		WRITE_ONCE(rdma->memory_waits, true);
		svcrdma_turn_update(rdma);
		queue_delayed_work(svcrdma_wq, &rdma->memory_work,
				   SVCRDMA_MEMORY_LOOK);
	}
	spin_unlock(&rdma->lock);
	if (lost)
		svcrdma_req_put(req);
}

/**
 * svcrdma_memory_stop - cancel the work item when the transport is destroyed
 * @rdma: transport whose connection is drained
 *
 * Context: may sleep.
 */
void svcrdma_memory_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->memory_work);
}
