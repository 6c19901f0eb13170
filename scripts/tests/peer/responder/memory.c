// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the client: accessible from Call to Reply, and no longer. Each RDMA
 * Read and Write of the server shows that it is accessible before.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "responder/scenarios.h"

static struct segment target_segment;
static struct exchange *kept;
static bool call_arrived;

static void remember(struct exchange *x)
{
	const struct header *h = &x->header;

	if (h->nwrites)
		target_segment = h->writes[0].segs[0];
	else if (h->has_reply)
		target_segment = h->reply.segs[0];
	else if (h->nreads)
		target_segment = h->reads[0];
	call_arrived = true;
}

static void remember_and_reply(struct exchange *x)
{
	remember(x);
	build_reply(x);
	post_reply(x);
}

static void remember_and_refuse(struct exchange *x)
{
	remember(x);
	send_error(x, x->cc->version, ERR_CHUNK);
	exchange_done(x);
}

/*
 * The handle is invalid: its use fails and ends the connection. @connects: connections
 * after that
 */
static void expect_dead_then(bool write, const char *what, unsigned int connects)
{
	struct client_conn *cc;
	int ret;

	check(target_segment.length, "%s: there was no segment", what);
	responder_lock();
	cc = newest_conn();
	if (write)
		ret = verbs_write(cc->conn, cc->scratch, 0, 16,
				  target_segment.handle, target_segment.offset,
				  timeout_ms());
	else
		ret = verbs_read(cc->conn, cc->scratch, 0, 16,
				 target_segment.handle, target_segment.offset,
				 timeout_ms());
	/* On iWARP a Write completes here before the other end checks it */
	if (!ret)
		ret = !verbs_wait_lost(cc->conn, silence_ms());
	responder_unlock();
	check(ret, "%s: the memory is accessible after the end of the RPC", what);
	expect_result(do_statfs(), 0, "statfs on a new connection");
	check(observe().connects == connects, "%s: %u connections", what,
	      observe().connects);
}

static void expect_dead(bool write, const char *what)
{
	expect_dead_then(write, what, 2);
}

void client_dead_write_chunk(void)
{
	setup("3");
	arm_fault(OP_READ, 1, NULL, remember_and_reply);
	expect_result(read_data(), 0, "READ");
	expect_dead(true, "Write chunk");
	teardown();
}

void client_dead_reply_chunk(void)
{
	setup("3");
	arm_fault(OP_READDIR, 1, NULL, remember_and_reply);
	expect_result(read_dir(), 0, "READDIR");
	expect_dead(true, "Reply chunk");
	teardown();
}

void client_dead_read_chunk(void)
{
	setup("3");
	arm_fault(OP_WRITE, 1, NULL, remember_and_reply);
	expect_result(write_data(), 0, "WRITE");
	expect_dead(false, "Read chunk");
	teardown();
}

void client_dead_after_error(void)
{
	setup("3");
	arm_fault(OP_READ, 1, remember_and_refuse, NULL);
	expect_result(read_data(), -EIO, "READ");
	expect_dead(true, "Write chunk of a Call that was refused");
	teardown();
}

static void keep_call(struct exchange *x)
{
	remember(x);
	kept = x;
}

static bool has_call_arrived(void)
{
	bool come;

	responder_lock();
	come = call_arrived;
	responder_unlock();
	return come;
}

/*
 * Kill a reader while its Call is outstanding: RFC 8166 4.4.1 (V1-MEM-04). Uses
 * READDIR, because a signal interrupts it; direct READs continue without their
 * task.
 */
static void kill_a_reader(void)
{
	int64_t deadline = verbs_now() + timeout_ms();
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		execlp("ls", "ls", MNT "/" BIG_DIR, NULL);
		_exit(127);
	}
	while (!has_call_arrived())
		check(verbs_now() < deadline && !usleep(10000),
		      "the reader sends no Call");
	kill(pid, SIGKILL);
	check(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status),
	      "the reader was not killed");
}

static unsigned int receives_left(void)
{
	unsigned int posted;

	responder_lock();
	posted = newest_conn()->conn->posted;
	responder_unlock();
	return posted;
}

/* siw completes a Send when TCP has accepted it */
static bool is_siw_conn(void)
{
	bool siw;

	responder_lock();
	siw = !strncmp(ibv_get_device_name(newest_conn()->conn->id->verbs->device),
		       "siw", 3);
	responder_unlock();
	return siw;
}

static void set_no_reposts(bool no_reposts)
{
	responder_lock();
	server.set.no_reposts = no_reposts;
	responder_unlock();
}

/* A change on the server invalidates the client's cache */
static void change_directory(void)
{
	static unsigned int changes;
	char name[128];

	snprintf(name, sizeof(name), BIG_DIR "/change-%d-%u", getpid(),
		 changes++);
	server_file(name, 0);
}

/*
 * Kill a reader whose Send number @left + 1 finds no Receive. Return: the time
 * until it ends, in milliseconds
 */
static int64_t stuck_reader(unsigned int left)
{
	int64_t killed;
	pid_t pid;

	change_directory();
	set_no_reposts(true);
	while (receives_left() > left)
		expect_result(do_statfs(), 0, "statfs");
	pid = fork();
	if (!pid) {
		execlp("ls", "ls", MNT "/" BIG_DIR, NULL);
		_exit(127);
	}
	sleep(1);
	kill(pid, SIGKILL);
	killed = verbs_now();
	check(waitpid(pid, NULL, 0) == pid, "the reader is not there");
	killed = verbs_now() - killed;
	set_no_reposts(false);
	drop_connections();
	expect_result(do_statfs(), 0, "statfs");
	return killed;
}

/*
 * The server posts no more Receives, and RNR retries have no limit, so a Send
 * of the client never completes. A killed task ends only after the client has
 * closed the connection: one of its Calls has a Reply chunk, whose memory the
 * device may still use.
 */
void client_no_receives(void)
{
	int64_t freed, worst = 0;
	unsigned int calls, left;

	server.set.recvs = 24;
	server.set.grant = 8;
	setup("3");
	change_directory();
	calls = observe().calls;
	check(!run_program("ls %s/%s > /dev/null", MNT, BIG_DIR), "ls fails");
	calls = observe().calls - calls;
	check(calls < server.set.recvs, "ls sends %u Calls", calls);
	for (left = 0; left < calls; left++) {
		freed = stuck_reader(left);
		note("%u Receives left: a killed task ended after %lld ms",
		     left, (long long)freed);
		if (freed > worst)
			worst = freed;
	}
	report_recovery("receives-none", worst);
	check(worst < 35000 * (int64_t)target.slow,
	      "a killed task ended after %lld ms", (long long)worst);
	check(worst > 1000 || is_siw_conn(), "no Send was blocked");
	expect_result(read_data(), 0, "READ");
	teardown();
}

void client_dead_after_signal(void)
{
	setup("3");
	arm_fault(OP_READDIR, 1, keep_call, NULL);
	kill_a_reader();
	expect_dead(true, "Reply chunk of a killed task");
	teardown();
}

/* A Reply like an RPC error, with the Reply chunk unused */
static void late_reply(void)
{
	unsigned int i;

	responder_lock();
	server.hdr = kept->header;
	server.hdr.credit = server.set.grant;
	server.hdr.flags = FLAG_RESPONSE;
	server.hdr.inv_handle = 0;
	for (i = 0; i < server.hdr.reply.nsegs; i++)
		server.hdr.reply.segs[i].length = 0;
	server.body = realloc(server.body, 24);
	memset(server.body, 0, 24);
	set_u32(server.body, kept->header.xid);
	set_u32(server.body + 4, RPC_REPLY);
	server.body_len = 24;
	post_reply(kept);
	exchange_done(kept);
	responder_unlock();
}

/* The client drops the late Reply and gets its credit back */
void client_reply_after_signal(void)
{
	unsigned int i;

	setup("3");
	for (i = 0; i < 5; i++) {
		call_arrived = false;
		arm_fault(OP_READDIR, 1, keep_call, NULL);
		kill_a_reader();
		late_reply();
		expect_result(do_statfs(), 0, "statfs");
	}
	expect_result(read_data(), 0, "READ");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* Abandoned Calls hold all credits: no other Call may be sent */
void client_credits_given_up(void)
{
	setup("3");
	responder_lock();
	server.set.grant = 1;
	responder_unlock();
	expect_result(do_statfs(), 0, "statfs");
	call_arrived = false;
	arm_fault(OP_READDIR, 1, keep_call, NULL);
	kill_a_reader();
	expect_result(do_statfs(), 0, "statfs");
	check(observe().connects == 2, "%u connections", observe().connects);
	teardown();
}

static void reply_by_immediate(struct exchange *x)
{
	const struct segment *segment = &x->header.writes[0].segs[0];
	int ret;

	ret = verbs_write_immediate(x->cc->conn, x->cc->scratch, segment->length,
				    segment->handle, segment->offset, timeout_ms());
	check(!ret, "RDMA Write With Immediate: %s", strerror(-ret));
}

/*
 * The length that the device reports is that of the Write, and the Receive holds what
 * came before: the client must not take it for a message
 */
void client_write_immediate(void)
{
	setup("3");
	if (is_siw_conn())
		skip("iWARP has no RDMA Write With Immediate");
	log_mark();
	arm_fault(OP_READ, 1, NULL, reply_by_immediate);
	expect_result(read_data(), 0, "READ");
	check(disarm_fault() == 1, "no READ was sent");
	expect_log("not a Send that fits its Receive");
	check(observe().connects == 2, "%u connections", observe().connects);
	teardown();
}

/* Without remote invalidation the client invalidates everything itself */
void client_plain_send(void)
{
	unsigned int i;

	server.set.invalidate = false;
	setup("3");
	for (i = 0; i < 20; i++) {
		expect_result(read_data(), 0, "READ");
		expect_result(write_data(), 0, "WRITE");
		expect_result(read_dir(), 0, "READDIR");
	}
	check(!observe().invalidated && observe().connects == 1,
	      "%u connections", observe().connects);
	teardown();
}

/*
 * A local invalidation fails: the connection must close before the RPC ends, so the Call
 * is sent again on a new one. RFC 8166 4.5.4 (V1-MEM-05)
 */
static void invalidation_fails(int (*operation)(void), const char *what)
{
	struct observed before = observe(), after;

	set_module_parameter("test_invalidate", "fail", "1");
	expect_result(operation(), 0, what);
	after = observe();
	check(after.connects == before.connects + 1, "%s: %u connections", what,
	      after.connects - before.connects);
	check(after.repeated > before.repeated,
	      "%s: the RPC had ended before the connection closed", what);
}

void client_invalidation_fails(void)
{
	server.set.invalidate = false;
	setup("3");
	invalidation_fails(read_data, "READ");
	invalidation_fails(write_data, "WRITE");
	invalidation_fails(read_dir, "READDIR");
	teardown();
}

/*
 * struct misuse - an access of the server that the client has not offered
 * @op, @operation: Call with the chunk
 * @write:  an RDMA Write, or an RDMA Read
 * @end:    at the end of its first segment, or at the beginning
 * @add:    bytes from there
 * @what:   for messages
 */
static const struct misuse {
	enum nfs_op	op;
	int		(*operation)(void);
	bool		write;
	bool		end;
	int		add;
	const char	*what;
} misuses[] = {
	{ OP_READ, read_data, false, false, 0, "RDMA Read of a Write chunk" },
	{ OP_READDIR, read_dir, false, false, 0, "RDMA Read of a Reply chunk" },
	{ OP_WRITE, write_data, true, false, 0, "RDMA Write to a Read chunk" },
	{ OP_READ, read_data, true, true, 0, "RDMA Write behind a Write chunk" },
	{ OP_READ, read_data, true, true, -8, "RDMA Write across the end of a Write chunk" },
	{ OP_READ, read_data, true, false, -16, "RDMA Write before a Write chunk" },
	{ OP_READDIR, read_dir, true, true, 0, "RDMA Write behind a Reply chunk" },
	{ OP_WRITE, write_data, false, true, 0, "RDMA Read behind a Read chunk" },
	{ OP_WRITE, write_data, false, false, -16, "RDMA Read before a Read chunk" },
};

static const struct misuse *misuse;
static bool refused;

static void use_wrongly(struct exchange *x)
{
	struct verbs_conn *conn = x->cc->conn;
	uint64_t at;
	int ret;

	remember(x);
	at = target_segment.offset + misuse->add +
	     (misuse->end ? target_segment.length : 0);
	if (misuse->write)
		ret = verbs_write(conn, x->cc->scratch, 0, 16, target_segment.handle, at,
				  timeout_ms());
	else
		ret = verbs_read(conn, x->cc->scratch, 0, 16, target_segment.handle, at,
				 timeout_ms());
	/* On iWARP a Write completes here before the other end checks it */
	refused = is_lost(x->cc);
	if (!refused)
		fail("%s: %s", misuse->what, ret ? strerror(-ret) : "it is possible");
}

/* The memory of a chunk, and only that, in one direction: RFC 8166 8.1 (V1-MEM-13) */
void client_chunk_rights(void)
{
	unsigned int i, connects = 1;

	setup("3");
	for (i = 0; i < sizeof(misuses) / sizeof(misuses[0]); i++) {
		misuse = &misuses[i];
		if (!misuse->write && !misuse->end && !misuse->add && is_siw_conn()) {
			note("%s: siw does not refuse it", misuse->what);
			continue;
		}
		arm_fault(misuse->op, 1, use_wrongly, NULL);
		expect_result(misuse->operation(), 0, misuse->what);
		check(disarm_fault() == 1, "%s: no such Call was sent", misuse->what);
		check(observe().connects == ++connects, "%s: %u connections",
		      misuse->what, observe().connects);
	}
	teardown();
}

static void send_invalidating(struct exchange *x, uint32_t handle)
{
	static struct xdr_out out;

	encode_reply(&out);
	verbs_send_inv(x->cc->conn, out.data, out.len, handle);
}

/* Send With Invalidate of a handle that the RPC does not have */
static void invalidate(struct exchange *x, uint32_t handle)
{
	build_reply(x);
	send_invalidating(x, handle);
}

/*
 * struct other - a handle that the Reply does not invalidate, of a chunk whose first one it
 * does
 * @op, @operation: Call with the chunk
 * @write:   a Write chunk, or a Read chunk
 * @segment: of that handle, counted from 0
 * @what:    for messages
 */
static const struct other {
	enum nfs_op	op;
	int		(*operation)(void);
	bool		write;
	unsigned int	segment;
	const char	*what;
} others[] = {
	{ OP_READ, read_data, true, 1, "second segment of a Write chunk" },
	{ OP_READ, read_data, true, 3, "fourth segment of a Write chunk" },
	{ OP_READ, read_small, true, 3, "unused segment of a Write chunk" },
	{ OP_WRITE, write_data, false, 1, "second segment of a Read chunk" },
	{ OP_WRITE, write_data, false, 3, "fourth segment of a Read chunk" },
};

static const struct other *other_handle;

static void invalidate_first(struct exchange *x)
{
	const struct other *other = other_handle;
	const struct header *h = &x->header;
	const struct segment *segs = other->write ? h->writes[0].segs : h->reads;
	unsigned int count = other->write ? h->writes[0].nsegs : h->nreads;

	check(count > other->segment, "%s: the chunk has %u segments", other->what, count);
	check(h->layout == 1 || h->inv_handle == segs[0].handle,
	      "%s: the Call does not name the first handle", other->what);
	target_segment = segs[other->segment];
	invalidate(x, segs[0].handle);
}

/*
 * The server invalidates one handle of the chunk, and the client the others:
 * RFC 8166 4.4.1 (V1-MEM-21), draft -09 3.3 (V2-RI-06)
 */
void client_dead_others(void)
{
	const struct other *other;
	unsigned long before;
	unsigned int i;

	/* Memory regions of four pages, so each chunk has several */
	set_parameter("mr_pages", "4");
	setup("3");
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		other = &others[i];
		other_handle = other;
		before = client_counter("remote_invalidations");
		arm_fault(other->op, 1, NULL, invalidate_first);
		expect_result(other->operation(), 0, other->what);
		check(disarm_fault() == 1, "%s: no such Call was sent", other->what);
		check(client_counter("remote_invalidations") == before + 1,
		      "%s: no handle was invalidated by the Reply", other->what);
		expect_dead_then(other->write, other->what, i + 2);
	}
	set_parameter("mr_pages", "0");
	teardown();
}

static void unknown_handle(struct exchange *x)
{
	invalidate(x, 0x00dead00);
}

static atomic_bool overlapped;

/* On a busy machine the first READs may not overlap */
static void *read_slowly(void *arg)
{
	unsigned int i;

	for (i = 0; i < 5 || (i < 100 && !overlapped); i++)
		expect_result(read_data(), 0, "READ");
	return NULL;
}

static void no_reply(struct exchange *x)
{
}

/*
 * An RDMA Write to a handle that is already invalid would also end the
 * connection
 */
static void drop_all_replies(struct client_conn *cc)
{
	struct exchange *x;

	for (x = cc->pending; x; x = x->next)
		x->on_reply = no_reply;
}

/* The handle of another outstanding RPC */
static void foreign_handle(struct exchange *x)
{
	struct exchange *other;

	for (other = x->cc->pending; other; other = other->next) {
		if (other != x && any_handle(other)) {
			invalidate(x, any_handle(other));
			drop_all_replies(x->cc);
			overlapped = true;
			return;
		}
	}
	server.fault.left++;
	server.fault.hits--;
	send_reply(x);
}

/* In a Reply whose XID is that of no Call */
static void stray_handle(struct exchange *x)
{
	build_reply(x);
	server.hdr.xid ^= 0x40000000;
	set_u32(server.body, server.hdr.xid);
	send_invalidating(x, any_handle(x));
}

void client_unknown_invalidation(void)
{
	setup("3");
	arm_fault(OP_STATFS, 1, NULL, unknown_handle);
	expect_result(do_statfs(), 0, "statfs");
	check(disarm_fault() == 1, "no such Call was sent");
	expect_result(do_statfs(), 0, "statfs");
	check(observe().connects == 2, "%u connections", observe().connects);
	teardown();
}

void client_foreign_invalidation(void)
{
	setup("3");
	server.set.delay = 50;
	overlapped = false;
	arm_fault(OP_READ, 1, NULL, foreign_handle);
	in_threads(4, read_slowly, NULL);
	check(disarm_fault() == 1, "no other READ was outstanding");
	expect_log("invalidated a handle that was not offered");
	expect_result(do_statfs(), 0, "statfs");
	check(observe().connects == 2, "%u connections", observe().connects);
	teardown();
}

/* The Call whose memory was invalidated never gets a Reply, so it must be sent again */
void client_stray_invalidation(void)
{
	setup("3");
	arm_fault(OP_READ, 1, NULL, stray_handle);
	expect_result(read_data(), 0, "READ");
	check(disarm_fault() == 1, "no READ was sent");
	expect_log("invalidated a handle that was not offered");
	check(observe().connects == 2, "%u connections", observe().connects);
	teardown();
}
