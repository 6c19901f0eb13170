/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which protocol version a connection runs, and the properties of its peer.
 * Pure.
 */
#ifndef _RPCRDMA_V2_NEGOTIATE_H
#define _RPCRDMA_V2_NEGOTIATE_H

#include <linux/types.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/v2/props.h>

enum rpcrdma_negotiate_state {
	RPCRDMA_NEGOTIATE_OPEN,		/* server: no message has settled it */
	RPCRDMA_NEGOTIATE_ASKING,	/* client: no answer to the probe yet */
	RPCRDMA_NEGOTIATE_SETTLED,
	RPCRDMA_NEGOTIATE_FAILED,	/* client: no common version */
};

/* What a message that came while probing has changed */
enum rpcrdma_negotiate_verdict {
	RPCRDMA_NEGOTIATE_IGNORED,	/* nothing: drop it */
	RPCRDMA_NEGOTIATE_DONE,		/* settled, and that is all it said */
	RPCRDMA_NEGOTIATE_DONE_DELIVER,	/* settled, and it is still to be handled */
	RPCRDMA_NEGOTIATE_NO_VERSION,	/* no common version: give up */
};

/**
 * struct rpcrdma_negotiate_past - what a client remembers between connections
 * @no_v2: the server is taken to have no version 2 (V2-NEG-27)
 */
struct rpcrdma_negotiate_past {
	bool	no_v2;
};

/**
 * struct rpcrdma_negotiation - the version of one connection
 * @state:     see above
 * @versions:  set of versions that this end takes
 * @version:   RPCRDMA_NEGOTIATE_SETTLED: the one in force
 * @client:    this is the connecting end
 * @opened:    client: the probe has been sent
 * @fell_back: client: version 1 after the server refused version 2
 * @used:      an RPC Reply has come
 * @heard:     the peer has told its properties
 * @xid:       client: of the probe
 * @grant:     client: forward credits that came with the settling message, or 0
 * @peer:      properties of the peer; defaults until @heard
 */
struct rpcrdma_negotiation {
	enum rpcrdma_negotiate_state	state;
	unsigned long		versions;
	u32			version;
	bool			client;
	bool			opened;
	bool			fell_back;
	bool			used;
	bool			heard;
	__be32			xid;
	u32			grant;
	struct rpcrdma_props	peer;
};

/* protocol/v2/negotiate.c */
void rpcrdma_negotiate_client(struct rpcrdma_negotiation *neg,
			      const struct rpcrdma_negotiate_past *past,
			      unsigned long versions, __be32 xid);
void rpcrdma_negotiate_server(struct rpcrdma_negotiation *neg,
			      unsigned long versions);
unsigned long rpcrdma_negotiate_versions(const struct rpcrdma_negotiation *neg);
void rpcrdma_negotiate_open(struct rpcrdma_negotiation *neg,
			    struct rpcrdma_msg *msg,
			    const struct rpcrdma_props *own, u32 credits);
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
void rpcrdma_negotiate_lost(const struct rpcrdma_negotiation *neg,
			    struct rpcrdma_negotiate_past *past);

#endif /* _RPCRDMA_V2_NEGOTIATE_H */
