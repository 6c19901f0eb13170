// SPDX-License-Identifier: GPL-2.0-only
/*
 * The negotiation of a client, with any number of events in any order: from each sound state
 * each event leads to a sound state, each move is a legal one, and is for something that the
 * server has said. A message has any bytes.
 *
 * Proves: rpcrdma_negotiate_client() rpcrdma_negotiate_versions() rpcrdma_negotiate_opened()
 * Proves: rpcrdma_negotiate_tell() rpcrdma_negotiate_told() rpcrdma_negotiate_answer()
 * Proves: rpcrdma_negotiate_connprop() rpcrdma_negotiate_used() rpcrdma_negotiate_outdated()
 * Proves: rpcrdma_negotiate_lost()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Sources: rpcrdma/protocol/check.c rpcrdma/protocol/v2/negotiate.c
 * Bounds: LEN=48
 * Unwind: (LEN-28)/8+3
 * Loops: rpcrdma_list_reads=2 rpcrdma_list_array=2
 * Meant: rpcrdma_props_decode arithmetic overflow on unsigned - in count
 */
#include <rpcrdma/v2/negotiate.h>
#include "message.h"

static struct any_bytes bytes;

static bool is_default(const struct rpcrdma_props *props)
{
	return props->recv_size == RPCRDMA_V2_DEF_INLINE && props->reverse == RPCRDMA_BRS_INLINE;
}

/* What holds between events */
static bool is_sound(const struct rpcrdma_negotiation *neg)
{
	if (!neg->client || !neg->versions || neg->versions & ~RPCRDMA_VERSIONS_BOTH ||
	    neg->peer.reverse > RPCRDMA_BRS_GENERAL ||
	    (!neg->has_props && !is_default(&neg->peer)))
		return false;
	switch (neg->state) {
	case RPCRDMA_NEGOTIATE_ASKING:
		return neg->versions & RPCRDMA_VERSIONS_2 && !neg->version && !neg->fell_back;
	case RPCRDMA_NEGOTIATE_TELLING:
		return neg->versions & RPCRDMA_VERSIONS_2 && neg->version == 2 &&
		       neg->opened && !neg->fell_back;
	case RPCRDMA_NEGOTIATE_SETTLED:
		return (neg->version == 1 || neg->version == 2) &&
		       neg->versions & BIT(neg->version) &&
		       (neg->version == 1 || !neg->fell_back);
	case RPCRDMA_NEGOTIATE_FAILED:
		return neg->versions & RPCRDMA_VERSIONS_2 && !neg->fell_back;
	default:
		return false;
	}
}

/* Any state, with booleans that are booleans */
static void any_state(struct rpcrdma_negotiation *neg)
{
	neg->client = any_bool();
	neg->opened = any_bool();
	neg->fell_back = any_bool();
	neg->used = any_bool();
	neg->outdated = any_bool();
	neg->has_props = any_bool();
	ASSUME(is_sound(neg));
}

static unsigned long any_versions(void)
{
	unsigned long versions = any_up_to(RPCRDMA_VERSIONS_BOTH);

	ASSUME(versions && !(versions & 1));
	return versions;
}

static void prove_begin(void)
{
	struct rpcrdma_negotiate_past past = { .no_v2 = any_bool() };
	unsigned long versions = any_versions();
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_client(&neg, &past, versions, nondet_u32());
	PROVE(is_sound(&neg));
	PROVE(!neg.opened && !neg.used && !neg.outdated && !neg.has_props && !neg.grant);
	/* A version that is accepted alone is tried, whatever is remembered */
	PROVE((neg.state == RPCRDMA_NEGOTIATE_SETTLED) ==
	      (versions == RPCRDMA_VERSIONS_1 ||
	       (versions == RPCRDMA_VERSIONS_BOTH && past.no_v2)));
}

static void prove_verdict(const struct rpcrdma_negotiation *neg,
			  const struct rpcrdma_negotiation *old,
			  enum rpcrdma_negotiate_verdict verdict, const u8 *wire, size_t len)
{
	/* A server does not send the first message */
	if (!old->opened || len < RPCRDMA_FIXED_SIZE)
		PROVE(verdict == RPCRDMA_NEGOTIATE_IGNORED);
	switch (verdict) {
	case RPCRDMA_NEGOTIATE_IGNORED:
		PROVE(neg->state == old->state && neg->version == old->version);
		PROVE(neg->has_props == old->has_props && neg->grant == old->grant);
		break;
	case RPCRDMA_NEGOTIATE_WAIT:
		PROVE(neg->state == old->state && neg->has_props && !old->has_props);
		REACH(true);
		break;
	case RPCRDMA_NEGOTIATE_TELL:
		PROVE(old->state == RPCRDMA_NEGOTIATE_ASKING);
		PROVE(neg->state == RPCRDMA_NEGOTIATE_TELLING);
		PROVE(*(const __be32 *)wire == old->xid);
		PROVE(word_at(wire, RPCRDMA_WORD_VERS) == 2);
		REACH(neg->grant == 7);
		break;
	case RPCRDMA_NEGOTIATE_DONE:
	case RPCRDMA_NEGOTIATE_DONE_DELIVER:
		PROVE(neg->state == RPCRDMA_NEGOTIATE_SETTLED);
		PROVE((neg->version == 2) == (old->state == RPCRDMA_NEGOTIATE_TELLING));
		PROVE((neg->version == 1) == neg->fell_back);
		PROVE(neg->version == 2 || *(const __be32 *)wire == old->xid);
		REACH(neg->fell_back);
		break;
	case RPCRDMA_NEGOTIATE_NO_VERSION:
		PROVE(old->state == RPCRDMA_NEGOTIATE_ASKING);
		PROVE(neg->state == RPCRDMA_NEGOTIATE_FAILED);
		PROVE(*(const __be32 *)wire == old->xid);
		REACH(neg->versions == RPCRDMA_VERSIONS_BOTH);
		break;
	}
}

static void answer(struct rpcrdma_negotiation *neg)
{
	const struct rpcrdma_negotiation old = *neg;
	size_t len = nondet_size_t();
	u8 *wire = any_message(&bytes, len);
	enum rpcrdma_negotiate_verdict verdict;
	struct rpcrdma_msg msg;

	rpcrdma_msg_init(&msg, NULL, 0);
	verdict = rpcrdma_negotiate_answer(neg, &msg, wire, len);
	prove_verdict(neg, &old, verdict, wire, len);
	if (old.has_props)
		PROVE(neg->has_props && neg->peer.recv_size == old.peer.recv_size);
}

/* A server with version 2 only, on a connection of version 1 that could have version 2 */
static void outdated(struct rpcrdma_negotiation *neg)
{
	struct rpcrdma_msg err;

	rpcrdma_msg_init(&err, NULL, 0);
	err.vers_low = nondet_u32();
	err.vers_high = nondet_u32();
	if (neg->state == RPCRDMA_NEGOTIATE_SETTLED &&
	    rpcrdma_negotiate_outdated(neg, &err))
		PROVE(neg->version == 1 && neg->versions == RPCRDMA_VERSIONS_BOTH &&
		      err.vers_low == 2 && err.vers_high >= 2);
}

static void tell(struct rpcrdma_negotiation *neg)
{
	struct rpcrdma_props own = { .recv_size = nondet_u32(), .reverse = any_up_to(2) };
	struct rpcrdma_msg msg;
	__be32 xid = nondet_u32();

	if (neg->state != RPCRDMA_NEGOTIATE_TELLING)
		return;
	rpcrdma_negotiate_tell(neg, &msg, &own, nondet_u32(), xid);
	PROVE(msg.type == RPCRDMA_CONNPROP && msg.dir == RPCRDMA_DIR_CALL);
	PROVE(msg.xid == xid && neg->xid == xid && msg.vers == 2);
	PROVE(msg.props.recv_size == own.recv_size);
}

/* The end of a connection, and what is remembered */
static void lost(const struct rpcrdma_negotiation *neg)
{
	struct rpcrdma_negotiate_past old = { .no_v2 = any_bool() }, past = old;

	rpcrdma_negotiate_lost(neg, &past);
	if (past.no_v2 && !old.no_v2)
		PROVE((neg->state == RPCRDMA_NEGOTIATE_ASKING && neg->opened && !neg->has_props) ||
		      (neg->state == RPCRDMA_NEGOTIATE_SETTLED && neg->fell_back));
	if (!past.no_v2 && old.no_v2)
		PROVE(neg->state == RPCRDMA_NEGOTIATE_SETTLED && neg->version == 1 &&
		      (neg->used || neg->outdated));
}

static void any_event(struct rpcrdma_negotiation *neg)
{
	switch (any_up_to(6)) {
	case 0:
		answer(neg);
		break;
	case 1:
		if (neg->state == RPCRDMA_NEGOTIATE_ASKING)
			rpcrdma_negotiate_opened(neg, any_bool());
		break;
	case 2:
		tell(neg);
		break;
	case 3:
		rpcrdma_negotiate_told(neg);
		break;
	case 4:
		if (neg->state == RPCRDMA_NEGOTIATE_SETTLED)
			rpcrdma_negotiate_used(neg);
		break;
	case 5:
		outdated(neg);
		break;
	default:
		lost(neg);
	}
}

int main(void)
{
	struct rpcrdma_negotiation neg, old;
	unsigned long may;

	__CPROVER_havoc_object(&bytes);
	prove_begin();
	any_state(&neg);
	old = neg;
	any_event(&neg);
	PROVE(is_sound(&neg));
	PROVE(neg.versions == old.versions);
	may = rpcrdma_negotiate_versions(&neg);
	PROVE(may && !(may & ~RPCRDMA_VERSIONS_BOTH));
	if (old.state == RPCRDMA_NEGOTIATE_SETTLED)
		PROVE(neg.state == old.state && neg.version == old.version);
	return 0;
}
