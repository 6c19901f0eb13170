// SPDX-License-Identifier: GPL-2.0-only
/*
 * When to probe a silent peer, and when to call it dead.
 *
 * Somebody looks at the connection four times within the time in which a dead
 * peer must be found. At worst the peer dies right after a look and after its
 * last sign of life: the first look finds that sign, the second one nothing new,
 * and sends a probe; the third waits, and the fourth gives up. So a peer has half
 * of the time to answer, and a connection that works sends no probe at all. Pure.
 */
#include <linux/export.h>
#include <kunit/visibility.h>
#include <rpcrdma/keepalive.h>

#define RPCRDMA_MSEC_PER_SEC	1000U

/* Looks at which a probe may still be without an answer, the last one not */
#define RPCRDMA_KEEPALIVE_PATIENCE	(RPCRDMA_KEEPALIVE_LOOKS - 2)

/**
 * rpcrdma_keepalive_interval - time between two looks
 * @seconds: time in which a dead peer must be found, up to RPCRDMA_KEEPALIVE_MAX
 *
 * Context: any.
 * Return: milliseconds.
 */
unsigned int rpcrdma_keepalive_interval(unsigned int seconds)
{
	return seconds * RPCRDMA_MSEC_PER_SEC / RPCRDMA_KEEPALIVE_LOOKS;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_interval);

/**
 * rpcrdma_keepalive_begin - the peer is alive now
 * @plan: filled in
 * @heard: number of signs of life so far
 *
 * Context: any.
 */
void rpcrdma_keepalive_begin(struct rpcrdma_keepalive_plan *plan, u32 heard)
{
	plan->heard = heard;
	plan->silent = 0;
	plan->asked = false;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_begin);

/**
 * rpcrdma_keepalive_look - a look at the connection
 * @plan: what was seen at the last one; changed
 * @heard: number of signs of life so far; the answer to a probe is one
 * @in_progress: a probe is in the send queue, and no other one may be sent
 *
 * Context: any.
 * Return: what to do now.
 */
enum rpcrdma_keepalive_step
rpcrdma_keepalive_look(struct rpcrdma_keepalive_plan *plan, u32 heard,
		       bool in_progress)
{
	if (heard != plan->heard) {
		rpcrdma_keepalive_begin(plan, heard);
		return RPCRDMA_KEEPALIVE_WAIT;
	}
	if (!plan->asked && !in_progress) {
		plan->asked = true;
		return RPCRDMA_KEEPALIVE_SEND;
	}
	plan->silent++;
	return plan->silent < RPCRDMA_KEEPALIVE_PATIENCE ?
		       RPCRDMA_KEEPALIVE_WAIT :
		       RPCRDMA_KEEPALIVE_DEAD;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_look);
