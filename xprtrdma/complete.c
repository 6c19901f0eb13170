// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of an RPC: waiting for its Reply, placing that, waking its task.
 *
 * The request's memory is shut off from the server by now; only then is anything
 * copied out of the receive buffer (V1-MEM-02, V1-MEM-03).
 *
 * An RDMA_ERROR ends the RPC with an errno at once (V1-ERR-09). sunrpc has no
 * call for that: setting tk_status works only while the task sleeps on its
 * Reply, and a task that has not come to that yet would see no error, find no
 * Reply, and send again. So the errno stays in the request, and ops->
 * wait_for_reply_request, under the same lock, does not let the task fall
 * asleep.
 */
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/*
 * The result is in the pages already. What came inline is what goes before it,
 * and perhaps what goes behind. The decoder finds the pages where the head
 * ends, so the head must end where the inline part does; and it skips a pad
 * that nobody sent (T-27, V1-PAD-14).
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
	if (!rest)
		return head + written + pad;

	if (xdr->tail[0].iov_len < pad)
		return head + written;
	rest = min_t(u32, rest, xdr->tail[0].iov_len - pad);
	memset(xdr->tail[0].iov_base, 0, pad);
	memcpy(xdr->tail[0].iov_base + pad, payload + head, rest);
	xdr->buflen -= xdr->page_len - written;
	xdr->page_len = written;
	return head + written + pad + rest;
}

/* Head, pages and tail one after the other, as on a byte stream */
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
 * The payload is in the memory that the Reply chunk names. Its XID can be read
 * only now (T-08).
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
		rpcrdma_conn_refuse(info->recv->conn, reason,
				    req->rqst.rq_xid);
		return 0;
	}
	xprtrdma_bounce_copy(req, info->in_chunk);
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_REPLIES_LONG);
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_REPLY_BYTES, info->in_chunk);
	return info->in_chunk;
}

/* Bytes of the Reply in rq_rcv_buf, or 0 if it is not one */
static u32 xprtrdma_reply_place(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req)
{
	struct rpc_rqst *rqst = &req->rqst;
	u32 len;

	if (req->reply.type == RPCRDMA_MSG)
		len = xprtrdma_place_msg(r_xprt, req);
	else
		len = xprtrdma_place_nomsg(r_xprt, req);
	/* sunrpc compares the two */
	memcpy(&rqst->rq_private_buf, &rqst->rq_rcv_buf,
	       sizeof(rqst->rq_private_buf));
	return len;
}

/* Holds xprt->queue_lock */
static void xprtrdma_reply_fail(struct xprtrdma_req *req, int error)
{
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	struct rpc_task *task = req->rqst.rq_task;

	req->error = error;
	if (RPC_IS_QUEUED(task) && (task->tk_waitqueue == &xprt->pending ||
				    task->tk_waitqueue == &r_xprt->exposed)) {
		task->tk_status = error;
		rpc_wake_up_queued_task(task->tk_waitqueue, task);
	}
}

/*
 * A Call that was answered with an error goes out once more, as after a lost
 * connection: through sunrpc's encoding, because RPCSEC_GSS wants a new sequence
 * number. For that sunrpc must take the Call for one of another connection. Its
 * task may still be on the way from the Send to its sleep; then
 * xprtrdma_wait_for_reply() does that. Holds xprt->queue_lock.
 */
static void xprtrdma_reply_resend(struct xprtrdma_req *req)
{
	struct rpc_rqst *rqst = &req->rqst;
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct rpc_task *task = rqst->rq_task;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	req->resend = true;
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_RESENDS);
	if (!RPC_IS_QUEUED(task) || (task->tk_waitqueue != &xprt->pending &&
				     task->tk_waitqueue != &r_xprt->exposed))
		return;
	rqst->rq_connect_cookie = xprt->connect_cookie - 1;
	task->tk_status = -EAGAIN;
	rpc_wake_up_queued_task(task->tk_waitqueue, task);
}

/* Holds xprt->queue_lock */
static void xprtrdma_reply_wake(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req, u32 len)
{
	struct rpc_task *task = req->rqst.rq_task;

	xprt_complete_rqst(task, len);
	rpc_wake_up_queued_task(&r_xprt->exposed, task);
}

/**
 * xprtrdma_reply_complete - end an RPC whose Reply has been accepted
 * @req: pinned request that is not exposed any more
 *
 * The receive buffer goes back before sunrpc can send another Call in place of
 * this one, so there is always one for its Reply (V1-CRED-10).
 *
 * Context: completion handler.
 */
void xprtrdma_reply_complete(struct xprtrdma_req *req)
{
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	bool resend = req->reply.resend;
	int error = req->reply.error;
	u32 len = 0;

	if (!error && !resend) {
		len = xprtrdma_reply_place(r_xprt, req);
		if (!len)
			error = -EIO;
	} else if (req->reply.type == RPCRDMA_ERROR) {
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_ERRORS_RECEIVED);
	}
	if (error)
		r_xprt->legacy.bad_replies++;
	trace_xprtrdma_complete(req->reply.recv->conn, req->rqst.rq_xid, len,
				resend ? -EAGAIN : error);
	rpcrdma_recv_repost(req->reply.recv);

	spin_lock(&xprt->queue_lock);
	if (resend)
		xprtrdma_reply_resend(req);
	else if (error)
		xprtrdma_reply_fail(req, error);
	else
		xprtrdma_reply_wake(r_xprt, req, len);
	xprtrdma_req_unhold(req);
	xprtrdma_req_unpin(req);
	spin_unlock(&xprt->queue_lock);
}

/**
 * xprtrdma_timer - ops->timer: an RPC has waited too long for its Reply
 * @xprt: transport
 * @task: its task
 *
 * RDMA connections need not have a keep-alive, so this is how a dead server is
 * noticed (ULB-KA-05); on a living connection nothing is ever sent twice
 * (ULB-KA-09). A task that comes late with it must not hit the next connection,
 * and one whose Reply has come in the same moment none at all.
 * sunrpc may encode the Call again at once, for it does not wait for the end
 * of the connection: see request.c.
 *
 * Context: RPC task; does not sleep.
 */
void xprtrdma_timer(struct rpc_xprt *xprt, struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);
	bool over;

	spin_lock(&xprt->queue_lock);
	over = req->error || rqst->rq_reply_bytes_recvd;
	if (!over)
		xprtrdma_req_hold(req);
	spin_unlock(&xprt->queue_lock);
	if (!over && rqst->rq_connect_cookie == READ_ONCE(xprt->connect_cookie))
		xprt_force_disconnect(xprt);
}

/* What sunrpc does when a task wakes up on its own queue */
static void xprtrdma_wait_over(struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;

	if (task->tk_status != -ETIMEDOUT)
		return;
	if (rqst->rq_reply_bytes_recvd)
		task->tk_status = 0;
	else
		xprtrdma_timer(rqst->rq_xprt, task);
}

static unsigned long xprtrdma_wait_deadline(const struct rpc_rqst *rqst)
{
	unsigned long minor = jiffies + rqst->rq_timeout;

	return time_before(minor, rqst->rq_majortimeo) ? minor :
							 rqst->rq_majortimeo;
}

/**
 * xprtrdma_wait_for_reply - ops->wait_for_reply_request: sleep until the Reply
 * @task: task whose Call has been sent
 *
 * Context: RPC task; holds xprt->queue_lock.
 */
void xprtrdma_wait_for_reply(struct rpc_task *task)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(task->tk_rqstp);
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	/* It may have been given XPRT_LOCKED while another task sent its Call */
	spin_lock(&xprt->transport_lock);
	xprt_release_xprt_cong(xprt, task);
	spin_unlock(&xprt->transport_lock);

	if (req->resend)
		req->rqst.rq_connect_cookie = xprt->connect_cookie - 1;
	if (req->error)
		task->tk_status = req->error;
	else if (xprtrdma_req_exposed(req))
		rpc_sleep_on_timeout(&r_xprt->exposed, task, xprtrdma_wait_over,
				     xprtrdma_wait_deadline(&req->rqst));
	else
		xprt_wait_for_reply_request_def(task);
}
