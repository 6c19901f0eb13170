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
#define SVCRDMA_HEIR_PART	8
#define SVCRDMA_HEIR_LOOK	(HZ / 4UL)

/* How long Calls are kept back */
#define SVCRDMA_HEIR_MOST	(30UL * HZ)

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

static bool svcrdma_lost_at_work(const struct svcrdma_xprt *sx)
{
	const struct rpcrdma_conn *conn = READ_ONCE(sx->conn);

	if (!conn || rpcrdma_conn_state(conn) < RPCRDMA_S_CLOSING)
		return false;
	/* Once a transport is dead, no other thread takes a Call from it */
	return !test_bit_acquire(XPT_DEAD, &sx->xprt.xpt_flags) ||
	       atomic_read(&sx->xprt.xpt_nr_rqsts);
}

static bool svcrdma_keeps_heir_waiting(struct svcrdma_xprt *lost,
				       const struct svcrdma_xprt *heir)
{
	bool at_work;

	if (lost == heir || !svcrdma_same_client(lost, heir))
		return false;
	/* Without a reference there is no thread either */
	if (!kref_get_unless_zero(&lost->xprt.xpt_ref))
		return false;
	at_work = svcrdma_lost_at_work(lost);
	svc_xprt_put(&lost->xprt);
	return at_work;
}

static bool svcrdma_heir_waits(const struct svcrdma_xprt *sx)
{
	return svcrdma_ends_any(svcrdma_keeps_heir_waiting, sx);
}

/* Often at first, since most Calls take no time; each look costs all connections */
static void svcrdma_heir_later(struct svcrdma_xprt *sx)
{
	unsigned long waited = jiffies - sx->heir_begun;

	queue_delayed_work(svcrdma_wq, &sx->heir_work,
			   clamp(waited / SVCRDMA_HEIR_PART, 1UL,
				 SVCRDMA_HEIR_LOOK));
}

static void svcrdma_heir_look(struct svcrdma_xprt *sx)
{
	if (svcrdma_heir_waits(sx)) {
		if (time_before(jiffies, sx->heir_begun + SVCRDMA_HEIR_MOST)) {
			svcrdma_heir_later(sx);
			return;
		}
		pr_info_ratelimited("svcrdma: %pISpc: nfsd is still at work on Calls of a connection that was lost, not waiting for it any longer\n",
				    &sx->peer);
	}
	svcrdma_let_go(sx);
}

static void svcrdma_heir_work(struct work_struct *work)
{
	struct svcrdma_xprt *sx = container_of(work, struct svcrdma_xprt,
					       heir_work.work);

	/* Inside, so that draining waits, and then finds the work queued */
	if (!rpcrdma_conn_enter(sx->conn))
		return;
	svcrdma_heir_look(sx);
	rpcrdma_conn_leave(sx->conn);
}

static void svcrdma_drop_work(struct work_struct *work)
{
	struct svcrdma_xprt *sx = container_of(work, struct svcrdma_xprt,
					       drop_work.work);

	rpcrdma_conn_close(sx->conn, RPCRDMA_CLOSE_UNANSWERED, 0);
}

/**
 * svcrdma_heir_init - set up what this file has in a connection
 * @sx: new connection
 *
 * Context: any.
 */
void svcrdma_heir_init(struct svcrdma_xprt *sx)
{
	INIT_DELAYED_WORK(&sx->heir_work, svcrdma_heir_work);
	INIT_DELAYED_WORK(&sx->drop_work, svcrdma_drop_work);
}

/**
 * svcrdma_heir_begin - see whether Calls are to be kept back
 * @sx: connection that is established, before svcrdma_live()
 *
 * Context: CM handler; may sleep. svcrdma_heir_stop() ends it.
 */
void svcrdma_heir_begin(struct svcrdma_xprt *sx)
{
	if (!svcrdma_heir_waits(sx) || !rpcrdma_conn_enter(sx->conn))
		return;
	sx->heir_begun = jiffies;
	svcrdma_keep_back(sx);
	svcrdma_heir_later(sx);
	rpcrdma_conn_leave(sx->conn);
}

/**
 * svcrdma_dropped - nfsd has dropped a Call
 * @sx: its connection, which ends soon
 *
 * Context: process context, does not sleep.
 */
void svcrdma_dropped(struct svcrdma_xprt *sx)
{
	if (!rpcrdma_conn_enter(sx->conn))
		return;
	queue_delayed_work(svcrdma_wq, &sx->drop_work, SVCRDMA_DROP_DELAY);
	rpcrdma_conn_leave(sx->conn);
}

/**
 * svcrdma_heir_stop - the connection is about to go
 * @sx: drained connection
 *
 * Context: may sleep.
 */
void svcrdma_heir_stop(struct svcrdma_xprt *sx)
{
	cancel_delayed_work_sync(&sx->heir_work);
	cancel_delayed_work_sync(&sx->drop_work);
}
