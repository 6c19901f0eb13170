// SPDX-License-Identifier: GPL-2.0-only
/*
 * As svcrdma_assemble.c, with two Read chunks: a Position Zero chunk and an item, or two items.
 * CBMC does not decide it in time for long ones.
 *
 * Proves: svcrdma_assemble()
 * Sources: svcrdma/protocol/assemble.c rpcrdma/protocol/chunk.c
 * Bounds: CHUNKS=2 LENGTH=63
 * Unwind: CHUNKS+1
 * Loops: prove_plan.0=3*CHUNKS+2 rpcrdma_chunk_length=2
 */
#include "assemble.h"
