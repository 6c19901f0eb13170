/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference decoder: as simple as possible, to compare the codecs with; and mutated
 * headers that both are given.
 */
#ifndef _KUNIT_REF_DECODER_H
#define _KUNIT_REF_DECODER_H

#include "support.h"

#define RPCRDMA_FUZZ_WORDS	64
#define RPCRDMA_FUZZ_SEGS	8	/* few, so that the limit is met often */
#define RPCRDMA_REF_WORDS	1024	/* most of a message that are looked at */

/*
 * struct rpcrdma_ref_decoder - an array of words, read by index
 * @w:	   words in host order
 * @n:	   number of words
 * @at:	   next one
 * @bad:   something was wrong; nothing counts any more
 * @msg:   what was read; segments counted in reads, writes and reply. It has room for as
 *	   many as are accepted
 */
struct rpcrdma_ref_decoder {
	u32			w[RPCRDMA_REF_WORDS];
	unsigned int		n;
	unsigned int		at;
	bool			bad;
	struct rpcrdma_msg	*msg;
};

/* ref_decoder.c */
void rpcrdma_ref_begin(struct rpcrdma_ref_decoder *t, const __be32 *wire,
		       size_t len);
u32 rpcrdma_ref_word(struct rpcrdma_ref_decoder *t);
void rpcrdma_ref_lists(struct rpcrdma_ref_decoder *t);
size_t rpcrdma_fuzz_make(struct rnd_state *rnd,
			 const struct rpcrdma_test_vector *headers,
			 unsigned int nheaders, __be32 *wire);

/* ref_v1.c */
bool rpcrdma_ref_v1_decode(struct rpcrdma_ref_decoder *t, const __be32 *wire,
			   size_t len);

/* ref_v2.c */
bool rpcrdma_ref_v2_decode(struct rpcrdma_ref_decoder *t, const __be32 *wire,
			   size_t len);

#endif /* _KUNIT_REF_DECODER_H */
