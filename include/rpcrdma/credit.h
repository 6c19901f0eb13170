/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Credit arithmetic (RFC 8166 3.3.1). Credits are levels, not
 * tokens: the newest value replaces the one before. Pure: no device, no lock.
 */
#ifndef _RPCRDMA_CREDIT_H
#define _RPCRDMA_CREDIT_H

#include <linux/types.h>

/**
 * struct rpcrdma_credits - the credit window of a Requester
 * @window:    Calls that may be on the wire: the newest grant, capped by what was
 *	       asked for
 * @abandoned: Calls on the wire that sunrpc is done with. The peer has not answered
 *	       them, so each takes one credit until it does
 *
 * The owner's lock protects both. They are written with WRITE_ONCE(), so that they
 * can be read without the lock, with READ_ONCE().
 */
struct rpcrdma_credits {
	u32	window;
	u32	abandoned;
};

/* protocol/credit.c */
void rpcrdma_credits_reset(struct rpcrdma_credits *credits);
void rpcrdma_credits_grant(struct rpcrdma_credits *credits, u32 asked,
			   u32 granted);
void rpcrdma_credits_abandon(struct rpcrdma_credits *credits);
bool rpcrdma_credits_reclaim(struct rpcrdma_credits *credits);
u32 rpcrdma_credits_available(const struct rpcrdma_credits *credits, u32 limit);
u32 rpcrdma_credit_window(u32 asked, u32 granted);
u32 rpcrdma_credit_grant(u32 asked, u32 resources);

#endif /* _RPCRDMA_CREDIT_H */
