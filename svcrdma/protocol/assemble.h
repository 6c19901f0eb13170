/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the RPC Call of a message with Read chunks is put together. Pure.
 */
#ifndef _SVCRDMA_ASSEMBLE_H
#define _SVCRDMA_ASSEMBLE_H

#include <rpcrdma/msg.h>

/* What stands before each chunk, the chunk, its pad; and what follows the last */
#define SVCRDMA_MAX_PIECES	(3 * RPCRDMA_MAX_READ_CHUNKS + 1)

enum svcrdma_piece_kind {
	SVCRDMA_PIECE_COPY,		/* from the inline payload */
	SVCRDMA_PIECE_READ,		/* from a Read chunk, by RDMA Read */
	SVCRDMA_PIECE_PAD,		/* zeroes */
};

/**
 * struct svcrdma_piece - one run of bytes of the sink
 * @kind:  where the bytes come from
 * @chunk: index of the Read chunk; SVCRDMA_PIECE_READ
 * @from:  offset in the inline payload or in the chunk, bytes
 * @to:	   offset in the sink, bytes
 * @len:   bytes, never 0
 */
struct svcrdma_piece {
	enum svcrdma_piece_kind	kind;
	u32			chunk;
	u32			from;
	u32			to;
	u32			len;
};

enum svcrdma_layout {
	SVCRDMA_LAYOUT_INLINE,		/* no Read chunk: the Call is in the Send */
	SVCRDMA_LAYOUT_ITEM,		/* sink holds one item; the rest stays in the Send */
	SVCRDMA_LAYOUT_FLAT,		/* sink holds the whole Call */
};

/**
 * struct svcrdma_assembly - recipe for a Call
 * @layout:   which parts go where
 * @split:    SVCRDMA_LAYOUT_ITEM: offset in the inline payload where the sink
 *	      belongs, bytes
 * @sink_len: bytes of the sink, pads included
 * @call_len: bytes of the Call when put together
 * @npieces:  used in @pieces
 * @pieces:   what the sink is filled with, in ascending order, without gaps
 */
struct svcrdma_assembly {
	enum svcrdma_layout	layout;
	u32			split;
	u32			sink_len;
	u32			call_len;
	unsigned int		npieces;
	struct svcrdma_piece	pieces[SVCRDMA_MAX_PIECES];
};

/* assemble.c */
enum rpcrdma_reason svcrdma_assemble(struct svcrdma_assembly *plan,
				     const struct rpcrdma_msg *msg,
				     const struct rpcrdma_chunk *chunks,
				     unsigned int nchunks, u32 inline_len,
				     u32 max_len);
bool svcrdma_call_protected(const void *call, size_t len);

#endif /* _SVCRDMA_ASSEMBLE_H */
