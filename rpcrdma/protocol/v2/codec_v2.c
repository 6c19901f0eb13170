// SPDX-License-Identifier: GPL-2.0-only
/*
 * RPC-over-RDMA version 2 on the wire (draft-cel-nfsv4-rpcrdma-version-two-09). Where
 * the draft is open, readings.txt in Documentation/conformance has our reading.
 *
 * A word of flags follows the four fixed words. The only flag defined states the
 * direction of the message, so the payload is not needed for that. Other flags are
 * ignored, unknown properties are skipped (props.c), and unknown header types and error
 * codes have reasons of their own: a later extension needs no more.
 *
 * One message has no flags word: ERR_VERS has the layout of version 1, because a peer
 * without version 2 must be able to decode it. Pure: no device, no lock.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sunrpc/xdr.h>
#include "../codec.h"

/* For each error code its host form, and how many words follow it */
static const struct rpcrdma_v2_error {
	enum rpcrdma_err_code	err;
	unsigned int		words;
} rpcrdma_v2_errors[] = {
	[RPCRDMA_WIRE_ERR2_VERS]	= { RPCRDMA_ERR_VERS, 2 },
	[RPCRDMA_WIRE_ERR2_BAD_XDR]	= { RPCRDMA_ERR_BAD_XDR, 0 },
	[RPCRDMA_WIRE_ERR2_INVAL_HTYPE]	= { RPCRDMA_ERR_HTYPE, 0 },
	[RPCRDMA_WIRE_ERR2_READ_CHUNKS]	= { RPCRDMA_ERR_READ_CHUNKS, 1 },
	[RPCRDMA_WIRE_ERR2_WRITE_CHUNKS] = { RPCRDMA_ERR_WRITE_CHUNKS, 1 },
	[RPCRDMA_WIRE_ERR2_SEGMENTS]	= { RPCRDMA_ERR_SEGMENTS, 1 },
	[RPCRDMA_WIRE_ERR2_WRITE_RESOURCE] = { RPCRDMA_ERR_WRITE_RESOURCE, 2 },
	[RPCRDMA_WIRE_ERR2_REPLY_RESOURCE] = { RPCRDMA_ERR_REPLY_RESOURCE, 1 },
	[RPCRDMA_WIRE_ERR2_SYSTEM]	= { RPCRDMA_ERR_SYSTEM, 0 },
};

/* The words that follow an unknown code are ignored */
static struct rpcrdma_v2_error rpcrdma_v2_error(u32 code)
{
	if (code < ARRAY_SIZE(rpcrdma_v2_errors) &&
	    rpcrdma_v2_errors[code].err != RPCRDMA_ERR_NONE)
		return rpcrdma_v2_errors[code];
	return (struct rpcrdma_v2_error) { RPCRDMA_ERR_UNKNOWN, 0 };
}

static u32 rpcrdma_v2_error_code(enum rpcrdma_err_code err)
{
	u32 code;

	for (code = 1; code < ARRAY_SIZE(rpcrdma_v2_errors); code++)
		if (rpcrdma_v2_errors[code].err == err)
			return code;
	return RPCRDMA_WIRE_ERR2_SYSTEM;
}

/*
 * ERR_VERS in the layout of version 1, on a connection that runs version 2: the peer
 * does not accept version 2 after all, or got a message in another version. The length
 * and the range of versions tell it from READ_CHUNKS and the like.
 */
static bool rpcrdma_v2_is_short_err_vers(const __be32 *p, size_t len)
{
	return len == RPCRDMA_V1_ERR_VERS_SIZE &&
	       p[0] == cpu_to_be32(RPCRDMA_WIRE_ERR_VERS) &&
	       p[1] == xdr_one && p[2] == xdr_one;
}

static enum rpcrdma_reason rpcrdma_v2_decode_arm(struct rpcrdma_msg *msg,
						 struct xdr_stream *xdr,
						 u32 code)
{
	struct rpcrdma_v2_error error = rpcrdma_v2_error(code);
	__be32 *p = xdr_inline_decode(xdr, error.words * sizeof(*p));

	if (!p)
		return RPCRDMA_R_ERR_BODY;
	switch (error.err) {
	case RPCRDMA_ERR_VERS:
		msg->vers_low = be32_to_cpup(p);
		msg->vers_high = be32_to_cpup(p + 1);
		break;
	case RPCRDMA_ERR_READ_CHUNKS:
	case RPCRDMA_ERR_WRITE_CHUNKS:
	case RPCRDMA_ERR_SEGMENTS:
		msg->err_max = be32_to_cpup(p);
		break;
	case RPCRDMA_ERR_WRITE_RESOURCE:
		msg->err_index = be32_to_cpup(p);
		msg->err_length = be32_to_cpup(p + 1);
		break;
	case RPCRDMA_ERR_REPLY_RESOURCE:
		msg->err_length = be32_to_cpup(p);
		break;
	default:
		break;
	}
	msg->err = error.err;
	msg->header_size = xdr_stream_pos(xdr);
	return RPCRDMA_OK;
}

static enum rpcrdma_reason rpcrdma_v2_decode_error(struct rpcrdma_msg *msg,
						   struct xdr_stream *xdr,
						   size_t len)
{
	__be32 *p;

	msg->type = RPCRDMA_ERROR;
	msg->dir = RPCRDMA_DIR_REPLY;
	p = xdr_inline_decode(xdr, sizeof(*p));
	if (!p)
		return RPCRDMA_R_ERR_BODY;
	if (rpcrdma_v2_is_short_err_vers(p, len))
		return rpcrdma_decode_err_vers(msg, xdr);
	if (!(be32_to_cpup(p) & RPCRDMA_WIRE_F_RESPONSE))
		return RPCRDMA_R_ERR_BODY;
	p = xdr_inline_decode(xdr, sizeof(*p));
	if (!p)
		return RPCRDMA_R_ERR_BODY;
	return rpcrdma_v2_decode_arm(msg, xdr, be32_to_cpup(p));
}

static enum rpcrdma_reason rpcrdma_v2_decode_call(struct rpcrdma_msg *msg,
						  struct xdr_stream *xdr,
						  enum rpcrdma_msg_type type)
{
	msg->type = type;
	if (xdr_stream_decode_u32(xdr, &msg->inv_handle))
		return RPCRDMA_R_LIST_CUT;
	/* Only a Call may name such a handle */
	if (msg->dir == RPCRDMA_DIR_REPLY)
		msg->inv_handle = 0;
	return rpcrdma_chunk_lists_decode(msg, xdr);
}

static enum rpcrdma_reason rpcrdma_v2_decode_connprop(struct rpcrdma_msg *msg,
						      struct xdr_stream *xdr)
{
	enum rpcrdma_reason reason;

	msg->type = RPCRDMA_CONNPROP;
	reason = rpcrdma_props_decode(&msg->props, xdr);
	if (!reason)
		msg->header_size = xdr_stream_pos(xdr);
	return reason;
}

static enum rpcrdma_reason rpcrdma_v2_decode(struct rpcrdma_msg *msg,
					     const void *buf, size_t len)
{
	enum rpcrdma_reason reason;
	struct xdr_stream xdr;
	struct xdr_buf xbuf;
	u32 htype, flags;

	rpcrdma_xdr_open(&xdr, &xbuf, buf, len);
	reason = rpcrdma_decode_fixed(msg, &xdr, &htype);
	if (unlikely(reason))
		return reason;
	if (htype == RPCRDMA_WIRE_ERROR)
		return rpcrdma_v2_decode_error(msg, &xdr, len);
	if (xdr_stream_decode_u32(&xdr, &flags))
		return RPCRDMA_R_SHORT;
	msg->dir = flags & RPCRDMA_WIRE_F_RESPONSE ? RPCRDMA_DIR_REPLY :
						     RPCRDMA_DIR_CALL;
	switch (htype) {
	case RPCRDMA_WIRE_MSG:
		return rpcrdma_v2_decode_call(msg, &xdr, RPCRDMA_MSG);
	case RPCRDMA_WIRE_NOMSG:
		return rpcrdma_v2_decode_call(msg, &xdr, RPCRDMA_NOMSG);
	case RPCRDMA_WIRE_CONNPROP:
		return rpcrdma_v2_decode_connprop(msg, &xdr);
	}
	return RPCRDMA_R_PROC;
}

static size_t rpcrdma_v2_size(const struct rpcrdma_msg *msg)
{
	u32 code;

	switch (msg->type) {
	case RPCRDMA_ERROR:
		if (msg->err == RPCRDMA_ERR_VERS)
			return RPCRDMA_V1_ERR_VERS_SIZE;
		code = rpcrdma_v2_error_code(msg->err);
		return RPCRDMA_V2_ERR_MIN +
		       rpcrdma_v2_error(code).words * sizeof(__be32);
	case RPCRDMA_CONNPROP:
		return RPCRDMA_V2_PREFIX_SIZE + rpcrdma_props_size();
	default:
		return RPCRDMA_V2_PREFIX_SIZE + sizeof(__be32) +
		       rpcrdma_chunk_lists_size(msg);
	}
}

static __be32 *rpcrdma_v2_encode_error(__be32 *p, const struct rpcrdma_msg *msg)
{
	*p++ = cpu_to_be32(rpcrdma_v2_error_code(msg->err));
	switch (msg->err) {
	case RPCRDMA_ERR_READ_CHUNKS:
	case RPCRDMA_ERR_WRITE_CHUNKS:
	case RPCRDMA_ERR_SEGMENTS:
		*p++ = cpu_to_be32(msg->err_max);
		break;
	case RPCRDMA_ERR_WRITE_RESOURCE:
		*p++ = cpu_to_be32(msg->err_index);
		*p++ = cpu_to_be32(msg->err_length);
		break;
	case RPCRDMA_ERR_REPLY_RESOURCE:
		*p++ = cpu_to_be32(msg->err_length);
		break;
	case RPCRDMA_ERR_VERS:
		*p++ = cpu_to_be32(msg->vers_low);
		*p++ = cpu_to_be32(msg->vers_high);
		break;
	default:
		break;
	}
	return p;
}

static u32 rpcrdma_v2_htype(const struct rpcrdma_msg *msg)
{
	switch (msg->type) {
	case RPCRDMA_NOMSG:
		return RPCRDMA_WIRE_NOMSG;
	case RPCRDMA_ERROR:
		return RPCRDMA_WIRE_ERROR;
	case RPCRDMA_CONNPROP:
		return RPCRDMA_WIRE_CONNPROP;
	default:
		return RPCRDMA_WIRE_MSG;
	}
}

static int rpcrdma_v2_encode(struct rpcrdma_msg *msg, void *buf, size_t len)
{
	size_t size = rpcrdma_v2_size(msg);
	bool reply = msg->dir == RPCRDMA_DIR_REPLY;
	bool error = msg->type == RPCRDMA_ERROR;
	__be32 *p = buf;

	if (size > len)
		return -EMSGSIZE;

	*p++ = msg->xid;
	/* An error repeats the version of the message that it answers */
	*p++ = cpu_to_be32(error ? msg->vers : RPCRDMA_VERSION_TWO);
	*p++ = cpu_to_be32(msg->credits);
	*p++ = cpu_to_be32(rpcrdma_v2_htype(msg));
	if (!error || msg->err != RPCRDMA_ERR_VERS)
		*p++ = cpu_to_be32(reply || error ? RPCRDMA_WIRE_F_RESPONSE : 0);

	switch (msg->type) {
	case RPCRDMA_ERROR:
		rpcrdma_v2_encode_error(p, msg);
		break;
	case RPCRDMA_CONNPROP:
		rpcrdma_props_encode(p, &msg->props);
		break;
	default:
		*p++ = cpu_to_be32(reply ? 0 : msg->inv_handle);
		rpcrdma_chunk_lists_encode(p, msg);
		break;
	}
	msg->header_size = size;
	return size;
}

/*
 * An error that the peer can correct by sending another message has a code of its own
 * and states our limit; all others are BAD_XDR. The limits are those of the decoder.
 * A Position Zero chunk does not count as a Read chunk, but takes the place of one.
 */
static void rpcrdma_v2_refuse(struct rpcrdma_msg *err,
			      const struct rpcrdma_msg *bad,
			      enum rpcrdma_reason reason)
{
	switch (reason) {
	case RPCRDMA_R_PROC:
		err->err = RPCRDMA_ERR_HTYPE;
		break;
	case RPCRDMA_R_TOO_MANY_READS:
		err->err = RPCRDMA_ERR_READ_CHUNKS;
		err->err_max = RPCRDMA_MAX_READ_CHUNKS;
		if (bad->type == RPCRDMA_NOMSG)
			err->err_max--;
		break;
	case RPCRDMA_R_REDUCED:
	case RPCRDMA_R_NOT_ELIGIBLE:
		/* Maximum 0: no Read chunk is accepted in such a Call (5.3.3) */
		err->err = RPCRDMA_ERR_READ_CHUNKS;
		break;
	case RPCRDMA_R_TOO_MANY_CHUNKS:
		err->err = RPCRDMA_ERR_WRITE_CHUNKS;
		err->err_max = RPCRDMA_MAX_WRITE_CHUNKS;
		break;
	case RPCRDMA_R_TOO_MANY_SEGS:
		err->err = RPCRDMA_ERR_SEGMENTS;
		err->err_max = RPCRDMA_SEGS_EVERY_PEER_TAKES;
		break;
	case RPCRDMA_R_WRITE_TOO_SMALL:
		err->err = RPCRDMA_ERR_WRITE_RESOURCE;
		break;
	case RPCRDMA_R_REPLY_TOO_BIG:
		err->err = RPCRDMA_ERR_REPLY_RESOURCE;
		break;
	case RPCRDMA_R_REVERSE_CHUNKS:
		err->err = bad->reads.nsegs ? RPCRDMA_ERR_READ_CHUNKS :
					      RPCRDMA_ERR_REPLY_RESOURCE;
		break;
	case RPCRDMA_R_NO_REVERSE:
	case RPCRDMA_R_PROPERTIES_TWICE:
	case RPCRDMA_R_REPLY_BROKEN:
		err->err = RPCRDMA_ERR_SYSTEM;
		break;
	default:
		err->err = RPCRDMA_ERR_BAD_XDR;
		break;
	}
}

const struct rpcrdma_codec rpcrdma_codec_v2 = {
	.version	= RPCRDMA_VERSION_TWO,
	.properties	= true,
	.decode		= rpcrdma_v2_decode,
	.encode		= rpcrdma_v2_encode,
	.size		= rpcrdma_v2_size,
	.refuse		= rpcrdma_v2_refuse,
};
EXPORT_SYMBOL_GPL(rpcrdma_codec_v2);
