/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that are exported for KUnit are in a symbol namespace of their own. Its name
 * was a bare word, and became a string. KUNIT_ARRAY_PARAM_DESC() is missing on older
 * kernels, where only a function can describe a parameter.
 */
#ifndef _COMPAT_KUNIT_H
#define _COMPAT_KUNIT_H

#include <kunit/test.h>
#include <linux/module.h>
#include <compat/probed.h>

#ifdef RPCRDMA_KUNIT_NS_WORD
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING)
#else
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING")
#endif

#ifdef RPCRDMA_KUNIT_DESC_FUNCTION
#define KUNIT_ARRAY_PARAM_DESC(name, array, desc_member)			\
	static void name##_get_desc(const typeof((array)[0]) *param, char *desc)	\
	{									\
		strscpy(desc, param->desc_member, KUNIT_PARAM_DESC_SIZE);	\
	}									\
	KUNIT_ARRAY_PARAM(name, array, name##_get_desc)
#endif

#endif /* _COMPAT_KUNIT_H */
