/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that are exported for KUnit are in a symbol namespace of their own. Its name
 * was a bare word, and became a string.
 */
#ifndef _COMPAT_KUNIT_H
#define _COMPAT_KUNIT_H

#include <linux/module.h>
#include <compat/probed.h>

#ifdef RPCRDMA_KUNIT_NS_WORD
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING)
#else
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING")
#endif

#endif /* _COMPAT_KUNIT_H */
