// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version of a connection, which its client settles with its first message; and
 * CONNPROP: a client says what it can do, and is told what we can.
 *
 * The answer to that goes out from the receive path: it must not wait for an nfsd thread
 * (V2-CPR-11), and every RPC of the client waits for it. Only if the send queue is full,
 * which takes RPCs, a thread waits for room.
 */
#include <linux/sched/mm.h>
#include "svcrdma.h"

/**
 * svcrdma_version_decode - decode a message in a version that is taken
 * @req: request with a message that is no error; its msg is filled in
 *
 * The first message in such a version settles it (V2-NEG-21).
 *
 * Context: receive path.
 * Return: see rpcrdma_msg_decode().
 */
enum rpcrdma_reason svcrdma_version_decode(struct svcrdma_req *req)
{
	const struct rpcrdma_recv *recv = req->recv;
	struct rpcrdma_conn *conn = req->rdma->conn;
	enum rpcrdma_reason reason;
	unsigned long versions;

	versions = rpcrdma_negotiate_versions(&conn->negotiation);
	reason = rpcrdma_msg_decode(&req->msg, versions, recv->buf.data,
				    recv->len);
	if (reason == RPCRDMA_R_SHORT ||
	    conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		return reason;
	rpcrdma_negotiate_settle(&conn->negotiation, req->msg.vers);
	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		rpcrdma_conn_settled(conn);
	return reason;
}

/* Room for one Send is reserved */
static int svcrdma_connprop_send(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	struct rpcrdma_conn *conn = rdma->conn;
	struct svcrdma_send *send;
	struct rpcrdma_props own;
	struct rpcrdma_msg reply;
	int len;

	send = svcrdma_send_get(rdma);
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

static void svcrdma_connprop_answer(struct svcrdma_req *req, int slots)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	int ret = slots ?: svcrdma_connprop_send(req);

	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_MEMORY, ret);
	svcrdma_req_put(req);
}

/**
 * svcrdma_connprop - a client tells its properties
 * @req: request with a decoded CONNPROP
 *
 * Context: receive path.
 * Return: RPCRDMA_OK if it is answered, or if the connection is closing because no
 * answer can be sent: then @req is not the caller's any more; or the reason to refuse
 * it.
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
	rpcrdma_conn_settled(conn);
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
 * svcrdma_connprop_wait - answer a CONNPROP when the send queue has room
 * @req: request with an accepted CONNPROP; not the caller's any more
 *
 * Context: nfsd thread, connection entered; may sleep; the caller keeps reclaim
 * out of the file system.
 */
void svcrdma_connprop_wait(struct svcrdma_req *req)
{
	svcrdma_connprop_answer(req, rpcrdma_sendq_reserve(req->rdma->conn, 1));
}
