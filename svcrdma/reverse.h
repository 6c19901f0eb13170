/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two files of the reverse direction share.
 */
#ifndef _SVCRDMA_REVERSE_H
#define _SVCRDMA_REVERSE_H

#include "svcrdma.h"

/**
 * struct svcrdma_reverse - the reverse direction of a connection
 * @xprt:   what sunrpc knows; first, because sunrpc frees it
 * @window: Calls that the client grants; under xprt->transport_lock, as all below
 * @late:   Calls without a Reply that sunrpc has given up
 * @stray:  a Reply to no such Call has come, with @stray_xid
 * @stray_xid: see @stray
 * @heard:  when the client last answered a Call, jiffies
 */
struct svcrdma_reverse {
	struct rpc_xprt	xprt;
	u32		window;
	u32		late;
	bool		stray;
	__be32		stray_xid;
	unsigned long	heard;
};

static inline struct svcrdma_reverse *
svcrdma_reverse_from_xprt(struct rpc_xprt *xprt)
{
	return container_of(xprt, struct svcrdma_reverse, xprt);
}

/* reverse.c */
int svcrdma_reverse_send(struct rpc_rqst *rqst);
void svcrdma_reverse_release(struct rpc_task *task);

#endif /* _SVCRDMA_REVERSE_H */
