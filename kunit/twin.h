/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A deliberately simple decoder, the judge of the real ones, and the mutated
 * headers that both are given.
 */
#ifndef _KUNIT_TWIN_H
#define _KUNIT_TWIN_H

#include "support.h"

#define RPCRDMA_FUZZ_WORDS	64
#define RPCRDMA_FUZZ_SEGS	8	/* few, so that the limit is met often */

/*
 * struct rpcrdma_twin - an array of words, read by index
 * @w:	   words in host order
 * @n:	   number of words
 * @at:	   next one
 * @bad:   something was wrong; nothing counts any more
 * @msg:   what was read; segments counted in reads, writes and reply
 */
struct rpcrdma_twin {
	u32			w[RPCRDMA_FUZZ_WORDS];
	unsigned int		n;
	unsigned int		at;
	bool			bad;
	struct rpcrdma_msg	*msg;
};

/* twin.c */
void rpcrdma_twin_begin(struct rpcrdma_twin *t, const __be32 *wire, size_t len);
u32 rpcrdma_twin_word(struct rpcrdma_twin *t);
void rpcrdma_twin_lists(struct rpcrdma_twin *t);
size_t rpcrdma_fuzz_make(struct rnd_state *rnd,
			 const struct rpcrdma_test_header *headers,
			 unsigned int nheaders, __be32 *wire);

#endif /* _KUNIT_TWIN_H */
