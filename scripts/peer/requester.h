/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requester's role: build Calls, send them, and judge what comes back. All of
 * it ends the scenario when something is not as it should be.
 */
#ifndef PEER_REQUESTER_H
#define PEER_REQUESTER_H

#include "header.h"
#include "memory.h"
#include "rpc.h"
#include "test.h"

/*
 * struct call - a Call: header, RPC message, and both together when it was sent
 */
struct call {
	struct header	header;
	struct xdr_out	payload;
	struct xdr_out	bytes;
};

/*
 * struct reply - what came back, decoded
 * @message: with its bytes, until reply_free()
 * @rpc:     RPC Reply
 * @results: what follows it
 * @long_payload: copy of what came in the Reply chunk
 */
struct reply {
	struct verbs_message	message;
	struct header		header;
	struct rpc_reply	rpc;
	struct xdr_in		results;
	uint8_t			*long_payload;
};

extern const struct scenario requester_scenarios[];
extern const unsigned int requester_scenario_count;
extern const struct scenario requester2_scenarios[];
extern const unsigned int requester2_scenario_count;

/*
 * Connections: with RFC 8797 private data that offers what the peer can do, or as
 * @options say. In version 2 the properties have been exchanged, which say the
 * same; open_raw() is without.
 */
void default_options(struct verbs_options *options);
struct verbs_conn *open_raw(const struct verbs_options *options);
struct verbs_conn *open_with(const struct verbs_options *options);
struct verbs_conn *open_default(void);

/* Without private data or properties: 1024 bytes each way, 4096 in version 2 */
#define DEFAULT_THRESHOLD	(target.version == 2 ? 4096u : 1024u)

struct verbs_conn *open_no_private(void);

/* The peer's own device is soft-iWARP, which differs in what it tells and checks */
bool is_siw(const struct verbs_conn *conn);

/* Bytes that the server takes, and sends, in one message */
unsigned int call_threshold(const struct verbs_conn *conn);
unsigned int reply_threshold(const struct verbs_conn *conn);

uint32_t new_xid(void);
struct call *new_call(uint32_t program, uint32_t version, uint32_t procedure);
struct call *null_call(void);

/* Header and payload, as they stand now */
void send_call(struct verbs_conn *conn, struct call *call);
void send_bytes(struct verbs_conn *conn, const void *data, size_t len);

/*
 * Where set: whether a message was something beside the exchange at hand, and has
 * been dealt with.
 */
extern bool (*intercept)(struct verbs_conn *conn,
			 const struct verbs_message *message);

/* The next message; its receive buffer is posted again by repost_receive() */
void next_message(struct verbs_conn *conn, struct verbs_message *message);
void repost_receive(struct verbs_conn *conn, const struct verbs_message *message);

/*
 * The next message is a Reply to @call with a proper header: all that is true of
 * every Reply is checked (credits, echoed lists, thresholds).
 */
struct reply *expect_reply(struct verbs_conn *conn, const struct call *call);

/* And the RPC was accepted and executed */
struct reply *expect_success(struct verbs_conn *conn, const struct call *call);
void free_reply(struct verbs_conn *conn, struct reply *reply);

/* RDMA_ERROR, and nothing but it */
void expect_err_chunk(struct verbs_conn *conn, uint32_t xid);
void expect_err_vers(struct verbs_conn *conn, uint32_t xid, uint32_t vers);

/* Any error: what is true of all of them */
void check_error(struct verbs_conn *conn, struct header *h,
		 const struct verbs_message *message, uint32_t xid,
		 uint32_t vers);

/* The answer to a Call that must not be executed: ERR_CHUNK, or an RPC error */
void expect_refused(struct verbs_conn *conn, const struct call *call);

/* True: executed. False: ERR_CHUNK */
bool executed_or_err_chunk(struct verbs_conn *conn, const struct call *call);
void expect_err_chunk_or_lost(struct verbs_conn *conn, uint32_t xid);

/* Nothing comes for a while, and the connection lives */
void expect_silence(struct verbs_conn *conn);

/* The connection goes down; messages that come before are not looked at */
void expect_lost(struct verbs_conn *conn);

/* A NULL Call is answered on it, with nothing in front of the Reply */
void expect_alive(struct verbs_conn *conn);

/* For a connection that the server may close at any moment: false if it has */
bool send_call_or_lost(struct verbs_conn *conn, struct call *call);

/* A NULL Call is answered on it, whatever comes in front of the Reply */
bool expect_alive_or_lost(struct verbs_conn *conn);

/* A NULL Call on a fresh connection is answered */
void check_server_alive(void);

/*
 * requester2.c: version 2 only.
 *
 * struct props - what the ends of a connection have told each other; verbs_conn.arg
 * @local:    our Receive Buffer Size, as the server is to take it
 * @remote:  the server's
 * @reverse: the server's level of reverse support
 * @grant:   credits
 */
struct props {
	uint32_t	local;
	uint32_t	remote;
	uint32_t	reverse;
	uint32_t	grant;
};

/* An RDMA2_CONNPROP without a property */
struct call *new_connprop(void);

/* The next message answers it: with properties that are valid and complete */
void expect_connprop(struct verbs_conn *conn, const struct call *call);

/* Send it and do what it and its answer say; it is freed */
void exchange_props(struct verbs_conn *conn, struct call *connprop);
void exchange_props_as_private(struct verbs_conn *conn);

/* The next message is that error, and its fields are returned */
const struct header *expect_error2(struct verbs_conn *conn, uint32_t xid,
				   enum header_error2 error);
void expect_version_range(struct verbs_conn *conn, uint32_t xid, uint32_t vers,
			  uint32_t low, uint32_t high);

#endif /* PEER_REQUESTER_H */
