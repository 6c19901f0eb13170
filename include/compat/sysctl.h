/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of sysctls: how one ends, and whether handlers get a const entry.
 *
 * A handler declares its table as RPCRDMA_CTL_CONST, and never changes it.
 */
#ifndef _COMPAT_SYSCTL_H
#define _COMPAT_SYSCTL_H

#include <linux/sysctl.h>
#include <compat/probed.h>

#ifdef RPCRDMA_CTL_TABLE_CONST
#define RPCRDMA_CTL_CONST	const
#else
#define RPCRDMA_CTL_CONST
#endif

/* The last line of a table */
#ifdef RPCRDMA_CTL_END_EMPTY
#define RPCRDMA_CTL_TABLE_END	{ }
#else
#define RPCRDMA_CTL_TABLE_END
#endif

#endif /* _COMPAT_SYSCTL_H */
