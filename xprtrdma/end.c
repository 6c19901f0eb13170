// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a transport shows in /sys/kernel/rpcrdma/connections/client-N, and what can
 * be changed there.
 *
 * The core asks under a lock that keeps the transport and its connection in place,
 * and that connecting and disconnecting take too: nothing here allocates memory.
 * What hangs on the connection is touched only inside rpcrdma_conn_enter(), for it
 * goes before the connection does.
 */
#include "xprtrdma.h"

#define XPRTRDMA_IDLE_MAX	86400U		/* seconds */
#define XPRTRDMA_CONNECT_MAX	600U		/* seconds */

static struct xprtrdma_xprt *xprtrdma_from_end(struct rpcrdma_end *end)
{
	return container_of(end, struct xprtrdma_xprt, end);
}

/* Calls that sunrpc waits for; those of the reverse direction are none */
static unsigned long xprtrdma_in_flight(struct xprtrdma_xprt *sx)
{
	struct rpc_xprt *xprt = &sx->xprt;
	unsigned long calls;

	spin_lock(&xprt->transport_lock);
	calls = xprt->cong >> RPC_CWNDSHIFT;
	calls -= min_t(unsigned long, calls, sx->reverse.active);
	spin_unlock(&xprt->transport_lock);
	return calls;
}

static unsigned int xprtrdma_waiting(struct xprtrdma_xprt *sx)
{
	struct rpc_xprt *xprt = &sx->xprt;
	unsigned int tasks;

	tasks = READ_ONCE(xprt->sending.qlen) + READ_ONCE(xprt->backlog.qlen);
	/* With a connection they wait there for their Reply */
	if (!xprt_connected(xprt))
		tasks += READ_ONCE(xprt->pending.qlen);
	return tasks;
}

/* A Reply that is being worked on keeps its Receive, and pins its request */
static unsigned int xprtrdma_recvs_used(struct xprtrdma_xprt *sx)
{
	struct xprtrdma_req *req;
	unsigned int used = 0;

	spin_lock(&sx->all_lock);
	list_for_each_entry(req, &sx->all_reqs, all)
		used += READ_ONCE(req->pinned);
	spin_unlock(&sx->all_lock);
	return used;
}

static unsigned int xprtrdma_mrs_count(struct xprtrdma_xprt *sx, bool used)
{
	struct xprtrdma_mrs *mrs = &sx->mrs;
	unsigned int n;

	spin_lock(&mrs->lock);
	n = list_count_nodes(&mrs->all);
	if (used)
		n -= list_count_nodes(&mrs->free[XPRTRDMA_MR_SMALL]) +
		     list_count_nodes(&mrs->free[XPRTRDMA_MR_LARGE]);
	spin_unlock(&mrs->lock);
	return n;
}

static unsigned long xprtrdma_idle_timeout(struct xprtrdma_xprt *sx)
{
	struct rpc_xprt *xprt = &sx->xprt;
	unsigned long timeout;

	spin_lock(&xprt->transport_lock);
	timeout = READ_ONCE(sx->reverse.users) ? sx->reverse.idle_timeout :
						 xprt->idle_timeout;
	spin_unlock(&xprt->transport_lock);
	return timeout / HZ;
}

static u64 xprtrdma_conn_number(struct xprtrdma_xprt *sx,
				struct rpcrdma_conn *conn,
				enum rpcrdma_number which)
{
	switch (which) {
	case RPCRDMA_N_CREDITS_ASKED:
		return xprtrdma_credits_asked(sx, conn);
	case RPCRDMA_N_CREDITS_GRANTED:
		return READ_ONCE(sx->granted);
	case RPCRDMA_N_CREDITS_USED:
		return xprtrdma_in_flight(sx) + READ_ONCE(sx->orphans);
	case RPCRDMA_N_IN_FLIGHT:
		return xprtrdma_in_flight(sx);
	case RPCRDMA_N_RECVQ_USED:
		return xprtrdma_recvs_used(sx);
	case RPCRDMA_N_MRS:
	case RPCRDMA_N_MRS_USED:
		return xprtrdma_mrs_count(sx, which == RPCRDMA_N_MRS_USED);
	default:
		return 0;
	}
}

static u64 xprtrdma_end_number(struct rpcrdma_end *end,
			       struct rpcrdma_conn *conn,
			       enum rpcrdma_number which)
{
	struct xprtrdma_xprt *sx = xprtrdma_from_end(end);
	u64 value;

	switch (which) {
	case RPCRDMA_N_XPRT:
		return sx->xprt.id;
	case RPCRDMA_N_WAITING:
		return xprtrdma_waiting(sx);
	case RPCRDMA_N_IDLE_TIMEOUT:
		return xprtrdma_idle_timeout(sx);
	case RPCRDMA_N_CONNECT_TIMEOUT:
		return READ_ONCE(sx->xprt.connect_timeout) / HZ;
	default:
		break;
	}
	if (!conn || !rpcrdma_conn_enter(conn))
		return 0;
	value = xprtrdma_conn_number(sx, conn, which);
	rpcrdma_conn_leave(conn);
	return value;
}

static int xprtrdma_set_idle_timeout(struct xprtrdma_xprt *sx, u32 seconds)
{
	struct rpc_xprt *xprt = &sx->xprt;
	int ret = 0;

	if (seconds > XPRTRDMA_IDLE_MAX)
		return -EINVAL;
	spin_lock(&xprt->transport_lock);
	/* sunrpc has no timer for a transport that was made without the timeout */
	if (!xprt->timer.function) {
		ret = seconds ? -EOPNOTSUPP : 0;
	} else if (READ_ONCE(sx->reverse.users)) {
		sx->reverse.idle_timeout = seconds * HZ;
	} else {
		xprt->idle_timeout = seconds * HZ;
		if (!seconds)
			timer_delete(&xprt->timer);
	}
	spin_unlock(&xprt->transport_lock);
	return ret;
}

static int xprtrdma_end_set(struct rpcrdma_end *end, struct rpcrdma_conn *conn,
			    enum rpcrdma_number which, u32 value)
{
	struct xprtrdma_xprt *sx = xprtrdma_from_end(end);

	switch (which) {
	case RPCRDMA_N_CREDITS_LIMIT:
		xprtrdma_window_limited(sx);
		return 0;
	case RPCRDMA_N_IDLE_TIMEOUT:
		return xprtrdma_set_idle_timeout(sx, value);
	case RPCRDMA_N_CONNECT_TIMEOUT:
		if (!value || value > XPRTRDMA_CONNECT_MAX)
			return -EINVAL;
		WRITE_ONCE(sx->xprt.connect_timeout, value * HZ);
		return 0;
	default:
		return -EINVAL;
	}
}

static const struct sockaddr *xprtrdma_end_peer(struct rpcrdma_end *end)
{
	return (const struct sockaddr *)&xprtrdma_from_end(end)->xprt.addr;
}

const struct rpcrdma_end_ops xprtrdma_end_ops = {
	.number	= xprtrdma_end_number,
	.set	= xprtrdma_end_set,
	.peer	= xprtrdma_end_peer,
};
