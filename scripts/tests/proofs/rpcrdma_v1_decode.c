// SPDX-License-Identifier: GPL-2.0-only
/*
 * A header of version 1, of any bytes: the decoder ends, reads nothing outside of it, and
 * accepts only lists that lie in it, within the limits.
 *
 * Proves: rpcrdma_v1_decode() rpcrdma_chunk_lists_decode() rpcrdma_chunk_lists_size()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: LEN=80 SEGS=2
 * Unwind: (LEN-20)/8+2
 * Loops: rpcrdma_list_reads=SEGS+2 rpcrdma_list_array=SEGS+1 prove_segments=SEGS+1
 */
#include "message.h"

static struct any_bytes bytes;

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
	reason = rpcrdma_codec_v1.decode(&msg, wire, len);
	PROVE(reason < RPCRDMA_R_COUNT);
	if (len < RPCRDMA_FIXED_SIZE) {
		PROVE(reason == RPCRDMA_R_SHORT);
		return 0;
	}
	PROVE(msg.segs == segs && msg.max_segs == SEGS);
	PROVE(msg.xid == *(__be32 *)wire);
	PROVE(msg.vers == word_at(wire, RPCRDMA_WORD_VERS));
	PROVE(msg.credits == word_at(wire, RPCRDMA_WORD_CREDIT));
	PROVE(msg.dir == RPCRDMA_DIR_UNKNOWN);
	if (reason) {
		prove_no_lists(&msg);
		REACH(reason == RPCRDMA_R_TOO_MANY_SEGS);
		REACH(reason == RPCRDMA_R_LIST_CUT);
		return 0;
	}
	PROVE(msg.header_size <= len && msg.header_size % 4 == 0);
	PROVE(msg.header_size == rpcrdma_codec_v1.size(&msg));
	if (msg.type == RPCRDMA_ERROR) {
		PROVE(msg.err == RPCRDMA_ERR_VERS || msg.err == RPCRDMA_ERR_CHUNK);
		prove_no_lists(&msg);
		return 0;
	}
	PROVE(msg.type == RPCRDMA_MSG || msg.type == RPCRDMA_NOMSG);
	prove_lists(&msg, len - RPCRDMA_FIXED_SIZE);
	prove_segments(&msg);
	REACH(msg.reads.nsegs == 1 && msg.nwrites == 1);
	REACH(msg.reply.nsegs == SEGS);
	return 0;
}
