/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scenarios: what they are, and how they fail.
 *
 * Each scenario runs in a process of its own, so it may end at any place, and
 * leaves nothing behind. It has passed when it returns.
 */
#ifndef PEER_TEST_H
#define PEER_TEST_H

#include "verbs.h"

/*
 * struct scenario - one row of the table
 * @name:    short name
 * @ids:     requirements that it proves, in words
 * @run:     returns, or calls fail() or skip()
 * @seconds: time limit, or 0 for the usual one
 * @version: of the protocol, or 0 for version 1
 */
struct scenario {
	const char	*name;
	const char	*ids;
	void		(*run)(void);
	unsigned int	seconds;
	unsigned int	version;
};

/*
 * struct target - where the other end is
 * @slow: time limits grow by this factor
 * @version: of the protocol, that messages are made in
 */
struct target {
	const char	*address;
	const char	*port;
	unsigned int	slow;
	unsigned int	version;
};

extern struct target target;

/* Say why, and end the scenario */
void fail(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void skip(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For the table of faults: what @fault has taken, milliseconds */
void report_recovery(const char *fault, int64_t ms);

#define check(condition, ...)			\
do {						\
	if (!(condition))			\
		fail(__VA_ARGS__);		\
} while (0)

/* The longest wait for something that must come, and a wait for nothing, ms */
int timeout_ms(void);
int silence_ms(void);

/*
 * Run those of @table that match one of the shell patterns (all if there are
 * none), each followed by a look whether @alive still works. Return: how many
 * failed.
 */
int run_scenarios(const struct scenario *table, unsigned int count,
		  char **patterns, void (*alive)(void));
void list_scenarios(const struct scenario *table, unsigned int count);

#endif /* PEER_TEST_H */
