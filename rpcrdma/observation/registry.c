// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of all connections, for sysfs and debugfs, and to close some of them.
 *
 * Its lock is held only while text is written to memory that is already allocated.
 * Reconnecting takes the lock and is part of writeback. It is a spinlock because any user
 * may read sysfs: a reader that gets little CPU time is not preempted while it has the lock,
 * and on a real-time kernel inherits the priority of who waits.
 */
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include "../core.h"

/* Protects the list, rpcrdma_endpoint.conn, and the endpoint of each sysfs directory */
DEFINE_SPINLOCK(rpcrdma_registry_lock);

static LIST_HEAD(rpcrdma_registry_conns);
static u64 rpcrdma_registry_last;

/**
 * rpcrdma_registry_add - add a connection to the list
 * @conn: new connection
 *
 * Sets @conn->number, and @conn->ep->conn, which rpcrdma_conn_posters_gone() reads.
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_registry_add(struct rpcrdma_conn *conn)
{
	spin_lock(&rpcrdma_registry_lock);
	conn->number = ++rpcrdma_registry_last;
	list_add_tail(&to_core(conn)->registry, &rpcrdma_registry_conns);
	conn->ep->conn = conn;
	spin_unlock(&rpcrdma_registry_lock);
}

/**
 * rpcrdma_registry_del - remove a connection that is about to be freed
 * @conn: connection; no reader of sysfs or debugfs uses it after the return
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_registry_del(struct rpcrdma_conn *conn)
{
	spin_lock(&rpcrdma_registry_lock);
	list_del(&to_core(conn)->registry);
	conn->ep->conn = NULL;
	spin_unlock(&rpcrdma_registry_lock);
}

/**
 * rpcrdma_registry_start - begin to walk the list, for a seq_file
 * @pos: number of connections to skip
 *
 * Context: rpcrdma_registry_lock is held.
 * Return: a node for rpcrdma_registry_conn() and rpcrdma_registry_next(), or NULL
 * at the end.
 */
void *rpcrdma_registry_start(loff_t pos)
{
	lockdep_assert_held(&rpcrdma_registry_lock);
	return seq_list_start(&rpcrdma_registry_conns, pos);
}

/**
 * rpcrdma_registry_next - the next node of the list, for a seq_file
 * @node: from rpcrdma_registry_start() or this function
 * @pos: position; counted up
 *
 * Context: rpcrdma_registry_lock is held.
 * Return: a node, or NULL at the end.
 */
void *rpcrdma_registry_next(void *node, loff_t *pos)
{
	lockdep_assert_held(&rpcrdma_registry_lock);
	return seq_list_next(node, &rpcrdma_registry_conns, pos);
}

/**
 * rpcrdma_registry_conn - the connection of a node
 * @node: from rpcrdma_registry_start() or rpcrdma_registry_next()
 *
 * Context: rpcrdma_registry_lock is held.
 * Return: the connection.
 */
const struct rpcrdma_conn *rpcrdma_registry_conn(void *node)
{
	lockdep_assert_held(&rpcrdma_registry_lock);
	return &list_entry(node, struct rpcrdma_conn_core, registry)->conn;
}

/**
 * rpcrdma_registry_close_gpu - close all connections that have GPU memory mapped
 *
 * Context: process context, does not sleep. Does not wait for their teardown.
 */
void rpcrdma_registry_close_gpu(void)
{
	struct rpcrdma_conn_core *core;

	spin_lock(&rpcrdma_registry_lock);
	list_for_each_entry(core, &rpcrdma_registry_conns, registry)
		if (atomic_read(&core->conn.gpu_mapped))
			rpcrdma_conn_close(&core->conn, RPCRDMA_CLOSE_GPU,
					   -ECONNABORTED);
	spin_unlock(&rpcrdma_registry_lock);
}
