// SPDX-License-Identifier: GPL-2.0-only
/*
 * CM private data of any bytes, and what an end announces: sizes are in range, and those
 * that were announced come back.
 *
 * Proves: rpcrdma_cm_private_decode() rpcrdma_cm_private_encode() rpcrdma_inline_threshold()
 * Sources: rpcrdma/protocol/cm_private.c
 * Bounds: LEN=256
 * Unwind: 1
 */
#include <rpcrdma/cm_private.h>
#include <asm/byteorder.h>
#include "proof.h"

static u8 bytes[LEN];

static void prove_size(u32 size)
{
	PROVE(size >= RPCRDMA_CMP_SIZE_UNIT && size <= RPCRDMA_CMP_SIZE_MAX);
	PROVE(size % RPCRDMA_CMP_SIZE_UNIT == 0);
}

/* Any length up to LEN; 0 is also no data at all */
static void prove_decode(void)
{
	size_t len = nondet_size_t();
	struct rpcrdma_cm_private priv;
	u8 *data = NULL;
	bool ours;

	ASSUME(len <= LEN);
	if (len || any_bool())
		data = bytes + LEN - len;
	rpcrdma_cm_private_decode(&priv, data, len);
	prove_size(priv.send_size);
	prove_size(priv.recv_size);
	ours = len >= 8 && data[0] == 0xf6 && data[1] == 0xab && data[2] == 0x0e &&
	       data[3] == 0x18 && data[4] == 1;
	PROVE(priv.present == ours);
	if (!priv.present) {
		PROVE(priv.send_size == RPCRDMA_V1_DEF_INLINE);
		PROVE(priv.recv_size == RPCRDMA_V1_DEF_INLINE);
		PROVE(!priv.remote_inv);
		return;
	}
	PROVE(priv.remote_inv == (data[5] & 1));
	PROVE(priv.send_size == (data[6] + 1) * 1024);
	PROVE(priv.recv_size == (data[7] + 1) * 1024);
	REACH(priv.remote_inv && priv.send_size == RPCRDMA_CMP_SIZE_MAX);
}

/* Never more than there is, unless that is too little, and less than 1 KiB less */
static void prove_announced(u32 size, u32 announced)
{
	prove_size(announced);
	PROVE(announced <= size || size < RPCRDMA_CMP_SIZE_UNIT);
	if (announced < size && size <= RPCRDMA_CMP_SIZE_MAX)
		PROVE(size - announced < RPCRDMA_CMP_SIZE_UNIT);
}

static void prove_round_trip(void)
{
	struct rpcrdma_cm_private own = {
		.send_size = nondet_u32(), .recv_size = nondet_u32(),
		.remote_inv = any_bool(), .present = any_bool(),
	}, priv;
	struct rpcrdma_wire_cmp wire;

	rpcrdma_cm_private_encode(&own, &wire);
	rpcrdma_cm_private_decode(&priv, &wire, sizeof(wire));
	PROVE(priv.present && priv.remote_inv == own.remote_inv);
	prove_announced(own.send_size, priv.send_size);
	prove_announced(own.recv_size, priv.recv_size);
}

static void prove_threshold(void)
{
	u32 sender = nondet_u32(), receiver = nondet_u32();
	u32 threshold = rpcrdma_inline_threshold(sender, receiver);

	PROVE(threshold <= sender && threshold <= receiver);
	PROVE(threshold == sender || threshold == receiver);
}

int main(void)
{
	__CPROVER_havoc_object(bytes);
	prove_decode();
	prove_round_trip();
	prove_threshold();
	return 0;
}
