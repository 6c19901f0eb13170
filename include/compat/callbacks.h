/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of the reverse direction are queued in a struct svc_serv for the callback
 * service. The queue was a list with a lock, and became a lock-less queue.
 */
#ifndef _COMPAT_CALLBACKS_H
#define _COMPAT_CALLBACKS_H

#include <linux/sunrpc/svc.h>
#include <linux/sunrpc/xprt.h>
#include <compat/probed.h>

#ifdef CONFIG_SUNRPC_BACKCHANNEL
/**
 * rpcrdma_callback_service - the callback service of a client transport
 * @xprt: transport
 *
 * Context: any; holds bc_pa_lock, under which Linux 7.3 clears bc_serv before it frees
 * the service. Linux 6.1 and 6.12 free it after the last user of the reverse direction has
 * ended, unless its threads cannot start (Documentation/kernel-bugs.rst).
 * Return: the service, or NULL.
 */
static inline struct svc_serv *rpcrdma_callback_service(struct rpc_xprt *xprt)
{
	lockdep_assert_held(&xprt->bc_pa_lock);
	return READ_ONCE(xprt->bc_serv);
}

/**
 * rpcrdma_callback_queue - queue a Call for the callback service
 * @serv: the service; the caller keeps it from being freed
 * @rqst: request with the Call; belongs to the service from now on
 *
 * Context: process context; wakes a thread.
 */
static inline void rpcrdma_callback_queue(struct svc_serv *serv,
					  struct rpc_rqst *rqst)
{
	lockdep_assert_held(&rqst->rq_xprt->bc_pa_lock);
#ifdef RPCRDMA_BC_QUEUE_LWQ
	lwq_enqueue(&rqst->rq_bc_list, &serv->sv_cb_list);
	svc_pool_wake_idle_thread(&serv->sv_pools[0]);
#else
	spin_lock_bh(&serv->sv_cb_lock);
	list_add_tail(&rqst->rq_bc_list, &serv->sv_cb_list);
	spin_unlock_bh(&serv->sv_cb_lock);
	wake_up(&serv->sv_cb_waitq);
#endif
}
#endif /* CONFIG_SUNRPC_BACKCHANNEL */

#endif /* _COMPAT_CALLBACKS_H */
