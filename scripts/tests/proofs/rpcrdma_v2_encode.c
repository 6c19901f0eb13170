// SPDX-License-Identifier: GPL-2.0-only
/*
 * A header of version 2 with any lists, a CONNPROP or an error is encoded into a buffer of any
 * size: nothing is written behind its end, and what was written decodes to the same.
 *
 * Proves: rpcrdma_v2_encode() rpcrdma_v2_size() rpcrdma_props_encode() rpcrdma_v2_decode()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Bounds: LEN=68 SEGS=1 WRITES=1
 * Unwind: WRITES+2
 * Loops: rpcrdma_list_reads=SEGS+2 rpcrdma_list_array=SEGS+1 rpcrdma_list_put_array=SEGS+1
 * Loops: rpcrdma_chunk_lists_encode.0=SEGS+1 any_lists_to_send=SEGS+1 prove_same_lists.1=SEGS+1
 * Loops: rpcrdma_v2_error_code=11 rpcrdma_props_decode=4
 * Meant: rpcrdma_props_decode arithmetic overflow on unsigned - in count
 * Meant: xdr_encode_hyper arithmetic overflow on unsigned to unsigned type conversion in (u32)value
 */
#include <linux/minmax.h>
#include "encode.h"

static void prove_same_error(const struct rpcrdma_msg *msg, const struct rpcrdma_msg *got)
{
	PROVE(got->vers == msg->vers && got->err == msg->err);
	switch (msg->err) {
	case RPCRDMA_ERR_VERS:
		PROVE(got->vers_low == msg->vers_low && got->vers_high == msg->vers_high);
		break;
	case RPCRDMA_ERR_READ_CHUNKS:
	case RPCRDMA_ERR_WRITE_CHUNKS:
	case RPCRDMA_ERR_SEGMENTS:
		PROVE(got->err_max == msg->err_max);
		break;
	case RPCRDMA_ERR_WRITE_RESOURCE:
		PROVE(got->err_index == msg->err_index && got->err_length == msg->err_length);
		break;
	case RPCRDMA_ERR_REPLY_RESOURCE:
		PROVE(got->err_length == msg->err_length);
		break;
	default:
		break;
	}
}

static void any_contents(struct rpcrdma_msg *msg)
{
	msg->type = any_up_to(RPCRDMA_CONNPROP);
	msg->dir = any_bool() ? RPCRDMA_DIR_CALL : RPCRDMA_DIR_REPLY;
	msg->xid = nondet_u32();
	msg->vers = nondet_u32();
	msg->credits = nondet_u32();
	msg->inv_handle = nondet_u32();
	msg->props.recv_size = nondet_u32();
	msg->props.reverse = any_up_to(RPCRDMA_BRS_GENERAL);
	msg->err = any_up_to(RPCRDMA_ERR_SYSTEM);
	/* An error of version 2, and an ERR_VERS that a peer with version 1 only sends */
	ASSUME(msg->err != RPCRDMA_ERR_NONE && msg->err != RPCRDMA_ERR_CHUNK);
	msg->vers_low = 1;
	msg->vers_high = 1;
	msg->err_max = nondet_u32();
	msg->err_index = nondet_u32();
	msg->err_length = nondet_u32();
}

int main(void)
{
	struct rpcrdma_segment segs[SEGS], got_segs[SEGS];
	struct rpcrdma_msg msg, got;
	size_t len;
	u8 *wire;

	rpcrdma_msg_init(&msg, segs, SEGS);
	any_contents(&msg);
	if (msg.type < RPCRDMA_ERROR)
		any_lists_to_send(&msg, segs);
	wire = encode(&rpcrdma_codec_v2, &msg, &len);
	if (!wire)
		return 0;
	rpcrdma_msg_init(&got, got_segs, SEGS);
	PROVE(!rpcrdma_codec_v2.decode(&got, wire, len));
	PROVE(got.header_size == len);
	PROVE(got.type == msg.type && got.xid == msg.xid && got.credits == msg.credits);
	if (msg.type == RPCRDMA_ERROR) {
		prove_same_error(&msg, &got);
		return 0;
	}
	PROVE(got.vers == RPCRDMA_VERSION_TWO && got.dir == msg.dir);
	if (msg.type == RPCRDMA_CONNPROP) {
		PROVE(got.props.recv_size == max_t(u32, msg.props.recv_size,
						   RPCRDMA_V2_DEF_INLINE));
		PROVE(got.props.reverse == msg.props.reverse);
		return 0;
	}
	PROVE(got.inv_handle == (msg.dir == RPCRDMA_DIR_CALL ? msg.inv_handle : 0));
	prove_same_lists(&msg, &got);
	REACH(msg.reads.nsegs && msg.nwrites);
	REACH(msg.reply.nsegs == SEGS);
	return 0;
}
