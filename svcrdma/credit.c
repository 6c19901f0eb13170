// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credits of a client: the grant, and whether the client keeps to it.
 *
 * A Call counts as unanswered from its Receive until just before its answer is
 * posted, because a client may send the next Call as soon as it has the answer.
 *
 * A grant that shrinks may cross Calls on the wire. So a client is held to the
 * largest grant that it has been sent.
 *
 * Before the first answer a client may have one Call under way: RFC 8166 3.3.3
 * (V1-CRED-12). The in-tree client breaks this rule: it resends at once all Calls
 * that were unanswered on its previous connection. Refusing them would end every
 * new connection. So until the first answer the limit is svcrdma_xprt.credits,
 * for each of which a Receive is posted.
 *
 * For a Call beyond the limit there may be no posted Receive, so its connection is
 * closed: RFC 8166 3.3 (V1-CRED-17).
 */
#include <rpcrdma/credit.h>
#include "svcrdma.h"

/**
 * svcrdma_credit_take - count a Call as unanswered
 * @req: the Call; stays the caller's
 *
 * svcrdma_credit_put() ends it, also after a failure.
 *
 * Context: receive path; does not sleep.
 * Return: true if the client keeps to its grant; false if it does not, and the
 * connection is closing: RFC 8166 3.3.1 (V1-CRED-04).
 */
bool svcrdma_credit_take(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	unsigned int limit = READ_ONCE(rdma->max_granted) ?: rdma->credits;

	req->counted = true;
	if (atomic_inc_return(&rdma->unanswered) <= limit)
		return true;
	/* Log and count only the first overrun of a connection */
	if (rpcrdma_conn_state(rdma->conn) < RPCRDMA_S_CLOSING)
		rpcrdma_report_reason(rdma->conn, RPCRDMA_R_CREDITS,
				      req->msg.xid);
	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	return false;
}

/**
 * svcrdma_credit_put - stop counting a Call as unanswered
 * @req: request, counted or not
 *
 * Context: process context, does not sleep.
 */
void svcrdma_credit_put(struct svcrdma_req *req)
{
	if (!req->counted)
		return;
	WRITE_ONCE(req->counted, false);
	atomic_dec(&req->rdma->unanswered);
	/* Pairs with svcrdma_lost_call(), which adds the Call to its table */
	smp_mb__after_atomic();
	if (unlikely(READ_ONCE(req->lost)))
		svcrdma_hold_end(req);
}

/**
 * svcrdma_credit_grant - the grant for the next answer
 * @rdma: transport
 * @asked: credits that the client asks for; any value, straight from the wire
 *
 * Context: process context, does not sleep; before the answer is posted.
 * Return: credits, never 0: RFC 8166 3.3.1 (V1-CRED-05).
 */
u32 svcrdma_credit_grant(struct svcrdma_xprt *rdma, u32 asked)
{
	u32 most = min(rdma->credits, READ_ONCE(rdma->ep.credits_limit));
	u32 grant = rpcrdma_credit_grant(asked, most);

	if (READ_ONCE(rdma->last_grant) != grant)
		WRITE_ONCE(rdma->last_grant, grant);

	if (grant > READ_ONCE(rdma->max_granted)) {
		spin_lock(&rdma->lock);
		if (grant > rdma->max_granted)
			WRITE_ONCE(rdma->max_granted, grant);
		spin_unlock(&rdma->lock);
	}
	return grant;
}
