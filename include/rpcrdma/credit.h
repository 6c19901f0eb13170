/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Credit arithmetic (RFC 8166 section 3.3.1). Credits are levels, not
 * tokens: the newest value replaces the one before (T-16). Pure.
 */
#ifndef _RPCRDMA_CREDIT_H
#define _RPCRDMA_CREDIT_H

#include <linux/types.h>

/* credit.c */
u32 rpcrdma_credit_window(u32 asked, u32 granted);
u32 rpcrdma_credit_left(u32 window, u32 late);
u32 rpcrdma_credit_grant(u32 asked, u32 resources);

#endif /* _RPCRDMA_CREDIT_H */
