// SPDX-License-Identifier: GPL-2.0-only
/*
 * When to send a keepalive, and when a peer is dead.
 *
 * A work item looks at the connection four times within the time in which a dead peer
 * must be found. In the worst case the peer dies right after a look and after its last
 * sign of life. Then the first look finds that sign; the second finds nothing new and
 * sends a keepalive; the third waits; the fourth finds the peer dead. So a peer has
 * half of the time to respond, and a busy connection sends no keepalives.
 * Pure: no device, no lock.
 */
#include <linux/export.h>
#include <kunit/visibility.h>
#include <rpcrdma/keepalive.h>

#define RPCRDMA_MSEC_PER_SEC	1000U

/* The look after a keepalive at which a missing response means a dead peer */
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
 * rpcrdma_keepalive_begin - start anew: the peer is alive now
 * @plan: overwritten
 * @activity: counter of signs of life, now
 *
 * Context: any.
 */
void rpcrdma_keepalive_begin(struct rpcrdma_keepalive_plan *plan, u32 activity)
{
	plan->activity = activity;
	plan->silent = 0;
	plan->sent = false;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_begin);

/**
 * rpcrdma_keepalive_look - decide after a look at the connection
 * @plan: what the last look found; updated
 * @activity: counter of signs of life, now; a completed keepalive counts
 * @in_progress: a keepalive is in the send queue, and no other one may be sent
 *
 * Context: any.
 * Return: what to do now.
 */
enum rpcrdma_keepalive_step
rpcrdma_keepalive_look(struct rpcrdma_keepalive_plan *plan, u32 activity,
		       bool in_progress)
{
	if (activity != plan->activity) {
		rpcrdma_keepalive_begin(plan, activity);
		return RPCRDMA_KEEPALIVE_WAIT;
	}
	if (!plan->sent && !in_progress) {
		plan->sent = true;
		return RPCRDMA_KEEPALIVE_SEND;
	}
	plan->silent++;
	return plan->silent < RPCRDMA_KEEPALIVE_PATIENCE ?
		       RPCRDMA_KEEPALIVE_WAIT :
		       RPCRDMA_KEEPALIVE_DEAD;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_look);
