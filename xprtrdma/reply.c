// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receive path: from a received message to an accepted Reply.
 *
 * What arrives is not trusted. A message is decoded, its direction is
 * determined, and its request is found by XID and pinned. A message that fails
 * until then, or whose payload is not that of the request, is dropped and
 * counted, its receive buffer is posted again, and the RPC keeps waiting:
 * RFC 8166 4.5 (V1-ERR-04).
 *
 * Any other Reply is accepted: its grant takes effect, and the RPC will
 * end. Its header is compared with what the Call offered. If a difference could
 * mean that data is missing or elsewhere, nothing of the Reply is used, and the
 * RPC ends with -EIO: the server would answer the same Call in the same way
 * again, and a hard mount would never go on: RFC 8166 4.5 (T-15).
 *
 * First the server must lose access to the memory of the request
 * (req_memory.c). That may take further completions, and the receive buffer is
 * kept until then. How the RPC ends is in complete.c.
 */
#include <linux/limits.h>
#include <linux/nfs.h>
#include <linux/nfs4.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/**
 * xprtrdma_count_drop - a received message was not handled
 * @r_xprt: transport
 *
 * It may have been the Reply that a Call waits for, also if it claims to be a Call: the Call waits
 * no longer than a limit then.
 *
 * Context: receive path; serial for each connection.
 */
void xprtrdma_count_drop(struct xprtrdma_xprt *r_xprt)
{
	WRITE_ONCE(r_xprt->drops, r_xprt->drops + 1);
}

static void xprtrdma_drop(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_recv *recv, enum rpcrdma_reason reason)
{
	__be32 xid = recv->len < RPCRDMA_FIXED_SIZE ? 0 : r_xprt->rx_msg.xid;

	rpcrdma_report_reason(recv->conn, reason, xid);
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_DROPPED);
	r_xprt->legacy.bad_replies++;
	xprtrdma_count_drop(r_xprt);
	rpcrdma_recv_repost(recv);
}

/* Find the request of a Reply and pin it, so that sunrpc cannot free it */
static struct xprtrdma_req *xprtrdma_reply_find(struct xprtrdma_xprt *r_xprt,
						struct rpcrdma_conn *conn,
						__be32 xid)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	struct xprtrdma_req *req = NULL;
	struct rpc_rqst *rqst;

	spin_lock(&xprt->queue_lock);
	rqst = xprt_lookup_rqst(xprt, xid);
	if (rqst) {
		req = xprtrdma_from_rqst(rqst);
		/*
		 * Not if it was not sent on this connection, or has a Reply.
		 * Pairs with rpcrdma_sendq_post_locked(): what was written
		 * before the Call was posted, such as req->msg, is visible
		 * here.
		 */
		if (smp_load_acquire(&req->posted_on) != conn)
			req = NULL;
	}
	if (req) {
		WRITE_ONCE(req->posted_on, NULL);
		xprt_pin_rqst(rqst);
		WRITE_ONCE(req->pinned, true);
	}
	spin_unlock(&xprt->queue_lock);
	return req;
}

/* The Reply is dropped: the request waits for another one */
static void xprtrdma_reply_forget(struct xprtrdma_xprt *r_xprt,
				  struct rpcrdma_conn *conn,
				  struct xprtrdma_req *req)
{
	spin_lock(&r_xprt->xprt.queue_lock);
	WRITE_ONCE(req->posted_on, conn);
	xprtrdma_req_unpin(req);
	spin_unlock(&r_xprt->xprt.queue_lock);
}

/*
 * Does the message carry a grant? Errors of version 2 do not:
 * rpcrdma-version-two-09 5.3.3 (V2-ERR-05).
 */
static bool xprtrdma_reply_grants(const struct rpcrdma_conn *conn,
				  const struct rpcrdma_msg *msg)
{
	return msg->type != RPCRDMA_ERROR || !conn->codec->properties;
}

/*
 * No request waits for this Reply. It may belong to an abandoned Call;
 * otherwise the server has sent a second Reply, or a Reply without a Call.
 */
static void xprtrdma_reply_unmatched(struct xprtrdma_xprt *r_xprt,
				     struct rpcrdma_recv *recv)
{
	const struct rpcrdma_msg *msg = &r_xprt->rx_msg;
	u32 grant = READ_ONCE(r_xprt->credits.window);

	if (xprtrdma_reply_grants(recv->conn, msg))
		grant = msg->credits;
	if (recv->invalidated &&
	    xprtrdma_mr_bad_invalidation(r_xprt, recv->inv_rkey, msg->xid)) {
		rpcrdma_report_reason(recv->conn, RPCRDMA_R_BAD_INVALIDATION,
				      msg->xid);
		rpcrdma_conn_close(recv->conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	}
	if (xprtrdma_first_call_replied(r_xprt, recv->conn) ||
	    xprtrdma_credits_reclaim(r_xprt, recv->conn, msg->xid, grant)) {
		rpcrdma_recv_repost(recv);
		xprtrdma_credits_wake(r_xprt);
		return;
	}
	xprtrdma_drop(r_xprt, recv, msg->type == RPCRDMA_ERROR ?
		      RPCRDMA_R_UNEXPECTED_ERROR : RPCRDMA_R_UNKNOWN_XID);
}

/*
 * Is an inline payload a Reply to the Call that the header names? An ERR_VERS after
 * which the client must negotiate again is no answer to a Call.
 */
static enum rpcrdma_reason
xprtrdma_reply_payload_check(const struct rpcrdma_msg *msg,
			     struct rpcrdma_recv *recv)
{
	const void *payload = recv->buf.data + msg->header_size;
	u32 len = recv->len - msg->header_size;
	enum rpcrdma_reason reason;

	if (msg->type == RPCRDMA_ERROR)
		return xprtrdma_negotiate_outdated(recv->conn, msg) ?
		       RPCRDMA_R_VERS : RPCRDMA_OK;
	if (msg->type != RPCRDMA_MSG)
		return RPCRDMA_OK;
	reason = rpcrdma_payload_check(msg->xid, payload, len);
	/* rpcrdma-version-two-09 3.2 (V2-HDR-17) */
	if (!reason &&
	    rpcrdma_payload_direction(payload, len) != RPCRDMA_DIR_REPLY)
		reason = RPCRDMA_R_MSG_TYPE;
	return reason;
}

/*
 * The server did not use the Write chunk, but put the result inline. That ends
 * the RPC with an error: RFC 8166 6.1 (V1-DDP-08). The Write chunk is empty,
 * and the inline part is longer than a Reply without the result can be.
 */
static bool xprtrdma_reply_unreduced(const struct xprtrdma_req *req,
				     const struct xprtrdma_reply_info *info)
{
	const struct xdr_buf *xdr = &req->rqst.rq_rcv_buf;

	return info->type == RPCRDMA_MSG && req->msg.nwrites &&
	       !info->written &&
	       info->recv->len - info->offset > xdr->head[0].iov_len;
}

/*
 * May the Reply be larger than the memory for it? NFS requests an extended attribute or
 * an ACL without a limit. With TCP what is too much is cut off, and the decoder returns
 * -ERANGE, after which the application tries a larger buffer. Here the server
 * answers with an error, and there is no Reply to decode. To offer the memory would cost
 * a registration for each such Call; to send it again, as RFC 8267 3.1 (ULB-RTY-02)
 * permits, is up to NFS, since a session does not take the same Call twice.
 */
static bool xprtrdma_reply_outgrown(const struct rpc_rqst *rqst,
				    const struct rpcrdma_msg *msg)
{
	const struct rpc_task *task = rqst->rq_task;

	if (msg->err != RPCRDMA_ERR_CHUNK &&
	    msg->err != RPCRDMA_ERR_REPLY_RESOURCE)
		return false;
	if (task->tk_client->cl_prog != NFS_PROGRAM ||
	    task->tk_client->cl_vers != NFS4_VERSION ||
	    rqst->rq_rcv_buf.page_len >= XATTR_SIZE_MAX)
		return false;
	return task->tk_msg.rpc_proc->p_statidx == NFSPROC4_CLNT_GETXATTR ||
	       task->tk_msg.rpc_proc->p_statidx == NFSPROC4_CLNT_GETACL;
}

/*
 * Returns the errno if an RDMA_ERROR ends the RPC: RFC 8166 4.5 (V1-ERR-09),
 * RFC 8267 6.4.2 (ULB-CLX-10). Returns 0 if the Call is rebuilt and sent again.
 */
static int xprtrdma_reply_error(struct xprtrdma_req *req,
				const struct rpcrdma_msg *msg,
				const struct rpcrdma_conn *conn)
{
	int error;

	error = xprtrdma_retry(&req->retry, msg, &req->msg,
			       req->rqst.rq_rcv_buf.buflen);
	if (!error)
		return 0;
	if (xprtrdma_reply_outgrown(&req->rqst, msg))
		return -ERANGE;
	if (msg->err == RPCRDMA_ERR_VERS) {
		pr_warn_ratelimited("xprtrdma: %pISpc: XID %08x: the server supports versions %u to %u only\n",
				    &conn->peer, be32_to_cpu(msg->xid),
				    msg->vers_low, msg->vers_high);
		return error;
	}
	pr_warn_ratelimited("xprtrdma: %pISpc: XID %08x: the server answered RDMA_ERROR (code %d): the RPC ends with error %d\n",
			    &conn->peer, be32_to_cpu(msg->xid), msg->err,
			    error);
	return error;
}

/* Chunks or segments without data are missing, or there are more than offered */
static void xprtrdma_reply_inexact(struct xprtrdma_xprt *r_xprt,
				   const struct rpcrdma_conn *conn)
{
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_INEXACT);
	if (r_xprt->inexact_logged)
		return;
	r_xprt->inexact_logged = true;
	pr_info_ratelimited("xprtrdma: %pISpc: XID %08x: the Reply returns other chunk lists than were offered; accepted, because no data is in what differs\n",
			    &conn->peer, be32_to_cpu(r_xprt->rx_msg.xid));
}

/* Keep in @req what its completion needs to know of the Reply */
static void xprtrdma_reply_note(struct xprtrdma_xprt *r_xprt,
				struct xprtrdma_req *req,
				struct rpcrdma_recv *recv)
{
	const struct rpcrdma_msg *msg = &r_xprt->rx_msg;
	struct xprtrdma_reply_info *info = &req->reply;
	enum rpcrdma_reason reason;

	*info = (struct xprtrdma_reply_info) {
		.recv	= recv,
		.type	= msg->type,
		.offset	= msg->header_size,
	};
	if (msg->type == RPCRDMA_ERROR) {
		info->error = xprtrdma_reply_error(req, msg, recv->conn);
		info->retry = !info->error;
		return;
	}
	reason = rpcrdma_reply_check(msg, &req->msg);
	if (reason) {
		rpcrdma_report_reason(recv->conn, reason, msg->xid);
		info->error = -EIO;
		return;
	}
	if (unlikely(!rpcrdma_reply_exact(msg, &req->msg)))
		xprtrdma_reply_inexact(r_xprt, recv->conn);
	if (msg->nwrites)
		info->written = rpcrdma_chunk_length(msg, &msg->writes[0]);
	if (msg->has_reply)
		info->in_chunk = rpcrdma_chunk_length(msg, &msg->reply);
	if (xprtrdma_reply_unreduced(req, info)) {
		rpcrdma_report_reason(recv->conn, RPCRDMA_R_UNREDUCED, msg->xid);
		info->error = -EIO;
	}
}

/*
 * A handle that the server has invalidated must be one of this request:
 * RFC 8166 4.4.1 (V1-MEM-21). In version 2 it must be the one that the Call
 * named: rpcrdma-version-two-09 3.3 (V2-RI-07).
 */
static bool xprtrdma_reply_invalidated(struct xprtrdma_xprt *r_xprt,
				       struct xprtrdma_req *req,
				       struct rpcrdma_recv *recv)
{
	if (!recv->invalidated)
		return true;
	if (recv->conn->codec->properties &&
	    recv->inv_rkey != req->msg.inv_handle)
		return false;
	if (!xprtrdma_mr_invalidated(req, recv->inv_rkey))
		return false;
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_REMOTE_INVS);
	return true;
}

/* A Reply in the version of the connection, or an ERR_VERS in any version */
static void xprtrdma_reply(struct xprtrdma_xprt *r_xprt,
			   struct rpcrdma_conn *conn, struct rpcrdma_recv *recv)
{
	struct rpcrdma_msg *msg = &r_xprt->rx_msg;
	enum rpcrdma_reason reason;
	struct xprtrdma_req *req = NULL;

	/* The answer to a ping gives its credit back, and that is all */
	if (!xprtrdma_ping_answered(r_xprt, msg->xid))
		req = xprtrdma_reply_find(r_xprt, conn, msg->xid);
	if (!req) {
		xprtrdma_reply_unmatched(r_xprt, recv);
		return;
	}
	reason = xprtrdma_reply_payload_check(msg, recv);
	if (!xprtrdma_reply_invalidated(r_xprt, req, recv)) {
		reason = RPCRDMA_R_BAD_INVALIDATION;
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	}
	if (reason) {
		xprtrdma_reply_forget(r_xprt, conn, req);
		xprtrdma_drop(r_xprt, recv, reason);
		return;
	}

	trace_xprtrdma_reply(conn, msg, recv->len);
	xprtrdma_reply_note(r_xprt, req, recv);
	if (xprtrdma_reply_grants(conn, msg))
		xprtrdma_credits_granted(r_xprt, conn, msg->credits);
	if (msg->type != RPCRDMA_ERROR)
		rpcrdma_negotiate_used(&conn->negotiation);
	/* The connection works: if it is lost, reconnect at once. Senders read the cache line */
	if (READ_ONCE(r_xprt->xprt.reestablish_timeout))
		WRITE_ONCE(r_xprt->xprt.reestablish_timeout, 0);
	xprtrdma_req_replied(req);
}

/*
 * A message before the protocol version is known. Returns true if the caller
 * handles it as usual.
 */
static bool xprtrdma_version_message(struct xprtrdma_xprt *r_xprt,
				     struct rpcrdma_conn *conn,
				     struct rpcrdma_recv *recv)
{
	switch (xprtrdma_negotiate_received(r_xprt, conn, recv)) {
	case RPCRDMA_NEGOTIATE_IGNORED:
		xprtrdma_drop(r_xprt, recv, RPCRDMA_R_UNKNOWN_XID);
		return false;
	case RPCRDMA_NEGOTIATE_DONE_DELIVER:
		rpcrdma_msg_init(&r_xprt->rx_msg, r_xprt->rx_segs,
				 ARRAY_SIZE(r_xprt->rx_segs));
		return true;
	default:
		return false;
	}
}

/* Only a Call gets an error: rpcrdma-version-two-09 5.3.3 (V2-ERR-09) */
static void xprtrdma_refuse(struct xprtrdma_xprt *r_xprt,
			    struct rpcrdma_conn *conn,
			    struct rpcrdma_recv *recv,
			    enum rpcrdma_reason reason)
{
	if (r_xprt->rx_msg.dir != RPCRDMA_DIR_CALL) {
		xprtrdma_drop(r_xprt, recv, reason);
		return;
	}
	xprtrdma_count_drop(r_xprt);
	rpcrdma_report_reason(conn, reason, r_xprt->rx_msg.xid);
	rpcrdma_recv_repost(recv);
	xprtrdma_send_error(r_xprt, conn, reason);
}

/**
 * xprtrdma_received - handle a received message
 * @conn: connection
 * @recv: receive buffer with the message; posted again here or when its RPC ends
 *
 * Context: receive path; serial for each connection.
 */
void xprtrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;
	struct rpcrdma_msg *msg = &r_xprt->rx_msg;
	enum rpcrdma_reason reason;
	unsigned long versions;

	rpcrdma_msg_init(msg, r_xprt->rx_segs, ARRAY_SIZE(r_xprt->rx_segs));
	if (unlikely(conn->negotiation.state != RPCRDMA_NEGOTIATE_SETTLED) &&
	    !xprtrdma_version_message(r_xprt, conn, recv))
		return;
	versions = rpcrdma_negotiate_versions(&conn->negotiation);
	reason = rpcrdma_msg_decode(msg, versions, recv->buf.data, recv->len);
	if (!reason && msg->type == RPCRDMA_CONNPROP) {
		reason = xprtrdma_negotiate_connprop(r_xprt, conn);
		if (!reason) {
			rpcrdma_recv_repost(recv);
			return;
		}
	}
	if (reason) {
		xprtrdma_refuse(r_xprt, conn, recv, reason);
		return;
	}

	switch (rpcrdma_msg_direction(msg, recv->buf.data + msg->header_size,
				      recv->len - msg->header_size)) {
	case RPCRDMA_DIR_CALL:
		xprtrdma_reverse_call(r_xprt, conn, recv);
		break;
	case RPCRDMA_DIR_REPLY:
		xprtrdma_reply(r_xprt, conn, recv);
		break;
	case RPCRDMA_DIR_UNKNOWN:
		xprtrdma_drop(r_xprt, recv, msg->type == RPCRDMA_NOMSG ?
			      RPCRDMA_R_REPLY_FORM : RPCRDMA_R_MSG_TYPE);
		break;
	}
}
