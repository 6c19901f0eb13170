// SPDX-License-Identifier: GPL-2.0-only
/*
 * The connection that a client makes after it has lost one.
 *
 * On it the client sends again what it has no Reply for, at once. nfsd may still be
 * at work on the first copy. Then it drops the second one without a word, for its
 * duplicate reply cache says "in progress", and the Reply to the first goes to a
 * connection that is gone: an NFSv3 client waits for its time-out, which is a minute,
 * and so does writeback. So what comes on the new connection waits until no thread has
 * a Call any more that came on a lost connection of that client. It does not wait
 * forever: storage that takes long is not to hold up all that the client wants.
 *
 * A connection whose loss this end has not noticed yet cannot be told from one that the
 * client still uses.
 */
#include <linux/sunrpc/addr.h>
#include "svcrdma.h"

/* Time between two looks at the lost connections, and how long they may take */
#define SVCRDMA_HEIR_LOOK	max(HZ / 100UL, 1UL)
#define SVCRDMA_HEIR_MOST	(3UL * HZ)

static bool svcrdma_same_client(const struct svcrdma_xprt *a,
				const struct svcrdma_xprt *b)
{
	return a->xprt.xpt_server == b->xprt.xpt_server &&
	       a->xprt.xpt_net == b->xprt.xpt_net &&
	       rpc_cmp_addr((const struct sockaddr *)&a->peer,
			    (const struct sockaddr *)&b->peer);
}

/* Once a transport is dead, no thread takes another Call from it */
static bool svcrdma_lost_at_work(const struct svcrdma_xprt *sx)
{
	const struct rpcrdma_conn *conn = READ_ONCE(sx->conn);

	return conn && rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING &&
	       (!test_bit(XPT_DEAD, &sx->xprt.xpt_flags) ||
		atomic_read(&sx->xprt.xpt_nr_rqsts));
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

static void svcrdma_heir_look(struct svcrdma_xprt *sx)
{
	bool waits = svcrdma_ends_any(svcrdma_keeps_heir_waiting, sx);

	if (waits && time_before(jiffies, sx->heir_begun + SVCRDMA_HEIR_MOST)) {
		queue_delayed_work(svcrdma_wq, &sx->heir_work,
				   SVCRDMA_HEIR_LOOK);
		return;
	}
	if (waits)
		pr_info_ratelimited("svcrdma: %pISpc: nfsd is still at work on Calls of a connection that was lost, not waiting for it any longer\n",
				    &sx->peer);
	svcrdma_live(sx);
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

/**
 * svcrdma_heir_init - set up what this file has in a connection
 * @sx: new connection
 *
 * Context: any.
 */
void svcrdma_heir_init(struct svcrdma_xprt *sx)
{
	INIT_DELAYED_WORK(&sx->heir_work, svcrdma_heir_work);
}

/**
 * svcrdma_heir_begin - give Calls to nfsd as soon as earlier ones are done with
 * @sx: connection that is established
 *
 * At once, if the client has lost no connection; after some seconds in any case.
 *
 * Context: CM handler; may sleep. svcrdma_heir_stop() ends it.
 */
void svcrdma_heir_begin(struct svcrdma_xprt *sx)
{
	sx->heir_begun = jiffies;
	if (!rpcrdma_conn_enter(sx->conn))
		return;
	svcrdma_heir_look(sx);
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
}
