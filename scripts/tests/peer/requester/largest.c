// SPDX-License-Identifier: GPL-2.0-only
/*
 * The largest payload of the server, in one segment, as clients offer it: for counting
 * the work of the server, and the memory that it keeps.
 *
 * Environment: PEER_PAYLOAD bytes; PEER_LOOK, a bash function that gets the name of each
 * state of scenario_largest_kept().
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define CONNS	8

void scenario_read_largest(void)
{
	struct verbs_conn *conn = open_default();

	write_payload(conn);
	verbs_close(conn);
}

void scenario_write_largest(void)
{
	struct verbs_conn *conn = open_default();

	read_payload(conn);
	verbs_close(conn);
}

static void look(const char *state)
{
	const char *function = getenv("PEER_LOOK");
	char command[256], *const words[] = { "bash", "-c", command, NULL };
	int status;
	pid_t pid;

	check(function, "PEER_LOOK does not name a function");
	snprintf(command, sizeof(command), "%s %s", function, state);
	check(!posix_spawnp(&pid, words[0], NULL, NULL, words, environ) &&
	      waitpid(pid, &status, 0) == pid && !status,
	      "%s fails", command);
}

static void transfer(struct verbs_conn **conns)
{
	unsigned int i;

	for (i = 0; i < CONNS; i++) {
		write_payload(conns[i]);
		read_payload(conns[i]);
	}
}

void scenario_largest_kept(void)
{
	struct verbs_conn *conns[CONNS];
	unsigned int i;

	look("none");
	for (i = 0; i < CONNS; i++) {
		conns[i] = open_default();
		expect_alive(conns[i]);
	}
	look("idle");
	transfer(conns);
	look("used");
	transfer(conns);
	look("again");
	for (i = 0; i < CONNS; i++)
		verbs_close(conns[i]);
}
