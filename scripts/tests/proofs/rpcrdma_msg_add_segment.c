// SPDX-License-Identifier: GPL-2.0-only
/*
 * Building chunk lists, from any lists that are within the limits: they stay so. Choosing the
 * handle that a Reply may invalidate.
 *
 * Proves: rpcrdma_msg_add_segment() rpcrdma_msg_add_write() rpcrdma_msg_inv_handle()
 * Proves: rpcrdma_msg_has_handle()
 * Sources: rpcrdma/protocol/chunk.c
 * Bounds: SEGS=4 WRITES=16
 * Unwind: WRITES+1
 * Loops: rpcrdma_msg_has_handle=SEGS+1
 */
#include <linux/errno.h>
#include "message.h"

/* One more segment, for the last chunk or for one that is empty */
static void prove_segment(struct rpcrdma_msg *msg)
{
	u32 position = nondet_u32(), handle = nondet_u32(), length = nondet_u32();
	u64 offset = nondet_u64();
	u16 before = msg->nsegs, had;
	struct rpcrdma_chunk *chunk;
	int ret;

	ASSUME(msg->nwrites);
	chunk = any_bool() ? &msg->reads : any_bool() ? &msg->reply :
		&msg->writes[any_up_to(msg->nwrites - 1)];
	had = chunk->nsegs;
	ret = rpcrdma_msg_add_segment(msg, chunk, position, handle, length, offset);
	PROVE(msg->nsegs <= msg->max_segs && chunk->first + chunk->nsegs <= msg->nsegs);
	if (ret) {
		PROVE(msg->nsegs == before && chunk->nsegs == had);
		PROVE(ret == -EMSGSIZE ? before == msg->max_segs : ret == -EINVAL && had);
		return;
	}
	PROVE(msg->nsegs == before + 1 && chunk->nsegs == had + 1);
	PROVE(chunk->first + chunk->nsegs == msg->nsegs);
	PROVE(msg->segs[before].handle == handle && msg->segs[before].length == length);
	PROVE(msg->segs[before].offset == offset && msg->segs[before].position == position);
	REACH(msg->nsegs == SEGS);
}

static void prove_write(struct rpcrdma_msg *msg)
{
	u16 before = msg->nwrites;
	struct rpcrdma_chunk *chunk;

	if (rpcrdma_msg_add_write(msg, &chunk)) {
		PROVE(before == RPCRDMA_MAX_WRITE_CHUNKS && msg->nwrites == before);
		REACH(true);
		return;
	}
	PROVE(msg->nwrites == before + 1 && msg->nwrites <= RPCRDMA_MAX_WRITE_CHUNKS);
	PROVE(chunk == &msg->writes[before]);
	PROVE(chunk->first == msg->nsegs && !chunk->nsegs);
}

static void prove_handle(const struct rpcrdma_msg *msg)
{
	u32 handle = rpcrdma_msg_inv_handle(msg);

	PROVE(msg->nsegs ? rpcrdma_msg_has_handle(msg, handle) : !handle);
}

int main(void)
{
	struct rpcrdma_segment segs[SEGS];
	struct rpcrdma_msg msg;

	rpcrdma_msg_init(&msg, segs, SEGS);
	any_lists(&msg, segs);
	prove_handle(&msg);
	if (any_bool())
		prove_segment(&msg);
	else
		prove_write(&msg);
	return 0;
}
