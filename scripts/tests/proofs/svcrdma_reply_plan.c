// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a server sends a Reply, for a Call with Write chunks and a Reply chunk of one segment
 * or none, and any results of nfsd: it fits where it is sent, each byte of it is sent once and in
 * order, and each chunk has room for what is written into it.
 *
 * Proves: svcrdma_reply_plan() svcrdma_reply_possible() svcrdma_reply_header()
 * Proves: svcrdma_reply_inv_handle()
 * Sources: svcrdma/protocol/reply_plan.c rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c
 * Sources: rpcrdma/protocol/chunk_xdr.c rpcrdma/protocol/chunk.c
 * Sources: rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: WRITES=2 RESULTS=2
 * Unwind: WRITES+2
 * Loops: rpcrdma_codec_find=4 svcrdma_plan_reduce=WRITES+1 rpcrdma_chunk_lists_size=WRITES+1
 * Loops: svcrdma_reply_header=WRITES+1 prove_ranges.0=WRITES+2 rpcrdma_chunk_length=2
 * Loops: rpcrdma_chunk_returned=2
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include "svcrdma/protocol/reply_plan.h"
#define SEGS	(WRITES + 1)
#include "message.h"

/* Segment number i is that of Write chunk number i, if it has one; the last is for the Reply */
static void any_call(struct rpcrdma_msg *call, struct rpcrdma_segment *segs)
{
	u32 i;

	rpcrdma_msg_init(call, segs, WRITES + 1);
	call->nsegs = WRITES + 1;
	call->nwrites = any_up_to(WRITES);
	for (i = 0; i < WRITES; i++) {
		call->writes[i].first = i;
		call->writes[i].nsegs = i < call->nwrites && any_bool();
	}
	call->has_reply = any_bool();
	call->reply.first = WRITES;
	call->reply.nsegs = call->has_reply && any_bool();
	call->vers = any_bool() ? 2 : 1;
	call->inv_handle = nondet_u32();
	call->header_size = rpcrdma_codec_find(call->vers)->size(call);
}

static u64 reply_chunk(const struct rpcrdma_msg *call)
{
	return call->has_reply ? rpcrdma_chunk_length(call, &call->reply) : 0;
}

/* Ranges and items, with their pads, are the whole Reply, one after another */
static void prove_ranges(const struct svcrdma_reply_plan *plan, u32 length)
{
	const struct svcrdma_range *item;
	u32 i, n = 0, at = 0;

	PROVE(plan->nranges <= WRITES + 1);
	for (i = 0; i <= WRITES; i++) {
		if (n < plan->nranges && plan->ranges[n].offset == at) {
			PROVE(plan->ranges[n].length && plan->ranges[n].length <= length - at);
			at += plan->ranges[n++].length;
		}
		item = &plan->items[i];
		if (i == WRITES || !item->length)
			continue;
		PROVE(item->offset == at && item->length <= length - at);
		at = min_t(u64, length, at + ALIGN((u64)item->length, 4));
	}
	PROVE(n == plan->nranges && at == length);
}

static void prove_items(const struct svcrdma_reply_plan *plan, const struct rpcrdma_msg *call,
			const struct svcrdma_range *results, u32 nresults)
{
	u32 i = any_up_to(RPCRDMA_MAX_WRITE_CHUNKS - 1);

	if (!plan->items[i].length)
		return;
	PROVE(i < nresults && i < call->nwrites && i < WRITES);
	PROVE(plan->items[i].offset == results[i].offset &&
	      plan->items[i].length == results[i].length);
	PROVE(plan->items[i].length <= rpcrdma_chunk_length(call, &call->writes[i]));
}

static void prove_refused(const struct svcrdma_reply_plan *plan, const struct rpcrdma_msg *call,
			  u32 inline_send)
{
	switch (plan->reason) {
	case RPCRDMA_R_WRITE_TOO_SMALL:
		PROVE(plan->chunk_index >= 1 && plan->chunk_index <= call->nwrites);
		PROVE(plan->needed >
		      rpcrdma_chunk_length(call, &call->writes[plan->chunk_index - 1]));
		break;
	case RPCRDMA_R_REPLY_TOO_BIG:
		PROVE(plan->needed == plan->length);
		PROVE((u64)plan->header_size + plan->length > inline_send);
		PROVE(plan->header_size > inline_send || plan->length > reply_chunk(call));
		break;
	default:
		PROVE(plan->reason == RPCRDMA_R_REPLY_FORM);
	}
}

/* The header of the Reply returns what the plan writes */
static void prove_header(const struct svcrdma_reply_plan *plan, struct rpcrdma_msg *msg)
{
	u32 i, grant = nondet_u32();

	svcrdma_reply_header(msg, plan, grant);
	PROVE(msg->credits == grant && msg->dir == RPCRDMA_DIR_REPLY && !msg->reads.nsegs);
	PROVE(rpcrdma_codec_find(msg->vers)->size(msg) == plan->header_size);
	for (i = 0; i < WRITES; i++)
		if (i < msg->nwrites)
			PROVE(rpcrdma_chunk_length(msg, &msg->writes[i]) ==
			      plan->items[i].length);
	PROVE(reply_chunk(msg) == (plan->form == SVCRDMA_FORM_CHUNK ? plan->length : 0));
	PROVE(msg->type == (plan->form == SVCRDMA_FORM_CHUNK ? RPCRDMA_NOMSG : RPCRDMA_MSG));
}

static void prove_handle(const struct rpcrdma_msg *call)
{
	u32 handle = svcrdma_reply_inv_handle(call);

	PROVE(!handle || rpcrdma_msg_has_handle(call, handle));
	PROVE(!handle || call->vers == 1 || handle == call->inv_handle);
}

int main(void)
{
	u32 length = nondet_u32(), inline_send = nondet_u32(), nresults = any_up_to(RESULTS);
	struct svcrdma_range results[RESULTS];
	struct rpcrdma_segment segs[WRITES + 1];
	struct svcrdma_reply_plan plan;
	struct rpcrdma_msg call;

	any_call(&call, segs);
	prove_handle(&call);
	svcrdma_reply_plan(&plan, &call, results, nresults, length, inline_send);
	if (plan.form == SVCRDMA_FORM_REFUSE) {
		prove_refused(&plan, &call, inline_send);
		return 0;
	}
	PROVE(plan.header_size <= inline_send);
	if (plan.form == SVCRDMA_FORM_INLINE)
		PROVE((u64)plan.header_size + plan.length <= inline_send);
	else
		PROVE(plan.length <= reply_chunk(&call));
	/* A Call that could be answered with so short a Reply is not refused before */
	if (plan.length >= 24)
		PROVE(svcrdma_reply_possible(&call, inline_send));
	prove_items(&plan, &call, results, nresults);
	prove_ranges(&plan, length);
	prove_header(&plan, &call);
	REACH(plan.form == SVCRDMA_FORM_CHUNK && plan.nranges == WRITES + 1);
	REACH(plan.form == SVCRDMA_FORM_INLINE && plan.items[WRITES - 1].length % 4);
	return 0;
}
