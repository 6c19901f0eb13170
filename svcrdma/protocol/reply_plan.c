// SPDX-License-Identifier: GPL-2.0-only
/*
 * The form in which a Reply is sent. This file decides; reply.c and write.c send it.
 *
 * Results and Write chunks are paired by their order: RFC 8267 6.4.1 (ULB-CMP-03). A
 * result of zero bytes uses up its chunk. A result stays inline if its chunk is empty,
 * RFC 8166 4.3.2.3 (V1-WR-20), or if no chunk is left, RFC 8267 6.4.1 (ULB-CMP-08). The
 * pad of a reduced item is removed with it, RFC 8166 3.4.4.4 (V1-PAD-02), and is not
 * sent at all, RFC 8166 3.4.6.2 (V1-PAD-10).
 *
 * The reduced Reply is sent inline if it fits together with its header, which repeats
 * the lists of the Call. Otherwise it goes into the Reply chunk. If it fits nowhere, the
 * client gets an error. In version 2 the error tells how large the chunk would have to
 * be. All this is known before the first RDMA operation: RFC 8267 3.1 (ULB-RSZ-06).
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sunrpc/xdr.h>
#include <kunit/visibility.h>
#include "reply_plan.h"

/* RPC header of a Reply without verifier: XID, type, status, verifier, status */
#define SVCRDMA_REPLY_LEAST	(6 * sizeof(__be32))

static void svcrdma_plan_refuse(struct svcrdma_reply_plan *plan,
				enum rpcrdma_reason reason)
{
	plan->form = SVCRDMA_FORM_REFUSE;
	plan->reason = reason;
	if (reason == RPCRDMA_R_REPLY_TOO_BIG)
		plan->needed = plan->length;
}

static void svcrdma_plan_range(struct svcrdma_reply_plan *plan, u32 from, u32 to)
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
 * nfsd truncates a Reply when a later part of it cannot be encoded. Results that it
 * had reported before may then lie beyond the end.
 */
static bool svcrdma_result_valid(const struct svcrdma_range *result, u32 length)
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
		    !svcrdma_result_valid(result, length))
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
		svcrdma_plan_range(plan, end, result->offset);
		end = min_t(u64, length, (u64)result->offset +
			    ALIGN((u64)result->length, XDR_UNIT));
	}
	svcrdma_plan_range(plan, end, length);
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
 * svcrdma_reply_possible - is there room for the shortest Reply to a Call?
 * @call: decoded header of the Call
 * @inline_send: largest Send, bytes
 *
 * A Reply repeats the Write list and the Reply chunk, RFC 8166 3.4.6 (V1-WR-05). With many
 * segments that may be more than the client can receive. A Call whose Reply cannot be
 * sent must not be executed.
 *
 * Context: any.
 * Return: false if no Reply can be sent, inline or through the Reply chunk.
 */
bool svcrdma_reply_possible(const struct rpcrdma_msg *call, u32 inline_send)
{
	u32 size = call->header_size;

	/* The header of a Reply is never larger than that of its Call */
	if (likely(size + SVCRDMA_REPLY_LEAST <= inline_send))
		return true;
	size = svcrdma_reply_header_size(call);
	if (call->has_reply &&
	    rpcrdma_chunk_length(call, &call->reply) >= SVCRDMA_REPLY_LEAST)
		return size <= inline_send;
	return size + SVCRDMA_REPLY_LEAST <= inline_send;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_possible);

/**
 * svcrdma_reply_write_len - length of all Write chunks of a Call
 * @call: decoded header of the Call
 *
 * Context: any.
 * Return: bytes; may exceed 32 bits.
 */
u64 svcrdma_reply_write_len(const struct rpcrdma_msg *call)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < call->nwrites; i++)
		sum += rpcrdma_chunk_length(call, &call->writes[i]);
	return sum;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_write_len);

/**
 * svcrdma_reply_max_len - upper bound of the length of the Reply to a Call
 * @call: decoded header of the Call
 * @inline_send: largest Send, bytes
 *
 * No Reply fills both the Send and the Reply chunk.
 *
 * Context: any.
 * Return: the sum of @inline_send, the Write chunks and the Reply chunk, bytes; may exceed 32
 * bits.
 */
u64 svcrdma_reply_max_len(const struct rpcrdma_msg *call, u32 inline_send)
{
	u64 sum = inline_send + svcrdma_reply_write_len(call);

	if (call->has_reply)
		sum += rpcrdma_chunk_length(call, &call->reply);
	return sum;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_max_len);

/**
 * svcrdma_reply_plan - decide how to send a Reply
 * @plan: filled in
 * @call: decoded header of the Call; the segments of its Write list and Reply chunk
 *	  have the lengths that the client offered
 * @results: the DDP-eligible results in the Reply
 * @nresults: number of @results; 0 if nothing may be reduced
 * @length: length of the unreduced Reply, bytes
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
 * svcrdma_reply_header - turn the header of a Call into the header of its Reply
 * @msg: decoded header of the Call; afterwards the header of the Reply, in which the
 *	 length of each segment is the number of bytes written into it
 * @plan: plan for the Reply, not SVCRDMA_FORM_REFUSE
 * @grant: credits to grant, not 0
 *
 * A Reply repeats the Write list, RFC 8166 3.4.6 (V1-WR-05), with unused chunks of length
 * 0, RFC 8166 4.3.2.2 (V1-WR-16). It repeats the Reply chunk, RFC 8166 4.3.3
 * (V1-RPL-07), and has no Read list, RFC 8166 4.3.1 (V1-RD-08).
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
 * svcrdma_reply_inv_handle - choose the handle that a Reply invalidates remotely
 * @call: decoded header of the Call
 *
 * In version 2 the Call names the handle: rpcrdma-version-two-09 3.3 (V2-CHK-07). It
 * must be one of its own segments. In version 1 one handle of the Call is taken,
 * which the client would invalidate itself otherwise.
 *
 * Context: any.
 * Return: a handle that the Call offered, or 0 if there is none to invalidate.
 */
u32 svcrdma_reply_inv_handle(const struct rpcrdma_msg *call)
{
	const struct rpcrdma_codec *codec = rpcrdma_codec_find(call->vers);

	if (!codec || !codec->properties)
		return rpcrdma_msg_inv_handle(call);
	return rpcrdma_msg_has_handle(call, call->inv_handle) ?
	       call->inv_handle : 0;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_inv_handle);
