// SPDX-License-Identifier: GPL-2.0-only
/*
 * The negotiation of one side, with any events in any order: only legal moves, each one
 * for something that the peer has said.
 *
 * Input: versions, side; then events, some with a message.
 */
#include <stdlib.h>
#include <linux/minmax.h>
#include <rpcrdma/v2/negotiate.h>
#include "message.h"

#define XID		cpu_to_be32(0x2b0000f0)
#define SERVER_SEGS	8

enum event {
	EVENT_MESSAGE,
	EVENT_OPENED,
	EVENT_NOT_OPENED,
	EVENT_TELL,
	EVENT_TOLD,
	EVENT_USED,
	EVENT_OUTDATED,
	EVENT_LOST,
	EVENT_COUNT,
};

/* @past is what a client remembers */
struct side {
	struct rpcrdma_negotiation	neg;
	struct rpcrdma_negotiate_past	past;
	unsigned long			versions;
	bool				client;
};

static void begin(struct side *side)
{
	struct rpcrdma_negotiation *neg = &side->neg;

	if (side->client)
		rpcrdma_negotiate_client(neg, &side->past, side->versions, XID);
	else
		rpcrdma_negotiate_server(neg, side->versions);
	CHECK(neg->client == side->client && !neg->has_props && !neg->used);
	if (!side->client)
		CHECK(neg->state == RPCRDMA_NEGOTIATE_OPEN);
	/* A version that is accepted alone is tried, whatever is remembered */
	else if (side->versions == RPCRDMA_VERSIONS_2)
		CHECK(neg->state == RPCRDMA_NEGOTIATE_ASKING);
	else if (side->versions == RPCRDMA_VERSIONS_1 || side->past.no_v2)
		CHECK(neg->state == RPCRDMA_NEGOTIATE_SETTLED && neg->version == 1);
	else
		CHECK(neg->state == RPCRDMA_NEGOTIATE_ASKING);
}

/* What a client's state may become when a message has been handled */
static void check_verdict(const struct rpcrdma_negotiation *neg,
			  const struct rpcrdma_negotiation *old,
			  enum rpcrdma_negotiate_verdict verdict, const __be32 *wire)
{
	switch (verdict) {
	case RPCRDMA_NEGOTIATE_IGNORED:
		CHECK(neg->state == old->state && neg->version == old->version);
		CHECK(neg->has_props == old->has_props && neg->grant == old->grant);
		return;
	case RPCRDMA_NEGOTIATE_WAIT:
		CHECK(neg->state == old->state && neg->has_props && !old->has_props);
		return;
	case RPCRDMA_NEGOTIATE_TELL:
		CHECK(old->state == RPCRDMA_NEGOTIATE_ASKING);
		CHECK(neg->state == RPCRDMA_NEGOTIATE_TELLING);
		CHECK(wire[RPCRDMA_WORD_XID] == XID);
		return;
	case RPCRDMA_NEGOTIATE_DONE:
	case RPCRDMA_NEGOTIATE_DONE_DELIVER:
		CHECK(neg->state == RPCRDMA_NEGOTIATE_SETTLED);
		CHECK(neg->versions & BIT(neg->version));
		CHECK((neg->version == 2) == (old->state == RPCRDMA_NEGOTIATE_TELLING));
		CHECK((neg->version == 1) == neg->fell_back);
		return;
	case RPCRDMA_NEGOTIATE_NO_VERSION:
		CHECK(old->state == RPCRDMA_NEGOTIATE_ASKING);
		CHECK(neg->state == RPCRDMA_NEGOTIATE_FAILED);
		CHECK(wire[RPCRDMA_WORD_XID] == XID);
		return;
	}
}

static void client_message(struct side *side, const void *wire, size_t len)
{
	struct rpcrdma_negotiation old = side->neg;
	struct rpcrdma_msg *msg = fuzz_msg(0);
	enum rpcrdma_negotiate_verdict verdict;

	verdict = rpcrdma_negotiate_answer(&side->neg, msg, wire, len);
	check_verdict(&side->neg, &old, verdict, wire);
	/* A server does not send the first message */
	if (!old.opened)
		CHECK(verdict == RPCRDMA_NEGOTIATE_IGNORED);
	fuzz_msg_free(msg);
}

static void server_message(struct side *side, const void *wire, size_t len)
{
	struct rpcrdma_negotiation *neg = &side->neg;
	struct rpcrdma_negotiation old = *neg;
	struct rpcrdma_msg *msg = fuzz_msg(SERVER_SEGS);
	enum rpcrdma_reason reason;

	reason = fuzz_decode(msg, rpcrdma_negotiate_versions(neg), wire, len);
	if (reason == RPCRDMA_R_SHORT || msg->type == RPCRDMA_ERROR)
		goto out;
	rpcrdma_negotiate_settle(neg, msg->vers);
	CHECK((reason == RPCRDMA_R_VERS) == (neg->state != RPCRDMA_NEGOTIATE_SETTLED ||
					     neg->version != msg->vers));
	if (reason || msg->type != RPCRDMA_CONNPROP)
		goto out;
	reason = rpcrdma_negotiate_connprop(neg, msg);
	CHECK(!reason == (!old.has_props && msg->dir == RPCRDMA_DIR_CALL));
	if (!reason)
		CHECK(neg->peer.recv_size == msg->props.recv_size);
out:
	fuzz_msg_free(msg);
}

static void message(struct side *side, struct fuzz_input *in)
{
	bool ours = fuzz_bool(in);
	size_t len = min_t(size_t, fuzz_u8(in), in->left);
	__be32 *wire = fuzz_bytes(in, len);

	if (ours && len >= sizeof(*wire))
		wire[RPCRDMA_WORD_XID] = side->neg.xid;
	if (side->client)
		client_message(side, wire, len);
	else
		server_message(side, wire, len);
	free(wire);
}

static void tell(struct side *side, u32 credits)
{
	const struct rpcrdma_props own = { .recv_size = 8192, .reverse = RPCRDMA_BRS_INLINE };
	struct rpcrdma_msg msg, copy;
	__be32 wire[32];
	int len;

	if (side->neg.state != RPCRDMA_NEGOTIATE_TELLING)
		return;
	rpcrdma_negotiate_tell(&side->neg, &msg, &own, credits, XID);
	len = rpcrdma_codec_v2.encode(&msg, wire, sizeof(wire));
	CHECK(len > 0);
	rpcrdma_msg_init(&copy, NULL, 0);
	CHECK(!rpcrdma_msg_decode(&copy, RPCRDMA_VERSIONS_2, wire, len));
	CHECK(copy.type == RPCRDMA_CONNPROP && copy.dir == RPCRDMA_DIR_CALL);
	CHECK(copy.props.recv_size == own.recv_size && copy.credits == credits);
}

/* Only an ERR_VERS for version 2 alone, on version 1, is a reason to connect again */
static void outdated(struct side *side, struct fuzz_input *in)
{
	struct rpcrdma_msg err = {
		.type = RPCRDMA_ERROR, .err = RPCRDMA_ERR_VERS,
		.vers_low = fuzz_u8(in) % 4, .vers_high = fuzz_u8(in) % 4,
	};
	const struct rpcrdma_negotiation *neg = &side->neg;

	if (!side->client || neg->state != RPCRDMA_NEGOTIATE_SETTLED)
		return;
	if (rpcrdma_negotiate_outdated(&side->neg, &err))
		CHECK(neg->version == 1 && side->versions == RPCRDMA_VERSIONS_BOTH &&
		      err.vers_low == 2 && err.vers_high >= 2);
}

static void event(struct side *side, struct fuzz_input *in)
{
	struct rpcrdma_negotiation *neg = &side->neg;
	bool asking = neg->state == RPCRDMA_NEGOTIATE_ASKING;

	switch ((enum event)fuzz_below(in, EVENT_COUNT)) {
	case EVENT_OPENED:
	case EVENT_NOT_OPENED:
		if (asking)
			rpcrdma_negotiate_opened(neg, fuzz_bool(in));
		break;
	case EVENT_TELL:
		tell(side, fuzz_any(in));
		break;
	case EVENT_TOLD:
		rpcrdma_negotiate_told(neg);
		break;
	case EVENT_USED:
		if (side->client && neg->state == RPCRDMA_NEGOTIATE_SETTLED)
			rpcrdma_negotiate_used(neg);
		break;
	case EVENT_OUTDATED:
		outdated(side, in);
		break;
	case EVENT_LOST:
		if (side->client)
			rpcrdma_negotiate_lost(neg, &side->past);
		begin(side);
		break;
	default:
		message(side, in);
	}
}

/* A connection never goes back, and runs only what its side accepts */
static void check(const struct side *side, const struct rpcrdma_negotiation *old)
{
	const struct rpcrdma_negotiation *neg = &side->neg;
	unsigned long may = rpcrdma_negotiate_versions(neg);

	CHECK(may && !(may & ~RPCRDMA_VERSIONS_BOTH));
	CHECK(side->client ? neg->state != RPCRDMA_NEGOTIATE_OPEN :
			     neg->state == RPCRDMA_NEGOTIATE_OPEN ||
			     neg->state == RPCRDMA_NEGOTIATE_SETTLED);
	if (neg->state == RPCRDMA_NEGOTIATE_SETTLED)
		CHECK(side->versions & BIT(neg->version) && may == BIT(neg->version));
	if (!neg->has_props)
		CHECK(neg->peer.recv_size == RPCRDMA_V2_DEF_INLINE &&
		      neg->peer.reverse == RPCRDMA_BRS_INLINE);
	CHECK(neg->peer.reverse <= RPCRDMA_BRS_GENERAL);
	if (old->state == RPCRDMA_NEGOTIATE_SETTLED)
		CHECK(neg->state == old->state && neg->version == old->version);
	if (old->has_props)
		CHECK(neg->has_props && neg->peer.recv_size == old->peer.recv_size);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct side side = {
		.versions = fuzz_versions(&in),
		.client = !fuzz_bool(&in),
	};
	struct rpcrdma_negotiation old;
	struct rpcrdma_negotiate_past past;

	begin(&side);
	while (in.left) {
		old = side.neg;
		past = side.past;
		if (*in.at % EVENT_COUNT == EVENT_LOST) {
			event(&side, &in);
			/* What a connection of version 2 only has seen is no news of version 1 */
			if (old.state == RPCRDMA_NEGOTIATE_SETTLED && old.version == 2)
				CHECK(side.past.no_v2 == past.no_v2);
			continue;
		}
		event(&side, &in);
		check(&side, &old);
	}
	return 0;
}
