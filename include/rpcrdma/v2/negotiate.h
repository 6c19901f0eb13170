/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Negotiation of the protocol version of a connection, and the transport properties
 * of its peer (rpcrdma-version-two-09 7). Pure: no device, no lock.
 */
#ifndef _RPCRDMA_V2_NEGOTIATE_H
#define _RPCRDMA_V2_NEGOTIATE_H

#include <linux/types.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/v2/props.h>

enum rpcrdma_negotiate_state {
	RPCRDMA_NEGOTIATE_OPEN,		/* server: not settled */
	RPCRDMA_NEGOTIATE_ASKING,	/* client: opening Call not answered */
	RPCRDMA_NEGOTIATE_TELLING,	/* client: version 2; CONNPROP not answered */
	RPCRDMA_NEGOTIATE_SETTLED,
	RPCRDMA_NEGOTIATE_FAILED,	/* client: no common version */
};

/* What to do with a message that came before the version was settled */
enum rpcrdma_negotiate_verdict {
	RPCRDMA_NEGOTIATE_IGNORED,	/* nothing has changed: drop it */
	RPCRDMA_NEGOTIATE_WAIT,		/* accepted; the answer is still to come */
	RPCRDMA_NEGOTIATE_TELL,		/* version 2: send our CONNPROP */
	RPCRDMA_NEGOTIATE_DONE,		/* settled; nothing else is in it */
	RPCRDMA_NEGOTIATE_DONE_DELIVER,	/* settled; handle it as any other */
	RPCRDMA_NEGOTIATE_NO_VERSION,	/* no common version: close */
};

/**
 * struct rpcrdma_negotiate_past - what a client remembers between connections
 * @no_v2: the server has no version 2, as far as the client knows
 */
struct rpcrdma_negotiate_past {
	bool	no_v2;
};

/**
 * struct rpcrdma_negotiation - the version of one connection
 * @state:     see enum rpcrdma_negotiate_state
 * @versions:  set of versions that this side accepts
 * @version:   the version in force, in RPCRDMA_NEGOTIATE_SETTLED
 * @client:    this side is the client
 * @opened:    client: the opening Call has been sent
 * @fell_back: client: version 1 is used because the server has refused version 2
 * @used:      client: an RPC Reply has come
 * @outdated:  client: version 1 is used, and the server has version 2 only
 * @has_props: the peer has sent its properties
 * @xid:       client: of the opening Call, later of our CONNPROP
 * @grant:     client: forward credits that the answers granted, or 0
 * @peer:      properties of the peer; defaults until @has_props
 */
struct rpcrdma_negotiation {
	enum rpcrdma_negotiate_state	state;
	unsigned long			versions;
	u32				version;
	bool				client;
	bool				opened;
	bool				fell_back;
	bool				used;
	bool				outdated;
	bool				has_props;
	__be32				xid;
	u32				grant;
	struct rpcrdma_props		peer;
};

/* protocol/v2/negotiate.c */
void rpcrdma_negotiate_client(struct rpcrdma_negotiation *neg,
			      const struct rpcrdma_negotiate_past *past,
			      unsigned long versions, __be32 xid);
void rpcrdma_negotiate_server(struct rpcrdma_negotiation *neg,
			      unsigned long versions);
unsigned long rpcrdma_negotiate_versions(const struct rpcrdma_negotiation *neg);
void rpcrdma_negotiate_opened(struct rpcrdma_negotiation *neg, bool sent);
void rpcrdma_negotiate_tell(struct rpcrdma_negotiation *neg,
			    struct rpcrdma_msg *msg,
			    const struct rpcrdma_props *own, u32 credits,
			    __be32 xid);
void rpcrdma_negotiate_told(struct rpcrdma_negotiation *neg);
enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_answer(struct rpcrdma_negotiation *neg,
			 struct rpcrdma_msg *msg, const void *buf, size_t len);
void rpcrdma_negotiate_settle(struct rpcrdma_negotiation *neg, u32 version);
enum rpcrdma_reason rpcrdma_negotiate_connprop(struct rpcrdma_negotiation *neg,
					       const struct rpcrdma_msg *msg);
void rpcrdma_negotiate_reply(struct rpcrdma_msg *reply,
			     const struct rpcrdma_msg *connprop,
			     const struct rpcrdma_props *own, u32 grant);
void rpcrdma_negotiate_used(struct rpcrdma_negotiation *neg);
bool rpcrdma_negotiate_outdated(struct rpcrdma_negotiation *neg,
				const struct rpcrdma_msg *err);
void rpcrdma_negotiate_lost(const struct rpcrdma_negotiation *neg,
			    struct rpcrdma_negotiate_past *past);

#endif /* _RPCRDMA_V2_NEGOTIATE_H */
