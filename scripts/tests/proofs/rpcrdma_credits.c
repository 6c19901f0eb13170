// SPDX-License-Identifier: GPL-2.0-only
/*
 * The credit window of a client, with any number of events in any order: from each state
 * that fits the count of unanswered Calls, each event leads to such a state. So Calls on the
 * wire never exceed the largest window since the connection began. The grant of a server.
 *
 * Proves: rpcrdma_credits_reset() rpcrdma_credits_grant() rpcrdma_credits_abandon()
 * Proves: rpcrdma_credits_reclaim() rpcrdma_credits_available() rpcrdma_credit_window()
 * Proves: rpcrdma_credit_grant()
 * Sources: rpcrdma/protocol/credit.c
 * Unwind: 1
 */
#include <linux/minmax.h>
#include <rpcrdma/credit.h>
#include "proof.h"

/*
 * struct client - what is true, beside what the code has noted
 * @credits:  the window
 * @asked:    credits that the client asks for
 * @calls:    on the wire, wanted by sunrpc
 * @dropped:  on the wire, not wanted any more
 * @largest:  largest window since nothing was on the wire
 */
struct client {
	struct rpcrdma_credits	credits;
	u32			asked;
	u32			calls;
	u32			dropped;
	u32			largest;
};

static bool is_sound(const struct client *c)
{
	return c->credits.window >= 1 &&
	       c->credits.window <= c->largest &&
	       c->largest <= max_t(u32, c->asked, 1) &&
	       c->credits.abandoned == c->dropped &&
	       (u64)c->calls + c->dropped <= c->largest;
}

static void new_connection(struct client *c)
{
	rpcrdma_credits_reset(&c->credits);
	c->calls = 0;
	c->dropped = 0;
	c->largest = 1;
}

static void grant(struct client *c)
{
	u32 granted = nondet_u32();

	rpcrdma_credits_grant(&c->credits, c->asked, granted);
	PROVE(c->credits.window <= granted || c->credits.window == 1);
	PROVE(c->credits.window <= c->asked || c->credits.window == 1);
	PROVE(c->credits.window == granted || granted < 1 || granted > c->asked);
	c->largest = max(c->largest, c->credits.window);
}

/* sunrpc sends while it has fewer on the wire than are available */
static void call(struct client *c)
{
	u32 limit = nondet_u32(), available = rpcrdma_credits_available(&c->credits, limit);

	PROVE(available <= limit && available <= c->credits.window);
	PROVE(available == c->credits.window || limit < c->credits.window || c->dropped);
	if (c->calls >= available)
		return;
	c->calls++;
	PROVE((u64)c->calls + c->dropped <= c->credits.window);
	REACH(c->dropped && c->calls > 1);
}

static void abandon(struct client *c)
{
	if (!c->calls)
		return;
	c->calls--;
	c->dropped++;
	rpcrdma_credits_abandon(&c->credits);
}

static void late_reply(struct client *c)
{
	bool reclaimed = rpcrdma_credits_reclaim(&c->credits);

	PROVE(reclaimed == !!c->dropped);
	if (reclaimed)
		c->dropped--;
}

static void any_event(struct client *c)
{
	switch (any_up_to(5)) {
	case 0:
		new_connection(c);
		break;
	case 1:
		grant(c);
		break;
	case 2:
		call(c);
		break;
	case 3:
		if (c->calls)
			c->calls--;
		break;
	case 4:
		abandon(c);
		break;
	default:
		late_reply(c);
	}
}

static void prove_server(void)
{
	u32 asked = nondet_u32(), resources = nondet_u32();
	u32 granted = rpcrdma_credit_grant(asked, resources);

	PROVE(granted >= 1);
	PROVE(granted <= resources || granted == 1);
	PROVE(granted <= asked || granted == 1);
	PROVE(granted == asked || granted == resources || granted == 1);
}

int main(void)
{
	struct client begin, any;

	begin.asked = nondet_u32();
	new_connection(&begin);
	PROVE(is_sound(&begin));
	ASSUME(is_sound(&any));
	any_event(&any);
	PROVE(is_sound(&any));
	prove_server();
	return 0;
}
