/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of the reverse direction wait for the callback service in a queue of its
 * struct svc_serv, which was a list with a lock before it became a lock-less queue.
 */
#ifndef _COMPAT_CALLBACKS_H
#define _COMPAT_CALLBACKS_H

#include <linux/sunrpc/svc.h>
#include <linux/sunrpc/xprt.h>
#include <compat/probed.h>

#ifdef CONFIG_SUNRPC_BACKCHANNEL
/**
 * rpcrdma_callback_queue - give a Call to the callback service
 * @serv: the service; must not end meanwhile
 * @rqst: request with the Call; the service's from now on
 *
 * Context: any but hard interrupt; wakes a thread.
 */
static inline void rpcrdma_callback_queue(struct svc_serv *serv,
					  struct rpc_rqst *rqst)
{
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
