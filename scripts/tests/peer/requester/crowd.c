// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many connections of one program: how long they take to come up, how many Calls per second
 * the server answers on all of them in turn, and how long until all have come back.
 *
 * usage: peer crowd --connections N ADDRESS PORT
 *
 * When all are up it prints "up MILLISECONDS" and does what its standard input says, a
 * line each; at the end of the input it ends.
 *
 *	calls SECONDS	Calls, one at a time, on the connections in turn. Prints
 *			"calls NUMBER 50% MICROSECONDS 99% MICROSECONDS".
 *	return		Waits until all connections are lost, and connects them again. While
 *			the server does not listen, the first one is refused and tries
 *			again. Prints "returned MILLISECONDS": from the first attempt that the
 *			server accepted until all are connected.
 *
 * A Call is a GETATTR of the root: nfsd closes connections of clients that have not sent a
 * file handle when there are many.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "commands.h"
#include "requester/nfs.h"

/* What one Call at a time needs: a connection is to cost little here */
#define RECVS		2
#define SENDS		2
#define MESSAGE		4096

/* Between two attempts that are refused, microseconds */
#define REFUSED_PAUSE	100000

#define MOST_CALLS	4000000u

/* Until a server that ends has closed all connections, milliseconds */
#define CLOSE_TIME	20000

static struct {
	struct verbs_options	options;
	struct verbs_conn	**conns;
	unsigned int		count;
	struct nfs_handle	root;
	uint32_t		*times;
} crowd;

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000LL + ts.tv_nsec / 1000;
}

static void ask(struct verbs_conn *conn)
{
	struct call *call = new3_getattr(&crowd.root);
	struct reply *reply;

	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply), "GETATTR fails");
	free_reply(conn, reply);
	free(call);
}

static void find_root(void)
{
	struct verbs_conn *conn = open_default();

	look_up(conn, "", &crowd.root);
	verbs_close(conn);
}

static void connect_all(void)
{
	int64_t begin = verbs_now();
	unsigned int i;

	for (i = 0; i < crowd.count; i++) {
		crowd.conns[i] = open_raw(&crowd.options);
		ask(crowd.conns[i]);
	}
	printf("up %lld\n", (long long)(verbs_now() - begin));
}

static int by_time(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return one < other ? -1 : one > other;
}

static void call_all(unsigned int seconds)
{
	int64_t begin = now_us(), end = begin + seconds * 1000000LL, next;
	unsigned int n = 0;

	while (begin < end && n < MOST_CALLS) {
		ask(crowd.conns[n % crowd.count]);
		next = now_us();
		crowd.times[n++] = next - begin;
		begin = next;
	}
	check(n, "no Call in %u s", seconds);
	qsort(crowd.times, n, sizeof(*crowd.times), by_time);
	printf("calls %u 50%% %u 99%% %u\n", n, crowd.times[n / 2],
	       crowd.times[n - 1 - n / 100]);
}

/*
 * On InfiniBand and RoCE a disconnect request is a datagram, and the server does not wait for
 * the response. So when thousands are sent at once, some are lost. A client would notice by its
 * next Call or keepalive.
 */
static void wait_all_lost(void)
{
	int64_t end = verbs_now() + CLOSE_TIME * target.slow;
	unsigned int i, untold = 0;

	for (i = 0; i < crowd.count; i++) {
		untold += !!verbs_wait_lost(crowd.conns[i], end - verbs_now());
		verbs_close(crowd.conns[i]);
	}
	check(untold < crowd.count, "no connection is lost");
	if (untold)
		note("%u of %u got no disconnect", untold, crowd.count);
}

/* Return: when the attempt began that was not refused, milliseconds */
static int64_t wait_for_listener(void)
{
	int64_t end = verbs_now() + timeout_ms(), begin;
	int ret;

	for (;;) {
		begin = verbs_now();
		ret = verbs_connect(&crowd.conns[0], target.address, target.port,
				    &crowd.options);
		if (!ret)
			break;
		check(ret == -ECONNREFUSED && begin < end, "cannot connect again: %s",
		      strerror(-ret));
		usleep(REFUSED_PAUSE);
	}
	ask(crowd.conns[0]);
	return begin;
}

static void return_all(void)
{
	int64_t begin;
	unsigned int i;

	wait_all_lost();
	begin = wait_for_listener();
	for (i = 1; i < crowd.count; i++) {
		crowd.conns[i] = open_raw(&crowd.options);
		ask(crowd.conns[i]);
	}
	printf("returned %lld\n", (long long)(verbs_now() - begin));
}

static void run_crowd(void)
{
	char line[64];
	unsigned int seconds;

	find_root();
	connect_all();
	while (fgets(line, sizeof(line), stdin))
		if (sscanf(line, "calls %u", &seconds) == 1)
			call_all(seconds);
		else if (!strcmp(line, "return\n"))
			return_all();
		else
			fail("unknown: %s", line);
}

static void allow_files(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int bad_usage(void)
{
	fprintf(stderr, "peer crowd --connections N ADDRESS PORT\n");
	return 2;
}

int command_crowd(int argc, char **argv)
{
	static const struct option options[] = {
		{ "connections", required_argument, NULL, 'n' },
		{ }
	};
	static const struct scenario scenario = {
		"crowd", "", run_crowd, 3600,
	};
	int option;

	/* getopt_long() skips the first argument, the name of the command */
	while ((option = getopt_long(argc + 1, argv - 1, "", options, NULL)) != -1) {
		if (option != 'n')
			return bad_usage();
		crowd.count = atoi(optarg);
	}
	if (argc + 1 - optind != 2 || !crowd.count)
		return bad_usage();
	target.address = argv[optind - 1];
	target.port = argv[optind];
	allow_files();
	default_options(&crowd.options);
	private_put(crowd.options.private, false, MESSAGE, MESSAGE);
	crowd.options.recvs = RECVS;
	crowd.options.sends = SENDS;
	crowd.options.recv_size = MESSAGE;
	crowd.options.send_size = MESSAGE;
	crowd.conns = calloc(crowd.count, sizeof(*crowd.conns));
	crowd.times = calloc(MOST_CALLS, sizeof(*crowd.times));
	if (!crowd.conns || !crowd.times)
		return 1;
	return run_scenarios(&scenario, 1, NULL, NULL) ? 1 : 0;
}
