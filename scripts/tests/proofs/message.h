/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages: any bytes, any lists, and what holds for each message that is accepted */
#ifndef _PROOFS_MESSAGE_H
#define _PROOFS_MESSAGE_H

#include <linux/limits.h>
#include <asm/byteorder.h>
#include <rpcrdma/msg.h>
#include "proof.h"

#ifdef LEN
/*
 * struct any_bytes - @LEN bytes or fewer, received from a peer
 * @memory: ends where the message ends, so that no access behind it is inside
 */
struct any_bytes {
	u8	memory[LEN];
};

/* The message of @len bytes */
static inline u8 *any_message(struct any_bytes *bytes, size_t len)
{
	ASSUME(len <= LEN);
	return bytes->memory + LEN - len;
}

#endif

/* By itself, so that it is no mistake of both if the code swaps bytes */
static inline u32 word_at(const u8 *wire, size_t word)
{
	const u8 *byte = wire + 4 * word;

	return (u32)byte[0] << 24 | (u32)byte[1] << 16 | (u32)byte[2] << 8 | byte[3];
}

static inline bool chunk_is_inside(const struct rpcrdma_msg *msg,
				   const struct rpcrdma_chunk *chunk)
{
	return chunk->first + chunk->nsegs <= msg->nsegs;
}

static inline void prove_no_lists(const struct rpcrdma_msg *msg)
{
	PROVE(!msg->nsegs && !msg->reads.nsegs && !msg->nwrites &&
	      !msg->has_reply && !msg->reply.nsegs);
}

/*
 * The lists of a message that a decoder has accepted: within the limits, one after another,
 * each segment in one of them. They cannot be larger than the message.
 */
static inline void prove_lists(const struct rpcrdma_msg *msg, size_t len)
{
	u32 segs = msg->reads.nsegs;
	u32 i;

	PROVE(msg->nsegs <= msg->max_segs);
	PROVE(msg->nwrites <= RPCRDMA_MAX_WRITE_CHUNKS);
	PROVE(chunk_is_inside(msg, &msg->reads) && !msg->reads.first);
	for (i = 0; i < msg->nwrites; i++) {
		PROVE(chunk_is_inside(msg, &msg->writes[i]));
		PROVE(msg->writes[i].first == segs);
		segs += msg->writes[i].nsegs;
	}
	PROVE(chunk_is_inside(msg, &msg->reply));
	PROVE(msg->has_reply || !msg->reply.nsegs);
	PROVE(!msg->reply.nsegs || msg->reply.first == segs);
	PROVE(msg->nsegs == segs + msg->reply.nsegs);
	PROVE(RPCRDMA_WIRE_LISTS_MIN + msg->reads.nsegs * RPCRDMA_WIRE_READ_ENTRY_SIZE +
	      (segs - msg->reads.nsegs + msg->reply.nsegs) * RPCRDMA_WIRE_SEG_SIZE +
	      msg->nwrites * 8 + (msg->has_reply ? 4 : 0) <= len);
}

/* Each of at most SEGS segments */
static inline void prove_segments(const struct rpcrdma_msg *msg)
{
	u32 i;

	for (i = 0; i < msg->nsegs; i++) {
		PROVE(msg->segs[i].position % 4 == 0);
		PROVE(i < msg->reads.nsegs || !msg->segs[i].position);
		PROVE(msg->segs[i].offset <= U64_MAX - msg->segs[i].length);
	}
}

#ifdef WRITES
/* The next of the lists: up to SEGS segments in all */
static inline struct rpcrdma_chunk any_chunk(struct rpcrdma_msg *msg)
{
	struct rpcrdma_chunk chunk = { .first = msg->nsegs };

	chunk.nsegs = any_up_to(SEGS - msg->nsegs);
	msg->nsegs += chunk.nsegs;
	return chunk;
}

/* Lists as they are built or decoded: any segments, up to WRITES Write chunks */
static inline void any_lists(struct rpcrdma_msg *msg, struct rpcrdma_segment *segs)
{
	u32 i;

	msg->segs = segs;
	msg->max_segs = SEGS;
	msg->reads = any_chunk(msg);
	msg->nwrites = any_up_to(WRITES);
	for (i = 0; i < WRITES; i++)
		if (i < msg->nwrites)
			msg->writes[i] = any_chunk(msg);
	msg->has_reply = any_bool();
	if (msg->has_reply)
		msg->reply = any_chunk(msg);
}
#endif

#endif /* _PROOFS_MESSAGE_H */
