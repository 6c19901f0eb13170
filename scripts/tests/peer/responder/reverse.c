// SPDX-License-Identifier: GPL-2.0-only
/* The reverse direction (RFC 8167): valid and invalid Calls to the client. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "responder/reverse.h"
#include "responder/scenarios.h"

#define CALLBACK_VERSION	1
#define UNKNOWN_PROGRAM		0x2fffffff

/* Word index of reply_stat and accept_stat in a Reply with an empty verifier */
#define WORD_REPLY_STAT		2
#define WORD_ACCEPT_STAT	5

struct header reverse_header;

void new_call_header(uint32_t xid)
{
	header_init(&reverse_header, xid);
	reverse_header.credit = 1;
}

void send_call_to(struct client_conn *cc, uint32_t program)
{
	static struct xdr_out out;

	out.len = 0;
	header_put(&out, &reverse_header);
	if (reverse_header.proc == RDMA_MSG)
		rpc_put_call(&out, reverse_header.xid, program, CALLBACK_VERSION, 0,
			     AUTH_NULL);
	send_raw(cc, out.data, out.len);
}

void reverse_call(uint32_t xid, uint32_t program)
{
	responder_lock();
	new_call_header(xid);
	send_call_to(newest_conn(), program);
	responder_unlock();
}

void reverse_call_of(uint32_t xid, size_t len)
{
	static struct xdr_out out;
	size_t end;

	responder_lock();
	new_call_header(xid);
	out.len = 0;
	header_put(&out, &reverse_header);
	end = out.len + len;
	rpc_put_call(&out, xid, CALLBACK_PROGRAM, CALLBACK_VERSION, 0, AUTH_NULL);
	while (out.len < end)
		put_u32(&out, 0);
	send_raw(newest_conn(), out.data, end);
	responder_unlock();
}

void await_replies(unsigned int count)
{
	int64_t deadline = verbs_now() + timeout_ms();

	while (observe().reverse_replies < count)
		check(verbs_now() < deadline && !usleep(5000),
		      "%u of %u reverse Calls were answered",
		      observe().reverse_replies, count);
}

void await_errors(unsigned int count)
{
	int64_t deadline = verbs_now() + timeout_ms();

	while (observe().errors < count)
		check(verbs_now() < deadline && !usleep(5000),
		      "%u of %u reverse Calls drew an RDMA_ERROR",
		      observe().errors, count);
}

void expect_accepted(uint32_t xid, uint32_t stat)
{
	struct observed obs = observe();

	check(obs.reply_xid == xid,
	      "RFC 8167 5.2 (BI-MSG-06): XID %08x instead of %08x",
	      obs.reply_xid, xid);
	check(obs.payload_len >= 24 && word_at(obs.payload, 0) == xid &&
	      word_at(obs.payload, 1) == RPC_REPLY,
	      "RFC 8167 5.2 (BI-MSG-09): the payload is not a Reply to %08x", xid);
	check(!word_at(obs.payload, WORD_REPLY_STAT) &&
	      word_at(obs.payload, WORD_ACCEPT_STAT) == stat,
	      "accept_stat %u instead of %u",
	      word_at(obs.payload, WORD_ACCEPT_STAT), stat);
	check(obs.reply_credit, "RFC 8167 4.1 (BI-CRED-09): a reverse grant of 0");
}

void expect_forward(unsigned int connects)
{
	expect_result(do_statfs(), 0, "statfs");
	expect_result(read_data(), 0, "READ");
	check(observe().connects == connects, "%u connections", observe().connects);
}

void client_reverse_null(void)
{
	unsigned int i;

	setup("4.1");
	for (i = 0; i < 50; i++) {
		reverse_call(FIRST_XID + i, CALLBACK_PROGRAM);
		await_replies(i + 1);
		expect_accepted(FIRST_XID + i, RPC_SUCCESS);
	}
	expect_forward(1);
	teardown();
}

void client_reverse_program(void)
{
	setup("4.1");
	reverse_call(FIRST_XID, UNKNOWN_PROGRAM);
	await_replies(1);
	expect_accepted(FIRST_XID, PROG_UNAVAIL);
	expect_forward(1);
	teardown();
}

static void expect_err_chunk_for(uint32_t xid, unsigned int count, bool reads)
{
	struct observed obs;

	await_errors(count);
	obs = observe();
	check(obs.error_xid == xid && obs.error_vers == target.version &&
	      obs.error_credit,
	      "RFC 8167 5.3 (BI-CHK-04): error %u for XID %08x", obs.error,
	      obs.error_xid);
	if (target.version == 1)
		check(obs.error == ERR_CHUNK, "RFC 8167 5.3 (BI-CHK-04): error %u",
		      obs.error);
	else if (reads)
		check(obs.error == ERR2_READ_CHUNKS && !obs.error_max,
		      "draft -09 (V2-BRS-10, OQ-24): error %u, %u chunks", obs.error,
		      obs.error_max);
	else
		check(obs.error == ERR2_REPLY_RESOURCE && !obs.error_needed,
		      "draft -09 (V2-BRS-11, OQ-24): error %u, %u bytes", obs.error,
		      obs.error_needed);
}

/* Each of the three chunk lists, and a Long Call */
void client_reverse_chunks(void)
{
	unsigned int kind, n = 0;

	setup("4.1");
	for (kind = 0; kind < 5; kind++) {
		responder_lock();
		new_call_header(FIRST_XID + kind);
		if (kind == 0 || kind == 4)
			header_add_read(&reverse_header, 40, 0x1234, 16, 0x1000);
		if (kind == 1 || kind == 4)
			chunk_add(header_add_write(&reverse_header), 0x1234, 16,
				  0x1000);
		if (kind == 2 || kind == 4)
			chunk_add(header_add_reply(&reverse_header), 0x1234, 16,
				  0x1000);
		if (kind == 3) {
			reverse_header.proc = RDMA_NOMSG;
			header_add_read(&reverse_header, 0, 0x1234, 40, 0x1000);
		}
		send_call_to(newest_conn(), CALLBACK_PROGRAM);
		responder_unlock();
		expect_err_chunk_for(FIRST_XID + kind, ++n, reverse_header.nreads);
	}
	check(!observe().reverse_replies, "a Call with chunks was executed");
	expect_forward(1);
	reverse_call(FIRST_XID + 100, CALLBACK_PROGRAM);
	await_replies(1);
	teardown();
}

/* The forward Call with that XID is outstanding */
static void call_with_same_xid(struct exchange *x)
{
	new_call_header(x->header.xid);
	send_call_to(x->cc, CALLBACK_PROGRAM);
	backend_call(x);
}

void client_reverse_same_xid(void)
{
	unsigned int i;

	setup("4.1");
	for (i = 0; i < 5; i++) {
		/*
		 * The delay keeps the forward Reply until the reverse Reply has
		 * arrived
		 */
		arm_fault(i % 2 ? OP_GETATTR : OP_READ, 1, call_with_same_xid, NULL);
		server.set.delay = 100;
		if (i % 2)
			expect_result(do_statfs(), 0, "statfs");
		else
			expect_result(read_data(), 0, "READ");
		check(disarm_fault() == 1, "no such Call was sent");
		await_replies(i + 1);
		check(!word_at(observe().payload, WORD_ACCEPT_STAT),
		      "the reverse Call was refused");
	}
	expect_forward(1);
	teardown();
}

/* As many reverse Calls at once as the client grants */
void client_reverse_several(void)
{
	unsigned int i, round, grant;

	setup("4.1");
	reverse_call(FIRST_XID, CALLBACK_PROGRAM);
	await_replies(1);
	grant = observe().reply_credit;
	note("the client grants %u reverse credits", grant);
	check(grant > 1 && grant < 1000, "a reverse grant of %u", grant);
	for (round = 1; round <= 5; round++) {
		responder_lock();
		for (i = 0; i < grant; i++) {
			new_call_header(FIRST_XID + round * 1000 + i);
			send_call_to(newest_conn(), CALLBACK_PROGRAM);
		}
		responder_unlock();
		expect_result(do_statfs(), 0, "statfs");
		await_replies(1 + round * grant);
	}
	expect_forward(1);
	teardown();
}

/*
 * The client tells the server of the backchannel that a Call of it may have the smaller
 * threshold less the header. RFC 8267 6.5.2 (ULB-CB-11), draft -09 8.3 (V2-BRS-15)
 */
void client_reverse_size(void)
{
	static const unsigned int sizes[][2] = {
		{ 1024, 4096 }, { 4096, 2048 }, { 3072, 3072 },
	};
	unsigned int header = target.version == 2 ? 36 : 28, smaller, i;

	for (i = 0; i < 3; i++) {
		smaller = sizes[i][0] < sizes[i][1] ? sizes[i][0] : sizes[i][1];
		responder_lock();
		set_private(true, sizes[i][0], sizes[i][1]);
		server.set.rbsiz = smaller;
		responder_unlock();
		if (i)
			mount_nfs("4.1", SOFT);
		else
			setup("4.1");
		close_files();
		umount_nfs();
		check(observe().back_request == smaller - header,
		      "the backchannel's limit is %u, the thresholds are %u and %u",
		      observe().back_request, sizes[i][0], sizes[i][1]);
	}
}

/*
 * The client executes a Call of a page, which is more than it announces, and drops a longer
 * one, although the threshold permits both.
 */
void client_reverse_page(void)
{
	size_t page = sysconf(_SC_PAGESIZE);

	set_private(true, 2 * page, 2 * page);
	setup("4.1");
	reverse_call_of(FIRST_XID, page);
	await_replies(1);
	expect_accepted(FIRST_XID, RPC_SUCCESS);
	reverse_call_of(FIRST_XID + 1, page + 4);
	reverse_call_of(FIRST_XID + 2, page + 900);
	reverse_call_of(FIRST_XID + 3, page);
	await_replies(2);
	expect_accepted(FIRST_XID + 3, RPC_SUCCESS);
	check(client_counter("messages_dropped") == 2, "%lu messages were dropped",
	      client_counter("messages_dropped"));
	expect_log("chunks longer than an RPC can be");
	expect_forward(1);
	teardown();
}

/* NFSv3 has no callbacks: the client drops them without harm */
void client_reverse_absent(void)
{
	unsigned int i;

	setup("3");
	for (i = 0; i < 40; i++)
		reverse_call(FIRST_XID + i, CALLBACK_PROGRAM);
	expect_forward(1);
	usleep(silence_ms() * 1000);
	check(!observe().reverse_replies, "a reverse Call was executed");
	expect_forward(1);
	teardown();
}

/* The client opens a file; then the server opens it for writing */
static void open_twice(unsigned int number)
{
	char name[64], path[256];
	int fd;

	snprintf(name, sizeof(name), "recall-%d-%u", getpid(), number);
	snprintf(path, sizeof(path), "%s/%s", export_dir(), name);
	server_file(name, 10);
	fd = do_open(name, O_RDONLY);
	check(fd >= 0, "open");
	close(open(path, O_WRONLY | O_CLOEXEC));
	close(fd);
}

/* The backend server recalls a delegation. At first it gives none */
void client_reverse_recall(void)
{
	int64_t deadline = verbs_now() + timeout_ms();
	unsigned int i;

	setup("4.1");
	for (i = 0; !observe().reverse; i++) {
		check(verbs_now() < deadline,
		      "no reverse Call of the backend server was answered");
		open_twice(i);
		usleep(50000);
	}
	note("%lu reverse Calls of the backend server were answered",
	     observe().reverse);
	expect_forward(1);
	teardown();
}
