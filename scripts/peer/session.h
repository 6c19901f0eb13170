/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NFSv4.1 sessions with a backchannel, and the callbacks that come on it.
 */
#ifndef PEER_SESSION_H
#define PEER_SESSION_H

#include "nfs.h"

#define SESSION_ID	16
#define STATE_ID	16

/*
 * struct session - a client of the server, with one session
 * @sequence: of the fore channel's only slot
 * @number:   makes owner and callback program differ from those of others
 */
struct session {
	uint64_t	clientid;
	uint8_t		id[SESSION_ID];
	uint32_t	sequence;
	unsigned int	number;
};

/*
 * struct callback - a reverse Call, decoded
 * @message:  it stays in its receive buffer until callback_done()
 * @sequence: of CB_SEQUENCE
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

/* EXCHANGE_ID, CREATE_SESSION with a backchannel here, RECLAIM_COMPLETE */
void session_create(struct verbs_conn *conn, struct session *session,
		    unsigned int number);

/* This connection becomes a backchannel of the session, too */
void session_bind(struct verbs_conn *conn, struct session *session);

/* Open a file. False: it was opened, and came without a read delegation */
bool session_open_delegation(struct verbs_conn *conn, struct session *session,
			     const char *name, uint8_t *state);
void session_return_delegation(struct verbs_conn *conn, struct session *session,
			       const char *name, const uint8_t *state);

/*
 * From now on, reverse Calls that come where something else is expected are
 * answered: nfsd can give one up and make another for the same purpose. What may
 * not come is the same Call twice.
 */
void session_answer_late_calls(void);

/* Make the server want the delegations of a file back, now */
void trigger_recall(const char *name);

/*
 * A reverse Call must come, and be as RFC 8167 has it: all that is true of every
 * one of them is checked.
 */
struct callback *expect_callback(struct verbs_conn *conn);

/* The Reply to it, which grants @credit; and header and payload to change */
struct call *callback_reply(const struct callback *callback, uint32_t credit);
void callback_done(struct verbs_conn *conn, struct callback *callback);

#endif /* PEER_SESSION_H */
