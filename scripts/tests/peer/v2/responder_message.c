// SPDX-License-Identifier: GPL-2.0-only
/* Replies and other messages to the client that only version 2 has. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "v2/responder_scenarios.h"

#define FIRST_XID	0xca120000

static uint32_t wrong_value;

static void corrupt_vers(struct exchange *x)
{
	server.hdr.vers = wrong_value;
}

static void corrupt_type(struct exchange *x)
{
	server.hdr.proc = wrong_value;
}

/* F is set, but the RPC message is a Call */
static void corrupt_direction(struct exchange *x)
{
	set_u32(server.body + 4, RPC_CALL);
}

static void corrupt_payload_xid(struct exchange *x)
{
	set_u32(server.body, x->header.xid ^ 1);
}

static void corrupt_msg_type(struct exchange *x)
{
	set_u32(server.body + 4, 2);
}

static void corrupt_read_list(struct exchange *x)
{
	header_add_read(&server.hdr, 64, 0x1234, 4096, 0);
}

static void corrupt_to_nomsg(struct exchange *x)
{
	server.hdr.proc = RDMA_NOMSG;
}

/*
 * The client drops them without an answer, and the RPC ends with the good Reply; with
 * lists that are not those of the Call it ends with an error
 */
void v2_client_bad_replies(void)
{
	static const uint32_t versions[] = { 0, 1, 3, 0xffffffff };
	static const uint32_t types[] = { RDMA_MSGP, RDMA_DONE, 6, 0xffffffff };
	unsigned int i;

	setup("3");
	for (i = 0; i < 4; i++) {
		wrong_value = versions[i];
		bad_then_good(OP_STATFS, do_statfs, corrupt_vers,
			      "version not supported");
	}
	for (i = 0; i < 4; i++) {
		wrong_value = types[i];
		bad_then_good(OP_STATFS, do_statfs, corrupt_type,
			      "procedure not supported");
	}
	bad_then_good(OP_STATFS, do_statfs, corrupt_direction, "refused");
	bad_then_good(OP_STATFS, do_statfs, corrupt_payload_xid,
		      "XIDs of transport and RPC header differ");
	bad_then_good(OP_STATFS, do_statfs, corrupt_msg_type,
		      "unexpected RPC message type");
	bad_ends(OP_STATFS, do_statfs, corrupt_read_list,
		 "Reply has a Read list");
	bad_ends(OP_STATFS, do_statfs, corrupt_to_nomsg,
		 "Reply has its payload twice or nowhere");
	check(!observe().errors, "a Reply drew an error");
	teardown();
}

/* Undefined flags, and an Invalidate handle, which has no meaning in a Reply */
static void odd_words(struct exchange *x)
{
	build_reply(x);
	server.hdr.flags = wrong_value;
	server.hdr.inv_handle = wrong_value;
	post_reply(x);
}

void v2_client_flags(void)
{
	unsigned int bit;

	setup("3");
	for (bit = 1; bit < 32; bit++) {
		wrong_value = 1u << bit | FLAG_RESPONSE;
		arm_fault(OP_STATFS, 1, NULL, odd_words);
		expect_result(do_statfs(), 0, "undefined flags");
		check(disarm_fault() == 1, "no such Call was sent");
		arm_fault(OP_READ, 1, NULL, odd_words);
		expect_result(read_data(), 0, "undefined flags");
		check(disarm_fault() == 1, "no such Call was sent");
	}
	check(observe().connects == 1 && !bad_replies(),
	      "undefined flags were not ignored");
	teardown();
}

/* An inline Reply may omit an unused Reply chunk */
static bool left_out;

static void without_chunk(struct exchange *x)
{
	build_reply(x);
	if (x->header.has_reply && server.hdr.proc == RDMA_MSG) {
		left_out = true;
		server.hdr.has_reply = false;
	}
	post_reply(x);
}

void v2_client_no_reply_chunk(void)
{
	setup("3");
	arm_fault(OP_READDIR, 20, NULL, without_chunk);
	expect_result(run_program("ls %s > /dev/null", MNT), 0, "ls");
	disarm_fault();
	check(left_out, "no Call had an unneeded Reply chunk");
	check(observe().connects == 1 && !bad_replies(), "the Reply was refused");
	teardown();
}

static void await_errors(unsigned int count, enum v2_error error,
			 uint32_t xid)
{
	int64_t deadline = verbs_now() + timeout_ms();
	struct observed obs;

	while (observe().errors < count)
		check(verbs_now() < deadline && !usleep(5000),
		      "%u of %u messages were answered with an error", observe().errors, count);
	obs = observe();
	check(obs.error == error && obs.error_xid == xid &&
	      obs.error_vers == 2 && obs.error_credit,
	      "error %u for XID %08x instead of %u for %08x", obs.error,
	      obs.error_xid, error, xid);
}

static void send_it(struct header *h, uint32_t flags)
{
	responder_lock();
	h->flags = flags;
	send_header(newest_conn(), h);
	responder_unlock();
}

/* Unknown types: an error without F, dropped with F */
void v2_client_types(void)
{
	static const uint32_t types[] = {
		RDMA_MSGP, RDMA_DONE, 6, 7, 0x80000000, 0xffffffff,
	};
	static struct header h;
	unsigned int i;

	setup("4.1");
	for (i = 0; i < 6; i++) {
		header_init(&h, FIRST_XID + i);
		h.proc = types[i];
		send_it(&h, 0);
		await_errors(i + 1, ERR2_INVAL_HTYPE, FIRST_XID + i);
		send_it(&h, FLAG_RESPONSE);
		expect_result(do_statfs(), 0, "statfs");
		check(observe().errors == i + 1, "a message with F drew an error");
	}
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/*
 * A second CONNPROP: SYSTEM without F, dropped with F, and no change of the
 * thresholds
 */
void v2_client_connprop_again(void)
{
	static struct header h;
	unsigned int i, limit;

	setup("4.1");
	responder_lock();
	limit = newest_conn()->call_limit;
	responder_unlock();
	expect_inline_use(limit);
	for (i = 0; i < 4; i++) {
		header_init(&h, FIRST_XID + i);
		h.proc = RDMA2_CONNPROP;
		header_add_number(&h, PROPERTY_RBSIZ, i % 2 ? 1024 : 65536);
		send_it(&h, 0);
		await_errors(i + 1, ERR2_SYSTEM, FIRST_XID + i);
		send_it(&h, FLAG_RESPONSE);
		expect_result(do_statfs(), 0, "statfs");
		expect_result(read_data(), 0, "READ");
		expect_result(write_data(), 0, "WRITE");
	}
	header_init(&h, FIRST_XID + i);
	h.proc = RDMA2_CONNPROP;
	header_add_number(&h, PROPERTY_BRS, 77);
	send_it(&h, 0);
	await_errors(i + 1, ERR2_BAD_XDR, FIRST_XID + i);
	send_it(&h, FLAG_RESPONSE);
	expect_result(do_statfs(), 0, "statfs");
	check(observe().errors == i + 1, "a message with F drew an error");
	expect_inline_use(limit);
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* A handle of the same Call, but not the one that it named */
static void another_handle(struct exchange *x)
{
	const struct chunk *chunk = &x->header.writes[0];
	static struct xdr_out out;

	check(chunk->nsegs > 1 && x->header.inv_handle == chunk->segs[0].handle,
	      "there is no other handle");
	build_reply(x);
	encode_reply(&out);
	verbs_send_inv(x->cc->conn, out.data, out.len, chunk->segs[1].handle);
}

void v2_client_other_handle(void)
{
	set_parameter("mr_pages", "4");
	setup("3");
	set_parameter("mr_pages", "0");
	arm_fault(OP_READ, 1, NULL, another_handle);
	expect_result(read_data(), 0, "READ");
	check(disarm_fault() == 1, "no such Call was sent");
	expect_log("invalidated a handle that was not offered");
	check(observe().connects == 2, "%u connections", observe().connects);
	teardown();
}

/*
 * An error should not invalidate a handle. If it invalidates the handle that
 * the Call has named, the RPC ends as usual, and the client does not invalidate
 * it again.
 */
static void send_error_and_invalidate(struct exchange *x)
{
	static struct xdr_out out;

	check(x->header.inv_handle, "no handle was named");
	build_error(x, ERR2_SYSTEM);
	encode_reply(&out);
	verbs_send_inv(x->cc->conn, out.data, out.len, x->header.inv_handle);
	exchange_done(x);
}

void v2_client_error_invalidates(void)
{
	unsigned int i;

	setup("3");
	for (i = 0; i < 3; i++) {
		arm_fault(OP_READ, 1, send_error_and_invalidate, NULL);
		expect_result(read_data(), -EREMOTEIO, "READ");
		check(disarm_fault() == 1, "no such Call was sent");
		expect_result(read_data(), 0, "READ after it");
		expect_result(write_data(), 0, "WRITE after it");
	}
	check(observe().connects == 1, "%u connections", observe().connects);
	teardown();
}
