/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structures and functions that the files of the reverse direction share.
 */
#ifndef _SVCRDMA_REVERSE_H
#define _SVCRDMA_REVERSE_H

#include <rpcrdma/credit.h>
#include "svcrdma.h"

/**
 * struct svcrdma_reverse - the reverse direction of a connection
 * @xprt:   transport that sunrpc knows; first member, because sunrpc frees it
 * @credits: credit window; under xprt->transport_lock, as all below
 * @unmatched: a Reply to no known Call has arrived, with @unmatched_xid
 * @unmatched_xid: see @unmatched
 * @heard:  when the client last answered a Call, jiffies
 */
struct svcrdma_reverse {
	struct rpc_xprt		xprt;
	struct rpcrdma_credits	credits;
	bool			unmatched;
	__be32			unmatched_xid;
	unsigned long		heard;
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
