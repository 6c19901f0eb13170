/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which data items may be reduced (RFC 8267). Pure.
 */
#ifndef _SVCRDMA_DDP_H
#define _SVCRDMA_DDP_H

#include <linux/types.h>
#include <rpcrdma/reason.h>

/* Words in front of an argument that tell what it is */
#define SVCRDMA_ARG_WORDS	9

/* Words in front of a result that tell what it is */
#define SVCRDMA_RESULT_WORDS	8

/* items.c */
enum rpcrdma_reason svcrdma_ddp_check_arg(const __be32 *call,
					  const __be32 *before, u64 length);
bool svcrdma_ddp_check_result(u32 program, u32 version, const __be32 *before);

#endif /* _SVCRDMA_DDP_H */
