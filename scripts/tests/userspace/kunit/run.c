// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the KUnit suites that are linked into this program.
 *
 * usage: kunit [-x] [SUITE...]
 *
 * One line for each suite, as TAP. With -x nothing runs after the first failure.
 */
#include <stdarg.h>
#include <stdio.h>
#include <kunit/test.h>

struct kunit_memory {
	struct kunit_memory	*next;
	void			*memory;
};

/* What was found in a suite */
struct kunit_count {
	unsigned int	cases;
	unsigned int	failed;
};

static struct kunit_suite *kunit_suites;
static const char *kunit_running;
static bool kunit_stop;

/* In order of their names, whatever the order of the objects */
void kunit_register(struct kunit_suite *suite)
{
	struct kunit_suite **at = &kunit_suites;

	while (*at && strcmp((*at)->name, suite->name) < 0)
		at = &(*at)->next;
	suite->next = *at;
	*at = suite;
}

static void *kunit_keep(struct kunit *test, void *memory)
{
	struct kunit_memory *entry = malloc(sizeof(*entry));

	entry->memory = memory;
	entry->next = test->memory;
	test->memory = entry;
	return memory;
}

void *kunit_kmalloc(struct kunit *test, size_t size, int flags)
{
	return kunit_keep(test, malloc(size));
}

void *kunit_kcalloc(struct kunit *test, size_t n, size_t size, int flags)
{
	return kunit_keep(test, calloc(n, size));
}

static void kunit_free(struct kunit *test)
{
	struct kunit_memory *entry;

	while (test->memory) {
		entry = test->memory;
		test->memory = entry->next;
		free(entry->memory);
		free(entry);
	}
}

void kunit_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("  # ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

void kunit_failed(struct kunit *test, const char *file, int line, const char *what)
{
	test->status = KUNIT_FAILURE;
	printf("  # %s: %s:%d: not so: %s\n", kunit_running, file, line, what);
}

void kunit_end(struct kunit *test)
{
	longjmp(test->end, 1);
}

static void kunit_run_once(const struct kunit_suite *suite,
			   const struct kunit_case *test_case, const void *param,
			   const char *desc, struct kunit_count *count)
{
	struct kunit test = { .param_value = param };

	kunit_running = test_case->name;
	if (!setjmp(test.end)) {
		if (suite->init && suite->init(&test))
			test.status = KUNIT_FAILURE;
		else
			test_case->run_case(&test);
	}
	if (suite->exit)
		suite->exit(&test);
	kunit_free(&test);
	count->cases++;
	if (test.status != KUNIT_FAILURE)
		return;
	count->failed++;
	printf("  # %s failed%s%s\n", test_case->name, *desc ? ": " : "", desc);
}

static bool kunit_ended(const struct kunit_count *count)
{
	return kunit_stop && count->failed;
}

static void kunit_run_case(const struct kunit_suite *suite,
			   const struct kunit_case *test_case,
			   struct kunit_count *count)
{
	char desc[KUNIT_PARAM_DESC_SIZE] = "";
	const void *param = NULL;

	if (!test_case->generate_params) {
		kunit_run_once(suite, test_case, NULL, desc, count);
		return;
	}
	while ((param = test_case->generate_params(param, desc)) && !kunit_ended(count)) {
		kunit_run_once(suite, test_case, param, desc, count);
		memset(desc, 0, sizeof(desc));
	}
}

static struct kunit_count kunit_run_suite(const struct kunit_suite *suite)
{
	const struct kunit_case *test_case;
	struct kunit_count count = {};

	for (test_case = suite->test_cases; test_case->run_case; test_case++)
		if (!kunit_ended(&count))
			kunit_run_case(suite, test_case, &count);
	return count;
}

static bool kunit_wanted(const char *name, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	unsigned int suites = 0, cases = 0, failed = 0;
	const struct kunit_suite *suite;
	struct kunit_count count;

	argv++;
	if (*argv && !strcmp(*argv, "-x")) {
		kunit_stop = true;
		argv++;
	}
	for (suite = kunit_suites; suite && !(kunit_stop && failed); suite = suite->next) {
		if (!kunit_wanted(suite->name, argv))
			continue;
		count = kunit_run_suite(suite);
		printf("%s %u - %s # %u cases\n", count.failed ? "not ok" : "ok", ++suites,
		       suite->name, count.cases);
		fflush(stdout);
		cases += count.cases;
		failed += count.failed;
	}
	printf("1..%u\n# %u suites, %u cases, %u failed\n", suites, suites, cases, failed);
	return failed || !suites;
}
