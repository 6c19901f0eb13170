/* SPDX-License-Identifier: GPL-2.0-only */
/* What holds for the sizes of a connection on both sides */
#ifndef _PROOFS_LIMITS_H
#define _PROOFS_LIMITS_H

#include <linux/errno.h>
#include <linux/minmax.h>
#include <asm/page.h>
#include <rpcrdma/limits.h>
#include <rpcrdma/msg.h>
#include "proof.h"

static inline u32 pages_of(u32 bytes)
{
	return bytes / PAGE_SIZE + (bytes % PAGE_SIZE ? 1 : 0);
}

static inline bool inline_valid(u32 size)
{
	return size && size % 1024 == 0 && size <= 256 * 1024;
}

static inline bool settings_valid(const struct rpcrdma_settings *s)
{
	return s->credits >= 1 && s->credits <= 16384 && s->bc_credits <= 16384 &&
	       s->spare_recvs <= 16384 && s->unsignaled <= RPCRDMA_UNSIGNALED_MAX &&
	       inline_valid(s->inline_send) && inline_valid(s->inline_recv) &&
	       s->max_payload >= 1024 && s->max_payload <= 16 << 20;
}

/* A Send is unsignaled only while the slots of the longest chain are left */
static inline void prove_unsignaled(const struct rpcrdma_limits *l)
{
	u32 sends = nondet_u32(), kept = any_up_to(l->send_depth);
	u32 slots = any_up_to(l->send_depth);

	if (!rpcrdma_limits_may_unsignal(l, sends, kept, slots))
		return;
	PROVE(sends < l->unsignaled);
	PROVE(kept + slots <= l->unsignaled_slots);
}

/* @chain: slots that the longest WR chain takes */
static inline void prove_limits(const struct rpcrdma_limits *l, const struct rpcrdma_caps *c,
				const struct rpcrdma_settings *s, u32 chain)
{
	PROVE(l->credits >= 1 && l->credits <= s->credits);
	PROVE(l->bc_credits == s->bc_credits && l->spare_recvs == s->spare_recvs);
	PROVE(l->inline_send == s->inline_send && l->inline_recv == s->inline_recv);
	PROVE(l->max_payload && l->max_payload <= s->max_payload);
	PROVE(l->recv_depth == l->credits + l->bc_credits + s->spare_recvs);
	PROVE(c->max_qp_wr >= RPCRDMA_RESERVED_SENDS);
	PROVE((u64)l->recv_depth + RPCRDMA_RESERVED_RECVS <= c->max_qp_wr);
	PROVE((u64)l->send_depth + RPCRDMA_RESERVED_SENDS <= c->max_qp_wr);
	PROVE(l->cq_depth <= c->max_cqe);
	PROVE(l->cq_depth == (u64)l->send_depth + l->recv_depth + RPCRDMA_RESERVED_SENDS +
			     RPCRDMA_RESERVED_RECVS);
	PROVE(l->send_sges >= 1 && l->send_sges <= c->max_send_sge && c->max_recv_sge);
	PROVE(l->unsignaled <= s->unsignaled && l->unsignaled <= l->unsignaled_slots);
	/* The longest chain fits beside the unsignaled Sends, so nothing waits for ever */
	PROVE(l->unsignaled_slots <= l->send_depth);
	PROVE(l->send_depth - l->unsignaled_slots >= chain);
	prove_unsignaled(l);
}

/* Each attempt is smaller, so that a device which refuses all of them is not asked for ever */
static inline void prove_fewer(const struct rpcrdma_limits *l)
{
	int error = nondet_u8();
	u32 next = rpcrdma_limits_fewer(l, -error);

	PROVE(!next || (next < l->credits && next >= 4));
	PROVE(!next || error == ENOMEM || error == EINVAL);
	PROVE(next || (error != ENOMEM && error != EINVAL) || l->credits <= 4);
}

#endif /* _PROOFS_LIMITS_H */
