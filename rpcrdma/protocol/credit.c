// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credit arithmetic (RFC 8166 section 3.3.1).
 *
 * A credit value is the level of messages that may be under way at once, not
 * a token that is used up (T-16, V1-CRED-07). Whoever keeps the level applies
 * the newest value by replacing the old one; when it shrinks below what is in
 * flight, nothing is canceled and nothing new is sent (T-17). A window and
 * a grant are never 0, whatever a peer says (T-18). Pure.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <rpcrdma/credit.h>

/**
 * rpcrdma_credit_window - how many Calls a Requester may have under way
 * @asked: credits that this end requests, messages
 * @granted: newest grant of the peer, messages; hostile
 *
 * A grant above the request gives nothing extra (T-19, V1-CRED-06), since
 * there are no Receives for the replies. Before the first valid reply on a
 * connection the caller passes RPCRDMA_V1_FIRST_CREDIT as @granted (T-20,
 * V1-CRED-12).
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
 * rpcrdma_credit_left - Calls that may still be under way besides given-up ones
 * @window: what rpcrdma_credit_window() returned last, messages
 * @late: Calls that nobody waits for any more, and that have no Reply yet,
 *	messages: to the peer they are unanswered like any other (V1-CRED-04)
 *
 * Context: any.
 * Return: messages; 0 if all of the window is taken by such Calls.
 */
u32 rpcrdma_credit_left(u32 window, u32 late)
{
	return window > late ? window - late : 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_credit_left);

/**
 * rpcrdma_credit_grant - what a Responder puts into its reply
 * @asked: newest request of the peer, messages; hostile
 * @resources: Calls that can be taken at once, messages: their Receives are
 *	posted already (T-21, V1-CRED-09)
 *
 * Context: any.
 * Return: 1 or more (V1-CRED-05).
 */
u32 rpcrdma_credit_grant(u32 asked, u32 resources)
{
	return max_t(u32, min(asked, resources), 1);
}
EXPORT_SYMBOL_GPL(rpcrdma_credit_grant);
