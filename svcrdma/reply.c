// SPDX-License-Identifier: GPL-2.0-only
/*
 * Building and sending a Reply: one Send for each Call, with the RDMA Writes of the
 * Reply in front of it.
 *
 * The header is built in the buffer of the Send. A small payload is copied behind it,
 * which is cheaper than mapping its pages. A large payload is sent from its pages.
 *
 * If a Reply cannot be built or posted, the connection is closed, so that the client
 * learns that the Reply is lost: RFC 8166 4.5.4 (V1-ERR-21). The teardown then releases
 * the Send, since the device may still work on a part of its chain.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sunrpc/xdr.h>
#include <trace/events/svcrdma.h>
#include "params.h"
#include "request.h"
#include "send.h"
#include "svcrdma.h"

static int svcrdma_send_copy(struct svcrdma_send *send, u32 at,
			     const struct svcrdma_reply_plan *plan,
			     const struct xdr_buf *xdr)
{
	unsigned int i;

	for (i = 0; i < plan->nranges; i++) {
		const struct svcrdma_range *range = &plan->ranges[i];

		if (read_bytes_from_xdr_buf(xdr, range->offset,
					    send->send.buf.data + at,
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
	struct rpcrdma_send *base = &send->send;
	struct svcrdma_xdr_cursor cursor;
	struct bio_vec bv;
	int ret;

	svcrdma_xdr_cursor_init(&cursor, xdr, range->offset, range->length);
	while (svcrdma_xdr_cursor_next(&cursor, U32_MAX, false, &bv)) {
		if (base->wr.num_sge == base->conn->limits.send_sges)
			return -ENOSPC;
		ret = rpcrdma_send_add_page(base, bv.bv_page, bv.bv_offset,
					    bv.bv_len);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Returns the number of bytes in the buffer. A payload with too many runs for the SGEs is
 * copied. It fits, since the buffer has the size of the largest Send.
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
		rpcrdma_send_unmap(&send->send);
		return svcrdma_send_copy(send, plan->header_size, plan, xdr);
	}
	return plan->header_size;
}

static void svcrdma_send_pages(struct svcrdma_send *send,
			       struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	/* After a deferral another thread may process the Call, with other pages */
	if (rqstp->rq_deferred)
		svcrdma_reply_pages_put(req);
	if (svcrdma_send_uses_pages(send))
		svcrdma_reply_pages_take(send, req, rqstp);
	else
		svcrdma_reply_pages_restore(req, rqstp);
}

/* Returns the number of bytes in the buffer of @send */
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
	ret = codec->encode(&req->msg, send->send.buf.data, rdma->conn->inline_send);
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

	if (likely(svcrdma_reply_in_pages(xdr))) {
		/* Without a Write chunk nothing is taken out of the Reply */
		if (req->msg.nwrites)
			svcrdma_results_correct(req, rqstp);
		svcrdma_reply_plan(&plan, &req->msg, req->results,
				   req->protected ? 0 : req->nresults, xdr->len,
				   conn->inline_send);
	} else {
		plan = (struct svcrdma_reply_plan) {
			.form = SVCRDMA_FORM_REFUSE,
			.reason = RPCRDMA_R_REPLY_BROKEN,
		};
	}
	if (plan.form == SVCRDMA_FORM_REFUSE) {
		rpcrdma_report_reason(conn, plan.reason, req->msg.xid);
		req->invalidate = 0;
		return svcrdma_error_encode(req, plan.reason, &plan,
					    send->send.buf.data, conn->inline_send);
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
	struct svcrdma_send *send = svcrdma_send_reserved(req);
	int len;

	/* Before anything of it is posted: the device reads the pages */
	if (!svcrdma_send_more_pages(send, svcrdma_reply_pages_count(rqstp))) {
		rpcrdma_send_put(&send->send);
		return -ENOMEM;
	}
	len = svcrdma_reply_fill(send, req, rqstp);
	/* Before the Reply is posted: it allows the client to send the next Call */
	svcrdma_req_repost_recv(req);
	if (len < 0)
		return len;
	return svcrdma_send_answer(send, len, req->invalidate);
}

/* Is this the first Call of the connection that sunrpc has accepted? */
static void svcrdma_reply_first(struct svcrdma_xprt *rdma,
				const struct xdr_buf *xdr)
{
	/* XID, message type, reply status */
	const __be32 *words = xdr->head[0].iov_base;

	if (xdr->head[0].iov_len >= 3 * sizeof(*words) && words[2] == rpc_msg_accepted)
		svcrdma_read_budget_accepted(rdma);
}

/**
 * svcrdma_sendto - xpo_sendto: send a Reply
 * @rqstp: RPC with its Reply in rq_res
 *
 * The client has posted one Receive for each Call, so a Call is answered by exactly one
 * Send: the Reply or an RDMA_ERROR.
 *
 * Context: nfsd thread; may sleep.
 * Return: 0; or a negative errno, and the connection is closing.
 */
int svcrdma_sendto(struct svc_rqst *rqstp)
{
	struct svcrdma_xprt *rdma = svcrdma_from_xprt(rqstp->rq_xprt);
	struct svcrdma_req *req = rqstp->rq_xprt_ctxt;
	unsigned int nofs;
	int ret;

	if (req->sink_bytes)
		svcrdma_read_unlend_pages(req, rqstp);
	if (!rpcrdma_conn_enter(rdma->conn))
		return -ENOTCONN;
	if (unlikely(!READ_ONCE(rdma->reads.accepted)))
		svcrdma_reply_first(rdma, &rqstp->rq_res);
	nofs = memalloc_nofs_save();
	ret = svcrdma_reply(req, rqstp);
	memalloc_nofs_restore(nofs);
	if (ret)
		rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_NO_ANSWER, ret);
	else
		req->answered_by = rqstp;
	rpcrdma_conn_leave(rdma->conn);
	return ret;
}
