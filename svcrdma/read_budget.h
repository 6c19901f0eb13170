/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clients (clients.c), and the budget of memory for their data sinks (read_budget.c).
 */
#ifndef _SVCRDMA_READ_BUDGET_H
#define _SVCRDMA_READ_BUDGET_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/socket.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "protocol/turns.h"

/* Pools of nfsd threads that are told apart, a power of two */
#define SVCRDMA_TURN_POOL_BITS	4
#define SVCRDMA_TURN_POOLS	BIT(SVCRDMA_TURN_POOL_BITS)

struct net;
struct svcrdma_req;
struct svcrdma_xprt;

/**
 * struct svcrdma_read_account - what a transport has drawn from the budget of read_budget.c
 * @client:   the client, whose share limits this transport, after svcrdma_client_join()
 * @number:   of the client; never that of another one
 * @drawn_node: entry of svcrdma_client.drawn_list, if @drawn is not 0
 * @wait_node: entry of svcrdma_client.waiters, if Calls wait for the budget
 * @calls:    Calls that wait, oldest first; may be tested for being empty at any time
 * @drawn:    bytes drawn from the budget, @spare included
 * @spare:    bytes drawn and not in use
 * @first:    Call that is being read while none was accepted yet: others wait. May be
 *	      read at any time
 * @accepted: a Call of this connection was accepted
 * @closed:   the connection is lost: Calls that wait get no turn any more
 *
 * svcrdma_read_budget.lock protects all but @spare.
 */
struct svcrdma_read_account {
	struct svcrdma_client	*client;
	unsigned long			number;
	struct list_head		drawn_node;
	struct list_head		wait_node;
	struct list_head		calls;
	u64				drawn;
	atomic_long_t			spare;
	struct svcrdma_req		*first;
	bool				accepted;
	bool				closed;
};

/**
 * struct svcrdma_pool_turns - turns of a client with the threads of a pool (turns.c)
 * @waiting: number of its transports that wait for a thread
 * @lock: protects @turns, and svcrdma_xprt.turn_last of those transports
 * @turns: which turns they use
 */
struct svcrdma_pool_turns {
	atomic_t		waiting;
	spinlock_t		lock;	/* see above */
	struct svcrdma_turns	turns;
} ____cacheline_aligned_in_smp;

/**
 * struct svcrdma_client - what the transports of a client share
 * @node:  entry of svcrdma_read_budget.clients
 * @net:   network namespace of its transports
 * @addr:  its address; the port does not matter
 * @number: its number; never used again
 * @xprts: number of its transports that have joined
 * @drawn: bytes that they have drawn
 * @drawn_node: entry of svcrdma_read_budget.drawn_list, if @drawn is not 0
 * @drawn_list: its transports that have drawn bytes
 * @budget_node: entry of svcrdma_read_budget.turns, if one of its transports waits, and the
 *	   share may have bytes for it
 * @waiters: its transports with Calls that wait for the budget, the next one first; may be
 *	   tested for being empty without the lock
 * @pool_turns: its turns with nfsd threads, by svcrdma_xprt.turn_pool
 */
struct svcrdma_client {
	struct hlist_node	node;
	const struct net	*net;
	struct sockaddr_storage	addr;
	unsigned long		number;
	unsigned int		xprts;
	u64			drawn;
	struct list_head	drawn_node;
	struct list_head	drawn_list;
	struct list_head	budget_node;
	struct list_head	waiters;
	struct svcrdma_pool_turns pool_turns[SVCRDMA_TURN_POOLS];
};

/**
 * struct svcrdma_read_budget - the budget
 * @lock:    protects all fields, the clients, and what struct svcrdma_read_account says
 * @drawn:   bytes that transports have drawn
 * @drawn_list: clients that have drawn bytes
 * @turns:   clients with Calls that wait, except those known to lack bytes of their share;
 *	     the next one first; may be tested for being empty without @lock
 * @tight:   a Call lacked bytes of the server. Then all spares were returned, and no transport
 *	     keeps a spare before @turns is empty and an eighth of the budget is left; may be
 *	     read at any time
 * @clients: clients by address and network namespace
 * @numbers: number of the newest client
 */
struct svcrdma_read_budget {
	spinlock_t		lock;		/* see above */
	u64			drawn;
	struct list_head	drawn_list;
	struct list_head	turns;
	bool			tight;
	DECLARE_HASHTABLE(clients, 8);
	unsigned long		numbers;
};

/* read_budget.c */
extern struct svcrdma_read_budget svcrdma_read_budget;
void svcrdma_call_ready(struct svcrdma_req *req);
void svcrdma_read_budget_put(struct svcrdma_req *req);
void svcrdma_read_budget_accepted(struct svcrdma_xprt *rdma);
void svcrdma_read_budget_delivered(struct svcrdma_req *req);
void svcrdma_read_budget_trim(struct svcrdma_xprt *rdma);
u64 svcrdma_read_budget_used(void);
void svcrdma_read_take_turns(struct svcrdma_client *client);
void svcrdma_read_return(struct svcrdma_read_account *account, u64 n);
void svcrdma_read_stop_waiting(struct svcrdma_read_account *account);
void svcrdma_read_run(void);

/* clients.c */
void svcrdma_read_budget_changed(void);
void svcrdma_read_budget_init(struct svcrdma_xprt *rdma);
int svcrdma_client_join(struct svcrdma_xprt *rdma);
void svcrdma_read_budget_close(struct svcrdma_xprt *rdma);
void svcrdma_client_leave(struct svcrdma_xprt *rdma);
void svcrdma_read_budget_defaults(void);

#endif /* _SVCRDMA_READ_BUDGET_H */
