// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credits of a client: what it was granted, and whether it keeps to that.
 *
 * A Call is unanswered from its Receive until just before its answer is posted,
 * since a client may send the next Call as soon as it has the answer. A grant
 * that shrinks may cross Calls on their way (T-17), so a client is held to the
 * largest grant it was sent.
 *
 * Before the first answer a client may have one Call under way (V1-CRED-12). Not
 * all keep to that: the in-tree client sends again, at once, all that was
 * unanswered on the connection before. To refuse that would be the end of each
 * new connection in turn, so until then a client is held to what there are
 * Receives for.
 *
 * A client with more Calls under way is a danger to its own connection only: for
 * the next Call there may be no Receive (V1-CRED-17). Its connection goes.
 */
#include <rpcrdma/credit.h>
#include "svcrdma.h"

/**
 * svcrdma_credit_take - a Call has come
 * @req: the Call; not the caller's any more if it is one too many
 *
 * Context: completion handler.
 * Return: true if the client was granted that many; otherwise the connection
 * closes (V1-CRED-04, V1-SEC-15).
 */
bool svcrdma_credit_take(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	unsigned int limit = READ_ONCE(rdma->granted) ?: rdma->credits;

	req->counted = true;
	if (atomic_inc_return(&rdma->unanswered) <= limit)
		return true;
	/* One of them says it all */
	if (rpcrdma_conn_state(rdma->conn) < RPCRDMA_S_CLOSING)
		rpcrdma_conn_refuse(rdma->conn, RPCRDMA_R_CREDITS,
				    req->msg.xid);
	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	svcrdma_req_put(req);
	return false;
}

/**
 * svcrdma_credit_put - a message is about to be answered, or never will be
 * @req: request, whether it was counted or not
 *
 * Context: process context, does not sleep.
 */
void svcrdma_credit_put(struct svcrdma_req *req)
{
	if (!req->counted)
		return;
	req->counted = false;
	atomic_dec(&req->rdma->unanswered);
}

/**
 * svcrdma_credit_grant - what the next answer grants
 * @rdma: connection
 * @asked: what the client asks for; hostile
 *
 * Context: process context, does not sleep; before the answer is posted.
 * Return: credits, not 0 (V1-CRED-05).
 */
u32 svcrdma_credit_grant(struct svcrdma_xprt *rdma, u32 asked)
{
	u32 most = min(rdma->credits, READ_ONCE(rdma->ep.credits_limit));
	u32 grant = rpcrdma_credit_grant(asked, most);

	if (READ_ONCE(rdma->grant) != grant)
		WRITE_ONCE(rdma->grant, grant);

	if (grant > READ_ONCE(rdma->granted)) {
		spin_lock(&rdma->lock);
		if (grant > rdma->granted)
			WRITE_ONCE(rdma->granted, grant);
		spin_unlock(&rdma->lock);
	}
	return grant;
}
