/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How to put a Call together whose message has Read chunks.
 */
#ifndef _SVCRDMA_ASSEMBLE_H
#define _SVCRDMA_ASSEMBLE_H

#include <rpcrdma/msg.h>

/* For each chunk: bytes in front of it, the chunk, its pad; then the rest */
#define SVCRDMA_MAX_PIECES	(3 * RPCRDMA_MAX_READ_CHUNKS + 1)

enum svcrdma_piece_kind {
	SVCRDMA_PIECE_COPY,		/* from the inline payload */
	SVCRDMA_PIECE_READ,		/* from a Read chunk, by RDMA Read */
	SVCRDMA_PIECE_PAD,		/* zeroes */
};

/**
 * struct svcrdma_piece - a run of bytes of the data sink
 * @kind:  source of the bytes
 * @chunk: index of the Read chunk; SVCRDMA_PIECE_READ
 * @from:  offset in the inline payload or in the chunk, bytes
 * @to:	   offset in the data sink, bytes
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
	SVCRDMA_LAYOUT_INLINE,		/* no Read chunk: the Call is inline */
	SVCRDMA_LAYOUT_ITEM,		/* data sink: one item; the rest is inline */
	SVCRDMA_LAYOUT_FLAT,		/* data sink: the whole Call */
};

/**
 * struct svcrdma_assembly - plan how to put a Call together
 * @layout:   which parts are in the data sink, and which are inline
 * @split:    SVCRDMA_LAYOUT_ITEM: offset in the inline payload at which the item is
 *	      inserted, bytes
 * @sink_len: length of the data sink, pads included, bytes
 * @call_len: length of the complete Call, bytes
 * @npieces:  entries in use in @pieces
 * @pieces:   the content of the data sink, in ascending order, without gaps
 */
struct svcrdma_assembly {
	enum svcrdma_layout	layout;
	u32			split;
	u32			sink_len;
	u32			call_len;
	unsigned int		npieces;
	struct svcrdma_piece	pieces[SVCRDMA_MAX_PIECES];
};

/* protocol/assemble.c */
enum rpcrdma_reason svcrdma_assemble(struct svcrdma_assembly *plan,
				     const struct rpcrdma_msg *msg,
				     const struct rpcrdma_chunk *chunks,
				     unsigned int nchunks, u32 inline_len,
				     u32 max_len);
bool svcrdma_call_protected(const void *call, size_t len);
u32 svcrdma_call_args(const void *call, size_t len);

#endif /* _SVCRDMA_ASSEMBLE_H */
