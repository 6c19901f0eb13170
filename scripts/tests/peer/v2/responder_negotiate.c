// SPDX-License-Identifier: GPL-2.0-only
/* The opening Call and the CONNPROP of the client, and every answer to them. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "v2/responder_scenarios.h"

void set_opening_handler(void (*on_opening)(struct client_conn *cc,
					    const struct header *opening))
{
	responder_lock();
	server.set.on_opening = on_opening;
	responder_unlock();
}

void set_connprop_handler(void (*on_connprop)(struct client_conn *cc,
					      const struct header *connprop))
{
	responder_lock();
	server.set.on_connprop = on_connprop;
	responder_unlock();
}

static unsigned int version_now(void)
{
	unsigned int version;

	responder_lock();
	version = newest_conn()->version;
	responder_unlock();
	return version;
}

void expect_version(unsigned int version, const char *what)
{
	check(version_now() == version, "%s: version %u instead of %u", what,
	      version_now(), version);
}

void connect_again(void)
{
	drop_connections();
	use_all_forms();
}

static void *statfs_once(void *arg)
{
	expect_result(do_statfs(), 0, "statfs");
	return NULL;
}

void connect_with_many_calls(void)
{
	drop_connections();
	in_threads(12, statfs_once, NULL);
	use_all_forms();
}

/* One opening Call and one CONNPROP on each connection, with unused XIDs */
void v2_client_opening(void)
{
	uint32_t xid, connprop_xid;
	unsigned int i;

	setup("3");
	for (i = 1; i <= 4; i++) {
		xid = observe().opening_xid;
		connprop_xid = observe().connprop_xid;
		use_all_forms();
		expect_version(2, "a server of version 2");
		check(observe().openings == i && observe().connprops == i &&
		      observe().connects == i,
		      "%u opening Calls and %u CONNPROPs on %u connections",
		      observe().openings, observe().connprops,
		      observe().connects);
		drop_connections();
		expect_result(do_statfs(), 0, "statfs");
		check(observe().opening_xid != xid &&
		      observe().connprop_xid != connprop_xid, "an XID is used again");
	}
	check(observe().named && observe().invalidated,
	      "no handle was named, or invalidated");
	teardown();
}

static uint32_t error_words[6];
static uint32_t error_vers = 2;
static size_t error_len;

/* Answer with the XID of the message, a version, and these words */
static void answer_words(struct client_conn *cc, const struct header *opening)
{
	static struct xdr_out out;
	unsigned int i;

	out.len = 0;
	put_u32(&out, opening->xid);
	put_u32(&out, error_vers);
	put_u32(&out, 7);
	put_u32(&out, RDMA_ERROR);
	for (i = 0; i < 6; i++)
		put_u32(&out, error_words[i]);
	settle_version(cc, 1);
	send_raw(cc, out.data, error_len);
}

static void with_words(size_t len, uint32_t w4, uint32_t w5, uint32_t w6,
		       uint32_t w7)
{
	const uint32_t words[6] = { w4, w5, w6, w7, 0, 0 };

	memcpy(error_words, words, sizeof(words));
	error_len = len;
}

/*
 * Answers of a server without version 2: the same connection continues in
 * version 1 at once, and the next one begins with an opening Call again.
 */
static void expect_fall_back(const char *what)
{
	unsigned int connects = observe().connects;
	unsigned int openings = observe().openings;
	int64_t started = verbs_now();

	connect_with_many_calls();
	expect_version(1, what);
	check(observe().connects == connects + 1, "%s: %u connections", what,
	      observe().connects - connects);
	check(observe().openings == openings + 1, "%s: %u opening Calls", what,
	      observe().openings - openings);
	check(verbs_now() - started < 6000 * target.slow,
	      "%s: the fallback took %lld ms", what,
	      (long long)(verbs_now() - started));
}

void v2_client_fall_back(void)
{
	server.set.versions = "both";
	setup("3");
	expect_version(2, "a server of version 2");
	set_opening_handler(answer_words);
	with_words(28, 1, 1, 1, 0);
	expect_fall_back("ERR_VERS of seven words");
	expect_fall_back("ERR_VERS once more");
	error_vers = 1;
	expect_fall_back("ERR_VERS with version 1 in its header");
	error_vers = 2;
	with_words(32, 1, 1, 1, 1);
	expect_fall_back("ERR_VERS of eight words");
	with_words(28, 1, 0, 1, 0);
	expect_fall_back("ERR_VERS, versions 0 to 1");
	with_words(20, 2, 0, 0, 0);
	expect_fall_back("ERR_CHUNK");
	with_words(28, 1, 3, 1, 0);
	expect_fall_back("an impossible range");
	with_words(16, 0, 0, 0, 0);
	expect_fall_back("an error without a code");
	with_words(24, 0, 9, 0, 0);
	expect_fall_back("an error without F");
	set_opening_handler(NULL);
	connect_again();
	expect_version(2, "an upgraded server");
	teardown();
}

/* A server of version 2 that refuses a message */
static void answer_error(struct client_conn *cc, const struct header *opening)
{
	answer_words(cc, opening);
	settle_version(cc, 2);
}

/* Refused is the opening Call, or the CONNPROP: then the defaults hold */
static void expect_refusals(unsigned int connects, unsigned int limit)
{
	static const uint32_t codes[] = {
		ERR2_BAD_XDR, ERR2_INVAL_HTYPE, ERR2_SYSTEM, 77,
	};
	unsigned int i;

	for (i = 0; i < 4; i++) {
		with_words(24, FLAG_RESPONSE, codes[i], 0, 0);
		connect_with_many_calls();
		expect_version(2, "an error of version 2");
		expect_inline_use(limit);
		check(observe().connects == connects + i, "%u connections",
		      observe().connects);
	}
}

void v2_client_opening_refused(void)
{
	server.set.versions = "both";
	setup("3");
	set_opening_handler(answer_error);
	expect_refusals(2, 8192);
	set_opening_handler(NULL);
	set_connprop_handler(answer_error);
	expect_refusals(6, RBSIZ_DEFAULT);
	teardown();
}

/* A server may send its properties without being asked, or never (5.3.4) */
static void ignore_connprop(struct client_conn *cc, const struct header *connprop)
{
}

static struct header own_connprop;

static void properties_first(struct client_conn *cc, const struct header *opening)
{
	connprop_init(&own_connprop, opening);
	own_connprop.xid = 7;
	own_connprop.flags = 0;
	header_add_number(&own_connprop, PROPERTY_RBSIZ, 6000);
	send_header(cc, &own_connprop);
	usleep(50000);
	answer_opening(cc, opening);
}

static void has_sent_properties(struct client_conn *cc,
				const struct header *connprop)
{
	apply_properties(cc, &own_connprop);
}

/* The connection works at once in version 2, long before xprtrdma.negotiate_timeout */
static void expect_quick_version_2(unsigned int limit, const char *what)
{
	unsigned int connects = observe().connects;
	int64_t started = verbs_now();

	connect_with_many_calls();
	check(verbs_now() - started < 5000 * target.slow, "%s: %lld ms", what,
	      (long long)(verbs_now() - started));
	expect_version(2, what);
	expect_inline_use(limit);
	check(observe().connects == connects + 1, "%s: %u connections", what,
	      observe().connects - connects);
}

void v2_client_properties_absent(void)
{
	int64_t started;

	server.set.versions = "both";
	server.set.on_connprop = ignore_connprop;
	started = verbs_now();
	setup("3");
	check(verbs_now() - started < 5000 * target.slow, "the mount took %lld ms",
	      (long long)(verbs_now() - started));
	expect_version(2, "a server without CONNPROP");
	expect_quick_version_2(RBSIZ_DEFAULT, "a server without CONNPROP");
	set_opening_handler(properties_first);
	set_connprop_handler(has_sent_properties);
	expect_quick_version_2(6000, "a CONNPROP before the Reply");
	teardown();
}

/* The answer to the newest CONNPROP, not sent yet */
static struct header late_answer;

static void answer_later(struct client_conn *cc, const struct header *connprop)
{
	connprop_init(&late_answer, connprop);
}

static struct exchange *held[2];
static unsigned int held_count;

static void hold_call(struct exchange *x)
{
	held[held_count++] = x;
}

static unsigned int calls_held(void)
{
	unsigned int count;

	responder_lock();
	count = held_count;
	responder_unlock();
	return count;
}

/* Well before the next keepalive, whose answer is a grant, too */
static void await_held(unsigned int count)
{
	int64_t deadline = verbs_now() + timeout_ms() / 2;

	while (calls_held() < count)
		check(verbs_now() < deadline && !usleep(10000), "%u of %u Calls came",
		      calls_held(), count);
}

/*
 * A CONNPROP with F grants credits, however late it comes. A Call that waits for a credit is
 * sent at once, although no other Call ends.
 */
void v2_client_late_answer(void)
{
	pthread_t threads[2];
	unsigned int i;

	server.set.grant = 1;
	server.set.on_connprop = answer_later;
	setup("3");
	arm_fault(OP_STATFS, 2, hold_call, NULL);
	for (i = 0; i < 2; i++) {
		check(!pthread_create(&threads[i], NULL, statfs_once, NULL), "no thread");
		await_held(1);
	}
	usleep(silence_ms() * 1000);
	check(calls_held() == 1, "%u Calls with one credit", calls_held());
	responder_lock();
	server.set.grant = 32;
	late_answer.credit = 32;
	apply_properties(newest_conn(), &late_answer);
	send_header(newest_conn(), &late_answer);
	responder_unlock();
	await_held(2);
	responder_lock();
	for (i = 0; i < 2; i++)
		backend_call(held[i]);
	responder_unlock();
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check(observe().connects == 1, "%u connections", observe().connects);
	use_all_forms();
	teardown();
}

/* The connection is lost before the response */
static void lose_opening(struct client_conn *cc, const struct header *opening)
{
	drop_conn(cc);
}

static void lose_opening_once(struct client_conn *cc, const struct header *opening)
{
	server.set.on_opening = NULL;
	drop_conn(cc);
}

static void ignore_opening(struct client_conn *cc, const struct header *opening)
{
}

static void refuse_and_drop(struct client_conn *cc, const struct header *opening)
{
	refuse_opening(cc, opening);
	usleep(100000);
	drop_conn(cc);
}

/*
 * The next connection uses version 1 without an opening Call. If it worked and is
 * lost, the one after it begins with an opening Call again.
 */
static void expect_fallback_once(void (*on_opening)(struct client_conn *cc,
						    const struct header *opening),
			  const char *what)
{
	unsigned int openings = observe().openings;

	set_opening_handler(on_opening);
	connect_again();
	expect_version(1, what);
	check(observe().openings == openings + 1, "%s: %u opening Calls", what,
	      observe().openings - openings);
	set_opening_handler(NULL);
	connect_again();
	expect_version(2, what);
	check(observe().openings == openings + 2, "%s: %u opening Calls afterwards", what,
	      observe().openings - openings);
}

void v2_client_opening_lost(void)
{
	server.set.versions = "both";
	setup("3");
	expect_fallback_once(lose_opening, "the connection is lost before the response");
	expect_fallback_once(refuse_and_drop, "the connection is lost after ERR_VERS");
	teardown();
}

void v2_client_opening_unanswered(void)
{
	int64_t started;

	set_parameter("negotiate_timeout", "2");
	server.set.versions = "both";
	setup("3");
	started = verbs_now();
	expect_fallback_once(ignore_opening, "no response");
	check(verbs_now() - started >= 2000, "the timeout was too short");
	check(verbs_now() - started < 20000 * target.slow,
	      "the timeout was too long");
	set_parameter("negotiate_timeout", "10");
	teardown();
}

/* A server of version 2 only: Calls of version 1 draw ERR_VERS, versions 2 to 2 */
static void only_version_2(struct exchange *x)
{
	if (x->cc->version == 2) {
		backend_call(x);
		return;
	}
	build_error(x, ERR_VERS);
	server.hdr.vers = 1;
	server.hdr.low = 2;
	server.hdr.high = 2;
	post_reply(x);
	exchange_done(x);
}

/*
 * A lost probe makes version 1 follow. A server that has version 2 only by then gets the
 * client back to it, and no RPC fails.
 */
void v2_client_outdated(void)
{
	unsigned int connects;

	server.set.versions = "both";
	setup("3");
	expect_version(2, "a server of version 2");
	set_opening_handler(lose_opening_once);
	connects = observe().connects;
	arm_fault(OP_ANY, 1000, only_version_2, NULL);
	drop_connections();
	expect_result(do_statfs(), 0, "statfs at a server of version 2 only");
	expect_version(2, "a server of version 2 only");
	check(disarm_fault() > 1, "no Call in version 1");
	check(observe().connects == connects + 3, "%u connections instead of 3",
	      observe().connects - connects);
	use_all_forms();
	teardown();
}

/* No common version: the mount fails, and no RPC is sent in another version */
static void expect_no_mount(const char *versions, uint32_t low, uint32_t high)
{
	int64_t started = verbs_now();

	set_parameter("versions", versions);
	with_words(28, 1, low, high, 0);
	check(try_mount("4.1", SOFT), "a mount succeeds with versions %u to %u",
	      low, high);
	check(!is_mounted(), "something is mounted");
	check(verbs_now() - started < 15000 * target.slow,
	      "the mount failed too late");
	check(!observe().calls, "a Call was sent");
	check(observe().openings, "no opening Call was sent");
}

void v2_client_no_common_version(void)
{
	responder_start();
	set_opening_handler(answer_words);
	expect_no_mount("2", 1, 1);
	expect_no_mount("both", 3, 4);
	check(!stuck_tasks(), "a task is stuck");
}

/*
 * A client that permits only version 2 never falls back, but does not reconnect
 * without limit
 */
void v2_client_never_below(void)
{
	unsigned int i, connects;

	setup("3");
	for (i = 0; i < 2; i++) {
		set_opening_handler(lose_opening);
		drop_connections();
		connects = observe().connects;
		run_program("sh -c 'timeout 3 stat -f %s > /dev/null 2>&1'", MNT);
		connects = observe().connects - connects;
		check(connects > 0 && connects < 12,
		      "%u connections in three seconds", connects);
		note("%u connections in three seconds", connects);
		set_opening_handler(NULL);
		use_all_forms();
		expect_version(2, "a lost opening Call");
	}
	check(observe().openings == observe().connects,
	      "%u opening Calls on %u connections",
	      observe().openings, observe().connects);
	teardown();
}

/*
 * Other messages before the response: the client drops them, and accepts the
 * response
 */
static void unmatched_first(struct client_conn *cc, const struct header *opening)
{
	static struct header h;
	static struct xdr_out out;
	size_t len;

	header_init(&h, opening->xid ^ 0x100);
	h.proc = RDMA_ERROR;
	h.error = ERR2_VERS;
	h.low = 1;
	h.high = 1;
	send_header(cc, &h);
	h.error = ERR2_SYSTEM;
	h.flags = FLAG_RESPONSE;
	send_header(cc, &h);
	h.xid = opening->xid;
	h.proc = 77;
	send_header(cc, &h);
	h.proc = RDMA_MSG;
	h.vers = 3;
	send_header(cc, &h);
	h.vers = 1;
	h.layout = 1;
	out.len = 0;
	header_put(&out, &h);
	for (len = 0; len < 20; len += 3)
		send_raw(cc, out.data, len);
	/* A message of 4096 bytes must fit into the Receive */
	h.layout = 2;
	out.len = 0;
	header_put(&out, &h);
	while (out.len < RBSIZ_DEFAULT)
		put_u32(&out, 0);
	send_raw(cc, out.data, out.len);
	answer_opening(cc, opening);
}

void v2_client_unmatched_first(void)
{
	setup("3");
	set_opening_handler(unmatched_first);
	connect_again();
	check(observe().connects == 2 && observe().openings == 2,
	      "%u connections, %u opening Calls", observe().connects, observe().openings);
	teardown();
}
