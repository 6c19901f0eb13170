// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replies with a bad header: the client drops each one without an answer, and
 * the RPC ends with the good Reply that follows.
 */
#include <unistd.h>
#include "responder/scenarios.h"

static uint32_t wrong_value;

static void corrupt_vers(struct exchange *x)
{
	server.hdr.vers = wrong_value;
}

static void corrupt_proc(struct exchange *x)
{
	server.hdr.proc = wrong_value;
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
	header_add_read(&server.hdr, 0, 0x1234, 4096, 0);
}

static void corrupt_read_list_later(struct exchange *x)
{
	header_add_read(&server.hdr, 64, 0x1234, 4096, 0);
}

static void corrupt_to_nomsg(struct exchange *x)
{
	server.hdr.proc = RDMA_NOMSG;
}

void client_fixed_words(void)
{
	static const uint32_t versions[] = { 0, 2, 3, 0x01000000, 0xffffffff };
	static const uint32_t procs[] = { 5, 6, 0x80000000, 0xffffffff };
	unsigned int i;

	setup("3");
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		wrong_value = versions[i];
		bad_then_good(OP_STATFS, do_statfs, corrupt_vers,
			      "version not supported");
	}
	for (i = 0; i < sizeof(procs) / sizeof(procs[0]); i++) {
		wrong_value = procs[i];
		bad_then_good(OP_STATFS, do_statfs, corrupt_proc,
			      "procedure not supported");
	}
	teardown();
}

void client_withdrawn(void)
{
	setup("3");
	wrong_value = RDMA_MSGP;
	bad_then_good(OP_STATFS, do_statfs, corrupt_proc,
		      "procedure not supported");
	wrong_value = RDMA_DONE;
	bad_then_good(OP_STATFS, do_statfs, corrupt_proc,
		      "RDMA_DONE is obsolete");
	teardown();
}

void client_wrong_forms(void)
{
	setup("3");
	bad_then_good(OP_STATFS, do_statfs, corrupt_payload_xid,
		      "XIDs of transport and RPC header differ");
	bad_then_good(OP_STATFS, do_statfs, corrupt_msg_type,
		      "unexpected RPC message type");
	bad_ends(OP_STATFS, do_statfs, corrupt_read_list,
		 "Reply has a Read list");
	bad_ends(OP_STATFS, do_statfs, corrupt_read_list_later,
		 "Reply has a Read list");
	bad_ends(OP_READ, read_data, corrupt_read_list_later,
		 "Reply has a Read list");
	bad_then_good(OP_STATFS, do_statfs, corrupt_to_nomsg,
		      "Reply has its payload twice or nowhere");
	teardown();
}

static void send_as_long_call(struct exchange *x)
{
	build_reply(x);
	server.hdr.proc = RDMA_NOMSG;
	header_add_read(&server.hdr, 0, 0x1234, 4096, 0);
	post_reply(x);
}

/*
 * A Reply that can only be refused as a Call. NFSv4 sends a Call again on a new connection only, so
 * the client must not wait for ever.
 */
void client_reply_as_call(void)
{
	int64_t started, took;

	setup("4.1");
	arm_fault(OP_ANY, 1, NULL, send_as_long_call);
	started = verbs_now();
	expect_result(do_statfs(), 0, "statfs");
	took = verbs_now() - started;
	check(disarm_fault() == 1, "no Reply was changed");
	note("statfs took %lld ms, %u connections", (long long)took, observe().connects);
	check(observe().connects >= 2, "the Call was not sent again on another connection");
	teardown();
}

/* The log has each reason and the address; no rate limit is reached */
void client_logged(void)
{
	int64_t deadline = verbs_now() + 20000;

	while (!log_is_quiet())
		check(verbs_now() < deadline && !usleep(500000),
		      "the kernel log is always rate-limited");
	setup("3");
	wrong_value = 7;
	bad_then_good(OP_STATFS, do_statfs, corrupt_vers,
		      "version not supported");
	bad_then_good(OP_STATFS, do_statfs, corrupt_proc,
		      "procedure not supported");
	wrong_value = RDMA_DONE;
	bad_then_good(OP_STATFS, do_statfs, corrupt_proc,
		      "RDMA_DONE is obsolete");
	bad_then_good(OP_STATFS, do_statfs, corrupt_payload_xid,
		      "XIDs of transport and RPC header differ");
	bad_then_good(OP_STATFS, do_statfs, corrupt_msg_type,
		      "unexpected RPC message type");
	bad_ends(OP_STATFS, do_statfs, corrupt_read_list_later,
		 "Reply has a Read list");
	bad_then_good(OP_STATFS, do_statfs, corrupt_to_nomsg,
		      "Reply has its payload twice or nowhere");
	teardown();
}

static unsigned int bad_sent;

/* Up to a payload that is too short for XID and message type */
static void truncate_everywhere(struct exchange *x)
{
	static struct xdr_out out;
	size_t len, last;

	build_reply(x);
	encode_reply(&out);
	last = out.len - (server.hdr.proc == RDMA_MSG ? server.body_len : 0);
	last += server.hdr.proc == RDMA_MSG ? 7 : -1;
	for (len = 0; len <= last; len++, bad_sent++)
		send_raw(x->cc, out.data, len);
	post_reply(x);
}

static void expect_truncated(enum nfs_op op, int (*operation)(void), const char *what)
{
	unsigned long before = bad_replies();

	bad_sent = 0;
	arm_fault(op, 1, NULL, truncate_everywhere);
	expect_result(operation(), 0, what);
	check(disarm_fault() == 1, "%s: no such Call was sent", what);
	check(bad_replies() == before + bad_sent,
	      "%s: %u bad Replies, but %lu were counted", what, bad_sent,
	      bad_replies() - before);
}

void client_cut_headers(void)
{
	setup("3");
	expect_truncated(OP_STATFS, do_statfs, "RDMA_MSG");
	expect_truncated(OP_READ, read_data, "RDMA_MSG with a Write chunk");
	expect_truncated(OP_READDIR, read_dir, "RDMA_NOMSG");
	expect_log("shorter than its header");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* The discriminator word of each of the three lists */
static void wrong_discriminators(struct exchange *x)
{
	static const uint32_t values[] = { 2, 0x01000000, 0xffffffff };
	static struct xdr_out out;
	unsigned int i, word;

	build_reply(x);
	encode_reply(&out);
	for (word = 4; word < 7; word++) {
		uint32_t old = word_at(out.data, word);

		for (i = 0; i < 3; i++, bad_sent++) {
			set_u32(out.data + word * 4, values[i]);
			send_raw(x->cc, out.data, out.len);
		}
		set_u32(out.data + word * 4, old);
	}
	post_reply(x);
}

/* Segment counts that exceed the message */
static void wrong_counts(struct exchange *x)
{
	static const uint32_t values[] = { 64, 0x10000000, 0xffffffff };
	static struct xdr_out out;
	unsigned int i;

	build_reply(x);
	encode_reply(&out);
	for (i = 0; i < 3; i++, bad_sent++) {
		set_u32(out.data + 6 * 4, values[i]);
		send_raw(x->cc, out.data, out.len);
	}
	post_reply(x);
}

static void expect_all_bad(enum nfs_op op, int (*operation)(void),
			   void (*on_reply)(struct exchange *x),
			   const char *what)
{
	unsigned long before = bad_replies();

	bad_sent = 0;
	arm_fault(op, 1, NULL, on_reply);
	expect_result(operation(), 0, what);
	check(disarm_fault() == 1, "%s: no such Call was sent", what);
	check(bad_replies() == before + bad_sent,
	      "%s: %u bad Replies, but %lu were counted", what, bad_sent,
	      bad_replies() - before);
}

void client_list_words(void)
{
	setup("3");
	expect_all_bad(OP_STATFS, do_statfs, wrong_discriminators,
		       "list discriminators");
	expect_log("list discriminator is neither 0 nor 1");
	expect_all_bad(OP_READ, read_data, wrong_counts, "segment counts");
	expect_log("list runs past the end of the message");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* Unmatched Replies before, between and after the good ones */
static void unmatched_replies(struct exchange *x)
{
	uint32_t xid = x->header.xid;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		build_reply(x);
		server.hdr.xid = xid ^ (0x10000 << i % 8);
		set_u32(server.body, server.hdr.xid);
		post_reply(x);
	}
	build_reply(x);
	post_reply(x);
	for (i = 0; i < 20; i++) {
		build_reply(x);
		post_reply(x);
	}
}

void client_unmatched_replies(void)
{
	unsigned long before;
	unsigned int i;

	setup("3");
	for (i = 0; i < 5; i++) {
		before = bad_xids();
		arm_fault(OP_STATFS, 1, NULL, unmatched_replies);
		expect_result(do_statfs(), 0, "unmatched Replies");
		check(disarm_fault() == 1, "no such Call was sent");
		expect_result(do_statfs(), 0, "after duplicate Replies");
		check(bad_xids() == before + 40,
		      "mountstats counts %lu unknown XIDs for 40",
		      bad_xids() - before);
	}
	expect_result(read_data(), 0, "READ");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* Only XID and message type: the RPC layer must reject that */
static void short_payload(struct exchange *x)
{
	build_reply(x);
	server.body_len = wrong_value;
	post_reply(x);
}

void client_short_payload(void)
{
	setup("3");
	for (wrong_value = 8; wrong_value < 48; wrong_value += 4) {
		arm_fault(OP_STATFS, 10, NULL, short_payload);
		check(do_statfs() < 0, "a Reply of %u bytes is accepted",
		      wrong_value);
		check(disarm_fault(), "no such Call was sent");
		expect_result(do_statfs(), 0, "after a short Reply");
	}
	teardown();
}
