// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection and its keepalive over time: only legal moves, and a peer is dead only
 * after it was silent for long enough.
 *
 * Input: seconds, then events: a wanted state, or a look at the connection.
 */
#include <rpcrdma/keepalive.h>
#include <rpcrdma/state.h>
#include "input.h"

/*
 * struct peer - what a look can find
 * @plan:     what the last look has found
 * @activity: signs of life
 * @seen:     of them, at the last look
 * @silent:   looks since the last that has found one
 * @sent:     keepalives since then
 */
struct peer {
	struct rpcrdma_keepalive_plan	plan;
	u32				activity;
	u32				seen;
	unsigned int			silent;
	unsigned int			sent;
};

/* Each legal move leads further, and the only way to the end is through Closing */
static enum rpcrdma_state move(enum rpcrdma_state from, u32 to)
{
	CHECK(*rpcrdma_state_name(to));
	if (!rpcrdma_state_may_move(from, to))
		return from;
	CHECK(to < RPCRDMA_S_COUNT && to > from);
	CHECK((to == RPCRDMA_S_CLOSED) == (from == RPCRDMA_S_CLOSING));
	CHECK(to != RPCRDMA_S_ESTABLISHED || from == RPCRDMA_S_CONNECTING);
	return to;
}

/* From everywhere a connection can be closed */
static void close_it(enum rpcrdma_state state)
{
	if (state < RPCRDMA_S_CLOSING)
		state = move(state, RPCRDMA_S_CLOSING);
	if (state == RPCRDMA_S_CLOSING)
		state = move(state, RPCRDMA_S_CLOSED);
	CHECK(state == RPCRDMA_S_CLOSED);
	CHECK(!rpcrdma_state_may_move(state, RPCRDMA_S_NEW));
}

/* Returns whether the peer is dead */
static bool look(struct peer *peer, bool in_progress)
{
	enum rpcrdma_keepalive_step step;

	step = rpcrdma_keepalive_look(&peer->plan, peer->activity, in_progress);
	if (peer->activity != peer->seen) {
		CHECK(step == RPCRDMA_KEEPALIVE_WAIT);
		peer->seen = peer->activity;
		peer->silent = 0;
		peer->sent = 0;
		return false;
	}
	peer->silent++;
	switch (step) {
	case RPCRDMA_KEEPALIVE_SEND:
		CHECK(!in_progress && !peer->sent);
		peer->sent++;
		break;
	case RPCRDMA_KEEPALIVE_WAIT:
		/* One that is in the send queue already takes the place of the first */
		CHECK(in_progress || peer->sent);
		peer->sent++;
		break;
	case RPCRDMA_KEEPALIVE_DEAD:
		/* half of the looks, after the one at which a keepalive was sent */
		CHECK(peer->silent > RPCRDMA_KEEPALIVE_LOOKS / 2);
		break;
	}
	CHECK(peer->silent <= RPCRDMA_KEEPALIVE_LOOKS - 1);
	return step == RPCRDMA_KEEPALIVE_DEAD;
}

static void check_interval(u32 seconds, u32 sooner, u32 ack_timeout)
{
	unsigned int least = rpcrdma_keepalive_min_ms(ack_timeout);
	unsigned int within = rpcrdma_keepalive_timeout_ms(seconds, sooner, least);
	unsigned int interval = rpcrdma_keepalive_interval(within);

	CHECK(within <= seconds * 1000);
	CHECK(!sooner || within <= sooner || within <= least);
	CHECK(within == seconds * 1000 || within == sooner || within == least);
	CHECK(interval * RPCRDMA_KEEPALIVE_LOOKS <= within);
	CHECK(within < RPCRDMA_KEEPALIVE_LOOKS || interval);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	enum rpcrdma_state state = RPCRDMA_S_NEW;
	struct peer peer = { .activity = fuzz_any(&in) };
	bool dead = false;
	u8 what;

	check_interval(fuzz_below(&in, RPCRDMA_KEEPALIVE_MAX + 1), fuzz_any(&in),
		       fuzz_below(&in, 32));
	peer.seen = peer.activity;
	rpcrdma_keepalive_begin(&peer.plan, peer.activity);
	while (in.left && !dead) {
		what = fuzz_u8(&in);
		if (what & 1) {
			state = move(state, what & 2 ? fuzz_any(&in) : what >> 4);
			continue;
		}
		/* The counter wraps */
		if (what & 2)
			peer.activity = peer.activity == (u32)-1 ? 0 : peer.activity + 1;
		dead = look(&peer, what & 4);
	}
	close_it(state);
	return 0;
}
