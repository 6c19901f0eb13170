/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which protocol version a connection runs, and the properties of its peer.
 * Pure.
 */
#ifndef _RPCRDMA_NEGO_H
#define _RPCRDMA_NEGO_H

#include <linux/types.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/props.h>

enum rpcrdma_nego_state {
	RPCRDMA_NEGO_OPEN,		/* server: no message has settled it */
	RPCRDMA_NEGO_PROBING,		/* client: no answer to the probe yet */
	RPCRDMA_NEGO_SETTLED,
	RPCRDMA_NEGO_FAILED,		/* client: no common version */
};

/* What a message that came while probing has changed */
enum rpcrdma_nego_verdict {
	RPCRDMA_NEGO_IGNORED,		/* nothing: drop it */
	RPCRDMA_NEGO_TAKEN,		/* settled, and that is all it said */
	RPCRDMA_NEGO_TAKEN_ON,		/* settled, and it is still to be handled */
	RPCRDMA_NEGO_NONE,		/* no common version: give up */
};

/**
 * struct rpcrdma_nego_past - what a client remembers between connections
 * @no_v2: the server is taken to have no version 2 (V2-NEG-27)
 */
struct rpcrdma_nego_past {
	bool	no_v2;
};

/**
 * struct rpcrdma_nego - the version of one connection
 * @state:     see above
 * @versions:  set of versions that this end takes
 * @version:   RPCRDMA_NEGO_SETTLED: the one in force
 * @client:    this is the connecting end
 * @probed:    client: the probe has been sent
 * @fell_back: client: version 1 after the server refused version 2
 * @used:      an RPC Reply has come
 * @heard:     the peer has told its properties
 * @xid:       client: of the probe
 * @grant:     client: forward credits that came with the settling message, or 0
 * @peer:      properties of the peer; defaults until @heard
 */
struct rpcrdma_nego {
	enum rpcrdma_nego_state	state;
	unsigned long		versions;
	u32			version;
	bool			client;
	bool			probed;
	bool			fell_back;
	bool			used;
	bool			heard;
	__be32			xid;
	u32			grant;
	struct rpcrdma_props	peer;
};

/* nego.c */
void rpcrdma_nego_client(struct rpcrdma_nego *nego,
			 const struct rpcrdma_nego_past *past,
			 unsigned long versions, __be32 xid);
void rpcrdma_nego_server(struct rpcrdma_nego *nego, unsigned long versions);
unsigned long rpcrdma_nego_versions(const struct rpcrdma_nego *nego);
void rpcrdma_nego_probe(struct rpcrdma_nego *nego, struct rpcrdma_msg *msg,
			const struct rpcrdma_props *own, u32 credits);
enum rpcrdma_nego_verdict rpcrdma_nego_answer(struct rpcrdma_nego *nego,
					      struct rpcrdma_msg *msg,
					      const void *buf, size_t len);
void rpcrdma_nego_settle(struct rpcrdma_nego *nego, u32 version);
enum rpcrdma_reason rpcrdma_nego_connprop(struct rpcrdma_nego *nego,
					  const struct rpcrdma_msg *msg);
void rpcrdma_nego_reply(struct rpcrdma_msg *reply,
			const struct rpcrdma_msg *connprop,
			const struct rpcrdma_props *own, u32 grant);
void rpcrdma_nego_used(struct rpcrdma_nego *nego);
void rpcrdma_nego_lost(const struct rpcrdma_nego *nego,
		       struct rpcrdma_nego_past *past);

#endif /* _RPCRDMA_NEGO_H */
