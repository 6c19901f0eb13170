/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version that all modules of the set carry. With MODULE_VERSION comes a
 * srcversion, by which the tools tell these modules from the kernel's own.
 */
#ifndef _RPCRDMA_RELEASE_H
#define _RPCRDMA_RELEASE_H

#define RPCRDMA_RELEASE		"0.1.0"

#endif /* _RPCRDMA_RELEASE_H */
