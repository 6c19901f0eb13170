// SPDX-License-Identifier: GPL-2.0-only
/*
 * The raw peer speaks RPC-over-RDMA from user space. A test can send any bytes
 * and sees everything that the other end sends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "common/test.h"

static const struct command commands[] = {
	{ "list", "", "scenarios and the requirements they prove",
	  command_list },
	{ "requester", "ADDRESS PORT [PATTERN...]",
	  "run scenarios against a server", command_requester },
	{ "requester2", "ADDRESS PORT [PATTERN...]",
	  "the same for version 2", v2_command_requester },
	{ "fuzz", "[--two] --seed N --seconds N ADDRESS PORT",
	  "send corrupted messages to a server", command_fuzz },
	{ "crowd", "--connections N [--depth N] [--from ADDRESS] ADDRESS PORT",
	  "many connections to a server", command_crowd },
	{ "flood", "NUMBER ADDRESS PORT",
	  "connect requests to a server, all at once", command_flood },
	{ "responder", "ADDRESS PORT [PATTERN...]",
	  "run scenarios against the client of this machine", command_responder },
	{ "responder2", "ADDRESS PORT [PATTERN...]",
	  "the same for version 2", v2_command_responder },
};

static int usage(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(stderr, "peer %s %s\n\t%s\n", commands[i].name,
			commands[i].arguments, commands[i].text);
	return 2;
}

int main(int argc, char **argv)
{
	const char *slow = getenv("PEER_SLOW");
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (slow)
		target.slow = atoi(slow) ?: 1;
	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 2, argv + 2);
	return usage();
}
