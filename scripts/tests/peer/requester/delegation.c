// SPDX-License-Identifier: GPL-2.0-only
/*
 * NFSv4.1 clients with a delegation, and their recall.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "requester/delegation.h"

/*
 * Use a new file each time: nfsd remembers recent recalls in a bloom filter.
 * There are no delegations in the first seconds, during lockd's grace period.
 */
void open_delegated_file(struct verbs_conn *conn, struct deleg *deleg)
{
	int64_t end = verbs_now() + timeout_ms();
	static unsigned int files;

	do {
		check(verbs_now() < end, "the server gives no read delegation");
		if (files)
			usleep(100000);
		snprintf(deleg->file, sizeof(deleg->file), "held-%u-%u",
			 deleg->session.number, files++);
		make_file(deleg->file, 10, 1);
	} while (!session_open_delegation(conn, &deleg->session, deleg->file,
					  deleg->state));
}

void get_delegation(struct verbs_conn *conn, struct deleg *deleg,
		    unsigned int number)
{
	session_answer_late_calls();
	session_create(conn, &deleg->session, number);
	open_delegated_file(conn, deleg);
}

void return_delegation(struct verbs_conn *conn, struct deleg *deleg)
{
	session_return_delegation(conn, &deleg->session, deleg->file, deleg->state);
}

void answer_callback(struct verbs_conn *conn, const struct callback *callback,
		     uint32_t credit)
{
	struct call *reply = callback_reply(callback, credit);

	send_call(conn, reply);
	free(reply);
}

void recall_again(struct verbs_conn *conn, struct deleg *deleg,
		  uint32_t sequence)
{
	struct callback *callback;

	open_delegated_file(conn, deleg);
	trigger_recall(deleg->file);
	callback = expect_callback(conn);
	check(callback->sequence == sequence + 1,
	      "CB_SEQUENCE %u follows on %u", callback->sequence, sequence);
	answer_callback(conn, callback, 8);
	callback_done(conn, callback);
	return_delegation(conn, deleg);
}
