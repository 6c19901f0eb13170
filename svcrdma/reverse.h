/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structures and functions that the files of the reverse direction share.
 */
#ifndef _SVCRDMA_REVERSE_H
#define _SVCRDMA_REVERSE_H

#include <rpcrdma/credit.h>
#include "svcrdma.h"

struct svcrdma_send;

/**
 * struct svcrdma_reverse - the reverse direction of a connection
 * @xprt:   transport that sunrpc knows; first member, because sunrpc frees it
 * @credits: credit window; under xprt->transport_lock, as all below
 * @unmatched: a Reply to no known Call has arrived, with @unmatched_xid
 * @unmatched_xid: see @unmatched
 * @silent_since: when the client last answered a Call, or when a Call was last abandoned
 *	    and no credit was left, jiffies
 */
struct svcrdma_reverse {
	struct rpc_xprt		xprt;
	struct rpcrdma_credits	credits;
	bool			unmatched;
	__be32			unmatched_xid;
	unsigned long		silent_since;
};

static inline struct svcrdma_reverse *
svcrdma_reverse_from_xprt(struct rpc_xprt *xprt)
{
	return container_of(xprt, struct svcrdma_reverse, xprt);
}

#ifdef CONFIG_SUNRPC_BACKCHANNEL
/* reverse_xprt.c */
int svcrdma_reverse_init(void);
void svcrdma_reverse_exit(void);
void svcrdma_reverse_put(struct svcrdma_xprt *rdma);

/* reverse.c */
int svcrdma_reverse_encode(struct svcrdma_send *send, struct rpc_rqst *rqst);
int svcrdma_reverse_send(struct rpc_rqst *rqst);
void svcrdma_reverse_release(struct rpc_task *task);
bool svcrdma_reverse_reply(struct svcrdma_xprt *rdma,
			   const struct rpcrdma_msg *msg,
			   const void *payload, size_t len);
bool svcrdma_reverse_error(struct svcrdma_xprt *rdma, const void *buf,
			   size_t len);
#else
static inline int svcrdma_reverse_init(void)
{
	return 0;
}

static inline void svcrdma_reverse_exit(void)
{
}

static inline void svcrdma_reverse_put(struct svcrdma_xprt *rdma)
{
}

static inline bool svcrdma_reverse_reply(struct svcrdma_xprt *rdma,
					 const struct rpcrdma_msg *msg,
					 const void *payload, size_t len)
{
	return false;
}

static inline bool svcrdma_reverse_error(struct svcrdma_xprt *rdma,
					 const void *buf, size_t len)
{
	return false;
}
#endif

#endif /* _SVCRDMA_REVERSE_H */
