// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last message to the peer, which says that a connection is over.
 *
 * The CM of InfiniBand and RoCE sends one when a connection is disconnected, and if
 * it was not, when its cm_id is destroyed. With the network device of a RoCE port
 * down it reaches nobody, and it can do harm: rxe fails the post, and with it the
 * queue pair that the CM messages of that port take, for good. So such a connection
 * is only broken off at this end. What is left of it at its very end, the struct and
 * the cm_id, waits for the device: then the peer hears of it too, and does not have to
 * find out. The removal of the RDMA device, or of this module, ends the wait.
 *
 * The network device is asked, and not the port: it says so before the first packet
 * fails, and not all drivers tell of each change of a port. Routes and IPv6 addresses
 * may come back some time after the device, and rxe needs those as well.
 *
 * Not covered is a message that the CM sends again by itself, for a connection that is
 * being made or was disconnected shortly before the device went down.
 */
#include <linux/netdevice.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "../core.h"

/* Time between two looks at the device, and how many must find it up in a row */
#define RPCRDMA_DEFERRED_INTERVAL	HZ
#define RPCRDMA_DEFERRED_CHECKS	3

/* A cm_id keeps its network namespace, which may be what keeps the device */
#define RPCRDMA_DEFERRED_MAX	(120UL * HZ)

static atomic_t rpcrdma_deferred_count = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(rpcrdma_deferred_waitq);
static bool rpcrdma_deferred_stopped;

/**
 * rpcrdma_port_is_down - would a CM message go to a RoCE port that is down?
 * @conn: connection whose route is resolved
 *
 * Context: process context, does not sleep.
 * Return: true if nothing is to be sent now.
 */
bool rpcrdma_port_is_down(const struct rpcrdma_conn *conn)
{
	const struct rdma_cm_id *cm_id = to_core(conn)->cm_id;
	const struct rdma_dev_addr *addr = &cm_id->route.addr.dev_addr;
	const struct net_device *dev;
	bool down;

	if (!rdma_protocol_roce(cm_id->device, cm_id->port_num))
		return false;
	rcu_read_lock();
	dev = dev_get_by_index_rcu(addr->net, addr->bound_dev_if);
	/* One that has gone, or is elsewhere now, will not come back */
	down = dev && !(netif_running(dev) && netif_carrier_ok(dev));
	rcu_read_unlock();
	return down;
}

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
	if (rpcrdma_port_is_down(conn))
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
 * rpcrdma_deferred_destroy - destroy the cm_id of a connection, and free its struct
 * @conn: connection that has nothing else any more, and that the caller forgets
 *
 * At once, or when the network device is up again.
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
	/* A handler that is running may be with the owner, who goes next */
	rdma_lock_handler(core->cm_id);
	rdma_unlock_handler(core->cm_id);
	atomic_inc(&rpcrdma_deferred_count);
	INIT_DELAYED_WORK(&core->deferred_work, rpcrdma_deferred_work);
	queue_delayed_work(rpcrdma_wq, &core->deferred_work,
			   RPCRDMA_DEFERRED_INTERVAL);
}

/**
 * rpcrdma_deferred_stop - nothing waits for its device any more
 *
 * Context: module exit; may sleep, until the next look.
 */
void rpcrdma_deferred_stop(void)
{
	WRITE_ONCE(rpcrdma_deferred_stopped, true);
	wait_event(rpcrdma_deferred_waitq,
		   !atomic_read(&rpcrdma_deferred_count));
}
