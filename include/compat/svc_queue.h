/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Transports that wait for a thread of a pool, and its idle threads. Kernels keep them in locked
 * lists or in lock-less ones.
 */
#ifndef _COMPAT_SVC_QUEUE_H
#define _COMPAT_SVC_QUEUE_H

#include <linux/sunrpc/svc.h>
#include <compat/probed.h>

/**
 * rpcrdma_svc_queue_empty - does no transport wait for a thread of this pool?
 * @pool: pool
 *
 * Context: any; takes no lock, so the answer may be old.
 * Return: true if no transport waits.
 */
static inline bool rpcrdma_svc_queue_empty(struct svc_pool *pool)
{
#ifdef RPCRDMA_SVC_QUEUE_LWQ
	return lwq_empty(&pool->sp_xprts);
#else
	return list_empty(&pool->sp_sockets);
#endif
}

/**
 * rpcrdma_svc_pool_congested - do transports wait while no thread is idle?
 * @pool: pool
 *
 * Context: any; takes no lock, so the answer may be old.
 * Return: true if transports wait and no thread of @pool is idle.
 */
static inline bool rpcrdma_svc_pool_congested(struct svc_pool *pool)
{
	if (rpcrdma_svc_queue_empty(pool))
		return false;
#ifdef RPCRDMA_SVC_QUEUE_LWQ
	return llist_empty(&pool->sp_idle_threads);
#else
	return test_bit(SP_CONGESTED, &pool->sp_flags);
#endif
}

#endif /* _COMPAT_SVC_QUEUE_H */
