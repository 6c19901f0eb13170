// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chunk lists: building them, and sorting Read segments into chunks. check.c has the
 * checks of a whole message.
 *
 * All segments of a message are in one array that the caller owns, and a chunk is a
 * range of it. So a message needs no allocation, and each limit is one comparison.
 * Lengths are summed in 64 bits, which the few hundred lengths of 32 bits cannot overflow.
 * Pure: no device, no lock.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sunrpc/xdr.h>
#include <rpcrdma/msg.h>

/**
 * rpcrdma_msg_init - initialize an empty message
 * @msg: message; everything is overwritten. It becomes an RDMA_MSG without lists
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
 * rpcrdma_chunk_length - bytes in a chunk
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
 * For a Reply chunk the caller also sets @msg->has_reply.
 *
 * Context: any.
 * Return: 0; -EMSGSIZE if the message cannot hold one more segment;
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
 * Return: 0, or -EMSGSIZE if the message cannot hold one more chunk.
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

/* Insertion sort: it is stable, and most lists are in order already */
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

/* The Read list is in order: a chunk ends where the Position changes */
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

/* @next: the lowest Position that does not overlap the chunks before @chunk */
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

	/* The Position Zero chunk is the stream that the other chunks are inserted into */
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
 * rpcrdma_reads_sort - find the chunks of a flat Read list
 * @msg: decoded Call. Its Read list is put in order of Position; segments of the
 *	same Position keep their order (RFC 8166 3.4.5)
 * @max_len: longest RPC message that is accepted, bytes
 * @chunks: result, RPCRDMA_MAX_READ_CHUNKS entries; in order of Position, so that a
 *	Position Zero chunk comes first. Undefined after a refusal
 * @nchunks: number of chunks; 0 after a refusal
 *
 * After success Positions are multiples of four; no two chunks overlap, where
 * Positions count bytes of the unreduced stream and a chunk may lack its pad; all
 * chunks together, with their pads, have at most @max_len bytes. The caller checks
 * that no Position lies past the end of the stream, once it has the inline payload
 * or the Position Zero chunk.
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
 * rpcrdma_msg_inv_handle - choose the handle that a Reply may invalidate
 * @msg: Call
 *
 * A Send With Invalidate takes one handle; the requester invalidates the others itself.
 * The handle is that of the first segment of the Write list, else of the Reply chunk,
 * else of the Read list. Which one is taken makes no difference: the RPC ends when all
 * are invalidated.
 *
 * Context: any.
 * Return: a handle that the Call offers, or 0 if it offers none.
 */
u32 rpcrdma_msg_inv_handle(const struct rpcrdma_msg *msg)
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
EXPORT_SYMBOL_GPL(rpcrdma_msg_inv_handle);

/**
 * rpcrdma_msg_has_handle - does a message offer a handle?
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
 * rpcrdma_chunk_returned - set how many bytes a chunk of a Reply returns
 * @reply: Reply under construction, holding a copy of the Call's chunks
 * @chunk: Write or Reply chunk of @reply
 * @length: bytes written into it, from its start, without a pad (RFC 8166 3.4.6.2);
 *	0 makes it an unused chunk. At most the length of the chunk
 *
 * Only the lengths of its segments change (RFC 8166 3.4.6, 4.3.3).
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
