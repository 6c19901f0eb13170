// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deficit round robin, so that clients have equal shares of the nfsd threads.
 *
 * sunrpc serves the waiting connections round robin, so a client would get a share for each of
 * its connections. A connection has a turn when a thread dequeues it. It uses the turn, which
 * begins one RPC, or skips it. Each turn adds 1 to the deficit counter of the client, and an RPC
 * costs svcrdma_turn_cost(): 4 for a client with 4 waiting connections beside one with a single
 * connection. The connection whose last used turn is the oldest uses the next one.
 *
 * Clients are counted by order, the binary logarithm of the number of their waiting connections,
 * so shares are equal up to a factor of two. A skipped turn takes an nfsd thread a moment, so the
 * cost has a limit: beside a client with one connection, a client with 48 gets six shares.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <kunit/visibility.h>
#include "turns.h"

/* Age of the last turn of a new connection, in turns that its client has used */
#define SVCRDMA_TURN_LONG_AGO	(U32_MAX / 2)

/**
 * svcrdma_turn_order - order of a client: log2 of the number of its waiting connections
 * @waiting: its connections that wait for a thread, 1 or more
 *
 * Context: any.
 * Return: 0 to SVCRDMA_TURN_ORDERS - 1.
 */
unsigned int svcrdma_turn_order(unsigned int waiting)
{
	return min_t(unsigned int, __fls(waiting), SVCRDMA_TURN_ORDERS - 1);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_order);

/**
 * svcrdma_turn_cost - number of turns that one RPC of a client costs
 * @waiting: its connections that wait for a thread, 1 or more
 * @min_order: lowest order of a waiting client; SVCRDMA_TURN_ORDERS if none waits
 *
 * Context: any.
 * Return: 1 (the client uses each turn) to SVCRDMA_TURN_COST_MAX.
 */
unsigned int svcrdma_turn_cost(unsigned int waiting, unsigned int min_order)
{
	/* The last order has no upper end, so clients of this order skip nothing for each other */
	unsigned int known = min(waiting, 1U << (SVCRDMA_TURN_ORDERS - 1));

	return max(min(known >> min_order, SVCRDMA_TURN_COST_MAX), 1U);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_cost);

/**
 * svcrdma_turn_last_init - initial svcrdma_xprt.turn_last of a connection
 * @turns: turns of its client
 *
 * Context: holds the lock of @turns.
 * Return: value of svcrdma_turns.used as if the connection had used a turn long ago.
 */
u32 svcrdma_turn_last_init(const struct svcrdma_turns *turns)
{
	return turns->used - SVCRDMA_TURN_LONG_AGO;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_last_init);

/**
 * svcrdma_turn_use - decide whether a connection uses its turn or skips it
 * @turns: turns of its client
 * @last: svcrdma_turns.used after the last turn that the connection used; updated if it uses
 *	  this one
 * @waiting: connections of the client that wait for a thread, 1 or more
 * @cost: from svcrdma_turn_cost()
 *
 * Of @waiting connections, at least one has used none of the last @waiting - 1 turns, so they use
 * turns one after another. If threads dequeue only some of them, the deficit grows until one of
 * these may use a turn again.
 *
 * Context: holds the lock of @turns.
 * Return: true if it uses this turn.
 */
bool svcrdma_turn_use(struct svcrdma_turns *turns, u32 *last, unsigned int waiting,
		      unsigned int cost)
{
	u32 others = waiting - 1;

	turns->deficit = min(turns->deficit + 1, cost + others);
	if (turns->deficit < cost ||
	    (turns->used - *last < others && turns->deficit < cost + others))
		return false;
	turns->deficit -= cost;
	*last = ++turns->used;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_use);
