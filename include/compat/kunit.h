/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that are exported for KUnit are in a namespace of their own, whose
 * name became a string in Linux 6.13.
 */
#ifndef _COMPAT_KUNIT_H
#define _COMPAT_KUNIT_H

#include <linux/module.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING)
#else
#define RPCRDMA_IMPORT_KUNIT_SYMBOLS	\
	MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING")
#endif

#endif /* _COMPAT_KUNIT_H */
