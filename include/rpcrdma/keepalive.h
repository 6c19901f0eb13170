/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keepalives: how a peer that has died without a message is found while no requests
 * are sent. A keepalive is a work request to which a live peer or its device responds.
 * This part decides when to send one, and when the peer is dead. Pure: no device, no lock.
 */
#ifndef _RPCRDMA_KEEPALIVE_H
#define _RPCRDMA_KEEPALIVE_H

#include <linux/types.h>

/* Looks at the connection within the time in which a dead peer must be found */
#define RPCRDMA_KEEPALIVE_LOOKS	4

/* Seconds in which a dead peer is found: default, and maximum of the parameter */
#define RPCRDMA_KEEPALIVE_DEFAULT	10
#define RPCRDMA_KEEPALIVE_MAX	3600

/* What to do after a look */
enum rpcrdma_keepalive_step {
	RPCRDMA_KEEPALIVE_WAIT,		/* look again later */
	RPCRDMA_KEEPALIVE_SEND,		/* send a keepalive, and look again later */
	RPCRDMA_KEEPALIVE_DEAD,		/* the peer is dead */
};

/**
 * struct rpcrdma_keepalive_plan - what the last look has found
 * @activity: counter of signs of life, wrapping
 * @silent: looks without a sign of life since @pending was set
 * @pending: a keepalive is awaited: the plan has sent one, or has found one in the send queue
 */
struct rpcrdma_keepalive_plan {
	u32		activity;
	unsigned int	silent;
	bool		pending;
};

/* protocol/keepalive_plan.c */
unsigned int rpcrdma_keepalive_min_ms(unsigned int ack_timeout);
unsigned int rpcrdma_keepalive_timeout_ms(unsigned int seconds, unsigned int sooner,
					  unsigned int least);
unsigned int rpcrdma_keepalive_interval(unsigned int within);
void rpcrdma_keepalive_begin(struct rpcrdma_keepalive_plan *plan, u32 activity);
enum rpcrdma_keepalive_step
rpcrdma_keepalive_look(struct rpcrdma_keepalive_plan *plan, u32 activity,
		       bool in_progress);

#endif /* _RPCRDMA_KEEPALIVE_H */
