// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read list, Write list and Reply chunk as XDR. Versions 1 and 2 code them alike
 * (RFC 8166 4.3), so both codecs use this.
 *
 * The decoder gets bytes that a hostile peer may have made. It never reads past the
 * buffer (xdr_stream checks that), compares each count with the bytes that are left,
 * and stops at the local limits. What it accepts is well-formed: booleans are 0 or 1,
 * Positions are multiples of four, and no segment wraps around the address space.
 * Segments of length 0 are legal. check.c has the checks that depend on the direction
 * of the message. Pure: no device, no lock.
 */
#include <linux/align.h>
#include <linux/overflow.h>
#include <linux/sunrpc/xdr.h>
#include "codec.h"

static enum rpcrdma_reason rpcrdma_list_bool(struct xdr_stream *xdr,
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
rpcrdma_list_segment(struct rpcrdma_msg *msg, struct rpcrdma_chunk *chunk,
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

static enum rpcrdma_reason rpcrdma_list_reads(struct rpcrdma_msg *msg,
					      struct xdr_stream *xdr)
{
	enum rpcrdma_reason reason;
	bool present;
	u32 position;
	__be32 *p;

	for (;;) {
		reason = rpcrdma_list_bool(xdr, &present);
		if (reason || !present)
			return reason;

		p = xdr_inline_decode(xdr, sizeof(*p) + RPCRDMA_WIRE_SEG_SIZE);
		if (unlikely(!p))
			return RPCRDMA_R_LIST_CUT;
		position = be32_to_cpup(p);
		if (unlikely(!IS_ALIGNED(position, XDR_UNIT)))
			return RPCRDMA_R_POSITION_ALIGN;
		reason = rpcrdma_list_segment(msg, &msg->reads, position,
					      p + 1);
		if (unlikely(reason))
			return reason;
	}
}

/* A counted array of plain segments: a Write chunk or a Reply chunk */
static enum rpcrdma_reason
rpcrdma_list_array(struct rpcrdma_msg *msg, struct xdr_stream *xdr,
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
		reason = rpcrdma_list_segment(msg, chunk, 0, p);
		if (unlikely(reason))
			return reason;
	}
	return RPCRDMA_OK;
}

static enum rpcrdma_reason rpcrdma_list_writes(struct rpcrdma_msg *msg,
					       struct xdr_stream *xdr)
{
	struct rpcrdma_chunk *chunk;
	enum rpcrdma_reason reason;
	bool present;

	for (;;) {
		reason = rpcrdma_list_bool(xdr, &present);
		if (reason || !present)
			return reason;
		if (unlikely(rpcrdma_msg_add_write(msg, &chunk)))
			return RPCRDMA_R_TOO_MANY_CHUNKS;
		reason = rpcrdma_list_array(msg, xdr, chunk);
		if (unlikely(reason))
			return reason;
	}
}

static enum rpcrdma_reason rpcrdma_list_reply(struct rpcrdma_msg *msg,
					      struct xdr_stream *xdr)
{
	enum rpcrdma_reason reason;

	reason = rpcrdma_list_bool(xdr, &msg->has_reply);
	if (reason || !msg->has_reply)
		return reason;
	return rpcrdma_list_array(msg, xdr, &msg->reply);
}

/**
 * rpcrdma_chunk_lists_decode - read the three chunk lists
 * @msg: message with empty lists; they are filled, or stay empty after a refusal
 * @xdr: stream at the Read list; moves past the Reply chunk
 *
 * Context: any.
 * Return: RPCRDMA_OK, and @msg->header_size is the offset of the end of the lists; or
 * the reason to refuse the message.
 */
enum rpcrdma_reason rpcrdma_chunk_lists_decode(struct rpcrdma_msg *msg,
					       struct xdr_stream *xdr)
{
	enum rpcrdma_reason reason;

	reason = rpcrdma_list_reads(msg, xdr);
	if (likely(!reason))
		reason = rpcrdma_list_writes(msg, xdr);
	if (likely(!reason))
		reason = rpcrdma_list_reply(msg, xdr);
	if (unlikely(reason)) {
		rpcrdma_msg_drop_lists(msg);
		return reason;
	}
	msg->header_size = xdr_stream_pos(xdr);
	return RPCRDMA_OK;
}

static size_t rpcrdma_list_array_size(const struct rpcrdma_chunk *chunk)
{
	return sizeof(__be32) + chunk->nsegs * RPCRDMA_WIRE_SEG_SIZE;
}

/**
 * rpcrdma_chunk_lists_size - bytes that the three chunk lists take
 * @msg: message
 *
 * Context: any.
 * Return: bytes; RPCRDMA_WIRE_LISTS_MIN if all of them are empty.
 */
size_t rpcrdma_chunk_lists_size(const struct rpcrdma_msg *msg)
{
	size_t size = RPCRDMA_WIRE_LISTS_MIN;
	unsigned int i;

	size += msg->reads.nsegs * RPCRDMA_WIRE_READ_ENTRY_SIZE;
	for (i = 0; i < msg->nwrites; i++)
		size += sizeof(__be32) + rpcrdma_list_array_size(&msg->writes[i]);
	if (msg->has_reply)
		size += rpcrdma_list_array_size(&msg->reply);
	return size;
}

static __be32 *rpcrdma_list_put_segment(__be32 *p,
					const struct rpcrdma_segment *seg)
{
	*p++ = cpu_to_be32(seg->handle);
	*p++ = cpu_to_be32(seg->length);
	return xdr_encode_hyper(p, seg->offset);
}

static __be32 *rpcrdma_list_put_array(__be32 *p, const struct rpcrdma_msg *msg,
				      const struct rpcrdma_chunk *chunk)
{
	const struct rpcrdma_segment *seg = msg->segs + chunk->first;
	unsigned int i;

	*p++ = xdr_one;
	*p++ = cpu_to_be32(chunk->nsegs);
	for (i = 0; i < chunk->nsegs; i++)
		p = rpcrdma_list_put_segment(p, seg++);
	return p;
}

/**
 * rpcrdma_chunk_lists_encode - write the three chunk lists
 * @p: where to write; rpcrdma_chunk_lists_size() bytes are free there
 * @msg: message
 *
 * Context: any.
 * Return: the word after the lists.
 */
__be32 *rpcrdma_chunk_lists_encode(__be32 *p, const struct rpcrdma_msg *msg)
{
	const struct rpcrdma_segment *seg = msg->segs + msg->reads.first;
	unsigned int i;

	for (i = 0; i < msg->reads.nsegs; i++) {
		*p++ = xdr_one;
		*p++ = cpu_to_be32(seg->position);
		p = rpcrdma_list_put_segment(p, seg++);
	}
	*p++ = xdr_zero;

	for (i = 0; i < msg->nwrites; i++)
		p = rpcrdma_list_put_array(p, msg, &msg->writes[i]);
	*p++ = xdr_zero;

	if (msg->has_reply)
		return rpcrdma_list_put_array(p, msg, &msg->reply);
	*p++ = xdr_zero;
	return p;
}
