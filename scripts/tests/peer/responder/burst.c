// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bursts: messages that arrive together, before the client has handled any of them. So
 * each needs a Receive that was posted before.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "responder/reverse.h"
#include "responder/scenarios.h"

/* More than any client asks for */
#define BURST_MOST	250

#define BURST_GRANT	1000

#define VERBS_COUNTS	"/sys/kernel/debug/test_verbs/counts"

/* Times that a message found no Receive, of all devices here; siw does not count them */
static unsigned long receives_missed(void)
{
	return sum_of_files("/sys/class/infiniband/*/ports/1/hw_counters/send_rnr_err");
}

/* The test module test_verbs counts what kernel modules post; the peer is no such */
static void reset_verbs(void)
{
	FILE *file = fopen(VERBS_COUNTS, "w");

	check(file && fputs("0", file) >= 0 && !fclose(file), "no %s", VERBS_COUNTS);
}

static unsigned long receives_posted(void)
{
	unsigned long count, posted = 0;
	FILE *file = fopen(VERBS_COUNTS, "r");
	char name[64];

	while (file && fscanf(file, "%63s %lu", name, &count) == 2)
		if (!strcmp(name, "recv"))
			posted = count;
	if (file)
		fclose(file);
	return posted - client_counter("receives");
}

static void add_message(struct verbs_data *data, const struct xdr_out *out)
{
	void *copy = malloc(out->len);

	check(copy, "out of memory");
	memcpy(copy, out->data, out->len);
	*data = (struct verbs_data) { .data = copy, .len = out->len };
}

static void add_reverse_call(struct verbs_data *data, uint32_t xid)
{
	static struct xdr_out out;

	new_call_header(xid);
	out.len = 0;
	header_put(&out, &reverse_header);
	rpc_put_call(&out, xid, CALLBACK_PROGRAM, 1, 0, AUTH_NULL);
	add_message(data, &out);
}

/* @reverse reverse Calls, and Replies to all Calls that are executed */
static void send_burst(unsigned int reverse)
{
	struct client_conn *cc = newest_conn();
	struct verbs_data data[BURST_MOST];
	struct exchange *x, *next;
	static struct xdr_out out;
	unsigned int n;

	check(reverse <= BURST_MOST, "too many messages");
	for (n = 0; n < reverse; n++)
		add_reverse_call(&data[n], FIRST_XID + n);
	for (x = cc->pending; x; x = next) {
		next = x->next;
		if (!x->reply)
			continue;
		check(n < BURST_MOST, "too many messages");
		build_reply(x);
		encode_reply(&out);
		add_message(&data[n++], &out);
		exchange_done(x);
	}
	check(!verbs_send_all(cc->conn, data, n), "cannot send %u messages", n);
	while (n--)
		free((void *)data[n].data);
}

static void *statfs_once(void *arg)
{
	expect_result(do_statfs(), 0, "statfs");
	return NULL;
}

static void *statfs_in_threads(void *arg)
{
	in_threads(*(unsigned int *)arg, statfs_once, NULL);
	return NULL;
}

static unsigned int replies_held(void)
{
	const struct exchange *x;
	unsigned int count = 0;

	responder_lock();
	for (x = newest_conn()->pending; x; x = x->next)
		count += !!x->reply;
	responder_unlock();
	return count;
}

/* As many Calls as the client may have under way, all executed and none answered */
static void hold_replies(pthread_t *thread, unsigned int *count)
{
	int64_t deadline = verbs_now() + timeout_ms();

	responder_lock();
	server.set.delay = 1000 * 1000;
	responder_unlock();
	check(!pthread_create(thread, NULL, statfs_in_threads, count), "no thread");
	while (replies_held() < *count)
		check(verbs_now() < deadline && !usleep(10000), "%u of %u Calls came",
		      replies_held(), *count);
}

/*
 * All that the client must be ready for at once: Replies to as many Calls as it may have
 * under way, and reverse Calls up to its grant, which an NFSv3 mount drops; in version 2
 * one message more, draft -09 (V2-CRD-07, OQ-01). Each must find a Receive: RFC 8166
 * 3.3.1 (V1-CRED-10). On rxe one that finds none is sent again, and counted; siw closes
 * the connection. The client may post some again meanwhile, so they are counted, too.
 */
void client_grant_burst(void)
{
	unsigned int asked, reverse;
	unsigned long missed;
	pthread_t thread;

	server.set.sends = BURST_MOST;
	server.set.grant = BURST_GRANT;
	reset_verbs();
	setup("3");
	expect_result(do_statfs(), 0, "statfs");
	asked = observe().asked;
	reverse = get_parameter("backchannel_slots") + (target.version == 2);
	check(asked > 1 && asked + reverse <= BURST_MOST, "%u credits are requested", asked);
	hold_replies(&thread, &asked);
	missed = receives_missed();
	responder_lock();
	server.set.delay = 0;
	send_burst(reverse);
	responder_unlock();
	pthread_join(thread, NULL);
	check(receives_missed() == missed, "%lu times there was no Receive for a message",
	      receives_missed() - missed);
	check(observe().connects == 1, "%u connections", observe().connects);
	check(receives_posted() >= asked + reverse, "%lu Receives for %u messages",
	      receives_posted(), asked + reverse);
	note("%u Replies and %u reverse Calls at once, %lu Receives", asked, reverse,
	     receives_posted());
	teardown();
}

/*
 * Far beyond the grant, but each finds a Receive: the client closes the connection, and
 * nothing else happens
 */
void client_reverse_too_many(void)
{
	unsigned int count, answered, connects;

	server.set.sends = BURST_MOST;
	setup("4.1");
	count = observe().asked + get_parameter("backchannel_slots");
	responder_lock();
	send_burst(count);
	responder_unlock();
	expect_result(do_statfs(), 0, "statfs");
	expect_result(read_data(), 0, "READ");
	answered = observe().reverse_replies;
	connects = observe().connects;
	reverse_call(FIRST_XID + 1000, CALLBACK_PROGRAM);
	await_replies(answered + 1);
	teardown();
	note("%u of %u were answered", answered, count);
	check(connects == 2 && answered < count, "%u of %u were answered, %u connections",
	      answered, count, connects);
	expect_log("more reverse Calls than granted");
}
