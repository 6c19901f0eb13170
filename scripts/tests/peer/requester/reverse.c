// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reverse direction (RFC 8167): callbacks of nfsd, and Replies of every
 * kind.
 */
#include <stdlib.h>
#include <string.h>
#include "requester/delegation.h"
#include "requester/scenarios.h"

#define CLIENTS	6

/* One CB_RECALL and its Reply; no Call arrives twice */
void scenario_reverse_recall(void)
{
	struct verbs_conn *conn = open_default();
	struct callback *callback;
	struct deleg deleg;
	uint32_t sequence;

	get_delegation(conn, &deleg, 1);
	expect_silence(conn);
	trigger_recall(deleg.file);
	callback = expect_callback(conn);
	check(!memcmp(callback->session, deleg.session.id, SESSION_ID) &&
	      !memcmp(callback->state, deleg.state, STATE_ID),
	      "the recall has another session or delegation");
	expect_silence(conn);
	answer_callback(conn, callback, 8);
	sequence = callback->sequence;
	callback_done(conn, callback);
	return_delegation(conn, &deleg);
	recall_again(conn, &deleg, sequence);
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * struct recalls - reverse Calls of several clients on one connection
 * @pending: Calls without a Reply
 * @grant:   grant of the newest Reply
 * @most:    most outstanding Calls at one time
 * @called:  clients that got a Call. nfsd can abandon a Call and send another
 */
struct recalls {
	struct deleg	delegs[CLIENTS];
	struct callback	*pending[CLIENTS];
	unsigned int	npending;
	unsigned int	grant;
	unsigned int	most;
	bool		called[CLIENTS];
};

static bool all_called(const struct recalls *r)
{
	unsigned int i;

	for (i = 0; i < CLIENTS; i++)
		if (!r->called[i])
			return false;
	return true;
}

/* Receive all Calls that arrive now: never more than granted */
static void take_recalls(struct verbs_conn *conn, struct recalls *r)
{
	struct verbs_message message;

	while (r->npending < r->grant) {
		if (verbs_wait_message(conn, silence_ms()))
			return;
		r->pending[r->npending++] = expect_callback(conn);
		if (r->npending > r->most)
			r->most = r->npending;
	}
	check(verbs_recv(conn, &message, silence_ms()),
	      "more than %u outstanding reverse Calls", r->grant);
}

static void answer_recalls(struct verbs_conn *conn, struct recalls *r,
			   unsigned int grant)
{
	struct callback *callback;
	unsigned int i;

	while (r->npending) {
		callback = r->pending[--r->npending];
		for (i = 0; i < CLIENTS; i++)
			if (!memcmp(r->delegs[i].session.id, callback->session,
				    SESSION_ID))
				r->called[i] = true;
		answer_callback(conn, callback, grant);
		callback_done(conn, callback);
	}
	r->grant = grant;
}

/*
 * Recall delegations of several clients on one connection at once. Before the
 * first Reply there is one credit; after it, the newest Reply limits the
 * outstanding reverse Calls.
 */
void scenario_reverse_credits(void)
{
	static struct recalls r = { .grant = 1 };
	struct verbs_conn *conn = open_default();
	int64_t end = verbs_now() + timeout_ms();
	unsigned int i;

	for (i = 0; i < CLIENTS; i++)
		get_delegation(conn, &r.delegs[i], 10 + i);
	for (i = 0; i < CLIENTS; i++)
		trigger_recall(r.delegs[i].file);
	while (!all_called(&r)) {
		check(verbs_now() < end, "not all clients got a callback");
		take_recalls(conn, &r);
		answer_recalls(conn, &r, r.grant == 1 ? 2 : 4);
	}
	check(r.most > 2, "never more than %u reverse Calls at once", r.most);
	take_recalls(conn, &r);
	answer_recalls(conn, &r, 4);
	for (i = 0; i < CLIENTS; i++)
		return_delegation(conn, &r.delegs[i]);
	expect_alive(conn);
	verbs_close(conn);
}

/* A forward Call with the XID of an outstanding reverse Call: RFC 8167 (T-48) */
void scenario_reverse_same_xid(void)
{
	struct verbs_conn *conn = open_default();
	struct callback *callback;
	struct deleg deleg;
	struct call *call;
	uint32_t sequence;

	get_delegation(conn, &deleg, 2);
	trigger_recall(deleg.file);
	callback = expect_callback(conn);
	call = null_call();
	call->header.xid = callback->header.xid;
	set_u32(call->payload.data, call->header.xid);
	send_call(conn, call);
	free_reply(conn, expect_success(conn, call));
	answer_callback(conn, callback, 8);
	sequence = callback->sequence;
	callback_done(conn, callback);
	return_delegation(conn, &deleg);
	recall_again(conn, &deleg, sequence);
	verbs_close(conn);
}

/* Replies and errors that match no reverse Call */
static void send_unmatched(struct verbs_conn *conn,
			   const struct callback *callback)
{
	struct call *reply;
	unsigned int i;

	for (i = 0; i < 7; i++) {
		reply = callback_reply(callback, 100);
		if (i < 3 || i == 6) {
			reply->header.xid ^= 0x5a5a0000;
			set_u32(reply->payload.data, reply->header.xid);
		}
		if (i == 1 || i == 3)
			chunk_add(header_add_write(&reply->header), 1, 8, 8);
		if (i == 2 || i == 4)
			chunk_add(header_add_reply(&reply->header), 1, 8, 8);
		if (i == 5)
			header_add_read(&reply->header, 64, 1, 8, 8);
		if (i == 6) {
			reply->header.proc = RDMA_ERROR;
			reply->header.error = ERR_CHUNK;
			reply->payload.len = 0;
		}
		send_call(conn, reply);
		free(reply);
		expect_alive(conn);
	}
	expect_silence(conn);
}

void scenario_reverse_unmatched(void)
{
	struct verbs_conn *conn = open_default();
	struct callback *callback;
	struct deleg deleg;
	uint32_t sequence;

	get_delegation(conn, &deleg, 3);
	trigger_recall(deleg.file);
	callback = expect_callback(conn);
	send_unmatched(conn, callback);
	answer_callback(conn, callback, 8);
	/* A duplicate of the Reply */
	answer_callback(conn, callback, 8);
	expect_alive(conn);
	sequence = callback->sequence;
	callback_done(conn, callback);
	return_delegation(conn, &deleg);
	recall_again(conn, &deleg, sequence);
	expect_silence(conn);
	verbs_close(conn);
}

/* Replies on a connection without a backchannel */
void scenario_reverse_unasked(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		call = null_call();
		header_set_response(&call->header);
		set_u32(call->payload.data + 4, RPC_REPLY);
		if (i & 1)
			chunk_add(header_add_write(&call->header), 1, 8, 8);
		if (i & 2)
			chunk_add(header_add_reply(&call->header), 1, 8, 8);
		if (i & 4)
			header_add_read(&call->header, 64, 1, 8, 8);
		send_call(conn, call);
		expect_alive(conn);
	}
	expect_silence(conn);
	verbs_close(conn);
}

/*
 * Grants in reverse Replies do not change the forward grant:
 * RFC 8167 4.1 (BI-CRED-02)
 */
void scenario_reverse_separate(void)
{
	static const uint32_t grants[] = { 1, 0, 0xffffffff, 8 };
	struct verbs_conn *conn = open_default();
	struct callback *callback;
	struct deleg deleg;
	struct reply *reply;
	struct call *call;
	uint32_t before, after;
	unsigned int i;

	get_delegation(conn, &deleg, 4);
	for (i = 0; i < 4; i++) {
		call = null_call();
		send_call(conn, call);
		reply = expect_success(conn, call);
		before = reply->header.credit;
		free_reply(conn, reply);
		trigger_recall(deleg.file);
		callback = expect_callback(conn);
		answer_callback(conn, callback, grants[i]);
		callback_done(conn, callback);
		call = null_call();
		send_call(conn, call);
		reply = expect_success(conn, call);
		after = reply->header.credit;
		check(after == before, "the forward grant changes from %u to %u",
		      before, after);
		free_reply(conn, reply);
		return_delegation(conn, &deleg);
		open_delegated_file(conn, &deleg);
	}
	verbs_close(conn);
}

/*
 * The client refuses a callback with RDMA_ERROR: the Call ends, the connection
 * does not. RFC 8167 5.3 (T-46). nfsd then sends another Call with another XID.
 */
void scenario_reverse_error(void)
{
	struct verbs_conn *conn = open_default();
	struct callback *callback, *again;
	struct deleg deleg;
	struct call *reply;
	uint32_t xid;

	get_delegation(conn, &deleg, 5);
	trigger_recall(deleg.file);
	callback = expect_callback(conn);
	xid = callback->header.xid;
	reply = callback_reply(callback, 8);
	reply->header.proc = RDMA_ERROR;
	reply->header.error = ERR_CHUNK;
	reply->payload.len = 0;
	send_call(conn, reply);
	callback_done(conn, callback);
	if (!nfsd_of_61()) {
		again = expect_callback(conn);
		check(again->header.xid != xid, "the same Call arrived again");
		answer_callback(conn, again, 8);
		callback_done(conn, again);
	}
	expect_alive(conn);
	return_delegation(conn, &deleg);
	expect_silence(conn);
	verbs_close(conn);
}

/*
 * The connection is lost while a callback is outstanding. nfsd of 6.12 abandons
 * it; the next ones use the connection that is bound to the session then.
 */
void scenario_reverse_lost(void)
{
	struct verbs_conn *conn = open_default(), *next;
	struct callback *callback;
	struct deleg deleg;

	get_delegation(conn, &deleg, 6);
	trigger_recall(deleg.file);
	expect_callback(conn);
	verbs_close(conn);
	next = open_default();
	session_bind(next, &deleg.session);
	return_delegation(next, &deleg);
	open_delegated_file(next, &deleg);
	trigger_recall(deleg.file);
	callback = expect_callback(next);
	check(!memcmp(callback->state, deleg.state, STATE_ID),
	      "another delegation is recalled");
	answer_callback(next, callback, 8);
	callback_done(next, callback);
	return_delegation(next, &deleg);
	expect_silence(next);
	verbs_close(next);
}
