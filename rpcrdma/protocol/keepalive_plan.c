// SPDX-License-Identifier: GPL-2.0-only
/*
 * When to send a keepalive, and when a peer is dead.
 *
 * A work item looks at the connection four times within the time in which a dead peer
 * must be found. In the worst case the peer dies right after a look and after its last
 * sign of life. Then the first look finds that sign; the second finds nothing new and
 * sends a keepalive; the third waits; the fourth finds the peer dead. So a peer has
 * half of the time to respond, and a busy connection sends no keepalives. A keepalive
 * that was sent earlier, and is in the send queue still, will do for the second look.
 * A look is left out while completions wait for their handlers; the others follow later.
 * Pure: no device, no lock.
 */
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <kunit/visibility.h>
#include <rpcrdma/keepalive.h>

#define RPCRDMA_MSEC_PER_SEC	1000U

/* The unit of an ACK timeout is 4.096 us */
#define RPCRDMA_ACK_UNITS_PER_MS	244U

/* The look after a keepalive at which a missing response means a dead peer */
#define RPCRDMA_KEEPALIVE_PATIENCE	(RPCRDMA_KEEPALIVE_LOOKS - 2)

/**
 * rpcrdma_keepalive_min_ms - shortest time in which one lost packet is no dead peer
 * @ack_timeout: Local ACK Timeout of the QP, as in struct ib_qp_attr: 4.096 us times two to
 *		 this power, up to 31; 0 if the device does not retransmit
 *
 * The peer has half of this time to respond: 1.25 ACK timeouts. A device that retransmits
 * after one ACK timeout leaves a quarter of one for the acknowledgment. The InfiniBand
 * specification lets a device take up to four.
 *
 * Context: any.
 * Return: milliseconds.
 */
unsigned int rpcrdma_keepalive_min_ms(unsigned int ack_timeout)
{
	unsigned int ms = BIT(ack_timeout) / RPCRDMA_ACK_UNITS_PER_MS;

	return 2 * ms + ms / 2;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_min_ms);

/**
 * rpcrdma_keepalive_timeout_ms - time in which a dead peer must be found
 * @seconds: what the administrator has set for all connections, up to
 *	     RPCRDMA_KEEPALIVE_MAX; 0 if keepalives are off
 * @sooner: a shorter time for this connection, milliseconds; 0 if there is none
 * @least: @sooner is no shorter than this, milliseconds
 *
 * Context: any.
 * Return: milliseconds; 0 if keepalives are off.
 */
unsigned int rpcrdma_keepalive_timeout_ms(unsigned int seconds, unsigned int sooner,
					  unsigned int least)
{
	unsigned int within = seconds * RPCRDMA_MSEC_PER_SEC;

	return sooner ? min(within, max(sooner, least)) : within;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_timeout_ms);

/**
 * rpcrdma_keepalive_interval - time between two looks
 * @within: time in which a dead peer must be found, milliseconds
 *
 * Context: any.
 * Return: milliseconds.
 */
unsigned int rpcrdma_keepalive_interval(unsigned int within)
{
	return within / RPCRDMA_KEEPALIVE_LOOKS;
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
	plan->pending = false;
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
	if (!plan->pending) {
		plan->pending = true;
		return in_progress ? RPCRDMA_KEEPALIVE_WAIT :
				     RPCRDMA_KEEPALIVE_SEND;
	}
	plan->silent++;
	return plan->silent < RPCRDMA_KEEPALIVE_PATIENCE ?
		       RPCRDMA_KEEPALIVE_WAIT :
		       RPCRDMA_KEEPALIVE_DEAD;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_keepalive_look);
