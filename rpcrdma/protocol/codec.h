/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the codecs share: the parts of a message that every protocol version codes
 * alike (RFC 8166 4.1.2 and 7). Pure: no device, no lock.
 */
#ifndef _RPCRDMA_CODEC_H
#define _RPCRDMA_CODEC_H

#include <linux/sunrpc/xdr.h>
#include <rpcrdma/msg.h>

/* protocol/codec.c */
void rpcrdma_msg_drop_lists(struct rpcrdma_msg *msg);
void rpcrdma_xdr_open(struct xdr_stream *xdr, struct xdr_buf *xbuf,
		      const void *buf, size_t len);
enum rpcrdma_reason rpcrdma_decode_fixed(struct rpcrdma_msg *msg,
					 struct xdr_stream *xdr, u32 *proc);
enum rpcrdma_reason rpcrdma_decode_err_vers(struct rpcrdma_msg *msg,
					    struct xdr_stream *xdr);

/* protocol/chunk_xdr.c */
enum rpcrdma_reason rpcrdma_chunk_lists_decode(struct rpcrdma_msg *msg,
					       struct xdr_stream *xdr);
size_t rpcrdma_chunk_lists_size(const struct rpcrdma_msg *msg);
__be32 *rpcrdma_chunk_lists_encode(__be32 *p, const struct rpcrdma_msg *msg);

#endif /* _RPCRDMA_CODEC_H */
