// SPDX-License-Identifier: GPL-2.0-only
/*
 * One attempt to connect a transport: over its paths, one after another (paths.c), until one
 * works. Each gets a connection of its own.
 *
 * Model: scripts/tests/models/teardown_client.pml
 */
#include "xprtrdma.h"

static const struct rpcrdma_conn_ops xprtrdma_conn_ops = {
	.received	= xprtrdma_received,
	.lost		= xprtrdma_lost,
	.ping		= xprtrdma_ping,
	.keepalive_ms	= xprtrdma_paths_keepalive_ms,
	.sq_avail	= xprtrdma_sendq_avail,
	.traffic	= &xprtrdma_traffic,
};

/*
 * NFS asks the first transport of its RPC client for the largest payload when it mounts. A device
 * that is used later, or by another transport, may have smaller MRs; then a chunk needs more of
 * them. A device whose chunks cannot carry the payload is not used: RPCs would end with an error,
 * while without a connection they wait for the other device.
 */
static int xprtrdma_check_payload(struct xprtrdma_xprt *r_xprt,
				  const struct rpcrdma_limits *limits,
				  const char *device)
{
	size_t most = xprtrdma_plan_payload(limits->mr_pages);
	struct rpc_xprt *xprt = &r_xprt->xprt;

	if (r_xprt->payload_open) {
		xprt->max_payload = min_t(size_t, xprt->max_payload,
					  limits->max_payload);
		return 0;
	}
	if (xprt->max_payload <= most)
		return 0;
	pr_err_ratelimited("xprtrdma: %pISpc: %s is not used: its memory regions of %u pages carry %zu bytes, and existing mounts need %zu\n",
			   &r_xprt->paths.used->dst, device, limits->mr_pages,
			   most, xprt->max_payload);
	return -EINVAL;
}

static int xprtrdma_settings(struct xprtrdma_xprt *r_xprt,
			     struct rpcrdma_settings *settings)
{
	struct rpcrdma_limits limits;
	const char *device = r_xprt->conn->device->name;
	int ret;

	*settings = (struct rpcrdma_settings) {
		.credits	= r_xprt->credits_wanted,
		.bc_credits	= r_xprt->reverse_slots,
		.inline_send	= xprtrdma_tunable(XPRTRDMA_T_INLINE_WRITE),
		.inline_recv	= xprtrdma_tunable(XPRTRDMA_T_INLINE_READ),
		.max_payload	= r_xprt->xprt.max_payload,
		.mr_pages	= xprtrdma_tunable(XPRTRDMA_T_MR_PAGES),
		.unsignaled	= rpcrdma_unsignaled_sends(r_xprt->conn),
	};
	/* Sizes for the CM private data of version 1 */
	r_xprt->conn->local.send_size = settings->inline_send;
	r_xprt->conn->local.recv_size = settings->inline_recv;
	rpcrdma_version_settings(settings, r_xprt->versions);
	ret = rpcrdma_conn_limits(r_xprt->conn, settings, &limits);
	if (ret == -EOPNOTSUPP)
		pr_err_ratelimited("xprtrdma: %s cannot be used: no fast memory registration (FRWR) of pages of %lu bytes\n",
				   device, PAGE_SIZE);
	else if (ret)
		pr_err_ratelimited("xprtrdma: %s cannot be used with these settings (error %d)\n",
				   device, ret);
	return ret ?: xprtrdma_check_payload(r_xprt, &limits, device);
}

static int xprtrdma_resolve(struct xprtrdma_xprt *r_xprt,
			    const struct xprtrdma_path *path)
{
	struct rpcrdma_conn *conn;

	conn = rpcrdma_conn_resolve(r_xprt->xprt.xprt_net,
				    path->has_src ?
				    (struct sockaddr *)&path->src : NULL,
				    (struct sockaddr *)&path->dst,
				    &xprtrdma_conn_ops, r_xprt, &r_xprt->ep,
				    xprtrdma_tunable(XPRTRDMA_T_RESOLVE_TIMEOUT) *
				    HZ);
	if (conn == ERR_PTR(-ENODEV))
		pr_warn_ratelimited("xprtrdma: no RDMA device leads to %pISpc\n",
				    &path->dst);
	if (IS_ERR(conn))
		return PTR_ERR(conn);
	r_xprt->conn = conn;
	return 0;
}

/*
 * How an attempt allocates. A failure must come back, because the next attempt asks
 * for fewer credits and needs less. The attempt for the fewest credits may use the
 * reserves, of which it needs little: writeback and swap free memory only over a
 * connection. What the RDMA core and the driver allocate is up to them.
 */
static gfp_t xprtrdma_connect_gfp(const struct xprtrdma_xprt *r_xprt)
{
	if (r_xprt->credits_wanted > XPRTRDMA_CREDITS_MIN)
		return RPCRDMA_GFP_ONCE | __GFP_NOMEMALLOC;
	return RPCRDMA_GFP_ONCE | __GFP_HIGH;
}

/* What needs memory comes first, so that a server sees no failed connection */
static int xprtrdma_connect_once(struct xprtrdma_xprt *r_xprt,
				 const struct xprtrdma_path *path,
				 unsigned long timeout)
{
	gfp_t gfp = xprtrdma_connect_gfp(r_xprt);
	struct rpcrdma_settings settings;
	struct rpcrdma_conn *conn;
	int ret;

	ret = xprtrdma_resolve(r_xprt, path);
	if (ret)
		return ret;
	conn = r_xprt->conn;
	ret = xprtrdma_settings(r_xprt, &settings);
	if (ret)
		return ret;
	ret = rpcrdma_conn_setup(conn, &settings);
	if (ret)
		return ret;
	ret = rpcrdma_recv_provision(conn, conn->limits.recv_depth,
				     conn->limits.recv_depth,
				     conn->limits.inline_recv, gfp);
	if (ret < 0)
		return ret;
	ret = xprtrdma_mr_pool_create(r_xprt);
	if (ret)
		return ret;
	ret = xprtrdma_send_pool_create(r_xprt, gfp);
	if (ret)
		return ret;

	xprtrdma_negotiate_begin(r_xprt);
	conn->local.remote_inv = true;
	ret = rpcrdma_conn_connect(conn, timeout);
	if (!ret)
		ret = xprtrdma_negotiate_wait(r_xprt);
	return ret ?: xprtrdma_first_call(r_xprt);
}

/* After a failure nothing is left of the connection */
static int xprtrdma_connect_over(struct xprtrdma_xprt *r_xprt,
				 const struct xprtrdma_path *path,
				 unsigned long timeout)
{
	int status = xprtrdma_connect_once(r_xprt, path, timeout);

	if (!status)
		return 0;
	if (r_xprt->conn)
		rpcrdma_conn_close(r_xprt->conn, RPCRDMA_CLOSE_SETUP, status);
	xprtrdma_disconnect(r_xprt);
	return status;
}

/* Was the server not asked? Then it is not to blame for @status, which is not 0 */
static bool xprtrdma_attempt_is_local(int status)
{
	switch (status) {
	case -ENETUNREACH:
	case -ENODEV:
	case -EADDRNOTAVAIL:
	case -EOPNOTSUPP:
	case -EINVAL:
		return true;
	}
	return false;
}

/**
 * xprtrdma_attempt - connect over the first path that works
 * @r_xprt: transport without a connection, after xprtrdma_paths_collect()
 *
 * Only the last path gets all the time to answer, and when so much time has passed it is the next
 * one. Without memory no other path is tried: the next attempt asks for fewer credits.
 *
 * Context: the connect work; sleeps, about twice as long as the time-out of connecting.
 * Return: 0, and xprtrdma_xprt.conn is the connection; or a negative errno, and nothing is left of
 * it. -ENETUNREACH, which may be fatal, means that there is a route over no path.
 */
int xprtrdma_attempt(struct xprtrdma_xprt *r_xprt)
{
	unsigned long most = READ_ONCE(r_xprt->xprt.connect_timeout);
	struct xprtrdma_paths *paths = &r_xprt->paths;
	unsigned int i = 0, end = paths->n;
	unsigned long start = jiffies;
	bool routed = false, local = true;
	int status;

	do {
		if (time_after(jiffies, start + most))
			i = end - 1;
		paths->used = xprtrdma_paths_nth(r_xprt, i++);
		status = xprtrdma_connect_over(r_xprt, paths->used, i < end ?
					       min(most, XPRTRDMA_CONNECT_MIN) :
					       most);
		routed |= status != -ENETUNREACH;
		local &= xprtrdma_attempt_is_local(status);
		if (i == paths->n && local)
			end = paths->all;
	} while (i < end && status && status != -ENOMEM);

	return status == -ENETUNREACH && routed ? -EHOSTUNREACH : status;
}
