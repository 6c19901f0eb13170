// SPDX-License-Identifier: GPL-2.0-only
/* Connections: CM private data, rejection, and loss of the connection. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "responder/scenarios.h"

#define THREADS	12

void use_all_forms(void)
{
	expect_result(do_statfs(), 0, "statfs");
	expect_result(read_data(), 0, "READ");
	expect_result(write_data(), 0, "WRITE");
	expect_result(read_dir(), 0, "READDIR");
	expect_result(read_small(), 0, "short READ");
}

static unsigned long read_chunks_of(size_t len)
{
	unsigned long before = observe().reads;
	static uint8_t data[16384];
	int fd = do_open("inline", O_CREAT | O_RDWR | O_DIRECT);

	check(fd >= 0, "open: %s", strerror(-fd));
	pattern(data, len, 0);
	expect_result(do_write(fd, data, len, 0), 0, "WRITE");
	close(fd);
	return observe().reads - before;
}

void expect_inline_use(unsigned int limit)
{
	struct client_conn *cc;

	responder_lock();
	cc = newest_conn();
	check(cc->call_limit == limit, "%u bytes inline instead of %u",
	      cc->call_limit, limit);
	responder_unlock();
	check(!read_chunks_of(limit - 600),
	      "a WRITE of %u bytes has a Read chunk", limit - 600);
	check(read_chunks_of(limit) == 1, "a WRITE of %u bytes has no Read chunk",
	      limit);
}

static void expect_limits(unsigned int call_limit, unsigned int reply_limit,
			  bool remote_inv)
{
	struct client_conn *cc;

	expect_inline_use(call_limit);
	responder_lock();
	cc = newest_conn();
	check(cc->reply_limit == reply_limit, "%u bytes inline in Replies instead of %u",
	      cc->reply_limit, reply_limit);
	responder_unlock();
	if (!remote_inv)
		check(!observe().invalidated, "remote invalidation was used");
}

/* The default of 1024 bytes: RFC 8166 3.3.3 (V1-INL-06) */
void client_private_none(void)
{
	server.set.send_size = 1024;
	server.set.recv_size = 1024;
	setup("3");
	use_all_forms();
	expect_limits(1024, 1024, false);
	check(observe().long_calls || observe().reads, "no Call had a chunk");
	teardown();
}

/* The server sends up to @send bytes inline, and receives up to @receive */
static void with_sizes(unsigned int send, unsigned int receive, unsigned int reply_limit,
		       unsigned int call_limit)
{
	set_private(true, send, receive);
	drop_connections();
	use_all_forms();
	expect_limits(call_limit, reply_limit, true);
}

/* Up to the maximum of the field, and unequal ones; the client's sizes are 8 KiB */
void client_private_sizes(void)
{
	setup("3");
	with_sizes(1024, 1024, 1024, 1024);
	with_sizes(2048, 2048, 2048, 2048);
	with_sizes(1024, 4096, 1024, 4096);
	with_sizes(4096, 1024, 4096, 1024);
	with_sizes(8192, 8192, 8192, 8192);
	with_sizes(256 * 1024, 256 * 1024, 8192, 8192);
	teardown();
}

static void with_garbage(const void *data, size_t len)
{
	responder_lock();
	memcpy(server.set.private, data, len);
	server.set.private_len = len;
	server.set.send_size = 1024;
	server.set.recv_size = 1024;
	server.set.invalidate = false;
	responder_unlock();
	drop_connections();
	use_all_forms();
	expect_limits(1024, 1024, false);
}

/* Wrong magic number, wrong version, truncated: the defaults apply */
void client_private_garbage(void)
{
	uint8_t data[56] = { 0 };

	setup("3");
	memset(data, 0xff, sizeof(data));
	with_garbage(data, sizeof(data));
	private_put(data, true, 4096, 4096);
	data[3] ^= 1;
	with_garbage(data, 8);
	private_put(data, true, 4096, 4096);
	data[4] = 2;
	with_garbage(data, 8);
	private_put(data, true, 4096, 4096);
	with_garbage(data, 7);
	with_garbage("", 0);
	teardown();
}

/* Undefined flags, and the padding that InfiniBand adds */
void client_private_flags(void)
{
	setup("3");
	responder_lock();
	set_private(true, 4096, 4096);
	server.set.private[5] |= 0xfe;
	memset(server.set.private + 8, 0xee, 48);
	server.set.private_len = 56;
	responder_unlock();
	drop_connections();
	use_all_forms();
	expect_limits(4096, 4096, true);
	teardown();
}

/* sunrpc waits three seconds after a rejection */
void client_rejected(void)
{
	int64_t started;

	setup("3");
	responder_lock();
	server.set.reject = 1;
	responder_unlock();
	started = verbs_now();
	drop_connections();
	expect_result(do_statfs(), 0, "statfs");
	report_recovery("connect-rejected", verbs_now() - started);
	check(observe().rejected == 1, "%u requests were rejected",
	      observe().rejected);
	use_all_forms();
	teardown();
}

/* A mount fails in reasonable time if all connections are rejected */
void client_rejected_for_good(void)
{
	int64_t started;

	responder_start();
	server.set.reject = 1000000;
	started = verbs_now();
	check(try_mount("4.1", SOFT), "a mount succeeds without a connection");
	check(!is_mounted(), "something is mounted");
	check(verbs_now() - started < 60000 * target.slow,
	      "the mount failed too late");
	check(observe().rejected, "no connection was tried");
	check(!stuck_tasks(), "a task is stuck");
}

static void *work(void *arg)
{
	unsigned int i;

	for (i = 0; i < 10; i++) {
		expect_result(do_statfs(), 0, "statfs");
		expect_result(read_data(), 0, "READ");
		expect_result(write_data(), 0, "WRITE");
	}
	return NULL;
}

static unsigned int until_drop;

static void drop_now(struct exchange *x)
{
	if (until_drop--) {
		send_reply(x);
		return;
	}
	until_drop = 40;
	drop_conn(x->cc);
}

/*
 * The connection is lost with outstanding Calls: the client sends them again,
 * with the same XIDs and new handles
 */
void client_dropped(void)
{
	struct observed obs;

	setup("3");
	server.set.delay = 2;
	until_drop = 40;
	arm_fault(OP_ANY, 1000000, NULL, drop_now);
	in_threads(THREADS, work, NULL);
	disarm_fault();
	obs = observe();
	note("%u connections, %u Calls sent again", obs.connects,
	     obs.repeated);
	check(obs.connects >= 3, "%u connections", obs.connects);
	check(obs.repeated, "no Call was sent again");
	teardown();
}

static void break_now(struct exchange *x)
{
	verbs_set_error(x->cc->conn);
}

/* The QP fails without a disconnect */
void client_broken(void)
{
	setup("3");
	arm_fault(OP_READ, 1, NULL, break_now);
	expect_result(read_data(), 0, "READ");
	check(disarm_fault() == 1, "no such Call was sent");
	check(observe().connects == 2 && observe().repeated,
	      "%u connections", observe().connects);
	teardown();
}

/* A Call that is sent again must have new handles: RFC 8166 8.1.1 (V1-RTX-05) */
static struct header first_try;
static bool resent;

static void compare_tries(struct exchange *x)
{
	const struct header *h = &x->header;

	if (!first_try.xid) {
		first_try = *h;
		drop_conn(x->cc);
		return;
	}
	if (h->xid == first_try.xid) {
		resent = true;
		check(any_handle(x) != first_try.writes[0].segs[0].handle,
		      "RFC 8166 8.1.1 (V1-RTX-05): the handle of the lost connection is used");
	}
	send_reply(x);
}

void client_fresh_handles(void)
{
	setup("3");
	arm_fault(OP_READ, 10, NULL, compare_tries);
	expect_result(read_data(), 0, "READ");
	disarm_fault();
	check(resent, "the Call was not sent again");
	teardown();
}

#define HANDLES		256
#define LEAST_PAIRS	32
#define LEAST_STEPS	16
#define KEY_BITS	8

static uint32_t handles[HANDLES];
static unsigned int nhandles;

static void note_handle(struct exchange *x)
{
	const struct segment *seg = &x->header.writes[0].segs[0];

	check(x->header.nwrites && x->header.writes[0].nsegs, "a READ without a Write chunk");
	check(nhandles < HANDLES, "more READs than %u", HANDLES);
	check(seg->offset >> 32 == x->header.xid &&
	      (uint32_t)seg->offset < (uint32_t)sysconf(_SC_PAGESIZE),
	      "RFC 8166 4.4.3 (V1-MEM-15): the offset %llx tells more than an offset in a page",
	      (unsigned long long)seg->offset);
	handles[nhandles++] = seg->handle;
	send_reply(x);
}

/* The next handle of the same memory region, which differs in the key only */
static unsigned int next_handle(unsigned int i)
{
	unsigned int j = i + 1;

	while (j < nhandles && handles[j] >> KEY_BITS != handles[i] >> KEY_BITS)
		j++;
	return j;
}

/* Keys that are counted would all have the same distance: RFC 8166 8.1.2 (V1-MEM-10) */
static void check_keys(void)
{
	unsigned int i, j, pairs = 0, steps = 0;
	bool seen[1 << KEY_BITS] = { false };
	uint8_t step;

	for (i = 0; i < nhandles; i++) {
		j = next_handle(i);
		if (j == nhandles)
			continue;
		step = handles[j] - handles[i];
		check(step, "RFC 8166 8.1.2 (V1-MEM-10): handle %08x comes again at once",
		      handles[i]);
		pairs++;
		steps += !seen[step];
		seen[step] = true;
	}
	note("%u pairs of handles, %u distances", pairs, steps);
	check(pairs >= LEAST_PAIRS, "only %u memory regions were used again", pairs);
	check(steps >= LEAST_STEPS, "RFC 8166 8.1.2 (V1-MEM-10): only %u distances of handles",
	      steps);
}

void client_handles(void)
{
	unsigned int i;

	setup("3");
	arm_fault(OP_READ, HANDLES, NULL, note_handle);
	for (i = 0; i < HANDLES; i++)
		expect_result(read_data(), 0, "READ");
	check(disarm_fault() == HANDLES, "not every READ was sent");
	check_keys();
	teardown();
}

/* One Reply is missing: the client reconnects and sends the Call again */
void client_reply_lost(void)
{
	setup_with("3", short_timeout(target.slow));
	arm_fault(OP_STATFS, 1, ignore_call, NULL);
	expect_result(do_statfs(), 0, "statfs");
	check(disarm_fault() == 1, "no such Call was sent");
	check(observe().connects == 2 && observe().repeated == 1,
	      "%u connections, %u Calls sent again", observe().connects,
	      observe().repeated);
	teardown();
}

/* No Replies at all: the RPC fails on a soft mount */
void client_never_answers(void)
{
	int64_t started;

	setup_with("3", short_timeout(target.slow));
	responder_lock();
	server.set.no_replies = true;
	responder_unlock();
	started = verbs_now();
	check(do_statfs() < 0, "statfs succeeds without a Reply");
	check(verbs_now() - started < 60000 * target.slow,
	      "statfs failed too late");
	responder_lock();
	server.set.no_replies = false;
	responder_unlock();
	expect_result(do_statfs(), 0, "statfs");
	teardown();
}

/* A hard mount whose server does not reply: umount -f ends the waiting task */
void client_umount_force(void)
{
	int64_t started;

	server_file(DATA_FILE, DATA_SIZE);
	responder_start();
	mount_nfs("3", "hard");
	expect_result(do_statfs(), 0, "statfs");
	responder_lock();
	server.set.no_replies = true;
	responder_unlock();
	started = verbs_now();
	run_program("sh -c 'stat -f %s > /dev/null 2>&1 & sleep 0.5'", MNT);
	/* The first one ends the task, which may still use the mount */
	check(!run_program("umount -f %s || umount -f %s", MNT, MNT), "umount -f fails");
	check(!is_mounted(), "still mounted after umount -f");
	check(verbs_now() - started < 30000 * target.slow,
	      "umount -f takes too long");
	check(!stuck_tasks(), "a task is stuck");
}
