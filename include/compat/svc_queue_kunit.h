/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of nfsd threads that no service has, for KUnit tests.
 */
#ifndef _COMPAT_SVC_QUEUE_KUNIT_H
#define _COMPAT_SVC_QUEUE_KUNIT_H

#include <linux/sunrpc/svc.h>
#include <linux/sunrpc/svc_xprt.h>
#include <compat/probed.h>

/**
 * rpcrdma_kunit_svc_pool_init - initialize a pool without threads
 * @pool: pool, zeroed
 *
 * Context: any.
 */
static inline void rpcrdma_kunit_svc_pool_init(struct svc_pool *pool)
{
#ifdef RPCRDMA_SVC_QUEUE_LWQ
	lwq_init(&pool->sp_xprts);
	init_llist_head(&pool->sp_idle_threads);
#else
	INIT_LIST_HEAD(&pool->sp_sockets);
#endif
}

/**
 * rpcrdma_kunit_svc_pool_congest - let a transport wait for a thread of a pool
 * @pool: pool without threads
 * @xprt: transport, which sunrpc does not know
 *
 * Context: any.
 */
static inline void rpcrdma_kunit_svc_pool_congest(struct svc_pool *pool, struct svc_xprt *xprt)
{
#ifdef RPCRDMA_SVC_QUEUE_LWQ
	lwq_enqueue(&xprt->xpt_ready, &pool->sp_xprts);
#else
	list_add_tail(&xprt->xpt_ready, &pool->sp_sockets);
	set_bit(SP_CONGESTED, &pool->sp_flags);
#endif
}

#endif /* _COMPAT_SVC_QUEUE_KUNIT_H */
