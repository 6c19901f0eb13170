// SPDX-License-Identifier: GPL-2.0-only
/*
 * The length of a chunk, and the lengths of its segments when a Reply returns a part of it.
 *
 * Proves: rpcrdma_chunk_length() rpcrdma_chunk_returned()
 * Sources: rpcrdma/protocol/chunk.c
 * Bounds: SEGS=4
 * Unwind: SEGS+1
 */
#include <linux/minmax.h>
#include "message.h"

int main(void)
{
	struct rpcrdma_segment segs[SEGS], old[SEGS];
	u64 length, before, sum = 0;
	struct rpcrdma_chunk chunk;
	struct rpcrdma_msg msg;
	u32 i;

	rpcrdma_msg_init(&msg, segs, SEGS);
	msg.nsegs = SEGS;
	chunk.first = 1;
	chunk.nsegs = any_up_to(SEGS - 1);
	for (i = 0; i < SEGS; i++) {
		old[i] = segs[i];
		if (i >= chunk.first && i - chunk.first < chunk.nsegs)
			sum += segs[i].length;
	}
	before = rpcrdma_chunk_length(&msg, &chunk);
	PROVE(before == sum);
	length = nondet_u64();
	ASSUME(length <= before);
	rpcrdma_chunk_returned(&msg, &chunk, length);
	PROVE(rpcrdma_chunk_length(&msg, &chunk) == length);
	for (i = 0; i < SEGS; i++) {
		bool inside = i >= chunk.first && i - chunk.first < chunk.nsegs;

		PROVE(segs[i].handle == old[i].handle && segs[i].offset == old[i].offset);
		PROVE(segs[i].length <= old[i].length);
		PROVE(inside || segs[i].length == old[i].length);
		/* Filled from its start: nothing follows a segment that is not full */
		if (inside && i > chunk.first && segs[i].length)
			PROVE(segs[i - 1].length == old[i - 1].length);
	}
	REACH(length > 0xffffffff && length < before);
	return 0;
}
