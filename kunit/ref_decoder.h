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

/*
 * struct rpcrdma_ref_decoder - an array of words, read by index
 * @w:	   words in host order
 * @n:	   number of words
 * @at:	   next one
 * @bad:   something was wrong; nothing counts any more
 * @msg:   what was read; segments counted in reads, writes and reply
 */
struct rpcrdma_ref_decoder {
	u32			w[RPCRDMA_FUZZ_WORDS];
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

#endif /* _KUNIT_REF_DECODER_H */
