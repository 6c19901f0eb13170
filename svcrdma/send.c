// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending: one Send for each Call, with the RDMA Writes of its Reply in front of
 * it, posted together: one doorbell for each RPC.
 *
 * A Send has a buffer that is mapped for the life of the connection. The header
 * is built there, and a small payload is copied behind it, which is cheaper than
 * mapping its pages. A large payload is named page by page. Whatever pages the
 * device reads, for the Send or for Writes, are taken over from the svc_rqst, and
 * released when the Send has completed.
 *
 * If a Reply cannot be built or posted, the connection closes, so that the client
 * knows it is lost (V1-ERR-21). The Send then stays as it is, since the device may
 * work on a part of it, until the teardown finds it on the list of all Sends.
 */
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/sunrpc/xdr.h>
#include <trace/events/svcrdma.h>
#include "svcrdma.h"

static void svcrdma_send_unmap(struct svcrdma_send *send)
{
	struct ib_device *device = send->rdma->conn->device;
	int i;

	for (i = 1; i < send->wr.num_sge; i++)
		ib_dma_unmap_page(device, send->sges[i].addr,
				  send->sges[i].length, DMA_TO_DEVICE);
	send->wr.num_sge = 1;
}

static void svcrdma_send_release(struct svcrdma_send *send)
{
	svcrdma_writes_release(send);
	svcrdma_send_unmap(send);
	release_pages(send->pages, send->npages);
	send->npages = 0;
	send->busy = false;
}

/**
 * svcrdma_send_put - let go of a Send and all it holds
 * @send: Send that has completed, or of which nothing was posted
 *
 * Context: process context, does not sleep.
 */
void svcrdma_send_put(struct svcrdma_send *send)
{
	svcrdma_send_release(send);
	svcrdma_pool_put(&send->rdma->sends, &send->item);
}

/* Sends that had no completion of their own; returns their room */
static unsigned int svcrdma_send_put_earlier(struct svcrdma_send *send)
{
	struct svcrdma_send *earlier, *next;
	unsigned int slots = 0;

	list_for_each_entry_safe(earlier, next, &send->order.before,
				 order.node) {
		slots += earlier->order.slots;
		svcrdma_send_put(earlier);
	}
	INIT_LIST_HEAD(&send->order.before);
	return slots;
}

static void svcrdma_send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct svcrdma_send *send =
		container_of(wc->wr_cqe, struct svcrdma_send, cqe);
	struct svcrdma_xprt *rdma = send->rdma;
	unsigned int slots = send->order.slots;

	rpcrdma_fault_wc(wc);
	rpcrdma_send_order_done(rdma->conn, &send->order, wc);
	if (wc->status != IB_WC_SUCCESS) {
		rpcrdma_conn_wc_failed(rdma->conn, wc,
				       RPCRDMA_CLOSE_COMPLETION);
		return;
	}
	slots += svcrdma_send_put_earlier(send);
	svcrdma_send_put(send);
	rpcrdma_sendq_release(rdma->conn, slots);
}

static struct svcrdma_send *svcrdma_send_alloc(struct svcrdma_xprt *rdma)
{
	struct rpcrdma_conn *conn = rdma->conn;
	int node = ibdev_to_node(conn->device);
	struct svcrdma_send *send;
	unsigned int i;

	send = kzalloc_node(struct_size(send, sges, conn->limits.send_sges),
			    GFP_KERNEL, node);
	if (!send)
		return NULL;
	if (rpcrdma_buf_alloc(&send->buf, conn->limits.inline_send,
			      DMA_TO_DEVICE, node, GFP_KERNEL))
		goto out_free;
	if (rpcrdma_buf_map(&send->buf, conn->device))
		goto out_free_buf;

	send->rdma = rdma;
	send->cqe.done = svcrdma_send_done;
	svcrdma_rw_chain_init(&send->writes);
	INIT_LIST_HEAD(&send->batches);
	INIT_LIST_HEAD(&send->order.before);
	for (i = 0; i < conn->limits.send_sges; i++)
		send->sges[i].lkey = conn->pd->local_dma_lkey;
	send->sges[0].addr = send->buf.addr;
	send->wr.wr_cqe = &send->cqe;
	send->wr.sg_list = send->sges;
	send->wr.num_sge = 1;

	spin_lock(&rdma->lock);
	list_add(&send->all, &rdma->all_sends);
	spin_unlock(&rdma->lock);
	return send;

out_free_buf:
	rpcrdma_buf_free(&send->buf);
out_free:
	kfree(send);
	return NULL;
}

/**
 * svcrdma_send_get - a Send to be built
 * @rdma: connection
 *
 * Context: connection entered; may sleep; the caller keeps reclaim out of the
 * file system.
 * Return: an empty Send with a buffer for conn->inline_send bytes, or NULL. Ends
 * in its completion, in svcrdma_send_put(), or in the teardown.
 */
struct svcrdma_send *svcrdma_send_get(struct svcrdma_xprt *rdma)
{
	struct llist_node *node = svcrdma_pool_get(&rdma->sends);
	struct svcrdma_send *send;

	if (node)
		send = llist_entry(node, struct svcrdma_send, item.node);
	else
		send = svcrdma_send_alloc(rdma);
	if (send)
		send->busy = true;
	return send;
}

static void svcrdma_send_free(struct svcrdma_send *send)
{
	if (send->busy)
		svcrdma_send_release(send);
	rpcrdma_buf_free(&send->buf);
	kfree(send);
}

/**
 * svcrdma_send_pool_trim - free spare Sends
 * @rdma: connection
 * @before: jiffies; those that have been spare since then
 *
 * Context: process context, does not sleep; svcrdma_send_pool_free() is not called
 * meanwhile.
 */
void svcrdma_send_pool_trim(struct svcrdma_xprt *rdma, unsigned long before)
{
	struct llist_node *idle = svcrdma_pool_idle(&rdma->sends,
						    SVCRDMA_POOL_MIN,
						    before);
	struct svcrdma_send *send, *next;

	llist_for_each_entry_safe(send, next, idle, item.node) {
		spin_lock(&rdma->lock);
		list_del(&send->all);
		spin_unlock(&rdma->lock);
		svcrdma_send_free(send);
	}
}

/**
 * svcrdma_send_pool_free - free all Sends
 * @rdma: drained connection
 *
 * Context: may sleep.
 */
void svcrdma_send_pool_free(struct svcrdma_xprt *rdma)
{
	struct svcrdma_send *send, *next;

	list_for_each_entry_safe(send, next, &rdma->all_sends, all)
		svcrdma_send_free(send);
}

static bool svcrdma_send_uses_pages(const struct svcrdma_send *send)
{
	return send->wr.num_sge > 1 || !list_empty(&send->writes.list) ||
	       !list_empty(&send->batches);
}

/**
 * svcrdma_send_post - post a Send and the Writes in front of it
 * @send: Send; room for it and its Writes is reserved. Not the caller's any more
 * @length: bytes in its buffer
 * @invalidate: handle for Send With Invalidate, or 0
 *
 * Context: connection entered; does not sleep.
 * Return: 0; or what the device said, and the connection is closing.
 */
int svcrdma_send_post(struct svcrdma_send *send, u32 length, u32 invalidate)
{
	struct svcrdma_xprt *rdma = send->rdma;
	struct rpcrdma_conn *conn = rdma->conn;
	struct ib_send_wr *first;

	send->order.slots = send->writes.wrs + 1;
	send->sges[0].length = length;
	send->wr.opcode = IB_WR_SEND;
	if (invalidate) {
		send->wr.opcode = IB_WR_SEND_WITH_INV;
		send->wr.ex.invalidate_rkey = invalidate;
		rpcrdma_count(conn->stats, RPCRDMA_C_SENDS_INV);
	}
	rpcrdma_count(conn->stats, RPCRDMA_C_SENDS);
	rpcrdma_buf_to_device(&send->buf, length);

	/* Every message begins with it */
	send->order.chain.xid = *(const __be32 *)send->buf.data;
	first = svcrdma_rw_chain_wrs(rdma, &send->writes, NULL, &send->wr);
	return rpcrdma_send_order_post(conn, &send->order, first, &send->wr,
				       !svcrdma_send_uses_pages(send));
}

static int svcrdma_send_copy(struct svcrdma_send *send, u32 at,
			     const struct svcrdma_reply_plan *plan,
			     const struct xdr_buf *xdr)
{
	unsigned int i;

	for (i = 0; i < plan->nranges; i++) {
		const struct svcrdma_range *range = &plan->ranges[i];

		if (read_bytes_from_xdr_buf(xdr, range->offset,
					    send->buf.data + at,
					    range->length))
			return -EIO;
		at += range->length;
	}
	rpcrdma_count_add(send->rdma->conn->stats, RPCRDMA_C_PULLUP_BYTES,
			  plan->length);
	return at;
}

static int svcrdma_send_map(struct svcrdma_send *send,
			    const struct svcrdma_range *range,
			    const struct xdr_buf *xdr)
{
	struct rpcrdma_conn *conn = send->rdma->conn;
	struct svcrdma_xdr_cursor cursor;
	struct bio_vec bv;

	svcrdma_xdr_cursor_init(&cursor, xdr, range->offset, range->length);
	while (svcrdma_xdr_cursor_next(&cursor, U32_MAX, &bv)) {
		struct ib_sge *sge = &send->sges[send->wr.num_sge];

		if (send->wr.num_sge == conn->limits.send_sges)
			return -ENOSPC;
		sge->addr = ib_dma_map_page(conn->device, bv.bv_page,
					    bv.bv_offset, bv.bv_len,
					    DMA_TO_DEVICE);
		if (ib_dma_mapping_error(conn->device, sge->addr))
			return -EIO;
		sge->length = bv.bv_len;
		send->wr.num_sge++;
	}
	return 0;
}

/*
 * Returns bytes in the buffer. What cannot be named page by page is copied: it
 * fits, since the buffer has the size of the largest Send.
 */
static int svcrdma_send_payload(struct svcrdma_send *send,
				const struct svcrdma_reply_plan *plan,
				const struct xdr_buf *xdr)
{
	unsigned int i;

	if (plan->length <= svcrdma_param_pullup())
		return svcrdma_send_copy(send, plan->header_size, plan, xdr);

	for (i = 0; i < plan->nranges; i++) {
		if (!svcrdma_send_map(send, &plan->ranges[i], xdr))
			continue;
		svcrdma_send_unmap(send);
		return svcrdma_send_copy(send, plan->header_size, plan, xdr);
	}
	return plan->header_size;
}

/* The pages that the Reply is made of leave the svc_rqst */
static void svcrdma_send_take_pages(struct svcrdma_send *send,
				    struct svcrdma_req *req,
				    struct svc_rqst *rqstp)
{
	while (rqstp->rq_next_page != rqstp->rq_respages) {
		struct page **page = --rqstp->rq_next_page;
		unsigned int index = page - rqstp->rq_respages;

		send->pages[send->npages++] = *page;
		*page = svcrdma_reply_page_replaced(req, index, *page);
	}
}

static void svcrdma_send_pages(struct svcrdma_send *send,
			       struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	/* Put off and taken up again: what was kept may be another thread's */
	if (rqstp->rq_deferred)
		svcrdma_reply_pages_put(req);
	if (svcrdma_send_uses_pages(send))
		svcrdma_send_take_pages(send, req, rqstp);
	else
		svcrdma_reply_pages_keep(req, rqstp);
}

/* Returns bytes in the buffer of @send */
static int svcrdma_reply_build(struct svcrdma_send *send,
			       struct svcrdma_req *req,
			       const struct svcrdma_reply_plan *plan,
			       const struct xdr_buf *xdr)
{
	const struct rpcrdma_codec *codec = rpcrdma_codec_find(req->msg.vers);
	struct svcrdma_xprt *rdma = send->rdma;
	int ret;

	svcrdma_reply_header(&req->msg, plan,
			     svcrdma_credit_grant(rdma, req->msg.credits));
	ret = codec->encode(&req->msg, send->buf.data, rdma->conn->inline_send);
	if (ret < 0)
		return ret;
	ret = svcrdma_write_items(send, req, plan, xdr);
	if (ret)
		return ret;

	if (plan->form == SVCRDMA_FORM_INLINE) {
		rpcrdma_count(rdma->conn->stats, RPCRDMA_C_REPLIES_INLINE);
		return svcrdma_send_payload(send, plan, xdr);
	}
	rpcrdma_count(rdma->conn->stats, RPCRDMA_C_REPLIES_LONG);
	ret = svcrdma_write_reply(send, req, plan, xdr);
	return ret ?: plan->header_size;
}

static int svcrdma_reply_fill(struct svcrdma_send *send,
			      struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct xdr_buf *xdr = &rqstp->rq_res;
	struct rpcrdma_conn *conn = send->rdma->conn;
	struct svcrdma_reply_plan plan;
	int ret;

	svcrdma_results_correct(req, rqstp);
	svcrdma_reply_plan(&plan, &req->msg, req->results,
			   req->protected ? 0 : req->nresults, xdr->len,
			   conn->inline_send);
	if (plan.form == SVCRDMA_FORM_REFUSE) {
		rpcrdma_conn_refuse(conn, plan.reason, req->msg.xid);
		req->invalidate = 0;
		return svcrdma_error_encode(req, plan.reason, &plan,
					    send->buf.data, conn->inline_send);
	}
	ret = svcrdma_reply_build(send, req, &plan, xdr);
	trace_svcrdma_reply(conn, &req->msg, xdr->len,
			    plan.form == SVCRDMA_FORM_INLINE ? plan.length : 0,
			    send->writes.wrs + 1, req->invalidate);
	svcrdma_send_pages(send, req, rqstp);
	return ret;
}

static int svcrdma_reply(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct svcrdma_xprt *rdma = req->rdma;
	struct svcrdma_send *send;
	int len, ret;

	send = svcrdma_send_get(rdma);
	if (!send)
		return -ENOMEM;
	len = svcrdma_reply_fill(send, req, rqstp);
	/* The Reply is the client's leave to send the next Call */
	svcrdma_req_repost_recv(req);
	if (len < 0)
		return len;
	ret = rpcrdma_sendq_reserve(rdma->conn, send->writes.wrs + 1);
	if (ret)
		return ret;
	return svcrdma_send_post(send, len, req->invalidate);
}

/**
 * svcrdma_sendto - send the Reply that is in rq_res
 * @rqstp: request
 *
 * Each Call draws exactly one Send: the Reply or an RDMA_ERROR (T-13).
 *
 * Context: nfsd thread.
 * Return: 0; or a negative errno, and the connection is closing.
 */
int svcrdma_sendto(struct svc_rqst *rqstp)
{
	struct svcrdma_xprt *rdma = svcrdma_from_xprt(rqstp->rq_xprt);
	unsigned int nofs;
	int ret;

	if (!rpcrdma_conn_enter(rdma->conn))
		return -ENOTCONN;
	nofs = memalloc_nofs_save();
	ret = svcrdma_reply(rqstp->rq_xprt_ctxt, rqstp);
	memalloc_nofs_restore(nofs);
	if (ret)
		rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_NO_MEMORY, ret);
	rpcrdma_conn_leave(rdma->conn);
	return ret;
}
