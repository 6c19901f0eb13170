// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a server sends a Reply: it fits where it is sent, each byte of it is sent once, and
 * the client takes the header.
 *
 * Input: version, inline threshold, lists of the Call, length and results of the Reply.
 */
#include <stdlib.h>
#include <linux/align.h>
#include <linux/minmax.h>
#include "svcrdma/protocol/reply_plan.h"
#include "message.h"

#define SEGS_MAX	16
#define RESULTS_MAX	8
#define REPLY_LEAST	24	/* an RPC header without verifier */

/* What nfsd has made */
struct made {
	struct svcrdma_range	results[RESULTS_MAX];
	unsigned int		nresults;
	u32			length;
};

static void any_call(struct fuzz_input *in, struct rpcrdma_msg *call)
{
	const struct rpcrdma_codec *codec;
	unsigned int reads = fuzz_below(in, 3);

	call->vers = fuzz_bool(in) ? 2 : 1;
	call->inv_handle = fuzz_u8(in);
	codec = rpcrdma_codec_find(call->vers);
	while (reads--)
		fuzz_add_segment(in, call, &call->reads, 64);
	fuzz_add_results(in, call);
	call->header_size = codec->size(call);
}

/* Mostly in order, at any place */
static void any_reply(struct fuzz_input *in, struct made *made)
{
	u32 at = 0;
	unsigned int i;

	made->length = fuzz_any(in) % (16 << 20);
	made->nresults = fuzz_below(in, RESULTS_MAX + 1);
	for (i = 0; i < made->nresults; i++) {
		struct svcrdma_range *result = &made->results[i];

		result->offset = fuzz_bool(in) ? at + fuzz_u8(in) : fuzz_any(in);
		result->length = fuzz_any(in);
		at = ALIGN((u64)result->offset + result->length, 4);
	}
}

/* The ranges and the items, with their pads, are the whole Reply in order */
static void check_ranges(const struct svcrdma_reply_plan *plan, const struct made *made)
{
	unsigned int i, item = 0;
	u64 at = 0, sum = 0;

	CHECK(plan->nranges <= ARRAY_SIZE(plan->ranges));
	for (i = 0; i <= plan->nranges; i++) {
		u64 next = i < plan->nranges ? plan->ranges[i].offset : made->length;

		for (; at < next && item < RPCRDMA_MAX_WRITE_CHUNKS; item++)
			if (plan->items[item].length) {
				CHECK(plan->items[item].offset == at);
				at = min_t(u64, made->length,
					   at + ALIGN((u64)plan->items[item].length, 4));
			}
		CHECK(at == next);
		if (i == plan->nranges)
			break;
		CHECK(plan->ranges[i].length);
		at += plan->ranges[i].length;
		sum += plan->ranges[i].length;
	}
	CHECK(sum == plan->length && at == made->length);
}

static void check_items(const struct svcrdma_reply_plan *plan, const struct rpcrdma_msg *call,
			const struct made *made)
{
	unsigned int i;

	for (i = 0; i < RPCRDMA_MAX_WRITE_CHUNKS; i++) {
		if (!plan->items[i].length)
			continue;
		CHECK(i < made->nresults && i < call->nwrites);
		CHECK(plan->items[i].offset == made->results[i].offset &&
		      plan->items[i].length == made->results[i].length);
		CHECK(plan->items[i].length <= rpcrdma_chunk_length(call, &call->writes[i]));
	}
}

static u64 reply_chunk(const struct rpcrdma_msg *call)
{
	return call->has_reply ? rpcrdma_chunk_length(call, &call->reply) : 0;
}

static void check_refused(const struct svcrdma_reply_plan *plan, const struct rpcrdma_msg *call,
			  u32 inline_send)
{
	switch (plan->reason) {
	case RPCRDMA_R_WRITE_TOO_SMALL:
		CHECK(plan->chunk_index >= 1 && plan->chunk_index <= call->nwrites);
		CHECK(plan->needed > rpcrdma_chunk_length(call,
							  &call->writes[plan->chunk_index - 1]));
		break;
	case RPCRDMA_R_REPLY_TOO_BIG:
		CHECK(plan->needed == plan->length);
		CHECK(plan->header_size > inline_send ||
		      (plan->length > inline_send - plan->header_size &&
		       plan->length > reply_chunk(call)));
		break;
	default:
		CHECK(plan->reason == RPCRDMA_R_REPLY_FORM);
	}
	fuzz_refuse(call, BIT(call->vers), plan->reason);
}

/* The header of the Reply, through the wire, to the client */
static void check_header(const struct svcrdma_reply_plan *plan, const struct rpcrdma_msg *call)
{
	struct rpcrdma_msg *reply = fuzz_msg_copy(call), *got = fuzz_msg(SEGS_MAX);
	void *wire = malloc(plan->header_size);
	unsigned int i;
	int len;

	reply->err = RPCRDMA_ERR_CHUNK;
	svcrdma_reply_header(reply, plan, 7);
	CHECK(reply->err == RPCRDMA_ERR_NONE);
	len = rpcrdma_codec_find(call->vers)->encode(reply, wire, plan->header_size);
	CHECK(len == plan->header_size);
	CHECK(!fuzz_decode(got, BIT(call->vers), wire, len));
	CHECK(got->credits == 7 && !got->reads.nsegs);
	CHECK(call->vers != 2 || got->dir == RPCRDMA_DIR_REPLY);
	/* A payload of less than a Reply is no message, and nfsd makes none */
	if (plan->form == SVCRDMA_FORM_INLINE || plan->length >= 8) {
		CHECK(!rpcrdma_reply_check(got, call));
		CHECK(rpcrdma_reply_exact(got, call));
	}
	for (i = 0; i < got->nwrites; i++)
		CHECK(rpcrdma_chunk_length(got, &got->writes[i]) == plan->items[i].length);
	CHECK(reply_chunk(got) == (plan->form == SVCRDMA_FORM_CHUNK ? plan->length : 0));
	free(wire);
	fuzz_msg_free(got);
	fuzz_msg_free(reply);
}

static void check_plan(const struct svcrdma_reply_plan *plan, const struct rpcrdma_msg *call,
		       const struct made *made, u32 inline_send)
{
	if (plan->form == SVCRDMA_FORM_REFUSE) {
		check_refused(plan, call, inline_send);
		return;
	}
	CHECK(plan->header_size <= inline_send);
	if (plan->form == SVCRDMA_FORM_INLINE)
		CHECK((u64)plan->header_size + plan->length <= inline_send);
	else
		CHECK(plan->length <= reply_chunk(call));
	check_items(plan, call, made);
	check_ranges(plan, made);
	check_header(plan, call);
}

/* A Call is refused before it is executed if, and only if, no Reply could be sent */
static void check_possible(const struct rpcrdma_msg *call, u32 inline_send)
{
	struct svcrdma_reply_plan least;

	svcrdma_reply_plan(&least, call, NULL, 0, REPLY_LEAST, inline_send);
	CHECK(svcrdma_reply_possible(call, inline_send) ==
	      (least.form != SVCRDMA_FORM_REFUSE));
}

static void check_handle(const struct rpcrdma_msg *call)
{
	u32 handle = svcrdma_reply_inv_handle(call);

	CHECK(!handle || rpcrdma_msg_has_handle(call, handle));
	if (call->vers == 2)
		CHECK(!handle || handle == call->inv_handle);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct rpcrdma_msg *call = fuzz_msg(SEGS_MAX);
	u32 inline_send = fuzz_bool(&in) ? 1024 + 1024 * fuzz_u8(&in) : fuzz_any(&in);
	struct svcrdma_reply_plan plan;
	struct made made;

	any_call(&in, call);
	any_reply(&in, &made);
	check_possible(call, inline_send);
	check_handle(call);
	svcrdma_reply_plan(&plan, call, made.results, made.nresults, made.length, inline_send);
	check_plan(&plan, call, &made, inline_send);
	fuzz_msg_free(call);
	return 0;
}
