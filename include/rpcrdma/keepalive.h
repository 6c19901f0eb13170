/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding a peer that has died in silence while nothing is being sent: a work
 * request without data, which is answered only if the peer's device is there.
 * When to send one and when to give up is decided here, and is pure.
 */
#ifndef _RPCRDMA_KEEPALIVE_H
#define _RPCRDMA_KEEPALIVE_H

#include <linux/types.h>

/* Looks within the time in which a dead peer must be found */
#define RPCRDMA_KEEPALIVE_LOOKS	4

/* Seconds in which a dead peer is found, unless set otherwise; and the most */
#define RPCRDMA_KEEPALIVE_DEFAULT	10
#define RPCRDMA_KEEPALIVE_MAX	3600

/* What to do after a look */
enum rpcrdma_keepalive_step {
	RPCRDMA_KEEPALIVE_WAIT,		/* look again later */
	RPCRDMA_KEEPALIVE_SEND,		/* send a probe, and look again later */
	RPCRDMA_KEEPALIVE_DEAD,		/* the peer is dead */
};

/**
 * struct rpcrdma_keepalive_plan - what was seen at the last look
 * @heard: number of signs of life, wrapping
 * @silent: looks since a probe was sent, without a sign of life
 * @asked: a probe has been sent since the last sign of life
 */
struct rpcrdma_keepalive_plan {
	u32		heard;
	unsigned int	silent;
	bool		asked;
};

/* probe_plan.c */
unsigned int rpcrdma_keepalive_interval(unsigned int seconds);
void rpcrdma_keepalive_begin(struct rpcrdma_keepalive_plan *plan, u32 heard);
enum rpcrdma_keepalive_step
rpcrdma_keepalive_look(struct rpcrdma_keepalive_plan *plan, u32 heard,
		       bool in_progress);

#endif /* _RPCRDMA_KEEPALIVE_H */
