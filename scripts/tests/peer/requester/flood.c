// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many connect requests of one address, without waiting for an answer to any.
 *
 * usage: peer flood NUMBER ADDRESS PORT
 *
 * When all are sent it prints "sent". At the end of its standard input it closes them, and prints
 * "refused NUMBER": of how many the server has refused until then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "commands.h"
#include "requester/requester.h"

static struct {
	unsigned int		count;
	struct verbs_conn	**conns;
} flood;

static void send_all(void)
{
	struct verbs_options options;
	unsigned int i;
	int ret;

	default_options(&options);
	options.recvs = 1;
	options.sends = 1;
	options.recv_size = 4096;
	options.send_size = 4096;
	for (i = 0; i < flood.count; i++) {
		ret = verbs_connect_begin(&flood.conns[i], target.address, target.port,
					  &options);
		check(!ret, "cannot send a connect request: %s", strerror(-ret));
	}
	printf("sent\n");
}

static void close_all(void)
{
	unsigned int i, refused = 0;

	for (i = 0; i < flood.count; i++) {
		verbs_poll(flood.conns[i]);
		refused += flood.conns[i]->refused;
		verbs_close(flood.conns[i]);
	}
	printf("refused %u\n", refused);
}

static void run_flood(void)
{
	send_all();
	while (getchar() != EOF)
		;
	close_all();
}

int command_flood(int argc, char **argv)
{
	static const struct scenario scenario = {
		"flood", "", run_flood, 3600,
	};
	struct rlimit limit;

	flood.count = argc == 3 ? atoi(argv[0]) : 0;
	flood.conns = flood.count ? calloc(flood.count, sizeof(*flood.conns)) : NULL;
	if (!flood.conns) {
		fprintf(stderr, "peer flood NUMBER ADDRESS PORT\n");
		return 2;
	}
	target.address = argv[1];
	target.port = argv[2];
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	return run_scenarios(&scenario, 1, NULL, NULL) ? 1 : 0;
}
