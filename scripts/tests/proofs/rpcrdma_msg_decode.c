// SPDX-License-Identifier: GPL-2.0-only
/*
 * The choice of a codec for a message of any bytes, for each set of versions. No error is ever
 * taken for a request in an unknown version, which could be answered with an error.
 *
 * Proves: rpcrdma_msg_decode() rpcrdma_decode_fixed() rpcrdma_decode_err_vers()
 * Proves: rpcrdma_codec_find() rpcrdma_codec_least()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: LEN=40 SEGS=1
 * Unwind: (LEN-20)/8+2
 * Loops: rpcrdma_list_reads=3 rpcrdma_list_array=SEGS+1 rpcrdma_codec_find=4
 * Loops: rpcrdma_props_decode=(LEN-24)/8+2
 * Meant: rpcrdma_props_decode arithmetic overflow on unsigned - in count
 */
#include <linux/bits.h>
#include "message.h"

static struct any_bytes bytes;

int main(void)
{
	unsigned long versions = any_up_to(RPCRDMA_VERSIONS_BOTH);
	size_t len = nondet_size_t();
	u8 *wire = any_message(&bytes, len);
	struct rpcrdma_segment segs[SEGS];
	enum rpcrdma_reason reason;
	struct rpcrdma_msg msg;
	bool accepted, error;

	__CPROVER_havoc_object(&bytes);
	ASSUME(versions && !(versions & 1));
	PROVE(rpcrdma_codec_least(&rpcrdma_codec_v1) == RPCRDMA_V1_HDR_MIN);
	PROVE(rpcrdma_codec_least(&rpcrdma_codec_v2) == RPCRDMA_V2_HDR_MIN);
	msg.segs = segs;
	msg.max_segs = SEGS;
	reason = rpcrdma_msg_decode(&msg, versions, wire, len);
	PROVE(reason < RPCRDMA_R_COUNT);
	if (len < RPCRDMA_FIXED_SIZE) {
		PROVE(reason == RPCRDMA_R_SHORT);
		return 0;
	}
	PROVE(msg.xid == *(__be32 *)wire);
	PROVE(msg.vers == word_at(wire, RPCRDMA_WORD_VERS));
	PROVE(msg.credits == word_at(wire, RPCRDMA_WORD_CREDIT));
	PROVE(msg.nsegs <= SEGS);
	accepted = msg.vers <= 2 && versions & BIT(msg.vers);
	error = word_at(wire, RPCRDMA_WORD_PROC) == RPCRDMA_WIRE_ERROR;
	if (error)
		PROVE(msg.type == RPCRDMA_ERROR);
	if (reason == RPCRDMA_R_VERS)
		PROVE(!accepted && !error && len >= RPCRDMA_V1_HDR_MIN);
	else if (!accepted && !error)
		PROVE(reason == RPCRDMA_R_SHORT && len < RPCRDMA_V1_HDR_MIN);
	if (reason)
		prove_no_lists(&msg);
	else
		PROVE(msg.header_size <= len);
	REACH(!reason && error && !accepted);
	REACH(!reason && msg.type == RPCRDMA_NOMSG && msg.vers == 2);
	return 0;
}
