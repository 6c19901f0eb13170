// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections: what the two ends tell each other, and the many ways to lose one.
 */
#include <string.h>
#include "responder_scenarios.h"

#define THREADS	12

void use_all_forms(void)
{
	expect_result(do_statfs(), 0, "statfs");
	expect_result(read_data(), 0, "READ");
	expect_result(write_data(), 0, "WRITE");
	expect_result(read_dir(), 0, "READDIR");
	expect_result(read_small(), 0, "short READ");
}

static void expect_limits(unsigned int limit, bool remote_inv)
{
	struct rdma_side *side;

	responder_lock();
	side = newest_side();
	check(side->call_limit == limit && side->reply_limit == limit,
	      "%u and %u bytes inline instead of %u", side->call_limit,
	      side->reply_limit, limit);
	responder_unlock();
	if (!remote_inv)
		check(!look().invalidated, "remote invalidation was used");
}

/* 1024 bytes each way, as before anything is known (V1-INL-06) */
void client_private_none(void)
{
	server.set.send_size = 1024;
	server.set.recv_size = 1024;
	begin("3");
	use_all_forms();
	expect_limits(1024, false);
	check(look().long_calls || look().reads, "no Call had a chunk");
	end();
}

static void with_sizes(unsigned int size, unsigned int limit)
{
	set_private(true, size, size);
	drop_connections();
	use_all_forms();
	expect_limits(limit, true);
}

/* Up to the largest that the field can say; ours is 8 KiB */
void client_private_sizes(void)
{
	begin("3");
	with_sizes(1024, 1024);
	with_sizes(2048, 2048);
	with_sizes(4096, 4096);
	with_sizes(8192, 8192);
	with_sizes(256 * 1024, 8192);
	end();
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
	expect_limits(1024, false);
}

/* Another magic word, another version, cut short: the defaults hold */
void client_private_garbage(void)
{
	uint8_t data[56] = { 0 };

	begin("3");
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
	end();
}

/* Flags that nobody has defined, and the padding that InfiniBand adds */
void client_private_flags(void)
{
	begin("3");
	responder_lock();
	set_private(true, 4096, 4096);
	server.set.private[5] |= 0xfe;
	memset(server.set.private + 8, 0xee, 48);
	server.set.private_len = 56;
	responder_unlock();
	drop_connections();
	use_all_forms();
	expect_limits(4096, true);
	end();
}

/* sunrpc waits three seconds after a rejection */
void client_rejected(void)
{
	int64_t started;

	begin("3");
	responder_lock();
	server.set.reject = 1;
	responder_unlock();
	started = verbs_now();
	drop_connections();
	expect_result(do_statfs(), 0, "statfs");
	took("connect-rejected", verbs_now() - started);
	check(look().rejected == 1, "%u requests were rejected",
	      look().rejected);
	use_all_forms();
	end();
}

/* A mount that is refused says so, in good time */
void client_rejected_for_good(void)
{
	int64_t started;

	responder_start();
	server.set.reject = 1000000;
	started = verbs_now();
	check(try_mount("4.1", SOFT), "a mount succeeds without a connection");
	check(!is_mounted(), "something is mounted");
	check(verbs_now() - started < 60000 * target.slow,
	      "the mount has failed late");
	check(look().rejected, "no connection was tried");
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
	drop_side(x->side);
}

/* With Calls under way: they go out again, with the same XIDs and new handles */
void client_dropped(void)
{
	struct seen seen;

	begin("3");
	server.set.delay = 2;
	until_drop = 40;
	arm(OP_ANY, 1000000, NULL, drop_now);
	in_threads(THREADS, work, NULL);
	disarm();
	seen = look();
	note("%u connections, %u Calls sent again", seen.connects,
	     seen.repeated);
	check(seen.connects >= 3, "%u connections", seen.connects);
	check(seen.repeated, "no Call was sent again");
	end();
}

static void break_now(struct exchange *x)
{
	verbs_break(x->side->conn);
}

/* The queue pair fails, without a word to the client */
void client_broken(void)
{
	begin("3");
	arm(OP_READ, 1, NULL, break_now);
	expect_result(read_data(), 0, "READ");
	check(disarm() == 1, "no such Call was sent");
	check(look().connects == 2 && look().repeated,
	      "%u connections", look().connects);
	end();
}

/* Handles of a Call that is sent again must be new ones (V1-RTX-05) */
static struct header first_try;
static bool second_try;

static void compare_tries(struct exchange *x)
{
	const struct header *h = &x->header;

	if (!first_try.xid) {
		first_try = *h;
		drop_side(x->side);
		return;
	}
	if (h->xid == first_try.xid) {
		second_try = true;
		check(one_handle(x) != first_try.writes[0].segs[0].handle,
		      "V1-RTX-05: the handle of the lost connection is used");
	}
	send_reply(x);
}

void client_fresh_handles(void)
{
	begin("3");
	arm(OP_READ, 10, NULL, compare_tries);
	expect_result(read_data(), 0, "READ");
	disarm();
	check(second_try, "the Call was not sent again");
	end();
}

/* One Reply never comes: the client gives the connection up, and asks again */
void client_reply_lost(void)
{
	begin_with("3", HASTY);
	arm(OP_STATFS, 1, keep_quiet, NULL);
	expect_result(do_statfs(), 0, "statfs");
	check(disarm() == 1, "no such Call was sent");
	check(look().connects == 2 && look().repeated == 1,
	      "%u connections, %u Calls sent again", look().connects,
	      look().repeated);
	end();
}

/* No Reply at all: a soft mount ends the RPC with an error */
void client_never_answers(void)
{
	int64_t started;

	begin_with("3", HASTY);
	responder_lock();
	server.set.deaf = true;
	responder_unlock();
	started = verbs_now();
	check(do_statfs() < 0, "statfs succeeds without an answer");
	check(verbs_now() - started < 60000 * target.slow,
	      "statfs has failed late");
	responder_lock();
	server.set.deaf = false;
	responder_unlock();
	expect_result(do_statfs(), 0, "statfs");
	end();
}

/* A hard mount whose server is deaf: umount -f ends what waits */
void client_umount_force(void)
{
	int64_t started;

	server_file(DATA_FILE, DATA_SIZE);
	responder_start();
	mount_nfs("3", "hard");
	expect_result(do_statfs(), 0, "statfs");
	responder_lock();
	server.set.deaf = true;
	responder_unlock();
	started = verbs_now();
	run_program("sh -c 'stat -f %s > /dev/null 2>&1 & sleep 0.5'", MNT);
	check(!run_program("umount -f %s || umount -f %s || umount -l %s", MNT,
			   MNT, MNT), "umount -f fails");
	check(!is_mounted(), "still mounted after umount -f");
	check(verbs_now() - started < 30000 * target.slow,
	      "umount -f takes long");
	check(!stuck_tasks(), "a task is stuck");
}
