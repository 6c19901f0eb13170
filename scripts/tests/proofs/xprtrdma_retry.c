// SPDX-License-Identifier: GPL-2.0-only
/*
 * An error that answers a Call, for any error and any Call: a Call is sent once more only if that
 * can help, and never twice.
 *
 * Proves: xprtrdma_retry()
 * Sources: xprtrdma/protocol/v2/retry.c rpcrdma/protocol/chunk.c
 * Bounds: SEGS=3 WRITES=2
 * Unwind: SEGS+1
 */
#include <linux/errno.h>
#include "xprtrdma/protocol/v2/retry.h"
#include "message.h"

int main(void)
{
	struct xprtrdma_retry before = { .done = any_bool() }, retry;
	u32 reply_max = nondet_u32();
	struct rpcrdma_segment segs[SEGS];
	struct rpcrdma_msg call, err;
	int ret;

	rpcrdma_msg_init(&call, segs, SEGS);
	any_lists(&call, segs);
	call.type = any_up_to(RPCRDMA_NOMSG);
	rpcrdma_msg_init(&err, NULL, 0);
	err.err = any_up_to(RPCRDMA_ERR_UNKNOWN);
	err.err_length = nondet_u32();
	before.no_reads = before.done && any_bool();
	before.reply_chunk = before.done && any_bool();
	retry = before;
	ret = xprtrdma_retry(&retry, &err, &call, reply_max);
	PROVE(ret == 0 || ret == -EIO || ret == -EMSGSIZE || ret == -EREMOTEIO);
	if (ret) {
		PROVE(retry.done == before.done && retry.no_reads == before.no_reads &&
		      retry.reply_chunk == before.reply_chunk);
		return 0;
	}
	PROVE(!before.done && retry.done && retry.no_reads != retry.reply_chunk);
	if (retry.no_reads)
		PROVE(err.err == RPCRDMA_ERR_READ_CHUNKS && call.reads.nsegs &&
		      call.type == RPCRDMA_MSG);
	if (retry.reply_chunk)
		PROVE(err.err >= RPCRDMA_ERR_WRITE_CHUNKS &&
		      err.err <= RPCRDMA_ERR_REPLY_RESOURCE);
	/* A server cannot ask for any amount of memory */
	if (err.err == RPCRDMA_ERR_WRITE_RESOURCE || err.err == RPCRDMA_ERR_REPLY_RESOURCE)
		PROVE(err.err_length <= reply_max);
	REACH(retry.reply_chunk && err.err_length > 1000);
	REACH(retry.no_reads);
	return 0;
}
