/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Namespace operations of kobjects. An operation declares its kobject as
 * RPCRDMA_KOBJ_CONST, and never changes it.
 */
#ifndef _COMPAT_KOBJECT_H
#define _COMPAT_KOBJECT_H

#include <linux/kobject.h>
#include <compat/probed.h>

#ifdef RPCRDMA_KOBJ_TYPE_CONST
#define RPCRDMA_KOBJ_CONST	const
#else
#define RPCRDMA_KOBJ_CONST
#endif

#endif /* _COMPAT_KOBJECT_H */
