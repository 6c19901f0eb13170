/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The release number of all three modules. MODULE_VERSION also adds a srcversion, by
 * which the tools tell these modules from the in-tree ones.
 */
#ifndef _RPCRDMA_RELEASE_H
#define _RPCRDMA_RELEASE_H

#define RPCRDMA_RELEASE		"0.1.0"

/* main.c */
int rpcrdma_check_release(const char *side, const char *release);

#endif /* _RPCRDMA_RELEASE_H */
