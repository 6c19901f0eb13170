/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DDP eligibility: which data items may be reduced (RFC 8267).
 */
#ifndef _SVCRDMA_DDP_H
#define _SVCRDMA_DDP_H

#include <linux/types.h>
#include <rpcrdma/reason.h>

/* Words in front of an argument that identify it */
#define SVCRDMA_ARG_WORDS	9

/* Words in front of a result that identify it */
#define SVCRDMA_RESULT_WORDS	8

/* protocol/ddp.c */
enum rpcrdma_reason svcrdma_ddp_check_arg(const __be32 *call,
					  const __be32 *before, u64 length);
bool svcrdma_ddp_check_result(u32 program, u32 version, const __be32 *before);

#endif /* _SVCRDMA_DDP_H */
