/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CM private data (RFC 8797): what each side announces before the first message.
 * Pure: no device, no lock.
 */
#ifndef _RPCRDMA_CM_PRIVATE_H
#define _RPCRDMA_CM_PRIVATE_H

#include <linux/types.h>
#include <rpcrdma/wire.h>

/**
 * struct rpcrdma_cm_private - what one side announces
 * @send_size:  largest Send that it makes, bytes, a multiple of 1024
 * @recv_size:  size of its Receive buffers, bytes, a multiple of 1024
 * @remote_inv: it accepts Send With Invalidate
 * @present:    the peer has sent private data of RFC 8797; otherwise the other fields
 *              have the defaults of RFC 8166
 */
struct rpcrdma_cm_private {
	u32	send_size;
	u32	recv_size;
	bool	remote_inv;
	bool	present;
};

/* protocol/cm_private.c */
void rpcrdma_cm_private_encode(const struct rpcrdma_cm_private *priv,
			       struct rpcrdma_wire_cmp *wire);
void rpcrdma_cm_private_decode(struct rpcrdma_cm_private *priv,
			       const void *data, size_t len);
u32 rpcrdma_inline_threshold(u32 sender_size, u32 receiver_size);

#endif /* _RPCRDMA_CM_PRIVATE_H */
