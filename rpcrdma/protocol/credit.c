// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credit arithmetic (RFC 8166 3.3.1).
 *
 * A credit value is the level of messages that may be on the wire at once, not
 * a token that is used up (RFC 8166 3.3.1 (V1-CRED-07)). The newest value replaces
 * the old one. When it falls below the number of Calls on the wire, none of them is
 * canceled and no new one is sent. A window and a grant are never 0, whatever the
 * peer says. Pure: no device, no lock.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <rpcrdma/credit.h>
#include <rpcrdma/wire.h>

/**
 * rpcrdma_credit_window - how many Calls a Requester may have on the wire
 * @asked: credits that this side requests, messages
 * @granted: newest grant of the peer, messages; not trusted
 *
 * A grant above the request gives nothing extra (RFC 8166 3.3.1 (V1-CRED-06)), since
 * there are no Receives for the Replies.
 *
 * Context: any.
 * Return: 1 or more.
 */
u32 rpcrdma_credit_window(u32 asked, u32 granted)
{
	return max_t(u32, min(asked, granted), 1);
}
EXPORT_SYMBOL_GPL(rpcrdma_credit_window);

/**
 * rpcrdma_credits_reset - a new connection: nothing is on the wire
 * @credits: credit window
 *
 * The window is one Call until the first valid Reply (RFC 8166 3.3.3 (V1-CRED-12)).
 *
 * Context: any; the caller holds the owner's lock, or is the only user.
 */
void rpcrdma_credits_reset(struct rpcrdma_credits *credits)
{
	WRITE_ONCE(credits->window, RPCRDMA_V1_FIRST_CREDIT);
	WRITE_ONCE(credits->abandoned, 0);
}
EXPORT_SYMBOL_GPL(rpcrdma_credits_reset);

/**
 * rpcrdma_credits_grant - the newest grant replaces the one before
 * @credits: credit window
 * @asked: see rpcrdma_credit_window()
 * @granted: see rpcrdma_credit_window()
 *
 * Context: any; the caller holds the owner's lock.
 */
void rpcrdma_credits_grant(struct rpcrdma_credits *credits, u32 asked,
			   u32 granted)
{
	WRITE_ONCE(credits->window, rpcrdma_credit_window(asked, granted));
}
EXPORT_SYMBOL_GPL(rpcrdma_credits_grant);

/**
 * rpcrdma_credits_abandon - sunrpc is done with a Call that has no Reply yet
 * @credits: credit window; the Call takes one credit from now on, although sunrpc
 *	does not count it any more
 *
 * Context: any; the caller holds the owner's lock.
 */
void rpcrdma_credits_abandon(struct rpcrdma_credits *credits)
{
	WRITE_ONCE(credits->abandoned, credits->abandoned + 1);
}
EXPORT_SYMBOL_GPL(rpcrdma_credits_abandon);

/**
 * rpcrdma_credits_reclaim - a Reply to an abandoned Call may have come
 * @credits: credit window; gets the credit of one abandoned Call back
 *
 * Context: any; the caller holds the owner's lock.
 * Return: true if there was an abandoned Call; false if there was none, so that the
 * Reply is to something else.
 */
bool rpcrdma_credits_reclaim(struct rpcrdma_credits *credits)
{
	if (!credits->abandoned)
		return false;
	WRITE_ONCE(credits->abandoned, credits->abandoned - 1);
	return true;
}
EXPORT_SYMBOL_GPL(rpcrdma_credits_reclaim);

/**
 * rpcrdma_credits_available - Calls that sunrpc may have on the wire
 * @credits: credit window
 * @limit: at most that many credits are used, messages; U32_MAX if there is no limit
 *
 * To the peer an abandoned Call is unanswered like any other (RFC 8166 3.3.1
 * (V1-CRED-04)), so each makes the window smaller by one.
 *
 * Context: any; the caller holds the owner's lock.
 * Return: messages; 0 if abandoned Calls take all of the window.
 */
u32 rpcrdma_credits_available(const struct rpcrdma_credits *credits, u32 limit)
{
	u32 window = min(credits->window, limit);

	return window > credits->abandoned ? window - credits->abandoned : 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_credits_available);

/**
 * rpcrdma_credit_grant - what a Responder puts into its reply
 * @asked: newest request of the peer, messages; not trusted
 * @resources: Calls that can be taken at once, messages: their Receives are
 *	posted already (RFC 8166 3.3.1 (V1-CRED-09))
 *
 * Context: any.
 * Return: 1 or more (RFC 8166 3.3.1 (V1-CRED-05)).
 */
u32 rpcrdma_credit_grant(u32 asked, u32 resources)
{
	return max_t(u32, min(asked, resources), 1);
}
EXPORT_SYMBOL_GPL(rpcrdma_credit_grant);
