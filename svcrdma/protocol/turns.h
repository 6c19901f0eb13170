/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of its turns a connection uses, so that clients have equal shares of the nfsd threads.
 */
#ifndef _SVCRDMA_TURNS_H
#define _SVCRDMA_TURNS_H

#include <linux/types.h>

/* Classes of clients: 1 connection that waits, 2 or 3, 4 to 7, and so on; 1024 and more */
#define SVCRDMA_TURN_CLASSES	11

/* A client uses one of so many turns at least */
#define SVCRDMA_TURN_MOST	16U

/**
 * struct svcrdma_turns - turns of the connections of a client
 * @come: turns that have come, less those that the turns they have used stand for
 * @used: turns that they have used, wrapping
 */
struct svcrdma_turns {
	u32	come;
	u32	used;
};

/* protocol/turns.c */
unsigned int svcrdma_turn_class(unsigned int waiting);
unsigned int svcrdma_turn_share(unsigned int waiting, unsigned int fewest);
u32 svcrdma_turn_first(const struct svcrdma_turns *turns);
bool svcrdma_turn_use(struct svcrdma_turns *turns, u32 *last, unsigned int waiting,
		      unsigned int share);

#endif /* _SVCRDMA_TURNS_H */
