// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reconnect hold: holds the Calls of a new connection until nfsd threads have finished
 * the Calls of the client's lost connection.
 *
 * After a connection loss, a client reconnects and resends its unanswered Calls at
 * once. If nfsd still works on the first copy of a Call, its duplicate reply cache
 * drops the second copy without an answer, and the Reply to the first copy is lost with
 * its connection. An NFSv3 client then waits for its time-out of one minute, and
 * writeback waits with it.
 *
 * The hold has a limit, because the client may have other work than its slow Calls. The
 * limit is not short, because each Call that is resent occupies one more nfsd thread.
 *
 * A lost connection counts only after this server has noticed the loss. As in the
 * duplicate reply cache, clients behind one address count as one client.
 */
#include <linux/sunrpc/addr.h>
#include "svcrdma.h"

/* Time until the next check: this fraction of the time waited so far, with a limit */
#define SVCRDMA_HOLD_FRACTION	8
#define SVCRDMA_HOLD_INTERVAL	(HZ / 4UL)

/* Longest hold */
#define SVCRDMA_HOLD_MAX	(30UL * HZ)

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
	/* Pairs with smp_store_release() in svcrdma_xprt_adopt() */
	const struct rpcrdma_conn *conn = READ_ONCE(rdma->conn);

	if (!conn || rpcrdma_conn_state(conn) < RPCRDMA_S_CLOSING)
		return false;
	/* No thread takes another Call from a transport that is dead */
	return !test_bit_acquire(XPT_DEAD, &rdma->xprt.xpt_flags) ||
	       atomic_read(&rdma->xprt.xpt_nr_rqsts);
}

/* Called for each transport; only the lost connections of the same client count */
static bool svcrdma_must_wait_for(struct svcrdma_xprt *other,
				  const struct svcrdma_xprt *rdma)
{
	bool busy;

	if (other == rdma || !svcrdma_same_client(other, rdma))
		return false;
	/* An nfsd thread with a Call has a reference */
	if (!kref_get_unless_zero(&other->xprt.xpt_ref))
		return false;
	busy = svcrdma_lost_conn_busy(other);
	svc_xprt_put(&other->xprt);
	return busy;
}

static bool svcrdma_hold_needed(const struct svcrdma_xprt *rdma)
{
	return svcrdma_conns_any(svcrdma_must_wait_for, rdma);
}

/*
 * Frequent checks at first, since most Calls finish soon; fewer later, since a check
 * walks all transports.
 */
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
		pr_info_ratelimited("svcrdma: %pISpc: nfsd still works on Calls of a lost connection; no longer waiting for it\n",
				    &rdma->peer);
	}
	svcrdma_queue_unhold(rdma);
}

static void svcrdma_hold_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt,
						 hold_work.work);

	/*
	 * svcrdma_hold_requeue() must not run after svcrdma_hold_stop() has canceled
	 * the work: rpcrdma_conn_drain() waits for rpcrdma_conn_leave().
	 */
	if (!rpcrdma_conn_enter(rdma->conn))
		return;
	svcrdma_hold_check(rdma);
	rpcrdma_conn_leave(rdma->conn);
}

/**
 * svcrdma_hold_init - initialize the fields that this file uses
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_hold_init(struct svcrdma_xprt *rdma)
{
	INIT_DELAYED_WORK(&rdma->hold_work, svcrdma_hold_work);
}

/**
 * svcrdma_hold_begin - begin to hold Calls if nfsd works on older ones
 * @rdma: transport of an established connection, before svcrdma_queue_start()
 *
 * The hold ends by itself, in svcrdma_hold_check().
 *
 * Context: CM handler; may sleep.
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
 * svcrdma_hold_stop - cancel the check when the transport is destroyed
 * @rdma: transport whose connection is drained
 *
 * Calls that are still held are freed with their requests.
 *
 * Context: may sleep.
 */
void svcrdma_hold_stop(struct svcrdma_xprt *rdma)
{
	cancel_delayed_work_sync(&rdma->hold_work);
}
