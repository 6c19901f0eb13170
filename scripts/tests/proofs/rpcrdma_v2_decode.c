// SPDX-License-Identifier: GPL-2.0-only
/*
 * A header of version 2, of any bytes: the decoder ends, reads nothing outside of it, and
 * accepts only lists that lie in it, within the limits. (Sets of properties are longer in
 * rpcrdma_props_decode.)
 *
 * Proves: rpcrdma_v2_decode() rpcrdma_chunk_lists_decode()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: LEN=72 SEGS=1
 * Unwind: (LEN-28)/8+2
 * Loops: rpcrdma_list_reads=SEGS+2 rpcrdma_list_array=SEGS+1 prove_segments=SEGS+1
 * Loops: rpcrdma_props_decode=(LEN-24)/8+2 rpcrdma_v2_error_code=10
 * Meant: rpcrdma_props_decode arithmetic overflow on unsigned - in count
 */
#include "message.h"

static struct any_bytes bytes;

static void prove_error(const struct rpcrdma_msg *msg, size_t len)
{
	prove_no_lists(msg);
	PROVE(msg->dir == RPCRDMA_DIR_REPLY);
	PROVE(msg->err > RPCRDMA_ERR_CHUNK || msg->err == RPCRDMA_ERR_VERS);
	PROVE(msg->err <= RPCRDMA_ERR_UNKNOWN);
	PROVE(len >= RPCRDMA_V2_ERR_MIN);
	REACH(msg->err == RPCRDMA_ERR_VERS && len == RPCRDMA_V1_ERR_VERS_SIZE);
	REACH(msg->err == RPCRDMA_ERR_UNKNOWN);
}

int main(void)
{
	size_t len = nondet_size_t();
	u8 *wire = any_message(&bytes, len);
	struct rpcrdma_segment segs[SEGS];
	struct rpcrdma_msg msg;
	enum rpcrdma_reason reason;

	__CPROVER_havoc_object(&bytes);
	msg.segs = segs;
	msg.max_segs = SEGS;
	reason = rpcrdma_codec_v2.decode(&msg, wire, len);
	PROVE(reason < RPCRDMA_R_COUNT);
	if (len < RPCRDMA_FIXED_SIZE) {
		PROVE(reason == RPCRDMA_R_SHORT);
		return 0;
	}
	PROVE(msg.segs == segs && msg.max_segs == SEGS);
	PROVE(msg.xid == *(__be32 *)wire);
	PROVE(msg.vers == word_at(wire, RPCRDMA_WORD_VERS));
	PROVE(msg.credits == word_at(wire, RPCRDMA_WORD_CREDIT));
	PROVE(msg.props.reverse <= RPCRDMA_BRS_GENERAL);
	/* Known even if it is refused, so that no Reply and no error is answered */
	if (len >= RPCRDMA_V2_PREFIX_SIZE)
		PROVE(msg.dir == RPCRDMA_DIR_CALL || msg.dir == RPCRDMA_DIR_REPLY);
	if (word_at(wire, RPCRDMA_WORD_PROC) == RPCRDMA_WIRE_ERROR)
		PROVE(msg.type == RPCRDMA_ERROR && (!reason || reason == RPCRDMA_R_ERR_BODY));
	if (reason) {
		prove_no_lists(&msg);
		REACH(reason == RPCRDMA_R_TOO_MANY_SEGS);
		REACH(reason == RPCRDMA_R_PROPERTY);
		return 0;
	}
	PROVE(msg.header_size <= len && msg.header_size % 4 == 0);
	if (msg.type == RPCRDMA_ERROR) {
		prove_error(&msg, len);
		return 0;
	}
	PROVE(msg.inv_handle == 0 || msg.dir == RPCRDMA_DIR_CALL);
	if (msg.type == RPCRDMA_CONNPROP) {
		prove_no_lists(&msg);
		return 0;
	}
	PROVE(msg.type == RPCRDMA_MSG || msg.type == RPCRDMA_NOMSG);
	PROVE(msg.header_size == rpcrdma_codec_v2.size(&msg));
	prove_lists(&msg, len - RPCRDMA_V2_PREFIX_SIZE - 4);
	prove_segments(&msg);
	REACH(msg.reads.nsegs == 1 && msg.nwrites == 1);
	REACH(msg.reply.nsegs == SEGS);
	return 0;
}
