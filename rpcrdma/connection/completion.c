// SPDX-License-Identifier: GPL-2.0-only
/*
 * The completion queue of a connection.
 *
 * An event of the CQ queues a work item. It passes completions to their handlers until
 * the CQ is empty, and arms the CQ again. There is one work item, so handlers of one
 * connection never run in parallel.
 *
 * The CQ is from ib_create_cq() and not from ib_alloc_cq(), because the work item is to
 * run on a workqueue with the attributes of rpciod. ib_drain_qp() sleeps until that work
 * item has found its markers. Drivers whose device has failed for good make completions
 * up, and raise the event of the CQ themselves.
 */
#include <linux/workqueue.h>
#include "../core.h"

/* Completions of one run of the work item; then other connections get their turn */
#define RPCRDMA_CQ_BUDGET	1024

static struct workqueue_struct *rpcrdma_cq_wq;

/* Returns the number of completions; fewer than a batch: the CQ was empty */
static int rpcrdma_cq_handle(struct rpcrdma_cq *cq)
{
	int i, n = ib_poll_cq(cq->ib, ARRAY_SIZE(cq->wc), cq->wc);

	for (i = 0; i < n; i++) {
		struct ib_wc *wc = &cq->wc[i];

		/* A flushed work request may have none if it was unsignaled */
		if (likely(wc->wr_cqe))
			wc->wr_cqe->done(cq->ib, wc);
	}
	return n;
}

static void rpcrdma_cq_work(struct work_struct *work)
{
	struct rpcrdma_cq *cq = container_of(work, struct rpcrdma_cq, work);
	int n, left = RPCRDMA_CQ_BUDGET;

	if (READ_ONCE(cq->stopped))
		return;
	do {
		n = rpcrdma_cq_handle(cq);
		left -= max(n, 1);
	} while (left > 0 &&
		 (n == RPCRDMA_CQ_BATCH ||
		  ib_req_notify_cq(cq->ib, IB_CQ_NEXT_COMP |
					   IB_CQ_REPORT_MISSED_EVENTS) > 0));
	if (left <= 0)
		queue_work(rpcrdma_cq_wq, &cq->work);
}

static void rpcrdma_cq_event(struct ib_cq *ib, void *context)
{
	struct rpcrdma_cq *cq = &to_core((struct rpcrdma_conn *)context)->cq;

	if (!READ_ONCE(cq->stopped))
		queue_work(rpcrdma_cq_wq, &cq->work);
}

/* The only such event is IB_EVENT_CQ_ERR: the CQ is dead */
static void rpcrdma_cq_error(struct ib_event *event, void *context)
{
	rpcrdma_conn_close(context, RPCRDMA_CLOSE_QP_ERROR, -EIO);
}

/* Connections take turns with the completion vectors, and so with interrupts and CPUs */
static unsigned int rpcrdma_cq_vector(const struct ib_device *device)
{
	static atomic_t turn;
	unsigned int vectors = min_t(unsigned int, device->num_comp_vectors,
				     num_online_cpus());

	return vectors > 1 ? (u32)atomic_inc_return(&turn) % vectors : 0;
}

/**
 * rpcrdma_cq_create - create the CQ of a connection
 * @conn: connection whose device is known
 *
 * Context: may sleep; the caller is in a NOFS scope.
 * Return: 0, and handlers run from now on, with @conn as cq_context; or a negative errno
 * of the device. rpcrdma_cq_destroy() undoes it.
 */
int rpcrdma_cq_create(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq *cq = &to_core(conn)->cq;
	const struct ib_cq_init_attr attr = {
		.cqe		= conn->limits.cq_depth,
		.comp_vector	= rpcrdma_cq_vector(conn->device),
	};
	struct ib_cq *ib;

	cq->stopped = false;
	INIT_WORK(&cq->work, rpcrdma_cq_work);
	ib = ib_create_cq(conn->device, rpcrdma_cq_event, rpcrdma_cq_error, conn,
			  &attr);
	if (IS_ERR(ib))
		return PTR_ERR(ib);
	cq->ib = ib;
	/* Nothing has completed yet, since there is no QP */
	ib_req_notify_cq(ib, IB_CQ_NEXT_COMP);
	return 0;
}

/**
 * rpcrdma_cq_stop - run no more completion handlers
 * @conn: connection that is drained, or cannot be; with or without a CQ
 *
 * Completions that come later are not polled. May be called more than once.
 *
 * Context: may sleep. Not from a completion handler.
 */
void rpcrdma_cq_stop(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq *cq = &to_core(conn)->cq;

	if (!cq->ib)
		return;
	WRITE_ONCE(cq->stopped, true);
	cancel_work_sync(&cq->work);
}

/**
 * rpcrdma_cq_destroy - destroy the CQ of a connection, if there is one
 * @conn: connection whose QP is destroyed, or was not created
 *
 * Context: may sleep.
 */
void rpcrdma_cq_destroy(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq *cq = &to_core(conn)->cq;

	if (!cq->ib)
		return;
	rpcrdma_cq_stop(conn);
	ib_destroy_cq(cq->ib);
	/* A late event may have queued it; it has not touched the CQ */
	cancel_work_sync(&cq->work);
	cq->ib = NULL;
}

/**
 * rpcrdma_cq_init - create the workqueue of the completion handlers
 *
 * It has the attributes of rpciod, so that both use the same worker threads: a
 * completion then takes no switch to a thread of another pool and back.
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int rpcrdma_cq_init(void)
{
	rpcrdma_cq_wq = alloc_workqueue("rpcrdma_cq",
					WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return rpcrdma_cq_wq ? 0 : -ENOMEM;
}

/**
 * rpcrdma_cq_exit - undo rpcrdma_cq_init(), if it was called; no connection is left
 *
 * Context: module exit.
 */
void rpcrdma_cq_exit(void)
{
	if (rpcrdma_cq_wq)
		destroy_workqueue(rpcrdma_cq_wq);
}
