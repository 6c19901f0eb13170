// SPDX-License-Identifier: GPL-2.0-only
/* A list with its lock, and a wait queue */
#include <linux/sunrpc/svc.h>
#include <linux/sunrpc/xprt.h>

void probe(struct svc_serv *serv, struct rpc_rqst *rqst);

void probe(struct svc_serv *serv, struct rpc_rqst *rqst)
{
	spin_lock(&serv->sv_cb_lock);
	list_add_tail(&rqst->rq_bc_list, &serv->sv_cb_list);
	spin_unlock(&serv->sv_cb_lock);
	wake_up(&serv->sv_cb_waitq);
}
