// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chunk lists: building them, sorting Read segments, and what else is asked of a
 * message's own chunks. What is checked of a whole message is in check.c.
 *
 * All segments of a message lie in one array that the caller owns; a chunk is
 * a run of it. So a message needs no allocation, and each limit is one
 * comparison. Lengths are summed in 64 bits (T-34): 128 lengths of 32 bits
 * cannot overflow that. Pure.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sunrpc/xdr.h>
#include <rpcrdma/msg.h>

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

	if (!IS_ALIGNED(position, XDR_UNIT))
		return RPCRDMA_R_POSITION_ALIGN;
	if (position < *next || position > max_len)
		return RPCRDMA_R_POSITION_RANGE;

	/* P0 holds the stream into which the others are put (V1-PZ-07) */
	if (position) {
		length = ALIGN(length, XDR_UNIT);
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
