/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the administrator chooses for the packets of a connection: the type of service,
 * and the timers of the queue pair. See connection/traffic.c.
 */
#ifndef _RPCRDMA_TRAFFIC_H
#define _RPCRDMA_TRAFFIC_H

#include <linux/spinlock.h>
#include <rpcrdma/param.h>
#include <rpcrdma/traffic_rules.h>

struct rpcrdma_conn;

/**
 * struct rpcrdma_traffic - what the administrator has chosen for one side
 * @param: for peers that no rule is for, and for what a rule leaves out
 * @taken: bit n: a rule may have value number n
 * @lock:  protects @rules
 * @rules: by address of the peer
 */
struct rpcrdma_traffic {
	struct rpcrdma_param		param[RPCRDMA_TRAFFIC_COUNT];
	unsigned long			taken;
	spinlock_t			lock;	/* see above */
	struct rpcrdma_traffic_rules	rules;
};

/*
 * A Send that finds no Receive posted is tried again. A receiver may be late in posting, and
 * a lost connection costs far more. This side always has the Receives that its credits
 * promise, so such a Send breaks the credit limit, and 60 ms are enough for it: six times
 * 10.24 ms (IB_RNR_TIMER_010_24). Without a timer of ours the CM would ask for 655 ms each
 * time. iWARP has no such retries.
 */
#define RPCRDMA_TRAFFIC_INIT(name, by_rule) {				\
	.taken = (by_rule),						\
	.lock = __SPIN_LOCK_UNLOCKED((name).lock),			\
	.param = {							\
		[RPCRDMA_TRAFFIC_TOS] =					\
			{ 0, 0, RPCRDMA_TOS_MAX, 1 },			\
		[RPCRDMA_TRAFFIC_ACK_TIMEOUT] =				\
			{ 0, 0, RPCRDMA_ACK_TIMEOUT_MAX, 1 },		\
		[RPCRDMA_TRAFFIC_RNR_TIMER] =				\
			{ 20, RPCRDMA_RNR_TIMER_MIN,			\
			  RPCRDMA_RNR_TIMER_MAX, 1 },			\
		[RPCRDMA_TRAFFIC_RNR_RETRIES] =				\
			{ 6, 0, RPCRDMA_RNR_RETRIES_MAX, 1 },		\
	},								\
}

/* connection/traffic.c */
bool rpcrdma_traffic_repeats(const struct rpcrdma_conn *conn);
extern const struct kernel_param_ops rpcrdma_traffic_rules_ops;

#endif /* _RPCRDMA_TRAFFIC_H */
