// SPDX-License-Identifier: GPL-2.0-only
/*
 * Selects the codec that decodes a message, and decodes what needs no codec.
 *
 * Every message of every version begins with the same four words, and all versions
 * code RDMA_ERROR with ERR_VERS alike (RFC 8166 4.1.2 and 7). So these are decoded
 * here. RDMA_ERROR is looked for before the version is checked: its version word is
 * that of the request that failed, and a side that answered it with ERR_VERS could
 * start a loop. Of a message in another version only the four words are used.
 *
 * A decoder keeps no pointer into the buffer. If it refuses a message, the lists in
 * the message struct are empty. Pure: no device, no lock.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "codec.h"

/* Ascending by version; ends with NULL */
const struct rpcrdma_codec *const rpcrdma_codecs[] = {
	&rpcrdma_codec_v1,
	&rpcrdma_codec_v2,
	NULL,
};

/**
 * rpcrdma_codec_find - codec of a protocol version
 * @version: value of the version word
 *
 * Context: any.
 * Return: the codec, or NULL if there is none.
 */
const struct rpcrdma_codec *rpcrdma_codec_find(u32 version)
{
	const struct rpcrdma_codec *const *codec;

	for (codec = rpcrdma_codecs; *codec; codec++)
		if ((*codec)->version == version)
			return *codec;
	return NULL;
}
EXPORT_SYMBOL_GPL(rpcrdma_codec_find);

/**
 * rpcrdma_codec_least - size of a header without chunks
 * @codec: codec
 *
 * Context: any.
 * Return: bytes.
 */
size_t rpcrdma_codec_least(const struct rpcrdma_codec *codec)
{
	const struct rpcrdma_msg msg = { .type = RPCRDMA_MSG };

	return codec->size(&msg);
}
EXPORT_SYMBOL_GPL(rpcrdma_codec_least);

/**
 * rpcrdma_versions - range of versions for an ERR_VERS (RFC 8166 4.5.1)
 * @versions: set of versions that a connection accepts, not empty
 * @low: lowest of them
 * @high: highest of them
 *
 * Context: any.
 */
void rpcrdma_versions(unsigned long versions, u32 *low, u32 *high)
{
	*low = __ffs(versions);
	*high = __fls(versions);
}
EXPORT_SYMBOL_GPL(rpcrdma_versions);

/**
 * rpcrdma_xdr_open - begin to decode a flat buffer
 * @xdr: stream to set up
 * @xbuf: what the stream reads from; lives as long as @xdr
 * @buf: bytes, only read
 * @len: number of bytes
 *
 * Context: any.
 */
void rpcrdma_xdr_open(struct xdr_stream *xdr, struct xdr_buf *xbuf,
		      const void *buf, size_t len)
{
	/* xdr_buf has 32-bit lengths; no message is that long */
	len = min_t(size_t, len, INT_MAX);
	memset(xbuf, 0, sizeof(*xbuf));
	xbuf->head[0].iov_base = (void *)buf;
	xbuf->head[0].iov_len = len;
	xbuf->len = len;
	xbuf->buflen = len;
	xdr_init_decode(xdr, xbuf, NULL, NULL);
}

/**
 * rpcrdma_msg_drop_lists - empty the lists of a message that is refused
 * @msg: message
 *
 * Context: any.
 */
void rpcrdma_msg_drop_lists(struct rpcrdma_msg *msg)
{
	msg->has_reply = false;
	msg->nwrites = 0;
	msg->nsegs = 0;
	memset(&msg->reads, 0, sizeof(msg->reads));
	memset(&msg->reply, 0, sizeof(msg->reply));
	memset(msg->writes, 0, sizeof(msg->writes));
}

static void rpcrdma_msg_reset(struct rpcrdma_msg *msg)
{
	rpcrdma_msg_init(msg, msg->segs, msg->max_segs);
}

/**
 * rpcrdma_decode_fixed - decode the four words that every message begins with
 * @msg: message; emptied, then @msg->xid, @msg->vers and @msg->credits are set
 * @xdr: stream at the start of the message; moves past the words
 * @proc: value of the procedure word
 *
 * Context: any.
 * Return: RPCRDMA_OK, or RPCRDMA_R_SHORT.
 */
enum rpcrdma_reason rpcrdma_decode_fixed(struct rpcrdma_msg *msg,
					 struct xdr_stream *xdr, u32 *proc)
{
	__be32 *p;

	rpcrdma_msg_reset(msg);
	p = xdr_inline_decode(xdr, RPCRDMA_FIXED_SIZE);
	if (unlikely(!p))
		return RPCRDMA_R_SHORT;
	msg->xid = p[RPCRDMA_WORD_XID];
	msg->vers = be32_to_cpup(p + RPCRDMA_WORD_VERS);
	msg->credits = be32_to_cpup(p + RPCRDMA_WORD_CREDIT);
	*proc = be32_to_cpup(p + RPCRDMA_WORD_PROC);
	return RPCRDMA_OK;
}

/**
 * rpcrdma_decode_err_vers - decode what follows the error word of an ERR_VERS
 * @msg: message; on success its error and its range of versions are set
 * @xdr: stream after the error word
 *
 * Context: any.
 * Return: RPCRDMA_OK, or RPCRDMA_R_ERR_BODY.
 */
enum rpcrdma_reason rpcrdma_decode_err_vers(struct rpcrdma_msg *msg,
					    struct xdr_stream *xdr)
{
	__be32 *p;

	p = xdr_inline_decode(xdr, 2 * sizeof(*p));
	if (unlikely(!p))
		return RPCRDMA_R_ERR_BODY;
	msg->err = RPCRDMA_ERR_VERS;
	msg->vers_low = be32_to_cpup(p);
	msg->vers_high = be32_to_cpup(p + 1);
	msg->header_size = RPCRDMA_V1_ERR_VERS_SIZE;
	return RPCRDMA_OK;
}

/*
 * An RDMA_ERROR in a version that has no codec. It can only be ERR_VERS: ERR_CHUNK
 * is for versions that both sides know (RFC 8166 4.5.2).
 */
static enum rpcrdma_reason
rpcrdma_decode_foreign_error(struct rpcrdma_msg *msg, struct xdr_stream *xdr)
{
	__be32 *p;

	msg->type = RPCRDMA_ERROR;
	p = xdr_inline_decode(xdr, sizeof(*p));
	if (!p || be32_to_cpup(p) != RPCRDMA_WIRE_ERR_VERS)
		return RPCRDMA_R_ERR_BODY;
	return rpcrdma_decode_err_vers(msg, xdr);
}

/*
 * The codec that decodes a message, or NULL. If version 1 is not accepted, errors with
 * any version word go to the codec of the version that is: a server may answer the
 * opening Call with an error of version 1.
 */
static const struct rpcrdma_codec *
rpcrdma_codec_for(unsigned long versions, const __be32 *words)
{
	u32 vers = be32_to_cpu(words[RPCRDMA_WORD_VERS]);

	if (vers < BITS_PER_LONG && versions & BIT(vers))
		return rpcrdma_codec_find(vers);
	if (words[RPCRDMA_WORD_PROC] == cpu_to_be32(RPCRDMA_WIRE_ERROR) &&
	    !(versions & RPCRDMA_VERSIONS_1))
		return rpcrdma_codec_find(__ffs(versions));
	return NULL;
}

/**
 * rpcrdma_msg_decode - parse a received message
 * @msg: result. The caller has set @msg->segs and @msg->max_segs; everything
 *	else is overwritten
 * @versions: set of versions that are accepted on this connection, not empty; a
 *	single one once the version is settled
 * @buf: message, only read, 4-byte aligned; not trusted
 * @len: bytes received
 *
 * After a refusal only @msg->xid, @msg->vers and @msg->credits are valid, and these
 * only if @len is at least RPCRDMA_FIXED_SIZE. @msg->type is valid too after
 * RPCRDMA_R_ERR_BODY, so that the caller can see an RDMA_ERROR, which must not be
 * answered; so is @msg->dir in version 2, so that no Reply is answered.
 *
 * Context: any.
 * Return: RPCRDMA_OK; RPCRDMA_R_VERS if the version is not accepted; or the reason
 * that the codec returns.
 */
enum rpcrdma_reason rpcrdma_msg_decode(struct rpcrdma_msg *msg,
				       unsigned long versions,
				       const void *buf, size_t len)
{
	const struct rpcrdma_codec *codec;
	enum rpcrdma_reason reason;
	struct xdr_stream xdr;
	struct xdr_buf xbuf;
	u32 proc;

	/* The common case: the codec decodes the fixed words too */
	if (len >= RPCRDMA_FIXED_SIZE) {
		codec = rpcrdma_codec_for(versions, buf);
		if (likely(codec))
			return codec->decode(msg, buf, len);
	}

	rpcrdma_xdr_open(&xdr, &xbuf, buf, len);
	reason = rpcrdma_decode_fixed(msg, &xdr, &proc);
	if (reason)
		return reason;
	if (proc == RPCRDMA_WIRE_ERROR)
		return rpcrdma_decode_foreign_error(msg, &xdr);
	if (len < RPCRDMA_V1_HDR_MIN)
		return RPCRDMA_R_SHORT;
	return RPCRDMA_R_VERS;
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_decode);

/* The answer to an unknown version is ERR_VERS, which all codecs encode alike */
static const struct rpcrdma_codec *rpcrdma_codec_answering(u32 version)
{
	return rpcrdma_codec_find(version) ?: &rpcrdma_codec_v1;
}

/**
 * rpcrdma_msg_refuse - make the RDMA_ERROR that answers a message
 * @err: result. The caller sets its credits, and the index and the length of an error
 *	about resources
 * @bad: the message, decoded, or refused by the decoder; its fixed words are valid
 * @versions: set of versions that are accepted on this connection
 * @reason: why @bad is refused
 *
 * Context: any.
 */
void rpcrdma_msg_refuse(struct rpcrdma_msg *err, const struct rpcrdma_msg *bad,
			unsigned long versions, enum rpcrdma_reason reason)
{
	rpcrdma_msg_init(err, NULL, 0);
	err->xid = bad->xid;
	err->vers = bad->vers;
	err->type = RPCRDMA_ERROR;
	err->dir = RPCRDMA_DIR_REPLY;
	if (reason == RPCRDMA_R_VERS) {
		err->err = RPCRDMA_ERR_VERS;
		rpcrdma_versions(versions, &err->vers_low, &err->vers_high);
	} else {
		rpcrdma_codec_answering(bad->vers)->refuse(err, bad, reason);
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_refuse);

/**
 * rpcrdma_error_encode - encode an RDMA_ERROR
 * @err: from rpcrdma_msg_refuse(), with credits
 * @buf: buffer for it
 * @len: size of @buf, bytes
 *
 * Context: any.
 * Return: bytes written, or -EMSGSIZE.
 */
int rpcrdma_error_encode(struct rpcrdma_msg *err, void *buf, size_t len)
{
	return rpcrdma_codec_answering(err->vers)->encode(err, buf, len);
}
EXPORT_SYMBOL_GPL(rpcrdma_error_encode);
