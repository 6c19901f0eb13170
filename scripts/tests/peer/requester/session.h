/* SPDX-License-Identifier: GPL-2.0-only */
/* NFSv4.1 sessions with a backchannel, and callbacks. */
#ifndef PEER_SESSION_H
#define PEER_SESSION_H

#include "requester/nfs.h"

#define SESSION_ID	16
#define STATE_ID	16

/*
 * struct session - an NFSv4.1 client with one session
 * @sequence: sequence number of the only slot of the fore channel
 * @number:   makes the owner and the callback program unique
 */
struct session {
	uint64_t	clientid;
	uint8_t		id[SESSION_ID];
	uint32_t	sequence;
	unsigned int	number;
};

/*
 * struct callback - a reverse Call, decoded
 * @message:  the received message, valid until callback_done()
 * @sequence: sequence number in CB_SEQUENCE
 */
struct callback {
	struct verbs_message	message;
	struct header		header;
	uint32_t		program;
	uint32_t		nops;
	uint8_t			session[SESSION_ID];
	uint32_t		sequence;
	uint32_t		slot;
	uint8_t			state[STATE_ID];
};

/*
 * EXCHANGE_ID, CREATE_SESSION with a backchannel on this connection,
 * RECLAIM_COMPLETE
 */
void session_create(struct verbs_conn *conn, struct session *session,
		    unsigned int number);

/* Add this connection to the backchannel of the session */
void session_bind(struct verbs_conn *conn, struct session *session);

/* Open a file. False: the server gave no read delegation */
bool session_open_delegation(struct verbs_conn *conn, struct session *session,
			     const char *name, uint8_t *state);
void session_return_delegation(struct verbs_conn *conn, struct session *session,
			       const char *name, const uint8_t *state);

/*
 * From now on, reply to reverse Calls that arrive when another message is
 * expected: nfsd can abandon a callback and send a new one for the same
 * purpose. The same Call must not arrive twice.
 */
void session_answer_late_calls(void);

/* Make the server recall the delegations of a file, now */
void trigger_recall(const char *name);

/*
 * The next message must be a reverse Call that conforms to RFC 8167. Checks
 * everything that is true of every reverse Call.
 */
struct callback *expect_callback(struct verbs_conn *conn);

/* Build the Reply, which grants @credit; the caller may change it */
struct call *callback_reply(const struct callback *callback, uint32_t credit);
void callback_done(struct verbs_conn *conn, struct callback *callback);

#endif /* PEER_SESSION_H */
