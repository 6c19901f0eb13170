// SPDX-License-Identifier: GPL-2.0-only
/*
 * Negotiation of the protocol version (rpcrdma-version-two-09 7): a state machine on
 * messages.
 *
 * A client that wants version 2 first sends one message, the opening Call: a Call of
 * version 2 to the NULL procedure. Every server must answer it. One with version 2
 * sends the Reply. One without it sends ERR_VERS, and the client uses version 1 on the
 * same connection. If no answer comes the client closes the connection, and the next
 * one begins with version 1.
 *
 * Once it knows that the server has version 2, the client tells its properties in a
 * CONNPROP. No server must answer that one, so the client does not wait for long.
 *
 * A server uses the version of the first message that it accepts.
 *
 * A client remembers that a server has no version 2, so that the same failure does not
 * repeat without end. It forgets that when a version 1 connection has worked and has
 * gone, or when the server answers a Call of version 1 with an ERR_VERS for version 2,
 * so that an upgraded server is rediscovered. Pure: no device, no lock.
 */
#include <asm/barrier.h>
#include <linux/export.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include <rpcrdma/v2/negotiate.h>

/* Words of an error that answers the opening Call, besides the fixed ones */
enum {
	RPCRDMA_NEGOTIATE_WORD_FLAGS	= 4,	/* in version 1 the error code */
	RPCRDMA_NEGOTIATE_WORD_CODE	= 5,	/* in version 1 the lowest version */
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
	/*
	 * Pairs with rpcrdma_debugfs_version() and rpcrdma_show_version(): a reader
	 * that sees the state sees the version.
	 */
	smp_store_release(&neg->state, RPCRDMA_NEGOTIATE_SETTLED);
}

/**
 * rpcrdma_negotiate_client - begin the negotiation of a client's connection
 * @neg: state of the new connection
 * @past: what the client remembers of the server
 * @versions: set of versions to accept, not empty
 * @xid: for the opening Call; not the XID of an RPC in progress
 *
 * Afterwards the version is settled, or the opening Call is to be sent. A client that
 * accepts version 2 only sends it whatever it remembers.
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
 * rpcrdma_negotiate_server - begin the negotiation of a server's connection
 * @neg: state of the new connection
 * @versions: set of versions to accept, not empty
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
 * rpcrdma_negotiate_versions - versions in which a message may arrive now
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
	case RPCRDMA_NEGOTIATE_TELLING:
		return RPCRDMA_VERSIONS_2;
	default:
		return neg->versions;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_versions);

/**
 * rpcrdma_negotiate_opened - note whether the opening Call is sent
 * @neg: in RPCRDMA_NEGOTIATE_ASKING
 * @sent: true before it is sent, since the answer may come at once; false if that
 *	failed, so that a loss of the connection tells nothing about the server
 *
 * Context: any.
 */
void rpcrdma_negotiate_opened(struct rpcrdma_negotiation *neg, bool sent)
{
	WRITE_ONCE(neg->opened, sent);
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_opened);

/**
 * rpcrdma_negotiate_tell - make the CONNPROP of a client
 * @neg: in RPCRDMA_NEGOTIATE_TELLING; the message counts as sent from now on
 * @msg: becomes the CONNPROP
 * @own: our properties; Receives of that size are posted already
 * @credits: forward credits to ask for
 * @xid: not the XID of an RPC in progress
 *
 * Context: any.
 */
void rpcrdma_negotiate_tell(struct rpcrdma_negotiation *neg,
			    struct rpcrdma_msg *msg,
			    const struct rpcrdma_props *own, u32 credits,
			    __be32 xid)
{
	WRITE_ONCE(neg->xid, xid);
	rpcrdma_msg_init(msg, NULL, 0);
	msg->xid = xid;
	msg->vers = RPCRDMA_VERSION_TWO;
	msg->credits = credits;
	msg->type = RPCRDMA_CONNPROP;
	msg->dir = RPCRDMA_DIR_CALL;
	msg->props = *own;
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_tell);

/**
 * rpcrdma_negotiate_told - go on without an answer to our CONNPROP
 * @neg: state of a client's connection
 *
 * The properties of the server count as soon as they come, if they come at all.
 *
 * Context: any.
 */
void rpcrdma_negotiate_told(struct rpcrdma_negotiation *neg)
{
	if (neg->state == RPCRDMA_NEGOTIATE_TELLING)
		rpcrdma_negotiate_set(neg, RPCRDMA_VERSION_TWO);
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_told);

/* The server has version 2. @grant: forward credits, or 0 */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_found(struct rpcrdma_negotiation *neg, u32 grant)
{
	neg->grant = grant;
	neg->version = RPCRDMA_VERSION_TWO;
	WRITE_ONCE(neg->state, RPCRDMA_NEGOTIATE_TELLING);
	return RPCRDMA_NEGOTIATE_TELL;
}

/* The server does not have version 2: use version 1 if both sides have it */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_fall_back(struct rpcrdma_negotiation *neg, u32 low, u32 high)
{
	if (neg->versions & RPCRDMA_VERSIONS_1 &&
	    low <= RPCRDMA_VERSION_ONE && high >= RPCRDMA_VERSION_ONE) {
		WRITE_ONCE(neg->fell_back, true);
		rpcrdma_negotiate_set(neg, RPCRDMA_VERSION_ONE);
		return RPCRDMA_NEGOTIATE_DONE;
	}
	WRITE_ONCE(neg->state, RPCRDMA_NEGOTIATE_FAILED);
	return RPCRDMA_NEGOTIATE_NO_VERSION;
}

/* @range: two words. An impossible range is taken as "version 1 only" */
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

/*
 * The layout of an error depends on who sent it:
 *
 * - 28 to 31 bytes, word 4 is ERR_VERS: a version 1 ERR_VERS, which every server may
 *   send;
 * - 32 bytes or more, words 4 and 5 are 1: an ERR_VERS with a flags word in front;
 * - version 2 with the response flag: another error of a version 2 server;
 * - everything else: an error of a server that has version 1 only.
 *
 * The errors of version 2 about chunks have 28 bytes too, but the opening Call has no
 * chunks.
 */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_error_answer(struct rpcrdma_negotiation *neg,
			       const __be32 *words, size_t len)
{
	const __be32 one = cpu_to_be32(RPCRDMA_WIRE_ERR_VERS);
	const __be32 *flags = words + RPCRDMA_NEGOTIATE_WORD_FLAGS;
	const __be32 *code = words + RPCRDMA_NEGOTIATE_WORD_CODE;

	if (len >= RPCRDMA_V1_ERR_VERS_SIZE && len < RPCRDMA_V2_ERR_VERS_SIZE &&
	    *flags == one)
		return rpcrdma_negotiate_err_vers(neg, code);
	if (len >= RPCRDMA_V2_ERR_VERS_SIZE && *flags == one && *code == one)
		return rpcrdma_negotiate_err_vers(neg, code + 1);
	if (len >= RPCRDMA_V2_ERR_MIN &&
	    words[RPCRDMA_WORD_VERS] == cpu_to_be32(RPCRDMA_VERSION_TWO) &&
	    be32_to_cpup(flags) & RPCRDMA_WIRE_F_RESPONSE)
		return rpcrdma_negotiate_found(neg, 0);
	return rpcrdma_negotiate_fall_back(neg, RPCRDMA_VERSION_ONE,
					   RPCRDMA_VERSION_ONE);
}

/* Any other message than an error, in RPCRDMA_NEGOTIATE_ASKING */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_asked(struct rpcrdma_negotiation *neg,
			const struct rpcrdma_msg *msg, const void *buf,
			size_t len)
{
	/* Properties of its own accord. The Reply still has to come */
	if (msg->type == RPCRDMA_CONNPROP)
		return rpcrdma_negotiate_connprop(neg, msg) ?
		       RPCRDMA_NEGOTIATE_IGNORED : RPCRDMA_NEGOTIATE_WAIT;
	/* Whatever the Reply says, it is one */
	if (msg->type != RPCRDMA_MSG || msg->dir != RPCRDMA_DIR_REPLY ||
	    msg->xid != neg->xid ||
	    rpcrdma_payload_check(msg->xid, buf + msg->header_size,
				  len - msg->header_size))
		return RPCRDMA_NEGOTIATE_IGNORED;
	return rpcrdma_negotiate_found(neg, msg->credits ?: 1);
}

/* The same in RPCRDMA_NEGOTIATE_TELLING */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_answered(struct rpcrdma_negotiation *neg,
			   const struct rpcrdma_msg *msg,
			   enum rpcrdma_reason reason)
{
	rpcrdma_negotiate_set(neg, RPCRDMA_VERSION_TWO);
	if (reason || msg->type != RPCRDMA_CONNPROP)
		return RPCRDMA_NEGOTIATE_DONE_DELIVER;
	rpcrdma_negotiate_connprop(neg, msg);
	if (msg->dir == RPCRDMA_DIR_REPLY)
		neg->grant = msg->credits ?: 1;	/* a grant of 0 counts as 1 */
	return RPCRDMA_NEGOTIATE_DONE;
}

/* An error. One that answers our CONNPROP changes nothing */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_error(struct rpcrdma_negotiation *neg, const __be32 *words,
			size_t len)
{
	if (words[RPCRDMA_WORD_XID] != neg->xid)
		return RPCRDMA_NEGOTIATE_IGNORED;
	if (neg->state == RPCRDMA_NEGOTIATE_ASKING)
		return rpcrdma_negotiate_error_answer(neg, words, len);
	rpcrdma_negotiate_told(neg);
	return RPCRDMA_NEGOTIATE_DONE;
}

/**
 * rpcrdma_negotiate_answer - handle a message that comes before the version is settled
 * @neg: state of a client's connection
 * @msg: memory for a message, as for rpcrdma_msg_decode(); overwritten
 * @buf: message, only read, 4-byte aligned; not trusted
 * @len: bytes received
 *
 * Context: any.
 * Return: see enum rpcrdma_negotiate_verdict. After RPCRDMA_NEGOTIATE_TELL,
 * RPCRDMA_NEGOTIATE_DONE and RPCRDMA_NEGOTIATE_DONE_DELIVER the version is known, and
 * @neg->grant has the credits that the server has granted.
 */
enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_answer(struct rpcrdma_negotiation *neg,
			 struct rpcrdma_msg *msg, const void *buf, size_t len)
{
	enum rpcrdma_reason reason;

	/* A server does not send the first message */
	if (!neg->opened || len < RPCRDMA_FIXED_SIZE ||
	    (neg->state != RPCRDMA_NEGOTIATE_ASKING &&
	     neg->state != RPCRDMA_NEGOTIATE_TELLING))
		return RPCRDMA_NEGOTIATE_IGNORED;
	if (rpcrdma_negotiate_is_error(buf))
		return rpcrdma_negotiate_error(neg, buf, len);

	reason = rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, buf, len);
	switch (reason) {
	case RPCRDMA_R_SHORT:
	case RPCRDMA_R_VERS:
	case RPCRDMA_R_PROC:
		return RPCRDMA_NEGOTIATE_IGNORED;
	default:
		break;
	}
	if (neg->state == RPCRDMA_NEGOTIATE_TELLING)
		return rpcrdma_negotiate_answered(neg, msg, reason);
	if (reason)
		return RPCRDMA_NEGOTIATE_IGNORED;
	return rpcrdma_negotiate_asked(neg, msg, buf, len);
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_answer);

/**
 * rpcrdma_negotiate_settle - handle a message other than an error, on the server
 * @neg: state of the connection
 * @version: version word of the message
 *
 * The first message in a version that is accepted settles the version.
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
 * rpcrdma_negotiate_connprop - store the properties of the peer
 * @neg: state of the connection, settled on version 2
 * @msg: decoded CONNPROP
 *
 * Context: any.
 * Return: RPCRDMA_OK, and @neg->peer has the properties; a server then answers.
 * RPCRDMA_R_PROPERTIES_TWICE if they are known already, and RPCRDMA_R_UNKNOWN_XID if a
 * server gets an answer although it has not asked: nothing changes then.
 */
enum rpcrdma_reason rpcrdma_negotiate_connprop(struct rpcrdma_negotiation *neg,
					       const struct rpcrdma_msg *msg)
{
	if (!neg->client && msg->dir == RPCRDMA_DIR_REPLY)
		return RPCRDMA_R_UNKNOWN_XID;
	if (neg->has_props)
		return RPCRDMA_R_PROPERTIES_TWICE;
	neg->has_props = true;
	neg->peer = msg->props;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_connprop);

/**
 * rpcrdma_negotiate_reply - make the answer to a CONNPROP
 * @reply: becomes the answer
 * @connprop: message to answer
 * @own: our properties; Receives of that size are posted already
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
 * rpcrdma_negotiate_used - note that an RPC Reply has come, so the version works
 * @neg: state of a client's connection; the version is settled
 *
 * Context: any.
 */
void rpcrdma_negotiate_used(struct rpcrdma_negotiation *neg)
{
	/* For each Reply: senders read the cache line */
	if (!neg->used)
		neg->used = true;
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_used);

/**
 * rpcrdma_negotiate_outdated - handle an ERR_VERS that answers a Call
 * @neg: state of a client's connection; the version is settled
 * @err: decoded ERR_VERS of the server
 *
 * Version 1 may have been settled from memory: then a server that has version 2 only
 * gets its first message from this connection.
 *
 * Context: receive path.
 * Return: true if the server has version 2 only, and this side takes it: the owner
 * closes the connection, and the next one asks for version 2.
 */
bool rpcrdma_negotiate_outdated(struct rpcrdma_negotiation *neg,
				const struct rpcrdma_msg *err)
{
	if (neg->version != RPCRDMA_VERSION_ONE ||
	    !(neg->versions & RPCRDMA_VERSIONS_2) ||
	    err->vers_low != RPCRDMA_VERSION_TWO ||
	    err->vers_high < RPCRDMA_VERSION_TWO)
		return false;
	neg->outdated = true;
	return true;
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_outdated);

/**
 * rpcrdma_negotiate_lost - update what the client remembers, after a connection
 * @neg: last state of the connection
 * @past: what the client remembers of the server; updated
 *
 * Context: any.
 */
void rpcrdma_negotiate_lost(const struct rpcrdma_negotiation *neg,
			    struct rpcrdma_negotiate_past *past)
{
	switch (neg->state) {
	case RPCRDMA_NEGOTIATE_ASKING:
		/* The opening Call was not answered, and nothing else has come */
		if (neg->opened && !neg->has_props)
			past->no_v2 = true;
		break;
	case RPCRDMA_NEGOTIATE_SETTLED:
		if (neg->version != RPCRDMA_VERSION_ONE)
			break;
		if (neg->used || neg->outdated)
			past->no_v2 = false;
		else if (neg->fell_back)
			past->no_v2 = true;
		break;
	default:
		break;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_negotiate_lost);
