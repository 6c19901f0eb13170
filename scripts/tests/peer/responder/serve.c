// SPDX-License-Identifier: GPL-2.0-only
/*
 * The server thread: handles connections, messages, and Replies of the backend
 * server.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "responder/responder.h"

#define SERVER_ADDRESS	"127.0.0.1"
#define SERVER_PORT	"2049"
#define ACCEPT_TIMEOUT	5000

struct responder server = {
	.set = {
		.grant		= 32,
		.invalidate	= true,
		.rbsiz		= 8192,
		.brs		= REVERSE_INLINE,
	},
};

static pthread_mutex_t big_lock = PTHREAD_MUTEX_INITIALIZER;
static struct verbs_listener *listener;

void responder_lock(void)
{
	pthread_mutex_lock(&big_lock);
}

void responder_unlock(void)
{
	pthread_mutex_unlock(&big_lock);
}

void set_private(bool remote_inv, unsigned int send_size,
		 unsigned int recv_size)
{
	private_put(server.set.private, remote_inv, send_size, recv_size);
	server.set.private_len = PRIVATE_SIZE;
	server.set.send_size = send_size;
	server.set.recv_size = recv_size;
}

void arm_fault(enum nfs_op op, unsigned int times,
	       void (*on_call)(struct exchange *x),
	       void (*on_reply)(struct exchange *x))
{
	responder_lock();
	server.fault = (struct fault) {
		.op = op, .left = times,
		.on_call = on_call, .on_reply = on_reply,
	};
	responder_unlock();
}

unsigned int disarm_fault(void)
{
	unsigned int hits;

	responder_lock();
	hits = server.fault.hits;
	server.fault.left = 0;
	responder_unlock();
	return hits;
}

struct observed observe(void)
{
	static struct observed observed;

	responder_lock();
	observed = server.observed;
	responder_unlock();
	return observed;
}

struct client_conn *newest_conn(void)
{
	unsigned int i = RESPONDER_CONNS;

	while (i--)
		if (server.conns[i] && !server.conns[i]->conn->lost)
			return server.conns[i];
	fail("the client has no connection");
}

/* The peer stops using the connection, too */
void drop_conn(struct client_conn *cc)
{
	verbs_disconnect(cc->conn);
	cc->conn->lost = true;
}

void drop_connections(void)
{
	unsigned int i;

	responder_lock();
	for (i = 0; i < RESPONDER_CONNS; i++)
		if (server.conns[i])
			drop_conn(server.conns[i]);
	responder_unlock();
}

/* PEER_TRACE=1 prints every message */
void trace(const char *format, ...)
{
	static int wanted = -1;
	va_list args;

	if (wanted < 0)
		wanted = !!getenv("PEER_TRACE");
	if (!wanted)
		return;
	va_start(args, format);
	fprintf(stderr, "%lld ", (long long)verbs_now());
	vfprintf(stderr, format, args);
	va_end(args);
}

static void client_conn_free(struct client_conn *cc)
{
	trace("connection lost, %u pending, status %d, proxy lost %d\n",
	      cc->count, cc->conn->status, cc->proxy.lost);
	while (cc->pending)
		exchange_done(cc->pending);
	verbs_region_free(cc->scratch);
	verbs_close(cc->conn);
	proxy_close(&cc->proxy);
	free(cc);
}

/* Each threshold is the smaller of what one end sends and the other receives */
static void learn_limits(struct client_conn *cc)
{
	const struct settings *set = &server.set;
	struct private_data client;
	unsigned int send = set->send_size ?: 1024;
	unsigned int recv = set->recv_size ?: 1024;

	private_get(&client, cc->conn->private, cc->conn->private_len);
	check(client.found, "the client has no private data");
	cc->remote_inv = client.remote_inv && set->private_len;
	cc->call_limit = client.send_size < recv ? client.send_size : recv;
	cc->reply_limit = client.recv_size < send ? client.recv_size : send;
}

static void client_conn_new(struct verbs_conn *conn)
{
	struct client_conn *cc = calloc(1, sizeof(*cc));
	unsigned int i;

	check(cc, "out of memory");
	cc->conn = conn;
	cc->scratch = verbs_region(conn, RESPONDER_SCRATCH, 0);
	check(cc->scratch, "cannot register memory for RDMA");
	check(!proxy_open(&cc->proxy, SERVER_ADDRESS, SERVER_PORT),
	      "cannot connect to the backend server");
	learn_limits(cc);
	server.observed.connects++;
	trace("connection %u\n", server.observed.connects);
	for (i = 0; i < RESPONDER_CONNS; i++) {
		if (!server.conns[i]) {
			server.conns[i] = cc;
			return;
		}
	}
	fail("the client has too many connections");
}

static int choose(struct verbs_options *options, const uint8_t *private,
		  size_t len, void *arg)
{
	if (!server.set.reject)
		return 0;
	server.set.reject--;
	server.observed.rejected++;
	return -ECONNREFUSED;
}

static void take_connection(void)
{
	struct verbs_options options;
	struct verbs_conn *conn;

	verbs_options_init(&options);
	options.recvs = server.set.recvs ?: 256;
	options.sends = server.set.sends ?: options.sends;
	options.recv_size = 65536 + 1024;
	options.send_size = 65536 + 1024;
	options.rnr_retry = 7;
	memcpy(options.private, server.set.private, server.set.private_len);
	options.private_len = server.set.private_len;
	if (!verbs_accept(listener, &conn, &options, choose, NULL,
			  ACCEPT_TIMEOUT))
		client_conn_new(conn);
}

static struct exchange *find_exchange(struct client_conn *cc, uint32_t xid)
{
	struct exchange *x;

	for (x = cc->pending; x; x = x->next)
		if (x->header.xid == xid && !x->reply)
			return x;
	return NULL;
}

static void forward_reverse_call(struct client_conn *cc, const uint8_t *data,
				 size_t len)
{
	static struct xdr_out out;
	static struct header h;
	unsigned int i = 0;

	while (i < RESPONDER_REVERSE - 1 && cc->reverse[i])
		i++;
	cc->reverse[i] = word_at(data, 0);
	trace("reverse Call %08x\n", cc->reverse[i]);
	header_init(&h, cc->reverse[i]);
	h.vers = cc->version;
	h.layout = cc->version;
	h.credit = 1;
	out.len = 0;
	header_put(&out, &h);
	put_bytes(&out, data, len);
	send_raw(cc, out.data, out.len);
}

/* A keepalive is a NULL Call: without its Reply the client takes the server for dead */
static unsigned int reply_delay(const struct exchange *x)
{
	return x->nfs.procedure ? server.set.delay : 0;
}

/* Handle all messages of the backend server */
static void take_answers(struct client_conn *cc)
{
	struct exchange *x;
	uint8_t *data;
	size_t len;

	while ((data = proxy_next(&cc->proxy, &len))) {
		if (word_at(data, 1) == RPC_CALL) {
			forward_reverse_call(cc, data, len);
			free(data);
			continue;
		}
		x = find_exchange(cc, word_at(data, 0));
		if (!x) {
			free(data);
			continue;
		}
		trace("answer %08x, %zu bytes\n", x->header.xid, len);
		x->reply = data;
		x->reply_len = len;
		x->due = verbs_now() + reply_delay(x);
	}
}

static bool send_due(struct client_conn *cc)
{
	struct exchange *x, *next;
	bool sent = false;

	for (x = cc->pending; x; x = next) {
		next = x->next;
		if (!x->reply || x->due > verbs_now() || cc->conn->lost)
			continue;
		if (x->on_reply)
			x->on_reply(x);
		else
			send_reply(x);
		exchange_done(x);
		sent = true;
	}
	return sent;
}

/* Waiting for RDMA may bring more messages */
static void serve_conn(struct client_conn *cc)
{
	struct verbs_message message;
	bool progress;

	do {
		progress = false;
		while (!verbs_recv(cc->conn, &message, 0)) {
			take_message(cc, &message);
			if (!server.set.no_reposts)
				verbs_recv_done(cc->conn, &message);
			progress = true;
		}
		take_answers(cc);
	} while (send_due(cc) || progress);
}

/* Time until the next Reply is due, in milliseconds */
static int next_due(void)
{
	int64_t first = verbs_now() + 100;
	struct exchange *x;
	unsigned int i;

	for (i = 0; i < RESPONDER_CONNS; i++)
		for (x = server.conns[i] ? server.conns[i]->pending : NULL; x;
		     x = x->next)
			if (x->reply && x->due < first)
				first = x->due;
	first -= verbs_now();
	return first < 0 ? 0 : first;
}

static unsigned int poll_list(struct pollfd *fds)
{
	unsigned int i, n = 0;

	fds[n++].fd = listener->events->fd;
	for (i = 0; i < RESPONDER_CONNS; i++) {
		if (!server.conns[i])
			continue;
		fds[n++].fd = verbs_cm_fd(server.conns[i]->conn);
		fds[n++].fd = verbs_comp_fd(server.conns[i]->conn);
		fds[n++].fd = server.conns[i]->proxy.fd;
	}
	for (i = 0; i < n; i++)
		fds[i].events = POLLIN;
	return n;
}

static void serve_all(void)
{
	unsigned int i;

	for (i = 0; i < RESPONDER_CONNS; i++) {
		if (!server.conns[i])
			continue;
		serve_conn(server.conns[i]);
		if (server.conns[i]->conn->lost || server.conns[i]->proxy.lost) {
			client_conn_free(server.conns[i]);
			server.conns[i] = NULL;
		}
	}
}

static void *serve(void *arg)
{
	struct pollfd fds[1 + 3 * RESPONDER_CONNS];
	unsigned int n;
	int timeout;

	for (;;) {
		responder_lock();
		serve_all();
		n = poll_list(fds);
		timeout = next_due();
		responder_unlock();
		poll(fds, n, timeout);
		responder_lock();
		if (fds[0].revents)
			take_connection();
		responder_unlock();
	}
	return NULL;
}

void responder_start(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (!server.set.private_len && !server.set.send_size)
		set_private(true, 4096, 4096);
	check(!verbs_listen(&listener, target.address, target.port),
	      "cannot listen on port %s", target.port);
	pthread_attr_init(&attr);
	check(!pthread_create(&thread, &attr, serve, NULL), "no thread");
}
