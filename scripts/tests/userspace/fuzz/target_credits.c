// SPDX-License-Identifier: GPL-2.0-only
/*
 * The credit window of a client and the grants of a server, as events in any order,
 * beside a count of the Calls that the peer has not answered.
 *
 * Input: credits to ask for; then the events.
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <rpcrdma/credit.h>
#include "input.h"

/*
 * struct model - what the client knows
 * @credits:  the window
 * @asked:    credits that it asks for
 * @calls:    on the wire, wanted by sunrpc
 * @dropped:  on the wire, not wanted any more
 * @largest:  largest window since nothing was on the wire
 */
struct model {
	struct rpcrdma_credits	credits;
	u32			asked;
	u32			calls;
	u32			dropped;
	u32			largest;
};

enum event {
	EVENT_GRANT,
	EVENT_CALL,
	EVENT_REPLY,
	EVENT_ABANDON,
	EVENT_LATE_REPLY,
	EVENT_NEW_CONNECTION,
	EVENT_COUNT,
};

static void new_connection(struct model *m)
{
	rpcrdma_credits_reset(&m->credits);
	m->calls = 0;
	m->dropped = 0;
	m->largest = 1;
	CHECK(m->credits.window == 1);
}

static void grant(struct model *m, u32 granted)
{
	rpcrdma_credits_grant(&m->credits, m->asked, granted);
	if (granted >= 1 && granted <= m->asked)
		CHECK(m->credits.window == granted);
	m->largest = max(m->largest, m->credits.window);
}

/* sunrpc sends while it has fewer on the wire than are available */
static void call(struct model *m, u32 limit)
{
	u32 available = rpcrdma_credits_available(&m->credits, limit);

	CHECK(available <= limit && available <= m->credits.window);
	if (m->calls >= available)
		return;
	m->calls++;
	CHECK(m->calls + m->dropped <= m->credits.window);
}

static void late_reply(struct model *m)
{
	bool reclaimed = rpcrdma_credits_reclaim(&m->credits);

	CHECK(reclaimed == !!m->dropped);
	m->dropped -= reclaimed;
}

static void event(struct model *m, struct fuzz_input *in)
{
	switch ((enum event)fuzz_below(in, EVENT_COUNT)) {
	case EVENT_GRANT:
		grant(m, fuzz_any(in));
		break;
	case EVENT_CALL:
		call(m, fuzz_bool(in) ? U32_MAX : fuzz_any(in));
		break;
	case EVENT_REPLY:
		m->calls -= !!m->calls;
		break;
	case EVENT_ABANDON:
		if (!m->calls)
			break;
		m->calls--;
		m->dropped++;
		rpcrdma_credits_abandon(&m->credits);
		break;
	case EVENT_LATE_REPLY:
		late_reply(m);
		break;
	default:
		new_connection(m);
	}
}

static void check(const struct model *m)
{
	CHECK(m->credits.window >= 1);
	CHECK(m->credits.window <= max_t(u32, m->asked, 1));
	CHECK(m->credits.abandoned == m->dropped);
	CHECK(m->calls + m->dropped <= m->largest);
	CHECK(rpcrdma_credits_available(&m->credits, 0) == 0);
	if (!m->dropped)
		CHECK(rpcrdma_credits_available(&m->credits, U32_MAX) == m->credits.window);
}

/* A server grants at least one, and otherwise neither more than asked nor than it has */
static void check_server(struct fuzz_input *in)
{
	u32 asked = fuzz_any(in), has = fuzz_any(in), granted;

	granted = rpcrdma_credit_grant(asked, has);
	CHECK(granted >= 1);
	CHECK(granted <= max_t(u32, asked, 1) && granted <= max_t(u32, has, 1));
	CHECK(granted == asked || granted == has || granted == 1);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct model m;

	check_server(&in);
	m.asked = fuzz_any(&in);
	new_connection(&m);
	while (in.left) {
		event(&m, &in);
		check(&m);
	}
	return 0;
}
