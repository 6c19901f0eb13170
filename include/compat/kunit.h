/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that are exported for KUnit are in a symbol namespace of their own. Its name
 * was a bare word, and became a string. Other macros are missing on older kernels. There
 * a parameter is described by a function, memory that differs is not printed, and no
 * case can be marked as slow.
 */
#ifndef _COMPAT_KUNIT_H
#define _COMPAT_KUNIT_H

#include <kunit/test.h>
#include <linux/module.h>
#include <linux/string.h>
#include <compat/probed.h>

#ifdef RPCRDMA_KUNIT_NS_WORD
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING)
#else
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING")
#endif

#ifdef RPCRDMA_KUNIT_DESC_FUNCTION
#define KUNIT_ARRAY_PARAM_DESC(name, array, desc_member)		\
	static void name##_get_desc(typeof((array)[0]) param[], char *desc)	\
	{								\
		strscpy(desc, param[0].desc_member, KUNIT_PARAM_DESC_SIZE);	\
	}								\
	KUNIT_ARRAY_PARAM(name, array, name##_get_desc)
#endif

#ifdef RPCRDMA_KUNIT_MEMEQ_UNKNOWN
#define KUNIT_EXPECT_MEMEQ(test, left, right, size)	\
	KUNIT_EXPECT_EQ(test, memcmp(left, right, size), 0)
#define KUNIT_ASSERT_MEMEQ(test, left, right, size)	\
	KUNIT_ASSERT_EQ(test, memcmp(left, right, size), 0)
#endif

#ifdef RPCRDMA_KUNIT_SPEED_UNKNOWN
#define KUNIT_CASE_SLOW(test_name)	KUNIT_CASE(test_name)
#define KUNIT_CASE_PARAM_ATTR(test_name, gen_params, ...)	\
	KUNIT_CASE_PARAM(test_name, gen_params)
#endif

#endif /* _COMPAT_KUNIT_H */
