// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a server puts a Call together from Read chunks of one segment, of any lengths at any
 * Positions: each byte of the inline payload and of each Read chunk is used once, in order, and
 * each chunk begins at its Position. The Call is no longer than what is accepted.
 *
 * Proves: svcrdma_assemble()
 * Sources: svcrdma/protocol/assemble.c rpcrdma/protocol/chunk.c
 * Bounds: CHUNKS=1 LENGTH=4294967295
 * Unwind: CHUNKS+1
 * Loops: prove_plan.0=3*CHUNKS+2 rpcrdma_chunk_length=2
 */
#include "assemble.h"
