// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the client does with an error that the server returns for a Call: end
 * the RPC, or rebuild the Call and send it once more.
 *
 * Version 1 has two errors, ERR_VERS and ERR_CHUNK, and both end the RPC.
 * Everything else here is for version 2: rpcrdma-version-two-09 5.3.3, and
 * section 7.2 for ERR_VERS. Some of its errors say what would help:
 *
 *   READ_CHUNKS		the server takes no Read chunk at another
 *				Position than zero: send a long Call
 *   WRITE_CHUNKS		it takes no Write chunk: offer a Reply chunk
 *   WRITE_RESOURCE,		the Reply is larger than what was offered:
 *   REPLY_RESOURCE		offer a Reply chunk of full size
 *
 * All others end the RPC. SEGMENTS is one of them, because a plan never has more
 * segments than it needs.
 *
 * The draft sets no limit to how often a Call is sent. Here it is sent at most
 * twice. Pure: no device, no lock.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <kunit/visibility.h>
#include "retry.h"

/* Bytes in the Reply chunk that @call has offered */
static u64 xprtrdma_reply_chunk_size(const struct rpcrdma_msg *call)
{
	return call->has_reply ? rpcrdma_chunk_length(call, &call->reply) : 0;
}

/*
 * Can another offer take a Reply of @needed bytes? 0 means that the server does
 * not know the size; then dropping Write chunks is the only change that can help
 * (rpcrdma-version-two-09 5.3.3, readings OQ-15 and OQ-16).
 */
static bool xprtrdma_retry_can_enlarge(const struct rpcrdma_msg *call,
				       u32 needed, u32 reply_max)
{
	/* A hostile server could ask for any amount of memory */
	if (needed > reply_max)
		return false;
	if (!needed)
		return call->nwrites;
	return needed > xprtrdma_reply_chunk_size(call);
}

/**
 * xprtrdma_retry - decide whether a Call that drew an error is sent once more
 * @retry: what earlier errors have changed in this Call; updated
 * @err: RDMA_ERROR from the server, not trusted
 * @call: header of the Call as it was sent
 * @reply_max: bytes that sunrpc has for the Reply
 *
 * Context: any.
 * Return: 0 if the Call is encoded and sent once more, under the same XID;
 * otherwise the errno that ends the RPC: -EMSGSIZE if the Reply is too large,
 * -EREMOTEIO if the server cannot execute the Call, -EIO for anything else.
 */
int xprtrdma_retry(struct xprtrdma_retry *retry,
		   const struct rpcrdma_msg *err,
		   const struct rpcrdma_msg *call, u32 reply_max)
{
	switch (err->err) {
	case RPCRDMA_ERR_READ_CHUNKS:
		if (retry->done || call->type == RPCRDMA_NOMSG ||
		    !call->reads.nsegs)
			return -EIO;
		retry->no_reads = true;
		break;
	case RPCRDMA_ERR_WRITE_CHUNKS:
		if (retry->done || !call->nwrites)
			return -EIO;
		retry->reply_chunk = true;
		break;
	case RPCRDMA_ERR_WRITE_RESOURCE:
	case RPCRDMA_ERR_REPLY_RESOURCE:
		if (retry->done ||
		    !xprtrdma_retry_can_enlarge(call, err->err_length,
						reply_max))
			return -EMSGSIZE;
		retry->reply_chunk = true;
		break;
	case RPCRDMA_ERR_VERS:
	case RPCRDMA_ERR_SYSTEM:
	case RPCRDMA_ERR_UNKNOWN:
		return -EREMOTEIO;
	default:
		return -EIO;
	}
	retry->done = true;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_retry);
