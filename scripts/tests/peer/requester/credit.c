// SPDX-License-Identifier: GPL-2.0-only
/* Credits, and the number of posted Receives. */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

/* Far more READs than any server grants, in bursts larger than its receive queue */
#define OVERRUN_CALLS	2000
#define OVERRUN_BURST	500
#define OVERRUN_CALL_MAX	512
#define OVERRUN_LEN	1048576

/* One NULL Call that requests @credits. Return: the grant */
static uint32_t ask(struct verbs_conn *conn, uint32_t credits)
{
	struct call *call = null_call();
	struct reply *reply;
	uint32_t grant;

	call->header.credit = credits;
	send_call(conn, call);
	reply = expect_success(conn, call);
	grant = reply->header.credit;
	free_reply(conn, reply);
	free(call);
	return grant;
}

/* Every request gets a grant that is not 0, in any order */
void scenario_credit_requests(void)
{
	static const uint32_t requests[] = {
		0, 1, 2, 5, 64, 1000, 65535, 65536, 0x7fffffff, 0xffffffff, 0, 3,
	};
	struct verbs_conn *conn = open_default();
	uint32_t most = ask(conn, 0xffffffff), grant;
	unsigned int i;

	for (i = 0; i < 12; i++) {
		grant = ask(conn, requests[i]);
		check(grant && grant <= most,
		      "%u credits granted, %u requested", grant, requests[i]);
	}
	expect_silence(conn);
	verbs_close(conn);
}

void send_nulls(struct verbs_conn *conn, unsigned int count,
		struct call **calls)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		calls[i] = null_call();
		send_call(conn, calls[i]);
	}
}

/* Replies arrive in any order, one for each Call. Return: the largest grant */
uint32_t take_nulls(struct verbs_conn *conn, unsigned int count,
		    struct call **calls)
{
	static struct header h;
	struct verbs_message message;
	uint32_t grant = 0;
	unsigned int i, j;

	for (i = 0; i < count; i++) {
		next_message(conn, &message);
		check(!header_get(&h, message.data, message.len) && !h.proc,
		      "a message that is not a Reply");
		for (j = 0; j < count; j++)
			if (calls[j] && calls[j]->header.xid == h.xid)
				break;
		check(j < count, "an unmatched or second Reply %08x", h.xid);
		free(calls[j]);
		calls[j] = NULL;
		check(h.credit, "a credit grant of 0");
		if (h.credit > grant)
			grant = h.credit;
		repost_receive(conn, &message);
	}
	return grant;
}

/*
 * The server has posted the Receives when it announces the grant: use all
 * credits at once, right after the first Reply. The grant does not depend on
 * the number of outstanding Calls.
 */
void scenario_credit_all(void)
{
	struct verbs_options options;
	struct verbs_conn *conn;
	struct call *calls[1024];
	uint32_t grant, again;
	unsigned int round;

	default_options(&options);
	options.recvs = 1024;
	options.sends = 1024;
	options.recv_size = 1024;
	options.send_size = 1024;
	private_put(options.private, false, 1024, 1024);
	conn = open_with(&options);
	grant = ask(conn, 1024);
	check(grant > 1, "the grant stays at %u", grant);
	if (grant > 1024)
		grant = 1024;
	for (round = 0; round < 5; round++) {
		send_nulls(conn, grant, calls);
		again = take_nulls(conn, grant, calls);
		check(again >= grant || again >= 32,
		      "the grant decreases from %u to %u", grant, again);
	}
	expect_silence(conn);
	verbs_close(conn);
}

/*
 * READs of the whole file into @memory, posted with one doorbell. False if the connection is
 * lost already
 */
static bool overrun_burst(struct verbs_conn *conn, const struct nfs_handle *handle,
			  struct memory *memory)
{
	static uint8_t bytes[OVERRUN_BURST][OVERRUN_CALL_MAX];
	struct verbs_data data[OVERRUN_BURST];
	struct call *call;
	unsigned int i;

	for (i = 0; i < OVERRUN_BURST; i++) {
		call = new3_read(handle, 0, OVERRUN_LEN);
		add_segment(header_add_write(&call->header), memory, 0, OVERRUN_LEN);
		encode_call(call);
		check(call->bytes.len <= OVERRUN_CALL_MAX, "a Call of %zu bytes", call->bytes.len);
		memcpy(bytes[i], call->bytes.data, call->bytes.len);
		data[i].data = bytes[i];
		data[i].len = call->bytes.len;
		free(call);
	}
	return !verbs_send_all(conn, data, OVERRUN_BURST);
}

/*
 * More Calls than were granted, and each takes so long that the server cannot keep up:
 * it closes this connection. The case looks for the reason in the kernel log. A burst
 * arrives as fast as the server posts Receives, however slow this process runs.
 */
void scenario_credit_overrun(void)
{
	struct verbs_options options;
	struct nfs_handle handle;
	struct verbs_conn *conn;
	struct memory *memory;
	unsigned int sent = 0;
	int64_t started;

	default_options(&options);
	options.recvs = OVERRUN_CALLS;
	options.sends = OVERRUN_CALLS;
	options.recv_size = 1024;
	options.send_size = 1024;
	private_put(options.private, false, 1024, 1024);
	conn = open_with(&options);
	make_file("overrun", OVERRUN_LEN, 1);
	look_up(conn, "overrun", &handle);
	memory = writable_memory(conn, OVERRUN_LEN);
	started = verbs_now();
	while (sent < OVERRUN_CALLS && overrun_burst(conn, &handle, memory))
		sent += OVERRUN_BURST;
	check(sent, "the Calls cannot be sent");
	expect_lost(conn);
	report_recovery("receive-overrun", verbs_now() - started);
	note("%u Calls, %lu messages came back", sent, conn->received);
	verbs_close(conn);
}

/*
 * As many Calls are unanswered as were granted: the connection stays. One more is too many.
 * The case sees to it that WRITEs to this file hang, and that the server never grants more.
 */
void scenario_credits_used_up(void)
{
	struct verbs_conn *conn = open_default();
	struct nfs_handle handle;
	struct call *call;
	uint32_t position, grant, i;

	look_up(conn, "hung/file", &handle);
	grant = ask(conn, 1024);
	for (i = 0; i < grant; i++) {
		call = new3_write(&handle, 0, 4, &position);
		put_u32(&call->payload, i);
		send_call(conn, call);
		free(call);
	}
	expect_silence(conn);
	note("%u Calls are unanswered", grant);
	send_call(conn, null_call());
	expect_no_answer(conn);
	verbs_close(conn);
}

/* One posted Receive is enough for one Call at a time */
void scenario_credit_one_receive(void)
{
	struct verbs_options options;
	struct verbs_conn *conn;
	unsigned long before;
	unsigned int i;

	default_options(&options);
	options.recvs = 1;
	options.rnr_retry = 0;
	conn = open_with(&options);
	before = conn->received;
	for (i = 0; i < 200; i++)
		ask(conn, 1 + i % 3);
	check(conn->posted == 1 && conn->received == before + 200,
	      "%lu messages received", conn->received - before);
	expect_silence(conn);
	verbs_close(conn);
}

/* A silently dropped message must not use up a Receive: RFC 8166 (T-14) */
void scenario_credit_drops(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	uint32_t before = ask(conn, 32);
	unsigned int i;

	header_put(&call->bytes, &call->header);
	for (i = 0; i < 2000; i++) {
		send_bytes(conn, call->bytes.data, i % 28);
		if (i % 50 == 49)
			ask(conn, 32);
	}
	check(ask(conn, 32) == before, "the grant has changed");
	scenario_credit_all();
	verbs_close(conn);
}
