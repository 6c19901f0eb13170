// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is in a Reply: which parts of it may be placed directly, and walking over
 * its bytes page by page. Nothing here is the device's business.
 */
#include <linux/mm.h>
#include <linux/sunrpc/xdr.h>
#include "protocol/ddp.h"
#include "svcrdma.h"

/**
 * svcrdma_xdr_cursor_init - begin a walk
 * @cursor: filled in
 * @xdr: buffer to walk over; outlives @cursor
 * @offset: first byte, counted from the start of @xdr
 * @length: bytes; all of them are in @xdr
 *
 * Context: any.
 */
void svcrdma_xdr_cursor_init(struct svcrdma_xdr_cursor *cursor,
			     const struct xdr_buf *xdr, u32 offset, u32 length)
{
	cursor->xdr = xdr;
	cursor->pos = offset;
	cursor->end = offset + length;
}

static void svcrdma_in_kvec(struct bio_vec *bv, const struct kvec *iov,
			    u32 skip)
{
	void *addr = iov->iov_base + skip;

	bvec_set_page(bv, virt_to_page(addr), iov->iov_len - skip,
		      offset_in_page(addr));
}

static void svcrdma_in_pages(struct bio_vec *bv, const struct xdr_buf *xdr,
			     u32 skip)
{
	u32 at = xdr->page_base + skip;

	bvec_set_page(bv, xdr->pages[at >> PAGE_SHIFT], xdr->page_len - skip,
		      offset_in_page(at));
}

/**
 * svcrdma_xdr_cursor_next - the next run of bytes that lies in one page
 * @cursor: walk
 * @max: bytes wanted at most, not 0
 * @bv: page, offset and length of the run
 *
 * Context: any.
 * Return: false at the end of the walk.
 */
bool svcrdma_xdr_cursor_next(struct svcrdma_xdr_cursor *cursor, u32 max,
			     struct bio_vec *bv)
{
	const struct xdr_buf *xdr = cursor->xdr;
	u32 pages_at = xdr->head[0].iov_len;
	u32 tail_at = pages_at + xdr->page_len;
	u32 pos = cursor->pos;

	if (pos == cursor->end)
		return false;
	if (pos < pages_at)
		svcrdma_in_kvec(bv, &xdr->head[0], pos);
	else if (pos < tail_at)
		svcrdma_in_pages(bv, xdr, pos - pages_at);
	else
		svcrdma_in_kvec(bv, &xdr->tail[0], pos - tail_at);

	bv->bv_len = min3(bv->bv_len, max, cursor->end - pos);
	bv->bv_len = min_t(u32, bv->bv_len, PAGE_SIZE - bv->bv_offset);
	cursor->pos += bv->bv_len;
	return true;
}

/**
 * svcrdma_result_payload - the upper layer names a result for direct placement
 * @rqstp: request under way
 * @offset: where its data begins in rq_res, bytes
 * @length: bytes of it, without the pad; 0 counts as well (UQ-04)
 *
 * Called in the order of the results. A chunk that is too small shows when the
 * Reply is planned, and the client hears of it by ERR_CHUNK (ULB-RSZ-06).
 *
 * Context: nfsd thread.
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

/* Fewer words in front of it than a successful result has: not one of ours */
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
 * svcrdma_results_correct - judge what was reported, now that the Reply is there
 * @req: request; results that may not be reduced are forgotten (ULB-GEN-03)
 * @rqstp: its complete Reply is in rq_res
 *
 * In front of an XDR opaque stands its length. Some kernels report the place of
 * that word for the NFSv4 READLINK (UQ-06).
 *
 * Context: nfsd thread.
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

/**
 * svcrdma_args_check - was it right to reduce what is in Read chunks?
 * @req: request; its Call has been put together
 * @xdr: the Call
 *
 * Context: nfsd thread.
 * Return: RPCRDMA_OK, or the reason to refuse the Call.
 */
enum rpcrdma_reason svcrdma_args_check(const struct svcrdma_req *req,
				       const struct xdr_buf *xdr)
{
	__be32 before[SVCRDMA_ARG_WORDS];
	enum rpcrdma_reason reason;
	unsigned int i;

	for (i = 0; i < req->nchunks; i++) {
		const struct rpcrdma_chunk *chunk = &req->chunks[i];
		u32 position = req->segs[chunk->first].position;

		if (!position)
			continue;
		if (position < SVCRDMA_ARGS_MIN ||
		    read_bytes_from_xdr_buf(xdr, position - sizeof(before),
					    before, sizeof(before)))
			return RPCRDMA_R_POSITION_RANGE;
		reason = svcrdma_ddp_check_arg(xdr->head[0].iov_base, before,
					       rpcrdma_chunk_length(&req->msg,
								    chunk));
		if (reason != RPCRDMA_OK)
			return reason;
	}
	return RPCRDMA_OK;
}
