// SPDX-License-Identifier: GPL-2.0-only
/*
 * Negotiation of the protocol version (v2 section 7), as a state machine that
 * knows messages and nothing else.
 *
 * A client that wants version 2 sends one message first, the probe: a CONNPROP.
 * A server that has version 2 answers with its own. One that has not answers
 * ERR_VERS, and the client goes on with version 1 on the same connection
 * (V2-NEG-09). If no answer comes the connection is given up, and the next one
 * begins with version 1 (V2-NEG-11, V2-NEG-26).
 *
 * The layout of an answer that is an error depends on who sent it; the table
 * "Telling the layouts apart" of the requirements is what
 * rpcrdma_nego_error_answer() does.
 *
 * A server takes the version of the first message that it can take (V2-NEG-21).
 *
 * What a client remembers of a server that let it down ends when a version 1
 * connection has worked and is gone, so that nobody is pinned to version 1 for
 * ever, and no failure repeats without end (V2-NEG-27). Pure.
 */
#include <asm/barrier.h>
#include <linux/export.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include <rpcrdma/nego.h>

/* Words of an error that answers a probe */
enum {
	RPCRDMA_NEGO_WORD_FLAGS		= 4,	/* or code, from version 1 */
	RPCRDMA_NEGO_WORD_CODE		= 5,	/* or lowest version */
};

static void rpcrdma_nego_init(struct rpcrdma_nego *nego, unsigned long versions)
{
	memset(nego, 0, sizeof(*nego));
	nego->versions = versions;
	rpcrdma_props_default(&nego->peer);
}

static void rpcrdma_nego_set(struct rpcrdma_nego *nego, u32 version)
{
	nego->version = version;
	/* Whoever looks from outside and sees this sees the version */
	smp_store_release(&nego->state, RPCRDMA_NEGO_SETTLED);
}

/**
 * rpcrdma_nego_client - begin at the connecting end
 * @nego: state of the new connection
 * @past: what is remembered of the server
 * @versions: set of versions to take, not empty
 * @xid: for the probe; not in use by an RPC (OQ-03)
 *
 * Afterwards the version is settled, or a probe is to be sent. A client that is
 * to take nothing but version 2 probes whatever it remembers (V2-SEC-05).
 *
 * Context: any.
 */
void rpcrdma_nego_client(struct rpcrdma_nego *nego,
			 const struct rpcrdma_nego_past *past,
			 unsigned long versions, __be32 xid)
{
	rpcrdma_nego_init(nego, versions);
	nego->client = true;
	nego->xid = xid;
	WRITE_ONCE(nego->state, RPCRDMA_NEGO_PROBING);
	if (!(versions & RPCRDMA_VERSIONS_2) ||
	    (versions & RPCRDMA_VERSIONS_1 && past->no_v2))
		rpcrdma_nego_set(nego, RPCRDMA_VERSION_ONE);
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_client);

/**
 * rpcrdma_nego_server - begin at the accepting end
 * @nego: state of the new connection
 * @versions: set of versions to take, not empty
 *
 * Context: any.
 */
void rpcrdma_nego_server(struct rpcrdma_nego *nego, unsigned long versions)
{
	rpcrdma_nego_init(nego, versions);
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_server);

/**
 * rpcrdma_nego_versions - versions in which a message may come now
 * @nego: state of the connection
 *
 * Context: any.
 * Return: a set of versions for rpcrdma_msg_decode(); never empty.
 */
unsigned long rpcrdma_nego_versions(const struct rpcrdma_nego *nego)
{
	switch (nego->state) {
	case RPCRDMA_NEGO_SETTLED:
		return BIT(nego->version);
	case RPCRDMA_NEGO_PROBING:
		return RPCRDMA_VERSIONS_2;
	default:
		return nego->versions;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_versions);

/**
 * rpcrdma_nego_probe - make the probe
 * @nego: probing; the probe counts as sent from now on
 * @msg: becomes the probe
 * @own: properties to tell; their Receives are posted (V2-RBS-09)
 * @credits: forward credits to ask for
 *
 * Context: any.
 */
void rpcrdma_nego_probe(struct rpcrdma_nego *nego, struct rpcrdma_msg *msg,
			const struct rpcrdma_props *own, u32 credits)
{
	rpcrdma_msg_init(msg, NULL, 0);
	msg->xid = nego->xid;
	msg->vers = RPCRDMA_VERSION_TWO;
	msg->credits = credits;
	msg->type = RPCRDMA_CONNPROP;
	msg->dir = RPCRDMA_DIR_CALL;
	msg->props = *own;
	WRITE_ONCE(nego->probed, true);
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_probe);

/* The server has not got version 2: is there another one to go on with? */
static enum rpcrdma_nego_verdict
rpcrdma_nego_fall_back(struct rpcrdma_nego *nego, u32 low, u32 high)
{
	if (nego->versions & RPCRDMA_VERSIONS_1 &&
	    low <= RPCRDMA_VERSION_ONE && high >= RPCRDMA_VERSION_ONE) {
		WRITE_ONCE(nego->fell_back, true);
		rpcrdma_nego_set(nego, RPCRDMA_VERSION_ONE);
		return RPCRDMA_NEGO_TAKEN;
	}
	WRITE_ONCE(nego->state, RPCRDMA_NEGO_FAILED);	/* V2-NEG-28 */
	return RPCRDMA_NEGO_NONE;
}

/* @range: two words. One that cannot be is as good as none (V2-NEG-19) */
static enum rpcrdma_nego_verdict
rpcrdma_nego_err_vers(struct rpcrdma_nego *nego, const __be32 *range)
{
	u32 low = be32_to_cpup(range), high = be32_to_cpup(range + 1);

	if (low > high) {
		low = RPCRDMA_VERSION_ONE;
		high = RPCRDMA_VERSION_ONE;
	}
	return rpcrdma_nego_fall_back(nego, low, high);
}

static bool rpcrdma_nego_is_error(const __be32 *words)
{
	return words[RPCRDMA_WORD_PROC] == cpu_to_be32(RPCRDMA_WIRE_ERROR);
}

static enum rpcrdma_nego_verdict
rpcrdma_nego_error_answer(struct rpcrdma_nego *nego, const __be32 *words,
			  size_t len)
{
	const __be32 one = cpu_to_be32(RPCRDMA_WIRE_ERR_VERS);
	const __be32 *flags = words + RPCRDMA_NEGO_WORD_FLAGS;
	const __be32 *code = words + RPCRDMA_NEGO_WORD_CODE;

	if (words[RPCRDMA_WORD_XID] != nego->xid)
		return RPCRDMA_NEGO_IGNORED;
	if (len >= RPCRDMA_V1_ERR_VERS_SIZE && len < RPCRDMA_V2_ERR_VERS_SIZE &&
	    *flags == one)
		return rpcrdma_nego_err_vers(nego, code);
	if (len >= RPCRDMA_V2_ERR_VERS_SIZE && *flags == one && *code == one)
		return rpcrdma_nego_err_vers(nego, code + 1);
	if (len >= RPCRDMA_V2_ERR_MIN &&
	    words[RPCRDMA_WORD_VERS] == cpu_to_be32(RPCRDMA_VERSION_TWO) &&
	    be32_to_cpup(flags) & RPCRDMA_WIRE_F_RESPONSE) {
		/* It knows version 2 and did not like the probe (V2-NEG-20) */
		rpcrdma_nego_set(nego, RPCRDMA_VERSION_TWO);
		return RPCRDMA_NEGO_TAKEN;
	}
	return rpcrdma_nego_fall_back(nego, RPCRDMA_VERSION_ONE,
				      RPCRDMA_VERSION_ONE);
}

/**
 * rpcrdma_nego_answer - a message has come while the client is probing
 * @nego: probing
 * @msg: room for a message, as for rpcrdma_msg_decode(); overwritten
 * @buf: message, only read, 4-byte aligned; hostile
 * @len: bytes received
 *
 * Context: any.
 * Return: see enum rpcrdma_nego_verdict. After RPCRDMA_NEGO_TAKEN and
 * RPCRDMA_NEGO_TAKEN_ON the version is settled; @nego->grant tells the credits
 * that go with it.
 */
enum rpcrdma_nego_verdict rpcrdma_nego_answer(struct rpcrdma_nego *nego,
					      struct rpcrdma_msg *msg,
					      const void *buf, size_t len)
{
	enum rpcrdma_reason reason;

	/* A server does not speak first (V2-CPR-10) */
	if (nego->state != RPCRDMA_NEGO_PROBING || !nego->probed ||
	    len < RPCRDMA_FIXED_SIZE)
		return RPCRDMA_NEGO_IGNORED;
	if (rpcrdma_nego_is_error(buf))
		return rpcrdma_nego_error_answer(nego, buf, len);

	reason = rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, buf, len);
	switch (reason) {
	case RPCRDMA_R_SHORT:
	case RPCRDMA_R_VERS:
	case RPCRDMA_R_PROC:
		return RPCRDMA_NEGO_IGNORED;
	default:
		break;
	}
	rpcrdma_nego_set(nego, RPCRDMA_VERSION_TWO);
	if (reason || msg->type != RPCRDMA_CONNPROP)
		return RPCRDMA_NEGO_TAKEN_ON;
	rpcrdma_nego_connprop(nego, msg);
	if (msg->dir == RPCRDMA_DIR_REPLY)
		nego->grant = msg->credits ?: 1;	/* V2-CRD-05 */
	return RPCRDMA_NEGO_TAKEN;
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_answer);

/**
 * rpcrdma_nego_settle - the server has got a message other than an error
 * @nego: state of the connection
 * @version: version word of the message
 *
 * The first one in a version that is taken decides (V2-NEG-21).
 *
 * Context: any.
 */
void rpcrdma_nego_settle(struct rpcrdma_nego *nego, u32 version)
{
	if (nego->state == RPCRDMA_NEGO_OPEN && version < BITS_PER_LONG &&
	    nego->versions & BIT(version))
		rpcrdma_nego_set(nego, version);
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_settle);

/**
 * rpcrdma_nego_connprop - the peer tells its properties
 * @nego: state of the connection, settled on version 2
 * @msg: decoded CONNPROP
 *
 * Context: any.
 * Return: RPCRDMA_OK, and @nego->peer has the properties; a server answers then.
 * RPCRDMA_R_PROPERTIES_TWICE if they are known already (V2-CPR-14), and
 * RPCRDMA_R_UNKNOWN_XID if a server gets an answer to what it never asked:
 * nothing has changed then.
 */
enum rpcrdma_reason rpcrdma_nego_connprop(struct rpcrdma_nego *nego,
					  const struct rpcrdma_msg *msg)
{
	if (!nego->client && msg->dir == RPCRDMA_DIR_REPLY)
		return RPCRDMA_R_UNKNOWN_XID;
	if (nego->heard)
		return RPCRDMA_R_PROPERTIES_TWICE;
	nego->heard = true;
	nego->peer = msg->props;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_connprop);

/**
 * rpcrdma_nego_reply - make the answer to a CONNPROP
 * @reply: becomes the answer (V2-CPR-09)
 * @connprop: what is answered
 * @own: properties to tell; their Receives are posted (V2-RBS-09)
 * @grant: forward credits
 *
 * Context: any.
 */
void rpcrdma_nego_reply(struct rpcrdma_msg *reply,
			const struct rpcrdma_msg *connprop,
			const struct rpcrdma_props *own, u32 grant)
{
	rpcrdma_msg_init(reply, NULL, 0);
	reply->xid = connprop->xid;
	reply->vers = RPCRDMA_VERSION_TWO;
	reply->credits = grant;
	reply->type = RPCRDMA_CONNPROP;
	reply->dir = RPCRDMA_DIR_REPLY;
	reply->props = *own;
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_reply);

/**
 * rpcrdma_nego_used - an RPC Reply has come, so the version works
 * @nego: settled
 *
 * Context: any.
 */
void rpcrdma_nego_used(struct rpcrdma_nego *nego)
{
	nego->used = true;
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_used);

/**
 * rpcrdma_nego_lost - a connection of the client is gone: what to remember
 * @nego: its state at the end
 * @past: what is remembered of the server; updated
 *
 * Context: any.
 */
void rpcrdma_nego_lost(const struct rpcrdma_nego *nego,
		       struct rpcrdma_nego_past *past)
{
	switch (nego->state) {
	case RPCRDMA_NEGO_PROBING:
		/* Lost, dropped or never answered (V2-NEG-11) */
		if (nego->probed)
			past->no_v2 = true;
		break;
	case RPCRDMA_NEGO_SETTLED:
		if (nego->version != RPCRDMA_VERSION_ONE)
			break;
		if (nego->used)
			past->no_v2 = false;
		else if (nego->fell_back)
			past->no_v2 = true;		/* V2-NEG-10 */
		break;
	default:
		break;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_nego_lost);
