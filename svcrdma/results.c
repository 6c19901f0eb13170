// SPDX-License-Identifier: GPL-2.0-only
/*
 * The results of a Reply that the upper layer reports as DDP-eligible. Only these may
 * go into Write chunks.
 */
#include <linux/sunrpc/xdr.h>
#include "protocol/ddp.h"
#include "request.h"

/**
 * svcrdma_result_payload - xpo_result_payload: the upper layer reports a result
 * @rqstp: RPC that nfsd processes
 * @offset: start of the data item in rq_res, bytes
 * @length: length of the data item without its pad, bytes
 *
 * The upper layer reports results in the order in which they stand in the Reply. An
 * empty result is reported too, and uses up a Write chunk: RFC 8267 6.4.1 (UQ-04).
 *
 * Lengths are compared with the Write chunks later, in svcrdma_reply_plan().
 *
 * Context: nfsd thread; does not sleep.
 * Return: 0.
 */
int svcrdma_result_payload(struct svc_rqst *rqstp, unsigned int offset,
			   unsigned int length)
{
	struct svcrdma_req *req = rqstp->rq_xprt_ctxt;

	if (req->nresults < ARRAY_SIZE(req->results)) {
		req->results[req->nresults].offset = offset;
		req->results[req->nresults].length = length;
		req->nresults++;
	}
	return 0;
}

static bool svcrdma_word_is(const struct xdr_buf *xdr, u32 offset, u32 value)
{
	__be32 word;

	return !read_bytes_from_xdr_buf(xdr, offset, &word, sizeof(word)) &&
	       word == cpu_to_be32(value);
}

/*
 * The length of an XDR opaque stands in front of its data. For the NFSv4 READLINK
 * some kernels report the offset of the length instead of that of the data.
 */
static void svcrdma_result_move(struct svcrdma_range *result,
				const struct xdr_buf *xdr)
{
	if (result->offset >= sizeof(__be32) &&
	    svcrdma_word_is(xdr, result->offset - sizeof(__be32),
			    result->length))
		return;
	if (svcrdma_word_is(xdr, result->offset, result->length))
		result->offset += sizeof(__be32);
}

/* A successful result has at least SVCRDMA_RESULT_WORDS words in front of it */
static bool svcrdma_result_ddp_eligible(const struct svcrdma_range *result,
					const struct svc_rqst *rqstp)
{
	__be32 before[SVCRDMA_RESULT_WORDS];

	if (result->offset < sizeof(before) ||
	    read_bytes_from_xdr_buf(&rqstp->rq_res,
				    result->offset - sizeof(before), before,
				    sizeof(before)))
		return false;
	return svcrdma_ddp_check_result(rqstp->rq_prog, rqstp->rq_vers, before);
}

/**
 * svcrdma_results_correct - correct the reported results against the Reply
 * @req: request; results that are not DDP-eligible are removed from it, as RFC 8267
 *	 6.1 (ULB-GEN-03) requires
 * @rqstp: RPC with its complete Reply in rq_res
 *
 * Context: nfsd thread; does not sleep.
 */
void svcrdma_results_correct(struct svcrdma_req *req,
			     const struct svc_rqst *rqstp)
{
	unsigned int i, kept = 0;

	for (i = 0; i < req->nresults; i++) {
		struct svcrdma_range *result = &req->results[i];

		svcrdma_result_move(result, &rqstp->rq_res);
		if (svcrdma_result_ddp_eligible(result, rqstp))
			req->results[kept++] = *result;
	}
	req->nresults = kept;
}
