/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deficit round robin, so that clients have equal shares of the nfsd threads.
 */
#ifndef _SVCRDMA_TURNS_H
#define _SVCRDMA_TURNS_H

#include <linux/types.h>

/* Orders: log2 of the number of waiting connections. The last one is for 1024 and more */
#define SVCRDMA_TURN_ORDERS	11

/* Upper limit of svcrdma_turn_cost() */
#define SVCRDMA_TURN_COST_MAX	8U

/**
 * struct svcrdma_turns - deficit round robin among clients: state of one client
 * @deficit: deficit counter: a turn adds 1, and an RPC subtracts its cost
 * @used: number of turns that its connections have used, wrapping
 */
struct svcrdma_turns {
	u32	deficit;
	u32	used;
};

/* protocol/turns.c */
unsigned int svcrdma_turn_order(unsigned int waiting);
unsigned int svcrdma_turn_cost(unsigned int waiting, unsigned int min_order);
u32 svcrdma_turn_last_init(const struct svcrdma_turns *turns);
bool svcrdma_turn_use(struct svcrdma_turns *turns, u32 *last, unsigned int waiting,
		      unsigned int cost);

#endif /* _SVCRDMA_TURNS_H */
