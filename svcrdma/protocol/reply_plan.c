// SPDX-License-Identifier: GPL-2.0-only
/*
 * In which form a Reply goes back. Pure: this file decides, send.c and write.c
 * carry it out.
 *
 * Results are paired with Write chunks by place: the first result that may be
 * placed directly goes into the first chunk, and so on (ULB-CMP-03, -04, UQ-03).
 * A result of zero bytes uses up its chunk (UQ-04); one whose chunk is empty, or
 * for which no chunk is left, stays inline (V1-WR-20, ULB-CMP-08). An item that
 * is reduced takes its pad along (V1-PAD-02), which is sent nowhere (V1-PAD-10).
 *
 * What remains goes inline if it fits together with the header and all the lists
 * that the header must repeat (T-22, T-23), otherwise into the Reply chunk. If
 * it fits nowhere, the client gets an error (T-12), which in version 2 says how
 * large the chunk would have to be (V2-ERC-20, V2-ERC-21, V2-ERC-25). All of that is known before
 * the first RDMA operation (ULB-RSZ-06, V1-ERR-22).
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sunrpc/xdr.h>
#include <kunit/visibility.h>
#include "reply_plan.h"

static void svcrdma_plan_refuse(struct svcrdma_reply_plan *plan,
				enum rpcrdma_reason reason)
{
	plan->form = SVCRDMA_FORM_REFUSE;
	plan->reason = reason;
	if (reason == RPCRDMA_R_REPLY_TOO_BIG)
		plan->needed = plan->length;
}

static void svcrdma_plan_keep(struct svcrdma_reply_plan *plan, u32 from, u32 to)
{
	struct svcrdma_range *range = &plan->ranges[plan->nranges];

	if (from == to)
		return;
	range->offset = from;
	range->length = to - from;
	plan->length += range->length;
	plan->nranges++;
}

/*
 * The upper layer may have taken back what it reported, when a later part of
 * the Reply could not be encoded.
 */
static bool svcrdma_result_there(const struct svcrdma_range *result, u32 length)
{
	return result->offset <= length &&
	       result->length <= length - result->offset;
}

static enum rpcrdma_reason
svcrdma_plan_reduce(struct svcrdma_reply_plan *plan,
		    const struct rpcrdma_msg *call,
		    const struct svcrdma_range *results, unsigned int nresults,
		    u32 length)
{
	u32 end = 0;
	unsigned int i;

	nresults = min_t(unsigned int, nresults, call->nwrites);
	for (i = 0; i < nresults; i++) {
		const struct svcrdma_range *result = &results[i];

		if (!call->writes[i].nsegs ||
		    !svcrdma_result_there(result, length))
			continue;
		if (rpcrdma_chunk_length(call, &call->writes[i]) <
		    result->length) {
			plan->chunk_index = i + 1;
			plan->needed = result->length;
			return RPCRDMA_R_WRITE_TOO_SMALL;
		}
		if (result->offset < end)
			return RPCRDMA_R_REPLY_FORM;

		plan->items[i] = *result;
		if (!result->length)
			continue;
		svcrdma_plan_keep(plan, end, result->offset);
		end = min_t(u64, length, (u64)result->offset +
			    ALIGN((u64)result->length, XDR_UNIT));
	}
	svcrdma_plan_keep(plan, end, length);
	return RPCRDMA_OK;
}

static u32 svcrdma_reply_header_size(const struct rpcrdma_msg *call)
{
	struct rpcrdma_msg reply = *call;

	reply.type = RPCRDMA_MSG;
	reply.reads.nsegs = 0;
	return rpcrdma_codec_find(call->vers)->size(&reply);
}

/**
 * svcrdma_reply_plan - decide how a Reply goes back
 * @plan: filled in
 * @call: decoded header of the Call, its Write list and Reply chunk with the
 *	  lengths that the client offered
 * @results: what the upper layer reported as fit for direct placement
 * @nresults: number of @results; 0 if nothing may be reduced
 * @length: bytes of the unreduced Reply
 * @inline_send: largest Send, bytes
 *
 * Context: any.
 */
void svcrdma_reply_plan(struct svcrdma_reply_plan *plan,
			const struct rpcrdma_msg *call,
			const struct svcrdma_range *results,
			unsigned int nresults, u32 length, u32 inline_send)
{
	enum rpcrdma_reason reason;

	memset(plan, 0, sizeof(*plan));
	plan->header_size = svcrdma_reply_header_size(call);
	reason = svcrdma_plan_reduce(plan, call, results, nresults, length);
	if (reason != RPCRDMA_OK) {
		svcrdma_plan_refuse(plan, reason);
		return;
	}

	if (plan->header_size > inline_send)
		svcrdma_plan_refuse(plan, RPCRDMA_R_REPLY_TOO_BIG);
	else if (plan->length <= inline_send - plan->header_size)
		plan->form = SVCRDMA_FORM_INLINE;
	else if (call->has_reply &&
		 plan->length <= rpcrdma_chunk_length(call, &call->reply))
		plan->form = SVCRDMA_FORM_CHUNK;
	else
		svcrdma_plan_refuse(plan, RPCRDMA_R_REPLY_TOO_BIG);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_plan);

/**
 * svcrdma_reply_header - turn the header of a Call into that of its Reply
 * @msg: decoded header of the Call; afterwards that of the Reply, each segment
 *	 with the number of bytes returned in it
 * @plan: plan for the Reply, not SVCRDMA_FORM_REFUSE
 * @grant: credits to grant, not 0
 *
 * V1-WR-05 to -07, V1-WR-16, V1-WR-21, V1-RPL-07, V1-RPL-08, V1-RD-08, T-31.
 *
 * Context: any.
 */
void svcrdma_reply_header(struct rpcrdma_msg *msg,
			  const struct svcrdma_reply_plan *plan, u32 grant)
{
	bool chunk = plan->form == SVCRDMA_FORM_CHUNK;
	unsigned int i;

	msg->type = chunk ? RPCRDMA_NOMSG : RPCRDMA_MSG;
	msg->dir = RPCRDMA_DIR_REPLY;
	msg->err = RPCRDMA_ERR_NONE;
	msg->credits = grant;
	msg->reads.nsegs = 0;
	for (i = 0; i < msg->nwrites; i++)
		rpcrdma_chunk_returned(msg, &msg->writes[i],
				       plan->items[i].length);
	if (msg->has_reply)
		rpcrdma_chunk_returned(msg, &msg->reply,
				       chunk ? plan->length : 0);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_header);

/**
 * svcrdma_reply_inv_handle - the handle that a Reply invalidates
 * @call: decoded header of the Call
 *
 * Where the Call names one, it must be one of its own, and no other is touched
 * (V2-CHK-07, V2-CHK-09). Otherwise it is one that the client will invalidate
 * anyway.
 *
 * Context: any.
 * Return: a handle that the Call offered, or 0 if there is none to invalidate.
 */
u32 svcrdma_reply_inv_handle(const struct rpcrdma_msg *call)
{
	const struct rpcrdma_codec *codec = rpcrdma_codec_find(call->vers);

	if (!codec || !codec->properties)
		return rpcrdma_msg_first_handle(call);
	return rpcrdma_msg_has_handle(call, call->inv_handle) ?
	       call->inv_handle : 0;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_inv_handle);
