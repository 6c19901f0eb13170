// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA2_ERROR as the answer to Calls: for each code, whether the client retries
 * the Call or ends it.
 */
#include <errno.h>
#include <string.h>
#include "v2/responder_scenarios.h"

/*
 * struct refusal - the answer to a Call
 * @error, @first, @second: the error and its fields
 * @times:  number of Calls to refuse
 * @credit: credit value of the error
 * @then:   different error for the second Call, with field @then_first
 */
static struct {
	enum v2_error	error;
	uint32_t		first;
	uint32_t		second;
	unsigned int		times;
	uint32_t		credit;
	enum v2_error	then;
	uint32_t		then_first;
} refusal;

/* The refused Call and its retries */
static struct header tries[4];
static unsigned int ntries;

static bool is_again(const struct exchange *x)
{
	return ntries && tries[0].xid == x->header.xid;
}

/* Refuse only the first matching Call and its retries */
static void refuse_call(struct exchange *x)
{
	if (ntries && !is_again(x)) {
		server.fault.left++;
		backend_call(x);
		return;
	}
	check(ntries < 4, "a Call was sent a fifth time");
	tries[ntries++] = x->header;
	if (ntries > refusal.times) {
		backend_call(x);
		return;
	}
	server.set.grant = refusal.credit;
	if (ntries == 2 && refusal.then)
		v2_send_error(x, refusal.then, refusal.then_first, 0);
	else
		v2_send_error(x, refusal.error, refusal.first, refusal.second);
	server.set.grant = 32;
	exchange_done(x);
}

static void refuse(enum v2_error error, uint32_t first, uint32_t second,
		   unsigned int times)
{
	refusal.error = error;
	refusal.first = first;
	refusal.second = second;
	refusal.times = times;
	refusal.credit = 32;
	refusal.then = 0;
	ntries = 0;
}

/*
 * The operation must end in time with the expected result, on the same
 * connection, after the client has sent the Call @sent times.
 */
static void expect_outcome(enum nfs_op op, int (*operation)(void), int wanted,
			   unsigned int sent, const char *what)
{
	unsigned int connects = observe().connects;
	int64_t started = verbs_now();
	int got;

	arm_fault(op, 10, refuse_call, NULL);
	got = operation();
	disarm_fault();
	expect_result(got, wanted, what);
	check(verbs_now() - started < 5000 * target.slow,
	      "%s: the RPC ended too late", what);
	check(ntries == sent, "%s: the Call was sent %u times, not %u", what,
	      ntries, sent);
	check(observe().connects == connects, "%s: the client has reconnected",
	      what);
	expect_result(operation(), 0, what);
	expect_result(do_statfs(), 0, what);
}

static void expect_permanent(enum v2_error error, uint32_t first,
			     enum nfs_op op, int (*operation)(void), int wanted,
			     const char *what)
{
	refuse(error, first, 0, 4);
	expect_outcome(op, operation, wanted, 1, what);
}

/* Permanent errors end the RPC at once, without a retry */
void v2_client_permanent(void)
{
	setup("3");
	expect_permanent(ERR2_BAD_XDR, 0, OP_STATFS, do_statfs, -EIO, "BAD_XDR");
	expect_permanent(ERR2_BAD_XDR, 0, OP_READ, read_data, -EIO,
			 "BAD_XDR to a READ");
	expect_permanent(ERR2_BAD_XDR, 0, OP_WRITE, write_data, -EIO,
			 "BAD_XDR to a WRITE");
	expect_permanent(ERR2_INVAL_HTYPE, 0, OP_STATFS, do_statfs, -EIO,
			 "INVAL_HTYPE");
	expect_permanent(ERR2_SYSTEM, 0, OP_STATFS, do_statfs, -EREMOTEIO,
			 "SYSTEM");
	expect_permanent(ERR2_SYSTEM, 0, OP_READDIR, read_dir, -EREMOTEIO,
			 "SYSTEM to a READDIR");
	expect_permanent(10, 0, OP_STATFS, do_statfs, -EREMOTEIO,
			 "an unknown code");
	expect_permanent(0xffffffff, 0, OP_READ, read_data, -EREMOTEIO,
			 "an unknown code to a READ");
	refuse(ERR2_VERS, 1, 1, 4);
	expect_outcome(OP_STATFS, do_statfs, -EREMOTEIO, 1, "ERR_VERS");
	teardown();
}

/* The Call has nothing that the client could leave out in a retry */
void v2_client_not_repairable(void)
{
	setup("3");
	expect_permanent(ERR2_READ_CHUNKS, 0, OP_STATFS, do_statfs, -EIO,
			 "READ_CHUNKS without a Read chunk");
	expect_permanent(ERR2_READ_CHUNKS, 1, OP_READ, read_data, -EIO,
			 "READ_CHUNKS to a READ");
	expect_permanent(ERR2_WRITE_CHUNKS, 0, OP_WRITE, write_data, -EIO,
			 "WRITE_CHUNKS to a WRITE");
	expect_permanent(ERR2_SEGMENTS, 1, OP_STATFS, do_statfs, -EIO,
			 "SEGMENTS without a chunk");
	expect_permanent(ERR2_SEGMENTS, 0, OP_READ, read_data, -EIO,
			 "SEGMENTS to a READ");
	expect_permanent(ERR2_REPLY_RESOURCE, 0, OP_STATFS, do_statfs, -EMSGSIZE,
			 "REPLY_RESOURCE without a length");
	expect_permanent(ERR2_REPLY_RESOURCE, 0x40000000, OP_READDIR, read_dir,
			 -EMSGSIZE, "REPLY_RESOURCE beyond all memory");
	expect_permanent(ERR2_REPLY_RESOURCE, 0xffffffff, OP_READ, read_data,
			 -EMSGSIZE, "REPLY_RESOURCE beyond all memory");
	refuse(ERR2_WRITE_RESOURCE, 1, 0xfffffffc, 4);
	expect_outcome(OP_READ, read_data, -EMSGSIZE, 1,
		       "WRITE_RESOURCE beyond all memory");
	teardown();
}

/* The retry must not reuse handles: draft -09 (V2-RI-12, OQ-36) */
static void check_fresh(void)
{
	uint32_t old = header_first_handle(&tries[0]);
	const struct header *again = &tries[1];

	check(tries[1].xid == tries[0].xid, "another XID");
	check(!old || !header_has_handle(again, old), "a handle is used again");
	check(!again->inv_handle || again->inv_handle != tries[0].inv_handle,
	      "the same handle is named again");
}

static bool has_item_chunk(const struct header *h)
{
	return h->nreads && h->reads[h->nreads - 1].position;
}

/* The client retries once, as a Long Call, and not a second time */
void v2_client_read_chunks(void)
{
	uint32_t max;

	setup("3");
	for (max = 0; max < 2; max++) {
		refuse(ERR2_READ_CHUNKS, max, 0, 1);
		expect_outcome(OP_WRITE, write_data, 0, 2, "READ_CHUNKS");
		check(has_item_chunk(&tries[0]), "there was no Read chunk");
		check(tries[1].proc == RDMA_NOMSG && tries[1].nreads &&
		      !has_item_chunk(&tries[1]), "not a Long Call");
		check_fresh();
	}
	refuse(ERR2_READ_CHUNKS, 0, 0, 4);
	expect_outcome(OP_WRITE, write_data, -EIO, 2, "READ_CHUNKS twice");
	teardown();
}

static void expect_reply_chunk(uint32_t least)
{
	check(tries[0].nwrites, "there was no Write chunk");
	check(!tries[1].nwrites && tries[1].has_reply,
	      "the Call has %u Write chunks again", tries[1].nwrites);
	check(chunk_length(&tries[1].reply) >= least,
	      "a Reply chunk of %llu bytes",
	      (unsigned long long)chunk_length(&tries[1].reply));
	check_fresh();
}

/* Retry without Write chunks, and with a Reply chunk that is large enough */
void v2_client_write_chunks(void)
{
	uint32_t max;

	setup("3");
	for (max = 0; max < 2; max++) {
		refuse(ERR2_WRITE_CHUNKS, max, 0, 1);
		expect_outcome(OP_READ, read_data, 0, 2, "WRITE_CHUNKS");
		expect_reply_chunk(DATA_SIZE);
	}
	refuse(ERR2_REPLY_RESOURCE, 0, 0, 1);
	expect_outcome(OP_READ, read_data, 0, 2, "REPLY_RESOURCE, length 0");
	expect_reply_chunk(DATA_SIZE);
	refuse(ERR2_WRITE_CHUNKS, 0, 0, 4);
	expect_outcome(OP_READ, read_data, -EIO, 2, "WRITE_CHUNKS twice");
	refuse(ERR2_WRITE_RESOURCE, 1, DATA_SIZE, 1);
	expect_outcome(OP_READ, read_data, 0, 2, "WRITE_RESOURCE");
	expect_reply_chunk(DATA_SIZE);
	refuse(ERR2_WRITE_RESOURCE, 1, DATA_SIZE, 4);
	expect_outcome(OP_READ, read_data, -EMSGSIZE, 2, "WRITE_RESOURCE twice");
	teardown();
}

/* Retry with a Reply chunk that is large enough */
void v2_client_reply_resource(void)
{
	unsigned int i;

	setup("3");
	for (i = 0; i < 2; i++) {
		refuse(ERR2_REPLY_RESOURCE, 80 + 4 * i, 0, 1);
		expect_outcome(OP_STATFS, do_statfs, 0, 2, "REPLY_RESOURCE");
		check(!tries[0].has_reply && tries[1].has_reply &&
		      chunk_length(&tries[1].reply) >= 80 + 4 * i,
		      "no Reply chunk of that length");
		check_fresh();
	}
	refuse(ERR2_REPLY_RESOURCE, 80, 0, 4);
	expect_outcome(OP_STATFS, do_statfs, -EMSGSIZE, 2,
		       "REPLY_RESOURCE twice");
	teardown();
}

/* A second error ends the Call, even if it is of another kind */
void v2_client_two_errors(void)
{
	setup("3");
	refuse(ERR2_READ_CHUNKS, 0, 0, 4);
	refusal.then = ERR2_REPLY_RESOURCE;
	refusal.then_first = 40;
	expect_outcome(OP_WRITE, write_data, -EMSGSIZE, 2,
		       "READ_CHUNKS and REPLY_RESOURCE");
	refuse(ERR2_REPLY_RESOURCE, 40, 0, 4);
	refusal.then = ERR2_READ_CHUNKS;
	expect_outcome(OP_WRITE, write_data, -EIO, 2,
		       "REPLY_RESOURCE and READ_CHUNKS");
	refuse(ERR2_REPLY_RESOURCE, 0, 0, 4);
	refusal.then = ERR2_WRITE_CHUNKS;
	expect_outcome(OP_READ, read_data, -EIO, 2,
		       "REPLY_RESOURCE and WRITE_CHUNKS");
	teardown();
}

/*
 * In a session the slot must be usable afterwards, whether the Call was retried
 * or ended
 */
void v2_client_error_session(void)
{
	unsigned int i;

	setup("4.1");
	for (i = 0; i < 3; i++) {
		refuse(ERR2_WRITE_CHUNKS, 0, 0, 1);
		expect_outcome(OP_READ, read_data, 0, 2, "WRITE_CHUNKS");
		refuse(ERR2_READ_CHUNKS, 0, 0, 1);
		expect_outcome(OP_WRITE, write_data, 0, 2, "READ_CHUNKS");
		refuse(ERR2_BAD_XDR, 0, 0, 4);
		expect_outcome(OP_READ, read_data, -EIO, 1, "BAD_XDR");
	}
	expect_result(write_data(), 0, "WRITE");
	teardown();
}

static void *statfs_once(void *arg)
{
	expect_result(do_statfs(), 0, "statfs");
	return NULL;
}

/* The error returns the credit of its Call. Its credit value has no meaning. */
void v2_client_error_credits(void)
{
	static const uint32_t credits[] = { 0, 1, 2, 0xffffffff };
	unsigned int i;

	setup("3");
	for (i = 0; i < 4; i++) {
		/* The grant before is four */
		responder_lock();
		server.set.grant = 4;
		responder_unlock();
		expect_result(do_statfs(), 0, "statfs");
		refuse(ERR2_SYSTEM, 0, 0, 1);
		refusal.credit = credits[i];
		arm_fault(OP_STATFS, 1, refuse_call, NULL);
		expect_result(do_statfs(), -EREMOTEIO, "SYSTEM");
		disarm_fault();
		responder_lock();
		server.set.grant = 4;
		server.set.delay = 100;
		server.observed.most = 0;
		responder_unlock();
		in_threads(12, statfs_once, NULL);
		check(observe().most == 4,
		      "%u Calls at once after an error with %u credits",
		      observe().most, credits[i]);
		responder_lock();
		server.set.delay = 0;
		responder_unlock();
	}
	teardown();
}

static unsigned int bad;

/* Truncated errors, errors without F, and unmatched ones */
static void bad_errors(struct exchange *x)
{
	static struct xdr_out out;
	struct header *hdr = &server.hdr;
	unsigned int code;
	size_t len;

	for (code = ERR2_BAD_XDR; code <= ERR2_SYSTEM; code++) {
		build_error(x, code);
		encode_reply(&out);
		for (len = 16; len < out.len; len += 4, bad++)
			send_raw(x->cc, out.data, len);
		hdr->flags = 0xfffffffe;
		encode_reply(&out);
		send_raw(x->cc, out.data, out.len);
		bad++;
		hdr->flags = FLAG_RESPONSE;
		hdr->xid ^= 0x40000000;
		encode_reply(&out);
		send_raw(x->cc, out.data, out.len);
		bad++;
	}
	build_reply(x);
	post_reply(x);
}

void v2_client_error_bad(void)
{
	unsigned long before;

	setup("3");
	before = bad_replies();
	arm_fault(OP_STATFS, 1, NULL, bad_errors);
	expect_result(do_statfs(), 0, "invalid errors");
	check(disarm_fault() == 1, "no such Call was sent");
	check(bad_replies() == before + bad,
	      "%u bad errors, but %lu were counted", bad, bad_replies() - before);
	check(!observe().errors, "an error drew an error");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}
