// SPDX-License-Identifier: GPL-2.0-only
/*
 * RPC-over-RDMA version 1 on the wire (RFC 8166 4).
 *
 * The decoder gets bytes that a hostile peer may have made. It checks the size, then
 * looks for an RDMA_ERROR, then checks the procedure, then reads the three lists
 * (chunk_xdr.c). Bytes after an RDMA_NOMSG or RDMA_ERROR are ignored.
 *
 * The encoder trusts its caller, but never writes past the end of the buffer.
 * Pure: no device, no lock.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sunrpc/xdr.h>
#include "codec.h"

static enum rpcrdma_reason rpcrdma_v1_decode_error(struct rpcrdma_msg *msg,
						   struct xdr_stream *xdr)
{
	__be32 *p;

	msg->type = RPCRDMA_ERROR;
	p = xdr_inline_decode(xdr, sizeof(*p));
	if (unlikely(!p))
		return RPCRDMA_R_ERR_BODY;
	switch (be32_to_cpup(p)) {
	case RPCRDMA_WIRE_ERR_VERS:
		return rpcrdma_decode_err_vers(msg, xdr);
	case RPCRDMA_WIRE_ERR_CHUNK:
		msg->err = RPCRDMA_ERR_CHUNK;
		msg->header_size = RPCRDMA_V1_ERR_CHUNK_SIZE;
		return RPCRDMA_OK;
	}
	return RPCRDMA_R_ERR_BODY;
}

static enum rpcrdma_reason rpcrdma_v1_decode_proc(struct rpcrdma_msg *msg,
						  u32 proc)
{
	switch (proc) {
	case RPCRDMA_WIRE_MSG:
		msg->type = RPCRDMA_MSG;
		return RPCRDMA_OK;
	case RPCRDMA_WIRE_NOMSG:
		msg->type = RPCRDMA_NOMSG;
		return RPCRDMA_OK;
	case RPCRDMA_WIRE_DONE:
		return RPCRDMA_R_DONE;
	}
	/* RDMA_MSGP too: its two additional words are not read */
	return RPCRDMA_R_PROC;
}

static enum rpcrdma_reason rpcrdma_v1_decode(struct rpcrdma_msg *msg,
					     const void *buf, size_t len)
{
	enum rpcrdma_reason reason;
	struct xdr_stream xdr;
	struct xdr_buf xbuf;
	u32 proc;

	rpcrdma_xdr_open(&xdr, &xbuf, buf, len);
	reason = rpcrdma_decode_fixed(msg, &xdr, &proc);
	if (unlikely(reason))
		return reason;
	if (proc == RPCRDMA_WIRE_ERROR)
		return rpcrdma_v1_decode_error(msg, &xdr);
	if (unlikely(len < RPCRDMA_V1_HDR_MIN))
		return RPCRDMA_R_SHORT;		/* RFC 8166 4.5 */
	reason = rpcrdma_v1_decode_proc(msg, proc);
	if (unlikely(reason))
		return reason;
	return rpcrdma_chunk_lists_decode(msg, &xdr);
}

static size_t rpcrdma_v1_size(const struct rpcrdma_msg *msg)
{
	if (msg->type == RPCRDMA_ERROR)
		return msg->err == RPCRDMA_ERR_VERS ?
			RPCRDMA_V1_ERR_VERS_SIZE : RPCRDMA_V1_ERR_CHUNK_SIZE;

	return RPCRDMA_FIXED_SIZE + rpcrdma_chunk_lists_size(msg);
}

static __be32 *rpcrdma_v1_encode_error(__be32 *p, const struct rpcrdma_msg *msg)
{
	if (msg->err != RPCRDMA_ERR_VERS) {
		*p++ = cpu_to_be32(RPCRDMA_WIRE_ERR_CHUNK);
		return p;
	}
	*p++ = cpu_to_be32(RPCRDMA_WIRE_ERR_VERS);
	*p++ = cpu_to_be32(msg->vers_low);
	*p++ = cpu_to_be32(msg->vers_high);
	return p;
}

static u32 rpcrdma_v1_proc(const struct rpcrdma_msg *msg)
{
	switch (msg->type) {
	case RPCRDMA_NOMSG:
		return RPCRDMA_WIRE_NOMSG;
	case RPCRDMA_ERROR:
		return RPCRDMA_WIRE_ERROR;
	default:
		return RPCRDMA_WIRE_MSG;
	}
}

static int rpcrdma_v1_encode(struct rpcrdma_msg *msg, void *buf, size_t len)
{
	size_t size = rpcrdma_v1_size(msg);
	bool error = msg->type == RPCRDMA_ERROR;
	__be32 *p = buf;

	if (size > len)
		return -EMSGSIZE;

	*p++ = msg->xid;
	/* An error repeats the version of the failed request */
	*p++ = cpu_to_be32(error ? msg->vers : RPCRDMA_VERSION_ONE);
	*p++ = cpu_to_be32(msg->credits);
	*p++ = cpu_to_be32(rpcrdma_v1_proc(msg));
	p = error ? rpcrdma_v1_encode_error(p, msg) :
		    rpcrdma_chunk_lists_encode(p, msg);

	msg->header_size = size;
	return size;
}

/* ERR_CHUNK stands for all errors but that of the version (RFC 8166 4.5) */
static void rpcrdma_v1_refuse(struct rpcrdma_msg *err,
			      const struct rpcrdma_msg *bad,
			      enum rpcrdma_reason reason)
{
	err->err = RPCRDMA_ERR_CHUNK;
}

const struct rpcrdma_codec rpcrdma_codec_v1 = {
	.version	= RPCRDMA_VERSION_ONE,
	.decode		= rpcrdma_v1_decode,
	.encode		= rpcrdma_v1_encode,
	.size		= rpcrdma_v1_size,
	.refuse		= rpcrdma_v1_refuse,
};
EXPORT_SYMBOL_GPL(rpcrdma_codec_v1);
