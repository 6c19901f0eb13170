// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients have equal shares of the nfsd threads, whatever the number of their connections: see
 * protocol/turns.c.
 *
 * While the queue of a connection has requests that a thread could work on, the connection
 * counts as one that waits for a thread. An nfsd thread that comes to it asks whether it uses its
 * turn. If not, the thread leaves it, and sunrpc puts it behind the others that wait. That happens
 * only while others do wait, so no thread goes idle for it.
 *
 * Connections are counted only while some client has more than one. Those that had requests
 * before are not counted until their queue has been empty: until then shares may be less equal.
 * The servers of all network namespaces are counted together.
 */
#include <linux/atomic.h>
#include <compat/svc_queue.h>
#include "request.h"
#include "rw.h"
#include "svcrdma.h"

/* Clients with more than one connection */
static atomic_t svcrdma_turn_several;

/* Clients with connections that wait, by class */
static atomic_t svcrdma_turn_clients[SVCRDMA_TURN_CLASSES];

/**
 * svcrdma_turn_join - a transport has joined its client
 * @rdma: transport; svcrdma_client.xprts counts it
 *
 * Context: holds svcrdma_read_budget.lock. svcrdma_turn_leave() undoes it.
 */
void svcrdma_turn_join(struct svcrdma_xprt *rdma)
{
	struct svcrdma_client *client = rdma->reads.client;

	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (client->xprts == 2)
		atomic_inc(&svcrdma_turn_several);
	spin_lock(&client->turn_lock);
	rdma->turn_last = svcrdma_turn_first(&client->turns);
	spin_unlock(&client->turn_lock);
}

/**
 * svcrdma_turn_leave - a transport has left its client
 * @client: the client; svcrdma_client.xprts does not count it any more
 *
 * Context: holds svcrdma_read_budget.lock.
 */
void svcrdma_turn_leave(const struct svcrdma_client *client)
{
	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (client->xprts == 1)
		atomic_dec(&svcrdma_turn_several);
}

/* A client that had @before connections that wait has @now */
static void svcrdma_turn_count(unsigned int before, unsigned int now)
{
	if (before && now && svcrdma_turn_class(before) == svcrdma_turn_class(now))
		return;
	if (before)
		atomic_dec(&svcrdma_turn_clients[svcrdma_turn_class(before)]);
	if (now)
		atomic_inc(&svcrdma_turn_clients[svcrdma_turn_class(now)]);
}

/* Is a thread to come to this connection, and would it find a request that it could work on? */
static bool svcrdma_turn_is_wanted(const struct svcrdma_xprt *rdma)
{
	return !list_empty(&rdma->ready) && rdma->started && !svcrdma_slot_waiting(rdma) &&
	       !svcrdma_memory_waiting(rdma);
}

/**
 * svcrdma_turn_update - count a connection if it waits for a thread
 * @rdma: transport whose requests, or what they wait for, have changed
 *
 * Context: holds svcrdma_xprt.lock.
 */
void svcrdma_turn_update(struct svcrdma_xprt *rdma)
{
	bool wanted = svcrdma_turn_is_wanted(rdma);
	unsigned int now;

	lockdep_assert_held(&rdma->lock);
	if (wanted == rdma->turn_waits || (wanted && !atomic_read(&svcrdma_turn_several)))
		return;
	rdma->turn_waits = wanted;
	if (wanted) {
		now = atomic_inc_return(&rdma->reads.client->waiting);
		svcrdma_turn_count(now - 1, now);
	} else {
		now = atomic_dec_return(&rdma->reads.client->waiting);
		svcrdma_turn_count(now + 1, now);
	}
}

/**
 * svcrdma_turn_stop - count a connection no more when its transport is destroyed
 * @rdma: transport whose queue is empty
 *
 * Context: process context, does not sleep.
 */
void svcrdma_turn_stop(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	svcrdma_turn_update(rdma);
	WARN_ON_ONCE(rdma->turn_waits);
	spin_unlock(&rdma->lock);
}

/* Least class that a client which waits has */
static unsigned int svcrdma_turn_fewest(void)
{
	unsigned int class;

	for (class = 0; class < SVCRDMA_TURN_CLASSES; class++)
		if (atomic_read(&svcrdma_turn_clients[class]))
			break;
	return class;
}

/**
 * svcrdma_turns_exit - check the counts when no transport is left
 *
 * Context: module exit.
 */
void svcrdma_turns_exit(void)
{
	WARN_ON_ONCE(atomic_read(&svcrdma_turn_several) ||
		     svcrdma_turn_fewest() < SVCRDMA_TURN_CLASSES);
}

/**
 * svcrdma_turn_pass - does a connection pass its turn on?
 * @rdma: transport
 * @pool: pool of the nfsd thread that has come to it
 *
 * Context: nfsd thread that holds XPT_BUSY of the transport; does not sleep.
 * Return: true if the thread is to take no request of this connection now.
 */
bool svcrdma_turn_pass(struct svcrdma_xprt *rdma, struct svc_pool *pool)
{
	struct svcrdma_client *client = rdma->reads.client;
	unsigned int waiting = atomic_read(&client->waiting);
	unsigned int share;
	bool use;

	if (likely(waiting < 2) || rpcrdma_svc_queue_empty(pool))
		return false;
	share = svcrdma_turn_share(waiting, svcrdma_turn_fewest());
	if (share < 2)
		return false;
	spin_lock(&client->turn_lock);
	use = svcrdma_turn_use(&client->turns, &rdma->turn_last, waiting, share);
	spin_unlock(&client->turn_lock);
	if (!use)
		rpcrdma_count(rdma->conn->stats, RPCRDMA_C_TURNS_PASSED);
	return !use;
}
