// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chunk lists: building them, and the checks that a codec cannot make because
 * they depend on the direction of the message.
 *
 * All segments of a message lie in one array that the caller owns; a chunk is
 * a run of it. So a message needs no allocation, and each limit is one
 * comparison. Lengths are summed in 64 bits (T-34): 128 lengths of 32 bits
 * cannot overflow that.
 *
 * Checks come before use: a Call that rpcrdma_call_check() and
 * rpcrdma_reads_sort() let pass, and a Reply that rpcrdma_reply_check() lets
 * pass, may be trusted as far as their comments say. Pure.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sunrpc/msg_prot.h>
#include <asm/byteorder.h>
#include <rpcrdma/msg.h>

#define RPCRDMA_XDR_UNIT	4

/* What must be there of an RPC message: XID and msg_type (V1-HDR-20) */
#define RPCRDMA_RPC_WORDS	2
#define RPCRDMA_RPC_MIN		(RPCRDMA_RPC_WORDS * sizeof(__be32))

/**
 * rpcrdma_msg_init - make an empty message
 * @msg: message; everything is overwritten. It is an RDMA_MSG without lists
 * @segs: memory for segments; stays the caller's and outlives @msg
 * @max_segs: number of segments that fit into @segs, at most U16_MAX
 *
 * Context: any.
 */
void rpcrdma_msg_init(struct rpcrdma_msg *msg, struct rpcrdma_segment *segs,
		      unsigned int max_segs)
{
	memset(msg, 0, sizeof(*msg));
	msg->segs = segs;
	msg->max_segs = max_segs;
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_init);

/**
 * rpcrdma_chunk_length - bytes in a chunk (V1-CHK-04)
 * @msg: message
 * @chunk: chunk of @msg
 *
 * Context: any.
 * Return: the sum of the segment lengths; it may exceed 32 bits.
 */
u64 rpcrdma_chunk_length(const struct rpcrdma_msg *msg,
			 const struct rpcrdma_chunk *chunk)
{
	const struct rpcrdma_segment *seg = msg->segs + chunk->first;
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < chunk->nsegs; i++)
		sum += seg[i].length;
	return sum;
}
EXPORT_SYMBOL_GPL(rpcrdma_chunk_length);

/**
 * rpcrdma_msg_add_segment - append a segment to a chunk
 * @msg: message
 * @chunk: @msg->reads, @msg->reply or one of @msg->writes. Its segments are
 *	added one after another, with none of another chunk in between
 * @position: XDR Position in bytes in a Read list, otherwise 0
 * @handle: steering tag
 * @length: bytes
 * @offset: remote address
 *
 * Whoever builds a Reply chunk also sets @msg->has_reply.
 *
 * Context: any.
 * Return: 0; -EMSGSIZE if the message has no room for one more segment;
 * -EINVAL if @chunk is not the one added to last.
 */
int rpcrdma_msg_add_segment(struct rpcrdma_msg *msg,
			    struct rpcrdma_chunk *chunk, u32 position,
			    u32 handle, u32 length, u64 offset)
{
	if (msg->nsegs >= msg->max_segs)
		return -EMSGSIZE;
	if (!chunk->nsegs)
		chunk->first = msg->nsegs;
	else if (chunk->first + chunk->nsegs != msg->nsegs)
		return -EINVAL;

	msg->segs[msg->nsegs++] = (struct rpcrdma_segment) {
		.offset		= offset,
		.handle		= handle,
		.length		= length,
		.position	= position,
	};
	chunk->nsegs++;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_add_segment);

/**
 * rpcrdma_msg_add_write - append an empty chunk to the Write list
 * @msg: message
 * @chunk: the new chunk; lives in @msg
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE if the message has no room for one more chunk.
 */
int rpcrdma_msg_add_write(struct rpcrdma_msg *msg, struct rpcrdma_chunk **chunk)
{
	if (msg->nwrites >= RPCRDMA_MAX_WRITE_CHUNKS)
		return -EMSGSIZE;
	*chunk = &msg->writes[msg->nwrites++];
	(*chunk)->first = msg->nsegs;
	(*chunk)->nsegs = 0;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_add_write);

/* Insertion: stable, and one pass over a list that is in order (DR-03) */
static void rpcrdma_reads_order(struct rpcrdma_segment *segs,
				unsigned int nsegs)
{
	struct rpcrdma_segment seg;
	unsigned int i, j;

	for (i = 1; i < nsegs; i++) {
		seg = segs[i];
		for (j = i; j && segs[j - 1].position > seg.position; j--)
			segs[j] = segs[j - 1];
		segs[j] = seg;
	}
}

/* The Read list is in order: cut it where the Position changes (V1-RD-06) */
static enum rpcrdma_reason rpcrdma_reads_group(const struct rpcrdma_msg *msg,
					       struct rpcrdma_chunk *chunks,
					       unsigned int *nchunks)
{
	const struct rpcrdma_segment *seg = msg->segs + msg->reads.first;
	unsigned int i, n = 0;

	for (i = 0; i < msg->reads.nsegs; i++) {
		if (!i || seg[i].position != seg[i - 1].position) {
			if (n == RPCRDMA_MAX_READ_CHUNKS)
				return RPCRDMA_R_TOO_MANY_READS;
			chunks[n].first = msg->reads.first + i;
			chunks[n++].nsegs = 0;
		}
		chunks[n - 1].nsegs++;
	}
	*nchunks = n;
	return RPCRDMA_OK;
}

/* @next: first Position that the chunks before @chunk leave free */
static enum rpcrdma_reason rpcrdma_reads_place(const struct rpcrdma_msg *msg,
					       const struct rpcrdma_chunk *chunk,
					       u32 max_len, u64 *next,
					       u64 *total)
{
	u32 position = msg->segs[chunk->first].position;
	u64 length = rpcrdma_chunk_length(msg, chunk);

	if (!IS_ALIGNED(position, RPCRDMA_XDR_UNIT))
		return RPCRDMA_R_POSITION_ALIGN;
	if (position < *next || position > max_len)
		return RPCRDMA_R_POSITION_RANGE;

	/* P0 holds the stream into which the others are put (V1-PZ-07) */
	if (position) {
		length = ALIGN(length, RPCRDMA_XDR_UNIT);
		*next = position + length;
	}
	*total += length;
	if (*total > max_len)
		return RPCRDMA_R_CHUNK_LENGTH;
	return RPCRDMA_OK;
}

/**
 * rpcrdma_reads_sort - make chunks of a flat Read list
 * @msg: decoded Call. Its Read list is put in order of Position; segments of
 *	the same Position keep the order they came in (T-29, V1-RD-05)
 * @max_len: longest RPC message that is taken, bytes
 * @chunks: result, room for RPCRDMA_MAX_READ_CHUNKS; in order of Position, so
 *	that P0, if there is one, comes first. Undefined after a refusal
 * @nchunks: number of chunks; 0 after a refusal
 *
 * After success Positions are multiples of four (V1-RD-03); no two chunks
 * overlap, counting Positions in the unreduced stream (T-25) and allowing for
 * a pad that was left out (T-26); all chunks together, with their pads, have
 * at most @max_len bytes. Whether a Position lies past the end of the stream
 * shows only when the inline payload or P0 is there: that is for the caller.
 *
 * Context: any.
 * Return: RPCRDMA_OK, or the reason to answer ERR_CHUNK.
 */
enum rpcrdma_reason rpcrdma_reads_sort(struct rpcrdma_msg *msg, u32 max_len,
				       struct rpcrdma_chunk *chunks,
				       unsigned int *nchunks)
{
	enum rpcrdma_reason reason;
	u64 next = 0, total = 0;
	unsigned int i, n;

	*nchunks = 0;
	rpcrdma_reads_order(msg->segs + msg->reads.first, msg->reads.nsegs);
	reason = rpcrdma_reads_group(msg, chunks, &n);
	if (reason)
		return reason;
	for (i = 0; i < n; i++) {
		reason = rpcrdma_reads_place(msg, &chunks[i], max_len, &next,
					     &total);
		if (reason)
			return reason;
	}
	*nchunks = n;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_reads_sort);

/**
 * rpcrdma_payload_direction - what does an RPC message say that it is?
 * @payload: RPC message, 4-byte aligned
 * @payload_len: bytes
 *
 * Context: any.
 * Return: the direction; RPCRDMA_DIR_UNKNOWN if it is too short, or its
 * msg_type is neither CALL nor REPLY.
 */
enum rpcrdma_direction rpcrdma_payload_direction(const void *payload,
						 size_t payload_len)
{
	const __be32 *p = payload;

	if (payload_len < RPCRDMA_RPC_MIN)
		return RPCRDMA_DIR_UNKNOWN;
	if (p[1] == cpu_to_be32(RPC_CALL))
		return RPCRDMA_DIR_CALL;
	if (p[1] == cpu_to_be32(RPC_REPLY))
		return RPCRDMA_DIR_REPLY;
	return RPCRDMA_DIR_UNKNOWN;
}
EXPORT_SYMBOL_GPL(rpcrdma_payload_direction);

/**
 * rpcrdma_msg_direction - is it a Call or a Reply? (T-45, BI-MSG-11)
 * @msg: decoded message
 * @payload: bytes that follow its header, 4-byte aligned
 * @payload_len: number of them
 *
 * To be asked before any XID is looked up and before @msg->credits is used. A
 * header that states its direction is believed (V2-HDR-12).
 *
 * Context: any.
 * Return: the direction. RPCRDMA_DIR_UNKNOWN for an RDMA_MSG that is too short
 * or whose msg_type is neither CALL nor REPLY, and for an RDMA_NOMSG with
 * neither Read list nor Reply chunk; its credit value means nothing
 * (BI-CRED-07).
 */
enum rpcrdma_direction rpcrdma_msg_direction(const struct rpcrdma_msg *msg,
					     const void *payload,
					     size_t payload_len)
{
	if (msg->dir != RPCRDMA_DIR_UNKNOWN)
		return msg->dir;

	switch (msg->type) {
	case RPCRDMA_ERROR:
		return RPCRDMA_DIR_REPLY;
	case RPCRDMA_CONNPROP:
		return RPCRDMA_DIR_UNKNOWN;
	case RPCRDMA_NOMSG:
		if (msg->reads.nsegs)
			return RPCRDMA_DIR_CALL;
		if (msg->has_reply)
			return RPCRDMA_DIR_REPLY;
		return RPCRDMA_DIR_UNKNOWN;
	case RPCRDMA_MSG:
		break;
	}
	return rpcrdma_payload_direction(payload, payload_len);
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_direction);

/**
 * rpcrdma_payload_check - does a payload belong to its header?
 * @xid: of the transport header
 * @payload: RPC message, inline or out of a chunk, 4-byte aligned
 * @payload_len: bytes
 *
 * Context: any.
 * Return: RPCRDMA_OK; RPCRDMA_R_PAYLOAD_SHORT without room for XID and
 * msg_type (T-36); RPCRDMA_R_XID if the XIDs differ (T-08, V1-HDR-04).
 */
enum rpcrdma_reason rpcrdma_payload_check(__be32 xid, const void *payload,
					  size_t payload_len)
{
	if (payload_len < RPCRDMA_RPC_MIN)
		return RPCRDMA_R_PAYLOAD_SHORT;
	if (*(const __be32 *)payload != xid)
		return RPCRDMA_R_XID;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_payload_check);

/* Bytes at Position 0; false if no segment has that Position */
static bool rpcrdma_p0_length(const struct rpcrdma_msg *msg, u64 *length)
{
	const struct rpcrdma_segment *seg = msg->segs + msg->reads.first;
	bool found = false;
	unsigned int i;

	*length = 0;
	for (i = 0; i < msg->reads.nsegs; i++) {
		if (seg[i].position)
			continue;
		found = true;
		*length += seg[i].length;
	}
	return found;
}

/**
 * rpcrdma_call_check - is a received Call well-formed?
 * @msg: decoded RDMA_MSG or RDMA_NOMSG; its Read list may be in any order
 * @payload: bytes that follow its header, 4-byte aligned
 * @payload_len: number of them; ignored for an RDMA_NOMSG (T-36)
 *
 * A payload in P0 can only be judged once it has been read: see
 * rpcrdma_payload_check().
 *
 * Context: any.
 * Return: RPCRDMA_OK, or the reason to answer ERR_CHUNK (T-06, T-07, T-08,
 * T-36) or RDMA2_ERR_BAD_XDR (V2-HDR-16, V2-CHK-12, V2-CHK-13).
 */
enum rpcrdma_reason rpcrdma_call_check(const struct rpcrdma_msg *msg,
				       const void *payload, size_t payload_len)
{
	enum rpcrdma_reason reason;
	u64 p0_length;
	bool has_p0;

	has_p0 = rpcrdma_p0_length(msg, &p0_length);
	switch (msg->type) {
	case RPCRDMA_ERROR:
		return RPCRDMA_R_UNEXPECTED_ERROR;
	case RPCRDMA_CONNPROP:
		return RPCRDMA_R_PROC;
	case RPCRDMA_NOMSG:
		if (!p0_length)
			return RPCRDMA_R_NOMSG_EMPTY;
		if (p0_length < RPCRDMA_RPC_MIN)
			return RPCRDMA_R_PAYLOAD_SHORT;
		return RPCRDMA_OK;
	case RPCRDMA_MSG:
		break;
	}

	if (has_p0)
		return RPCRDMA_R_MSG_WITH_P0;
	reason = rpcrdma_payload_check(msg->xid, payload, payload_len);
	if (reason)
		return reason;
	if (rpcrdma_payload_direction(payload, payload_len) !=
	    RPCRDMA_DIR_CALL)
		return RPCRDMA_R_MSG_TYPE;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_call_check);

/*
 * A returned chunk has the segments that were offered, with lengths that tell
 * how far each was filled, in order (V1-WR-04 to V1-WR-06). A hole would make
 * the data other than contiguous, which nobody above could notice.
 */
static enum rpcrdma_reason
rpcrdma_returned_check(const struct rpcrdma_msg *reply,
		       const struct rpcrdma_chunk *returned,
		       const struct rpcrdma_msg *call,
		       const struct rpcrdma_chunk *offered)
{
	const struct rpcrdma_segment *r = reply->segs + returned->first;
	const struct rpcrdma_segment *c = call->segs + offered->first;
	bool ended = false;
	unsigned int i;

	if (returned->nsegs != offered->nsegs)
		return RPCRDMA_R_REPLY_CHUNKS;
	for (i = 0; i < returned->nsegs; i++, r++, c++) {
		if (r->handle != c->handle || r->offset != c->offset)
			return RPCRDMA_R_REPLY_CHUNKS;
		if (r->length > c->length)
			return RPCRDMA_R_REPLY_OVERRUN;
		if (ended && r->length)
			return RPCRDMA_R_REPLY_CHUNKS;
		if (r->length < c->length)
			ended = true;
	}
	return RPCRDMA_OK;
}

static enum rpcrdma_reason
rpcrdma_reply_writes_check(const struct rpcrdma_msg *reply,
			   const struct rpcrdma_msg *call)
{
	enum rpcrdma_reason reason;
	unsigned int i;

	if (reply->nwrites != call->nwrites)
		return RPCRDMA_R_REPLY_CHUNKS;
	for (i = 0; i < reply->nwrites; i++) {
		reason = rpcrdma_returned_check(reply, &reply->writes[i],
						call, &call->writes[i]);
		if (reason)
			return reason;
	}
	return RPCRDMA_OK;
}

/* Payload inline, or in the Reply chunk, but not in both (T-06, T-31) */
static enum rpcrdma_reason
rpcrdma_reply_form_check(const struct rpcrdma_msg *reply)
{
	u64 length = 0;

	if (reply->has_reply)
		length = rpcrdma_chunk_length(reply, &reply->reply);
	if (length ? reply->type != RPCRDMA_NOMSG : reply->type != RPCRDMA_MSG)
		return RPCRDMA_R_REPLY_FORM;
	if (length && length < RPCRDMA_RPC_MIN)
		return RPCRDMA_R_PAYLOAD_SHORT;
	return RPCRDMA_OK;
}

/**
 * rpcrdma_reply_check - does a received Reply fit the Call it answers?
 * @reply: decoded RDMA_MSG or RDMA_NOMSG
 * @call: the Call as it was sent, chunks included
 *
 * After success the Read list is empty (V1-RD-08); the Write list has the
 * chunks and segments that were offered, none longer than offered (T-15), each
 * filled from its start without a hole; and the payload is either inline or in
 * the Reply chunk that was offered (T-06, T-31).
 *
 * V1-RPL-07 wants an offered Reply chunk echoed always. Servers that answer
 * inline are known to leave it out, and the in-tree client takes that. It is
 * harmless, since a chunk that is not returned holds nothing, so an RDMA_MSG
 * without it is taken here too; @reply->has_reply is false then.
 *
 * Context: any.
 * Return: RPCRDMA_OK, or the reason to drop the Reply.
 */
enum rpcrdma_reason rpcrdma_reply_check(const struct rpcrdma_msg *reply,
					const struct rpcrdma_msg *call)
{
	enum rpcrdma_reason reason;

	if (reply->reads.nsegs)
		return RPCRDMA_R_REPLY_READ_LIST;
	reason = rpcrdma_reply_writes_check(reply, call);
	if (reason)
		return reason;
	if (reply->has_reply) {
		if (!call->has_reply)
			return RPCRDMA_R_REPLY_CHUNKS;
		reason = rpcrdma_returned_check(reply, &reply->reply,
						call, &call->reply);
		if (reason)
			return reason;
	}
	return rpcrdma_reply_form_check(reply);
}
EXPORT_SYMBOL_GPL(rpcrdma_reply_check);

/**
 * rpcrdma_msg_first_handle - a handle that its requester will invalidate anyway
 * @msg: Call
 *
 * The results come first: they are what the requester waits for. It invalidates
 * all others itself.
 *
 * Context: any.
 * Return: a handle that the Call offers, or 0 if it offers none.
 */
u32 rpcrdma_msg_first_handle(const struct rpcrdma_msg *msg)
{
	unsigned int i;

	for (i = 0; i < msg->nwrites; i++)
		if (msg->writes[i].nsegs)
			return msg->segs[msg->writes[i].first].handle;
	if (msg->has_reply && msg->reply.nsegs)
		return msg->segs[msg->reply.first].handle;
	if (msg->reads.nsegs)
		return msg->segs[msg->reads.first].handle;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_first_handle);

/**
 * rpcrdma_msg_has_handle - is a handle one of a message's own? (V2-SEC-06)
 * @msg: message
 * @handle: handle
 *
 * Context: any.
 * Return: true if a segment of @msg has it.
 */
bool rpcrdma_msg_has_handle(const struct rpcrdma_msg *msg, u32 handle)
{
	unsigned int i;

	for (i = 0; i < msg->nsegs; i++)
		if (msg->segs[i].handle == handle)
			return true;
	return false;
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_has_handle);

/**
 * rpcrdma_chunk_returned - note in a Reply how much a chunk brings back
 * @reply: Reply under construction, holding a copy of the Call's chunks
 * @chunk: Write or Reply chunk of @reply
 * @length: bytes written into it, from its start, without a pad (V1-PAD-10);
 *	0 makes it an unused chunk (V1-WR-16). At most the length of the chunk
 *
 * Handles and offsets stay (V1-WR-05, V1-RPL-08).
 *
 * Context: any.
 */
void rpcrdma_chunk_returned(struct rpcrdma_msg *reply,
			    const struct rpcrdma_chunk *chunk, u64 length)
{
	struct rpcrdma_segment *seg = reply->segs + chunk->first;
	unsigned int i;

	for (i = 0; i < chunk->nsegs; i++, seg++) {
		seg->length = min_t(u64, seg->length, length);
		length -= seg->length;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_chunk_returned);
