// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many connections of one program: how long they take to come up, how many Calls per second
 * the server answers, one at a time or on all at once, and how long until all have come back.
 *
 * usage: peer crowd --connections N [--depth N] [--from ADDRESS] ADDRESS PORT
 *
 * With --from, each connection has an address of its own: ADDRESS, the next one, and so on.
 *
 * When all are up it prints "up MILLISECONDS" and does what its standard input says, a
 * line each; at the end of the input it ends.
 *
 *	calls SECONDS	Calls, one at a time, on the connections in turn. Prints
 *			"calls NUMBER 50% MICROSECONDS 99% MICROSECONDS".
 *	load SECONDS	Calls on all connections at once, up to --depth on each (1 by
 *			default).
 *			Prints the same.
 *	return		Waits until all connections are lost, and connects them again. While
 *			the server does not listen, the first one is refused and tries
 *			again. Prints "returned MILLISECONDS": from the first attempt that the
 *			server accepted until all are connected.
 *
 * A Call is a GETATTR of the root: nfsd closes connections of clients that have not sent a
 * file handle when there are many.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "commands.h"
#include "requester/load.h"

/* A connection is to cost little here */
#define MESSAGE		4096

/* Between two attempts that are refused, microseconds */
#define REFUSED_PAUSE	100000

/* Until a server that ends has closed all connections, milliseconds */
#define CLOSE_TIME	20000

static struct {
	struct verbs_options	options;
	struct in_addr		from;
	struct load		load;
} crowd;

/* Connect, without waiting for a listener. Return: 0 or a negative errno */
static int open_one(unsigned int number)
{
	struct in_addr from = { htonl(ntohl(crowd.from.s_addr) + number) };

	if (crowd.from.s_addr)
		inet_ntop(AF_INET, &from, crowd.options.from, sizeof(crowd.options.from));
	return try_open_raw(&crowd.load.conns[number], &crowd.options);
}

static void open_all(unsigned int first)
{
	unsigned int i;
	int ret;

	for (i = first; i < crowd.load.count; i++) {
		ret = open_one(i);
		check(!ret, "cannot connect: %s", strerror(-ret));
		load_call(&crowd.load, crowd.load.conns[i]);
	}
}

static void find_root(void)
{
	int ret = open_one(0);

	check(!ret, "cannot connect: %s", strerror(-ret));
	look_up(crowd.load.conns[0], "", &crowd.load.root);
	verbs_close(crowd.load.conns[0]);
}

static void connect_all(void)
{
	int64_t begin = verbs_now();

	open_all(0);
	printf("up %lld\n", (long long)(verbs_now() - begin));
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

	for (i = 0; i < crowd.load.count; i++) {
		untold += !!verbs_wait_lost(crowd.load.conns[i], end - verbs_now());
		verbs_close(crowd.load.conns[i]);
	}
	check(untold < crowd.load.count, "no connection is lost");
	if (untold)
		note("%u of %u got no disconnect", untold, crowd.load.count);
}

/* Return: when the attempt began that was not refused, milliseconds */
static int64_t wait_for_listener(void)
{
	int64_t end = verbs_now() + timeout_ms(), begin;
	int ret;

	for (;;) {
		begin = verbs_now();
		ret = open_one(0);
		if (!ret)
			break;
		check(ret == -ECONNREFUSED && begin < end, "cannot connect again: %s",
		      strerror(-ret));
		usleep(REFUSED_PAUSE);
	}
	load_call(&crowd.load, crowd.load.conns[0]);
	return begin;
}

static void return_all(void)
{
	int64_t begin;

	wait_all_lost();
	begin = wait_for_listener();
	open_all(1);
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
			load_one_by_one(&crowd.load, seconds);
		else if (sscanf(line, "load %u", &seconds) == 1)
			load_parallel(&crowd.load, seconds, crowd.options.recvs - 1);
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
	fprintf(stderr, "peer crowd --connections N [--depth N] [--from ADDRESS] ADDRESS PORT\n");
	return 2;
}

/* One message more than Calls: the Send of a Call may complete after its Reply has come */
static void crowd_options(unsigned int depth)
{
	struct verbs_options *options = &crowd.options;

	default_options(options);
	private_put(options->private, false, MESSAGE, MESSAGE);
	options->recvs = depth + 1;
	options->sends = depth + 1;
	options->recv_size = MESSAGE;
	options->send_size = MESSAGE;
}

int command_crowd(int argc, char **argv)
{
	static const struct option options[] = {
		{ "connections", required_argument, NULL, 'n' },
		{ "depth", required_argument, NULL, 'd' },
		{ "from", required_argument, NULL, 'f' },
		{ }
	};
	static const struct scenario scenario = {
		"crowd", "", run_crowd, 3600,
	};
	int option, depth = 1, count = 0;
	bool right = true;

	/* getopt_long() skips the first argument, the name of the command */
	while ((option = getopt_long(argc + 1, argv - 1, "", options, NULL)) != -1) {
		if (option == 'n')
			count = atoi(optarg);
		else if (option == 'd')
			depth = atoi(optarg);
		else
			right &= option == 'f' && inet_aton(optarg, &crowd.from);
	}
	if (!right || argc + 1 - optind != 2 || count <= 0 || depth <= 0)
		return bad_usage();
	target.address = argv[optind - 1];
	target.port = argv[optind];
	allow_files();
	crowd_options(depth);
	crowd.load.count = count;
	crowd.load.conns = calloc(count, sizeof(*crowd.load.conns));
	if (!crowd.load.conns)
		return 1;
	return run_scenarios(&scenario, 1, NULL, NULL) ? 1 : 0;
}
