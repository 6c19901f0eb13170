// SPDX-License-Identifier: GPL-2.0-only
/*
 * Version 2 only: fixing the version of a connection, and CONNPROP, the message by
 * which client and server exchange connection properties.
 *
 * The answer to a CONNPROP is sent from the receive path, because all RPCs of the
 * client wait for it: it must not wait for an nfsd thread. The exception is a send
 * queue without an available slot: then an nfsd thread waits for one.
 */
#include <linux/sched/mm.h>
#include "../svcrdma.h"

/**
 * svcrdma_negotiate_settle - fix the version of a connection
 * @conn: connection whose version is not fixed
 * @version: version of a message from the client; may be one that is not supported
 *
 * Context: receive path.
 */
void svcrdma_negotiate_settle(struct rpcrdma_conn *conn, u32 version)
{
	rpcrdma_negotiate_settle(&conn->negotiation, version);
	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		rpcrdma_conn_apply_version(conn);
}

/* The caller has reserved one send queue slot */
static int svcrdma_connprop_send(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	struct rpcrdma_conn *conn = rdma->conn;
	struct svcrdma_send *send;
	struct rpcrdma_props own;
	struct rpcrdma_msg reply;
	int len;

	send = svcrdma_send_try_get(rdma);
	if (!send) {
		rpcrdma_sendq_release(conn, 1);
		return -ENOMEM;
	}
	rpcrdma_conn_props(conn, &own);
	rpcrdma_negotiate_reply(&reply, &req->msg, &own,
				svcrdma_credit_grant(rdma, req->msg.credits));
	len = conn->codec->encode(&reply, send->send.buf.data,
				  RPCRDMA_V2_CONNPROP_MAX);
	svcrdma_req_repost_recv(req);
	if (len < 0) {
		rpcrdma_send_put(&send->send);
		rpcrdma_sendq_release(conn, 1);
		return len;
	}
	return svcrdma_send_post(send, len, 0);
}

/* @error: from reserving a send queue slot */
static void svcrdma_connprop_answer(struct svcrdma_req *req, int error)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	int ret = error ?: svcrdma_connprop_send(req);

	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_ANSWER, ret);
	svcrdma_req_put(req);
}

/**
 * svcrdma_connprop - process a CONNPROP of a client
 * @req: request with the decoded CONNPROP; the caller's only after an error
 *
 * Context: receive path; may sleep for memory.
 * Return: RPCRDMA_OK if the CONNPROP is or will be answered, or if the connection is
 * closing because no answer can be sent; otherwise the reason to refuse it.
 */
enum rpcrdma_reason svcrdma_connprop(struct svcrdma_req *req)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	enum rpcrdma_reason reason;
	unsigned int nofs;
	int ret;

	reason = rpcrdma_negotiate_connprop(&conn->negotiation, &req->msg);
	if (reason != RPCRDMA_OK)
		return reason;
	rpcrdma_conn_apply_version(conn);
	ret = rpcrdma_sendq_try_reserve(conn, 1);
	if (ret == -ENOBUFS) {
		svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_CONNPROP);
		return RPCRDMA_OK;
	}
	nofs = memalloc_nofs_save();
	svcrdma_connprop_answer(req, ret);
	memalloc_nofs_restore(nofs);
	return RPCRDMA_OK;
}

/**
 * svcrdma_connprop_wait - wait for a send queue slot, then answer a CONNPROP
 * @req: request with an accepted CONNPROP; no longer the caller's afterwards
 *
 * Context: nfsd thread, connection entered; may sleep; the caller keeps reclaim
 * out of the file system.
 */
void svcrdma_connprop_wait(struct svcrdma_req *req)
{
	svcrdma_connprop_answer(req, rpcrdma_sendq_reserve(req->rdma->conn, 1));
}
