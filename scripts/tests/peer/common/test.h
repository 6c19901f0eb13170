/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scenarios: their definition, and how they fail.
 *
 * Each scenario runs in its own process, so it may end anywhere and need not
 * clean up. A scenario passes if its function returns.
 */
#ifndef PEER_TEST_H
#define PEER_TEST_H

#include "common/verbs.h"

/*
 * struct scenario - one row of the table
 * @name:    short name
 * @ids:     IDs of the requirements that it tests, separated by spaces
 * @run:     returns, or calls fail() or skip()
 * @seconds: time limit, or 0 for the default
 * @version: protocol version, or 0 for version 1
 */
struct scenario {
	const char	*name;
	const char	*ids;
	void		(*run)(void);
	unsigned int	seconds;
	unsigned int	version;
};

/*
 * struct target - the endpoint under test
 * @slow:    factor for all time limits
 * @version: protocol version of the messages that a scenario builds
 */
struct target {
	const char	*address;
	const char	*port;
	unsigned int	slow;
	unsigned int	version;
};

extern struct target target;

/* Print the reason and end the scenario */
void fail(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void skip(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For the table of recovery times: @fault took @ms milliseconds */
void report_recovery(const char *fault, int64_t ms);

#define check(condition, ...)			\
do {						\
	if (!(condition))			\
		fail(__VA_ARGS__);		\
} while (0)

/*
 * Time limits in milliseconds: for an event that must occur, and for a check
 * that nothing arrives
 */
int timeout_ms(void);
int silence_ms(void);

/*
 * Run the scenarios of @table whose name matches a shell pattern (all if there
 * are no patterns). After each, @alive checks that the endpoint under test
 * still works. If the process of a scenario does not exit, the remaining scenarios do not run.
 * Return: the number of failures.
 */
int run_scenarios(const struct scenario *table, unsigned int count,
		  char **patterns, void (*alive)(void));
void list_scenarios(const struct scenario *table, unsigned int count);

#endif /* PEER_TEST_H */
