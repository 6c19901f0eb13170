/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NFSv4.1 clients with a delegation, and their recall.
 */
#ifndef PEER_REQUESTER_DELEGATION_H
#define PEER_REQUESTER_DELEGATION_H

#include "requester/session.h"

/* struct deleg - a client with a delegation */
struct deleg {
	struct session	session;
	char		file[32];
	uint8_t		state[STATE_ID];
};

/* Create a session and get a delegation */
void get_delegation(struct verbs_conn *conn, struct deleg *deleg,
		    unsigned int number);

/* Get one more delegation for the same session */
void open_delegated_file(struct verbs_conn *conn, struct deleg *deleg);
void return_delegation(struct verbs_conn *conn, struct deleg *deleg);

/* Reply to @callback and grant @credit */
void answer_callback(struct verbs_conn *conn, const struct callback *callback,
		     uint32_t credit);

/*
 * Recall another delegation of the same client. CB_SEQUENCE shows that the Reply to
 * the callback before was accepted.
 */
void recall_again(struct verbs_conn *conn, struct deleg *deleg,
		  uint32_t sequence);

#endif /* PEER_REQUESTER_DELEGATION_H */
