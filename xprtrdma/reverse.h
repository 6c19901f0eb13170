/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the two files of the reverse direction.
 */
#ifndef _XPRTRDMA_REVERSE_H
#define _XPRTRDMA_REVERSE_H

#include "xprtrdma.h"

/**
 * struct xprtrdma_reverse_req - a reverse Call and its Reply
 * @rqst:    the request as sunrpc knows it
 * @free:    in xprtrdma_reverse.free
 * @all:     in xprtrdma_reverse.all
 * @cookie:  connect_cookie of the connection that brought the Call
 * @counted: counted in the congestion window; under xprt->transport_lock
 * @size:    bytes at @call and at @reply
 * @call:    copy of the Call
 * @reply:   memory for the Reply
 */
struct xprtrdma_reverse_req {
	struct rpc_rqst		rqst;
	struct list_head	free;
	struct list_head	all;
	unsigned int		cookie;
	bool			counted;
	size_t			size;
	void			*call;
	void			*reply;
};

static inline struct xprtrdma_reverse_req *
xprtrdma_reverse_from_rqst(struct rpc_rqst *rqst)
{
	return container_of(rqst, struct xprtrdma_reverse_req, rqst);
}

/* reverse_pool.c */
struct xprtrdma_reverse_req *xprtrdma_reverse_get(struct xprtrdma_xprt *r_xprt);
void xprtrdma_reverse_put(struct xprtrdma_xprt *r_xprt,
			  struct xprtrdma_reverse_req *req);
bool xprtrdma_reverse_deliver(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_reverse_req *req);

#endif /* _XPRTRDMA_REVERSE_H */
