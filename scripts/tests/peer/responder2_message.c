// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replies and other messages to the client, as only version 2 has them.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "responder_scenarios.h"

#define FIRST_XID	0xca120000

static uint32_t wrong_value;

static void spoil_vers(struct exchange *x)
{
	server.shape.vers = wrong_value;
}

static void spoil_type(struct exchange *x)
{
	server.shape.proc = wrong_value;
}

/* F is set, and the RPC says that it is a Call */
static void spoil_sense(struct exchange *x)
{
	set_u32(server.body + 4, RPC_CALL);
}

static void spoil_payload_xid(struct exchange *x)
{
	set_u32(server.body, x->header.xid ^ 1);
}

static void spoil_msg_type(struct exchange *x)
{
	set_u32(server.body + 4, 2);
}

static void spoil_read_list(struct exchange *x)
{
	header_add_read(&server.shape, 64, 0x1234, 4096, 0);
}

static void spoil_nomsg(struct exchange *x)
{
	server.shape.proc = RDMA_NOMSG;
}

/* Dropped without an answer, and the RPC ends with the good Reply */
void client2_bad_replies(void)
{
	static const uint32_t versions[] = { 0, 1, 3, 0xffffffff };
	static const uint32_t types[] = { RDMA_MSGP, RDMA_DONE, 6, 0xffffffff };
	unsigned int i;

	begin("3");
	for (i = 0; i < 4; i++) {
		wrong_value = versions[i];
		bad_then_good(OP_STATFS, do_statfs, spoil_vers,
			      "version not supported");
	}
	for (i = 0; i < 4; i++) {
		wrong_value = types[i];
		bad_then_good(OP_STATFS, do_statfs, spoil_type,
			      "procedure not supported");
	}
	bad_then_good(OP_STATFS, do_statfs, spoil_sense, "refused");
	bad_then_good(OP_STATFS, do_statfs, spoil_payload_xid,
		      "XIDs of transport and RPC header differ");
	bad_then_good(OP_STATFS, do_statfs, spoil_msg_type,
		      "unexpected RPC message type");
	bad_then_good(OP_STATFS, do_statfs, spoil_read_list,
		      "Reply has a Read list");
	bad_then_good(OP_STATFS, do_statfs, spoil_nomsg,
		      "Reply has its payload twice or nowhere");
	check(!look().errors, "a Reply drew an error");
	end();
}

/* Flags that nobody has defined, and a handle that means nothing in a Reply */
static void odd_words(struct exchange *x)
{
	shape_reply(x);
	server.shape.flags = wrong_value;
	server.shape.inv_handle = wrong_value;
	post_reply(x);
}

void client2_flags(void)
{
	unsigned int bit;

	begin("3");
	for (bit = 1; bit < 32; bit++) {
		wrong_value = 1u << bit | FLAG_RESPONSE;
		arm(OP_STATFS, 1, NULL, odd_words);
		expect_result(do_statfs(), 0, "undefined flags");
		check(disarm() == 1, "no such Call was sent");
		arm(OP_READ, 1, NULL, odd_words);
		expect_result(read_data(), 0, "undefined flags");
		check(disarm() == 1, "no such Call was sent");
	}
	check(look().connects == 1 && !bad_replies(), "they were not ignored");
	end();
}

/* An inline Reply may leave out the Reply chunk that it does not use */
static bool left_out;

static void without_chunk(struct exchange *x)
{
	shape_reply(x);
	if (x->header.has_reply && server.shape.proc == RDMA_MSG) {
		left_out = true;
		server.shape.has_reply = false;
	}
	post_reply(x);
}

void client2_no_reply_chunk(void)
{
	begin("3");
	arm(OP_READDIR, 20, NULL, without_chunk);
	expect_result(run_program("ls %s > /dev/null", MNT), 0, "ls");
	disarm();
	check(left_out, "no Call had a Reply chunk without need");
	check(look().connects == 1 && !bad_replies(), "it was refused");
	end();
}

static void await_errors(unsigned int count, enum header_error2 error,
			 uint32_t xid)
{
	int64_t deadline = verbs_now() + patience();
	struct seen seen;

	while (look().errors < count)
		check(verbs_now() < deadline && !usleep(5000),
		      "%u of %u messages drew an error", look().errors, count);
	seen = look();
	check(seen.error == error && seen.error_xid == xid &&
	      seen.error_vers == 2 && seen.error_credit,
	      "error %u for XID %08x, and not %u for %08x", seen.error,
	      seen.error_xid, error, xid);
}

static void send_it(struct header *h, uint32_t flags)
{
	responder_lock();
	h->flags = flags;
	send_header(newest_side(), h);
	responder_unlock();
}

/* Types that the client does not know: answered without F, dropped with it */
void client2_types(void)
{
	static const uint32_t types[] = {
		RDMA_MSGP, RDMA_DONE, 6, 7, 0x80000000, 0xffffffff,
	};
	static struct header h;
	unsigned int i;

	begin("4.1");
	for (i = 0; i < 6; i++) {
		header_init(&h, FIRST_XID + i);
		h.proc = types[i];
		send_it(&h, 0);
		await_errors(i + 1, ERR2_INVAL_HTYPE, FIRST_XID + i);
		send_it(&h, FLAG_RESPONSE);
		expect_result(do_statfs(), 0, "statfs");
		check(look().errors == i + 1, "a message with F drew an error");
	}
	check(look().connects == 1, "the client has reconnected");
	end();
}

/* Properties once more: SYSTEM without F, nothing with it; and no change */
void client2_connprop_again(void)
{
	static struct header h;
	unsigned int i, limit;

	begin("4.1");
	responder_lock();
	limit = newest_side()->call_limit;
	responder_unlock();
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
	check(look().errors == i + 1, "a message with F drew an error");
	responder_lock();
	check(newest_side()->call_limit == limit, "another threshold");
	responder_unlock();
	check(look().connects == 1, "the client has reconnected");
	end();
}

/* A handle of the same Call, but not the one that it has named */
static void another_handle(struct exchange *x)
{
	const struct chunk *chunk = &x->header.writes[0];
	static struct xdr_out out;

	check(chunk->nsegs > 1 && x->header.inv_handle == chunk->segs[0].handle,
	      "there is no other handle");
	shape_reply(x);
	encode_reply(&out);
	verbs_send_inv(x->side->conn, out.data, out.len, chunk->segs[1].handle);
}

void client2_other_handle(void)
{
	set_parameter("mr_pages", "4");
	begin("3");
	set_parameter("mr_pages", "0");
	arm(OP_READ, 1, NULL, another_handle);
	expect_result(read_data(), 0, "READ");
	check(disarm() == 1, "no such Call was sent");
	expect_log("invalidated a handle that was not offered");
	check(look().connects == 2, "%u connections", look().connects);
	end();
}

/*
 * No error should invalidate anything. One that does, and the handle that the Call has
 * named, ends its RPC all the same, and nothing is invalidated twice.
 */
static void refuse_and_invalidate(struct exchange *x)
{
	static struct xdr_out out;

	check(x->header.inv_handle, "no handle was named");
	error_shape(x, ERR2_SYSTEM);
	encode_reply(&out);
	verbs_send_inv(x->side->conn, out.data, out.len, x->header.inv_handle);
	exchange_done(x);
}

void client2_error_invalidates(void)
{
	unsigned int i;

	begin("3");
	for (i = 0; i < 3; i++) {
		arm(OP_READ, 1, refuse_and_invalidate, NULL);
		expect_result(read_data(), -EREMOTEIO, "READ");
		check(disarm() == 1, "no such Call was sent");
		expect_result(read_data(), 0, "READ after it");
		expect_result(write_data(), 0, "WRITE after it");
	}
	check(look().connects == 1, "%u connections", look().connects);
	end();
}
