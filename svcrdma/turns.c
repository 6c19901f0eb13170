// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts connections that wait for nfsd threads, and decides which of them skip turns, so that
 * clients have equal shares whatever the number of their connections (protocol/turns.c).
 *
 * A connection waits for a thread while its queue has requests that a thread could work on. While
 * the pool is congested, the thread that dequeues a connection asks svcrdma_turn_skip(). If the
 * turn is skipped, sunrpc queues the connection behind the others. A turn is for a new RPC, or for
 * a message that is refused. RPCs whose RDMA Reads are done need none.
 *
 * Connections of different pools do not compete. So a connection is counted for the pool whose
 * thread dequeued it last. Up to SVCRDMA_TURN_POOLS pools of a service are told apart. If two
 * share an index, or sunrpc does not serve a waiting connection, turns are skipped without need:
 * that costs CPU time only.
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

static atomic_t svcrdma_multi_conn_clients __read_mostly;

/* By svcrdma_xprt.turn_pool: waiting clients by order. A counter can be negative for a moment */
static struct svcrdma_turn_count {
	atomic_t	clients[SVCRDMA_TURN_ORDERS];
} ____cacheline_aligned_in_smp svcrdma_turn_counts[SVCRDMA_TURN_POOLS];

/**
 * svcrdma_turns_init - initialize the turns of a client
 * @client: new client, zeroed
 *
 * Context: any.
 */
void svcrdma_turns_init(struct svcrdma_client *client)
{
	unsigned int i;

	for (i = 0; i < SVCRDMA_TURN_POOLS; i++)
		spin_lock_init(&client->pool_turns[i].lock);
}

/**
 * svcrdma_turns_end - warn if connections of a client are still counted
 * @client: client without transports
 *
 * Context: any.
 */
void svcrdma_turns_end(const struct svcrdma_client *client)
{
	unsigned int i;

	for (i = 0; i < SVCRDMA_TURN_POOLS; i++)
		WARN_ON_ONCE(atomic_read(&client->pool_turns[i].waiting));
}

static struct svcrdma_pool_turns *svcrdma_turns_of(const struct svcrdma_xprt *rdma)
{
	return &rdma->reads.client->pool_turns[rdma->turn_pool];
}

/* A connection that is new in its pool */
static void svcrdma_turn_enter(struct svcrdma_xprt *rdma)
{
	struct svcrdma_pool_turns *turns = svcrdma_turns_of(rdma);

	spin_lock(&turns->lock);
	rdma->turn_last = svcrdma_turn_last_init(&turns->turns);
	spin_unlock(&turns->lock);
}

/**
 * svcrdma_turn_join - prepare a transport for turns, and count its client if it has two now
 * @rdma: transport; svcrdma_client.xprts counts it
 *
 * Context: holds svcrdma_read_budget.lock. svcrdma_turn_leave() undoes it.
 */
void svcrdma_turn_join(struct svcrdma_xprt *rdma)
{
	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (rdma->reads.client->xprts == 2)
		atomic_inc(&svcrdma_multi_conn_clients);
	svcrdma_turn_enter(rdma);
}

/**
 * svcrdma_turn_leave - stop counting the client if it has one transport left
 * @client: client; its @xprts no longer counts the transport
 *
 * Context: holds svcrdma_read_budget.lock.
 */
void svcrdma_turn_leave(const struct svcrdma_client *client)
{
	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (client->xprts == 1)
		atomic_dec(&svcrdma_multi_conn_clients);
}

/* The number of waiting connections of a client has changed from @before to @now */
static void svcrdma_turn_count_client(struct svcrdma_turn_count *count, unsigned int before,
				      unsigned int now)
{
	if (before && now && svcrdma_turn_order(before) == svcrdma_turn_order(now))
		return;
	if (now)
		atomic_inc(&count->clients[svcrdma_turn_order(now)]);
	if (before)
		atomic_dec(&count->clients[svcrdma_turn_order(before)]);
}

/* Its queue has a request that a thread could work on */
static bool svcrdma_turn_waits_for_thread(const struct svcrdma_xprt *rdma)
{
	return !svcrdma_queue_empty(rdma) && rdma->started && !rdma->queue_closed &&
	       !svcrdma_slot_waiting(rdma) && !svcrdma_memory_waiting(rdma);
}

static void svcrdma_turn_set(struct svcrdma_xprt *rdma, bool waits)
{
	struct svcrdma_turn_count *count = &svcrdma_turn_counts[rdma->turn_pool];
	atomic_t *waiting = &svcrdma_turns_of(rdma)->waiting;
	unsigned int now;

	rdma->turn_waits = waits;
	if (waits) {
		now = atomic_inc_return(waiting);
		svcrdma_turn_count_client(count, now - 1, now);
	} else {
		now = atomic_dec_return(waiting);
		svcrdma_turn_count_client(count, now + 1, now);
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
	bool waits;

	lockdep_assert_held(&rdma->lock);
	waits = svcrdma_turn_waits_for_thread(rdma);
	if (waits != rdma->turn_waits && (!waits || atomic_read(&svcrdma_multi_conn_clients)))
		svcrdma_turn_set(rdma, waits);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_update);

/* Lowest order of a waiting client; SVCRDMA_TURN_ORDERS if none waits */
static unsigned int svcrdma_turn_min_order(const struct svcrdma_turn_count *count)
{
	unsigned int order;

	for (order = 0; order < SVCRDMA_TURN_ORDERS; order++)
		if (atomic_read(&count->clients[order]) > 0)
			break;
	return order;
}

/* Count the connection for this pool from now on */
static void svcrdma_turn_move(struct svcrdma_xprt *rdma, const struct svc_pool *pool)
{
	u32 service = hash_ptr(rdma->xprt.xpt_server, SVCRDMA_TURN_POOL_BITS);
	u8 now = (service + pool->sp_id) % SVCRDMA_TURN_POOLS;
	bool waits = rdma->turn_waits;

	if (likely(rdma->turn_pool == now))
		return;
	if (waits)
		svcrdma_turn_set(rdma, false);
	rdma->turn_pool = now;
	svcrdma_turn_enter(rdma);
	if (waits)
		svcrdma_turn_set(rdma, true);
}

/**
 * svcrdma_turn_skip - decide whether a connection skips its turn, and count it if so
 * @rdma: transport with requests
 * @pool: pool of the nfsd thread that has dequeued it
 *
 * Context: nfsd thread that holds XPT_BUSY of the transport, and svcrdma_xprt.lock.
 * Return: true if the thread is to begin no RPC of this connection now.
 */
bool svcrdma_turn_skip(struct svcrdma_xprt *rdma, struct svc_pool *pool)
{
	struct svcrdma_pool_turns *turns;
	unsigned int waiting, cost;
	bool use;

	lockdep_assert_held(&rdma->lock);
	svcrdma_turn_move(rdma, pool);
	turns = svcrdma_turns_of(rdma);
	waiting = atomic_read(&turns->waiting);
	if (likely(waiting < 2) || !rpcrdma_svc_pool_congested(pool))
		return false;
	cost = svcrdma_turn_cost(waiting,
				 svcrdma_turn_min_order(&svcrdma_turn_counts[rdma->turn_pool]));
	if (cost < 2)
		return false;
	spin_lock(&turns->lock);
	use = svcrdma_turn_use(&turns->turns, &rdma->turn_last, waiting, cost);
	spin_unlock(&turns->lock);
	if (!use)
		rpcrdma_count(rdma->conn->stats, RPCRDMA_C_TURNS_SKIPPED);
	return !use;
}

/**
 * svcrdma_turn_stop - stop counting a connection before its transport is freed
 * @rdma: transport whose connection is lost, and whose queue is empty
 *
 * Context: process context, does not sleep.
 */
void svcrdma_turn_stop(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	WARN_ON_ONCE(!svcrdma_queue_empty(rdma));
	svcrdma_turn_update(rdma);
	WARN_ON_ONCE(rdma->turn_waits);
	spin_unlock(&rdma->lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_stop);

/**
 * svcrdma_turns_exit - warn if clients or connections are still counted
 *
 * Context: module exit.
 */
void svcrdma_turns_exit(void)
{
	unsigned int i, order;

	WARN_ON_ONCE(atomic_read(&svcrdma_multi_conn_clients));
	for (i = 0; i < SVCRDMA_TURN_POOLS; i++)
		for (order = 0; order < SVCRDMA_TURN_ORDERS; order++)
			WARN_ON_ONCE(atomic_read(&svcrdma_turn_counts[i].clients[order]));
}
