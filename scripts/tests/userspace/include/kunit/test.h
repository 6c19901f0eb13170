/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KUnit in one program of user space: what the suites in kunit/ use of it. kunit/run.c
 * runs the suites. A failed assertion ends a case by longjmp().
 */
#ifndef _USERSPACE_KUNIT_TEST_H
#define _USERSPACE_KUNIT_TEST_H

#include <setjmp.h>
#include <asm/byteorder.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/compiler_types.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#define KUNIT_PARAM_DESC_SIZE	128

enum kunit_status {
	KUNIT_SUCCESS,
	KUNIT_FAILURE,
	KUNIT_SKIPPED,
};

enum kunit_speed {
	KUNIT_SPEED_NORMAL,
	KUNIT_SPEED_SLOW,
};

struct kunit_memory;

/*
 * struct kunit - a case that runs
 * @param_value: of a case with parameters
 * @priv:	 the suite's own
 * @status:	 so far
 * @memory:	 to be freed at its end
 * @end:	 where a case that cannot go on continues
 */
struct kunit {
	const void		*param_value;
	void			*priv;
	enum kunit_status	status;
	struct kunit_memory	*memory;
	jmp_buf			end;
};

struct kunit_attributes {
	enum kunit_speed	speed;
};

struct kunit_case {
	void			(*run_case)(struct kunit *test);
	const char		*name;
	const void		*(*generate_params)(const void *last, char *desc);
	struct kunit_attributes	attr;
};

struct kunit_suite {
	const char		*name;
	int			(*init)(struct kunit *test);
	void			(*exit)(struct kunit *test);
	struct kunit_case	*test_cases;
	struct kunit_suite	*next;
};

void kunit_register(struct kunit_suite *suite);
void *kunit_kcalloc(struct kunit *test, size_t n, size_t size, int flags);
void *kunit_kmalloc(struct kunit *test, size_t size, int flags);
void kunit_failed(struct kunit *test, const char *file, int line, const char *what);
void kunit_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void kunit_end(struct kunit *test) __attribute__((noreturn));

#define kunit_kzalloc(test, size, flags)	kunit_kcalloc(test, 1, size, flags)
#define kunit_kmalloc_array(test, n, size, flags) \
	kunit_kmalloc(test, (n) * (size), flags)

#define kunit_info(test, format, ...)	((void)(test))
#define kunit_err(test, format, ...)	kunit_say(format, ##__VA_ARGS__)

#define kunit_skip(test, format, ...) do {		\
	kunit_say("skipped: " format, ##__VA_ARGS__);	\
	(test)->status = KUNIT_SKIPPED;			\
	kunit_end(test);				\
} while (0)

#define kunit_test_suite(suite)						\
static void __attribute__((constructor)) suite##_register(void)	\
{									\
	kunit_register(&(suite));					\
}									\
extern int userspace_no_module

#define KUNIT_CASE(function)	{ .run_case = function, .name = #function }
#define KUNIT_CASE_SLOW(function) \
	{ .run_case = function, .name = #function, .attr = { .speed = KUNIT_SPEED_SLOW } }
#define KUNIT_CASE_PARAM(function, params) \
	{ .run_case = function, .name = #function, .generate_params = params }
#define KUNIT_CASE_PARAM_ATTR(function, params, ...) \
	{ .run_case = function, .name = #function, .generate_params = params, \
	  .attr = __VA_ARGS__ }

#define KUNIT_ARRAY_PARAM_DESC(prefix, array, member)				\
static const void *prefix##_gen_params(const void *last, char *desc)		\
{										\
	const typeof(*(array)) *next = last ? (typeof(next))last + 1 : (array); \
										\
	if (next == (array) + ARRAY_SIZE(array))				\
		return NULL;							\
	strscpy(desc, next->member, KUNIT_PARAM_DESC_SIZE);			\
	return next;								\
}

/* @left and @right are evaluated once, and shown if they are not as they should be */
#define USERSPACE_COMPARE(test, left, op, right, then) do {			\
	__auto_type _left = (left);						\
	__auto_type _right = (right);						\
										\
	if (!(_left op _right)) {						\
		kunit_failed(test, __FILE__, __LINE__, #left " " #op " " #right); \
		kunit_say("left %lld, right %lld", (long long)_left,		\
			  (long long)_right);					\
		then;								\
	}									\
} while (0)

#define USERSPACE_TRUE(test, what, then) do {					\
	if (!(what)) {								\
		kunit_failed(test, __FILE__, __LINE__, #what);			\
		then;								\
	}									\
} while (0)

#define USERSPACE_GO_ON		((void)0)
#define USERSPACE_END(test)	kunit_end(test)

#define KUNIT_EXPECT_EQ(test, a, b)	USERSPACE_COMPARE(test, a, ==, b, USERSPACE_GO_ON)
#define KUNIT_EXPECT_NE(test, a, b)	USERSPACE_COMPARE(test, a, !=, b, USERSPACE_GO_ON)
#define KUNIT_EXPECT_LT(test, a, b)	USERSPACE_COMPARE(test, a, <, b, USERSPACE_GO_ON)
#define KUNIT_EXPECT_LE(test, a, b)	USERSPACE_COMPARE(test, a, <=, b, USERSPACE_GO_ON)
#define KUNIT_EXPECT_GT(test, a, b)	USERSPACE_COMPARE(test, a, >, b, USERSPACE_GO_ON)
#define KUNIT_EXPECT_GE(test, a, b)	USERSPACE_COMPARE(test, a, >=, b, USERSPACE_GO_ON)
#define KUNIT_ASSERT_EQ(test, a, b)	USERSPACE_COMPARE(test, a, ==, b, USERSPACE_END(test))
#define KUNIT_ASSERT_LT(test, a, b)	USERSPACE_COMPARE(test, a, <, b, USERSPACE_END(test))
#define KUNIT_ASSERT_LE(test, a, b)	USERSPACE_COMPARE(test, a, <=, b, USERSPACE_END(test))
#define KUNIT_ASSERT_GT(test, a, b)	USERSPACE_COMPARE(test, a, >, b, USERSPACE_END(test))
#define KUNIT_ASSERT_GE(test, a, b)	USERSPACE_COMPARE(test, a, >=, b, USERSPACE_END(test))

/* With a message, which is shown where the case fails */
#define KUNIT_EXPECT_EQ_MSG(test, a, b, format, ...) \
	USERSPACE_COMPARE(test, a, ==, b, kunit_say(format, ##__VA_ARGS__))
#define KUNIT_ASSERT_EQ_MSG(test, a, b, format, ...) \
	USERSPACE_COMPARE(test, a, ==, b,						\
			  kunit_say(format, ##__VA_ARGS__); USERSPACE_END(test))

#define KUNIT_EXPECT_TRUE(test, what)	USERSPACE_TRUE(test, what, USERSPACE_GO_ON)
#define KUNIT_EXPECT_FALSE(test, what)	USERSPACE_TRUE(test, !(what), USERSPACE_GO_ON)
#define KUNIT_EXPECT_NULL(test, what)	USERSPACE_TRUE(test, !(what), USERSPACE_GO_ON)
#define KUNIT_ASSERT_NOT_NULL(test, what) USERSPACE_TRUE(test, what, USERSPACE_END(test))
#define KUNIT_EXPECT_PTR_EQ(test, a, b)	USERSPACE_TRUE(test, (a) == (b), USERSPACE_GO_ON)
#define KUNIT_EXPECT_PTR_NE(test, a, b)	USERSPACE_TRUE(test, (a) != (b), USERSPACE_GO_ON)
#define KUNIT_EXPECT_STREQ(test, a, b)	USERSPACE_TRUE(test, !strcmp(a, b), USERSPACE_GO_ON)
#define KUNIT_EXPECT_STRNEQ(test, a, b)	USERSPACE_TRUE(test, strcmp(a, b), USERSPACE_GO_ON)
#define KUNIT_EXPECT_MEMEQ(test, a, b, size) \
	USERSPACE_TRUE(test, !memcmp(a, b, size), USERSPACE_GO_ON)
#define KUNIT_ASSERT_MEMEQ(test, a, b, size) \
	USERSPACE_TRUE(test, !memcmp(a, b, size), USERSPACE_END(test))

#endif /* _USERSPACE_KUNIT_TEST_H */
