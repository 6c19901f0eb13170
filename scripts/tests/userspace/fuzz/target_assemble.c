// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a server puts a Call together. Each byte of the inline payload and of each Read
 * chunk is used once, in order, and each chunk begins at its Position.
 *
 * Input: lengths, then the Read list.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include "svcrdma/protocol/assemble.h"
#include "message.h"

#define SEGS_MAX	40

/* How much of each source is placed, and where in the Call the next byte goes */
struct placed {
	u64	base;
	u64	chunk[RPCRDMA_MAX_READ_CHUNKS];
	u64	pos;
};

static void any_reads(struct fuzz_input *in, struct rpcrdma_msg *msg)
{
	u32 position = 0;
	unsigned int i;

	for (i = fuzz_below(in, SEGS_MAX + 1); i; i--) {
		switch (fuzz_below(in, 4)) {
		case 0:
			position = fuzz_any(in);
			break;
		case 1:
			position += 4 * fuzz_u8(in);
			break;
		}
		if (!fuzz_add_segment(in, msg, &msg->reads, position))
			return;
	}
}

static void place(struct placed *placed, const struct svcrdma_piece *piece, u32 nchunks)
{
	CHECK(piece->len && piece->to == placed->pos);
	switch (piece->kind) {
	case SVCRDMA_PIECE_COPY:
		CHECK(piece->from == placed->base);
		placed->base += piece->len;
		break;
	case SVCRDMA_PIECE_READ:
		CHECK(piece->chunk < nchunks);
		CHECK(piece->from == placed->chunk[piece->chunk]);
		placed->chunk[piece->chunk] += piece->len;
		break;
	case SVCRDMA_PIECE_PAD:
		CHECK(piece->len < 4 && (piece->to + piece->len) % 4 == 0);
		break;
	}
	placed->pos += piece->len;
}

/* A chunk begins at its Position in the complete Call */
static void check_position(const struct svcrdma_assembly *plan, const struct svcrdma_piece *piece,
			   const struct rpcrdma_msg *msg, const struct rpcrdma_chunk *chunks)
{
	u32 position = msg->segs[chunks[piece->chunk].first].position;

	if (piece->kind != SVCRDMA_PIECE_READ || !position || piece->from)
		return;
	if (plan->layout == SVCRDMA_LAYOUT_ITEM)
		CHECK(plan->split == position && !piece->to);
	else
		CHECK(piece->to == position);
}

static void check_plan(const struct svcrdma_assembly *plan, const struct rpcrdma_msg *msg,
		       const struct rpcrdma_chunk *chunks, u32 nchunks, u32 inline_len)
{
	struct placed placed = {};
	unsigned int i;

	CHECK(plan->npieces <= SVCRDMA_MAX_PIECES);
	for (i = 0; i < plan->npieces; i++) {
		place(&placed, &plan->pieces[i], nchunks);
		check_position(plan, &plan->pieces[i], msg, chunks);
	}
	for (i = 0; i < nchunks; i++)
		CHECK(placed.chunk[i] == rpcrdma_chunk_length(msg, &chunks[i]));
	CHECK(plan->sink_len == placed.pos);
	switch (plan->layout) {
	case SVCRDMA_LAYOUT_INLINE:
		CHECK(!nchunks && !plan->npieces && plan->call_len == inline_len);
		break;
	case SVCRDMA_LAYOUT_ITEM:
		CHECK(nchunks == 1 && !placed.base && plan->split <= inline_len);
		CHECK(plan->call_len == inline_len + plan->sink_len);
		CHECK(plan->sink_len || plan->split == inline_len);
		break;
	case SVCRDMA_LAYOUT_FLAT:
		CHECK(placed.base == inline_len && plan->call_len == plan->sink_len);
		break;
	}
}

/* Could this Call have been put together? In the simplest way, for Calls that are sorted */
static bool is_possible(const struct rpcrdma_msg *msg, const struct rpcrdma_chunk *chunks,
			u32 nchunks, u32 inline_len, u32 max_len)
{
	bool long_call = nchunks && !msg->segs[chunks[0].first].position;
	u64 base = long_call ? rpcrdma_chunk_length(msg, &chunks[0]) : inline_len;
	u64 items = 0, total = inline_len;
	unsigned int i;

	for (i = 0; i < nchunks; i++)
		total += ALIGN(rpcrdma_chunk_length(msg, &chunks[i]), 4);
	if (!base || total > max_len)
		return false;
	for (i = long_call; i < nchunks; i++) {
		/* bytes of the base stream in front of it */
		if (msg->segs[chunks[i].first].position < items ||
		    msg->segs[chunks[i].first].position - items > base)
			return false;
		items += ALIGN(rpcrdma_chunk_length(msg, &chunks[i]), 4);
	}
	return true;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	struct rpcrdma_msg *msg = fuzz_msg(SEGS_MAX);
	u32 max_len = fuzz_any(&in), inline_len;
	struct svcrdma_assembly plan;
	enum rpcrdma_reason reason;
	unsigned int nchunks;

	inline_len = fuzz_any(&in) % (256 * 1024);
	any_reads(&in, msg);
	if (rpcrdma_reads_sort(msg, max_len, chunks, &nchunks))
		goto out;
	/* A long Call has no inline payload */
	if (nchunks && !msg->segs[chunks[0].first].position)
		inline_len = 0;
	reason = svcrdma_assemble(&plan, msg, chunks, nchunks, inline_len, max_len);
	CHECK(!reason == is_possible(msg, chunks, nchunks, inline_len, max_len));
	CHECK(!reason || reason == RPCRDMA_R_CHUNK_LENGTH ||
	      reason == RPCRDMA_R_POSITION_RANGE || reason == RPCRDMA_R_NOMSG_EMPTY);
	if (!reason) {
		CHECK(plan.call_len && plan.call_len <= max_len);
		check_plan(&plan, msg, chunks, nchunks, inline_len);
	}
out:
	fuzz_msg_free(msg);
	return 0;
}
