// SPDX-License-Identifier: GPL-2.0-only
/*
 * A header of version 1 with any lists is encoded into a buffer of any size: nothing is written
 * behind its end, and what was written decodes to the same.
 *
 * Proves: rpcrdma_v1_encode() rpcrdma_v1_size() rpcrdma_chunk_lists_encode()
 * Proves: rpcrdma_chunk_lists_size() rpcrdma_v1_decode()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: LEN=72 SEGS=2 WRITES=2
 * Unwind: WRITES+2
 * Loops: rpcrdma_list_reads=SEGS+2 rpcrdma_list_array=SEGS+1 rpcrdma_list_put_array=SEGS+1
 * Loops: rpcrdma_chunk_lists_encode.0=SEGS+1 any_lists_to_send=SEGS+1 prove_same_lists.1=SEGS+1
 * Meant: xdr_encode_hyper arithmetic overflow on unsigned to unsigned type conversion in (u32)value
 */
#include "encode.h"

int main(void)
{
	struct rpcrdma_segment segs[SEGS], got_segs[SEGS];
	struct rpcrdma_msg msg, got;
	size_t len;
	u8 *wire;

	rpcrdma_msg_init(&msg, segs, SEGS);
	msg.type = any_up_to(RPCRDMA_ERROR);
	msg.xid = nondet_u32();
	msg.vers = nondet_u32();
	msg.credits = nondet_u32();
	if (msg.type != RPCRDMA_ERROR)
		any_lists_to_send(&msg, segs);
	msg.err = any_bool() ? RPCRDMA_ERR_VERS : RPCRDMA_ERR_CHUNK;
	msg.vers_low = nondet_u32();
	msg.vers_high = nondet_u32();
	wire = encode(&rpcrdma_codec_v1, &msg, &len);
	if (!wire)
		return 0;
	rpcrdma_msg_init(&got, got_segs, SEGS);
	PROVE(!rpcrdma_codec_v1.decode(&got, wire, len));
	PROVE(got.header_size == len);
	PROVE(got.type == msg.type && got.xid == msg.xid && got.credits == msg.credits);
	if (msg.type == RPCRDMA_ERROR) {
		PROVE(got.vers == msg.vers && got.err == msg.err);
		PROVE(msg.err != RPCRDMA_ERR_VERS || (got.vers_low == msg.vers_low &&
						      got.vers_high == msg.vers_high));
		return 0;
	}
	PROVE(got.vers == RPCRDMA_VERSION_ONE);
	prove_same_lists(&msg, &got);
	REACH(msg.reads.nsegs && msg.nwrites);
	REACH(msg.reply.nsegs == SEGS);
	return 0;
}
