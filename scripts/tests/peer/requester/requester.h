/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requester role: build Calls, send them, and check the answers. All
 * functions end the scenario when a check fails.
 */
#ifndef PEER_REQUESTER_H
#define PEER_REQUESTER_H

#include "common/header.h"
#include "common/memory.h"
#include "common/rpc.h"
#include "common/test.h"

/* struct call - a Call: header, RPC message, and both encoded for the Send */
struct call {
	struct header	header;
	struct xdr_out	payload;
	struct xdr_out	bytes;
};

/*
 * struct reply - a decoded Reply
 * @message: the received message, valid until free_reply()
 * @rpc:     header of the RPC Reply
 * @results: results of the procedure
 * @long_payload: copy of the contents of the Reply chunk
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

/*
 * Connections, with the default RFC 8797 private data or with that of @options.
 * In version 2 they also exchange properties with the same values; open_raw()
 * does not. try_open_raw() returns 0 or a negative errno, the others fail.
 */
void default_options(struct verbs_options *options);
int try_open_raw(struct verbs_conn **conn, const struct verbs_options *options);
struct verbs_conn *open_raw(const struct verbs_options *options);
struct verbs_conn *open_with(const struct verbs_options *options);
struct verbs_conn *open_default(void);

/* Inline thresholds without private data or properties */
#define DEFAULT_THRESHOLD	(target.version == 2 ? 4096u : 1024u)

struct verbs_conn *open_no_private(void);

/* The peer runs on soft-iWARP, which reports and checks less than other devices */
bool is_siw(const struct verbs_conn *conn);

/* Inline thresholds: from the peer to the server, and back */
unsigned int call_threshold(const struct verbs_conn *conn);
unsigned int reply_threshold(const struct verbs_conn *conn);

uint32_t new_xid(void);
struct call *new_call(uint32_t program, uint32_t version, uint32_t procedure);
struct call *null_call(void);

/* Encode header and payload as they are now, and send them */
void send_call(struct verbs_conn *conn, struct call *call);
void send_bytes(struct verbs_conn *conn, const void *data, size_t len);

/*
 * If set, it is called for each message first. It returns true if the message
 * does not belong to the current exchange and has been handled.
 */
extern bool (*intercept)(struct verbs_conn *conn,
			 const struct verbs_message *message);

/* Wait for the next message; repost_receive() posts its receive buffer again */
void next_message(struct verbs_conn *conn, struct verbs_message *message);
void repost_receive(struct verbs_conn *conn, const struct verbs_message *message);

/*
 * The next message must be a valid Reply to @call. Checks everything that is
 * true of every Reply: credits, returned chunk lists, thresholds.
 */
struct reply *expect_reply(struct verbs_conn *conn, const struct call *call);

/* Also, the RPC was accepted and executed */
struct reply *expect_success(struct verbs_conn *conn, const struct call *call);
void free_reply(struct verbs_conn *conn, struct reply *reply);

/*
 * The next message must be this RDMA_ERROR. Version 1 has ERR_CHUNK for each bad Call;
 * version 2 has more codes, and BAD_XDR for the others.
 */
void expect_refusal(struct verbs_conn *conn, uint32_t xid, enum v2_error error);
void expect_err_chunk(struct verbs_conn *conn, uint32_t xid);
void expect_err_vers(struct verbs_conn *conn, uint32_t xid, uint32_t vers);

/* Checks that apply to every RDMA_ERROR */
void check_error(struct verbs_conn *conn, struct header *h,
		 const struct verbs_message *message, uint32_t xid,
		 uint32_t vers);

/* The Call must be refused: with ERR_CHUNK, or with GARBAGE_ARGS */
void expect_refused(struct verbs_conn *conn, const struct call *call);

/* True: the Call was executed. False: it was refused with this error */
bool executed_or_refused(struct verbs_conn *conn, const struct call *call,
			 enum v2_error error);

/*
 * nfsd of 6.1 gives a callback up after an error, and gives no more delegations to that
 * client until it has a new connection; and it gets the length of some Replies wrong.
 */
bool nfsd_of_61(void);

/* No message arrives for a while, and the connection is not lost */
void expect_silence(struct verbs_conn *conn);

/* The server must close the connection; earlier messages are not checked */
void expect_lost(struct verbs_conn *conn);

/* The same, and no message comes before: the server could send none */
void expect_no_answer(struct verbs_conn *conn);

/* The server replies to a NULL Call, and sends no other message first */
void expect_alive(struct verbs_conn *conn);

/* Writes @call to its bytes, to be sent with verbs_send_all() */
void encode_call(struct call *call);

/* The server may close the connection at any time. False if it has */
bool send_call_or_lost(struct verbs_conn *conn, struct call *call);

/*
 * The server replies to a NULL Call; before that it may refuse @call, which is counted in
 * @refused, but not execute it. It may close the connection: false then
 */
bool expect_not_executed(struct verbs_conn *conn, const struct call *call,
			 unsigned int *refused);

/* The server replies to a NULL Call on a new connection */
void check_server_alive(void);

/* The server has no more than @count connections after a while; only ours can be asked */
void expect_server_connections(unsigned int count);

#endif /* PEER_REQUESTER_H */
