// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error that answers a message, for each reason and any fixed words: a peer of that version
 * can decode it, and it says what was refused.
 *
 * Proves: rpcrdma_msg_refuse() rpcrdma_error_encode() rpcrdma_versions() rpcrdma_msg_decode()
 * Proves: rpcrdma_v1_refuse() rpcrdma_v2_refuse()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: LEN=32
 * Unwind: 12
 * Loops: rpcrdma_list_reads=2 rpcrdma_list_array=2 rpcrdma_list_writes=3 rpcrdma_codec_find=4
 * Loops: rpcrdma_list_put_array=1 rpcrdma_chunk_lists_encode.0=1 rpcrdma_chunk_lists_encode.1=1
 * Loops: rpcrdma_chunk_lists_size=1 rpcrdma_props_decode=3
 */
#include <linux/bits.h>
#include "message.h"

static struct any_bytes bytes;

int main(void)
{
	enum rpcrdma_reason reason = any_up_to(RPCRDMA_R_COUNT - 1);
	unsigned long versions = any_up_to(RPCRDMA_VERSIONS_BOTH);
	struct rpcrdma_msg bad, err, got;
	int len;

	ASSUME(reason != RPCRDMA_OK && versions && !(versions & 1));
	rpcrdma_msg_init(&bad, NULL, 0);
	bad.type = any_up_to(RPCRDMA_CONNPROP);
	bad.xid = nondet_u32();
	bad.vers = nondet_u32();
	bad.reads.nsegs = nondet_u16();
	/* Any other reason is for a message in a version that is accepted */
	if (reason != RPCRDMA_R_VERS)
		ASSUME(bad.vers <= 2 && versions & BIT(bad.vers));
	rpcrdma_msg_refuse(&err, &bad, versions, reason);
	err.credits = nondet_u32();
	err.err_index = nondet_u32();
	err.err_length = nondet_u32();
	len = rpcrdma_error_encode(&err, bytes.memory, LEN);
	PROVE(len > 0 && len <= LEN);
	rpcrdma_msg_init(&got, NULL, 0);
	PROVE(!rpcrdma_msg_decode(&got, err.err == RPCRDMA_ERR_VERS ? RPCRDMA_VERSIONS_1 :
				  BIT(bad.vers), bytes.memory, len));
	PROVE(got.type == RPCRDMA_ERROR && got.xid == bad.xid && got.vers == bad.vers);
	PROVE(got.credits == err.credits && got.err == err.err);
	PROVE((got.err == RPCRDMA_ERR_VERS) == (reason == RPCRDMA_R_VERS));
	if (got.err == RPCRDMA_ERR_VERS) {
		PROVE(got.vers_low <= got.vers_high);
		PROVE(versions & BIT(got.vers_low) && versions & BIT(got.vers_high));
		PROVE(!(versions & ~(BIT(got.vers_low) | BIT(got.vers_high))));
	}
	REACH(got.err == RPCRDMA_ERR_READ_CHUNKS && got.err_max == 15);
	REACH(got.err == RPCRDMA_ERR_WRITE_RESOURCE && got.err_index == 3);
	return 0;
}
