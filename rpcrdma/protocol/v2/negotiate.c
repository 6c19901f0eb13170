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
 * rpcrdma_negotiate_error_answer() does.
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
#include <rpcrdma/v2/negotiate.h>

/* Words of an error that answers a probe */
enum {
	RPCRDMA_NEGOTIATE_WORD_FLAGS	= 4,	/* or code, from version 1 */
	RPCRDMA_NEGOTIATE_WORD_CODE	= 5,	/* or lowest version */
};

static void rpcrdma_negotiate_init(struct rpcrdma_negotiation *neg,
				   unsigned long versions)
{
	memset(neg, 0, sizeof(*neg));
	neg->versions = versions;
	rpcrdma_props_default(&neg->peer);
}

static void rpcrdma_negotiate_set(struct rpcrdma_negotiation *neg, u32 version)
{
	neg->version = version;
	/* Whoever looks from outside and sees this sees the version */
	smp_store_release(&neg->state, RPCRDMA_NEGOTIATE_SETTLED);
}

/**
 * rpcrdma_negotiate_client - begin at the connecting end
 * @neg: state of the new connection
 * @past: what is remembered of the server
 * @versions: set of versions to take, not empty
 * @xid: for the probe; not in use by an RPC (OQ-03)
 *
 * Afterwards the version is settled, or a probe is to be sent. A client that is
 * to take nothing but version 2 probes whatever it remembers (V2-SEC-05).
 *
 * Context: any.
 */
void rpcrdma_negotiate_client(struct rpcrdma_negotiation *neg,
			      const struct rpcrdma_negotiate_past *past,
			      unsigned long versions, __be32 xid)
{
	rpcrdma_negotiate_init(neg, versions);
	neg->client = true;
	neg->xid = xid;
	WRITE_ONCE(neg->state, RPCRDMA_NEGOTIATE_ASKING);
	if (!(versions & RPCRDMA_VERSIONS_2) ||
	    (versions & RPCRDMA_VERSIONS_1 && past->no_v2))
		rpcrdma_negotiate_set(neg, RPCRDMA_VERSION_ONE);
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_client);

/**
 * rpcrdma_negotiate_server - begin at the accepting end
 * @neg: state of the new connection
 * @versions: set of versions to take, not empty
 *
 * Context: any.
 */
void rpcrdma_negotiate_server(struct rpcrdma_negotiation *neg,
			      unsigned long versions)
{
	rpcrdma_negotiate_init(neg, versions);
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_server);

/**
 * rpcrdma_negotiate_versions - versions in which a message may come now
 * @neg: state of the connection
 *
 * Context: any.
 * Return: a set of versions for rpcrdma_msg_decode(); never empty.
 */
unsigned long rpcrdma_negotiate_versions(const struct rpcrdma_negotiation *neg)
{
	switch (neg->state) {
	case RPCRDMA_NEGOTIATE_SETTLED:
		return BIT(neg->version);
	case RPCRDMA_NEGOTIATE_ASKING:
		return RPCRDMA_VERSIONS_2;
	default:
		return neg->versions;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_versions);

/**
 * rpcrdma_negotiate_open - make the probe
 * @neg: probing; the probe counts as sent from now on
 * @msg: becomes the probe
 * @own: properties to tell; their Receives are posted (V2-RBS-09)
 * @credits: forward credits to ask for
 *
 * Context: any.
 */
void rpcrdma_negotiate_open(struct rpcrdma_negotiation *neg,
			    struct rpcrdma_msg *msg,
			    const struct rpcrdma_props *own, u32 credits)
{
	rpcrdma_msg_init(msg, NULL, 0);
	msg->xid = neg->xid;
	msg->vers = RPCRDMA_VERSION_TWO;
	msg->credits = credits;
	msg->type = RPCRDMA_CONNPROP;
	msg->dir = RPCRDMA_DIR_CALL;
	msg->props = *own;
	WRITE_ONCE(neg->opened, true);
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_open);

/* The server has not got version 2: is there another one to go on with? */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_fall_back(struct rpcrdma_negotiation *neg, u32 low, u32 high)
{
	if (neg->versions & RPCRDMA_VERSIONS_1 &&
	    low <= RPCRDMA_VERSION_ONE && high >= RPCRDMA_VERSION_ONE) {
		WRITE_ONCE(neg->fell_back, true);
		rpcrdma_negotiate_set(neg, RPCRDMA_VERSION_ONE);
		return RPCRDMA_NEGOTIATE_DONE;
	}
	WRITE_ONCE(neg->state, RPCRDMA_NEGOTIATE_FAILED);	/* V2-NEG-28 */
	return RPCRDMA_NEGOTIATE_NO_VERSION;
}

/* @range: two words. One that cannot be is as good as none (V2-NEG-19) */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_err_vers(struct rpcrdma_negotiation *neg, const __be32 *range)
{
	u32 low = be32_to_cpup(range), high = be32_to_cpup(range + 1);

	if (low > high) {
		low = RPCRDMA_VERSION_ONE;
		high = RPCRDMA_VERSION_ONE;
	}
	return rpcrdma_negotiate_fall_back(neg, low, high);
}

static bool rpcrdma_negotiate_is_error(const __be32 *words)
{
	return words[RPCRDMA_WORD_PROC] == cpu_to_be32(RPCRDMA_WIRE_ERROR);
}

static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_error_answer(struct rpcrdma_negotiation *neg,
			       const __be32 *words, size_t len)
{
	const __be32 one = cpu_to_be32(RPCRDMA_WIRE_ERR_VERS);
	const __be32 *flags = words + RPCRDMA_NEGOTIATE_WORD_FLAGS;
	const __be32 *code = words + RPCRDMA_NEGOTIATE_WORD_CODE;

	if (words[RPCRDMA_WORD_XID] != neg->xid)
		return RPCRDMA_NEGOTIATE_IGNORED;
	if (len >= RPCRDMA_V1_ERR_VERS_SIZE && len < RPCRDMA_V2_ERR_VERS_SIZE &&
	    *flags == one)
		return rpcrdma_negotiate_err_vers(neg, code);
	if (len >= RPCRDMA_V2_ERR_VERS_SIZE && *flags == one && *code == one)
		return rpcrdma_negotiate_err_vers(neg, code + 1);
	if (len >= RPCRDMA_V2_ERR_MIN &&
	    words[RPCRDMA_WORD_VERS] == cpu_to_be32(RPCRDMA_VERSION_TWO) &&
	    be32_to_cpup(flags) & RPCRDMA_WIRE_F_RESPONSE) {
		/* It knows version 2 and did not like the probe (V2-NEG-20) */
		rpcrdma_negotiate_set(neg, RPCRDMA_VERSION_TWO);
		return RPCRDMA_NEGOTIATE_DONE;
	}
	return rpcrdma_negotiate_fall_back(neg, RPCRDMA_VERSION_ONE,
					   RPCRDMA_VERSION_ONE);
}

/**
 * rpcrdma_negotiate_answer - a message has come while the client is probing
 * @neg: probing
 * @msg: room for a message, as for rpcrdma_msg_decode(); overwritten
 * @buf: message, only read, 4-byte aligned; hostile
 * @len: bytes received
 *
 * Context: any.
 * Return: see enum rpcrdma_negotiate_verdict. After RPCRDMA_NEGOTIATE_DONE and
 * RPCRDMA_NEGOTIATE_DONE_DELIVER the version is settled; @neg->grant tells the credits
 * that go with it.
 */
enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_answer(struct rpcrdma_negotiation *neg,
			 struct rpcrdma_msg *msg, const void *buf, size_t len)
{
	enum rpcrdma_reason reason;

	/* A server does not speak first (V2-CPR-10) */
	if (neg->state != RPCRDMA_NEGOTIATE_ASKING || !neg->opened ||
	    len < RPCRDMA_FIXED_SIZE)
		return RPCRDMA_NEGOTIATE_IGNORED;
	if (rpcrdma_negotiate_is_error(buf))
		return rpcrdma_negotiate_error_answer(neg, buf, len);

	reason = rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, buf, len);
	switch (reason) {
	case RPCRDMA_R_SHORT:
	case RPCRDMA_R_VERS:
	case RPCRDMA_R_PROC:
		return RPCRDMA_NEGOTIATE_IGNORED;
	default:
		break;
	}
	rpcrdma_negotiate_set(neg, RPCRDMA_VERSION_TWO);
	if (reason || msg->type != RPCRDMA_CONNPROP)
		return RPCRDMA_NEGOTIATE_DONE_DELIVER;
	rpcrdma_negotiate_connprop(neg, msg);
	if (msg->dir == RPCRDMA_DIR_REPLY)
		neg->grant = msg->credits ?: 1;		/* V2-CRD-05 */
	return RPCRDMA_NEGOTIATE_DONE;
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_answer);

/**
 * rpcrdma_negotiate_settle - the server has got a message other than an error
 * @neg: state of the connection
 * @version: version word of the message
 *
 * The first one in a version that is taken decides (V2-NEG-21).
 *
 * Context: any.
 */
void rpcrdma_negotiate_settle(struct rpcrdma_negotiation *neg, u32 version)
{
	if (neg->state == RPCRDMA_NEGOTIATE_OPEN && version < BITS_PER_LONG &&
	    neg->versions & BIT(version))
		rpcrdma_negotiate_set(neg, version);
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_settle);

/**
 * rpcrdma_negotiate_connprop - the peer tells its properties
 * @neg: state of the connection, settled on version 2
 * @msg: decoded CONNPROP
 *
 * Context: any.
 * Return: RPCRDMA_OK, and @neg->peer has the properties; a server answers then.
 * RPCRDMA_R_PROPERTIES_TWICE if they are known already (V2-CPR-14), and
 * RPCRDMA_R_UNKNOWN_XID if a server gets an answer to what it never asked:
 * nothing has changed then.
 */
enum rpcrdma_reason rpcrdma_negotiate_connprop(struct rpcrdma_negotiation *neg,
					       const struct rpcrdma_msg *msg)
{
	if (!neg->client && msg->dir == RPCRDMA_DIR_REPLY)
		return RPCRDMA_R_UNKNOWN_XID;
	if (neg->heard)
		return RPCRDMA_R_PROPERTIES_TWICE;
	neg->heard = true;
	neg->peer = msg->props;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_connprop);

/**
 * rpcrdma_negotiate_reply - make the answer to a CONNPROP
 * @reply: becomes the answer (V2-CPR-09)
 * @connprop: what is answered
 * @own: properties to tell; their Receives are posted (V2-RBS-09)
 * @grant: forward credits
 *
 * Context: any.
 */
void rpcrdma_negotiate_reply(struct rpcrdma_msg *reply,
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
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_reply);

/**
 * rpcrdma_negotiate_used - an RPC Reply has come, so the version works
 * @neg: settled
 *
 * Context: any.
 */
void rpcrdma_negotiate_used(struct rpcrdma_negotiation *neg)
{
	neg->used = true;
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_used);

/**
 * rpcrdma_negotiate_lost - a connection of the client is gone: what to remember
 * @neg: its state at the end
 * @past: what is remembered of the server; updated
 *
 * Context: any.
 */
void rpcrdma_negotiate_lost(const struct rpcrdma_negotiation *neg,
			    struct rpcrdma_negotiate_past *past)
{
	switch (neg->state) {
	case RPCRDMA_NEGOTIATE_ASKING:
		/* Lost, dropped or never answered (V2-NEG-11) */
		if (neg->opened)
			past->no_v2 = true;
		break;
	case RPCRDMA_NEGOTIATE_SETTLED:
		if (neg->version != RPCRDMA_VERSION_ONE)
			break;
		if (neg->used)
			past->no_v2 = false;
		else if (neg->fell_back)
			past->no_v2 = true;		/* V2-NEG-10 */
		break;
	default:
		break;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_lost);
