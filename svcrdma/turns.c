// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients have equal shares of the nfsd threads, whatever the number of their connections: see
 * protocol/turns.c.
 *
 * While the queue of a connection has requests that a thread could work on, the connection
 * counts as one that waits for a thread. While threads are short, one that comes to it asks
 * whether it uses its turn. If not, the thread leaves it, and sunrpc puts it behind the others
 * that wait. An RPC takes one turn: when its RDMA Reads are done, the thread goes on with it.
 *
 * Connections that wait for threads of different pools do not compete. So a connection counts for
 * the pool whose thread came to it last, which is where sunrpc queues it again as long as its
 * completions come to the same CPU or node. Pools are told apart by a hash; two with the same one
 * pass on turns in vain. So does a client beside one that sunrpc does not serve for another
 * reason.
 *
 * Connections are counted only while some client has more than one.
 */
#include <kunit/visibility.h>
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <compat/svc_queue.h>
#include "request.h"
#include "rw.h"
#include "svcrdma.h"

/* Clients with more than one connection */
static atomic_t svcrdma_turn_several __read_mostly;

/* By hash of the pool: clients with connections that wait, by class. Briefly below 0 */
static struct svcrdma_turn_count {
	atomic_t	clients[SVCRDMA_TURN_CLASSES];
} ____cacheline_aligned_in_smp svcrdma_turn_counts[SVCRDMA_TURN_POOLS];

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
static void svcrdma_turn_count(struct svcrdma_turn_count *count, unsigned int before,
			       unsigned int now)
{
	if (before && now && svcrdma_turn_class(before) == svcrdma_turn_class(now))
		return;
	if (now)
		atomic_inc(&count->clients[svcrdma_turn_class(now)]);
	if (before)
		atomic_dec(&count->clients[svcrdma_turn_class(before)]);
}

/* Is a thread to come to this connection, and would it find a request that it could work on? */
static bool svcrdma_turn_is_wanted(const struct svcrdma_xprt *rdma)
{
	return !list_empty(&rdma->ready) && rdma->started && !rdma->queue_closed &&
	       !svcrdma_slot_waiting(rdma) && !svcrdma_memory_waiting(rdma);
}

static void svcrdma_turn_set(struct svcrdma_xprt *rdma, bool waits)
{
	struct svcrdma_turn_count *count = &svcrdma_turn_counts[rdma->turn_pool];
	atomic_t *waiting = &rdma->reads.client->waiting[rdma->turn_pool];
	unsigned int now;

	rdma->turn_waits = waits;
	if (waits) {
		now = atomic_inc_return(waiting);
		svcrdma_turn_count(count, now - 1, now);
	} else {
		now = atomic_dec_return(waiting);
		svcrdma_turn_count(count, now + 1, now);
	}
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

	lockdep_assert_held(&rdma->lock);
	if (wanted != rdma->turn_waits && (!wanted || atomic_read(&svcrdma_turn_several)))
		svcrdma_turn_set(rdma, wanted);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_update);

/* Least class that a client which waits has */
static unsigned int svcrdma_turn_fewest(const struct svcrdma_turn_count *count)
{
	unsigned int class;

	for (class = 0; class < SVCRDMA_TURN_CLASSES; class++)
		if (atomic_read(&count->clients[class]) > 0)
			break;
	return class;
}

/* Threads of this pool come to the connection: it counts there from now on */
static void svcrdma_turn_move(struct svcrdma_xprt *rdma, const struct svc_pool *pool)
{
	u8 now = hash_ptr(pool, SVCRDMA_TURN_POOL_BITS);
	bool waits = rdma->turn_waits;

	if (likely(rdma->turn_pool == now))
		return;
	if (waits)
		svcrdma_turn_set(rdma, false);
	rdma->turn_pool = now;
	if (waits)
		svcrdma_turn_set(rdma, true);
}

/**
 * svcrdma_turn_pass - does a connection pass its turn on?
 * @rdma: transport with requests
 * @pool: pool of the nfsd thread that has come to it
 *
 * Context: nfsd thread that holds XPT_BUSY of the transport, and svcrdma_xprt.lock.
 * Return: true if the thread is to begin no RPC of this connection now.
 */
bool svcrdma_turn_pass(struct svcrdma_xprt *rdma, struct svc_pool *pool)
{
	struct svcrdma_client *client = rdma->reads.client;
	unsigned int waiting, share;
	bool use;

	lockdep_assert_held(&rdma->lock);
	svcrdma_turn_move(rdma, pool);
	waiting = atomic_read(&client->waiting[rdma->turn_pool]);
	if (likely(waiting < 2) || !rpcrdma_svc_threads_short(pool))
		return false;
	share = svcrdma_turn_share(waiting,
				   svcrdma_turn_fewest(&svcrdma_turn_counts[rdma->turn_pool]));
	if (share < 2)
		return false;
	spin_lock(&client->turn_lock);
	use = svcrdma_turn_use(&client->turns, &rdma->turn_last, waiting, share);
	spin_unlock(&client->turn_lock);
	if (!use)
		rpcrdma_count(rdma->conn->stats, RPCRDMA_C_TURNS_PASSED);
	return !use;
}

/**
 * svcrdma_turn_stop - check that a connection does not count when its transport is destroyed
 * @rdma: transport whose connection is lost, and whose queue is empty
 *
 * Context: process context, does not sleep.
 */
void svcrdma_turn_stop(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	WARN_ON_ONCE(!list_empty(&rdma->ready));
	svcrdma_turn_update(rdma);
	spin_unlock(&rdma->lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_stop);

/**
 * svcrdma_turns_exit - check that nothing counts when no transport is left
 *
 * Context: module exit.
 */
void svcrdma_turns_exit(void)
{
	unsigned int i;

	WARN_ON_ONCE(atomic_read(&svcrdma_turn_several));
	for (i = 0; i < SVCRDMA_TURN_POOLS; i++)
		WARN_ON_ONCE(svcrdma_turn_fewest(&svcrdma_turn_counts[i]) <
			     SVCRDMA_TURN_CLASSES);
}
