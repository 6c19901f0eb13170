// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a server does with a message before anything is read or executed: decode, answer
 * what is refused, check a Call, sort its Read list.
 *
 * Input: versions, room for segments, longest Call; then the message.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/minmax.h>
#include "kunit/ref_checks.h"
#include "message.h"

struct reads {
	unsigned int	nchunks;
	u32		position[RPCRDMA_MAX_SEGS];
	u64		length[RPCRDMA_MAX_SEGS];
};

/* The chunks of a Read list in order of Position, found in the simplest way */
static void reads_find(struct reads *reads, const struct rpcrdma_msg *msg)
{
	const struct rpcrdma_segment *seg = msg->segs + msg->reads.first;
	unsigned int i, j;
	u64 last, next;

	memset(reads, 0, sizeof(*reads));
	for (last = 0, i = 0; i < msg->reads.nsegs; i++, last = next + 1) {
		next = U64_MAX;
		for (j = 0; j < msg->reads.nsegs; j++)
			if (seg[j].position >= last)
				next = min_t(u64, next, seg[j].position);
		if (next == U64_MAX)
			return;
		for (j = 0; j < msg->reads.nsegs; j++)
			if (seg[j].position == next)
				reads->length[reads->nchunks] += seg[j].length;
		reads->position[reads->nchunks++] = next;
	}
}

/* May these chunks be in one Call of @max_len bytes? */
static bool reads_fit(const struct reads *reads, u32 max_len)
{
	u64 total = 0, padded;
	unsigned int i;

	if (reads->nchunks > RPCRDMA_MAX_READ_CHUNKS)
		return false;
	for (i = 0; i < reads->nchunks; i++) {
		padded = reads->length[i];
		if (reads->position[i])
			padded = (padded + 3) / 4 * 4;
		total += padded;
		if (reads->position[i] > max_len || total > max_len)
			return false;
		if (i + 1 < reads->nchunks && reads->position[i] &&
		    reads->position[i] + padded > reads->position[i + 1])
			return false;
	}
	return true;
}

/* The segments of a chunk are those of its Position, in the order in which they came */
static void check_order(const struct rpcrdma_msg *msg, const struct rpcrdma_chunk *chunk,
			const struct rpcrdma_msg *before)
{
	const struct rpcrdma_segment *seg = msg->segs + chunk->first;
	unsigned int i, n = 0;

	for (i = 0; i < before->reads.nsegs; i++) {
		const struct rpcrdma_segment *old = &before->segs[before->reads.first + i];

		if (old->position != seg[0].position)
			continue;
		CHECK(n < chunk->nsegs);
		CHECK(seg[n].handle == old->handle && seg[n].length == old->length &&
		      seg[n].offset == old->offset && seg[n].position == old->position);
		n++;
	}
	CHECK(n == chunk->nsegs);
}

static void check_sort(struct rpcrdma_msg *msg, u32 max_len, unsigned long versions)
{
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	struct rpcrdma_msg *before = fuzz_msg_copy(msg);
	enum rpcrdma_reason reason;
	unsigned int i, n;
	struct reads reads;

	reads_find(&reads, msg);
	reason = rpcrdma_reads_sort(msg, max_len, chunks, &n);
	CHECK(reads_fit(&reads, max_len) == !reason);
	CHECK(n == (reason ? 0 : reads.nchunks));
	for (i = 0; i < n; i++) {
		CHECK(msg->segs[chunks[i].first].position == reads.position[i]);
		CHECK(rpcrdma_chunk_length(msg, &chunks[i]) == reads.length[i]);
		check_order(msg, &chunks[i], before);
	}
	if (reason)
		fuzz_refuse(msg, versions, reason);
	fuzz_msg_free(before);
}

/* The first segment of the results, else of the Read list */
static const struct rpcrdma_segment *first_segment(const struct rpcrdma_msg *msg)
{
	if (msg->nsegs > msg->reads.nsegs)
		return &msg->segs[msg->reads.nsegs];
	return msg->nsegs ? &msg->segs[0] : NULL;
}

static void check_handles(const struct rpcrdma_msg *msg)
{
	const struct rpcrdma_segment *first = first_segment(msg);
	u32 handle = rpcrdma_msg_inv_handle(msg);

	CHECK(handle == (first ? first->handle : 0));
	CHECK(rpcrdma_msg_has_handle(msg, handle) == !!first);
}

static void check_call(struct rpcrdma_msg *msg, const void *payload, size_t len, u32 max_len)
{
	enum rpcrdma_direction dir = rpcrdma_msg_direction(msg, payload, len);
	enum rpcrdma_reason reason = rpcrdma_call_check(msg, payload, len);
	bool call = rpcrdma_ref_check_call(msg, payload, len);

	CHECK(call == !reason);
	if (call && msg->dir == RPCRDMA_DIR_UNKNOWN)
		CHECK(dir == RPCRDMA_DIR_CALL);
	if (msg->type == RPCRDMA_ERROR)
		CHECK(dir == RPCRDMA_DIR_REPLY);
	check_handles(msg);
	if (reason && msg->type != RPCRDMA_ERROR)
		fuzz_refuse(msg, BIT(msg->vers), reason);
	if (!reason)
		check_sort(msg, max_len, BIT(msg->vers));
}

/* Not answered: short messages, RDMA_DONE, errors, Replies (svcrdma/receive.c) */
static bool is_answered(const struct rpcrdma_msg *msg, enum rpcrdma_reason reason)
{
	return reason != RPCRDMA_R_SHORT && reason != RPCRDMA_R_DONE &&
	       msg->type != RPCRDMA_ERROR && msg->dir != RPCRDMA_DIR_REPLY;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u32 segs[] = { 8, RPCRDMA_MAX_SEGS, 1, 0 };
	struct fuzz_input in = { data, size };
	unsigned long versions = fuzz_versions(&in);
	struct rpcrdma_msg *msg = fuzz_msg(FUZZ_PICK(&in, segs));
	u32 max_len = fuzz_any(&in);
	size_t len = min_t(size_t, in.left, FUZZ_MESSAGE_MAX);
	void *wire = fuzz_bytes(&in, len);
	enum rpcrdma_reason reason;

	reason = fuzz_decode(msg, versions, wire, len);
	if (!reason)
		check_call(msg, wire + msg->header_size, len - msg->header_size, max_len);
	else if (is_answered(msg, reason))
		fuzz_refuse(msg, versions, reason);
	free(wire);
	fuzz_msg_free(msg);
	return 0;
}
