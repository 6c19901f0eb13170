// SPDX-License-Identifier: GPL-2.0-only
/* Calls on many connections, and how long each takes. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "requester/load.h"

#define MOST_CALLS	4000000u

/* struct times - how long Calls took, in microseconds */
struct times {
	uint32_t	*all;
	unsigned int	count;
};

/* struct outstanding - a Call without a Reply: @sent is 0 if there is none */
struct outstanding {
	uint32_t	xid;
	int64_t		sent;
};

/*
 * struct lane - a connection with Calls outstanding
 * @conn:   the connection
 * @calls:  as many as may be outstanding
 * @used:   number of those that are
 * @credit: granted with the last Reply
 */
struct lane {
	struct verbs_conn	*conn;
	struct outstanding	*calls;
	unsigned int		used;
	unsigned int		credit;
};

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000LL + ts.tv_nsec / 1000;
}

static void times_begin(struct times *times)
{
	times->count = 0;
	times->all = calloc(MOST_CALLS, sizeof(*times->all));
	check(times->all, "no memory");
}

static void times_add(struct times *times, int64_t time)
{
	if (times->count < MOST_CALLS)
		times->all[times->count++] = time;
}

static int by_time(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return one < other ? -1 : one > other;
}

static void times_end(struct times *times)
{
	unsigned int n = times->count;

	check(n, "there was no time for a Call");
	qsort(times->all, n, sizeof(*times->all), by_time);
	printf("calls %u 50%% %u 99%% %u\n", n, times->all[n / 2], times->all[n - 1 - n / 100]);
	free(times->all);
}

void load_call(const struct load *load, struct verbs_conn *conn)
{
	struct call *call = new3_getattr(&load->root);
	struct reply *reply;

	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply), "GETATTR fails");
	free_reply(conn, reply);
	free(call);
}

void load_in_turn(const struct load *load, unsigned int seconds)
{
	int64_t begin = now_us(), end = begin + seconds * 1000000LL, next;
	struct times times;
	unsigned int n = 0;

	times_begin(&times);
	while (begin < end) {
		load_call(load, load->conns[n++ % load->count]);
		next = now_us();
		times_add(&times, next - begin);
		begin = next;
	}
	times_end(&times);
}

static void lane_send(const struct load *load, struct lane *lane, struct outstanding *o)
{
	struct call *call = new3_getattr(&load->root);

	o->xid = call->header.xid;
	o->sent = now_us();
	send_call(lane->conn, call);
	free(call);
	lane->used++;
}

/* As many Calls as there may be, but no more than @depth */
static void lane_fill(const struct load *load, struct lane *lane, unsigned int depth)
{
	unsigned int i;

	for (i = 0; i < depth && lane->used < lane->credit; i++)
		if (!lane->calls[i].sent)
			lane_send(load, lane, &lane->calls[i]);
}

/* Return: the Call that this message answers */
static struct outstanding *lane_find(struct lane *lane, unsigned int depth,
				     const struct verbs_message *message)
{
	static struct header h;
	struct rpc_reply reply;
	struct xdr_in in;
	unsigned int i;

	check(!header_get(&h, message->data, message->len) && h.proc == RDMA_MSG,
	      "a message that is not a Reply");
	lane->credit = h.credit;
	xdr_in_init(&in, message->data + h.size, message->len - h.size);
	check(!rpc_get_reply(&reply, &in) && !reply.denied && reply.stat == RPC_SUCCESS,
	      "a Call was not executed");
	for (i = 0; i < depth; i++)
		if (lane->calls[i].sent && lane->calls[i].xid == h.xid)
			return &lane->calls[i];
	fail("a Reply to Call %08x, which is not outstanding", h.xid);
}

static void lane_receive(struct lane *lane, unsigned int depth, struct times *times)
{
	struct verbs_message message;
	struct outstanding *done;

	while (!verbs_recv(lane->conn, &message, 0)) {
		done = lane_find(lane, depth, &message);
		repost_receive(lane->conn, &message);
		times_add(times, now_us() - done->sent);
		done->sent = 0;
		lane->used--;
	}
	check(!lane->conn->lost, "a connection is lost");
}

static struct lane *lanes_new(const struct load *load, unsigned int depth)
{
	struct lane *lanes = calloc(load->count, sizeof(*lanes));
	unsigned int i;

	check(lanes, "no memory");
	for (i = 0; i < load->count; i++) {
		lanes[i].conn = load->conns[i];
		lanes[i].calls = calloc(depth, sizeof(*lanes[i].calls));
		lanes[i].credit = 1;
		check(lanes[i].calls, "no memory");
		lane_fill(load, &lanes[i], depth);
	}
	return lanes;
}

static void lanes_free(struct lane *lanes, unsigned int count)
{
	while (count--)
		free(lanes[count].calls);
	free(lanes);
}

/* Handle all Replies until now. Return: Calls that are outstanding */
static unsigned int lanes_serve(const struct load *load, struct lane *lanes,
				unsigned int depth, bool more, struct times *times)
{
	unsigned int i, left = 0;

	for (i = 0; i < load->count; i++) {
		lane_receive(&lanes[i], depth, times);
		if (more)
			lane_fill(load, &lanes[i], depth);
		left += lanes[i].used;
	}
	return left;
}

static struct pollfd *poll_list(const struct load *load)
{
	struct pollfd *fds = calloc(load->count, sizeof(*fds));
	unsigned int i;

	check(fds, "no memory");
	for (i = 0; i < load->count; i++) {
		fds[i].fd = verbs_comp_fd(load->conns[i]);
		fds[i].events = POLLIN;
	}
	return fds;
}

void load_at_once(const struct load *load, unsigned int seconds, unsigned int depth)
{
	int64_t end = now_us() + seconds * 1000000LL;
	struct lane *lanes = lanes_new(load, depth);
	struct pollfd *fds = poll_list(load);
	struct times times;

	times_begin(&times);
	while (lanes_serve(load, lanes, depth, now_us() < end, &times))
		check(poll(fds, load->count, timeout_ms()) > 0, "no answer");
	times_end(&times);
	lanes_free(lanes, load->count);
	free(fds);
}
