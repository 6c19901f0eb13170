// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client and a server that keep to the protocol, and a network that loses messages.
 * Whatever has happened before: if nothing is lost any more, a few connections later one
 * works, in a version that both sides have, if there is one.
 *
 * Input: versions of the client; then connections, each with the versions of the server
 * and what gets lost.
 */
#include <string.h>
#include <linux/minmax.h>
#include <rpcrdma/v2/negotiate.h>
#include "xprtrdma/null_call.h"
#include "message.h"

#define PROBE_XID	cpu_to_be32(0x2b0000f0)
#define TELL_XID	cpu_to_be32(0x2b0000f1)
#define CALL_XID	cpu_to_be32(0x2b0000f2)
#define CONNECTIONS	16
#define PATIENCE	2	/* connections until one works */

/* What gets lost in a connection, and the connection with it */
enum loss {
	LOSS_NONE,
	LOSS_PROBE,
	LOSS_PROBE_ANSWER,
	LOSS_CONNPROP_ANSWER,	/* not needed: no loss of the connection */
	LOSS_CALL,
	LOSS_COUNT,
};

static const struct rpcrdma_props own_props = {
	.recv_size = 4096, .reverse = RPCRDMA_BRS_INLINE,
};

/* A message under way */
struct wire {
	u8	bytes[256] __attribute__((aligned(8)));
	int	len;
};

static void encode(struct wire *wire, struct rpcrdma_msg *msg)
{
	const struct rpcrdma_codec *codec = rpcrdma_codec_find(msg->vers);

	wire->len = codec->encode(msg, wire->bytes, sizeof(wire->bytes));
	CHECK(wire->len > 0);
}

/* A Reply to a NULL Call, with as much of it as anything here looks at */
static void server_reply(struct wire *answer, const struct rpcrdma_msg *call)
{
	const __be32 rpc[] = { call->xid, cpu_to_be32(1), 0, 0, 0, 0 };
	struct rpcrdma_msg reply;

	rpcrdma_msg_init(&reply, NULL, 0);
	reply.xid = call->xid;
	reply.vers = call->vers;
	reply.credits = 32;
	reply.dir = RPCRDMA_DIR_REPLY;
	encode(answer, &reply);
	memcpy(answer->bytes + answer->len, rpc, sizeof(rpc));
	answer->len += sizeof(rpc);
}

/* The server handles a message and answers it */
static void server(struct rpcrdma_negotiation *neg, const struct wire *in, struct wire *answer)
{
	struct rpcrdma_msg *msg = fuzz_msg(1), reply;
	enum rpcrdma_reason reason;

	reason = rpcrdma_msg_decode(msg, rpcrdma_negotiate_versions(neg), in->bytes, in->len);
	if (reason) {
		CHECK(reason == RPCRDMA_R_VERS);
		rpcrdma_msg_refuse(&reply, msg, rpcrdma_negotiate_versions(neg), reason);
		answer->len = rpcrdma_error_encode(&reply, answer->bytes, sizeof(answer->bytes));
	} else {
		rpcrdma_negotiate_settle(neg, msg->vers);
		if (msg->type == RPCRDMA_CONNPROP) {
			CHECK(!rpcrdma_negotiate_connprop(neg, msg));
			rpcrdma_negotiate_reply(&reply, msg, &own_props, 32);
			encode(answer, &reply);
		} else {
			server_reply(answer, msg);
		}
	}
	fuzz_msg_free(msg);
}

static enum rpcrdma_negotiate_verdict
client_answer(struct rpcrdma_negotiation *neg, const struct wire *answer)
{
	struct rpcrdma_msg *msg = fuzz_msg(1);
	enum rpcrdma_negotiate_verdict verdict;

	verdict = rpcrdma_negotiate_answer(neg, msg, answer->bytes, answer->len);
	fuzz_msg_free(msg);
	return verdict;
}

/* The opening Call and the CONNPROP; false if the connection ends here */
static bool negotiate(struct rpcrdma_negotiation *client, struct rpcrdma_negotiation *peer,
		      enum loss loss)
{
	enum rpcrdma_negotiate_verdict verdict;
	struct wire wire, answer;
	struct rpcrdma_msg tell;

	if (client->state == RPCRDMA_NEGOTIATE_SETTLED)
		return true;
	rpcrdma_negotiate_opened(client, true);
	if (loss == LOSS_PROBE)
		return false;
	wire.len = xprtrdma_null_call_encode(&rpcrdma_codec_v2, client->xid, 128, wire.bytes,
					     sizeof(wire.bytes));
	server(peer, &wire, &answer);
	if (loss == LOSS_PROBE_ANSWER)
		return false;
	verdict = client_answer(client, &answer);
	if (verdict == RPCRDMA_NEGOTIATE_TELL) {
		rpcrdma_negotiate_tell(client, &tell, &own_props, 128, TELL_XID);
		encode(&wire, &tell);
		server(peer, &wire, &answer);
		if (loss == LOSS_CONNPROP_ANSWER)
			rpcrdma_negotiate_told(client);
		else
			CHECK(client_answer(client, &answer) == RPCRDMA_NEGOTIATE_DONE);
	}
	return client->state == RPCRDMA_NEGOTIATE_SETTLED;
}

/* A Call in the version that is settled; true if its Reply comes */
static bool call(struct rpcrdma_negotiation *client, struct rpcrdma_negotiation *peer)
{
	const struct rpcrdma_codec *codec = rpcrdma_codec_find(client->version);
	struct rpcrdma_msg *msg = fuzz_msg(1);
	struct wire wire, answer;
	bool replied;

	wire.len = xprtrdma_null_call_encode(codec, CALL_XID, 128, wire.bytes,
					     sizeof(wire.bytes));
	server(peer, &wire, &answer);
	CHECK(!rpcrdma_msg_decode(msg, rpcrdma_negotiate_versions(client), answer.bytes,
				  answer.len));
	replied = msg->type == RPCRDMA_MSG;
	if (replied)
		rpcrdma_negotiate_used(client);
	else
		rpcrdma_negotiate_outdated(client, msg);
	fuzz_msg_free(msg);
	return replied;
}

/* One connection, from the first message to its end; the version that worked, or 0 */
static u32 connection(struct rpcrdma_negotiate_past *past, unsigned long versions,
		      unsigned long served, enum loss loss)
{
	struct rpcrdma_negotiation client, peer;
	u32 worked = 0;

	rpcrdma_negotiate_client(&client, past, versions, PROBE_XID);
	rpcrdma_negotiate_server(&peer, served);
	if (negotiate(&client, &peer, loss) && loss != LOSS_CALL && call(&client, &peer)) {
		worked = client.version;
		CHECK(peer.state == RPCRDMA_NEGOTIATE_SETTLED && peer.version == worked);
	}
	rpcrdma_negotiate_lost(&client, past);
	return worked;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	unsigned long versions = fuzz_versions(&in), served;
	struct rpcrdma_negotiate_past past = {};
	unsigned int i;
	u32 worked;

	i = 0;
	do {
		served = fuzz_versions(&in);
		connection(&past, versions, served, fuzz_below(&in, LOSS_COUNT));
	} while (in.left && ++i < CONNECTIONS);

	for (i = 0, worked = 0; i < PATIENCE; i++)
		worked = connection(&past, versions, served, LOSS_NONE);
	if (!(versions & served)) {
		CHECK(!worked);
		return 0;
	}
	CHECK(versions & served & BIT(worked));
	/* Nothing is remembered against version 2 for longer than a connection */
	if (versions & served & RPCRDMA_VERSIONS_2)
		CHECK(worked == 2);
	return 0;
}
