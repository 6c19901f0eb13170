// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA_ERROR ends its RPC at once and permanently, and has no other effect. A Reply that
 * sunrpc discards ends nothing.
 */
#include <errno.h>
#include "responder/scenarios.h"

static unsigned int refused_xid;
static unsigned int again;

static void err_vers(struct exchange *x)
{
	refused_xid = x->header.xid;
	send_error(x, 2, ERR_VERS);
	exchange_done(x);
}

static void err_chunk(struct exchange *x)
{
	refused_xid = x->header.xid;
	send_error(x, 1, ERR_CHUNK);
	exchange_done(x);
}

/* Look for the refused XID in later Calls */
static void watch_xid(struct exchange *x)
{
	again += x->header.xid == refused_xid;
	send_reply(x);
}

static void expect_error(void (*on_call)(struct exchange *x), enum nfs_op op,
			 int (*operation)(void), int wanted, const char *what)
{
	int64_t started = verbs_now();

	arm_fault(op, 1, on_call, NULL);
	expect_result(operation(), wanted, what);
	check(disarm_fault() == 1, "%s: no such Call was sent", what);
	check(verbs_now() - started < 5000 * target.slow,
	      "%s: the RPC ended too late", what);
	again = 0;
	arm_fault(OP_ANY, 1000, NULL, watch_xid);
	expect_result(operation(), 0, what);
	expect_result(do_statfs(), 0, what);
	disarm_fault();
	check(!again, "%s: the refused Call was sent again", what);
	check(observe().connects == 1, "%s: the client has reconnected", what);
}

void client_err_vers(void)
{
	setup("3");
	expect_error(err_vers, OP_STATFS, do_statfs, -EREMOTEIO, "ERR_VERS");
	expect_error(err_vers, OP_READ, read_data, -EREMOTEIO,
		     "ERR_VERS to a READ");
	teardown();
}

void client_err_chunk(void)
{
	setup("3");
	expect_error(err_chunk, OP_STATFS, do_statfs, -EIO, "ERR_CHUNK");
	expect_error(err_chunk, OP_READ, read_data, -EIO,
		     "ERR_CHUNK to a READ");
	expect_error(err_chunk, OP_WRITE, write_data, -EIO,
		     "ERR_CHUNK to a WRITE");
	expect_error(err_chunk, OP_READDIR, read_dir, -EIO,
		     "ERR_CHUNK to a READDIR");
	teardown();
}

/* The slot of the session must be usable again */
void client_err_session(void)
{
	unsigned int i;

	setup("4.1");
	for (i = 0; i < 3; i++) {
		arm_fault(OP_READ, 1, err_chunk, NULL);
		expect_result(read_data(), -EIO, "ERR_CHUNK to a READ");
		check(disarm_fault() == 1, "no such Call was sent");
		expect_result(read_data(), 0, "READ after ERR_CHUNK");
	}
	expect_result(write_data(), 0, "WRITE after ERR_CHUNK");
	teardown();
}

static unsigned int bad;

/* Truncated errors, and unknown error codes */
static void bad_errors(struct exchange *x)
{
	static const uint32_t codes[] = { 0, 3, 0x01000000, 0xffffffff };
	struct header *hdr = &server.hdr;
	static struct xdr_out out;
	unsigned int i;
	size_t len;

	hdr->xid = x->header.xid;
	hdr->vers = 1;
	hdr->credit = server.set.grant;
	hdr->proc = RDMA_ERROR;
	for (i = 0; i < 4; i++, bad++) {
		hdr->error = codes[i];
		encode_reply(&out);
		send_raw(x->cc, out.data, out.len);
	}
	hdr->error = ERR_VERS;
	encode_reply(&out);
	for (len = 16; len < 28; len++, bad++)
		send_raw(x->cc, out.data, len);
	build_reply(x);
	post_reply(x);
}

void client_err_bad(void)
{
	unsigned long before;

	setup("3");
	before = bad_replies();
	arm_fault(OP_STATFS, 1, NULL, bad_errors);
	expect_result(do_statfs(), 0, "errors that cannot be decoded");
	check(disarm_fault() == 1, "no such Call was sent");
	check(bad_replies() == before + bad,
	      "%u bad errors, but %lu were counted", bad, bad_replies() - before);
	expect_log("RDMA_ERROR cannot be decoded");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* RDMA_ERROR with an unmatched XID */
static void err_unmatched(struct exchange *x)
{
	struct header *hdr = &server.hdr;

	hdr->xid = x->header.xid ^ 0x40000000;
	hdr->vers = 1;
	hdr->credit = server.set.grant;
	hdr->proc = RDMA_ERROR;
	hdr->error = ERR_CHUNK;
	post_reply(x);
	build_reply(x);
	post_reply(x);
}

void client_err_unmatched(void)
{
	setup("3");
	arm_fault(OP_STATFS, 1, NULL, err_unmatched);
	expect_result(do_statfs(), 0, "an unmatched RDMA_ERROR");
	check(disarm_fault() == 1, "no such Call was sent");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* XID, REPLY, MSG_ACCEPTED, flavor and length of the verifier are in front of it */
static void wrong_verifier(struct exchange *x)
{
	build_reply(x);
	server.body[5 * 4] ^= 1;
	post_reply(x);
}

/*
 * NFSv4 does not send a Call again on a connection that lives, and sunrpc waits for a Reply
 * with the right verifier. So the client has to close the connection.
 */
void client_wrong_verifier(void)
{
	setup_with("4.1", "sec=krb5,timeo=30");
	arm_fault(OP_GETATTR, 1, NULL, wrong_verifier);
	expect_result(do_statfs(), 0, "after a wrong verifier");
	check(disarm_fault() == 1, "no Reply had a wrong verifier");
	check(observe().connects == 2, "the client has not reconnected once");
	teardown();
}
