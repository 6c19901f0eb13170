// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA_ERROR, the answer to a Call that is refused.
 *
 * An unsupported version draws ERR_VERS, with that version in its header. The codec
 * chooses the error for other reasons. Like a Reply, an RDMA_ERROR carries a grant, RFC
 * 8166 3.3.1 (V1-ERR-23), and is the only Send that answers its Call.
 */
#include <trace/events/svcrdma.h>
#include "request.h"
#include "send.h"
#include "svcrdma.h"

/**
 * svcrdma_error_encode - encode an RDMA_ERROR
 * @req: request that is refused; its msg may be decoded in part only
 * @reason: reason to refuse it
 * @plan: plan of a Reply that cannot be sent, or NULL
 * @buf: buffer to write to
 * @len: size of @buf, bytes
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
	/* The direction is unknown, so ignore the credits that the message asks for */
	err.credits = svcrdma_credit_grant_error(req->rdma);
	trace_svcrdma_error(conn, req->msg.xid, reason);
	rpcrdma_count(conn->stats, RPCRDMA_C_ERRORS_SENT);
	return rpcrdma_error_encode(&err, buf, len);
}

/**
 * svcrdma_error_send - answer a request with an RDMA_ERROR
 * @req: request with the reason in its refused field, and a reserved Send; stays the
 *	 caller's
 *
 * Context: nfsd thread, connection entered; does not sleep.
 * Return: 0; or -EMSGSIZE, -ENOTCONN or an error of the device, and the caller must
 * close the connection.
 */
int svcrdma_error_send(struct svcrdma_req *req)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	struct svcrdma_send *send = svcrdma_send_reserved(req);
	int len;

	len = svcrdma_error_encode(req, req->refused, NULL, send->send.buf.data,
				   conn->inline_send);
	svcrdma_req_repost_recv(req);
	/* After an error the connection closes, and the Send is left to the teardown */
	return len < 0 ? len : svcrdma_send_answer(send, len, 0);
}
