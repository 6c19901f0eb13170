// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a connection shows in /sys/kernel/rpcrdma/connections/server-N, and the sums
 * of the counters of all connections.
 *
 * The core asks under a lock that keeps the connection in place, and that accepting
 * and teardown take too: nothing here allocates memory. What hangs on the connection
 * is touched only inside rpcrdma_conn_enter(), for it goes before the connection does.
 */
#include <linux/mutex.h>
#include "svcrdma.h"

/* Ends that count, and what those have counted that are gone */
static DEFINE_MUTEX(svcrdma_ends_lock);
static LIST_HEAD(svcrdma_ends);
static struct rpcrdma_stats svcrdma_gone;

static struct svcrdma_xprt *svcrdma_from_end(struct rpcrdma_end *end)
{
	return container_of(end, struct svcrdma_xprt, end);
}

static unsigned int svcrdma_waiting(struct svcrdma_xprt *sx)
{
	unsigned int n;

	spin_lock(&sx->lock);
	n = list_count_nodes(&sx->ready) + list_count_nodes(&sx->kept_back);
	spin_unlock(&sx->lock);
	return n;
}

static unsigned int svcrdma_recvs_used(struct svcrdma_xprt *sx)
{
	struct svcrdma_req *req;
	unsigned int used = 0;

	spin_lock(&sx->lock);
	list_for_each_entry(req, &sx->all_reqs, all)
		used += !!READ_ONCE(req->recv);
	spin_unlock(&sx->lock);
	return used;
}

/* Most devices need none for the Reads of a server */
static unsigned int svcrdma_mrs(const struct rpcrdma_conn *conn, bool used)
{
	const struct ib_qp *qp = conn->qp;
	unsigned int n = qp ? READ_ONCE(qp->mrs_used) : 0;

	if (!used && qp && (n || !list_empty_careful(&qp->rdma_mrs)))
		n = conn->limits.rw_ctxs;
	return n;
}

static u64 svcrdma_conn_number(struct svcrdma_xprt *sx,
			       struct rpcrdma_conn *conn,
			       enum rpcrdma_number which)
{
	switch (which) {
	case RPCRDMA_N_CREDITS_ASKED:
		return READ_ONCE(sx->asked);
	case RPCRDMA_N_CREDITS_GRANTED:
		return READ_ONCE(sx->grant);
	case RPCRDMA_N_CREDITS_USED:
	case RPCRDMA_N_IN_FLIGHT:
		return atomic_read(&sx->unanswered);
	case RPCRDMA_N_WAITING:
		return svcrdma_waiting(sx);
	case RPCRDMA_N_RECVQ_USED:
		return svcrdma_recvs_used(sx);
	case RPCRDMA_N_MRS:
	case RPCRDMA_N_MRS_USED:
		return svcrdma_mrs(conn, which == RPCRDMA_N_MRS_USED);
	default:
		return 0;
	}
}

static u64 svcrdma_end_number(struct rpcrdma_end *end,
			      struct rpcrdma_conn *conn,
			      enum rpcrdma_number which)
{
	u64 value;

	if (!conn || !rpcrdma_conn_enter(conn))
		return 0;
	value = svcrdma_conn_number(svcrdma_from_end(end), conn, which);
	rpcrdma_conn_leave(conn);
	return value;
}

/* The next grant looks at the limit */
static int svcrdma_end_set(struct rpcrdma_end *end, struct rpcrdma_conn *conn,
			   enum rpcrdma_number which, u32 value)
{
	return which == RPCRDMA_N_CREDITS_LIMIT ? 0 : -EINVAL;
}

static const struct sockaddr *svcrdma_end_peer(struct rpcrdma_end *end)
{
	return (const struct sockaddr *)&svcrdma_from_end(end)->peer;
}

static const struct rpcrdma_end_ops svcrdma_end_ops = {
	.number	= svcrdma_end_number,
	.set	= svcrdma_end_set,
	.peer	= svcrdma_end_peer,
};

/**
 * svcrdma_end_init - begin what a connection shows
 * @sx: new connection
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM. svcrdma_end_destroy() undoes it.
 */
int svcrdma_end_init(struct svcrdma_xprt *sx)
{
	int ret;

	ret = rpcrdma_end_init(&sx->end, &svcrdma_end_ops, sx->xprt.xpt_net,
			       true);
	if (ret)
		return ret;
	mutex_lock(&svcrdma_ends_lock);
	list_add(&sx->ends, &svcrdma_ends);
	mutex_unlock(&svcrdma_ends_lock);
	return 0;
}

/**
 * svcrdma_end_destroy - end what a connection shows; its counts are kept
 * @sx: connection that nobody uses any more
 *
 * Context: may sleep.
 */
void svcrdma_end_destroy(struct svcrdma_xprt *sx)
{
	if (list_empty(&sx->ends))
		return;
	mutex_lock(&svcrdma_ends_lock);
	list_del(&sx->ends);
	rpcrdma_stats_fold(&svcrdma_gone, &sx->end.stats);
	mutex_unlock(&svcrdma_ends_lock);
	rpcrdma_end_destroy(&sx->end);
}

/**
 * svcrdma_ends_any - look for a connection
 * @match: what is looked for, given each connection, even one without references
 * @sx: for @match
 *
 * Context: may sleep; @match is called with a mutex held that new connections and
 * the last step of a teardown take.
 * Return: true if @match has said so once.
 */
bool svcrdma_ends_any(bool (*match)(struct svcrdma_xprt *one,
				    const struct svcrdma_xprt *sx),
		      const struct svcrdma_xprt *sx)
{
	struct svcrdma_xprt *one;
	bool found = false;

	mutex_lock(&svcrdma_ends_lock);
	list_for_each_entry(one, &svcrdma_ends, ends) {
		found = match(one, sx);
		if (found)
			break;
	}
	mutex_unlock(&svcrdma_ends_lock);
	return found;
}

static u64 svcrdma_sum(u64 (*read)(const struct rpcrdma_stats *stats,
				   unsigned int which), unsigned int which)
{
	struct svcrdma_xprt *sx;
	u64 sum;

	mutex_lock(&svcrdma_ends_lock);
	sum = read(&svcrdma_gone, which);
	list_for_each_entry(sx, &svcrdma_ends, ends)
		sum += read(&sx->end.stats, which);
	mutex_unlock(&svcrdma_ends_lock);
	return sum;
}

static u64 svcrdma_read_count(const struct rpcrdma_stats *stats,
			      unsigned int which)
{
	return rpcrdma_stats_read(stats, which);
}

static u64 svcrdma_read_refused(const struct rpcrdma_stats *stats,
				unsigned int which)
{
	return rpcrdma_stats_read_refused(stats, which);
}

/**
 * svcrdma_count_all - what all connections have counted, those that are gone too
 * @which: counter
 *
 * Context: may sleep.
 * Return: the sum.
 */
u64 svcrdma_count_all(enum rpcrdma_counter which)
{
	return svcrdma_sum(svcrdma_read_count, which);
}

/**
 * svcrdma_refused_all - how often they have refused something for a reason
 * @reason: reason
 *
 * Context: may sleep.
 * Return: the sum.
 */
u64 svcrdma_refused_all(enum rpcrdma_reason reason)
{
	return svcrdma_sum(svcrdma_read_refused, reason);
}

/**
 * svcrdma_ends_start - begin to sum up
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_ends_start(void)
{
	return rpcrdma_stats_init(&svcrdma_gone);
}

/**
 * svcrdma_ends_stop - undo svcrdma_ends_start(); no connection is left
 *
 * Context: module exit.
 */
void svcrdma_ends_stop(void)
{
	rpcrdma_stats_destroy(&svcrdma_gone);
}
