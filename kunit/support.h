/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What several test suites need: messages with room for segments, buffers that
 * end exactly where their contents end (so that KASAN sees a read past them),
 * and headers written as words.
 */
#ifndef _KUNIT_SUPPORT_H
#define _KUNIT_SUPPORT_H

#include <compat/kunit.h>
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include <rpcrdma/msg.h>

#define RPCRDMA_TEST_WORDS	32

/* A Call-sense CONNPROP; what follows is the property set */
#define RPCRDMA_V2_SET(...)	{ 1, 2, 1, 5, 0, __VA_ARGS__ }

/**
 * struct rpcrdma_test_vector - one worked header of the requirements
 * @name:   what it is
 * @nwords: used in @words
 * @words:  in host byte order
 * @bools:  indices of the discriminators in @words (of the lists, or of an
 *	    RDMA_ERROR); ends with 0
 * @build:  makes the same message by hand
 */
struct rpcrdma_test_vector {
	const char	*name;
	unsigned int	nwords;
	u32		words[RPCRDMA_TEST_WORDS];
	u8		bools[8];
	void		(*build)(struct rpcrdma_msg *msg);
};

#define RPCRDMA_V1_VECTORS	10
#define RPCRDMA_V2_VECTORS	19

/* v1_vectors.c */
extern const struct rpcrdma_test_vector
	rpcrdma_v1_vectors[RPCRDMA_V1_VECTORS];

/* v2_vectors.c */
extern const struct rpcrdma_test_vector
	rpcrdma_v2_vectors[RPCRDMA_V2_VECTORS];

/* A long test stops at its first fault: one is enough to look at */
static inline bool rpcrdma_test_faulty(struct kunit *test, unsigned int round)
{
	if (READ_ONCE(test->status) != KUNIT_FAILURE)
		return false;
	kunit_err(test, "stopped in round %u", round);
	return true;
}

/* A message with @max_segs segments of room; freed with the test */
static inline struct rpcrdma_msg *rpcrdma_test_msg_segs(struct kunit *test,
							unsigned int max_segs)
{
	struct rpcrdma_segment *segs;
	struct rpcrdma_msg *msg;

	msg = kunit_kzalloc(test, sizeof(*msg), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, msg);
	segs = kunit_kcalloc(test, max_segs ?: 1, sizeof(*segs), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, segs);
	rpcrdma_msg_init(msg, segs, max_segs);
	return msg;
}

static inline struct rpcrdma_msg *rpcrdma_test_msg(struct kunit *test)
{
	return rpcrdma_test_msg_segs(test, RPCRDMA_MAX_SEGS);
}

/* Words as they are on the wire, in memory that ends with them */
static inline __be32 *rpcrdma_test_wire(struct kunit *test, const u32 *words,
					unsigned int nwords)
{
	unsigned int i;
	__be32 *wire;

	wire = kunit_kmalloc_array(test, nwords, sizeof(*wire), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, wire);
	for (i = 0; i < nwords; i++)
		wire[i] = cpu_to_be32(words[i]);
	return wire;
}

/* The first @len bytes of @data, in memory that ends with them */
static inline void *rpcrdma_test_cut(struct kunit *test, const void *data,
				     size_t len)
{
	void *cut = kunit_kmalloc(test, len ?: 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, cut);
	memcpy(cut, data, len);
	return cut;
}

/* One read segment; its handle is 1 plus the number of segments before it */
static inline void rpcrdma_test_add_read(struct kunit *test,
					 struct rpcrdma_msg *msg, u32 position,
					 u32 length)
{
	KUNIT_ASSERT_EQ(test, 0,
			rpcrdma_msg_add_segment(msg, &msg->reads, position,
						msg->nsegs + 1, length,
						(u64)(msg->nsegs + 1) << 32));
}

/* A Write chunk (@nsegs may be 0) with segments of @length bytes */
static inline void rpcrdma_test_add_write(struct kunit *test,
					  struct rpcrdma_msg *msg,
					  unsigned int nsegs, u32 length)
{
	struct rpcrdma_chunk *chunk;

	KUNIT_ASSERT_EQ(test, 0, rpcrdma_msg_add_write(msg, &chunk));
	while (nsegs--)
		KUNIT_ASSERT_EQ(test, 0,
				rpcrdma_msg_add_segment(msg, chunk, 0,
							msg->nsegs + 1, length,
							0x1000 * msg->nsegs));
}

/* The Reply chunk with segments of @length bytes */
static inline void rpcrdma_test_add_reply(struct kunit *test,
					  struct rpcrdma_msg *msg,
					  unsigned int nsegs, u32 length)
{
	msg->has_reply = true;
	while (nsegs--)
		KUNIT_ASSERT_EQ(test, 0,
				rpcrdma_msg_add_segment(msg, &msg->reply, 0,
							msg->nsegs + 1, length,
							0x1000 * msg->nsegs));
}

static inline bool rpcrdma_test_chunk_equal(const struct rpcrdma_msg *a,
					    const struct rpcrdma_chunk *ca,
					    const struct rpcrdma_msg *b,
					    const struct rpcrdma_chunk *cb)
{
	const struct rpcrdma_segment *sa = a->segs + ca->first;
	const struct rpcrdma_segment *sb = b->segs + cb->first;
	unsigned int i;

	if (ca->nsegs != cb->nsegs)
		return false;
	for (i = 0; i < ca->nsegs; i++)
		if (sa[i].position != sb[i].position ||
		    sa[i].handle != sb[i].handle ||
		    sa[i].length != sb[i].length ||
		    sa[i].offset != sb[i].offset)
			return false;
	return true;
}

static inline bool rpcrdma_test_lists_equal(const struct rpcrdma_msg *a,
					    const struct rpcrdma_msg *b)
{
	unsigned int i;

	if (a->nwrites != b->nwrites || a->has_reply != b->has_reply ||
	    a->nsegs != b->nsegs)
		return false;
	if (!rpcrdma_test_chunk_equal(a, &a->reads, b, &b->reads) ||
	    !rpcrdma_test_chunk_equal(a, &a->reply, b, &b->reply))
		return false;
	for (i = 0; i < a->nwrites; i++)
		if (!rpcrdma_test_chunk_equal(a, &a->writes[i],
					      b, &b->writes[i]))
			return false;
	return true;
}

/* Nor is anything left where a list was */
static inline bool rpcrdma_test_lists_empty(const struct rpcrdma_msg *msg)
{
	unsigned int i;

	for (i = 0; i < RPCRDMA_MAX_WRITE_CHUNKS; i++)
		if (msg->writes[i].nsegs)
			return false;
	return !msg->nsegs && !msg->nwrites && !msg->has_reply &&
	       !msg->reads.nsegs && !msg->reply.nsegs;
}

#endif /* _KUNIT_SUPPORT_H */
