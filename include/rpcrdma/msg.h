/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One transport message, of any protocol version.
 *
 * A codec decodes wire bytes into a struct rpcrdma_msg, and encodes one. The code above
 * the codec uses this struct only.
 *
 * A file whose head says "Pure" uses no device and no lock, and does not sleep: plain
 * data in, plain data out. So KUnit can test it without a device. The folders called
 * protocol have only such files.
 *
 * An ID beside a section, as in RFC 8166 3.5.1 (V1-INL-10), is a row of
 * Documentation/conformance, which lists every requirement.
 */
#ifndef _RPCRDMA_MSG_H
#define _RPCRDMA_MSG_H

#include <linux/bits.h>
#include <linux/types.h>
#include <rpcrdma/reason.h>
#include <rpcrdma/v2/props.h>
#include <rpcrdma/wire.h>

/*
 * Local limits on the messages that we accept; the protocol has none. RFC 8267 6.4.2
 * requires at least a Position Zero chunk, one more Read chunk, one Write chunk,
 * and sixteen segments in each. A Reply chunk comes on top. RPCRDMA_MAX_SEGS is what
 * our client offers, in all lists together; the server takes more (SVCRDMA_SEGS_MAX).
 */
#define RPCRDMA_MAX_SEGS		128
#define RPCRDMA_MAX_READ_CHUNKS		16
#define RPCRDMA_MAX_WRITE_CHUNKS	16

/* Segments in one chunk that every peer must accept (RFC 8267 6.4.2) */
#define RPCRDMA_SEGS_EVERY_PEER_TAKES	16

/* Sets of protocol versions, a bit for each */
#define RPCRDMA_VERSIONS_1	BIT(RPCRDMA_VERSION_ONE)
#define RPCRDMA_VERSIONS_2	BIT(RPCRDMA_VERSION_TWO)
#define RPCRDMA_VERSIONS_BOTH	(RPCRDMA_VERSIONS_1 | RPCRDMA_VERSIONS_2)

/**
 * struct rpcrdma_segment - a plain or read segment (RFC 8166 3.4.3)
 * @offset:   remote address, as the requester has chosen it
 * @handle:   steering tag (R_key)
 * @length:   bytes
 * @position: XDR Position in bytes; read segments only, otherwise 0
 */
struct rpcrdma_segment {
	u64	offset;
	u32	handle;
	u32	length;
	u32	position;
};

/**
 * struct rpcrdma_chunk - a range of segments in rpcrdma_msg.segs
 * @first: index of its first segment
 * @nsegs: number of segments; 0 is an "empty" chunk
 */
struct rpcrdma_chunk {
	u16	first;
	u16	nsegs;
};

enum rpcrdma_msg_type {
	RPCRDMA_MSG,		/* payload inline behind the header */
	RPCRDMA_NOMSG,		/* payload in a chunk */
	RPCRDMA_ERROR,
	RPCRDMA_CONNPROP,	/* version 2: properties of the sender */
};

enum rpcrdma_err_code {
	RPCRDMA_ERR_NONE,
	RPCRDMA_ERR_VERS,		/* @vers_low and @vers_high are valid */
	RPCRDMA_ERR_CHUNK,		/* version 1: all other errors */

	/* Version 2 (rpcrdma-version-two-09 5.3.3) */
	RPCRDMA_ERR_BAD_XDR,
	RPCRDMA_ERR_HTYPE,
	RPCRDMA_ERR_READ_CHUNKS,	/* @err_max is valid */
	RPCRDMA_ERR_WRITE_CHUNKS,	/* @err_max is valid */
	RPCRDMA_ERR_SEGMENTS,		/* @err_max is valid */
	RPCRDMA_ERR_WRITE_RESOURCE,	/* @err_index and @err_length are valid */
	RPCRDMA_ERR_REPLY_RESOURCE,	/* @err_length is valid */
	RPCRDMA_ERR_SYSTEM,
	RPCRDMA_ERR_UNKNOWN,		/* any other code */
};

/* Direction of the RPC message inside */
enum rpcrdma_direction {
	RPCRDMA_DIR_UNKNOWN,
	RPCRDMA_DIR_CALL,
	RPCRDMA_DIR_REPLY,
};

/**
 * struct rpcrdma_msg - transport header in host form
 * @xid:         of the RPC, big-endian as sunrpc keeps it
 * @vers:        protocol version; in an RDMA_ERROR that of the failed request
 * @credits:     requested or granted
 * @type:        form of the message
 * @dir:         direction that the header states. A version 1 header has none: its
 *               decoder sets RPCRDMA_DIR_UNKNOWN, its encoder ignores it
 * @inv_handle:  version 2: handle of a Call that its Reply may invalidate, or 0
 * @props:       with RPCRDMA_CONNPROP: properties of the sender
 * @err:         what an RDMA_ERROR reports
 * @vers_low:    with RPCRDMA_ERR_VERS: lowest version of the sender
 * @vers_high:   with RPCRDMA_ERR_VERS: highest version of the sender
 * @err_max:     most chunks, or most segments in a chunk, that the sender accepts
 * @err_index:   Write chunk that is too small, counted from 1; 0: not known
 * @err_length:  bytes that the chunk must be able to hold; 0: not known
 * @has_reply:   a Reply chunk is present (it may be empty)
 * @nwrites:     number of Write chunks
 * @reads:       the flat Read list, in wire order
 * @reply:       the Reply chunk
 * @writes:      the Write list
 * @max_segs:    number of entries in @segs
 * @nsegs:       number of entries used
 * @segs:        all segments; the caller owns the memory
 * @header_size: bytes of the encoded header; set by a codec. The inline
 *               payload starts here
 */
struct rpcrdma_msg {
	__be32			xid;
	u32			vers;
	u32			credits;
	enum rpcrdma_msg_type	type;
	enum rpcrdma_direction	dir;
	u32			inv_handle;
	struct rpcrdma_props	props;
	enum rpcrdma_err_code	err;
	u32			vers_low;
	u32			vers_high;
	u32			err_max;
	u32			err_index;
	u32			err_length;
	bool			has_reply;
	u16			nwrites;
	struct rpcrdma_chunk	reads;
	struct rpcrdma_chunk	reply;
	struct rpcrdma_chunk	writes[RPCRDMA_MAX_WRITE_CHUNKS];
	u16			max_segs;
	u16			nsegs;
	struct rpcrdma_segment	*segs;
	u32			header_size;
};

/**
 * struct rpcrdma_codec - one protocol version
 * @version: value of the version word
 * @properties: both sides send their transport properties, and a Call names the
 *           handle that its Reply may invalidate
 * @decode:  check and decode @len bytes at @buf into @msg; returns RPCRDMA_OK or the
 *           reason to refuse them. The caller has set @msg->segs and @msg->max_segs.
 *           The fixed words of @msg are valid whenever @len >= 16
 * @encode:  encode the header of @msg at @buf, at most @len bytes; returns its size,
 *           or -EMSGSIZE
 * @size:    size in bytes that @encode needs
 * @refuse:  set in @err the error that answers the message @bad, which is refused for
 *           @reason. RPCRDMA_R_VERS does not come here: it is alike in all versions
 */
struct rpcrdma_codec {
	u32			version;
	bool			properties;
	enum rpcrdma_reason	(*decode)(struct rpcrdma_msg *msg,
					  const void *buf, size_t len);
	int			(*encode)(struct rpcrdma_msg *msg,
					  void *buf, size_t len);
	size_t			(*size)(const struct rpcrdma_msg *msg);
	void			(*refuse)(struct rpcrdma_msg *err,
					  const struct rpcrdma_msg *bad,
					  enum rpcrdma_reason reason);
};

/* protocol/codec.c */
extern const struct rpcrdma_codec *const rpcrdma_codecs[];

const struct rpcrdma_codec *rpcrdma_codec_find(u32 version);
size_t rpcrdma_codec_least(const struct rpcrdma_codec *codec);
void rpcrdma_versions(unsigned long versions, u32 *low, u32 *high);
enum rpcrdma_reason rpcrdma_msg_decode(struct rpcrdma_msg *msg,
				       unsigned long versions,
				       const void *buf, size_t len);
void rpcrdma_msg_refuse(struct rpcrdma_msg *err, const struct rpcrdma_msg *bad,
			unsigned long versions, enum rpcrdma_reason reason);
int rpcrdma_error_encode(struct rpcrdma_msg *err, void *buf, size_t len);

/* protocol/codec_v1.c */
extern const struct rpcrdma_codec rpcrdma_codec_v1;

/* protocol/v2/codec_v2.c */
extern const struct rpcrdma_codec rpcrdma_codec_v2;

/* protocol/chunk.c */
void rpcrdma_msg_init(struct rpcrdma_msg *msg, struct rpcrdma_segment *segs,
		      unsigned int max_segs);
u64 rpcrdma_chunk_length(const struct rpcrdma_msg *msg,
			 const struct rpcrdma_chunk *chunk);
int rpcrdma_msg_add_segment(struct rpcrdma_msg *msg,
			    struct rpcrdma_chunk *chunk, u32 position,
			    u32 handle, u32 length, u64 offset);
int rpcrdma_msg_add_write(struct rpcrdma_msg *msg, struct rpcrdma_chunk **chunk);
enum rpcrdma_reason rpcrdma_reads_sort(struct rpcrdma_msg *msg, u32 max_len,
				       struct rpcrdma_chunk *chunks,
				       unsigned int *nchunks);
u32 rpcrdma_msg_inv_handle(const struct rpcrdma_msg *msg);
bool rpcrdma_msg_has_handle(const struct rpcrdma_msg *msg, u32 handle);
void rpcrdma_chunk_returned(struct rpcrdma_msg *reply,
			    const struct rpcrdma_chunk *chunk, u64 length);

/* protocol/check.c */
enum rpcrdma_direction rpcrdma_payload_direction(const void *payload,
						 size_t payload_len);
enum rpcrdma_direction rpcrdma_msg_direction(const struct rpcrdma_msg *msg,
					     const void *payload,
					     size_t payload_len);
enum rpcrdma_reason rpcrdma_payload_check(__be32 xid, const void *payload,
					  size_t payload_len);
enum rpcrdma_reason rpcrdma_call_check(const struct rpcrdma_msg *msg,
				       const void *payload, size_t payload_len);
enum rpcrdma_reason rpcrdma_reply_check(const struct rpcrdma_msg *reply,
					const struct rpcrdma_msg *call);
bool rpcrdma_reply_exact(const struct rpcrdma_msg *reply,
			 const struct rpcrdma_msg *call);

#endif /* _RPCRDMA_MSG_H */
