// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of an RPC: put the Reply into the receive buffers of sunrpc, and wake the
 * task, which waits in wait.c.
 *
 * Data is copied out of the receive buffer only after the server has lost
 * access to the memory of the request: RFC 8166 4.4.1 (V1-MEM-02, V1-MEM-03).
 *
 * An RDMA_ERROR ends the RPC with an errno: RFC 8166 4.5 (V1-ERR-09). sunrpc
 * has no function for that. Setting tk_status works only while the task sleeps
 * and waits for its Reply. A task that does not sleep yet would not see the
 * error, find no Reply, and send the Call again. So the errno is kept in the
 * request, and ops->wait_for_reply_request, which holds the same lock, does
 * not let that task fall asleep.
 */
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/*
 * The server has written the result to the pages. The inline part is what
 * comes before the result, and maybe what follows it. The decoder looks for
 * the pages at the end of the head, so the head must end with the inline part.
 * The decoder also skips the XDR pad of the result, which was not sent: it is
 * zeroed here. RFC 8166 3.4.4.4 (V1-PAD-14).
 */
static u32 xprtrdma_place_reduced(struct xdr_buf *xdr, const void *payload,
				  u32 len, u32 written)
{
	u32 head = min_t(u32, len, xdr->head[0].iov_len);
	u32 pad = -written & (XDR_UNIT - 1);
	u32 rest = len - head;

	memcpy(xdr->head[0].iov_base, payload, head);
	xdr->buflen -= xdr->head[0].iov_len - head;
	xdr->head[0].iov_len = head;
	if (!rest || xdr->tail[0].iov_len < pad)
		return head + written + pad;

	/* What does not fit is cut off. sunrpc takes whole XDR units only */
	rest = min_t(u32, rest, xdr->tail[0].iov_len - pad);
	rest = round_down(rest, XDR_UNIT);
	memset(xdr->tail[0].iov_base, 0, pad);
	memcpy(xdr->tail[0].iov_base + pad, payload + head, rest);
	xdr->buflen -= xdr->page_len - written;
	xdr->page_len = written;
	return head + written + pad + rest;
}

/* The whole Reply is inline: head, pages and tail in sequence, as with TCP */
static u32 xprtrdma_place_inline(struct xprtrdma_xprt *r_xprt,
				 struct xdr_buf *xdr, void *payload, u32 len)
{
	u32 head = xdr->head[0].iov_len;

	len = min_t(u32, len, head + xdr->page_len + xdr->tail[0].iov_len);
	if (write_bytes_to_xdr_buf(xdr, 0, payload, len))
		return 0;
	if (len > head)
		rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_FIXUP_BYTES,
				  min_t(u32, len - head, xdr->page_len));
	return len;
}

static u32 xprtrdma_place_msg(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req)
{
	const struct xprtrdma_reply_info *info = &req->reply;
	void *payload = info->recv->buf.data + info->offset;
	u32 len = info->recv->len - info->offset;
	struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;

	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_REPLIES_INLINE);
	if (!req->msg.nwrites)
		return xprtrdma_place_inline(r_xprt, xdr, payload, len);
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_WRITE_BYTES, info->written);
	return xprtrdma_place_reduced(xdr, payload, len, info->written);
}

/*
 * The Reply is in the memory of the Reply chunk. Its own XID can only be
 * compared now that the server has no access to it: RFC 8166 4.2.1 (T-08).
 */
static u32 xprtrdma_place_nomsg(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req)
{
	const struct xprtrdma_reply_info *info = &req->reply;
	const struct kvec *head = &req->rqst.rq_rcv_buf.head[0];
	enum rpcrdma_reason reason;

	reason = rpcrdma_payload_check(req->rqst.rq_xid, head->iov_base,
				       min_t(u32, info->in_chunk,
					     head->iov_len));
	if (reason) {
		rpcrdma_report_reason(info->recv->conn, reason,
				      req->rqst.rq_xid);
		return 0;
	}
	xprtrdma_bounce_copy(req, info->in_chunk);
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_REPLIES_LONG);
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_REPLY_BYTES, info->in_chunk);
	return info->in_chunk;
}

/* Returns the length of the Reply in rq_rcv_buf, 0 if it is not valid */
static u32 xprtrdma_reply_place(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req)
{
	struct rpc_rqst *rqst = &req->rqst;
	u32 len;

	if (req->reply.type == RPCRDMA_MSG)
		len = xprtrdma_place_msg(r_xprt, req);
	else
		len = xprtrdma_place_nomsg(r_xprt, req);
	/* sunrpc warns if the two differ */
	memcpy(&rqst->rq_private_buf, &rqst->rq_rcv_buf,
	       sizeof(rqst->rq_private_buf));
	return len;
}

static void xprtrdma_reply_fail(struct xprtrdma_req *req, int error)
{
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	struct rpc_task *task = req->rqst.rq_task;

	lockdep_assert_held(&xprt->queue_lock);
	WRITE_ONCE(req->error, error);
	if (RPC_IS_QUEUED(task) &&
	    (task->tk_waitqueue == &xprt->pending ||
	     task->tk_waitqueue == &r_xprt->exposed_waitq)) {
		task->tk_status = error;
		rpc_wake_up_queued_task(task->tk_waitqueue, task);
	}
}

/*
 * After an error the Call is sent once more. sunrpc encodes it again, as after
 * a lost connection, because RPCSEC_GSS needs a new sequence number. So the
 * request gets a cookie that differs from connect_cookie: sunrpc then takes it
 * for a Call of an earlier connection (xprt_request_need_retransmit()). A task
 * that does not sleep yet is left to xprtrdma_wait_for_reply().
 */
static void xprtrdma_reply_retry(struct xprtrdma_req *req)
{
	struct rpc_rqst *rqst = &req->rqst;
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct rpc_task *task = rqst->rq_task;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	lockdep_assert_held(&xprt->queue_lock);
	WRITE_ONCE(req->retrying, true);
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_RESENDS);
	if (!RPC_IS_QUEUED(task) ||
	    (task->tk_waitqueue != &xprt->pending &&
	     task->tk_waitqueue != &r_xprt->exposed_waitq))
		return;
	rqst->rq_connect_cookie = xprt->connect_cookie - 1;
	task->tk_status = -EAGAIN;
	rpc_wake_up_queued_task(task->tk_waitqueue, task);
}

static void xprtrdma_reply_wake(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req, u32 len)
{
	struct rpc_task *task = req->rqst.rq_task;

	lockdep_assert_held(&r_xprt->xprt.queue_lock);
	xprt_complete_rqst(task, len);
	rpc_wake_up_queued_task(&r_xprt->exposed_waitq, task);
}

/**
 * xprtrdma_reply_complete - end an RPC whose Reply has been accepted
 * @req: pinned request that is no longer exposed
 *
 * The receive buffer is posted again before sunrpc can use the credit for
 * another Call, so that the Reply to that one finds a Receive: RFC 8166 3.3.1
 * (V1-CRED-10).
 *
 * Context: completion handler.
 */
void xprtrdma_reply_complete(struct xprtrdma_req *req)
{
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	bool retry = req->reply.retry;
	int error = req->reply.error;
	u32 len = 0;

	if (!error && !retry) {
		len = xprtrdma_reply_place(r_xprt, req);
		if (!len)
			error = -EIO;
	} else if (req->reply.type == RPCRDMA_ERROR) {
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_ERRORS_RECEIVED);
	}
	if (error)
		r_xprt->legacy.bad_replies++;
	trace_xprtrdma_complete(req->reply.recv->conn, req->rqst.rq_xid, len,
				retry ? -EAGAIN : error);
	rpcrdma_recv_repost(req->reply.recv);

	spin_lock(&xprt->queue_lock);
	if (retry)
		xprtrdma_reply_retry(req);
	else if (error)
		xprtrdma_reply_fail(req, error);
	else
		xprtrdma_reply_wake(r_xprt, req, len);
	xprtrdma_req_unpin_sent(req);
	xprtrdma_req_unpin(req);
	spin_unlock(&xprt->queue_lock);
}
