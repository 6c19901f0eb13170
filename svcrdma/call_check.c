// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks of a Call, in three steps, as its parts become readable:
 *
 *  - svcrdma_check_call(): in the receive path, the header and the inline payload;
 *  - svcrdma_check_long_call(): after the RDMA Reads of a long Call, its RPC header;
 *  - svcrdma_check_args(): on the complete Call, the arguments that came in Read
 *    chunks.
 *
 * A Call that fails one of them has not been executed, so it can be answered with
 * an RDMA_ERROR.
 */
#include <linux/sunrpc/xdr.h>
#include "protocol/assemble.h"
#include "protocol/ddp.h"
#include "request.h"
#include "svcrdma.h"

/* Is there a Read chunk at a Position other than zero? */
static bool svcrdma_is_reduced(const struct svcrdma_req *req)
{
	unsigned int i;

	for (i = 0; i < req->nchunks; i++)
		if (req->msg.segs[req->chunks[i].first].position)
			return true;
	return false;
}

/*
 * With RPCSEC_GSS integrity or privacy, a Position Zero chunk is the only Read
 * chunk that a Call may have. @call begins with the XID.
 */
static enum rpcrdma_reason svcrdma_check_protection(struct svcrdma_req *req,
						    const void *call,
						    size_t len)
{
	req->protected = svcrdma_call_protected(call, len);
	if (req->protected && svcrdma_is_reduced(req))
		return RPCRDMA_R_REDUCED;
	return RPCRDMA_OK;
}

/**
 * svcrdma_check_call - check a Call that has just been received
 * @req: request with a decoded header; its Read chunks, its handle to invalidate
 *	 and whether it is protected are filled in
 *
 * Context: receive path; does not sleep.
 * Return: RPCRDMA_OK or the reason to refuse the Call.
 */
enum rpcrdma_reason svcrdma_check_call(struct svcrdma_req *req)
{
	struct rpcrdma_msg *msg = &req->msg;
	enum rpcrdma_reason reason;

	reason = rpcrdma_call_check(msg, svcrdma_payload(req),
				    svcrdma_payload_len(req));
	if (reason != RPCRDMA_OK)
		return reason;
	if (msg->reads.nsegs)
		reason = rpcrdma_reads_sort(msg, req->rdma->max_call,
					    req->chunks, &req->nchunks);
	if (reason != RPCRDMA_OK)
		return reason;
	if (!svcrdma_reply_possible(msg, req->rdma->conn->inline_send))
		return RPCRDMA_R_TOO_MANY_SEGS;

	/* Before anything is read for nothing; svcrdma_check_args() sees long Calls */
	if (msg->type == RPCRDMA_MSG && req->nchunks &&
	    msg->segs[req->chunks[0].first].position <
	    svcrdma_call_args(svcrdma_payload(req), svcrdma_payload_len(req)))
		return RPCRDMA_R_POSITION_RANGE;
	if (msg->type == RPCRDMA_MSG)
		reason = svcrdma_check_protection(req, svcrdma_payload(req),
						  svcrdma_payload_len(req));
	if (reason != RPCRDMA_OK)
		return reason;
	if (req->rdma->conn->remote_inv)
		req->invalidate = svcrdma_reply_inv_handle(msg);
	return RPCRDMA_OK;
}

/**
 * svcrdma_check_long_call - check the RPC header of a long Call
 * @req: request whose RDMA Reads are done; whether it is protected is filled in
 * @head: beginning of the Call
 *
 * Context: nfsd thread; does not sleep.
 * Return: RPCRDMA_OK or the reason to refuse the Call.
 */
enum rpcrdma_reason svcrdma_check_long_call(struct svcrdma_req *req,
					    const struct kvec *head)
{
	const __be32 *words = head->iov_base;
	enum rpcrdma_reason reason;

	reason = rpcrdma_payload_check(req->msg.xid, words, head->iov_len);
	if (reason != RPCRDMA_OK)
		return reason;
	if (words[1] != cpu_to_be32(RPC_CALL))
		return RPCRDMA_R_MSG_TYPE;
	return svcrdma_check_protection(req, words, head->iov_len);
}

/**
 * svcrdma_check_args - check that each argument in a Read chunk is DDP-eligible
 * @req: request whose Call is complete
 * @xdr: the Call
 *
 * Context: nfsd thread; does not sleep.
 * Return: RPCRDMA_OK or the reason to refuse the Call.
 */
enum rpcrdma_reason svcrdma_check_args(const struct svcrdma_req *req,
				       const struct xdr_buf *xdr)
{
	const struct kvec *head = &xdr->head[0];
	__be32 before[SVCRDMA_ARG_WORDS];
	enum rpcrdma_reason reason;
	unsigned int i;

	for (i = 0; i < req->nchunks; i++) {
		const struct rpcrdma_chunk *chunk = &req->chunks[i];
		u32 position = req->msg.segs[chunk->first].position;

		if (!position)
			continue;
		/* Elements of the RPC header are never reduced: RFC 8166 8.2.2 (V1-SEC-01) */
		if (position < svcrdma_call_args(head->iov_base, head->iov_len) ||
		    read_bytes_from_xdr_buf(xdr, position - sizeof(before),
					    before, sizeof(before)))
			return RPCRDMA_R_POSITION_RANGE;
		reason = svcrdma_ddp_check_arg(head->iov_base, before,
					       rpcrdma_chunk_length(&req->msg,
								    chunk));
		if (reason != RPCRDMA_OK)
			return reason;
	}
	return RPCRDMA_OK;
}
