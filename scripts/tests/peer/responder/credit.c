// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credit grants of all kinds. responder/rules.c checks at each Call that the
 * client does not exceed its grant.
 */
#include <stdatomic.h>
#include "responder/reverse.h"
#include "responder/scenarios.h"

#define THREADS	24
#define ROUNDS	10
#define DROPPED	20
#define LARGE	16
#define CALLS	50

static void *statfs_often(void *arg)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++)
		expect_result(do_statfs(), 0, "statfs");
	return NULL;
}

static void set_grant(unsigned int grant, unsigned int delay)
{
	responder_lock();
	server.set.grant = grant;
	server.set.delay = delay;
	server.observed.most = 0;
	responder_unlock();
}

/* The new grant takes effect with the Reply that carries it */
static void new_grant(unsigned int grant)
{
	set_grant(grant, 0);
	expect_result(do_statfs(), 0, "statfs");
	expect_result(do_statfs(), 0, "statfs");
	set_grant(grant, 5 * target.slow);
	in_threads(THREADS, statfs_often, NULL);
}

static void expect_most(unsigned int most)
{
	check(observe().most == most, "%u outstanding Calls instead of %u",
	      observe().most, most);
}

/* A server's mistake that must not stop the client: RFC 8166 (T-18) */
void client_grant_zero(void)
{
	setup("3");
	new_grant(0);
	expect_most(1);
	set_grant(32, 0);
	teardown();
}

void client_grant_one(void)
{
	setup("3");
	new_grant(1);
	expect_most(1);
	teardown();
}

/* A grant above the request has no effect: RFC 8166 (T-19) */
void client_grant_huge(void)
{
	static const unsigned int grants[] = { 1000000, 0x7fffffff, 0xffffffff };
	unsigned int i;

	setup("3");
	for (i = 0; i < 3; i++) {
		new_grant(grants[i]);
		expect_most(THREADS);
		check(observe().asked >= THREADS, "only %u credits are requested",
		      observe().asked);
	}
	teardown();
}

/*
 * A grant is a limit, not an increment, and the newest one counts:
 * RFC 8166 (T-16)
 */
void client_grant_changes(void)
{
	static const unsigned int grants[] = { 2, 7, 3, 16, 1, 12, 4 };
	unsigned int i;

	setup("3");
	for (i = 0; i < sizeof(grants) / sizeof(grants[0]); i++) {
		new_grant(grants[i]);
		expect_most(grants[i]);
	}
	teardown();
}

/*
 * Each Reply has another grant, which can be below the number of outstanding
 * Calls: RFC 8166 (T-17)
 */
static void next_grant(struct exchange *x)
{
	static unsigned int n;

	server.set.grant = 1 + n++ * 7 % 16;
	send_reply(x);
}

void client_grant_restless(void)
{
	setup("3");
	arm_fault(OP_STATFS, 1000000, NULL, next_grant);
	set_grant(16, 2);
	in_threads(THREADS, statfs_often, NULL);
	check(disarm_fault() == THREADS * ROUNDS, "Calls were lost");
	teardown();
}

/*
 * struct lowering - the grant falls below the number of outstanding Calls, several times
 * @turn:    index into lower_grants
 * @lowered: when the smaller grant was sent first, or 0
 * @counted: Replies since the client keeps to it
 */
static struct lowering {
	unsigned int	turn;
	int64_t		lowered;
	unsigned int	counted;
} lowering;

static const unsigned int lower_grants[] = { 2, 1, 5 };
static atomic_bool load_ends;

static void next_turn(void)
{
	lowering = (struct lowering) { .turn = lowering.turn + 1 };
	server.set.grant = LARGE;
	server.observed.most = 0;
	load_ends = lowering.turn == sizeof(lower_grants) / sizeof(lower_grants[0]);
}

/* Calls that were sent before the smaller grant arrived do not count */
static void lower_grant(struct exchange *x)
{
	struct observed *seen = &server.observed;
	unsigned int grant = load_ends ? 0 : lower_grants[lowering.turn];

	if (!load_ends && !lowering.lowered && seen->most >= LARGE) {
		server.set.grant = grant;
		lowering.lowered = verbs_now();
	} else if (lowering.lowered && !lowering.counted) {
		seen->most = 0;
		if (verbs_now() > lowering.lowered + 2 * OLD_GRANT_MS * target.slow)
			lowering.counted = 1;
	} else if (lowering.counted && lowering.counted++ == CALLS) {
		check(seen->most == grant, "%u outstanding Calls instead of %u", seen->most,
		      grant);
		next_turn();
	}
	send_reply(x);
}

static void *statfs_until(void *arg)
{
	while (!load_ends)
		expect_result(do_statfs(), 0, "statfs");
	return NULL;
}

/* Nothing new is sent before enough is answered: RFC 8166 (T-17) */
void client_grant_lowered(void)
{
	setup("3");
	set_grant(LARGE, 5);
	arm_fault(OP_STATFS, 1000000, NULL, lower_grant);
	in_threads(THREADS, statfs_until, NULL);
	check(observe().connects == 1, "%u connections", observe().connects);
	teardown();
}

/*
 * Reverse Calls, answered or dropped by the callback service, leave the credits of the
 * forward direction as they were: RFC 8167 4.1 (BI-CRED-02). Eight bytes are an XID and the
 * message type: too little to be answered.
 */
void client_reverse_dropped(void)
{
	unsigned int i;

	setup("4.1");
	for (i = 0; i < DROPPED; i++) {
		reverse_call_of(FIRST_XID + 2 * i, 8);
		reverse_call(FIRST_XID + 2 * i + 1, CALLBACK_PROGRAM);
		await_replies(i + 1);
		expect_accepted(FIRST_XID + 2 * i + 1, RPC_SUCCESS);
	}
	new_grant(3);
	expect_most(3);
	check(observe().connects == 1, "%u connections", observe().connects);
	teardown();
}
