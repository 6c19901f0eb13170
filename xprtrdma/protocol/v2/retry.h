/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the client does with an error that the server returns for a Call.
 * Pure: no device, no lock.
 */
#ifndef _XPRTRDMA_RETRY_H
#define _XPRTRDMA_RETRY_H

#include <linux/types.h>
#include <rpcrdma/msg.h>

/**
 * struct xprtrdma_retry - how a Call is rebuilt after an error
 * @done:	 the Call has been rebuilt once; it is not rebuilt again
 * @no_reads:	 use no Read chunk except a Position Zero chunk
 * @reply_chunk: offer a Reply chunk and no Write chunk
 *
 * All false for a Call that has had no error, and always with version 1.
 */
struct xprtrdma_retry {
	bool	done;
	bool	no_reads;
	bool	reply_chunk;
};

/* protocol/v2/retry.c */
int xprtrdma_retry(struct xprtrdma_retry *retry,
		   const struct rpcrdma_msg *err,
		   const struct rpcrdma_msg *call, u32 reply_max);

#endif /* _XPRTRDMA_RETRY_H */
