// SPDX-License-Identifier: GPL-2.0-only
/*
 * A set of properties of any bytes, and the set that this side sends.
 *
 * Proves: rpcrdma_props_decode() rpcrdma_props_encode() rpcrdma_props_threshold()
 * Sources: rpcrdma/protocol/v2/props.c
 * Bounds: LEN=96
 * Unwind: LEN/8+2
 * Meant: rpcrdma_props_decode arithmetic overflow on unsigned - in count
 */
#include <linux/sunrpc/xdr.h>
#include <rpcrdma/v2/props.h>
#include "proof.h"

static u8 bytes[LEN];

static bool is_default(const struct rpcrdma_props *props)
{
	return props->recv_size == RPCRDMA_V2_DEF_INLINE && props->reverse == RPCRDMA_BRS_INLINE;
}

static enum rpcrdma_reason decode(struct rpcrdma_props *props, u8 *set, size_t len, size_t *used)
{
	struct xdr_stream xdr = { .base = set, .len = len };
	enum rpcrdma_reason reason = rpcrdma_props_decode(props, &xdr);

	*used = xdr_stream_pos(&xdr);
	return reason;
}

static void prove_threshold(const struct rpcrdma_props *props)
{
	u32 own = nondet_u32(), threshold = rpcrdma_props_threshold(props, own);

	PROVE(threshold <= own);
	PROVE(threshold >= RPCRDMA_V2_INLINE_MIN || threshold == own);
	PROVE(threshold <= props->recv_size || threshold <= RPCRDMA_V2_INLINE_MIN);
}

static void prove_any_set(void)
{
	size_t len = nondet_size_t(), used;
	struct rpcrdma_props props;
	enum rpcrdma_reason reason;

	ASSUME(len <= LEN);
	reason = decode(&props, bytes + LEN - len, len, &used);
	PROVE(!reason || reason == RPCRDMA_R_PROPERTY);
	PROVE(props.reverse <= RPCRDMA_BRS_GENERAL);
	PROVE(!reason || is_default(&props));
	PROVE(reason || (used <= len && used % 4 == 0 && used >= 4));
	REACH(!reason && used == LEN);
	REACH(!reason && props.recv_size == 1);
	prove_threshold(&props);
}

static void prove_own_set(void)
{
	struct rpcrdma_props own, props;
	__be32 set[7];
	size_t used;

	own.recv_size = nondet_u32();
	own.reverse = any_up_to(RPCRDMA_BRS_GENERAL);
	PROVE(rpcrdma_props_size() == sizeof(set));
	PROVE(rpcrdma_props_encode(set, &own) == set + 7);
	PROVE(!decode(&props, (u8 *)set, sizeof(set), &used));
	PROVE(used == sizeof(set) && props.reverse == own.reverse);
	PROVE(props.recv_size == max_t(u32, own.recv_size, RPCRDMA_V2_DEF_INLINE));
}

int main(void)
{
	__CPROVER_havoc_object(bytes);
	prove_any_set();
	prove_own_set();
	return 0;
}
