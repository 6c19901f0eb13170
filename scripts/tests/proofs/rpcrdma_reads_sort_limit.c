// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Read list in order, with a Position of its own for each segment, may have more chunks than are
 * accepted: the array of chunks has no room for one more, and is not written behind its end.
 *
 * Proves: rpcrdma_reads_sort()
 * Sources: rpcrdma/protocol/chunk.c
 * Bounds: SEGS=18
 * Unwind: SEGS+1
 * Loops: rpcrdma_reads_order=2 rpcrdma_chunk_length=2
 */
#include "message.h"

int main(void)
{
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	struct rpcrdma_segment segs[SEGS];
	enum rpcrdma_reason reason;
	unsigned int nchunks, i;
	struct rpcrdma_msg msg;

	rpcrdma_msg_init(&msg, segs, SEGS);
	msg.nsegs = any_up_to(SEGS);
	msg.reads.nsegs = msg.nsegs;
	for (i = 1; i < SEGS; i++)
		ASSUME(segs[i - 1].position < segs[i].position);
	reason = rpcrdma_reads_sort(&msg, nondet_u32(), chunks, &nchunks);
	PROVE((reason == RPCRDMA_R_TOO_MANY_READS) == (msg.nsegs > RPCRDMA_MAX_READ_CHUNKS));
	PROVE(nchunks == (reason ? 0 : msg.nsegs));
	REACH(reason == RPCRDMA_R_TOO_MANY_READS);
	REACH(nchunks == RPCRDMA_MAX_READ_CHUNKS);
	return 0;
}
