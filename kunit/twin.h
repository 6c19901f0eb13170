/* SPDX-License-Identifier: GPL-2.0-only */
/*
<<<<<<< HEAD
 * A deliberately simple decoder, the judge of the real ones, and the mutated
 * headers that both are given.
=======
 * A second decoder, deliberately simple: words by index, one flag for all that can
 * be wrong, and no thought of speed. What the codec says is compared with it.
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
 */
#ifndef _KUNIT_TWIN_H
#define _KUNIT_TWIN_H

<<<<<<< HEAD
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
=======
#include <linux/types.h>
#include <rpcrdma/msg.h>

/**
 * struct rpcrdma_twin - an array of words, read by index
 * @wire: words as they came
 * @n:    number of whole words
 * @at:   next one
 * @bad:  something was wrong; nothing counts any more
 * @msg:  what was read; its segments are the caller's memory
 */
struct rpcrdma_twin {
	const __be32		*wire;
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
	unsigned int		n;
	unsigned int		at;
	bool			bad;
	struct rpcrdma_msg	*msg;
};

<<<<<<< HEAD
/* twin.c */
void rpcrdma_twin_begin(struct rpcrdma_twin *t, const __be32 *wire, size_t len);
u32 rpcrdma_twin_word(struct rpcrdma_twin *t);
void rpcrdma_twin_lists(struct rpcrdma_twin *t);
size_t rpcrdma_fuzz_make(struct rnd_state *rnd,
			 const struct rpcrdma_test_header *headers,
			 unsigned int nheaders, __be32 *wire);
=======
bool rpcrdma_twin_decode(struct rpcrdma_twin *t, const void *wire, size_t len);
bool rpcrdma_twin_call_ok(const struct rpcrdma_msg *msg, const void *payload,
			  size_t len);
bool rpcrdma_twin_reply_ok(const struct rpcrdma_msg *reply,
			   const struct rpcrdma_msg *call);
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)

#endif /* _KUNIT_TWIN_H */
