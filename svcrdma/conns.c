// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of the transports of all connections, and the sums of their counters. The
 * counters of a transport that is freed are added to a sum that stays.
 */
#include <linux/mutex.h>
#include "svcrdma.h"

/* Protects the list and the sum of the freed transports */
static DEFINE_MUTEX(svcrdma_conns_lock);
static LIST_HEAD(svcrdma_conns);
static struct rpcrdma_stats svcrdma_freed_stats;

/**
 * svcrdma_conns_add - add a transport to the list
 * @rdma: new transport with an endpoint
 *
 * Context: may sleep. svcrdma_conns_remove() undoes it.
 */
void svcrdma_conns_add(struct svcrdma_xprt *rdma)
{
	mutex_lock(&svcrdma_conns_lock);
	list_add(&rdma->conns, &svcrdma_conns);
	mutex_unlock(&svcrdma_conns_lock);
}

/**
 * svcrdma_conns_remove - remove a transport from the list; its counters stay
 * @rdma: transport that is in no use
 *
 * Context: may sleep.
 */
void svcrdma_conns_remove(struct svcrdma_xprt *rdma)
{
	mutex_lock(&svcrdma_conns_lock);
	list_del(&rdma->conns);
	rpcrdma_stats_fold(&svcrdma_freed_stats, &rdma->ep.stats);
	mutex_unlock(&svcrdma_conns_lock);
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
 * svcrdma_count_all - sum of a counter over all transports, freed ones included
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
 * svcrdma_refused_all - number of refusals, over all transports, freed ones included
 * @reason: reason of the refusals
 *
 * Context: may sleep.
 * Return: the sum.
 */
u64 svcrdma_refused_all(enum rpcrdma_reason reason)
{
	return svcrdma_sum(svcrdma_read_refused, reason);
}
