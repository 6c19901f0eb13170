// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a client does with a message that answers its Call.
 *
 * Input: version; the Call; the Reply as an honest server makes it, or any bytes;
 * changes of single words of it.
 */
#include <stdlib.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include "kunit/ref_checks.h"
#include "xprtrdma/protocol/v2/retry.h"
#include "message.h"

#define CALL_SEGS	16	/* what the reference checks have room for */
#define CALL_XID	cpu_to_be32(0x2b0000f0)

static void make_call(struct fuzz_input *in, struct rpcrdma_msg *call, u32 version)
{
	unsigned int segs = fuzz_below(in, 4);

	call->xid = CALL_XID;
	call->vers = version;
	call->dir = version == 2 ? RPCRDMA_DIR_CALL : RPCRDMA_DIR_UNKNOWN;
	call->type = fuzz_bool(in) ? RPCRDMA_NOMSG : RPCRDMA_MSG;
	while (segs--)
		fuzz_add_segment(in, call, &call->reads,
				 call->type == RPCRDMA_NOMSG ? 0 : 128);
	fuzz_add_results(in, call);
}

/* A Reply with the lists of the Call, filled to any length */
static void make_reply(struct fuzz_input *in, struct rpcrdma_msg *reply)
{
	u64 length = rpcrdma_chunk_length(reply, &reply->reply);
	unsigned int i;

	reply->dir = RPCRDMA_DIR_REPLY;
	reply->reads.nsegs = 0;
	reply->type = RPCRDMA_MSG;
	for (i = 0; i < reply->nwrites; i++)
		rpcrdma_chunk_returned(reply, &reply->writes[i],
				       min(rpcrdma_chunk_length(reply, &reply->writes[i]),
					   (u64)fuzz_any(in)));
	if (!reply->has_reply)
		return;
	length = min_t(u64, length, fuzz_any(in));
	if (length < 8 || fuzz_bool(in))
		length = 0;
	else
		reply->type = RPCRDMA_NOMSG;
	rpcrdma_chunk_returned(reply, &reply->reply, length);
}

/* Returns how many words were changed */
static unsigned int change_words(struct fuzz_input *in, __be32 *wire, size_t len)
{
	unsigned int n = fuzz_below(in, 4), i;

	for (i = 0; i < n && len >= 4; i++)
		wire[fuzz_below(in, len / 4)] = cpu_to_be32(fuzz_any(in));
	return n;
}

/* An error is retried once at most, and never if it does not say what would help */
static void check_retry(struct fuzz_input *in, const struct rpcrdma_msg *err,
			const struct rpcrdma_msg *call)
{
	struct xprtrdma_retry before = { .done = fuzz_bool(in) }, retry = before;
	u32 reply_max = fuzz_any(in);
	int ret = xprtrdma_retry(&retry, err, call, reply_max);

	CHECK(ret == 0 || ret == -EIO || ret == -EMSGSIZE || ret == -EREMOTEIO);
	if (ret) {
		CHECK(retry.done == before.done && !retry.no_reads && !retry.reply_chunk);
		return;
	}
	CHECK(!before.done && retry.done);
	CHECK(retry.no_reads != retry.reply_chunk);
	CHECK(call->vers == 2 && err->err != RPCRDMA_ERR_CHUNK);
	CHECK(err->err_length <= reply_max);
	CHECK(!retry.no_reads || (call->reads.nsegs && call->type == RPCRDMA_MSG));
}

static u64 returned(const struct rpcrdma_msg *reply, const struct rpcrdma_msg *call,
		    unsigned int i)
{
	u64 length = rpcrdma_chunk_length(reply, &reply->writes[i]);

	CHECK(length <= (i < call->nwrites ?
			 rpcrdma_chunk_length(call, &call->writes[i]) : 0));
	return length;
}

static void check_reply(const struct rpcrdma_msg *reply, const struct rpcrdma_msg *call,
			bool honest)
{
	enum rpcrdma_reason reason = rpcrdma_reply_check(reply, call);
	unsigned int i;

	CHECK(rpcrdma_ref_check_reply(reply, call) == !reason);
	if (honest)
		CHECK(!reason && rpcrdma_reply_exact(reply, call));
	if (reason)
		return;
	for (i = 0; i < reply->nwrites; i++)
		returned(reply, call, i);
	CHECK(rpcrdma_chunk_length(reply, &reply->reply) <=
	      rpcrdma_chunk_length(call, &call->reply));
	if (rpcrdma_reply_exact(reply, call))
		CHECK(reply->nwrites == call->nwrites && reply->has_reply == call->has_reply);
}

/* The bytes of an honest Reply; *@len: their number */
static void *encode_reply(struct fuzz_input *in, const struct rpcrdma_msg *call,
			  const struct rpcrdma_codec *codec, size_t *len)
{
	struct rpcrdma_msg *reply = fuzz_msg_copy(call);
	void *wire;

	make_reply(in, reply);
	*len = codec->size(reply);
	wire = malloc(*len);
	CHECK(codec->encode(reply, wire, *len) == *len);
	fuzz_msg_free(reply);
	return wire;
}

static void *any_bytes(struct fuzz_input *in, size_t *len)
{
	*len = min_t(size_t, in->left, FUZZ_MESSAGE_MAX);
	return fuzz_bytes(in, *len);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	u32 version = fuzz_bool(&in) ? 2 : 1;
	const struct rpcrdma_codec *codec = rpcrdma_codec_find(version);
	struct rpcrdma_msg *call = fuzz_msg(CALL_SEGS), *msg = fuzz_msg(CALL_SEGS);
	bool honest = !fuzz_bool(&in);
	enum rpcrdma_reason reason;
	size_t len;
	void *wire;

	make_call(&in, call, version);
	wire = honest ? encode_reply(&in, call, codec, &len) : any_bytes(&in, &len);
	if (honest && change_words(&in, wire, len))
		honest = false;
	reason = fuzz_decode(msg, BIT(version), wire, len);
	CHECK(!honest || !reason);
	if (!reason && msg->type == RPCRDMA_ERROR)
		check_retry(&in, msg, call);
	else if (!reason && msg->type != RPCRDMA_CONNPROP)
		check_reply(msg, call, honest);
	free(wire);
	fuzz_msg_free(msg);
	fuzz_msg_free(call);
	return 0;
}
