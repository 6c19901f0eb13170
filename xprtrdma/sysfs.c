// SPDX-License-Identifier: GPL-2.0-only
/*
 * What /sys/kernel/rpcrdma/connections/client-N shows of a transport, and
 * which of it can be changed there.
 *
 * The core calls these functions under a lock that keeps the transport and its
 * connection alive, and that connecting and disconnecting take too. So nothing
 * here may sleep or allocate memory. MRs and other objects of the connection are freed
 * before the connection itself, so they are only used inside
 * rpcrdma_conn_enter().
 */
#include <compat/timers.h>
#include "xprtrdma.h"

#define XPRTRDMA_IDLE_MAX	86400U		/* seconds */
#define XPRTRDMA_CONNECT_MAX	600U		/* seconds */

static struct xprtrdma_xprt *xprtrdma_from_endpoint(struct rpcrdma_endpoint *ep)
{
	return container_of(ep, struct xprtrdma_xprt, ep);
}

/* Calls that sunrpc waits for, without reverse requests */
static unsigned long xprtrdma_in_flight(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned long calls;

	spin_lock(&xprt->transport_lock);
	calls = xprt->cong >> RPC_CWNDSHIFT;
	calls -= min_t(unsigned long, calls, r_xprt->reverse.active);
	spin_unlock(&xprt->transport_lock);
	return calls;
}

static unsigned int xprtrdma_waiting(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned int tasks;

	tasks = READ_ONCE(xprt->sending.qlen) + READ_ONCE(xprt->backlog.qlen);
	/* With a connection, tasks on this queue wait for their Reply */
	if (!xprt_connected(xprt))
		tasks += READ_ONCE(xprt->pending.qlen);
	return tasks;
}

/* A Reply that is being processed keeps its Receive, and its request is pinned */
static unsigned int xprtrdma_recvs_used(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_req *req;
	unsigned int used = 0;

	spin_lock(&r_xprt->all_lock);
	list_for_each_entry(req, &r_xprt->all_reqs, all)
		used += READ_ONCE(req->pinned);
	spin_unlock(&r_xprt->all_lock);
	return used;
}

static unsigned long xprtrdma_idle_timeout(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned long timeout;

	spin_lock(&xprt->transport_lock);
	timeout = READ_ONCE(r_xprt->reverse.users) ?
			  r_xprt->reverse.idle_timeout :
			  xprt->idle_timeout;
	spin_unlock(&xprt->transport_lock);
	return timeout / HZ;
}

static u64 xprtrdma_conn_number(struct xprtrdma_xprt *r_xprt,
				struct rpcrdma_conn *conn,
				enum rpcrdma_number which)
{
	switch (which) {
	case RPCRDMA_N_CREDITS_ASKED:
		return xprtrdma_credits_asked(r_xprt, conn);
	case RPCRDMA_N_CREDITS_GRANTED:
		return READ_ONCE(r_xprt->granted);
	case RPCRDMA_N_CREDITS_USED:
		return xprtrdma_in_flight(r_xprt) +
		       READ_ONCE(r_xprt->credits.abandoned);
	case RPCRDMA_N_IN_FLIGHT:
		return xprtrdma_in_flight(r_xprt);
	case RPCRDMA_N_RECVQ_USED:
		return xprtrdma_recvs_used(r_xprt);
	case RPCRDMA_N_MRS:
	case RPCRDMA_N_MRS_USED:
		return xprtrdma_mr_pool_count(r_xprt,
					      which == RPCRDMA_N_MRS_USED);
	default:
		return 0;
	}
}

static u64 xprtrdma_endpoint_number(struct rpcrdma_endpoint *ep,
				    struct rpcrdma_conn *conn,
				    enum rpcrdma_number which)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_endpoint(ep);
	u64 value;

	switch (which) {
	case RPCRDMA_N_XPRT:
		return r_xprt->xprt.id;
	case RPCRDMA_N_WAITING:
		return xprtrdma_waiting(r_xprt);
	case RPCRDMA_N_IDLE_TIMEOUT:
		return xprtrdma_idle_timeout(r_xprt);
	case RPCRDMA_N_CONNECT_TIMEOUT:
		return READ_ONCE(r_xprt->xprt.connect_timeout) / HZ;
	default:
		break;
	}
	if (!conn || !rpcrdma_conn_enter(conn))
		return 0;
	value = xprtrdma_conn_number(r_xprt, conn, which);
	rpcrdma_conn_leave(conn);
	return value;
}

static int xprtrdma_set_idle_timeout(struct xprtrdma_xprt *r_xprt, u32 seconds)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	int ret = 0;

	if (seconds > XPRTRDMA_IDLE_MAX)
		return -EINVAL;
	spin_lock(&xprt->transport_lock);
	/* sunrpc has no timer if the transport was created without a timeout */
	if (!xprt->timer.function) {
		ret = seconds ? -EOPNOTSUPP : 0;
	} else if (READ_ONCE(r_xprt->reverse.users)) {
		r_xprt->reverse.idle_timeout = seconds * HZ;
	} else {
		xprt->idle_timeout = seconds * HZ;
		if (!seconds)
			timer_delete(&xprt->timer);
	}
	spin_unlock(&xprt->transport_lock);
	return ret;
}

static int xprtrdma_endpoint_set(struct rpcrdma_endpoint *ep,
				 struct rpcrdma_conn *conn,
				 enum rpcrdma_number which, u32 value)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_endpoint(ep);

	switch (which) {
	case RPCRDMA_N_CREDITS_LIMIT:
		xprtrdma_credits_limit_changed(r_xprt, conn);
		return 0;
	case RPCRDMA_N_IDLE_TIMEOUT:
		return xprtrdma_set_idle_timeout(r_xprt, value);
	case RPCRDMA_N_CONNECT_TIMEOUT:
		if (!value || value > XPRTRDMA_CONNECT_MAX)
			return -EINVAL;
		WRITE_ONCE(r_xprt->xprt.connect_timeout, value * HZ);
		return 0;
	default:
		return -EINVAL;
	}
}

static const struct sockaddr *
xprtrdma_endpoint_peer(struct rpcrdma_endpoint *ep)
{
	return (const struct sockaddr *)&xprtrdma_from_endpoint(ep)->xprt.addr;
}

const struct rpcrdma_endpoint_ops xprtrdma_endpoint_ops = {
	.number	= xprtrdma_endpoint_number,
	.set	= xprtrdma_endpoint_set,
	.peer	= xprtrdma_endpoint_peer,
};
