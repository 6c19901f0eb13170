// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credits of a client: the grant, and whether the client keeps to it.
 *
 * A Call counts as unanswered from its Receive until just before its answer is
 * posted, because a client may send the next Call as soon as it has the answer.
 *
 * Of its grants a client may have seen only the largest: one that shrinks crosses Calls on
 * the wire. And the in-tree client resends at once all Calls that were unanswered on its
 * previous connection, although it may have only one under way before the first answer:
 * RFC 8166 3.3.3 (V1-CRED-12). Refusing them would end every new connection. So a client
 * is held to the most that it can be granted, and gets more Receives when it sends more
 * Calls than there are credits (receives.c).
 *
 * Beyond that its connection is closed: RFC 8166 3.3 (V1-CRED-17).
 *
 * Model: scripts/tests/models/credits.pml
 */
#include <rpcrdma/credit.h>
#include "request.h"
#include "svcrdma.h"

/**
 * svcrdma_credit_take - count a Call as unanswered
 * @req: the Call; stays the caller's
 *
 * svcrdma_credit_put() ends it, also after a failure.
 *
 * Context: receive path; as svcrdma_receives_more().
 * Return: true; or false if there are more Calls than the client can ever be granted, and
 * the connection is closing: RFC 8166 3.3.1 (V1-CRED-04).
 */
bool svcrdma_credit_take(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	unsigned int unanswered = atomic_inc_return(&rdma->unanswered);

	/* Pairs with svcrdma_nfsd_works_on(): svcrdma_req_get() has cleared at_work */
	smp_store_release(&req->counted, true);
	if (unlikely(svcrdma_load_call(&rdma->load, unanswered,
				       READ_ONCE(rdma->last_grant))))
		svcrdma_receives_more(rdma);
	if (unanswered <= rdma->load.most)
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

static u32 svcrdma_credit_most(const struct svcrdma_xprt *rdma)
{
	return min(READ_ONCE(rdma->load.credits),
		   READ_ONCE(rdma->ep.credits_limit));
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
	u32 grant = rpcrdma_credit_grant(asked, svcrdma_credit_most(rdma));

	if (READ_ONCE(rdma->last_grant) != grant)
		WRITE_ONCE(rdma->last_grant, grant);
	return grant;
}

/**
 * svcrdma_credit_grant_error - the grant for an RDMA_ERROR
 * @rdma: transport
 *
 * Clients of version 2 ignore it, so it is not one that they were told.
 *
 * Context: any.
 * Return: credits, never 0: RFC 8166 3.3.1 (V1-CRED-05).
 */
u32 svcrdma_credit_grant_error(const struct svcrdma_xprt *rdma)
{
	return rpcrdma_credit_grant(U32_MAX, svcrdma_credit_most(rdma));
}
