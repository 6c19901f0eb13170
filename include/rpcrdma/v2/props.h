/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Transport properties of version 2: what a side sends about itself in a CONNPROP
 * (rpcrdma-version-two-09 4.2). Pure: no device, no lock.
 */
#ifndef _RPCRDMA_V2_PROPS_H
#define _RPCRDMA_V2_PROPS_H

#include <linux/types.h>
#include <rpcrdma/reason.h>
#include <rpcrdma/v2/wire.h>

struct xdr_stream;

/* Reverse Calls and Replies that a side accepts (4.2.2) */
enum rpcrdma_brs {
	RPCRDMA_BRS_NONE	= 0,
	RPCRDMA_BRS_INLINE	= 1,	/* without chunks */
	RPCRDMA_BRS_GENERAL	= 2,	/* as in the forward direction */
};

/**
 * struct rpcrdma_props - the properties of one side
 * @recv_size: Receive Buffer Size, bytes; every Receive is at least that large
 * @reverse:   Reverse Request Support
 */
struct rpcrdma_props {
	u32			recv_size;
	enum rpcrdma_brs	reverse;
};

/* protocol/v2/props.c */
void rpcrdma_props_default(struct rpcrdma_props *props);
size_t rpcrdma_props_size(void);
__be32 *rpcrdma_props_encode(__be32 *p, const struct rpcrdma_props *props);
enum rpcrdma_reason rpcrdma_props_decode(struct rpcrdma_props *props,
					 struct xdr_stream *xdr);
u32 rpcrdma_props_threshold(const struct rpcrdma_props *props, u32 own);

#endif /* _RPCRDMA_V2_PROPS_H */
