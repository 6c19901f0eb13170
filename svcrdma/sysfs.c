// SPDX-License-Identifier: GPL-2.0-only
/*
 * The values of a connection in /sys/kernel/rpcrdma/connections/server-N, and the sums of
 * the counters of all connections.
 *
 * The core calls the endpoint operations with its registry lock held. Accepting and
 * teardown take that lock too, so these operations must not allocate memory.
 *
 * Requests and the QP are freed before the connection, so they are used only between
 * rpcrdma_conn_enter() and rpcrdma_conn_leave().
 */
#include <linux/mutex.h>
#include "svcrdma.h"

/* All connections, and the sum of the counters of those that are freed */
static DEFINE_MUTEX(svcrdma_conns_lock);
static LIST_HEAD(svcrdma_conns);
static struct rpcrdma_stats svcrdma_freed_stats;

static struct svcrdma_xprt *svcrdma_from_endpoint(struct rpcrdma_endpoint *ep)
{
	return container_of(ep, struct svcrdma_xprt, ep);
}

static unsigned int svcrdma_waiting(struct svcrdma_xprt *rdma)
{
	unsigned int n;

	spin_lock(&rdma->lock);
	n = list_count_nodes(&rdma->ready) +
	    list_count_nodes(&rdma->held_calls);
	spin_unlock(&rdma->lock);
	return n;
}

static unsigned int svcrdma_recvs_used(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;
	unsigned int used = 0;

	spin_lock(&rdma->lock);
	list_for_each_entry(req, &rdma->all_reqs, all)
		used += !!READ_ONCE(req->recv);
	spin_unlock(&rdma->lock);
	return used;
}

/* 0 on devices that need no MRs for the RDMA Reads of a server */
static unsigned int svcrdma_mrs(const struct rpcrdma_conn *conn, bool used)
{
	const struct ib_qp *qp = conn->qp;
	unsigned int n = qp ? READ_ONCE(qp->mrs_used) : 0;

	if (!used && qp && (n || !list_empty_careful(&qp->rdma_mrs)))
		n = conn->limits.rw_ctxs;
	return n;
}

static u64 svcrdma_conn_number(struct svcrdma_xprt *rdma,
			       struct rpcrdma_conn *conn,
			       enum rpcrdma_number which)
{
	switch (which) {
	case RPCRDMA_N_CREDITS_ASKED:
		return READ_ONCE(rdma->asked);
	case RPCRDMA_N_CREDITS_GRANTED:
		return READ_ONCE(rdma->grant);
	case RPCRDMA_N_CREDITS_USED:
	case RPCRDMA_N_IN_FLIGHT:
		return atomic_read(&rdma->unanswered);
	case RPCRDMA_N_WAITING:
		return svcrdma_waiting(rdma);
	case RPCRDMA_N_RECVQ_USED:
		return svcrdma_recvs_used(rdma);
	case RPCRDMA_N_MRS:
	case RPCRDMA_N_MRS_USED:
		return svcrdma_mrs(conn, which == RPCRDMA_N_MRS_USED);
	default:
		return 0;
	}
}

static u64 svcrdma_endpoint_number(struct rpcrdma_endpoint *ep,
				   struct rpcrdma_conn *conn,
				   enum rpcrdma_number which)
{
	u64 value;

	if (!conn || !rpcrdma_conn_enter(conn))
		return 0;
	value = svcrdma_conn_number(svcrdma_from_endpoint(ep), conn, which);
	rpcrdma_conn_leave(conn);
	return value;
}

/* The core has stored the value; svcrdma_credit_grant() uses it */
static int svcrdma_endpoint_set(struct rpcrdma_endpoint *ep,
				struct rpcrdma_conn *conn,
				enum rpcrdma_number which, u32 value)
{
	return which == RPCRDMA_N_CREDITS_LIMIT ? 0 : -EINVAL;
}

static const struct sockaddr *svcrdma_endpoint_peer(struct rpcrdma_endpoint *ep)
{
	return (const struct sockaddr *)&svcrdma_from_endpoint(ep)->peer;
}

static const struct rpcrdma_endpoint_ops svcrdma_endpoint_ops = {
	.number	= svcrdma_endpoint_number,
	.set	= svcrdma_endpoint_set,
	.peer	= svcrdma_endpoint_peer,
};

/**
 * svcrdma_endpoint_init - initialize the endpoint of a connection and list it
 * @rdma: new connection
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM. svcrdma_endpoint_destroy() undoes it.
 */
int svcrdma_endpoint_init(struct svcrdma_xprt *rdma)
{
	int ret;

	ret = rpcrdma_endpoint_init(&rdma->ep, &svcrdma_endpoint_ops,
				    rdma->xprt.xpt_net, true);
	if (ret)
		return ret;
	mutex_lock(&svcrdma_conns_lock);
	list_add(&rdma->conns, &svcrdma_conns);
	mutex_unlock(&svcrdma_conns_lock);
	return 0;
}

/**
 * svcrdma_endpoint_destroy - destroy the endpoint; the sums keep its counters
 * @rdma: connection that is in no use
 *
 * Context: may sleep.
 */
void svcrdma_endpoint_destroy(struct svcrdma_xprt *rdma)
{
	if (list_empty(&rdma->conns))
		return;
	mutex_lock(&svcrdma_conns_lock);
	list_del(&rdma->conns);
	rpcrdma_stats_fold(&svcrdma_freed_stats, &rdma->ep.stats);
	mutex_unlock(&svcrdma_conns_lock);
	rpcrdma_endpoint_destroy(&rdma->ep);
}

/**
 * svcrdma_conns_any - does any connection match?
 * @match: called for each connection, even for one without references
 * @rdma: second argument of @match
 *
 * Context: may sleep; calls @match with svcrdma_conns_lock held, which creating and
 * freeing a connection take too.
 * Return: true if @match has returned true for a connection.
 */
bool svcrdma_conns_any(bool (*match)(struct svcrdma_xprt *one,
				     const struct svcrdma_xprt *rdma),
		       const struct svcrdma_xprt *rdma)
{
	struct svcrdma_xprt *one;
	bool found = false;

	mutex_lock(&svcrdma_conns_lock);
	list_for_each_entry(one, &svcrdma_conns, conns) {
		found = match(one, rdma);
		if (found)
			break;
	}
	mutex_unlock(&svcrdma_conns_lock);
	return found;
}

static u64 svcrdma_sum(u64 (*read)(const struct rpcrdma_stats *stats,
				   unsigned int which), unsigned int which)
{
	struct svcrdma_xprt *rdma;
	u64 sum;

	mutex_lock(&svcrdma_conns_lock);
	sum = read(&svcrdma_freed_stats, which);
	list_for_each_entry(rdma, &svcrdma_conns, conns)
		sum += read(&rdma->ep.stats, which);
	mutex_unlock(&svcrdma_conns_lock);
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
 * svcrdma_count_all - sum of a counter over all connections, freed ones included
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
 * svcrdma_refused_all - number of refusals, over all connections, freed ones included
 * @reason: reason of the refusals
 *
 * Context: may sleep.
 * Return: the sum.
 */
u64 svcrdma_refused_all(enum rpcrdma_reason reason)
{
	return svcrdma_sum(svcrdma_read_refused, reason);
}

/**
 * svcrdma_conns_start - allocate the sums of freed connections
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_conns_start(void)
{
	return rpcrdma_stats_init(&svcrdma_freed_stats);
}

/**
 * svcrdma_conns_stop - free them; no connection is left
 *
 * Context: module exit.
 */
void svcrdma_conns_stop(void)
{
	rpcrdma_stats_destroy(&svcrdma_freed_stats);
}
