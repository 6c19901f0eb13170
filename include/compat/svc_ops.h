/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The operations of a server transport. Older kernels ask each transport, after a Call
 * was received, whether it came from a privileged port. On newer ones the transport
 * sets RQ_SECURE in xpo_recvfrom, as this one does on all of them. Nothing sets it again when
 * newer kernels revisit a deferred Call (Documentation/kernel-bugs.rst).
 */
#ifndef _COMPAT_SVC_OPS_H
#define _COMPAT_SVC_OPS_H

#include <linux/sunrpc/svc_xprt.h>
#include <compat/probed.h>

#ifdef RPCRDMA_SECURE_PORT_ASKED
static inline void rpcrdma_svc_secure_port(struct svc_rqst *rqstp)
{
	/* A deferred Call is revisited without xpo_recvfrom */
	set_bit(RQ_SECURE, &rqstp->rq_flags);
}

#define RPCRDMA_SVC_SECURE_PORT	.xpo_secure_port = rpcrdma_svc_secure_port,
#else
#define RPCRDMA_SVC_SECURE_PORT
#endif

#endif /* _COMPAT_SVC_OPS_H */
