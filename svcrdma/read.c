// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA Read: pulling the Read chunks of a Call.
 *
 * An nfsd thread that takes a Call with Read chunks provides pages for the data sink
 * (page_recycle.c), starts the Reads, and goes on to other work.
 *
 * When the Reads are done, the request is queued again. The thread that takes it puts
 * the pages into its own svc_rqst, as the first entries of rq_pages, where sunrpc expects
 * the Call. The pages that were there wait in the request until the Call is answered, and
 * are exchanged again. So the pages of data sinks and those of threads never mix.
 *
 * Reads go in rounds. A round has as many Reads as one WR chain can have, and as there
 * are MRs for, but few into the same cache line. An nfsd thread starts the next round if
 * there is more to read.
 *
 * All Reads of a Call complete before sunrpc gets the Call, and so before the Reply: the
 * Reply returns the memory to the client. A Read that fails puts the QP into the error
 * state, so the connection is closed. The data sinks stay as they are until it is lost:
 * bnxt_re makes flushed completions up, and until it is told to put the QP into the error
 * state the response to a Read may still arrive.
 */
#include <linux/cache.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <rdma/rw.h>
#include <trace/events/svcrdma.h>
#include <compat/svc_pages.h>
#include "protocol/assemble.h"
#include "page_recycle.h"
#include "request.h"
#include "rw.h"
#include "svcrdma.h"

/*
 * Debugging of the DMA API takes more than eight mappings of a cache line for a leak. One
 * may be the end of a Read that began on the page before. Some kernels report the second
 * mapping too: that of the end of one segment and the begin of the next is harmless, because
 * the CPU does not write to the data sink meanwhile.
 */
#define SVCRDMA_READS_PER_LINE	7

/*
 * struct svcrdma_read - RDMA Reads of a request
 * @cqe:    completion of a round
 * @chain:  WR chain of a round
 * @waiting: the same while it waits for send queue slots
 * @req:    the request
 * @plan:   plan how to put the Call together
 * @piece:  index of the piece of @plan to read next
 * @done:   bytes of that piece that are read or in the current round
 * @reads:  rdma_rw contexts of the current round
 * @posted: a round is posted and has not completed
 * @lent:   the data sink is in rq_pages of a thread, whose own pages are in @pages
 * @npages: pages in @pages that this struct owns
 * @max_pages: size of @pages, entries
 * @pages:  the data sink, or pages of a thread
 */
struct svcrdma_read {
	struct ib_cqe		cqe;
	struct rpcrdma_wr_chain	chain;
	struct svcrdma_chain	waiting;
	struct svcrdma_req	*req;
	struct svcrdma_assembly	plan;
	unsigned int		piece;
	u32			done;
	struct svcrdma_rw_list	reads;
	bool			posted;
	bool			lent;
	unsigned int		npages;
	unsigned int		max_pages;
	struct page		*pages[];
};

static bool svcrdma_read_is_more(struct svcrdma_read *read)
{
	struct svcrdma_assembly *plan = &read->plan;

	while (read->piece < plan->npieces &&
	       plan->pieces[read->piece].kind != SVCRDMA_PIECE_READ)
		read->piece++;
	return read->piece < plan->npieces;
}

static void svcrdma_read_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct svcrdma_read *read =
		container_of(wc->wr_cqe, struct svcrdma_read, cqe);
	struct svcrdma_req *req = read->req;
	struct svcrdma_xprt *rdma = req->rdma;
	unsigned int wrs = read->reads.wrs;

	/* siw reports a Read twice if the connection is lost before it is sent */
	if (unlikely(!read->posted))
		return;
	read->posted = false;
	rpcrdma_fault_wc(wc);
	rpcrdma_sendq_done(rdma->conn, &read->chain, wc);
	trace_svcrdma_read_done(rdma->conn, req->msg.xid, wc->status);
	if (unlikely(wc->status != IB_WC_SUCCESS)) {
		rpcrdma_conn_wc_failed(rdma->conn, wc, RPCRDMA_CLOSE_COMPLETION);
		svcrdma_queue_failed(rdma, req);
		return;
	}
	svcrdma_rw_list_release(rdma, &read->reads, DMA_FROM_DEVICE);
	rpcrdma_sendq_release(rdma->conn, wrs);
	svcrdma_queue(rdma, req, svcrdma_read_is_more(read) ?
		      SVCRDMA_STAGE_READ_MORE : SVCRDMA_STAGE_READ_DONE);
}

/* Returns NULL without memory */
static struct svcrdma_read *svcrdma_read_alloc(struct svcrdma_req *req, unsigned int n)
{
	struct svcrdma_read *read;

	/* May be larger than a page, so it must do without contiguous pages */
	read = kvmalloc(struct_size(read, pages, n), RPCRDMA_GFP_ONCE);
	if (!read)
		return NULL;
	read->cqe.done = svcrdma_read_done;
	read->req = req;
	read->posted = false;
	read->lent = false;
	read->npages = 0;
	read->max_pages = n;
	return read;
}

static struct svcrdma_read *svcrdma_read_get(struct svcrdma_req *req)
{
	unsigned int n = req->sink_bytes >> PAGE_SHIFT;
	struct svcrdma_read *read = req->read;

	if (unlikely(!read || n > read->max_pages)) {
		read = svcrdma_read_alloc(req, max_t(unsigned int, n, SVCRDMA_PAGES));
		if (!read)
			return NULL;
		kvfree(req->read);
		req->read = read;
	}
	svcrdma_rw_list_init(&read->reads);
	read->piece = 0;
	read->done = 0;
	return read;
}

static bool svcrdma_read_take_pages(struct svcrdma_read *read)
{
	unsigned int n = DIV_ROUND_UP(read->plan.sink_len, PAGE_SIZE);
	unsigned long client = read->req->rdma->reads.number;

	read->npages = svcrdma_recycle_take(read->pages, n, client);
	if (likely(read->npages == n))
		return true;
	svcrdma_recycle_give(read->pages, read->npages, client);
	read->npages = 0;
	return false;
}

/* Copies into the data sink; zeroes if @from is NULL */
static void svcrdma_read_sink_copy(struct svcrdma_read *read, u32 to,
				   const void *from, u32 len)
{
	while (len) {
		u32 off = offset_in_page(to);
		u32 n = min_t(u32, len, PAGE_SIZE - off);
		void *dst = page_address(read->pages[to >> PAGE_SHIFT]) + off;

		if (from) {
			memcpy(dst, from, n);
			from += n;
		} else {
			memset(dst, 0, n);
		}
		to += n;
		len -= n;
	}
}

/*
 * Writes the parts of the data sink that are not read by RDMA. The pages are mapped for
 * the device later, so the mapping cannot discard these bytes.
 */
static void svcrdma_read_fill(struct svcrdma_read *read, const void *payload)
{
	unsigned int i;

	for (i = 0; i < read->plan.npieces; i++) {
		const struct svcrdma_piece *piece = &read->plan.pieces[i];

		if (piece->kind == SVCRDMA_PIECE_COPY)
			svcrdma_read_sink_copy(read, piece->to,
					       payload + piece->from,
					       piece->len);
		else if (piece->kind == SVCRDMA_PIECE_PAD)
			svcrdma_read_sink_copy(read, piece->to, NULL,
					       piece->len);
	}
}

/* Finds the remote address of the next byte; false if the segments end too early */
static bool svcrdma_read_source(struct svcrdma_read *read,
				struct rpcrdma_segment *rest)
{
	const struct svcrdma_piece *piece = &read->plan.pieces[read->piece];
	const struct svcrdma_req *req = read->req;
	const struct rpcrdma_chunk *chunk = &req->chunks[piece->chunk];
	u32 skip = piece->from + read->done;
	unsigned int i;

	for (i = 0; i < chunk->nsegs; i++) {
		*rest = req->msg.segs[chunk->first + i];
		if (skip < rest->length) {
			rest->offset += skip;
			rest->length -= skip;
			return true;
		}
		skip -= rest->length;
	}
	return false;
}

static void svcrdma_read_set_pages(struct svcrdma_read *read,
				   struct scatterlist *sg, u32 to, u32 len)
{
	while (len) {
		u32 off = offset_in_page(to);
		u32 n = min_t(u32, len, PAGE_SIZE - off);

		sg_set_page(sg, read->pages[to >> PAGE_SHIFT], n, off);
		sg = sg_next(sg);
		to += n;
		len -= n;
	}
}

/* Adds one context, which reads from one segment; @len: bytes that it reads */
static int svcrdma_read_add(struct svcrdma_read *read, u32 *len)
{
	const struct svcrdma_piece *piece = &read->plan.pieces[read->piece];
	struct svcrdma_xprt *rdma = read->req->rdma;
	u32 to = piece->to + read->done;
	struct rpcrdma_segment source;
	struct svcrdma_rw *rw;
	unsigned int nents;

	if (!svcrdma_read_source(read, &source))
		return -EIO;
	nents = svcrdma_rw_pages(rdma);
	*len = min3(piece->len - read->done, source.length,
		    (u32)(nents * PAGE_SIZE - offset_in_page(to)));
	nents = DIV_ROUND_UP(offset_in_page(to) + *len, PAGE_SIZE);

	rw = svcrdma_rw_get(rdma, &nents);
	if (!rw)
		return -ENOMEM;
	*len = min_t(u32, *len, nents * PAGE_SIZE - offset_in_page(to));
	nents = DIV_ROUND_UP(offset_in_page(to) + *len, PAGE_SIZE);
	svcrdma_read_set_pages(read, svcrdma_rw_sgl(rw), to, *len);
	source.length = *len;
	return svcrdma_rw_add(rdma, &read->reads, rw, nents, &source, DMA_FROM_DEVICE);
}

/* Reads of a round that begin in one cache line */
struct svcrdma_read_line {
	u32 number;
	unsigned int reads;
};

/* True if the next Read must wait for the next round */
static bool svcrdma_read_line_full(const struct svcrdma_read *read,
				   struct svcrdma_read_line *line)
{
	u32 to = read->plan.pieces[read->piece].to + read->done;

	if (line->number != to / L1_CACHE_BYTES)
		*line = (struct svcrdma_read_line){ .number = to / L1_CACHE_BYTES };
	return line->reads++ == SVCRDMA_READS_PER_LINE;
}

static void svcrdma_read_advance(struct svcrdma_read *read, u32 len)
{
	read->done += len;
	if (read->done == read->plan.pieces[read->piece].len) {
		read->piece++;
		read->done = 0;
	}
}

/* Returns an error only if it could not add a single context */
static int svcrdma_read_build(struct svcrdma_read *read)
{
	struct svcrdma_xprt *rdma = read->req->rdma;
	struct svcrdma_read_line line = {};
	u32 len;
	int ret;

	while (svcrdma_read_is_more(read)) {
		if (svcrdma_read_line_full(read, &line))
			return 0;
		ret = svcrdma_read_add(read, &len);
		if (ret)
			return list_empty(&read->reads.ctxs) ? ret : 0;
		if (read->reads.wrs > rdma->chain_max &&
		    !list_is_singular(&read->reads.ctxs)) {
			svcrdma_rw_remove_last(rdma, &read->reads,
					       DMA_FROM_DEVICE);
			return 0;
		}
		svcrdma_read_advance(read, len);
	}
	return 0;
}

/* The slots are reserved */
static void svcrdma_read_post(struct svcrdma_chain *waiting)
{
	struct svcrdma_read *read = container_of(waiting, struct svcrdma_read,
						 waiting);
	struct svcrdma_xprt *rdma = read->req->rdma;

	read->chain.xid = read->req->msg.xid;
	trace_svcrdma_read(rdma->conn, read->req->msg.xid, read->reads.wrs);
	read->posted = true;
	/* After an error the teardown frees the request */
	rpcrdma_sendq_post(rdma->conn, &read->chain,
			   svcrdma_rw_list_wrs(rdma, &read->reads, &read->cqe,
					       NULL));
}

static void svcrdma_read_release_waiting(struct svcrdma_chain *waiting)
{
	svcrdma_req_put(container_of(waiting, struct svcrdma_read, waiting)->req);
}

static int svcrdma_read_go(struct svcrdma_read *read)
{
	struct svcrdma_xprt *rdma = read->req->rdma;
	int ret;

	ret = rpcrdma_sendq_try_reserve(rdma->conn, read->reads.wrs);
	if (!ret) {
		svcrdma_read_post(&read->waiting);
	} else if (ret == -ENOBUFS) {
		read->waiting.slots = read->reads.wrs;
		read->waiting.post = svcrdma_read_post;
		read->waiting.release = svcrdma_read_release_waiting;
		svcrdma_slot_wait(rdma, &read->waiting);
		ret = 0;
	}
	return ret;
}

/**
 * svcrdma_read_continue - start the next round of Reads
 * @req: request whose Call is not read completely, with the stage
 *	 SVCRDMA_STAGE_READ_MORE
 *
 * Context: nfsd thread, connection entered; may reclaim memory; the caller keeps reclaim
 * out of the file system.
 * Return: 0 if Reads are or will be posted, and @req is no longer the caller's; 1 if there is
 * nothing to read; -ENOMEM: try again later, with the stage that @req has; or -EAGAIN, -EIO,
 * -EINVAL or -ENOTCONN.
 */
int svcrdma_read_continue(struct svcrdma_req *req)
{
	struct svcrdma_read *read = req->read;
	struct svcrdma_xprt *rdma = req->rdma;
	unsigned int seen;
	int ret;

	do {
		seen = svcrdma_rw_released(rdma);
		ret = svcrdma_read_build(read);
		if (ret != -EAGAIN && ret != -ENOMEM)
			break;
		if (svcrdma_rw_later(req, seen))
			return 0;
	} while (svcrdma_rw_released(rdma) != seen);

	if (ret)
		return ret;
	if (list_empty(&read->reads.ctxs))
		return 1;
	svcrdma_rw_next(rdma);
	return svcrdma_read_go(read);
}

static enum rpcrdma_reason svcrdma_read_plan(struct svcrdma_read *read,
					     const struct svc_rqst *rqstp)
{
	const struct svcrdma_req *req = read->req;
	u32 inline_len = 0;
	enum rpcrdma_reason reason;

	if (req->msg.type == RPCRDMA_MSG)
		inline_len = req->recv->len - req->msg.header_size;
	reason = svcrdma_assemble(&read->plan, &req->msg, req->chunks,
				  req->nchunks, inline_len,
				  req->rdma->max_call);
	if (reason != RPCRDMA_OK)
		return reason;
	if (DIV_ROUND_UP(read->plan.sink_len, PAGE_SIZE) >
	    rpcrdma_svc_call_pages(rqstp))
		return RPCRDMA_R_CHUNK_LENGTH;
	return RPCRDMA_OK;
}

/**
 * svcrdma_read_start - start the first round of Reads of a Call
 * @req: checked request with Read chunks
 * @rqstp: nfsd thread
 *
 * Context: nfsd thread, connection entered; may reclaim memory; the caller keeps reclaim
 * out of the file system.
 * Return: as svcrdma_read_continue(); -EPROTO if the caller must refuse the
 * Call, with the reason in the refused field of @req.
 */
int svcrdma_read_start(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct rpcrdma_stats *stats = req->rdma->conn->stats;
	struct svcrdma_read *read = svcrdma_read_get(req);

	if (!read)
		return -ENOMEM;
	req->refused = svcrdma_read_plan(read, rqstp);
	if (req->refused != RPCRDMA_OK)
		return -EPROTO;

	if (!svcrdma_read_take_pages(read))
		return -ENOMEM;
	svcrdma_read_fill(read, req->recv->buf.data + req->msg.header_size);
	rpcrdma_count_add(stats, RPCRDMA_C_READ_CHUNKS, req->nchunks);
	rpcrdma_count_add(stats, RPCRDMA_C_READ_BYTES, read->plan.sink_len);
	req->stage = SVCRDMA_STAGE_READ_MORE;
	return svcrdma_read_continue(req);
}

/* Exchanges the pages of the data sink with those that are first in rq_pages */
static void svcrdma_read_exchange_pages(struct svcrdma_read *read,
					struct svc_rqst *rqstp)
{
	unsigned int i;

	for (i = 0; i < read->npages; i++)
		swap(rqstp->rq_pages[i], read->pages[i]);
	read->lent = !read->lent;
}

/* Head and tail are in the receive buffer, and the item is in pages */
static void svcrdma_read_item(struct svcrdma_read *read, struct xdr_buf *arg,
			      struct page **pages)
{
	const struct svcrdma_req *req = read->req;
	const struct svcrdma_assembly *plan = &read->plan;
	void *payload = req->recv->buf.data + req->msg.header_size;

	arg->head[0].iov_base = payload;
	arg->head[0].iov_len = plan->split;
	arg->pages = pages;
	arg->page_len = plan->sink_len;
	arg->tail[0].iov_base = payload + plan->split;
	arg->tail[0].iov_len = plan->call_len - plan->sink_len - plan->split;
}

static void svcrdma_read_flat(struct svcrdma_read *read, struct xdr_buf *arg,
			      struct page **pages)
{
	const struct svcrdma_assembly *plan = &read->plan;

	arg->head[0].iov_base = page_address(pages[0]);
	arg->head[0].iov_len = min_t(size_t, plan->call_len, PAGE_SIZE);
	arg->pages = pages + 1;
	arg->page_len = plan->call_len - arg->head[0].iov_len;
	arg->tail[0].iov_base = NULL;
	arg->tail[0].iov_len = 0;
}

/**
 * svcrdma_read_finish - put the Call together in rq_arg
 * @req: request whose Reads are done
 * @rqstp: nfsd thread; its first pages are replaced until svcrdma_read_unlend_pages()
 *
 * Context: nfsd thread, before sunrpc gets the Call; does not sleep.
 */
void svcrdma_read_finish(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct svcrdma_read *read = req->read;
	struct xdr_buf *arg = &rqstp->rq_arg;

	svcrdma_read_exchange_pages(read, rqstp);
	rpcrdma_svc_reply_begin(rqstp, read->npages);

	arg->page_base = 0;
	if (read->plan.layout == SVCRDMA_LAYOUT_FLAT)
		svcrdma_read_flat(read, arg, rqstp->rq_pages);
	else
		svcrdma_read_item(read, arg, rqstp->rq_pages);
	arg->len = read->plan.call_len;
	arg->buflen = arg->len;
}

/**
 * svcrdma_read_unlend_pages - give an nfsd thread its own pages again
 * @req: request whose Call is not read any more; may never have lent its pages
 * @rqstp: nfsd thread
 *
 * After a deferral another thread may process the Call. Then both keep what they have.
 *
 * Context: nfsd thread; does not sleep.
 */
void svcrdma_read_unlend_pages(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	if (req->read->lent && !rqstp->rq_deferred)
		svcrdma_read_exchange_pages(req->read, rqstp);
}

/* Pages of a thread that has dropped the Call, and has the data sink, are freed */
static void svcrdma_read_put_pages(struct svcrdma_read *read)
{
	if (read->lent)
		release_pages(read->pages, read->npages);
	else
		svcrdma_recycle_give(read->pages, read->npages,
				     read->req->rdma->reads.number);
	read->lent = false;
	read->npages = 0;
}

/**
 * svcrdma_read_unmap - release the contexts of the Reads of a request
 * @req: request without Reads in progress, or request of a connection that is drained and has
 *	 its QP
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_unmap(struct svcrdma_req *req)
{
	if (req->read)
		svcrdma_rw_list_release(req->rdma, &req->read->reads, DMA_FROM_DEVICE);
}

/**
 * svcrdma_read_reset - release the contexts and pages of the Reads of a request
 * @req: request without Reads in progress
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_reset(struct svcrdma_req *req)
{
	svcrdma_read_unmap(req);
	if (req->read && req->read->npages)
		svcrdma_read_put_pages(req->read);
}

/**
 * svcrdma_read_free - free the state of the Reads of a request
 * @req: idle request, or request of a connection without a QP
 *
 * Context: may sleep.
 */
void svcrdma_read_free(struct svcrdma_req *req)
{
	svcrdma_read_reset(req);
	kvfree(req->read);
	req->read = NULL;
}
