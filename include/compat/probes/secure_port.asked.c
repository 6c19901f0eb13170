// SPDX-License-Identifier: GPL-2.0-only
/* The transport is asked whether a client's port is privileged */
#include <linux/sunrpc/svc_xprt.h>

void probe(const struct svc_xprt_ops *ops, struct svc_rqst *rqstp);

void probe(const struct svc_xprt_ops *ops, struct svc_rqst *rqstp)
{
	ops->xpo_secure_port(rqstp);
	ops->xpo_release_ctxt(rqstp->rq_xprt, rqstp->rq_xprt_ctxt);
}
