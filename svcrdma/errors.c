// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA_ERROR: what a client gets instead of a Reply.
 *
 * A version that is not taken draws ERR_VERS with that version in its header
 * (T-03); which error all else draws is for the codec to say. Like a Reply it
 * carries a grant (V1-ERR-23) and is the one Send that answers its Call.
 */
#include <trace/events/svcrdma.h>
#include "svcrdma.h"

/**
 * svcrdma_error_encode - write an RDMA_ERROR
 * @req: request to be answered; its msg need not have been decoded completely
 * @reason: why it is refused
 * @plan: plan of a Reply that cannot be sent, or NULL
 * @buf: where to write
 * @len: room there, bytes
 *
 * Context: any.
 * Return: bytes written, or -EMSGSIZE.
 */
int svcrdma_error_encode(struct svcrdma_req *req, enum rpcrdma_reason reason,
			 const struct svcrdma_reply_plan *plan,
			 void *buf, size_t len)
{
	const struct rpcrdma_conn *conn = req->rdma->conn;
	struct rpcrdma_msg err;

	rpcrdma_msg_refuse(&err, &req->msg,
			   rpcrdma_negotiate_versions(&conn->negotiation),
			   reason);
	if (plan) {
		err.err_index = plan->chunk_index;
		err.err_length = plan->needed;
	}
	/* What was asked for may be of the other direction (T-45) */
	err.credits = svcrdma_credit_grant(req->rdma, req->rdma->credits);
	trace_svcrdma_error(conn, req->msg.xid, reason);
	rpcrdma_count(conn->stats, RPCRDMA_C_ERRORS_SENT);
	return rpcrdma_error_encode(&err, buf, len);
}

/**
 * svcrdma_error_send - answer a request with an RDMA_ERROR
 * @req: request, with the reason in @req->refused; stays the caller's
 *
 * Context: nfsd thread, connection entered; may sleep; the caller keeps reclaim
 * out of the file system.
 * Return: 0; -ENOMEM, -ENOTCONN or what the device said, and the connection has
 * to go.
 */
int svcrdma_error_send(struct svcrdma_req *req)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	struct svcrdma_send *send;
	int len, ret;

	send = svcrdma_send_get(req->rdma);
	if (!send)
		return -ENOMEM;
	len = svcrdma_error_encode(req, req->refused, NULL, send->send.buf.data,
				   conn->inline_send);
	svcrdma_req_repost_recv(req);
	ret = len < 0 ? len : rpcrdma_sendq_reserve(conn, 1);
	if (ret) {
		rpcrdma_send_put(&send->send);
		return ret;
	}
	return svcrdma_send_post(send, len, 0);
}
