// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last step of a teardown: the cm_id and the memory of a connection.
 *
 * Destroying the cm_id of a connection that was not disconnected sends a disconnect
 * request (DREQ) to the peer, or a rejection if it was not accepted. On rxe that breaks
 * the port while its network device is down (rxe_port_down.c). A connection that was
 * closed in that state therefore keeps its cm_id and its memory until the network device
 * is up again. The peer gets the message then. The wait ends early if the RDMA device or
 * this module is removed.
 *
 * Routes and IPv6 addresses can come back some time after the device, and rxe needs
 * them, so the device must be found up several times in a row.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "../core.h"

/* Time between two checks of the device, and how many in a row must find it up */
#define RPCRDMA_DEFERRED_INTERVAL	HZ
#define RPCRDMA_DEFERRED_CHECKS	3

/*
 * A cm_id keeps its network namespace alive, and the namespace may keep the network
 * device. So in other namespaces than the first one the wait is bounded.
 */
#define RPCRDMA_DEFERRED_MAX	(120UL * HZ)

static atomic_t rpcrdma_deferred_count = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(rpcrdma_deferred_waitq);
static bool rpcrdma_deferred_stopped;

static bool rpcrdma_deferred_expired(const struct rpcrdma_conn *conn)
{
	const struct rpcrdma_conn_core *core = to_core(conn);

	return !net_eq(core->cm_id->route.addr.dev_addr.net, &init_net) &&
	       time_after(jiffies, core->deferred_begun + RPCRDMA_DEFERRED_MAX);
}

static bool rpcrdma_deferred_must_wait(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	if (!test_bit(RPCRDMA_CONN_DREQ_UNSENT, &core->flags) ||
	    test_bit(RPCRDMA_CONN_DEVICE_REMOVED, &core->flags) ||
	    READ_ONCE(rpcrdma_deferred_stopped) ||
	    rpcrdma_deferred_expired(conn))
		return false;
	if (rpcrdma_rxe_port_is_down(conn))
		core->deferred_checks = 0;
	else
		core->deferred_checks++;
	return core->deferred_checks < RPCRDMA_DEFERRED_CHECKS;
}

static void rpcrdma_deferred_finish(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	if (core->cm_id)
		rdma_destroy_id(core->cm_id);
	kfree(core);
}

static void rpcrdma_deferred_work(struct work_struct *work)
{
	struct rpcrdma_conn_core *core = container_of(to_delayed_work(work),
						      struct rpcrdma_conn_core,
						      deferred_work);
	struct rpcrdma_conn *conn = &core->conn;
	unsigned int nofs;

	if (rpcrdma_deferred_must_wait(conn)) {
		queue_delayed_work(rpcrdma_wq, &core->deferred_work,
				   RPCRDMA_DEFERRED_INTERVAL);
		return;
	}
	nofs = memalloc_nofs_save();
	rpcrdma_deferred_finish(conn);
	memalloc_nofs_restore(nofs);
	if (atomic_dec_and_test(&rpcrdma_deferred_count))
		wake_up_all(&rpcrdma_deferred_waitq);
}

/**
 * rpcrdma_deferred_destroy - destroy the cm_id of a connection and free its memory
 * @conn: drained connection without QP, CQ and PD; not the caller's any more
 *
 * At once, or, if no CM message may be sent now, as soon as one may.
 *
 * Context: may sleep. Not from a CM handler of this connection.
 */
void rpcrdma_deferred_destroy(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	core->deferred_begun = jiffies;
	if (!rpcrdma_deferred_must_wait(conn)) {
		rpcrdma_deferred_finish(conn);
		return;
	}
	/* A CM handler that is running may use the owner, which goes away next */
	rdma_lock_handler(core->cm_id);
	rdma_unlock_handler(core->cm_id);
	atomic_inc(&rpcrdma_deferred_count);
	INIT_DELAYED_WORK(&core->deferred_work, rpcrdma_deferred_work);
	queue_delayed_work(rpcrdma_wq, &core->deferred_work,
			   RPCRDMA_DEFERRED_INTERVAL);
}

/**
 * rpcrdma_deferred_stop - destroy all cm_ids that are still there
 *
 * Context: module exit; may sleep for RPCRDMA_DEFERRED_INTERVAL.
 */
void rpcrdma_deferred_stop(void)
{
	WRITE_ONCE(rpcrdma_deferred_stopped, true);
	wait_event(rpcrdma_deferred_waitq,
		   !atomic_read(&rpcrdma_deferred_count));
}
