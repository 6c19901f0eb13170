// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Read list with any segments in any order is put in order of Position, and nothing of it is
 * lost. What is accepted are chunks that do not overlap, and that are no longer than an RPC can
 * be.
 *
 * Proves: rpcrdma_reads_sort() rpcrdma_chunk_length()
 * Sources: rpcrdma/protocol/chunk.c
 * Bounds: SEGS=3 MAX_LEN=4294967295
 * Unwind: SEGS+1
 */
#include "message.h"

/* Handles are numbers of segments, so that each can be found again */
static void number(struct rpcrdma_segment *segs, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		segs[i].handle = i;
}

/* The same segments; those of the same Position in the order in which they came */
static void prove_order(const struct rpcrdma_segment *segs, const struct rpcrdma_segment *old,
			u32 n)
{
	u32 i, seen = 0;

	for (i = 0; i < n; i++) {
		PROVE(segs[i].handle < n);
		PROVE(segs[i].position == old[segs[i].handle].position);
		PROVE(segs[i].length == old[segs[i].handle].length);
		PROVE(segs[i].offset == old[segs[i].handle].offset);
		seen |= 1U << segs[i].handle;
		if (!i)
			continue;
		PROVE(segs[i - 1].position <= segs[i].position);
		PROVE(segs[i - 1].position < segs[i].position ||
		      segs[i - 1].handle < segs[i].handle);
	}
	PROVE(seen == (1U << n) - 1);
}

/* Each segment is in one chunk, and each chunk begins behind the one before */
static void prove_chunks(const struct rpcrdma_msg *msg, const struct rpcrdma_chunk *chunks,
			 u32 nchunks, u32 max_len)
{
	u64 end = 0, total = 0;
	u32 i, segs = 0, position;

	for (i = 0; i < nchunks; i++) {
		PROVE(chunks[i].first == segs && chunks[i].nsegs);
		segs += chunks[i].nsegs;
		position = msg->segs[chunks[i].first].position;
		PROVE(position % 4 == 0);
		PROVE(position == msg->segs[segs - 1].position);
		PROVE(!i || position > msg->segs[segs - chunks[i].nsegs - 1].position);
		PROVE(position >= end);
		if (position)
			end = position + rpcrdma_chunk_length(msg, &chunks[i]);
		total += rpcrdma_chunk_length(msg, &chunks[i]);
	}
	PROVE(segs == msg->nsegs);
	PROVE(total <= max_len);
}

int main(void)
{
	struct rpcrdma_segment segs[SEGS], old[SEGS];
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	u32 max_len = any_up_to(MAX_LEN), i;
	enum rpcrdma_reason reason;
	unsigned int nchunks;
	struct rpcrdma_msg msg;

	rpcrdma_msg_init(&msg, segs, SEGS);
	msg.nsegs = any_up_to(SEGS);
	msg.reads.nsegs = msg.nsegs;
	number(segs, msg.nsegs);
	for (i = 0; i < SEGS; i++)
		old[i] = segs[i];
	reason = rpcrdma_reads_sort(&msg, max_len, chunks, &nchunks);
	prove_order(segs, old, msg.nsegs);
	if (reason) {
		PROVE(reason == RPCRDMA_R_POSITION_ALIGN || reason == RPCRDMA_R_POSITION_RANGE ||
		      reason == RPCRDMA_R_CHUNK_LENGTH);
		PROVE(!nchunks);
		return 0;
	}
	prove_chunks(&msg, chunks, nchunks, max_len);
	REACH(nchunks == SEGS);
	REACH(nchunks == 1 && msg.nsegs == SEGS);
	return 0;
}
