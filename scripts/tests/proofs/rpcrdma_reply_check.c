// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks of a Reply, for any lists of a Call and of a Reply: what is accepted returns the
 * chunks that were offered, each filled from its start and not beyond its end. The Reply of a
 * server that keeps to the rules is accepted.
 *
 * Proves: rpcrdma_reply_check() rpcrdma_reply_exact()
 * Sources: rpcrdma/protocol/check.c rpcrdma/protocol/chunk.c
 * Bounds: SEGS=2 WRITES=1
 * Unwind: SEGS+1
 */
#include "message.h"

/* Segments of @chunk that hold data, and of these number @n, which is there */
static u32 with_data(const struct rpcrdma_msg *msg, const struct rpcrdma_chunk *chunk, u32 n,
		     struct rpcrdma_segment *seg)
{
	u32 i, found = 0;

	for (i = 0; i < SEGS; i++) {
		if (i >= chunk->nsegs || !msg->segs[chunk->first + i].length)
			continue;
		if (found == n)
			*seg = msg->segs[chunk->first + i];
		found++;
	}
	return found;
}

static void prove_returned(const struct rpcrdma_msg *reply, const struct rpcrdma_chunk *returned,
			   const struct rpcrdma_msg *call, const struct rpcrdma_chunk *offered)
{
	struct rpcrdma_segment got = {}, had = {};
	u32 n = any_up_to(SEGS - 1), returned_n, offered_n;

	returned_n = with_data(reply, returned, n, &got);
	offered_n = with_data(call, offered, n, &had);
	PROVE(returned_n <= offered_n);
	PROVE(rpcrdma_chunk_length(reply, returned) <= rpcrdma_chunk_length(call, offered));
	if (n >= returned_n)
		return;
	/* Any of them is the one that was offered; only the last is not full */
	PROVE(got.handle == had.handle && got.offset == had.offset);
	PROVE(got.length <= had.length);
	PROVE(got.length == had.length || n == returned_n - 1);
}

static void prove_accepted(const struct rpcrdma_msg *reply, const struct rpcrdma_msg *call)
{
	static const struct rpcrdma_chunk none;
	u64 length = reply->has_reply ? rpcrdma_chunk_length(reply, &reply->reply) : 0;
	u32 i = any_up_to(WRITES - 1);

	PROVE(!reply->reads.nsegs);
	if (i < reply->nwrites)
		prove_returned(reply, &reply->writes[i], call,
			       i < call->nwrites ? &call->writes[i] : &none);
	prove_returned(reply, &reply->reply, call, &call->reply);
	PROVE(reply->type == (length ? RPCRDMA_NOMSG : RPCRDMA_MSG));
	PROVE(!length || length >= 8);
	if (rpcrdma_reply_exact(reply, call))
		PROVE(reply->nwrites == call->nwrites && reply->has_reply == call->has_reply);
	REACH(length && reply->nwrites == WRITES);
}

/* The lists of the Call, without the Read list, each filled to any length */
static void prove_honest(const struct rpcrdma_msg *call)
{
	struct rpcrdma_segment segs[SEGS];
	struct rpcrdma_msg reply = *call;
	u64 length;
	u32 i;

	for (i = 0; i < SEGS; i++)
		segs[i] = call->segs[i];
	reply.segs = segs;
	reply.reads.nsegs = 0;
	for (i = 0; i < WRITES; i++) {
		length = nondet_u64();
		ASSUME(length <= rpcrdma_chunk_length(call, &call->writes[i]));
		rpcrdma_chunk_returned(&reply, &reply.writes[i], length);
	}
	length = nondet_u64();
	ASSUME(length <= rpcrdma_chunk_length(call, &call->reply));
	ASSUME(!length || length >= 8);
	rpcrdma_chunk_returned(&reply, &reply.reply, length);
	reply.type = length ? RPCRDMA_NOMSG : RPCRDMA_MSG;
	PROVE(!rpcrdma_reply_check(&reply, call));
	PROVE(rpcrdma_reply_exact(&reply, call));
}

int main(void)
{
	struct rpcrdma_segment call_segs[SEGS], reply_segs[SEGS];
	struct rpcrdma_msg call, reply;
	enum rpcrdma_reason reason;

	rpcrdma_msg_init(&call, call_segs, SEGS);
	any_lists(&call, call_segs);
	rpcrdma_msg_init(&reply, reply_segs, SEGS);
	any_lists(&reply, reply_segs);
	reply.type = any_up_to(RPCRDMA_NOMSG);
	reason = rpcrdma_reply_check(&reply, &call);
	if (!reason)
		prove_accepted(&reply, &call);
	else
		PROVE(reason < RPCRDMA_R_COUNT);
	prove_honest(&call);
	return 0;
}
