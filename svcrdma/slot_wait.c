// SPDX-License-Identifier: GPL-2.0-only
/*
 * WR chains that wait for send queue slots without a thread.
 *
 * A client that posts no Receives fills the send queue. Replies to Calls that nfsd has
 * already got, and RDMA Reads that were about to start, then wait here, and are posted
 * when slots come back. No nfsd thread sleeps for them. They are posted in the order of
 * waiting, under svcrdma_xprt.lock: a Reply must not be posted before its RDMA Writes.
 *
 * While something waits, nfsd takes no other Call from the connection, so no more RPCs
 * wait than there are threads; one of them can have several chains. If no slot comes back
 * for SVCRDMA_SLOT_TIMEOUT, the connection closes: messages from such a client are no sign
 * of progress.
 *
 * Model: scripts/tests/models/teardown_server.pml
 */
#include "rw.h"
#include "svcrdma.h"

/* Time without any slot after which a connection is closed */
#define SVCRDMA_SLOT_TIMEOUT	(30UL * HZ)

static void svcrdma_slot_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 slot_work.work);
	unsigned long due = READ_ONCE(rdma->slot_progress) + SVCRDMA_SLOT_TIMEOUT;

	/* Not queued again after svcrdma_slot_stop(): the drain waits for the leave */
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	if (svcrdma_slot_waiting(rdma)) {
		if (time_after_eq(jiffies, due))
			rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_TIMEOUT,
					   -ETIMEDOUT);
		else
			queue_delayed_work(svcrdma_wq, &rdma->slot_work,
					   due - jiffies);
	}
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_slot_init - initialize the fields that this file uses
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_slot_init(struct svcrdma_xprt *rdma)
{
	INIT_LIST_HEAD(&rdma->slot_waiters);
	INIT_DELAYED_WORK(&rdma->slot_work, svcrdma_slot_work);
}

/* Posts the chain that has waited longest; false if there is none, or too few slots */
static bool svcrdma_slot_post_next(struct svcrdma_xprt *rdma)
{
	struct svcrdma_chain *chain;

	spin_lock(&rdma->lock);
	chain = list_first_entry_or_null(&rdma->slot_waiters,
					 struct svcrdma_chain, node);
	/* If the connection is closing, the loss or the teardown releases it */
	if (chain && rpcrdma_sendq_try_reserve(rdma->conn, chain->slots))
		chain = NULL;
	if (chain) {
		list_del_init(&chain->node);
		svcrdma_turn_update(rdma);
		chain->post(chain);
	}
	spin_unlock(&rdma->lock);
	return chain;
}

static void svcrdma_slot_post(struct svcrdma_xprt *rdma)
{
	while (svcrdma_slot_post_next(rdma))
		;
	/* Threads may take Calls again: see svcrdma_conn_has_wspace() */
	if (!svcrdma_slot_waiting(rdma))
		svc_xprt_enqueue(&rdma->xprt);
}

/**
 * svcrdma_slot_wait - post a WR chain when there are slots for it, behind those that wait
 * @rdma: transport, entered
 * @chain: its @slots and @post are set; not the caller's afterwards
 *
 * If the connection is lost while @chain waits, @chain->release() is called; without one,
 * the teardown frees what it belongs to.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_slot_wait(struct svcrdma_xprt *rdma, struct svcrdma_chain *chain)
{
	bool release;

	spin_lock(&rdma->lock);
	release = rdma->queue_closed && chain->release;
	if (list_empty(&rdma->slot_waiters))
		WRITE_ONCE(rdma->slot_progress, jiffies);
	if (!release)
		list_add_tail(&chain->node, &rdma->slot_waiters);
	svcrdma_turn_update(rdma);
	spin_unlock(&rdma->lock);
	if (release) {
		chain->release(chain);
		return;
	}
	/* Slots may have come back before the chain was in the list */
	svcrdma_slot_post(rdma);
	if (svcrdma_slot_waiting(rdma))
		queue_delayed_work(svcrdma_wq, &rdma->slot_work,
				   SVCRDMA_SLOT_TIMEOUT);
}

/**
 * svcrdma_slot_avail - ops->sq_avail: slots have come back
 * @conn: connection
 *
 * Context: completion handler; does not sleep.
 */
void svcrdma_slot_avail(struct rpcrdma_conn *conn)
{
	struct svcrdma_xprt *rdma = conn->owner;

	WRITE_ONCE(rdma->slot_progress, jiffies);
	if (!svcrdma_slot_waiting(rdma) || !rpcrdma_conn_enter(conn))
		return;
	svcrdma_slot_post(rdma);
	rpcrdma_conn_leave(conn);
}

/**
 * svcrdma_slot_release_waiting - release what need not wait for the teardown
 * @rdma: transport whose connection is lost, and whose queue is closed
 *
 * Context: work item; does not sleep.
 */
void svcrdma_slot_release_waiting(struct svcrdma_xprt *rdma)
{
	struct svcrdma_chain *chain, *next;
	LIST_HEAD(released);

	spin_lock(&rdma->lock);
	list_for_each_entry_safe(chain, next, &rdma->slot_waiters, node)
		if (chain->release)
			list_move_tail(&chain->node, &released);
	spin_unlock(&rdma->lock);
	list_for_each_entry_safe(chain, next, &released, node)
		chain->release(chain);
}

/**
 * svcrdma_slot_stop - cancel the time limit when the transport is destroyed
 * @rdma: transport whose connection is drained
 *
 * Context: may sleep.
 */
void svcrdma_slot_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->slot_work);
}
