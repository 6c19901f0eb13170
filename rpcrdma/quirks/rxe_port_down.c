// SPDX-License-Identifier: GPL-2.0-only
/*
 * Soft-RoCE (rxe): no CM message may be sent while the port is down.
 *
 * When a packet cannot be sent because the network device is down, rxe fails the work
 * request and moves its queue pair to the error state. For a CM message that is the
 * QP1 of the port, which all connections of the port share, and which does not
 * recover: no connection succeeds until the RDMA link is deleted and added again.
 *
 * So on rxe, and on no other device, a connection whose port is down is neither connected
 * nor accepted, and is closed without a CM message. The cm_id would send one when it is
 * destroyed, so the destruction is deferred; see deferred_destroy.c.
 *
 * The state of the network device is used in place of that of the RDMA port: it
 * changes before the first packet fails.
 *
 * Not covered: a message that the CM sends again by itself, for a connection that is
 * being made, or that was disconnected shortly before the device went down.
 */
#include <linux/netdevice.h>
#include "../core.h"

/**
 * rpcrdma_rxe_port_is_down - must no CM message be sent for a connection now?
 * @conn: connection whose device and route are known
 *
 * Context: process context, does not sleep.
 * Return: true if the device is rxe and its network device is down. False if that
 * has left the network namespace of the connection: it does not come back.
 */
bool rpcrdma_rxe_port_is_down(const struct rpcrdma_conn *conn)
{
	const struct rdma_cm_id *cm_id = to_core(conn)->cm_id;
	const struct rdma_dev_addr *addr = &cm_id->route.addr.dev_addr;
	const struct net_device *dev;
	bool down;

	if (conn->device->ops.driver_id != RDMA_DRIVER_RXE)
		return false;
	rcu_read_lock();
	dev = dev_get_by_index_rcu(addr->net, addr->bound_dev_if);
	down = dev && !(netif_running(dev) && netif_carrier_ok(dev));
	rcu_read_unlock();
	return down;
}
