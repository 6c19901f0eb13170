// SPDX-License-Identifier: GPL-2.0-only
/* Calls on many connections, and how long each takes. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "requester/load.h"

/* Times that are kept; later Calls are not counted */
#define MOST_CALLS	4000000u

/* struct times - how long Calls took, in microseconds */
struct times {
	uint32_t	*all;
	unsigned int	count;
};

/* struct pending - a Call without a Reply: @sent is 0 if there is none */
struct pending {
	uint32_t	xid;
	int64_t		sent;
};

/*
 * struct load_conn - a connection with Calls outstanding
 * @conn:   the connection
 * @calls:  as many as may be outstanding
 * @outstanding: number of those that are
 * @credit: granted with the last Reply
 */
struct load_conn {
	struct verbs_conn	*conn;
	struct pending		*calls;
	unsigned int		outstanding;
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

void load_one_by_one(const struct load *load, unsigned int seconds)
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

static void load_conn_send(const struct load *load, struct load_conn *c, struct pending *o)
{
	struct call *call = new3_getattr(&load->root);

	o->xid = call->header.xid;
	o->sent = now_us();
	send_call(c->conn, call);
	free(call);
	c->outstanding++;
}

/* Send Calls until the credits or @depth are used up */
static void load_conn_fill(const struct load *load, struct load_conn *c, unsigned int depth)
{
	unsigned int i;

	for (i = 0; i < depth && c->outstanding < c->credit; i++)
		if (!c->calls[i].sent)
			load_conn_send(load, c, &c->calls[i]);
}

/* Return: the Call that this message answers */
static struct pending *load_conn_find(struct load_conn *c, unsigned int depth,
				      const struct verbs_message *message)
{
	static struct header h;
	struct rpc_reply reply;
	struct xdr_in in;
	unsigned int i;

	check(!header_get(&h, message->data, message->len) && h.proc == RDMA_MSG,
	      "a message that is not a Reply");
	c->credit = h.credit;
	xdr_in_init(&in, message->data + h.size, message->len - h.size);
	check(!rpc_get_reply(&reply, &in) && !reply.denied && reply.stat == RPC_SUCCESS,
	      "a Call was not executed");
	check(!get_u32(&in), "GETATTR fails");
	for (i = 0; i < depth; i++)
		if (c->calls[i].sent && c->calls[i].xid == h.xid)
			return &c->calls[i];
	fail("a Reply to Call %08x, which is not outstanding", h.xid);
}

static void load_conn_receive(struct load_conn *c, unsigned int depth, struct times *times)
{
	struct verbs_message message;
	struct pending *done;

	while (!verbs_recv(c->conn, &message, 0)) {
		done = load_conn_find(c, depth, &message);
		repost_receive(c->conn, &message);
		times_add(times, now_us() - done->sent);
		done->sent = 0;
		c->outstanding--;
	}
	check(!c->conn->lost, "a connection is lost");
}

static struct load_conn *load_conns_new(const struct load *load, unsigned int depth)
{
	struct load_conn *all = calloc(load->count, sizeof(*all));
	unsigned int i;

	check(all, "no memory");
	for (i = 0; i < load->count; i++) {
		all[i].conn = load->conns[i];
		all[i].calls = calloc(depth, sizeof(*all[i].calls));
		all[i].credit = 1;
		check(all[i].calls, "no memory");
		load_conn_fill(load, &all[i], depth);
	}
	return all;
}

static void load_conns_free(struct load_conn *all, unsigned int count)
{
	while (count--)
		free(all[count].calls);
	free(all);
}

/* Handle the Replies that have arrived; send new Calls if @more. Return: outstanding Calls */
static unsigned int load_conns_serve(const struct load *load, struct load_conn *all,
				     unsigned int depth, bool more, struct times *times)
{
	unsigned int i, left = 0;

	for (i = 0; i < load->count; i++) {
		load_conn_receive(&all[i], depth, times);
		if (more)
			load_conn_fill(load, &all[i], depth);
		left += all[i].outstanding;
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

void load_parallel(const struct load *load, unsigned int seconds, unsigned int depth)
{
	int64_t end = now_us() + seconds * 1000000LL;
	struct load_conn *all = load_conns_new(load, depth);
	struct pollfd *fds = poll_list(load);
	struct times times;

	times_begin(&times);
	while (load_conns_serve(load, all, depth, now_us() < end, &times))
		check(poll(fds, load->count, timeout_ms()) > 0, "no answer");
	times_end(&times);
	load_conns_free(all, load->count);
	free(fds);
}
