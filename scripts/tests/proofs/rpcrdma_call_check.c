// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks of a Call that depend on its payload, for any decoded message and any payload: no
 * byte behind the payload is read, and what is accepted has an RPC Call.
 *
 * Proves: rpcrdma_call_check() rpcrdma_msg_direction() rpcrdma_payload_direction()
 * Proves: rpcrdma_payload_check()
 * Sources: rpcrdma/protocol/check.c rpcrdma/protocol/chunk.c
 * Bounds: LEN=16 SEGS=4 WRITES=2
 * Unwind: SEGS+1
 */
#include "message.h"

static struct any_bytes bytes;

/* The bytes of the Position Zero chunk */
static u64 p0_length(const struct rpcrdma_msg *msg, bool *has_p0)
{
	u64 sum = 0;
	u32 i;

	*has_p0 = false;
	for (i = 0; i < msg->reads.nsegs; i++)
		if (!msg->segs[i].position) {
			*has_p0 = true;
			sum += msg->segs[i].length;
		}
	return sum;
}

static void prove_direction(const struct rpcrdma_msg *msg, const u8 *payload, size_t len)
{
	enum rpcrdma_direction dir = rpcrdma_msg_direction(msg, payload, len);

	PROVE(dir == RPCRDMA_DIR_UNKNOWN || dir == RPCRDMA_DIR_CALL || dir == RPCRDMA_DIR_REPLY);
	if (msg->dir != RPCRDMA_DIR_UNKNOWN) {
		PROVE(dir == msg->dir);
		return;
	}
	if (msg->type == RPCRDMA_ERROR)
		PROVE(dir == RPCRDMA_DIR_REPLY);
	if (msg->type == RPCRDMA_MSG && dir != RPCRDMA_DIR_UNKNOWN)
		PROVE(len >= 8 && word_at(payload, 1) == (dir == RPCRDMA_DIR_CALL ? 0 : 1));
	if (msg->type == RPCRDMA_NOMSG && dir == RPCRDMA_DIR_CALL)
		PROVE(msg->reads.nsegs);
}

int main(void)
{
	size_t len = nondet_size_t();
	u8 *payload = any_message(&bytes, len);
	struct rpcrdma_segment segs[SEGS];
	enum rpcrdma_reason reason;
	struct rpcrdma_msg msg;
	bool has_p0;
	u64 p0;

	__CPROVER_havoc_object(&bytes);
	rpcrdma_msg_init(&msg, segs, SEGS);
	any_lists(&msg, segs);
	msg.xid = nondet_u32();
	msg.type = any_up_to(RPCRDMA_CONNPROP);
	msg.dir = any_up_to(RPCRDMA_DIR_REPLY);
	prove_direction(&msg, payload, len);
	reason = rpcrdma_call_check(&msg, payload, len);
	p0 = p0_length(&msg, &has_p0);
	if (reason) {
		/* A Call with all that it needs is not refused */
		PROVE(msg.type != RPCRDMA_MSG || has_p0 || len < 8 ||
		      *(__be32 *)payload != msg.xid || word_at(payload, 1));
		PROVE(msg.type != RPCRDMA_NOMSG || p0 < 8);
		return 0;
	}
	PROVE(msg.type == RPCRDMA_MSG || msg.type == RPCRDMA_NOMSG);
	if (msg.type == RPCRDMA_NOMSG) {
		PROVE(has_p0 && p0 >= 8);
	} else {
		PROVE(!has_p0 && len >= 8);
		PROVE(*(__be32 *)payload == msg.xid && word_at(payload, 1) == 0);
	}
	REACH(msg.type == RPCRDMA_NOMSG && msg.reads.nsegs == SEGS);
	REACH(msg.type == RPCRDMA_MSG && msg.nwrites);
	return 0;
}
