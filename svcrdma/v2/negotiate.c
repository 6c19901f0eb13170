// SPDX-License-Identifier: GPL-2.0-only
/*
 * Version 2 only: fixing the version of a connection, and CONNPROP, the message by
 * which client and server exchange connection properties.
 *
 * The answer to a CONNPROP is sent from the receive path, because all RPCs of the
 * client wait for it: it must not wait for an nfsd thread. The exception is a connection
 * without memory, or with answers that wait for send queue slots: then an nfsd thread sends
 * it later, and it keeps its credit until then.
 */
#include <linux/sched/mm.h>
#include "../request.h"
#include "../rw.h"
#include "../send.h"
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

static int svcrdma_connprop_send(struct svcrdma_req *req)
{
	struct svcrdma_send *send = svcrdma_send_reserved(req);
	struct rpcrdma_conn *conn = req->rdma->conn;
	struct rpcrdma_props own;
	struct rpcrdma_msg reply;
	int len;

	rpcrdma_conn_props(conn, &own);
	rpcrdma_negotiate_reply(&reply, &req->msg, &own,
				svcrdma_credit_grant(req->rdma, req->msg.credits));
	len = conn->codec->encode(&reply, send->send.buf.data,
				  RPCRDMA_V2_CONNPROP_MAX);
	svcrdma_req_repost_recv(req);
	/* After an error the connection closes, and the Send is left to the teardown */
	return len < 0 ? len : svcrdma_send_answer(send, len, 0);
}

/**
 * svcrdma_connprop_answer - answer a CONNPROP
 * @req: request with an accepted CONNPROP and a reserved Send; no longer the caller's
 *	 afterwards
 *
 * Context: receive path or nfsd thread, connection entered; does not sleep.
 */
void svcrdma_connprop_answer(struct svcrdma_req *req)
{
	int ret = svcrdma_connprop_send(req);

	if (ret)
		rpcrdma_conn_close(req->rdma->conn, RPCRDMA_CLOSE_NO_ANSWER, ret);
	svcrdma_req_put(req);
}

/**
 * svcrdma_connprop - process a CONNPROP of a client
 * @req: request with the decoded CONNPROP; the caller's only after an error
 *
 * Context: receive path; may reclaim memory once.
 * Return: RPCRDMA_OK if the CONNPROP is or will be answered, or if the connection is
 * closing because no answer can be sent; otherwise the reason to refuse it.
 */
enum rpcrdma_reason svcrdma_connprop(struct svcrdma_req *req)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	enum rpcrdma_reason reason;
	unsigned int nofs;
	bool now;

	reason = rpcrdma_negotiate_connprop(&conn->negotiation, &req->msg);
	if (reason != RPCRDMA_OK)
		return reason;
	rpcrdma_conn_apply_version(conn);
	nofs = memalloc_nofs_save();
	now = !svcrdma_slot_waiting(req->rdma) && svcrdma_send_reserve(req);
	memalloc_nofs_restore(nofs);
	if (now)
		svcrdma_connprop_answer(req);
	else
		svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_CONNPROP);
	return RPCRDMA_OK;
}
