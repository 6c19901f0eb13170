// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients that cost a server much: they have it pull data that never arrives, post no
 * Receives, or send nothing but junk. The server must drop each of them in time.
 *
 * Environment: PEER_HOSTILE connections (8), PEER_DEADLINE milliseconds (30000), both
 * decimal. The case sees to it that RDMA Reads do not complete.
 *
 * The scenario "polite" has as many connections send as many messages, all of them NULL
 * Calls, until the deadline: what the load alone does to other clients.
 */
#include <stdlib.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define PULLS		24
#define PULL_LEN	1048576
#define NULLS		20
#define MOST		64

/* From one message of junk to the next, of each connection */
#define JUNK_MS		20

enum kind {
	PULLS_AFTER_CALL,	/* many Read chunks, after a Call that is good */
	POSTS_NO_RECEIVE,	/* Calls, then junk, and no Receive for the Replies */
	SENDS_JUNK,		/* never a good Call */
	PULLS_AT_ONCE,		/* many Read chunks, and never a good Call */
	KINDS,
};

static struct verbs_conn *conns[MOST];
static unsigned int nconns;
static int64_t deadline;

static unsigned int from_environment(const char *name, unsigned int value)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : value;
}

static void pull(struct verbs_conn *conn, const struct nfs_handle *handle)
{
	struct memory *memory = readable_memory(conn, PULL_LEN, 1);
	struct call *call;
	uint32_t position;
	unsigned int i;

	for (i = 0; i < PULLS && !conn->lost; i++) {
		call = new3_write(handle, 0, PULL_LEN, &position);
		add_read_chunk(&call->header, position, memory, 0, PULL_LEN, 1);
		send_call(conn, call);
		free(call);
	}
}

static void send_null(struct verbs_conn *conn)
{
	struct call *call = null_call();

	header_put(&call->bytes, &call->header);
	put_bytes(&call->bytes, call->payload.data, call->payload.len);
	verbs_send(conn, call->bytes.data, call->bytes.len);
	free(call);
}

static struct verbs_conn *begin(enum kind kind, const struct nfs_handle *handle)
{
	struct verbs_options options;
	struct verbs_conn *conn;
	unsigned int i;

	default_options(&options);
	if (kind == POSTS_NO_RECEIVE) {
		options.recvs = 1;
		options.rnr_retry = 7;
	}
	conn = open_with(&options);
	if (kind == PULLS_AFTER_CALL)
		expect_alive(conn);
	if (kind == PULLS_AFTER_CALL || kind == PULLS_AT_ONCE)
		pull(conn, handle);
	for (i = 0; kind == POSTS_NO_RECEIVE && i < NULLS; i++)
		send_null(conn);
	return conn;
}

/* A message that is too short, which the server drops in silence */
static void junk(struct verbs_conn *conn)
{
	static const uint8_t bytes[8];

	verbs_poll(conn);
	if (!conn->lost)
		verbs_send(conn, bytes, sizeof(bytes));
}

static void read_environment(void)
{
	nconns = from_environment("PEER_HOSTILE", 8);
	deadline = from_environment("PEER_DEADLINE", 30000);
	check(nconns <= MOST, "at most %u connections", MOST);
}

/* One message on each connection, again and again. Return: how many are not lost */
static unsigned int send_until_lost(void (*message)(struct verbs_conn *conn))
{
	int64_t end = verbs_now() + deadline;
	unsigned int i, left;

	note("%u connections send", nconns);
	do {
		usleep(JUNK_MS * 1000);
		for (i = left = 0; i < nconns; i++) {
			message(conns[i]);
			left += !conns[i]->lost;
		}
	} while (left && verbs_now() < end);
	return left;
}

void scenario_hostile(void)
{
	unsigned int i, left, lost[KINDS] = { };
	struct nfs_handle handle;
	int64_t begun;

	read_environment();
	make_file("hostile", 0, 0);
	conns[0] = open_default();
	look_up(conns[0], "hostile", &handle);
	verbs_close(conns[0]);
	for (i = 0; i < nconns; i++)
		conns[i] = begin(i % KINDS, &handle);
	begun = verbs_now();
	left = send_until_lost(junk);
	for (i = 0; i < nconns; i++)
		lost[i % KINDS] += conns[i]->lost;
	note("dropped: %u that pull, %u without Receives, %u with junk, %u that pull at once",
	     lost[PULLS_AFTER_CALL], lost[POSTS_NO_RECEIVE], lost[SENDS_JUNK],
	     lost[PULLS_AT_ONCE]);
	check(!left, "%u of %u connections are not dropped after %lld ms", left,
	      nconns, (long long)(verbs_now() - begun));
	note("all are dropped after %lld ms", (long long)(verbs_now() - begun));
}

static void polite(struct verbs_conn *conn)
{
	struct verbs_message message;

	while (!verbs_recv(conn, &message, 0))
		repost_receive(conn, &message);
	send_null(conn);
}

void scenario_polite(void)
{
	unsigned int i;

	read_environment();
	for (i = 0; i < nconns; i++)
		conns[i] = open_default();
	check(send_until_lost(polite) == nconns, "a polite client is dropped");
}
