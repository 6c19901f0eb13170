// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA Write: results into Write chunks, long Replies into the Reply chunk.
 *
 * The header of the Reply is encoded first. The length of a segment in it is the number
 * of bytes to write into the segment. This file fills the segments in order with ranges
 * of the Reply. It writes no pads, RFC 8166 3.4.6.2 (V1-PAD-10), since the ranges of a
 * plan have none.
 *
 * The Writes are posted in front of the Send, in one WR chain. If that gets too long for
 * the send queue, or no MR is left, its Writes are posted early as a batch, or wait for
 * send queue slots without the thread (slot_wait.c). The queue pair processes all in order,
 * so the completion of the Send covers its batches.
 */
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <rdma/rw.h>
#include "request.h"
#include "rw.h"
#include "send.h"
#include "svcrdma.h"

/*
 * struct svcrdma_batch - Writes that are posted before their Send is
 * @node:   entry of svcrdma_send.batches
 * @send:   the Send
 * @cqe:    completion of the last Write
 * @chain:  WR chain of the batch
 * @waiting: the same while it waits for send queue slots
 * @writes: rdma_rw contexts
 */
struct svcrdma_batch {
	struct list_head	node;
	struct svcrdma_send	*send;
	struct ib_cqe		cqe;
	struct rpcrdma_wr_chain	chain;
	struct svcrdma_chain	waiting;
	struct svcrdma_rw_list	writes;
};

/*
 * struct svcrdma_source - cursor over several ranges of a Reply
 * @xdr:     the Reply
 * @ranges:  ranges behind the current one
 * @nranges: number of @ranges
 * @cursor:  cursor over the current range
 */
struct svcrdma_source {
	const struct xdr_buf		*xdr;
	const struct svcrdma_range	*ranges;
	unsigned int			nranges;
	struct svcrdma_xdr_cursor	cursor;
};

static void svcrdma_source_init(struct svcrdma_source *src,
				const struct xdr_buf *xdr,
				const struct svcrdma_range *ranges,
				unsigned int nranges)
{
	src->xdr = xdr;
	src->ranges = ranges;
	src->nranges = nranges;
	svcrdma_xdr_cursor_init(&src->cursor, xdr, 0, 0);
}

static bool svcrdma_source_next(struct svcrdma_source *src, u32 max, bool single_page,
				struct bio_vec *bv)
{
	while (!svcrdma_xdr_cursor_next(&src->cursor, max, single_page, bv)) {
		if (!src->nranges)
			return false;
		svcrdma_xdr_cursor_init(&src->cursor, src->xdr,
					src->ranges->offset,
					src->ranges->length);
		src->ranges++;
		src->nranges--;
	}
	return true;
}

static void svcrdma_batch_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct svcrdma_batch *batch =
		container_of(wc->wr_cqe, struct svcrdma_batch, cqe);
	struct svcrdma_xprt *rdma = batch->send->rdma;
	unsigned int wrs = batch->writes.wrs;

	rpcrdma_fault_wc(wc);
	rpcrdma_sendq_done(rdma->conn, &batch->chain, wc);
	if (wc->status != IB_WC_SUCCESS) {
		/* The device may still read the pages: the teardown releases the batch */
		rpcrdma_conn_wc_failed(rdma->conn, wc,
				       RPCRDMA_CLOSE_COMPLETION);
		return;
	}
	svcrdma_rw_list_release(rdma, &batch->writes, DMA_TO_DEVICE);
	rpcrdma_sendq_release(rdma->conn, wrs);
}

/* The slots are reserved. After an error the teardown releases the batch */
static void svcrdma_batch_post(struct svcrdma_chain *waiting)
{
	struct svcrdma_batch *batch = container_of(waiting, struct svcrdma_batch,
						   waiting);
	struct svcrdma_xprt *rdma = batch->send->rdma;

	lockdep_assert_held(&rdma->lock);
	rpcrdma_sendq_post(rdma->conn, &batch->chain,
			   svcrdma_rw_list_wrs(rdma, &batch->writes, &batch->cqe,
					       NULL));
}

/* Posts the Writes of @send so far, or lets them wait for slots */
static int svcrdma_batch_add(struct svcrdma_send *send)
{
	struct svcrdma_batch *batch;

	batch = kmalloc(sizeof(*batch), RPCRDMA_GFP_ONCE);
	if (!batch)
		return -ENOMEM;
	batch->send = send;
	batch->cqe.done = svcrdma_batch_done;
	svcrdma_rw_list_init(&batch->writes);
	list_splice_tail_init(&send->writes.ctxs, &batch->writes.ctxs);
	swap(batch->writes.wrs, send->writes.wrs);
	swap(batch->writes.bytes, send->writes.bytes);
	list_add_tail(&batch->node, &send->batches);

	/* The buffer has the header of the Reply, which begins with the XID */
	batch->chain.xid = *(const __be32 *)send->send.buf.data;
	batch->waiting.slots = batch->writes.wrs;
	batch->waiting.post = svcrdma_batch_post;
	batch->waiting.release = NULL;
	svcrdma_slot_wait(send->rdma, &batch->waiting);
	return 0;
}

/* An MR cannot map two entries with a gap between them */
static bool svcrdma_is_gap(const struct bio_vec *prev,
			   const struct bio_vec *next)
{
	return prev->bv_offset + prev->bv_len != PAGE_SIZE || next->bv_offset;
}

static unsigned int svcrdma_write_fill(struct svcrdma_source *src,
				       struct scatterlist *sg,
				       unsigned int nents, bool no_gaps,
				       u32 *len)
{
	struct bio_vec prev = { }, bv;
	unsigned int n = 0;
	u32 left = *len;

	while (n < nents && left) {
		struct svcrdma_source start = *src;

		/* Joined pages of an MR would be more than the entries that rdma_rw counts */
		if (!svcrdma_source_next(src, left, no_gaps, &bv))
			break;
		if (n && no_gaps && svcrdma_is_gap(&prev, &bv)) {
			*src = start;
			break;
		}
		sg_set_page(sg, bv.bv_page, bv.bv_len, bv.bv_offset);
		sg = sg_next(sg);
		left -= bv.bv_len;
		prev = bv;
		n++;
	}
	*len -= left;
	return n;
}

/* Adds one context; @remote: where to write, its length set to the bytes that it writes */
static int svcrdma_write_add(struct svcrdma_send *send, struct svcrdma_source *src,
			     struct rpcrdma_segment *remote, bool no_gaps)
{
	struct svcrdma_xprt *rdma = send->rdma;
	struct svcrdma_rw *rw;
	unsigned int nents;

	/* Each range of the source can begin and end within a page */
	nents = DIV_ROUND_UP(remote->length, PAGE_SIZE) + 2 * (src->nranges + 2);
	nents = min(nents, svcrdma_rw_pages(rdma));
	rw = svcrdma_rw_get(rdma, &nents);
	if (!rw)
		return -ENOMEM;
	nents = svcrdma_write_fill(src, svcrdma_rw_sgl(rw), nents, no_gaps,
				   &remote->length);
	return svcrdma_rw_add(rdma, &send->writes, rw, nents, remote, DMA_TO_DEVICE);
}

/* When memory is short, others need the thread: it waits a second for each Reply. Jiffies left */
static unsigned long svcrdma_write_memory_time(struct svcrdma_send *send)
{
	unsigned long now = jiffies;

	if (!send->memory_due)
		send->memory_due = (now + HZ) ?: 1;
	return time_before(now, send->memory_due) ? send->memory_due - now : 0;
}

/*
 * After an error of svcrdma_write_add(): posts a batch, waits for MRs or memory, or excludes
 * gaps.
 * Returns 0 if the caller should try again.
 */
static int svcrdma_write_retry(struct svcrdma_send *send, int error,
			       unsigned int seen, bool no_gaps)
{
	struct svcrdma_xprt *rdma = send->rdma;
	long timeout = MAX_SCHEDULE_TIMEOUT;

	switch (error) {
	case -EINVAL:
		if (no_gaps)
			return error;
		WRITE_ONCE(rdma->no_gaps, true);
		return 0;
	case -EAGAIN:
	case -ENOMEM:
		if (!list_empty(&send->writes.ctxs))
			return svcrdma_batch_add(send);
		if (error == -ENOMEM)
			timeout = svcrdma_write_memory_time(send);
		if (!timeout)
			return error;
		return svcrdma_rw_wait(rdma, seen, timeout) ? 0 : error;
	}
	return error;
}

/* Writes the beginning of @remote, whose length is set to that of the part */
static int svcrdma_write_part(struct svcrdma_send *send, struct svcrdma_source *src,
			      struct rpcrdma_segment *remote)
{
	struct svcrdma_xprt *rdma = send->rdma;
	const u32 max = remote->length;
	int ret;

	do {
		struct svcrdma_source next = *src;
		unsigned int seen = svcrdma_rw_released(rdma);
		bool no_gaps = READ_ONCE(rdma->no_gaps);

		remote->length = max;
		ret = svcrdma_write_add(send, &next, remote, no_gaps);
		if (ret) {
			ret = svcrdma_write_retry(send, ret, seen, no_gaps);
			continue;
		}
		/* < and not <=: the Send takes one slot too */
		if (send->writes.wrs < rdma->chain_max ||
		    list_is_singular(&send->writes.ctxs)) {
			*src = next;
			return 0;
		}
		svcrdma_rw_remove_last(rdma, &send->writes, DMA_TO_DEVICE);
		ret = svcrdma_batch_add(send);
	} while (!ret);
	return ret;
}

static int svcrdma_write_segment(struct svcrdma_send *send,
				 struct svcrdma_source *src,
				 const struct rpcrdma_segment *seg)
{
	struct rpcrdma_segment part = *seg;
	u32 done;
	int ret;

	for (done = 0; done < seg->length; done += part.length) {
		part.offset = seg->offset + done;
		part.length = seg->length - done;
		ret = svcrdma_write_part(send, src, &part);
		if (ret)
			return ret;
	}
	return 0;
}

static int svcrdma_write_chunk(struct svcrdma_send *send,
			       const struct rpcrdma_msg *reply,
			       const struct rpcrdma_chunk *chunk,
			       struct svcrdma_source *src)
{
	unsigned int i;
	int ret;

	for (i = 0; i < chunk->nsegs; i++) {
		ret = svcrdma_write_segment(send, src,
					    &reply->segs[chunk->first + i]);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * svcrdma_write_items - prepare the Writes into Write chunks
 * @send: Send; owns the Writes, also after an error
 * @req: request whose msg is the header of the Reply
 * @plan: plan for the Reply
 * @xdr: the Reply; its pages must stay until @send has completed
 *
 * Context: nfsd thread, connection entered; may sleep; the caller keeps reclaim
 * out of the file system.
 * Return: 0; or -ENOMEM, -EAGAIN, -EIO, -EINVAL or -ENOTCONN. After an error a part of
 * the Writes may be posted, so the caller must close the connection.
 */
int svcrdma_write_items(struct svcrdma_send *send, struct svcrdma_req *req,
			const struct svcrdma_reply_plan *plan,
			const struct xdr_buf *xdr)
{
	struct rpcrdma_stats *stats = send->rdma->conn->stats;
	struct svcrdma_source src;
	unsigned int i;
	int ret;

	for (i = 0; i < req->msg.nwrites; i++) {
		const struct svcrdma_range *item = &plan->items[i];

		if (!item->length)
			continue;
		svcrdma_source_init(&src, xdr, item, 1);
		ret = svcrdma_write_chunk(send, &req->msg, &req->msg.writes[i],
					  &src);
		if (ret)
			return ret;
		rpcrdma_count(stats, RPCRDMA_C_WRITE_CHUNKS);
		rpcrdma_count_add(stats, RPCRDMA_C_WRITE_BYTES, item->length);
	}
	return 0;
}

/**
 * svcrdma_write_reply - prepare the Writes into the Reply chunk
 * @send: Send; owns the Writes, also after an error
 * @req: request whose msg is the header of the Reply
 * @plan: plan for the Reply, with the form SVCRDMA_FORM_CHUNK
 * @xdr: the Reply; its pages must stay until @send has completed
 *
 * Context: as svcrdma_write_items().
 * Return: as svcrdma_write_items().
 */
int svcrdma_write_reply(struct svcrdma_send *send, struct svcrdma_req *req,
			const struct svcrdma_reply_plan *plan,
			const struct xdr_buf *xdr)
{
	struct rpcrdma_stats *stats = send->rdma->conn->stats;
	struct svcrdma_source src;

	svcrdma_source_init(&src, xdr, plan->ranges, plan->nranges);
	rpcrdma_count(stats, RPCRDMA_C_REPLY_CHUNKS);
	rpcrdma_count_add(stats, RPCRDMA_C_REPLY_BYTES, plan->length);
	return svcrdma_write_chunk(send, &req->msg, &req->msg.reply, &src);
}

/**
 * svcrdma_writes_release - release the contexts of all Writes of a Send
 * @send: Send that has completed, or whose connection is drained and has its QP
 *
 * Context: process context, does not sleep.
 */
void svcrdma_writes_release(struct svcrdma_send *send)
{
	struct svcrdma_batch *batch, *next;

	svcrdma_rw_list_release(send->rdma, &send->writes, DMA_TO_DEVICE);
	list_for_each_entry_safe(batch, next, &send->batches, node) {
		svcrdma_rw_list_release(send->rdma, &batch->writes,
					DMA_TO_DEVICE);
		list_del(&batch->node);
		kfree(batch);
	}
}
