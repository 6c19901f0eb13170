/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Call that the transport makes itself. Pure: no device, no lock.
 */
#ifndef _XPRTRDMA_NULL_CALL_H
#define _XPRTRDMA_NULL_CALL_H

#include <rpcrdma/msg.h>

/* null_call.c */
int xprtrdma_null_call_encode(const struct rpcrdma_codec *codec, __be32 xid,
			      u32 credits, void *buf, size_t size);

#endif /* _XPRTRDMA_NULL_CALL_H */
