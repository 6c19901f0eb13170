// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chunk lists: building, sorting, and the checks of Calls.
 */
#include "support.h"

#define RPCRDMA_TEST_MAX_LEN	0x100000
#define RPCRDMA_TEST_READS	18

static void rpcrdma_chunk_add(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg_segs(test, 4);
	struct rpcrdma_chunk *chunk;

	KUNIT_ASSERT_EQ(test, 0, rpcrdma_msg_add_write(msg, &chunk));
	KUNIT_EXPECT_EQ(test, 0,
			rpcrdma_msg_add_segment(msg, chunk, 0, 1, 2, 3));
	KUNIT_EXPECT_EQ(test, 0,
			rpcrdma_msg_add_segment(msg, &msg->reads, 8, 4, 5, 6));
	KUNIT_EXPECT_EQ(test, -EINVAL,
			rpcrdma_msg_add_segment(msg, chunk, 0, 7, 8, 9));
	KUNIT_EXPECT_EQ(test, 0,
			rpcrdma_msg_add_segment(msg, &msg->reads, 8, 7, 8, 9));
	KUNIT_EXPECT_EQ(test, 0,
			rpcrdma_msg_add_segment(msg, &msg->reply, 0, 1, 1, 1));
	KUNIT_EXPECT_EQ(test, -EMSGSIZE,
			rpcrdma_msg_add_segment(msg, &msg->reply, 0, 2, 2, 2));

	KUNIT_EXPECT_EQ(test, 4, msg->nsegs);
	KUNIT_EXPECT_EQ(test, 0, chunk->first);
	KUNIT_EXPECT_EQ(test, 1, chunk->nsegs);
	KUNIT_EXPECT_EQ(test, 1, msg->reads.first);
	KUNIT_EXPECT_EQ(test, 2, msg->reads.nsegs);
	KUNIT_EXPECT_EQ(test, 3, msg->reply.first);
	KUNIT_EXPECT_EQ(test, 8, msg->segs[2].position);
	KUNIT_EXPECT_EQ(test, 7, msg->segs[2].handle);
	KUNIT_EXPECT_EQ(test, 8, msg->segs[2].length);
	KUNIT_EXPECT_EQ(test, 9, msg->segs[2].offset);
}

static void rpcrdma_chunk_add_write(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	struct rpcrdma_chunk *chunk;
	unsigned int i;

	for (i = 0; i < RPCRDMA_MAX_WRITE_CHUNKS; i++)
		KUNIT_EXPECT_EQ(test, 0, rpcrdma_msg_add_write(msg, &chunk));
	KUNIT_EXPECT_PTR_EQ(test, chunk, &msg->writes[i - 1]);
	KUNIT_EXPECT_EQ(test, -EMSGSIZE, rpcrdma_msg_add_write(msg, &chunk));
	KUNIT_EXPECT_EQ(test, RPCRDMA_MAX_WRITE_CHUNKS, msg->nwrites);
}

/* A new chunk is empty and begins behind all segments, whatever was there before */
static void rpcrdma_chunk_add_write_again(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	struct rpcrdma_chunk *chunk;

	rpcrdma_test_add_write(test, msg, 3, 10);
	msg->nwrites = 0;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_msg_add_write(msg, &chunk));
	KUNIT_EXPECT_EQ(test, 0, chunk->nsegs);
	KUNIT_EXPECT_EQ(test, 3, chunk->first);
}

/*
 * RFC 8166 3.4.4 (V1-CHK-04, T-34): a sum of 32-bit lengths needs more than 32
 * bits
 */
static void rpcrdma_chunk_sum(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, 0, rpcrdma_chunk_length(msg, &msg->reads));
	for (i = 0; i < RPCRDMA_MAX_SEGS; i++)
		rpcrdma_test_add_read(test, msg, 4, U32_MAX);
	KUNIT_EXPECT_EQ(test, (u64)RPCRDMA_MAX_SEGS * U32_MAX,
			rpcrdma_chunk_length(msg, &msg->reads));
}

/**
 * struct rpcrdma_sort_case - a Read list and what becomes of it
 * @name:   what it shows
 * @nreads: used in @reads
 * @reads:  Position and length of each segment, in wire order
 * @reason: result
 * @nchunks: used in @chunks
 * @chunks: Position and length of each chunk
 * @order:  handles afterwards; the handle of a segment is 1 plus its index
 */
struct rpcrdma_sort_case {
	const char		*name;
	unsigned int		nreads;
	u32			reads[RPCRDMA_TEST_READS][2];
	enum rpcrdma_reason	reason;
	unsigned int		nchunks;
	u64			chunks[4][2];
	u32			order[8];
};

static const struct rpcrdma_sort_case rpcrdma_sort_cases[] = {
	{ .name = "no Read list", .reason = RPCRDMA_OK },
	{ .name = "one chunk of one segment", .nreads = 1,
	  .reads = { { 148, 4096 } },
	  .nchunks = 1, .chunks = { { 148, 4096 } }, .order = { 1 } },
	{ .name = "segments of odd lengths joined (V1-RD-04)", .nreads = 3,
	  .reads = { { 148, 5 }, { 148, 1 }, { 148, 3 } },
	  .nchunks = 1, .chunks = { { 148, 9 } }, .order = { 1, 2, 3 } },
	{ .name = "P0 alone (V1-PZ-02)", .nreads = 2,
	  .reads = { { 0, 1000 }, { 0, 24 } },
	  .nchunks = 1, .chunks = { { 0, 1024 } }, .order = { 1, 2 } },
	{ .name = "P0 last on the wire comes first (T-29, DR-03)", .nreads = 3,
	  .reads = { { 300, 8 }, { 100, 16 }, { 0, 200 } },
	  .nchunks = 3, .chunks = { { 0, 200 }, { 100, 16 }, { 300, 8 } },
	  .order = { 3, 2, 1 } },
	{ .name = "mixed; order kept inside a Position (T-29, V1-RD-05)",
	  .nreads = 6,
	  .reads = { { 400, 1 }, { 100, 2 }, { 400, 4 }, { 0, 3 }, { 100, 5 },
		     { 0, 6 } },
	  .nchunks = 3, .chunks = { { 0, 9 }, { 100, 7 }, { 400, 5 } },
	  .order = { 4, 6, 2, 5, 1, 3 } },
	{ .name = "empty segments stay (T-37, V1-CHK-03)", .nreads = 3,
	  .reads = { { 8, 0 }, { 8, 4 }, { 16, 0 } },
	  .nchunks = 2, .chunks = { { 8, 4 }, { 16, 0 } },
	  .order = { 1, 2, 3 } },
	{ .name = "a chunk longer than P0 is put into it (V1-PZ-07)",
	  .nreads = 2, .reads = { { 0, 160 }, { 148, 4096 } },
	  .nchunks = 2, .chunks = { { 0, 160 }, { 148, 4096 } },
	  .order = { 1, 2 } },

	{ .name = "chunks that touch (T-25)", .nreads = 2,
	  .reads = { { 100, 8 }, { 108, 8 } },
	  .nchunks = 2, .chunks = { { 100, 8 }, { 108, 8 } },
	  .order = { 1, 2 } },
	{ .name = "chunks that touch after a pad left out (T-26)", .nreads = 2,
	  .reads = { { 156, 5 }, { 164, 8 } },
	  .nchunks = 2, .chunks = { { 156, 5 }, { 164, 8 } },
	  .order = { 1, 2 } },
	{ .name = "chunks that overlap by a word (T-29)", .nreads = 2,
	  .reads = { { 100, 9 }, { 108, 8 } },
	  .reason = RPCRDMA_R_POSITION_RANGE },
	{ .name = "chunks that overlap, out of order (T-29)", .nreads = 2,
	  .reads = { { 108, 8 }, { 100, 12 } },
	  .reason = RPCRDMA_R_POSITION_RANGE },
	{ .name = "lengths that in 32 bits would not overlap (T-34)",
	  .nreads = 3,
	  .reads = { { 100, 0xffffffff }, { 100, 5 }, { 108, 4 } },
	  .reason = RPCRDMA_R_CHUNK_LENGTH },
	{ .name = "Position not aligned (V1-RD-03)", .nreads = 2,
	  .reads = { { 4, 4 }, { 10, 4 } },
	  .reason = RPCRDMA_R_POSITION_ALIGN },

	{ .name = "as long as an RPC can be", .nreads = 1,
	  .reads = { { 4, RPCRDMA_TEST_MAX_LEN } },
	  .nchunks = 1, .chunks = { { 4, RPCRDMA_TEST_MAX_LEN } },
	  .order = { 1 } },
	{ .name = "one byte longer", .nreads = 1,
	  .reads = { { 0, RPCRDMA_TEST_MAX_LEN + 1 } },
	  .reason = RPCRDMA_R_CHUNK_LENGTH },
	{ .name = "too long with its pad only (T-26)", .nreads = 2,
	  .reads = { { 0, 1 }, { 4, RPCRDMA_TEST_MAX_LEN - 2 } },
	  .reason = RPCRDMA_R_CHUNK_LENGTH },
	{ .name = "too long together (T-34)", .nreads = 3,
	  .reads = { { 0, RPCRDMA_TEST_MAX_LEN - 8 }, { 4, 4 }, { 8, 5 } },
	  .reason = RPCRDMA_R_CHUNK_LENGTH },
	{ .name = "lengths that wrap 32 bits to 0 (T-34)", .nreads = 2,
	  .reads = { { 4, 0x80000000 }, { 4, 0x80000000 } },
	  .reason = RPCRDMA_R_CHUNK_LENGTH },
	{ .name = "Position past the longest RPC (T-29)", .nreads = 1,
	  .reads = { { RPCRDMA_TEST_MAX_LEN + 4, 0 } },
	  .reason = RPCRDMA_R_POSITION_RANGE },
	{ .name = "empty chunk at the end of the longest RPC (T-29, T-37)", .nreads = 1,
	  .reads = { { RPCRDMA_TEST_MAX_LEN, 0 } },
	  .nchunks = 1, .chunks = { { RPCRDMA_TEST_MAX_LEN, 0 } }, .order = { 1 } },
	{ .name = "highest Position (T-34)", .nreads = 1,
	  .reads = { { 0xfffffffc, 4 } },
	  .reason = RPCRDMA_R_POSITION_RANGE },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_sort, rpcrdma_sort_cases, name);

static void rpcrdma_chunk_sort(struct kunit *test)
{
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	const struct rpcrdma_sort_case *c = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	unsigned int i, nchunks = 99;

	/* Segments of other lists around it are left alone */
	rpcrdma_test_add_write(test, msg, 1, 77);
	for (i = 0; i < c->nreads; i++)
		KUNIT_ASSERT_EQ(test, 0,
				rpcrdma_msg_add_segment(msg, &msg->reads,
							c->reads[i][0], i + 1,
							c->reads[i][1], i));
	rpcrdma_test_add_reply(test, msg, 1, 88);

	KUNIT_ASSERT_EQ(test, c->reason,
			rpcrdma_reads_sort(msg, RPCRDMA_TEST_MAX_LEN, chunks,
					   &nchunks));
	KUNIT_ASSERT_EQ(test, c->nchunks, nchunks);
	KUNIT_EXPECT_EQ(test, 77,
			rpcrdma_chunk_length(msg, &msg->writes[0]));
	KUNIT_EXPECT_EQ(test, 88, rpcrdma_chunk_length(msg, &msg->reply));
	if (c->reason)
		return;

	for (i = 0; i < nchunks; i++) {
		KUNIT_EXPECT_EQ(test, c->chunks[i][0],
				msg->segs[chunks[i].first].position);
		KUNIT_EXPECT_EQ(test, c->chunks[i][1],
				rpcrdma_chunk_length(msg, &chunks[i]));
	}
	for (i = 0; i < c->nreads; i++)
		KUNIT_EXPECT_EQ(test, c->order[i],
				msg->segs[msg->reads.first + i].handle);
}

/* RFC 8166 (T-35): the most chunks, in the worst order, and one more */
static void rpcrdma_chunk_sort_most(struct kunit *test)
{
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	const unsigned int most = RPCRDMA_MAX_READ_CHUNKS;
	unsigned int i, n, nchunks;
	struct rpcrdma_msg *msg;

	for (n = most; n <= most + 1; n++) {
		msg = rpcrdma_test_msg(test);
		for (i = 0; i < RPCRDMA_MAX_SEGS; i++)
			rpcrdma_test_add_read(test, msg,
					      1024 * (n - 1 - i % n), 8);
		KUNIT_EXPECT_EQ(test, n > most ? RPCRDMA_R_TOO_MANY_READS :
						 RPCRDMA_OK,
				rpcrdma_reads_sort(msg, RPCRDMA_TEST_MAX_LEN,
						   chunks, &nchunks));
		KUNIT_EXPECT_EQ(test, n > most ? 0 : n, nchunks);
	}
}

#define RPCRDMA_SORT_SEED	0x29
#define RPCRDMA_SORT_ROUNDS	3000

/* Naive: for each Position from the lowest, its segments as they come */
static u32 rpcrdma_sort_nth(const struct rpcrdma_segment *segs, unsigned int n,
			    unsigned int nth)
{
	unsigned int i;
	u32 position;

	for (position = 0; ; position += 4)
		for (i = 0; i < n; i++)
			if (segs[i].position == position && !nth--)
				return segs[i].handle;
}

/*
 * RFC 8166 4.3.1 and older drafts (V1-RD-06, T-29, DR-03): any order on the
 * wire; compared with a slow way to sort
 */
static void rpcrdma_chunk_sort_random(struct kunit *test)
{
	struct rpcrdma_chunk chunks[RPCRDMA_MAX_READ_CHUNKS];
	unsigned int round, i, n, nchunks;
	struct rpcrdma_segment before[24];
	struct rpcrdma_msg *msg;
	struct rnd_state rnd;

	msg = rpcrdma_test_msg(test);
	prandom_seed_state(&rnd, RPCRDMA_SORT_SEED);
	for (round = 0; round < RPCRDMA_SORT_ROUNDS; round++) {
		rpcrdma_msg_init(msg, msg->segs, msg->max_segs);
		n = prandom_u32_state(&rnd) % ARRAY_SIZE(before);
		for (i = 0; i < n; i++)
			rpcrdma_test_add_read(test, msg,
					      prandom_u32_state(&rnd) % 9 * 4,
					      0);
		memcpy(before, msg->segs, n * sizeof(*before));

		KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
				rpcrdma_reads_sort(msg, RPCRDMA_TEST_MAX_LEN,
						   chunks, &nchunks));
		for (i = 0; i < n; i++)
			KUNIT_ASSERT_EQ(test, rpcrdma_sort_nth(before, n, i),
					msg->segs[i].handle);
		for (i = 1; i < nchunks; i++)
			KUNIT_ASSERT_EQ(test, chunks[i].first,
					chunks[i - 1].first +
					chunks[i - 1].nsegs);
	}
}

struct rpcrdma_direction_case {
	const char		*name;
	enum rpcrdma_msg_type	type;
	bool			reads;
	bool			writes;
	bool			reply;
	u32			msg_type;
	size_t			len;
	enum rpcrdma_direction	direction;
};

static const struct rpcrdma_direction_case rpcrdma_direction_cases[] = {
	{ "RDMA_MSG, CALL (BI-MSG-05)", RPCRDMA_MSG, 0, 0, 0, 0, 8, RPCRDMA_DIR_CALL },
	{ "RDMA_MSG, REPLY (BI-MSG-10)", RPCRDMA_MSG, 0, 0, 0, 1, 8, RPCRDMA_DIR_REPLY },
	{ "RDMA_MSG, msg_type 2 (BI-CRED-07)", RPCRDMA_MSG, 0, 0, 0, 2, 8,
	  RPCRDMA_DIR_UNKNOWN },
	{ "RDMA_MSG, msg_type 256 (BI-CRED-07)", RPCRDMA_MSG, 0, 0, 0, 256, 8,
	  RPCRDMA_DIR_UNKNOWN },
	{ "RDMA_MSG cut short", RPCRDMA_MSG, 0, 0, 0, 0, 7,
	  RPCRDMA_DIR_UNKNOWN },
	{ "RDMA_MSG without payload", RPCRDMA_MSG, 0, 0, 0, 0, 0,
	  RPCRDMA_DIR_UNKNOWN },
	{ "RDMA_MSG, lists say nothing", RPCRDMA_MSG, 1, 1, 1, 1, 8,
	  RPCRDMA_DIR_REPLY },
	{ "RDMA_NOMSG, Read list", RPCRDMA_NOMSG, 1, 0, 0, 1, 8,
	  RPCRDMA_DIR_CALL },
	{ "RDMA_NOMSG, Read list and Reply chunk", RPCRDMA_NOMSG, 1, 0, 1, 1,
	  8, RPCRDMA_DIR_CALL },
	{ "RDMA_NOMSG, Reply chunk", RPCRDMA_NOMSG, 0, 1, 1, 0, 8,
	  RPCRDMA_DIR_REPLY },
	{ "RDMA_NOMSG, Write list alone", RPCRDMA_NOMSG, 0, 1, 0, 0, 8,
	  RPCRDMA_DIR_UNKNOWN },
	{ "RDMA_NOMSG, nothing (BI-CRED-07)", RPCRDMA_NOMSG, 0, 0, 0, 0, 8,
	  RPCRDMA_DIR_UNKNOWN },
	{ "RDMA_ERROR", RPCRDMA_ERROR, 0, 0, 0, 0, 0, RPCRDMA_DIR_REPLY },
	{ "no RPC in it", RPCRDMA_CONNPROP, 1, 1, 1, 0, 8,
	  RPCRDMA_DIR_UNKNOWN },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_direction, rpcrdma_direction_cases, name);

/*
 * RFC 8167 5.1, 5.2, 4.1 (T-45, BI-MSG-11, BI-CRED-06): sorted before anything
 * else is asked. The XID is the same all the time, and says nothing (RFC 8167
 * 2.4.1, 2.4, BI-GEN-05, BI-GEN-06).
 */
static void rpcrdma_chunk_direction(struct kunit *test)
{
	const struct rpcrdma_direction_case *c = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 payload[2] = { 0, cpu_to_be32(c->msg_type) };
	void *cut = rpcrdma_test_cut(test, payload, c->len);

	msg->type = c->type;
	if (c->reads)
		rpcrdma_test_add_read(test, msg, 0, 100);
	if (c->writes)
		rpcrdma_test_add_write(test, msg, 1, 100);
	if (c->reply)
		rpcrdma_test_add_reply(test, msg, 1, 100);
	KUNIT_EXPECT_EQ(test, c->direction,
			rpcrdma_msg_direction(msg, cut, c->len));
}

#define RPCRDMA_TEST_XID	0x1a2b3c4d

struct rpcrdma_call_case {
	const char		*name;
	enum rpcrdma_msg_type	type;
	unsigned int		nreads;
	u32			reads[3][2];
	bool			reply;
	u32			payload[2];
	size_t			len;
	enum rpcrdma_reason	reason;
};

static const struct rpcrdma_call_case rpcrdma_call_cases[] = {
	{ "short Call", RPCRDMA_MSG, 0, {}, false,
	  { RPCRDMA_TEST_XID, 0 }, 8, RPCRDMA_OK },
	{ "with a Read chunk and a Reply chunk", RPCRDMA_MSG, 1, { { 8, 9 } },
	  true, { RPCRDMA_TEST_XID, 0 }, 8, RPCRDMA_OK },
	{ "no payload (T-36)", RPCRDMA_MSG, 0, {}, false, {}, 0,
	  RPCRDMA_R_PAYLOAD_SHORT },
	{ "payload of seven bytes (T-36)", RPCRDMA_MSG, 0, {}, false,
	  { RPCRDMA_TEST_XID, 0 }, 7, RPCRDMA_R_PAYLOAD_SHORT },
	{ "other XID (T-08, V1-ERR-14)", RPCRDMA_MSG, 0, {}, false,
	  { RPCRDMA_TEST_XID + 1, 0 }, 8, RPCRDMA_R_XID },
	{ "a Reply (V1-HDR-20)", RPCRDMA_MSG, 0, {}, false,
	  { RPCRDMA_TEST_XID, 1 }, 8, RPCRDMA_R_MSG_TYPE },
	{ "msg_type of all ones", RPCRDMA_MSG, 0, {}, false,
	  { RPCRDMA_TEST_XID, 0xffffffff }, 8, RPCRDMA_R_MSG_TYPE },
	{ "RDMA_MSG with P0 (T-07)", RPCRDMA_MSG, 1, { { 0, 100 } }, false,
	  { RPCRDMA_TEST_XID, 0 }, 8, RPCRDMA_R_MSG_WITH_P0 },
	{ "RDMA_MSG with an empty P0 behind another chunk (T-07)", RPCRDMA_MSG,
	  2, { { 8, 100 }, { 0, 0 } }, false, { RPCRDMA_TEST_XID, 0 }, 8,
	  RPCRDMA_R_MSG_WITH_P0 },
	{ "long Call (V1-PZ-01, V1-HDR-12)", RPCRDMA_NOMSG, 1, { { 0, 100 } }, false, {},
	  0, RPCRDMA_OK },
	{ "long Call, P0 in pieces and last (T-29)", RPCRDMA_NOMSG, 3,
	  { { 0, 4 }, { 8, 100 }, { 0, 4 } }, true, {}, 0, RPCRDMA_OK },
	{ "long Call, bytes behind it (T-36)", RPCRDMA_NOMSG, 1,
	  { { 0, 100 } }, false, { 1, 2 }, 8, RPCRDMA_OK },
	{ "RDMA_NOMSG without lists (V1-ERR-13)", RPCRDMA_NOMSG, 0, {}, false,
	  { RPCRDMA_TEST_XID, 0 }, 8, RPCRDMA_R_NOMSG_EMPTY },
	{ "RDMA_NOMSG with only a Reply chunk (T-06, V1-HDR-12)", RPCRDMA_NOMSG, 0, {},
	  true, {}, 0, RPCRDMA_R_NOMSG_EMPTY },
	{ "RDMA_NOMSG with only a chunk above 0 (T-06)", RPCRDMA_NOMSG, 1,
	  { { 8, 100 } }, false, {}, 0, RPCRDMA_R_NOMSG_EMPTY },
	{ "RDMA_NOMSG with an empty P0 (T-06)", RPCRDMA_NOMSG, 2,
	  { { 0, 0 }, { 0, 0 } }, false, {}, 0, RPCRDMA_R_NOMSG_EMPTY },
	{ "RDMA_NOMSG with a P0 of seven bytes", RPCRDMA_NOMSG, 2,
	  { { 0, 4 }, { 0, 3 } }, false, {}, 0, RPCRDMA_R_PAYLOAD_SHORT },
	{ "no RPC in it", RPCRDMA_CONNPROP, 0, {}, false,
	  { RPCRDMA_TEST_XID, 0 }, 8, RPCRDMA_R_PROC },
	{ "RDMA_ERROR (V1-HDR-15)", RPCRDMA_ERROR, 0, {}, false, {}, 0,
	  RPCRDMA_R_UNEXPECTED_ERROR },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_call, rpcrdma_call_cases, name);

static void rpcrdma_chunk_call(struct kunit *test)
{
	const struct rpcrdma_call_case *c = test->param_value;
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	__be32 payload[2] = {
		cpu_to_be32(c->payload[0]), cpu_to_be32(c->payload[1]),
	};
	void *cut = rpcrdma_test_cut(test, payload, c->len);
	unsigned int i;

	msg->xid = cpu_to_be32(RPCRDMA_TEST_XID);
	msg->type = c->type;
	/* The Read list does not begin with the first segment of the message */
	rpcrdma_test_add_write(test, msg, 1, 100);
	for (i = 0; i < c->nreads; i++)
		rpcrdma_test_add_read(test, msg, c->reads[i][0],
				      c->reads[i][1]);
	if (c->reply)
		rpcrdma_test_add_reply(test, msg, 1, 100);
	KUNIT_EXPECT_EQ(test, c->reason, rpcrdma_call_check(msg, cut, c->len));
}

/*
 * RFC 8166 4.2.1, 3.2 and RFC 8167 5.1, 5.2 (V1-HDR-04, BI-MSG-04, BI-MSG-09,
 * V1-HDR-01): the payload begins with the XID
 */
static void rpcrdma_chunk_payload(struct kunit *test)
{
	__be32 payload[2] = { cpu_to_be32(RPCRDMA_TEST_XID), 0 };
	__be32 xid = cpu_to_be32(RPCRDMA_TEST_XID);
	size_t len;

	for (len = 0; len < sizeof(payload); len++)
		KUNIT_EXPECT_EQ(test, RPCRDMA_R_PAYLOAD_SHORT,
				rpcrdma_payload_check(xid, payload, len));
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK,
			rpcrdma_payload_check(xid, payload, len));
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_XID,
			rpcrdma_payload_check(~xid, payload, len));
}

/* Handles count up: Write list, Reply chunk, Read list */
static void rpcrdma_chunk_handles(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	u32 handle;

	KUNIT_EXPECT_EQ(test, 0, rpcrdma_msg_inv_handle(msg));
	KUNIT_EXPECT_FALSE(test, rpcrdma_msg_has_handle(msg, 0));
	/* Empty chunks have none */
	rpcrdma_test_add_write(test, msg, 0, 0);
	rpcrdma_test_add_reply(test, msg, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_msg_inv_handle(msg));

	rpcrdma_test_add_write(test, msg, 2, 10);
	KUNIT_EXPECT_EQ(test, 1, rpcrdma_msg_inv_handle(msg));
	rpcrdma_test_add_reply(test, msg, 2, 10);
	rpcrdma_test_add_read(test, msg, 8, 10);
	KUNIT_EXPECT_EQ(test, 1, rpcrdma_msg_inv_handle(msg));
	for (handle = 0; handle < 8; handle++)
		KUNIT_EXPECT_EQ(test, handle >= 1 && handle <= 5,
				rpcrdma_msg_has_handle(msg, handle));

	/* The next choice if there is nothing in the one before */
	msg->nwrites = 1;
	KUNIT_EXPECT_EQ(test, 3, rpcrdma_msg_inv_handle(msg));
	msg->has_reply = false;
	KUNIT_EXPECT_EQ(test, 5, rpcrdma_msg_inv_handle(msg));
	msg->reads.nsegs = 0;
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_msg_inv_handle(msg));
}

static struct kunit_case rpcrdma_chunk_test_cases[] = {
	KUNIT_CASE(rpcrdma_chunk_add),
	KUNIT_CASE(rpcrdma_chunk_add_write),
	KUNIT_CASE(rpcrdma_chunk_add_write_again),
	KUNIT_CASE(rpcrdma_chunk_sum),
	KUNIT_CASE(rpcrdma_chunk_handles),
	KUNIT_CASE_PARAM(rpcrdma_chunk_sort, rpcrdma_sort_gen_params),
	KUNIT_CASE(rpcrdma_chunk_sort_most),
	KUNIT_CASE(rpcrdma_chunk_sort_random),
	KUNIT_CASE_PARAM(rpcrdma_chunk_direction,
			 rpcrdma_direction_gen_params),
	KUNIT_CASE(rpcrdma_chunk_payload),
	KUNIT_CASE_PARAM(rpcrdma_chunk_call, rpcrdma_call_gen_params),
	{}
};

static struct kunit_suite rpcrdma_chunk_test_suite = {
	.name		= "rpcrdma_chunk",
	.test_cases	= rpcrdma_chunk_test_cases,
};

kunit_test_suite(rpcrdma_chunk_test_suite);
