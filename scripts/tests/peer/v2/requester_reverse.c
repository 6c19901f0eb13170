// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reverse direction in version 2: errors, the F flag, and Backward Request
 * Support.
 */
#include <stdlib.h>
#include <string.h>
#include "requester/delegation.h"
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

static void answer_with_error(struct verbs_conn *conn, uint32_t code)
{
	struct callback *callback = expect_callback(conn);
	struct call *reply = callback_reply(callback, 8);

	reply->header.proc = RDMA_ERROR;
	reply->header.error = code;
	reply->payload.len = 0;
	reply->header.flags = 0;
	send_call(conn, reply);
	header_set_response(&reply->header);
	reply->bytes.len = 0;
	header_put(&reply->bytes, &reply->header);
	send_bytes(conn, reply->bytes.data, 20);
	expect_silence(conn);
	send_call(conn, reply);
	callback_done(conn, callback);
}

/* Errors of every code end the callback; invalid errors do not */
void v2_scenario_reverse_errors(void)
{
	static const uint32_t codes[] = {
		ERR2_BAD_XDR, ERR2_READ_CHUNKS, ERR2_REPLY_RESOURCE, ERR2_SYSTEM,
		77,
	};
	struct verbs_conn *conn = open_default();
	struct callback *callback;
	struct deleg deleg;
	unsigned int i;

	get_delegation(conn, &deleg, 7);
	trigger_recall(deleg.file);
	for (i = 0; i < 5; i++) {
		answer_with_error(conn, codes[i]);
		if (!nfsd_of_61() || i == 4)
			continue;
		return_delegation(conn, &deleg);
		verbs_close(conn);
		conn = open_default();
		get_delegation(conn, &deleg, 70 + i);
		trigger_recall(deleg.file);
	}
	if (!nfsd_of_61()) {
		callback = expect_callback(conn);
		answer_callback(conn, callback, 8);
		callback_done(conn, callback);
	}
	expect_alive(conn);
	return_delegation(conn, &deleg);
	expect_silence(conn);
	verbs_close(conn);
}

/*
 * A Reply without F is refused as an invalid Call; the reverse Call stays
 * outstanding
 */
void v2_scenario_reverse_direction(void)
{
	struct verbs_conn *conn = open_default();
	struct callback *callback;
	struct deleg deleg;
	struct call *reply;
	uint32_t sequence;

	get_delegation(conn, &deleg, 8);
	trigger_recall(deleg.file);
	callback = expect_callback(conn);
	reply = callback_reply(callback, 8);
	reply->header.flags = 0;
	send_call(conn, reply);
	v2_expect_error(conn, reply->header.xid, ERR2_BAD_XDR);
	/* A Call with F is no answer */
	reply->header.flags = FLAG_RESPONSE;
	set_u32(reply->payload.data + 4, RPC_CALL);
	send_call(conn, reply);
	expect_silence(conn);
	answer_callback(conn, callback, 8);
	sequence = callback->sequence;
	callback_done(conn, callback);
	return_delegation(conn, &deleg);
	recall_again(conn, &deleg, sequence);
	verbs_close(conn);
}

/*
 * The server sends reverse Calls only to a client that supports them. The
 * delegation comes from another connection, so there is a reason for a
 * callback.
 */
static void with_level(enum reverse_support level, unsigned int number)
{
	int64_t start;

	struct verbs_conn *conn = open_default(), *next;
	struct verbs_options options;
	struct callback *callback;
	struct deleg deleg;
	struct call *call;

	get_delegation(conn, &deleg, number);
	default_options(&options);
	next = open_raw(&options);
	call = new_connprop();
	header_add_number(&call->header, PROPERTY_RBSIZ, 8192);
	header_add_number(&call->header, PROPERTY_BRS, level);
	exchange_props(next, call);
	session_bind(next, &deleg.session);
	verbs_close(conn);
	start = verbs_now();
	trigger_recall(deleg.file);
	if (level == REVERSE_NONE) {
		/* No callback is expected here */
		intercept = NULL;
		while (verbs_now() < start + 4000 * target.slow)
			expect_silence(next);
		expect_alive(next);
	} else {
		callback = expect_callback(next);
		note("callback after %lld ms", (long long)(verbs_now() - start));
		answer_callback(next, callback, 8);
		callback_done(next, callback);
	}
	verbs_close(next);
}

void v2_scenario_reverse_levels(void)
{
	with_level(REVERSE_INLINE, 30);
	with_level(REVERSE_GENERAL, 31);
	with_level(REVERSE_NONE, 32);
}
