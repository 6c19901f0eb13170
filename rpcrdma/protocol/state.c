// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of legal moves between connection states.
 *
 * A client walks New, Resolving, Resolved, Connecting, Established. The device of a
 * server's connection is known from the start, so a server goes from New to Resolved.
 * From each state up to Established a connection can go to Closing, and from there to
 * Closed. No state moves to itself: of several callers that close a connection, one
 * makes the move. Pure: no device, no lock.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <kunit/visibility.h>
#include <rpcrdma/state.h>

static const struct {
	const char	*name;
	u32		next;		/* BIT() of each state it may move to */
} rpcrdma_states[] = {
	[RPCRDMA_S_NEW] = {
		.name	= "new",
		.next	= BIT(RPCRDMA_S_RESOLVING) | BIT(RPCRDMA_S_RESOLVED) |
			  BIT(RPCRDMA_S_CLOSING),
	},
	[RPCRDMA_S_RESOLVING] = {
		.name	= "resolving",
		.next	= BIT(RPCRDMA_S_RESOLVED) | BIT(RPCRDMA_S_CLOSING),
	},
	[RPCRDMA_S_RESOLVED] = {
		.name	= "resolved",
		.next	= BIT(RPCRDMA_S_CONNECTING) | BIT(RPCRDMA_S_CLOSING),
	},
	[RPCRDMA_S_CONNECTING] = {
		.name	= "connecting",
		.next	= BIT(RPCRDMA_S_ESTABLISHED) | BIT(RPCRDMA_S_CLOSING),
	},
	[RPCRDMA_S_ESTABLISHED] = {
		.name	= "established",
		.next	= BIT(RPCRDMA_S_CLOSING),
	},
	[RPCRDMA_S_CLOSING] = {
		.name	= "closing",
		.next	= BIT(RPCRDMA_S_CLOSED),
	},
	[RPCRDMA_S_CLOSED] = {
		.name	= "closed",
		.next	= 0,
	},
};

static_assert(ARRAY_SIZE(rpcrdma_states) == RPCRDMA_S_COUNT,
	      "the last state is missing from the table");

/**
 * rpcrdma_state_may_move - is a move legal?
 * @from: present state
 * @to: wanted state
 *
 * Context: any. A caller that then makes the move holds the lock of the state.
 * Return: true if @to may follow @from.
 */
bool rpcrdma_state_may_move(enum rpcrdma_state from, enum rpcrdma_state to)
{
	if ((unsigned int)from >= RPCRDMA_S_COUNT ||
	    (unsigned int)to >= RPCRDMA_S_COUNT)
		return false;
	return rpcrdma_states[from].next & BIT(to);
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_state_may_move);

/**
 * rpcrdma_state_name - name of a state
 * @state: state; anything is allowed
 *
 * Context: any.
 * Return: a constant string, never NULL.
 */
const char *rpcrdma_state_name(enum rpcrdma_state state)
{
	if ((unsigned int)state >= RPCRDMA_S_COUNT)
		return "unknown";
	return rpcrdma_states[state].name;
}
EXPORT_SYMBOL_GPL(rpcrdma_state_name);
