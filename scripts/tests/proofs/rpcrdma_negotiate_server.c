// SPDX-License-Identifier: GPL-2.0-only
/*
 * The negotiation of a server, with any number of events in any order: from each sound state
 * each event leads to a sound state. The version of the first message that is accepted is
 * that of the connection, and the properties of a client are taken once.
 *
 * Proves: rpcrdma_negotiate_server() rpcrdma_negotiate_settle() rpcrdma_negotiate_connprop()
 * Proves: rpcrdma_negotiate_reply() rpcrdma_negotiate_versions()
 * Sources: rpcrdma/protocol/codec.c rpcrdma/protocol/codec_v1.c rpcrdma/protocol/chunk_xdr.c
 * Sources: rpcrdma/protocol/chunk.c rpcrdma/protocol/v2/codec_v2.c rpcrdma/protocol/v2/props.c
 * Sources: rpcrdma/protocol/check.c rpcrdma/protocol/v2/negotiate.c
 * Unwind: 1
 */
#include <rpcrdma/v2/negotiate.h>
#include "message.h"

static bool is_sound(const struct rpcrdma_negotiation *neg)
{
	if (neg->client || !neg->versions || neg->versions & ~RPCRDMA_VERSIONS_BOTH)
		return false;
	if (neg->state == RPCRDMA_NEGOTIATE_OPEN)
		return !neg->version;
	return neg->state == RPCRDMA_NEGOTIATE_SETTLED &&
	       (neg->version == 1 || neg->version == 2) && neg->versions & BIT(neg->version);
}

static void prove_begin(void)
{
	unsigned long versions = any_up_to(RPCRDMA_VERSIONS_BOTH);
	struct rpcrdma_negotiation neg;

	ASSUME(versions && !(versions & 1));
	rpcrdma_negotiate_server(&neg, versions);
	PROVE(is_sound(&neg) && neg.state == RPCRDMA_NEGOTIATE_OPEN && !neg.has_props);
	PROVE(rpcrdma_negotiate_versions(&neg) == versions);
	PROVE(neg.peer.recv_size == RPCRDMA_V2_DEF_INLINE);
}

static void settle(struct rpcrdma_negotiation *neg)
{
	const struct rpcrdma_negotiation old = *neg;
	u32 version = nondet_u32();

	rpcrdma_negotiate_settle(neg, version);
	if (old.state == RPCRDMA_NEGOTIATE_SETTLED) {
		PROVE(neg->state == old.state && neg->version == old.version);
		return;
	}
	if (neg->state == RPCRDMA_NEGOTIATE_SETTLED)
		PROVE(neg->version == version);
	else
		PROVE(version > 2 || !(neg->versions & BIT(version)));
	REACH(neg->state == RPCRDMA_NEGOTIATE_SETTLED && version == 2);
}

static void connprop(struct rpcrdma_negotiation *neg)
{
	struct rpcrdma_props own = { .recv_size = nondet_u32(), .reverse = any_up_to(2) };
	const struct rpcrdma_negotiation old = *neg;
	struct rpcrdma_msg msg, reply;
	u32 grant = nondet_u32();
	enum rpcrdma_reason reason;

	ASSUME(msg.dir == RPCRDMA_DIR_CALL || msg.dir == RPCRDMA_DIR_REPLY);
	reason = rpcrdma_negotiate_connprop(neg, &msg);
	PROVE(!reason == (!old.has_props && msg.dir == RPCRDMA_DIR_CALL));
	if (reason) {
		PROVE(neg->has_props == old.has_props);
		PROVE(neg->peer.recv_size == old.peer.recv_size);
		return;
	}
	PROVE(neg->has_props && neg->peer.recv_size == msg.props.recv_size &&
	      neg->peer.reverse == msg.props.reverse);
	rpcrdma_negotiate_reply(&reply, &msg, &own, grant);
	PROVE(reply.xid == msg.xid && reply.credits == grant && reply.vers == 2);
	PROVE(reply.type == RPCRDMA_CONNPROP && reply.dir == RPCRDMA_DIR_REPLY);
	PROVE(reply.props.recv_size == own.recv_size && !reply.nsegs);
}

int main(void)
{
	struct rpcrdma_negotiation neg;
	unsigned long may;

	prove_begin();
	neg.client = any_bool();
	neg.has_props = any_bool();
	ASSUME(is_sound(&neg));
	if (any_bool())
		settle(&neg);
	else
		connprop(&neg);
	PROVE(is_sound(&neg));
	may = rpcrdma_negotiate_versions(&neg);
	PROVE(may && !(may & ~neg.versions));
	return 0;
}
