// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the client: open to us from Call to Reply, and not a moment longer.
 * That it is open before is shown by every RDMA Read and Write of the server.
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
#include "responder_scenarios.h"

static struct segment target_segment;
static struct exchange *kept;
static bool seen_call;

static void remember(struct exchange *x)
{
	const struct header *h = &x->header;

	if (h->nwrites)
		target_segment = h->writes[0].segs[0];
	else if (h->has_reply)
		target_segment = h->reply.segs[0];
	else if (h->nreads)
		target_segment = h->reads[0];
	seen_call = true;
}

static void remember_and_reply(struct exchange *x)
{
	remember(x);
	shape_reply(x);
	post_reply(x);
}

static void remember_and_refuse(struct exchange *x)
{
	remember(x);
	send_error(x, x->side->version, ERR_CHUNK);
	exchange_done(x);
}

/* The handle is dead: using it fails, and costs the connection */
static void expect_dead(bool write, const char *what)
{
	struct rdma_side *side;
	int ret;

	check(target_segment.length, "%s: there was no segment", what);
	responder_lock();
	side = newest_side();
	if (write)
		ret = verbs_write(side->conn, side->scratch, 0, 16,
				  target_segment.handle, target_segment.offset,
				  patience());
	else
		ret = verbs_read(side->conn, side->scratch, 0, 16,
				 target_segment.handle, target_segment.offset,
				 patience());
	/* On iWARP a Write has ended for us before the other end looks at it */
	if (!ret)
		ret = !verbs_wait_lost(side->conn, quiet_time());
	responder_unlock();
	check(ret, "%s: the memory is open after the RPC has ended", what);
	expect_result(do_statfs(), 0, "statfs on a new connection");
	check(look().connects == 2, "%s: %u connections", what,
	      look().connects);
}

void client_dead_write_chunk(void)
{
	begin("3");
	arm(OP_READ, 1, NULL, remember_and_reply);
	expect_result(read_data(), 0, "READ");
	expect_dead(true, "Write chunk");
	end();
}

void client_dead_reply_chunk(void)
{
	begin("3");
	arm(OP_READDIR, 1, NULL, remember_and_reply);
	expect_result(read_dir(), 0, "READDIR");
	expect_dead(true, "Reply chunk");
	end();
}

void client_dead_read_chunk(void)
{
	begin("3");
	arm(OP_WRITE, 1, NULL, remember_and_reply);
	expect_result(write_data(), 0, "WRITE");
	expect_dead(false, "Read chunk");
	end();
}

void client_dead_after_error(void)
{
	begin("3");
	arm(OP_READ, 1, remember_and_refuse, NULL);
	expect_result(read_data(), -EIO, "READ");
	expect_dead(true, "Write chunk of a Call that was refused");
	end();
}

static void keep_call(struct exchange *x)
{
	remember(x);
	kept = x;
}

static bool call_has_come(void)
{
	bool come;

	responder_lock();
	come = seen_call;
	responder_unlock();
	return come;
}

/*
 * The reader is killed while the server has its Call (V1-MEM-04). READDIR, since
 * that is what a signal really ends: direct READs go on without their task.
 */
static void kill_a_reader(void)
{
	int64_t deadline = verbs_now() + patience();
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		execlp("ls", "ls", MNT "/" BIG_DIR, NULL);
		_exit(127);
	}
	while (!call_has_come())
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
	posted = newest_side()->conn->posted;
	responder_unlock();
	return posted;
}

/* siw completes a Send when TCP has taken it */
static bool is_siw_side(void)
{
	bool siw;

	responder_lock();
	siw = !strncmp(ibv_get_device_name(newest_side()->conn->id->verbs->device),
		       "siw", 3);
	responder_unlock();
	return siw;
}

static void be_stingy(bool stingy)
{
	responder_lock();
	server.set.stingy = stingy;
	responder_unlock();
}

/* A change on the server empties the client's cache */
static void change_directory(void)
{
	static unsigned int changes;
	char name[128];

	snprintf(name, sizeof(name), BIG_DIR "/change-%d-%u", getpid(),
		 changes++);
	server_file(name, 0);
}

/* A reader whose Send number @left + 1 finds no Receive; how long its end takes, ms */
static int64_t stuck_reader(unsigned int left)
{
	int64_t killed;
	pid_t pid;

	change_directory();
	be_stingy(true);
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
	be_stingy(false);
	drop_connections();
	expect_result(do_statfs(), 0, "statfs");
	return killed;
}

/*
 * No Receive is left, and the client may retry for ever, so its Send never completes. A
 * task that is killed is free when the client has given the connection up. Of the Calls
 * of a reader, one has a Reply chunk, so its memory is not free before.
 */
void client_no_receives(void)
{
	int64_t freed, worst = 0;
	unsigned int calls, left;

	server.set.recvs = 24;
	server.set.grant = 8;
	begin("3");
	change_directory();
	calls = look().calls;
	check(!run_program("ls %s/%s > /dev/null", MNT, BIG_DIR), "ls fails");
	calls = look().calls - calls;
	check(calls < server.set.recvs, "ls sends %u Calls", calls);
	for (left = 0; left < calls; left++) {
		freed = stuck_reader(left);
		note("%u Receives left: a killed task was free after %lld ms",
		     left, (long long)freed);
		if (freed > worst)
			worst = freed;
	}
	took("receives-none", worst);
	check(worst < 35000 * (int64_t)target.slow,
	      "a killed task was free after %lld ms", (long long)worst);
	check(worst > 1000 || is_siw_side(), "no Send was held up");
	expect_result(read_data(), 0, "READ");
	end();
}

void client_dead_after_signal(void)
{
	begin("3");
	arm(OP_READDIR, 1, keep_call, NULL);
	kill_a_reader();
	expect_dead(true, "Reply chunk of a killed task");
	end();
}

/* As if it were an RPC error, with the Reply chunk unused */
static void late_reply(void)
{
	unsigned int i;

	responder_lock();
	server.shape = kept->header;
	server.shape.credit = server.set.grant;
	server.shape.flags = FLAG_RESPONSE;
	server.shape.inv_handle = 0;
	for (i = 0; i < server.shape.reply.nsegs; i++)
		server.shape.reply.segs[i].length = 0;
	server.body = realloc(server.body, 24);
	memset(server.body, 0, 24);
	set_u32(server.body, kept->header.xid);
	set_u32(server.body + 4, RPC_REPLY);
	server.body_len = 24;
	post_reply(kept);
	exchange_done(kept);
	responder_unlock();
}

/* The late Reply is dropped, and its credit comes back */
void client_reply_after_signal(void)
{
	unsigned int i;

	begin("3");
	for (i = 0; i < 5; i++) {
		seen_call = false;
		arm(OP_READDIR, 1, keep_call, NULL);
		kill_a_reader();
		late_reply();
		expect_result(do_statfs(), 0, "statfs");
	}
	expect_result(read_data(), 0, "READ");
	check(look().connects == 1, "the client has reconnected");
	end();
}

/* Calls that were given up keep all credits: no other Call goes out beside them */
void client_credits_given_up(void)
{
	begin("3");
	responder_lock();
	server.set.grant = 1;
	responder_unlock();
	expect_result(do_statfs(), 0, "statfs");
	seen_call = false;
	arm(OP_READDIR, 1, keep_call, NULL);
	kill_a_reader();
	expect_result(do_statfs(), 0, "statfs");
	check(look().connects == 2, "%u connections", look().connects);
	end();
}

/* Nothing is invalidated by us: the client does it all */
void client_plain_send(void)
{
	unsigned int i;

	server.set.invalidate = false;
	begin("3");
	for (i = 0; i < 20; i++) {
		expect_result(read_data(), 0, "READ");
		expect_result(write_data(), 0, "WRITE");
		expect_result(read_dir(), 0, "READDIR");
	}
	check(!look().invalidated && look().connects == 1,
	      "%u connections", look().connects);
	end();
}

/* Send With Invalidate though the RPC has no handle of that number */
static void invalidate(struct exchange *x, uint32_t handle)
{
	static struct xdr_out out;

	shape_reply(x);
	encode_reply(&out);
	verbs_send_inv(x->side->conn, out.data, out.len, handle);
}

static void unknown_handle(struct exchange *x)
{
	invalidate(x, 0x00dead00);
}

static atomic_bool overlapped;

/* On a busy machine the first READs need not overlap */
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

/* An RDMA Write to a handle that is invalid by now would end the connection, too */
static void mute(struct rdma_side *side)
{
	struct exchange *x;

	for (x = side->pending; x; x = x->next)
		x->on_reply = no_reply;
}

/* The handle of another RPC, which is under way */
static void foreign_handle(struct exchange *x)
{
	struct exchange *other;

	for (other = x->side->pending; other; other = other->next) {
		if (other != x && one_handle(other)) {
			invalidate(x, one_handle(other));
			mute(x->side);
			overlapped = true;
			return;
		}
	}
	server.mischief.left++;
	server.mischief.hits--;
	send_reply(x);
}

void client_unknown_invalidation(void)
{
	begin("3");
	arm(OP_STATFS, 1, NULL, unknown_handle);
	expect_result(do_statfs(), 0, "statfs");
	check(disarm() == 1, "no such Call was sent");
	expect_result(do_statfs(), 0, "statfs");
	check(look().connects == 2, "%u connections", look().connects);
	end();
}

void client_foreign_invalidation(void)
{
	begin("3");
	server.set.delay = 50;
	overlapped = false;
	arm(OP_READ, 1, NULL, foreign_handle);
	in_threads(4, read_slowly, NULL);
	check(disarm() == 1, "there was no other READ");
	expect_log("invalidated a handle that was not offered");
	expect_result(do_statfs(), 0, "statfs");
	check(look().connects == 2, "%u connections", look().connects);
	end();
}
