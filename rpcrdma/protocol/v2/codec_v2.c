// SPDX-License-Identifier: GPL-2.0-only
/*
 * RPC-over-RDMA version 2 on the wire (draft-cel-nfsv4-rpcrdma-version-two-09),
 * with the readings of the requirements where the draft is open.
 *
 * A fifth word of flags follows the four fixed ones. One flag is defined: it
 * says in which direction the message goes, so nobody has to look into the
 * payload for that (V2-HDR-12). Other flags are ignored (V2-HDR-06), unknown
 * properties are stepped over (props.c), unknown header types and error codes
 * are told apart from malformed ones (V2-MSG-02, V2-ERR-11): that is all that a
 * later extension needs.
 *
 * One message has no flags word: ERR_VERS is laid out as in version 1, because
 * it must be read by ends that do not know this version (V2-NEG-16). Pure.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sunrpc/xdr.h>
#include "../codec.h"

/* What each error code is in host form, and how many words follow it */
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

/* A code that is not known has no words that mean anything (V2-ERR-07) */
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
 * The layout of version 1 on a connection that runs version 2 says that it does
 * not run version 1 after all, or that another version was sent (V2-NEG-22). Its
 * length and its range tell it from READ_CHUNKS and the like.
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

/* "Telling the layouts apart", rows of a connection that runs version 2 */
static enum rpcrdma_reason rpcrdma_v2_decode_error(struct rpcrdma_msg *msg,
						   struct xdr_stream *xdr,
						   size_t len)
{
	__be32 *p;

	msg->type = RPCRDMA_ERROR;
	msg->dir = RPCRDMA_DIR_REPLY;
	if (len < RPCRDMA_V2_ERR_MIN)
		return RPCRDMA_R_ERR_BODY;
	p = xdr_inline_decode(xdr, sizeof(*p));
	if (!p)
		return RPCRDMA_R_ERR_BODY;
	if (rpcrdma_v2_is_short_err_vers(p, len))
		return rpcrdma_decode_err_vers(msg, xdr);
	if (!(be32_to_cpup(p) & RPCRDMA_WIRE_F_RESPONSE))
		return RPCRDMA_R_ERR_BODY;		/* V2-ERR-12 */
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
	/* In a Reply it means nothing (V2-CHK-08) */
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
		return RPCRDMA_R_SHORT;			/* V2-HDR-18 */
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
	return RPCRDMA_R_PROC;				/* V2-MSG-02, -10 */
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
	/* An error repeats the version of what it answers (V2-ERR-03) */
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
 * Where the peer can repair the message it is told how; the rest is BAD_XDR.
 * Limits are those of the decoder: P0 does not count as a Read chunk, but takes
 * the place of one (V2-ERC-13).
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
		err->err = RPCRDMA_ERR_READ_CHUNKS;	/* V2-ERC-10 */
		break;
	case RPCRDMA_R_TOO_MANY_CHUNKS:
		err->err = RPCRDMA_ERR_WRITE_CHUNKS;
		err->err_max = RPCRDMA_MAX_WRITE_CHUNKS;
		break;
	case RPCRDMA_R_TOO_MANY_SEGS:
		err->err = RPCRDMA_ERR_SEGMENTS;
		err->err_max = RPCRDMA_SEGS_PER_CHUNK_MIN;
		break;
	case RPCRDMA_R_WRITE_TOO_SMALL:
		err->err = RPCRDMA_ERR_WRITE_RESOURCE;
		break;
	case RPCRDMA_R_REPLY_TOO_BIG:
		err->err = RPCRDMA_ERR_REPLY_RESOURCE;
		break;
	case RPCRDMA_R_REVERSE_CHUNKS:			/* V2-BRS-10, -11 */
		err->err = bad->reads.nsegs ? RPCRDMA_ERR_READ_CHUNKS :
					      RPCRDMA_ERR_REPLY_RESOURCE;
		break;
	case RPCRDMA_R_NO_REVERSE:			/* V2-BRS-12 */
	case RPCRDMA_R_PROPERTIES_TWICE:		/* V2-CPR-14 */
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
