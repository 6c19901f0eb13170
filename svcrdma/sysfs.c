// SPDX-License-Identifier: GPL-2.0-only
/*
 * The values of a transport in /sys/kernel/rpcrdma/connections/server-N.
 *
 * The core calls the endpoint operations with its registry lock held. Accepting and
 * teardown take that lock too, so these operations must not sleep or allocate memory.
 *
 * Requests and the QP are freed before the transport, so they are used only between
 * rpcrdma_conn_enter() and rpcrdma_conn_leave().
 */
#include "request.h"
#include "svcrdma.h"

static struct svcrdma_xprt *svcrdma_from_endpoint(struct rpcrdma_endpoint *ep)
{
	return container_of(ep, struct svcrdma_xprt, ep);
}

static unsigned int svcrdma_waiting(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;
	unsigned int n = 0;

	/* In the queue, for the read budget, for MRs (rw.c), or held (reconnect_hold.c) */
	spin_lock(&rdma->lock);
	list_for_each_entry(req, &rdma->all_reqs, all)
		n += !list_empty(&req->node);
	spin_unlock(&rdma->lock);
	return n;
}

static unsigned int svcrdma_recvs_used(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;
	unsigned int used = 0;

	spin_lock(&rdma->lock);
	list_for_each_entry(req, &rdma->all_reqs, all)
		used += !!READ_ONCE(req->recv);
	spin_unlock(&rdma->lock);
	return used;
}

/* 0 on devices that need no MRs for the RDMA Reads of a server */
static unsigned int svcrdma_mrs(const struct rpcrdma_conn *conn, bool used)
{
	const struct ib_qp *qp = conn->qp;
	unsigned int n = qp ? READ_ONCE(qp->mrs_used) : 0;

	if (!used && qp && (n || !list_empty_careful(&qp->rdma_mrs)))
		n = conn->limits.rw_ctxs;
	return n;
}

static u64 svcrdma_conn_number(struct svcrdma_xprt *rdma,
			       struct rpcrdma_conn *conn,
			       enum rpcrdma_number which)
{
	switch (which) {
	case RPCRDMA_N_CREDITS_ASKED:
		return READ_ONCE(rdma->last_asked);
	case RPCRDMA_N_CREDITS_GRANTED:
		return READ_ONCE(rdma->last_grant);
	case RPCRDMA_N_CREDITS_USED:
	case RPCRDMA_N_IN_FLIGHT:
		return atomic_read(&rdma->unanswered);
	case RPCRDMA_N_WAITING:
		return svcrdma_waiting(rdma);
	case RPCRDMA_N_RECVQ_USED:
		return svcrdma_recvs_used(rdma);
	case RPCRDMA_N_MRS:
	case RPCRDMA_N_MRS_USED:
		return svcrdma_mrs(conn, which == RPCRDMA_N_MRS_USED);
	default:
		return 0;
	}
}

static u64 svcrdma_endpoint_number(struct rpcrdma_endpoint *ep,
				   struct rpcrdma_conn *conn,
				   enum rpcrdma_number which)
{
	u64 value;

	if (!conn || !rpcrdma_conn_enter(conn))
		return 0;
	value = svcrdma_conn_number(svcrdma_from_endpoint(ep), conn, which);
	rpcrdma_conn_leave(conn);
	return value;
}

/* The core has stored the value; svcrdma_credit_grant() uses it */
static int svcrdma_endpoint_set(struct rpcrdma_endpoint *ep,
				struct rpcrdma_conn *conn,
				enum rpcrdma_number which, u32 value)
{
	return which == RPCRDMA_N_CREDITS_LIMIT ? 0 : -EINVAL;
}

static const struct sockaddr *svcrdma_endpoint_peer(struct rpcrdma_endpoint *ep)
{
	return (const struct sockaddr *)&svcrdma_from_endpoint(ep)->peer;
}

static const struct rpcrdma_endpoint_ops svcrdma_endpoint_ops = {
	.number	= svcrdma_endpoint_number,
	.set	= svcrdma_endpoint_set,
	.peer	= svcrdma_endpoint_peer,
};

/**
 * svcrdma_endpoint_init - initialize the endpoint of a transport and list it
 * @rdma: new transport
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM. svcrdma_endpoint_destroy() undoes it.
 */
int svcrdma_endpoint_init(struct svcrdma_xprt *rdma)
{
	int ret;

	ret = rpcrdma_endpoint_init(&rdma->ep, &svcrdma_endpoint_ops,
				    rdma->xprt.xpt_net, true);
	if (ret)
		return ret;
	svcrdma_conns_add(rdma);
	return 0;
}

/**
 * svcrdma_endpoint_destroy - destroy the endpoint; the sums keep its counters
 * @rdma: transport that is in no use
 *
 * Context: may sleep.
 */
void svcrdma_endpoint_destroy(struct svcrdma_xprt *rdma)
{
	if (list_empty(&rdma->conns))
		return;
	svcrdma_conns_remove(rdma);
	rpcrdma_endpoint_destroy(&rdma->ep);
}
