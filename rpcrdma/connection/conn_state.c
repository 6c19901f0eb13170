// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state of a connection: moves, waiting for one, and closing.
 *
 * rpcrdma_conn_close() is the one way from any state to CLOSING. The first caller
 * wins and its cause is kept. What takes time is done by a work item, so that any
 * context can close. state.c has the table of legal moves; conn.c has the order of
 * the teardown.
 *
 * Model: scripts/tests/models/teardown_client.pml
 */
#include <linux/sched/mm.h>
#include <trace/events/rpcrdma_core.h>
#include "../core.h"

/**
 * rpcrdma_conn_state - the state at this moment
 * @conn: connection
 *
 * What was written before the move to that state is visible to the caller.
 *
 * Context: any.
 * Return: a state that may be out of date as soon as it is returned.
 */
enum rpcrdma_state rpcrdma_conn_state(const struct rpcrdma_conn *conn)
{
	/* Pairs with rpcrdma_conn_set_state() */
	return smp_load_acquire(&to_core(conn)->state);
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_state);

static bool rpcrdma_conn_set_state(struct rpcrdma_conn *conn,
				   enum rpcrdma_state to)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	lockdep_assert_held(&core->state_lock);
	if (!rpcrdma_state_may_move(core->state, to))
		return false;
	/* Pairs with rpcrdma_conn_state(), which is called without the lock */
	smp_store_release(&core->state, to);
	return true;
}

/**
 * rpcrdma_conn_move - change the state, if that is a legal move
 * @conn: connection
 * @to: new state; not CLOSING, which is for rpcrdma_conn_close()
 *
 * Context: any.
 * Return: true if this call made the move.
 */
bool rpcrdma_conn_move(struct rpcrdma_conn *conn, enum rpcrdma_state to)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	enum rpcrdma_state from;
	unsigned long flags;
	bool moved;

	spin_lock_irqsave(&core->state_lock, flags);
	from = core->state;
	moved = rpcrdma_conn_set_state(conn, to);
	spin_unlock_irqrestore(&core->state_lock, flags);

	if (!moved)
		return false;
	trace_rpcrdma_state(conn, from, to);
	wake_up_all(&core->state_wait);
	return true;
}

/**
 * rpcrdma_conn_wait - sleep while the connection is in one state
 * @conn: connection
 * @from: state to wait out
 * @timeout: jiffies; the connection closes if it is still in @from by then
 *
 * Context: may sleep.
 * Return: 0 if a state other than @from and CLOSING was reached; otherwise the
 * negative errno with which the connection was closed.
 */
int rpcrdma_conn_wait(struct rpcrdma_conn *conn, enum rpcrdma_state from,
		      unsigned long timeout)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	if (!wait_event_timeout(core->state_wait,
				rpcrdma_conn_state(conn) != from, timeout))
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_TIMEOUT, -ETIMEDOUT);
	if (rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING)
		return core->error ?: -ENOTCONN;
	return 0;
}

/**
 * rpcrdma_endpoint_note_close - note why an endpoint has no connection, and count it
 * @ep: endpoint
 * @cause: why the connection was closed, or could not be made
 * @error: negative errno that goes with it, or 0
 *
 * Context: any.
 */
void rpcrdma_endpoint_note_close(struct rpcrdma_endpoint *ep,
				 enum rpcrdma_close_cause cause, int error)
{
	WRITE_ONCE(ep->error_cause, cause);
	WRITE_ONCE(ep->error, error);
	WRITE_ONCE(ep->error_at, ktime_get_seconds());
	if (!ep->probe)
		rpcrdma_closes_count(ep->server, cause);
}

/**
 * rpcrdma_conn_close - close a connection
 * @conn: connection that the caller keeps from being destroyed
 * @cause: why; kept if this call is the first one
 * @error: negative errno that goes with it, or 0
 *
 * Queues the work item that stops posting, disconnects, and calls ops->lost.
 *
 * Context: any, hard interrupts included.
 */
void rpcrdma_conn_close(struct rpcrdma_conn *conn,
			enum rpcrdma_close_cause cause, int error)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	unsigned long flags;
	bool won;

	spin_lock_irqsave(&core->state_lock, flags);
	won = rpcrdma_state_may_move(core->state, RPCRDMA_S_CLOSING);
	if (won) {
		/* Before the state: see rpcrdma_conn_wait() */
		core->cause = cause;
		core->error = error;
		rpcrdma_conn_set_state(conn, RPCRDMA_S_CLOSING);
		queue_work(rpcrdma_close_wq, &core->close_work);
	}
	spin_unlock_irqrestore(&core->state_lock, flags);

	if (!won)
		return;
	rpcrdma_count(conn->stats, RPCRDMA_C_CLOSES);
	rpcrdma_endpoint_note_close(conn->ep, cause, error);
	trace_rpcrdma_close(conn, cause, error);
	wake_up_all(&core->state_wait);
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_close);

/**
 * rpcrdma_conn_wc_failed - close a connection because of a failed work request
 * @conn: its connection
 * @wc: its completion, with any status but IB_WC_SUCCESS
 * @cause: why the connection closes, unless the work request was only flushed
 *
 * Context: completion handler.
 */
void rpcrdma_conn_wc_failed(struct rpcrdma_conn *conn, const struct ib_wc *wc,
			    enum rpcrdma_close_cause cause)
{
	int error;

	cause = rpcrdma_close_wc_cause(wc->status == IB_WC_WR_FLUSH_ERR,
				       rdma_protocol_iwarp(conn->device,
							   conn->port_num),
				       cause, &error);
	rpcrdma_conn_close(conn, cause, error);
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_wc_failed);

/* The result does not matter: ib_drain_qp() asks for the same state again */
static void rpcrdma_conn_abort(struct rpcrdma_conn *conn)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	ib_modify_qp(conn->qp, &attr, IB_QP_STATE);
}

/* May sleep for as long as the device takes to connect */
static void rpcrdma_conn_disconnect(struct rpcrdma_conn *conn)
{
	struct rdma_cm_id *cm_id = to_core(conn)->cm_id;

	/* See rpcrdma_conn_offer(). rdma_disconnect() may wait for a CM handler */
	rdma_lock_handler(cm_id);
	rdma_unlock_handler(cm_id);
	rdma_disconnect(cm_id);
}

/**
 * rpcrdma_conn_close_work - take a connection down as far as no owner is needed
 * @work: rpcrdma_conn_core.close_work, queued by rpcrdma_conn_close()
 *
 * Context: work item; may sleep.
 */
void rpcrdma_conn_close_work(struct work_struct *work)
{
	struct rpcrdma_conn_core *core =
		container_of(work, struct rpcrdma_conn_core, close_work);
	struct rpcrdma_conn *conn = &core->conn;
	bool offered = test_bit(RPCRDMA_CONN_OFFERED, &core->flags);
	/* A server's cm_id sends a message in any case, if only a rejection */
	bool port_down = (offered || conn->server) &&
			 rpcrdma_rxe_port_is_down(conn);
	unsigned int nofs;

	percpu_ref_kill(&conn->ep->posters);
	rpcrdma_sendq_close(&core->sendq);
	rpcrdma_log_close(conn, port_down);
	if (port_down)
		set_bit(RPCRDMA_CONN_DREQ_UNSENT, &core->flags);

	if (!offered)
		return;
	/* The next connection, and so writeback, waits for this one to go */
	nofs = memalloc_nofs_save();
	if (port_down)
		rpcrdma_conn_abort(conn);
	else
		rpcrdma_conn_disconnect(conn);
	/* The drain may come much later: a Call may hang */
	rpcrdma_cq_poll_once(conn);
	conn->ops->lost(conn);
	memalloc_nofs_restore(nofs);
}
