// SPDX-License-Identifier: GPL-2.0-only
/*
 * The version of a connection, which its client settles with its first message; and
 * CONNPROP: a client says what it can do, and is told what we can.
 *
 * The answer to that goes out from the receive path: it must not wait for an nfsd thread
 * (V2-CPR-11), and every RPC of the client waits for it.
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
	struct rpcrdma_conn *conn = req->sx->conn;
	enum rpcrdma_reason reason;

	reason = rpcrdma_msg_decode(&req->msg,
				    rpcrdma_nego_versions(&conn->nego),
				    recv->buf.data, recv->len);
	if (reason == RPCRDMA_R_SHORT ||
	    conn->nego.state == RPCRDMA_NEGO_SETTLED)
		return reason;
	rpcrdma_nego_settle(&conn->nego, req->msg.vers);
	if (conn->nego.state == RPCRDMA_NEGO_SETTLED)
		rpcrdma_conn_settled(conn);
	return reason;
}

static int svcrdma_connprop_send(struct svcrdma_req *req)
{
	struct svcrdma_xprt *sx = req->sx;
	struct rpcrdma_conn *conn = sx->conn;
	struct svcrdma_send *send;
	struct rpcrdma_props own;
	struct rpcrdma_msg reply;
	int len, ret;

	send = svcrdma_send_get(sx);
	if (!send)
		return -ENOMEM;
	rpcrdma_conn_props(conn, &own);
	rpcrdma_nego_reply(&reply, &req->msg, &own,
			   svcrdma_credit_grant(sx, req->msg.credits));
	len = conn->codec->encode(&reply, send->buf.data, RPCRDMA_V2_PROBE_MAX);
	svcrdma_req_recv_done(req);
	ret = len < 0 ? len : rpcrdma_sendq_try(conn, 1);
	if (ret) {
		svcrdma_send_put(send);
		return ret;
	}
	return svcrdma_send_post(send, len, 0);
}

/**
 * svcrdma_connprop - a client tells its properties
 * @req: request with a decoded CONNPROP; stays the caller's
 *
 * Context: receive path.
 * Return: RPCRDMA_OK if it was answered; the reason to refuse it; or, if no
 * answer can be sent, RPCRDMA_OK too, and the connection is closing.
 */
enum rpcrdma_reason svcrdma_connprop(struct svcrdma_req *req)
{
	struct rpcrdma_conn *conn = req->sx->conn;
	enum rpcrdma_reason reason;
	unsigned int nofs;
	int ret;

	reason = rpcrdma_nego_connprop(&conn->nego, &req->msg);
	if (reason != RPCRDMA_OK)
		return reason;
	rpcrdma_conn_settled(conn);
	nofs = memalloc_nofs_save();
	ret = svcrdma_connprop_send(req);
	memalloc_nofs_restore(nofs);
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_MEMORY, ret);
	return RPCRDMA_OK;
}
