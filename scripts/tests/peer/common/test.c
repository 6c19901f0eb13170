// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run each scenario in its own process and print one result line: "ok NAME
 * (IDS)", "not ok NAME reason" or "skip NAME reason".
 */
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/test.h"

enum {
	EXIT_FAILED	= 1,
	EXIT_SKIPPED	= 77,
	EXIT_STUCK	= 256,	/* no exit status */
};

#define DEFAULT_SECONDS	90

/* Time for a process to exit after it wrote a reason, or after its time limit */
#define EXIT_SECONDS	20

struct target target = { .slow = 1, .version = 1 };

static int reason_pipe[2];

int timeout_ms(void)
{
	return 10000 * target.slow;
}

int silence_ms(void)
{
	return 300 * target.slow;
}

static void say_reason(const char *format, va_list args)
{
	char text[512];
	int len = vsnprintf(text, sizeof(text), format, args);

	if (len >= (int)sizeof(text))
		len = sizeof(text) - 1;
	if (write(reason_pipe[1], text, len) != len)
		perror("peer: pipe");
}

/* The runner need not wait for the end of the pipe, which a thread may keep open */
static void say_reason_none(void)
{
	if (write(reason_pipe[1], "", 1) != 1)
		perror("peer: pipe");
}

void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_reason(format, args);
	va_end(args);
	_exit(EXIT_FAILED);
}

void skip(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_reason(format, args);
	va_end(args);
	_exit(EXIT_SKIPPED);
}

void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("  # ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
	fflush(stdout);
}

void report_recovery(const char *fault, int64_t ms)
{
	printf("recovery: %s %lld\n", fault, (long long)ms);
	fflush(stdout);
}

/* Return: false if there is neither a reason nor the exit of the process in time */
static bool read_reason(unsigned int seconds, char *reason, size_t size)
{
	struct pollfd fd = { .fd = reason_pipe[0], .events = POLLIN };
	ssize_t len = 0;
	bool said;

	said = poll(&fd, 1, seconds * 1000) > 0;
	if (said)
		len = read(reason_pipe[0], reason, size - 1);
	reason[len > 0 ? len : 0] = '\0';
	return said;
}

/* Return: false if the process does not exit */
static bool wait_exit(pid_t pid, int *status)
{
	int64_t end = verbs_now() + EXIT_SECONDS * 1000 * target.slow;

	while (waitpid(pid, status, WNOHANG) != pid) {
		if (verbs_now() >= end)
			return false;
		usleep(10000);
	}
	return true;
}

/*
 * The time limit is an alarm. A killed process can still fail to exit, if one of its threads waits
 * in the kernel for an NFS server that ran in the same process. Return: exit status, or EXIT_STUCK
 */
static int wait_scenario(pid_t pid, unsigned int seconds, char *reason, size_t size)
{
	int status;

	if (!read_reason(seconds + EXIT_SECONDS * target.slow, reason, size))
		snprintf(reason, size, "timed out");
	if (!wait_exit(pid, &status))
		return EXIT_STUCK;
	if (WIFSIGNALED(status)) {
		snprintf(reason, size, WTERMSIG(status) == SIGALRM ?
			 "timed out" : "ended by signal %d",
			 WTERMSIG(status));
		return EXIT_FAILED;
	}
	return WEXITSTATUS(status);
}

static int run_one(void (*run)(void), unsigned int seconds, char *reason,
		   size_t size)
{
	unsigned int limit = (seconds ?: DEFAULT_SECONDS) * target.slow;
	int result;
	pid_t pid;

	fflush(stdout);
	pid = pipe(reason_pipe) ? -1 : fork();
	if (pid < 0) {
		perror("peer");
		exit(EXIT_FAILED);
	}
	if (!pid) {
		alarm(limit);
		run();
		fflush(stdout);
		say_reason_none();
		_exit(0);
	}
	close(reason_pipe[1]);
	result = wait_scenario(pid, limit, reason, size);
	close(reason_pipe[0]);
	return result;
}

static int report(const struct scenario *s, int result, const char *reason)
{
	switch (result) {
	case 0:
		printf("ok %s (%s)\n", s->name, s->ids);
		return 0;
	case EXIT_SKIPPED:
		printf("skip %s %s\n", s->name, reason);
		return 0;
	case EXIT_STUCK:
		printf("not ok %s %s; its process does not exit: no other scenario runs (%s)\n",
		       s->name, reason, s->ids);
		return 1;
	}
	printf("not ok %s %s (%s)\n", s->name, reason, s->ids);
	return 1;
}

/* @stuck: set if the process of the scenario does not exit */
static int run_scenario(const struct scenario *s, void (*alive)(void), bool *stuck)
{
	char reason[512], after[512];
	int result, result_after;

	target.version = s->version ?: 1;
	result = run_one(s->run, s->seconds, reason, sizeof(reason));
	*stuck = result == EXIT_STUCK;
	if (*stuck || !alive)
		return report(s, result, reason);

	result_after = run_one(alive, 0, after, sizeof(after));
	*stuck = result_after == EXIT_STUCK;
	if (result_after) {
		printf("not ok %s %s%safter the scenario: %s (%s)\n", s->name, reason,
		       reason[0] ? "; " : "", after, s->ids);
		return 1;
	}
	return report(s, result, reason);
}

static bool wanted(const char *name, char **patterns)
{
	if (!patterns || !*patterns)
		return true;
	for (; *patterns; patterns++)
		if (!fnmatch(*patterns, name, 0))
			return true;
	return false;
}

/* Patterns that match no scenario, of which each counts as one that failed */
static int unknown_patterns(const struct scenario *table, unsigned int count,
			    char **patterns)
{
	unsigned int i, unknown = 0;

	for (; patterns && *patterns; patterns++) {
		for (i = 0; i < count && fnmatch(*patterns, table[i].name, 0); i++)
			;
		if (i < count)
			continue;
		printf("not ok %s: no scenario has this name\n", *patterns);
		unknown++;
	}
	return unknown;
}

int run_scenarios(const struct scenario *table, unsigned int count,
		  char **patterns, void (*alive)(void))
{
	unsigned int i, ran = 0;
	bool stuck = false;
	int failed = unknown_patterns(table, count, patterns);

	for (i = 0; i < count && !stuck; i++) {
		if (!wanted(table[i].name, patterns))
			continue;
		ran++;
		failed += run_scenario(&table[i], alive, &stuck);
		fflush(stdout);
	}
	printf("%u scenarios, %d failed\n", ran, failed);
	return ran ? failed : 1;
}

void list_scenarios(const struct scenario *table, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		printf("%s %s\n", table[i].name, table[i].ids);
}
