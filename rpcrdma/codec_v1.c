// SPDX-License-Identifier: GPL-2.0-only
/*
 * RPC-over-RDMA version 1 on the wire (RFC 8166 section 4).
 *
 * The decoder takes hostile bytes. It works in the order of "Order of checks
 * to implement" in the requirements: size, RDMA_ERROR, procedure, then the
 * three lists. It never reads past the buffer (xdr_stream sees to that),
 * compares each count with the bytes that are left before it believes it
 * (T-34), and stops at the local limits (T-35). What it accepts is
 * well-formed: booleans are 0 or 1, Positions are multiples of four, and no
 * segment wraps around the address space. Segments of length 0 are legal
 * (T-37), and bytes after an RDMA_NOMSG or RDMA_ERROR are ignored (T-36).
 * What depends on the direction of the message is checked in chunk.c.
 *
 * The encoder trusts its caller, except that it never writes past the end of
 * the buffer. Pure.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/overflow.h>
#include <linux/sunrpc/xdr.h>
#include "codec.h"

static enum rpcrdma_reason rpcrdma_v1_decode_bool(struct xdr_stream *xdr,
						  bool *present)
{
	__be32 *p;

	p = xdr_inline_decode(xdr, sizeof(*p));
	if (unlikely(!p))
		return RPCRDMA_R_LIST_CUT;
	if (unlikely(*p != xdr_zero && *p != xdr_one))
		return RPCRDMA_R_BAD_BOOL;
	*present = *p == xdr_one;
	return RPCRDMA_OK;
}

/* @p: handle, length, offset high, offset low */
static enum rpcrdma_reason
rpcrdma_v1_take_segment(struct rpcrdma_msg *msg, struct rpcrdma_chunk *chunk,
			u32 position, const __be32 *p)
{
	u32 handle = be32_to_cpup(p);
	u32 length = be32_to_cpup(p + 1);
	u64 offset, end;

	xdr_decode_hyper((__be32 *)p + 2, &offset);
	if (unlikely(check_add_overflow(offset, (u64)length, &end)))
		return RPCRDMA_R_SEG_WRAP;
	if (unlikely(rpcrdma_msg_add_segment(msg, chunk, position, handle,
					     length, offset)))
		return RPCRDMA_R_TOO_MANY_SEGS;
	return RPCRDMA_OK;
}

static enum rpcrdma_reason rpcrdma_v1_decode_reads(struct rpcrdma_msg *msg,
						   struct xdr_stream *xdr)
{
	enum rpcrdma_reason reason;
	bool present;
	u32 position;
	__be32 *p;

	for (;;) {
		reason = rpcrdma_v1_decode_bool(xdr, &present);
		if (reason || !present)
			return reason;

		p = xdr_inline_decode(xdr, sizeof(*p) + RPCRDMA_WIRE_SEG_SIZE);
		if (unlikely(!p))
			return RPCRDMA_R_LIST_CUT;
		position = be32_to_cpup(p);
		if (unlikely(!IS_ALIGNED(position, XDR_UNIT)))
			return RPCRDMA_R_POSITION_ALIGN;
		reason = rpcrdma_v1_take_segment(msg, &msg->reads, position,
						 p + 1);
		if (unlikely(reason))
			return reason;
	}
}

/* A counted array of plain segments: a Write chunk or a Reply chunk */
static enum rpcrdma_reason
rpcrdma_v1_decode_array(struct rpcrdma_msg *msg, struct xdr_stream *xdr,
			struct rpcrdma_chunk *chunk)
{
	enum rpcrdma_reason reason;
	u32 count;
	__be32 *p;

	p = xdr_inline_decode(xdr, sizeof(*p));
	if (unlikely(!p))
		return RPCRDMA_R_LIST_CUT;
	count = be32_to_cpup(p);
	if (unlikely(count > xdr_stream_remaining(xdr) / RPCRDMA_WIRE_SEG_SIZE))
		return RPCRDMA_R_LIST_CUT;
	if (unlikely(count > msg->max_segs - msg->nsegs))
		return RPCRDMA_R_TOO_MANY_SEGS;

	for (; count; count--) {
		p = xdr_inline_decode(xdr, RPCRDMA_WIRE_SEG_SIZE);
		if (unlikely(!p))
			return RPCRDMA_R_LIST_CUT;
		reason = rpcrdma_v1_take_segment(msg, chunk, 0, p);
		if (unlikely(reason))
			return reason;
	}
	return RPCRDMA_OK;
}

static enum rpcrdma_reason rpcrdma_v1_decode_writes(struct rpcrdma_msg *msg,
						    struct xdr_stream *xdr)
{
	struct rpcrdma_chunk *chunk;
	enum rpcrdma_reason reason;
	bool present;

	for (;;) {
		reason = rpcrdma_v1_decode_bool(xdr, &present);
		if (reason || !present)
			return reason;
		if (unlikely(rpcrdma_msg_add_write(msg, &chunk)))
			return RPCRDMA_R_TOO_MANY_CHUNKS;
		reason = rpcrdma_v1_decode_array(msg, xdr, chunk);
		if (unlikely(reason))
			return reason;
	}
}

static enum rpcrdma_reason rpcrdma_v1_decode_reply(struct rpcrdma_msg *msg,
						   struct xdr_stream *xdr)
{
	enum rpcrdma_reason reason;

	reason = rpcrdma_v1_decode_bool(xdr, &msg->has_reply);
	if (reason || !msg->has_reply)
		return reason;
	return rpcrdma_v1_decode_array(msg, xdr, &msg->reply);
}

static enum rpcrdma_reason rpcrdma_v1_decode_lists(struct rpcrdma_msg *msg,
						   struct xdr_stream *xdr)
{
	enum rpcrdma_reason reason;

	reason = rpcrdma_v1_decode_reads(msg, xdr);
	if (unlikely(reason))
		return reason;
	reason = rpcrdma_v1_decode_writes(msg, xdr);
	if (unlikely(reason))
		return reason;
	reason = rpcrdma_v1_decode_reply(msg, xdr);
	if (unlikely(reason))
		return reason;
	msg->header_size = xdr_stream_pos(xdr);
	return RPCRDMA_OK;
}

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
	return RPCRDMA_R_ERR_BODY;		/* T-10 */
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
	/* RDMA_MSGP is judged by this word alone (T-05) */
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
		return RPCRDMA_R_SHORT;		/* T-01, V1-ERR-01 */
	reason = rpcrdma_v1_decode_proc(msg, proc);
	if (unlikely(reason))
		return reason;
	reason = rpcrdma_v1_decode_lists(msg, &xdr);
	if (unlikely(reason))
		rpcrdma_msg_drop_lists(msg);
	return reason;
}

static size_t rpcrdma_v1_size_array(const struct rpcrdma_chunk *chunk)
{
	return sizeof(__be32) + chunk->nsegs * RPCRDMA_WIRE_SEG_SIZE;
}

static size_t rpcrdma_v1_size(const struct rpcrdma_msg *msg)
{
	size_t size = RPCRDMA_V1_HDR_MIN;
	unsigned int i;

	if (msg->type == RPCRDMA_ERROR)
		return msg->err == RPCRDMA_ERR_VERS ?
			RPCRDMA_V1_ERR_VERS_SIZE : RPCRDMA_V1_ERR_CHUNK_SIZE;

	size += msg->reads.nsegs * RPCRDMA_WIRE_READ_ENTRY_SIZE;
	for (i = 0; i < msg->nwrites; i++)
		size += sizeof(__be32) + rpcrdma_v1_size_array(&msg->writes[i]);
	if (msg->has_reply)
		size += rpcrdma_v1_size_array(&msg->reply);
	return size;
}

static __be32 *rpcrdma_v1_encode_segment(__be32 *p,
					 const struct rpcrdma_segment *seg)
{
	*p++ = cpu_to_be32(seg->handle);
	*p++ = cpu_to_be32(seg->length);
	return xdr_encode_hyper(p, seg->offset);
}

static __be32 *rpcrdma_v1_encode_array(__be32 *p, const struct rpcrdma_msg *msg,
				       const struct rpcrdma_chunk *chunk)
{
	const struct rpcrdma_segment *seg = msg->segs + chunk->first;
	unsigned int i;

	*p++ = xdr_one;
	*p++ = cpu_to_be32(chunk->nsegs);
	for (i = 0; i < chunk->nsegs; i++)
		p = rpcrdma_v1_encode_segment(p, seg++);
	return p;
}

static __be32 *rpcrdma_v1_encode_lists(__be32 *p, const struct rpcrdma_msg *msg)
{
	const struct rpcrdma_segment *seg = msg->segs + msg->reads.first;
	unsigned int i;

	for (i = 0; i < msg->reads.nsegs; i++) {
		*p++ = xdr_one;
		*p++ = cpu_to_be32(seg->position);
		p = rpcrdma_v1_encode_segment(p, seg++);
	}
	*p++ = xdr_zero;

	for (i = 0; i < msg->nwrites; i++)
		p = rpcrdma_v1_encode_array(p, msg, &msg->writes[i]);
	*p++ = xdr_zero;

	if (msg->has_reply)
		return rpcrdma_v1_encode_array(p, msg, &msg->reply);
	*p++ = xdr_zero;
	return p;
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
	/* An error repeats the version of the failed request (T-03) */
	*p++ = cpu_to_be32(error ? msg->vers : RPCRDMA_VERSION_ONE);
	*p++ = cpu_to_be32(msg->credits);
	*p++ = cpu_to_be32(rpcrdma_v1_proc(msg));
	p = error ? rpcrdma_v1_encode_error(p, msg) :
		    rpcrdma_v1_encode_lists(p, msg);

	msg->header_size = size;
	return size;
}

const struct rpcrdma_codec rpcrdma_codec_v1 = {
	.version	= RPCRDMA_VERSION_ONE,
	.decode		= rpcrdma_v1_decode,
	.encode		= rpcrdma_v1_encode,
	.size		= rpcrdma_v1_size,
};
EXPORT_SYMBOL_GPL(rpcrdma_codec_v1);
