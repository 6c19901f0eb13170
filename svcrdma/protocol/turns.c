// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which of its turns a connection uses, so that clients have equal shares of the nfsd threads.
 *
 * sunrpc serves the connections that wait for a thread in turn. A client with sixteen of them
 * would be served sixteen times where a client with one is served once. So if one with fewer
 * waits too, the connections of a client pass on a part of their turns: with sixteen beside
 * one, the client uses one turn in sixteen. The connection that has used its last turn longest
 * ago uses it.
 *
 * To find the client with the fewest connections that wait, clients are counted in classes,
 * each with twice as many connections as the one before, so shares are equal up to a factor of
 * two. A turn that is passed on takes an nfsd thread a moment, so a client uses one of
 * SVCRDMA_TURN_MOST turns at least: beside one with a single connection, a client with a
 * hundred gets six shares.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <kunit/visibility.h>
#include "turns.h"

/* The last turn of a connection that has used none was so many turns of its client ago */
#define SVCRDMA_TURN_LONG_AGO	(U32_MAX / 2)

/**
 * svcrdma_turn_class - class of a client
 * @waiting: its connections that wait for a thread, 1 or more
 *
 * Context: any.
 * Return: 0 to SVCRDMA_TURN_CLASSES - 1.
 */
unsigned int svcrdma_turn_class(unsigned int waiting)
{
	return min_t(unsigned int, __fls(waiting), SVCRDMA_TURN_CLASSES - 1);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_class);

/**
 * svcrdma_turn_share - of how many turns does a client use one?
 * @waiting: its connections that wait for a thread, 1 or more
 * @fewest: least class that a client which waits has; SVCRDMA_TURN_CLASSES if none is known
 *
 * Context: any.
 * Return: 1, which means that it uses each turn, to SVCRDMA_TURN_MOST.
 */
unsigned int svcrdma_turn_share(unsigned int waiting, unsigned int fewest)
{
	/* The last class has no upper end, so clients in it pass on nothing for each other */
	unsigned int known = min(waiting, 1U << (SVCRDMA_TURN_CLASSES - 1));

	return max(min(known >> fewest, SVCRDMA_TURN_MOST), 1U);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_share);

/**
 * svcrdma_turn_first - the last turn of a connection that has used none
 * @turns: turns of its client
 *
 * Context: holds the lock of @turns.
 * Return: value for svcrdma_turn_use().
 */
u32 svcrdma_turn_first(const struct svcrdma_turns *turns)
{
	return turns->used - SVCRDMA_TURN_LONG_AGO;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_first);

/**
 * svcrdma_turn_use - does a connection use its turn, or pass it on?
 * @turns: turns of its client
 * @last: when the connection has used one last; updated if it uses this one
 * @waiting: connections of the client that wait for a thread, 1 or more
 * @share: from svcrdma_turn_share()
 *
 * Of @waiting connections, at least one has not used any of the last @waiting - 1 turns, so
 * they use turns one after the other. If threads come to a part of them only, one of these is not
 * kept waiting for the rest.
 *
 * Context: holds the lock of @turns.
 * Return: true if it uses this turn.
 */
bool svcrdma_turn_use(struct svcrdma_turns *turns, u32 *last, unsigned int waiting,
		      unsigned int share)
{
	u32 others = waiting - 1;

	turns->come++;
	if (turns->come < share ||
	    (turns->used - *last < others && turns->come < share + others))
		return false;
	turns->come -= share;
	*last = ++turns->used;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_turn_use);
