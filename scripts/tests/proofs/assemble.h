/* SPDX-License-Identifier: GPL-2.0-only */
/* How a server puts a Call together, for up to CHUNKS Read chunks of up to LENGTH bytes */
#ifndef _PROOFS_ASSEMBLE_H
#define _PROOFS_ASSEMBLE_H

#include "svcrdma/protocol/assemble.h"
#include "message.h"

/*
 * struct placed - what the pieces so far have placed
 * @pos:   where in the data sink the next byte goes
 * @base:  bytes of the base stream
 * @items: set of chunks that are items
 */
struct placed {
	u32	pos;
	u32	base;
	u32	items;
};

static void prove_item(struct placed *placed, const struct svcrdma_assembly *plan,
		       const struct svcrdma_piece *piece, const struct rpcrdma_msg *msg)
{
	const struct rpcrdma_segment *chunk = &msg->segs[piece->chunk];

	PROVE(!piece->from && piece->len == chunk->length);
	PROVE(!(placed->items & 1U << piece->chunk));
	placed->items |= 1U << piece->chunk;
	if (plan->layout == SVCRDMA_LAYOUT_ITEM)
		PROVE(plan->split == chunk->position && !piece->to);
	else
		PROVE(piece->to == chunk->position);
}

/* A piece of the base stream continues the one before */
static void prove_piece(struct placed *placed, const struct svcrdma_assembly *plan,
			const struct svcrdma_piece *piece, const struct rpcrdma_msg *msg,
			u32 nchunks)
{
	PROVE(piece->len && piece->to == placed->pos);
	PROVE(piece->len <= plan->sink_len && piece->to <= plan->sink_len - piece->len);
	placed->pos = piece->to + piece->len;
	if (piece->kind == SVCRDMA_PIECE_PAD) {
		PROVE(piece->len < 4 && placed->pos % 4 == 0);
		return;
	}
	if (piece->kind == SVCRDMA_PIECE_READ) {
		PROVE(piece->chunk < nchunks);
		if (msg->segs[piece->chunk].position) {
			prove_item(placed, plan, piece, msg);
			return;
		}
	} else {
		PROVE(piece->kind == SVCRDMA_PIECE_COPY && (!nchunks || msg->segs[0].position));
	}
	PROVE(piece->from == placed->base);
	placed->base = piece->from + piece->len;
}

static void prove_plan(const struct svcrdma_assembly *plan, const struct rpcrdma_msg *msg,
		       u32 nchunks, u32 inline_len)
{
	bool long_call = nchunks && !msg->segs[0].position;
	struct placed placed = {};
	u32 i;

	PROVE(plan->npieces <= 3 * nchunks + 1 && plan->npieces <= SVCRDMA_MAX_PIECES);
	for (i = 0; i < plan->npieces; i++)
		prove_piece(&placed, plan, &plan->pieces[i], msg, nchunks);
	for (i = 0; i < nchunks; i++)
		if (msg->segs[i].position)
			PROVE(!!(placed.items & 1U << i) == !!msg->segs[i].length);
	PROVE(plan->sink_len == placed.pos);
	switch (plan->layout) {
	case SVCRDMA_LAYOUT_INLINE:
		PROVE(!nchunks && !plan->npieces && plan->call_len == inline_len);
		break;
	case SVCRDMA_LAYOUT_ITEM:
		PROVE(nchunks == 1 && !placed.base && plan->split <= inline_len);
		PROVE(plan->call_len - plan->sink_len == inline_len);
		PROVE(plan->sink_len || plan->split == inline_len);
		break;
	case SVCRDMA_LAYOUT_FLAT:
		PROVE(placed.base == (long_call ? msg->segs[0].length : inline_len));
		PROVE(plan->call_len == plan->sink_len);
		break;
	}
}

/* Read chunks as rpcrdma_reads_sort() leaves them, each of one segment */
static void any_chunks(struct rpcrdma_msg *msg, struct rpcrdma_chunk *chunks)
{
	u32 i;

	for (i = 0; i < CHUNKS; i++) {
		ASSUME(msg->segs[i].length <= LENGTH);
		ASSUME(msg->segs[i].position <= LENGTH && msg->segs[i].position % 4 == 0);
		ASSUME(!i || msg->segs[i - 1].position < msg->segs[i].position);
		chunks[i].first = i;
		chunks[i].nsegs = 1;
	}
}

int main(void)
{
	u32 max_len = nondet_u32(), inline_len = any_up_to(LENGTH), nchunks = any_up_to(CHUNKS);
	struct rpcrdma_chunk chunks[CHUNKS];
	struct rpcrdma_segment segs[CHUNKS];
	struct svcrdma_assembly plan;
	enum rpcrdma_reason reason;
	struct rpcrdma_msg msg;

	rpcrdma_msg_init(&msg, segs, CHUNKS);
	msg.nsegs = nchunks;
	msg.reads.nsegs = nchunks;
	any_chunks(&msg, chunks);
	/* A long Call has no inline payload */
	if (nchunks && !segs[0].position)
		ASSUME(!inline_len);
	reason = svcrdma_assemble(&plan, &msg, chunks, nchunks, inline_len, max_len);
	if (reason) {
		PROVE(reason == RPCRDMA_R_CHUNK_LENGTH || reason == RPCRDMA_R_POSITION_RANGE ||
		      reason == RPCRDMA_R_NOMSG_EMPTY);
		return 0;
	}
	PROVE(plan.call_len && plan.call_len <= max_len);
	prove_plan(&plan, &msg, nchunks, inline_len);
	REACH(CHUNKS == 1 || (plan.layout == SVCRDMA_LAYOUT_FLAT && plan.npieces > CHUNKS));
	REACH(plan.layout == SVCRDMA_LAYOUT_ITEM && segs[0].length % 4 && plan.split);
	return 0;
}

#endif /* _PROOFS_ASSEMBLE_H */
