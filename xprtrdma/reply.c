// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receive path: from a message to the end of an RPC.
 *
 * What arrives is hostile. The order of checks is that of "Requester receive
 * path" in the requirements: the message is decoded, its direction found, the
 * request looked up by XID and pinned, and the header compared with what the
 * Call offered. A message that fails is dropped and counted; its receive buffer
 * is posted again, and the RPC goes on waiting (V1-ERR-04, T-14, T-15).
 *
 * After that the Reply is accepted: it brings its grant, and the RPC will end.
 * First the memory of the request must be shut off from the server (request.c),
 * which may take another completion or two; until then the receive buffer is
 * kept. Only then is anything copied out of it (V1-MEM-02, V1-MEM-03).
 *
 * An RDMA_ERROR ends the RPC with an errno at once (V1-ERR-09). sunrpc has no
 * call for that: setting tk_status works only while the task sleeps on its
 * Reply, and a task that has not come to that yet would see no error, find no
 * Reply, and send again. So the errno stays in the request, and ops->
 * wait_for_reply_request, under the same lock, does not let the task fall
 * asleep.
 */
#include <rpcrdma/credit.h>
#include "xprtrdma.h"

static void xprtrdma_drop(struct xprtrdma_xprt *sx, struct rpcrdma_recv *recv,
			  enum rpcrdma_reason reason)
{
	__be32 xid = recv->len < RPCRDMA_FIXED_SIZE ? 0 : sx->rx_msg.xid;

	rpcrdma_conn_refuse(recv->conn, reason, xid);
	rpcrdma_count(&sx->stats, RPCRDMA_C_DROPPED);
	sx->tally.bad_replies++;
	rpcrdma_recv_done(recv);
}

/* Look up the request, and pin it so that sunrpc cannot take it away */
static struct xprtrdma_req *xprtrdma_reply_find(struct xprtrdma_xprt *sx,
						struct rpcrdma_conn *conn,
						__be32 xid)
{
	struct rpc_xprt *xprt = &sx->xprt;
	struct xprtrdma_req *req = NULL;
	struct rpc_rqst *rqst;

	spin_lock(&xprt->queue_lock);
	rqst = xprt_lookup_rqst(xprt, xid);
	if (rqst) {
		req = xprtrdma_from_rqst(rqst);
		/* Not sent yet on this connection, or answered already */
		if (smp_load_acquire(&req->sent) != conn)
			req = NULL;
	}
	if (req) {
		WRITE_ONCE(req->sent, NULL);
		xprt_pin_rqst(rqst);
		req->pinned = true;
	}
	spin_unlock(&xprt->queue_lock);
	return req;
}

/* The Reply was no good: the request waits for another one */
static void xprtrdma_reply_forget(struct xprtrdma_xprt *sx,
				  struct rpcrdma_conn *conn,
				  struct xprtrdma_req *req)
{
	spin_lock(&sx->xprt.queue_lock);
	WRITE_ONCE(req->sent, conn);
	xprtrdma_req_unpin(req);
	spin_unlock(&sx->xprt.queue_lock);
}

/*
 * A Reply to nobody. It is the server's fault only if no Call of that XID was
 * sent; one that was canceled leaves the same picture, so this is not logged.
 */
static void xprtrdma_reply_stray(struct xprtrdma_xprt *sx,
				 struct rpcrdma_recv *recv)
{
	if (recv->invalidated && xprtrdma_mr_in_use(sx, recv->inv_rkey)) {
		rpcrdma_conn_refuse(recv->conn, RPCRDMA_R_BAD_INVALIDATION,
				    sx->rx_msg.xid);
		rpcrdma_conn_close(recv->conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	}
	if (!xprtrdma_window_adopt(sx, recv->conn, sx->rx_msg.xid)) {
		rpcrdma_count_refused(&sx->stats, RPCRDMA_R_UNKNOWN_XID);
		rpcrdma_count(&sx->stats, RPCRDMA_C_DROPPED);
	}
	rpcrdma_recv_done(recv);
}

static enum rpcrdma_reason xprtrdma_reply_check(const struct rpcrdma_msg *msg,
						const struct rpcrdma_msg *call,
						const struct rpcrdma_recv *recv)
{
	enum rpcrdma_reason reason;

	if (msg->type == RPCRDMA_ERROR)
		return RPCRDMA_OK;
	reason = rpcrdma_reply_check(msg, call);
	if (reason || msg->type != RPCRDMA_MSG)
		return reason;
	return rpcrdma_payload_check(msg->xid,
				     recv->buf.data + msg->header_size,
				     recv->len - msg->header_size);
}

/*
 * A result that was fit for the Write chunk came inline: that must end the RPC
 * with an error (V1-DDP-08). It shows if nothing is in the chunk, and more
 * inline than a Reply without that result can have.
 */
static bool xprtrdma_reply_unreduced(const struct xprtrdma_req *req,
				     const struct xprtrdma_answer *answer)
{
	const struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;

	return answer->type == RPCRDMA_MSG && req->msg.nwrites &&
	       !answer->written &&
	       answer->recv->len - answer->offset > xdr->head[0].iov_len;
}

static int xprtrdma_reply_error(const struct rpcrdma_msg *msg)
{
	if (msg->type != RPCRDMA_ERROR)
		return 0;
	return msg->err == RPCRDMA_ERR_VERS ? -EREMOTEIO : -EIO;
}

static void xprtrdma_reply_note(struct xprtrdma_req *req,
				const struct rpcrdma_msg *msg,
				struct rpcrdma_recv *recv)
{
	struct xprtrdma_answer *answer = &req->answer;

	*answer = (struct xprtrdma_answer) {
		.recv	= recv,
		.type	= msg->type,
		.error	= xprtrdma_reply_error(msg),
		.offset	= msg->header_size,
	};
	/* No more than was offered, so it fits */
	if (msg->nwrites)
		answer->written = rpcrdma_chunk_length(msg, &msg->writes[0]);
	if (msg->has_reply)
		answer->in_chunk = rpcrdma_chunk_length(msg, &msg->reply);
	if (xprtrdma_reply_unreduced(req, answer))
		answer->error = -EIO;
}

/* The handle must be one of this very request (V1-MEM-21, T-41) */
static bool xprtrdma_reply_invalidated(struct xprtrdma_xprt *sx,
				       struct xprtrdma_req *req,
				       struct rpcrdma_recv *recv)
{
	if (!recv->invalidated)
		return true;
	if (!xprtrdma_mr_invalidated(req, recv->inv_rkey))
		return false;
	rpcrdma_count(&sx->stats, RPCRDMA_C_REMOTE_INVS);
	return true;
}

/* A Reply in our version, or an RDMA_ERROR in any (T-03) */
static void xprtrdma_reply(struct xprtrdma_xprt *sx, struct rpcrdma_conn *conn,
			   struct rpcrdma_recv *recv)
{
	struct rpcrdma_msg *msg = &sx->rx_msg;
	enum rpcrdma_reason reason;
	struct xprtrdma_req *req;

	req = xprtrdma_reply_find(sx, conn, msg->xid);
	if (!req) {
		xprtrdma_reply_stray(sx, recv);
		return;
	}
	reason = xprtrdma_reply_check(msg, &req->msg, recv);
	if (!xprtrdma_reply_invalidated(sx, req, recv)) {
		reason = RPCRDMA_R_BAD_INVALIDATION;
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	}
	if (reason) {
		xprtrdma_reply_forget(sx, conn, req);
		xprtrdma_drop(sx, recv, reason);
		return;
	}

	xprtrdma_reply_note(req, msg, recv);
	xprtrdma_window_set(sx, rpcrdma_credit_window(conn->limits.credits,
						      msg->credits));
	/* The connection is of use: if it goes, the next one may come at once */
	sx->xprt.reestablish_timeout = 0;
	xprtrdma_req_replied(req);
}

/**
 * xprtrdma_received - a message has arrived
 * @conn: connection
 * @recv: receive buffer with the message
 *
 * Context: receive path; serial for each connection.
 */
void xprtrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv)
{
	struct xprtrdma_xprt *sx = conn->owner;
	struct rpcrdma_msg *msg = &sx->rx_msg;
	enum rpcrdma_reason reason;

	rpcrdma_msg_init(msg, sx->rx_segs, ARRAY_SIZE(sx->rx_segs));
	reason = rpcrdma_msg_decode(msg, recv->buf.data, recv->len);
	if (!reason && msg->type != RPCRDMA_ERROR &&
	    msg->vers != sx->codec->version)
		reason = RPCRDMA_R_VERS;
	if (reason) {
		xprtrdma_drop(sx, recv, reason);
		return;
	}

	switch (rpcrdma_msg_direction(msg, recv->buf.data + msg->header_size,
				      recv->len - msg->header_size)) {
	case RPCRDMA_DIR_CALL:
		xprtrdma_reverse_call(sx, conn, recv);
		break;
	case RPCRDMA_DIR_REPLY:
		xprtrdma_reply(sx, conn, recv);
		break;
	case RPCRDMA_DIR_UNKNOWN:
		xprtrdma_drop(sx, recv, msg->type == RPCRDMA_NOMSG ?
			      RPCRDMA_R_REPLY_FORM : RPCRDMA_R_MSG_TYPE);
		break;
	}
}

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
static u32 xprtrdma_place_inline(struct xprtrdma_xprt *sx, struct xdr_buf *xdr,
				 void *payload, u32 len)
{
	u32 head = xdr->head[0].iov_len;

	len = min_t(u32, len, head + xdr->page_len + xdr->tail[0].iov_len);
	if (write_bytes_to_xdr_buf(xdr, 0, payload, len))
		return 0;
	if (len > head)
		rpcrdma_count_add(&sx->stats, RPCRDMA_C_FIXUP_BYTES,
				  min_t(u32, len - head, xdr->page_len));
	return len;
}

static u32 xprtrdma_place_msg(struct xprtrdma_xprt *sx,
			      struct xprtrdma_req *req)
{
	const struct xprtrdma_answer *answer = &req->answer;
	void *payload = answer->recv->buf.data + answer->offset;
	u32 len = answer->recv->len - answer->offset;
	struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;

	rpcrdma_count(&sx->stats, RPCRDMA_C_REPLIES_INLINE);
	if (!req->msg.nwrites)
		return xprtrdma_place_inline(sx, xdr, payload, len);
	rpcrdma_count_add(&sx->stats, RPCRDMA_C_WRITE_BYTES, answer->written);
	return xprtrdma_place_reduced(xdr, payload, len, answer->written);
}

/*
 * The payload is in the memory that the Reply chunk names. Its XID can be read
 * only now (T-08).
 */
static u32 xprtrdma_place_nomsg(struct xprtrdma_xprt *sx,
				struct xprtrdma_req *req)
{
	const struct xprtrdma_answer *answer = &req->answer;
	const struct kvec *head = &req->rqst.rq_rcv_buf.head[0];
	enum rpcrdma_reason reason;

	reason = rpcrdma_payload_check(req->rqst.rq_xid, head->iov_base,
				       min_t(u32, answer->in_chunk,
					     head->iov_len));
	if (reason) {
		rpcrdma_conn_refuse(answer->recv->conn, reason,
				    req->rqst.rq_xid);
		return 0;
	}
	rpcrdma_count(&sx->stats, RPCRDMA_C_REPLIES_LONG);
	rpcrdma_count_add(&sx->stats, RPCRDMA_C_REPLY_BYTES, answer->in_chunk);
	return answer->in_chunk;
}

/* Bytes of the Reply in rq_rcv_buf, or 0 if it is not one */
static u32 xprtrdma_reply_place(struct xprtrdma_xprt *sx,
				struct xprtrdma_req *req)
{
	struct rpc_rqst *rqst = &req->rqst;
	u32 len;

	if (req->answer.type == RPCRDMA_MSG)
		len = xprtrdma_place_msg(sx, req);
	else
		len = xprtrdma_place_nomsg(sx, req);
	/* sunrpc compares the two */
	memcpy(&rqst->rq_private_buf, &rqst->rq_rcv_buf,
	       sizeof(rqst->rq_private_buf));
	return len;
}

/* Holds xprt->queue_lock */
static void xprtrdma_reply_fail(struct xprtrdma_req *req, int error)
{
	struct rpc_xprt *xprt = req->rqst.rq_xprt;
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);
	struct rpc_task *task = req->rqst.rq_task;

	req->error = error;
	if (RPC_IS_QUEUED(task) && (task->tk_waitqueue == &xprt->pending ||
				    task->tk_waitqueue == &sx->exposed)) {
		task->tk_status = error;
		rpc_wake_up_queued_task(task->tk_waitqueue, task);
	}
}

/* Holds xprt->queue_lock */
static void xprtrdma_reply_wake(struct xprtrdma_xprt *sx,
				struct xprtrdma_req *req, u32 len)
{
	struct rpc_task *task = req->rqst.rq_task;

	xprt_complete_rqst(task, len);
	rpc_wake_up_queued_task(&sx->exposed, task);
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
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);
	int error = req->answer.error;
	u32 len = 0;

	if (!error) {
		len = xprtrdma_reply_place(sx, req);
		if (!len)
			error = -EIO;
	} else if (req->answer.type == RPCRDMA_ERROR) {
		rpcrdma_count(&sx->stats, RPCRDMA_C_ERRORS_RECEIVED);
	}
	if (error)
		sx->tally.bad_replies++;
	rpcrdma_recv_done(req->answer.recv);

	spin_lock(&xprt->queue_lock);
	if (error)
		xprtrdma_reply_fail(req, error);
	else
		xprtrdma_reply_wake(sx, req, len);
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
 * (ULB-KA-09). A task that comes late with it must not hit the next connection.
 * sunrpc may encode the Call again at once, for it does not wait for the end
 * of the connection: see request.c.
 *
 * Context: RPC task; does not sleep.
 */
void xprtrdma_timer(struct rpc_xprt *xprt, struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;

	spin_lock(&xprt->queue_lock);
	xprtrdma_req_hold(xprtrdma_from_rqst(rqst));
	spin_unlock(&xprt->queue_lock);
	if (rqst->rq_connect_cookie == READ_ONCE(xprt->connect_cookie))
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

static unsigned long xprtrdma_wait_until(const struct rpc_rqst *rqst)
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
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);

	/* It may have been given XPRT_LOCKED while another task sent its Call */
	spin_lock(&xprt->transport_lock);
	xprt_release_xprt_cong(xprt, task);
	spin_unlock(&xprt->transport_lock);

	if (req->error)
		task->tk_status = req->error;
	else if (xprtrdma_req_exposed(req))
		rpc_sleep_on_timeout(&sx->exposed, task, xprtrdma_wait_over,
				     xprtrdma_wait_until(&req->rqst));
	else
		xprt_wait_for_reply_request_def(task);
}
