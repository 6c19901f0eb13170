// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that a client sends again on the connection it makes after it has lost one.
 *
 * It does so at once, and nfsd may be at work on the first copy still. Then it drops
 * the second one without a word, for its duplicate reply cache says "in progress", and
 * the Reply to the first goes to a connection that is gone: an NFSv3 client waits for
 * its time-out, which is a minute, and so does writeback. So the new connection, the
 * heir, keeps Calls back until no thread has one that came on a lost connection of that
 * client. Not forever, because the client may want other things than those that are so
 * slow, nor for a short time only: Calls sent again and again take a thread each time.
 *
 * A connection whose loss this end has not noticed yet cannot be told from one that the
 * client still uses, and clients behind one address are one client here, as for the
 * duplicate reply cache.
 *
 * What nfsd drops all the same would keep its credit for good. With the first Call of
 * a connection, whose answer has to bring more credits, nothing would come any more. So
 * the connection ends, and the client connects and sends again (RFC 8881, section
 * 2.9.2, lets a server do that). Not at once: other Calls are to have their answers,
 * and a client that connects again without a pause is not to do that all the time.
 */
#include <linux/sunrpc/addr.h>
#include "svcrdma.h"

/* Time until the next look at lost connections: a part of the time it has taken so far */
#define SVCRDMA_HOLD_FRACTION	8
#define SVCRDMA_HOLD_INTERVAL	(HZ / 4UL)

/* How long Calls are kept back */
#define SVCRDMA_HOLD_MAX	(30UL * HZ)

/* From a Call that was dropped to the end of its connection */
#define SVCRDMA_DROP_DELAY	HZ

static bool svcrdma_same_client(const struct svcrdma_xprt *a,
				const struct svcrdma_xprt *b)
{
	return a->xprt.xpt_server == b->xprt.xpt_server &&
	       a->xprt.xpt_net == b->xprt.xpt_net &&
	       rpc_cmp_addr((const struct sockaddr *)&a->peer,
			    (const struct sockaddr *)&b->peer);
}

static bool svcrdma_lost_conn_busy(const struct svcrdma_xprt *rdma)
{
	const struct rpcrdma_conn *conn = READ_ONCE(rdma->conn);

	if (!conn || rpcrdma_conn_state(conn) < RPCRDMA_S_CLOSING)
		return false;
	/* Once a transport is dead, no other thread takes a Call from it */
	return !test_bit_acquire(XPT_DEAD, &rdma->xprt.xpt_flags) ||
	       atomic_read(&rdma->xprt.xpt_nr_rqsts);
}

static bool svcrdma_conn_holds_up(struct svcrdma_xprt *lost,
				  const struct svcrdma_xprt *rdma_new)
{
	bool at_work;

	if (lost == rdma_new || !svcrdma_same_client(lost, rdma_new))
		return false;
	/* Without a reference there is no thread either */
	if (!kref_get_unless_zero(&lost->xprt.xpt_ref))
		return false;
	at_work = svcrdma_lost_conn_busy(lost);
	svc_xprt_put(&lost->xprt);
	return at_work;
}

static bool svcrdma_hold_needed(const struct svcrdma_xprt *rdma)
{
	return svcrdma_conns_any(svcrdma_conn_holds_up, rdma);
}

/* Often at first, since most Calls take no time; each look costs all connections */
static void svcrdma_hold_requeue(struct svcrdma_xprt *rdma)
{
	unsigned long waited = jiffies - rdma->hold_begun;

	queue_delayed_work(svcrdma_wq, &rdma->hold_work,
			   clamp(waited / SVCRDMA_HOLD_FRACTION, 1UL,
				 SVCRDMA_HOLD_INTERVAL));
}

static void svcrdma_hold_check(struct svcrdma_xprt *rdma)
{
	if (svcrdma_hold_needed(rdma)) {
		if (time_before(jiffies, rdma->hold_begun + SVCRDMA_HOLD_MAX)) {
			svcrdma_hold_requeue(rdma);
			return;
		}
		pr_info_ratelimited("svcrdma: %pISpc: nfsd is still at work on Calls of a connection that was lost, not waiting for it any longer\n",
				    &rdma->peer);
	}
	svcrdma_queue_unhold(rdma);
}

static void svcrdma_hold_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 hold_work.work);

	/* Inside, so that draining waits, and then finds the work queued */
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	svcrdma_hold_check(rdma);
	rpcrdma_conn_leave(rdma->conn);
}

static void svcrdma_drop_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 drop_work.work);

	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_UNANSWERED, 0);
}

/**
 * svcrdma_hold_init - set up what this file has in a connection
 * @rdma: new connection
 *
 * Context: any.
 */
void svcrdma_hold_init(struct svcrdma_xprt *rdma)
{
	INIT_DELAYED_WORK(&rdma->hold_work, svcrdma_hold_work);
	INIT_DELAYED_WORK(&rdma->drop_work, svcrdma_drop_work);
}

/**
 * svcrdma_hold_begin - see whether Calls are to be kept back
 * @rdma: connection that is established, before svcrdma_queue_start()
 *
 * Context: CM handler; may sleep. svcrdma_hold_stop() ends it.
 */
void svcrdma_hold_begin(struct svcrdma_xprt *rdma)
{
	if (!svcrdma_hold_needed(rdma) || !rpcrdma_conn_enter(rdma->conn))
		return;
	rdma->hold_begun = jiffies;
	svcrdma_queue_hold(rdma);
	svcrdma_hold_requeue(rdma);
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_dropped - nfsd has dropped a Call
 * @rdma: its connection, which ends soon
 *
 * Context: process context, does not sleep.
 */
void svcrdma_dropped(struct svcrdma_xprt *rdma)
{
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	queue_delayed_work(svcrdma_wq, &rdma->drop_work, SVCRDMA_DROP_DELAY);
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_hold_stop - the connection is about to go
 * @rdma: drained connection
 *
 * Context: may sleep.
 */
void svcrdma_hold_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->hold_work);
	cancel_delayed_work_sync(&rdma->drop_work);
}
