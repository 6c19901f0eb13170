// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probe of a path: while a transport is connected over the path of another one
 * (paths.c), a work item tries from time to time to connect over its own path.
 *
 * A probe is a connection of its own that carries no RPC, and is closed as soon as it is
 * established. Only a connection proves a path: a route may be there, and a neighbor in
 * the cache, when the link behind a switch is cut. The RPCs of the transport do not wait
 * for a probe, so it may allocate memory, and its work item needs no rescuer.
 *
 * A path may pass the messages of a probe and lose those of RPCs. So when the own path
 * fails again soon after the return, the next probe comes later.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "xprtrdma.h"

/* Time to the first probe; it doubles with each failure, up to a limit */
#define XPRTRDMA_PROBE_MIN	(2UL * HZ)
#define XPRTRDMA_PROBE_MAX	(60UL * HZ)

/* A connection over the own path that has lasted so long was of use */
#define XPRTRDMA_PROBE_SETTLED	(10UL * HZ)

/* Longest time for the answer of the server */
#define XPRTRDMA_PROBE_TIMEOUT	(5UL * HZ)

/* The server sends nothing before the client does */
static void xprtrdma_probe_received(struct rpcrdma_conn *conn,
				    struct rpcrdma_recv *recv)
{
	rpcrdma_recv_repost(recv);
}

static void xprtrdma_probe_lost(struct rpcrdma_conn *conn)
{
}

static const struct rpcrdma_conn_ops xprtrdma_probe_ops = {
	.received	= xprtrdma_probe_received,
	.lost		= xprtrdma_probe_lost,
	.traffic	= &xprtrdma_traffic,
};

static u64 xprtrdma_probe_number(struct rpcrdma_endpoint *ep,
				 struct rpcrdma_conn *conn,
				 enum rpcrdma_number which)
{
	return 0;
}

/* Its endpoint has no files: only for the core */
static const struct rpcrdma_endpoint_ops xprtrdma_probe_endpoint_ops = {
	.number	= xprtrdma_probe_number,
};

/* As small as it may be, on a device that can carry the payload of the mount */
static int xprtrdma_probe_setup(struct xprtrdma_xprt *r_xprt,
				struct rpcrdma_conn *conn)
{
	const struct rpcrdma_settings settings = {
		.credits	= 1,
		.bc_credits	= 1,
		.inline_send	= xprtrdma_tunable(XPRTRDMA_T_INLINE_WRITE),
		.inline_recv	= xprtrdma_tunable(XPRTRDMA_T_INLINE_READ),
		.max_payload	= r_xprt->xprt.max_payload,
		.mr_pages	= xprtrdma_tunable(XPRTRDMA_T_MR_PAGES),
	};
	struct rpcrdma_limits limits;
	int ret;

	conn->local.send_size = settings.inline_send;
	conn->local.recv_size = settings.inline_recv;
	ret = rpcrdma_conn_limits(conn, &settings, &limits);
	if (ret)
		return ret;
	if (r_xprt->xprt.max_payload > xprtrdma_plan_payload(limits.mr_pages))
		return -EINVAL;
	return rpcrdma_conn_setup(conn, &settings);
}

static int xprtrdma_probe_connect(struct xprtrdma_xprt *r_xprt,
				  struct rpcrdma_conn *conn)
{
	int ret = xprtrdma_probe_setup(r_xprt, conn);

	if (ret)
		return ret;
	ret = rpcrdma_recv_provision(conn, 1, 1, conn->limits.inline_recv,
				     RPCRDMA_GFP_ONCE);
	if (ret < 0)
		return ret;
	return rpcrdma_conn_connect(conn, XPRTRDMA_PROBE_TIMEOUT);
}

/* 0 if the path works */
static int xprtrdma_probe_path(struct xprtrdma_xprt *r_xprt,
			       struct rpcrdma_endpoint *ep)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	struct rpcrdma_conn *conn;
	int ret;

	conn = rpcrdma_conn_resolve(xprt->xprt_net,
				    r_xprt->has_src ?
				    (struct sockaddr *)&r_xprt->src : NULL,
				    (struct sockaddr *)&xprt->addr,
				    &xprtrdma_probe_ops, r_xprt, ep,
				    xprtrdma_tunable(XPRTRDMA_T_RESOLVE_TIMEOUT) *
				    HZ);
	if (IS_ERR(conn))
		return PTR_ERR(conn);
	ret = xprtrdma_probe_connect(r_xprt, conn);
	rpcrdma_conn_close(conn, ret ? RPCRDMA_CLOSE_SETUP : RPCRDMA_CLOSE_LOCAL,
			   ret);
	rpcrdma_conn_drain(conn);
	rpcrdma_conn_destroy(conn);
	return ret;
}

static int xprtrdma_probe(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_endpoint *ep = kzalloc(sizeof(*ep), RPCRDMA_GFP_ONCE);
	int ret;

	if (!ep)
		return -ENOMEM;
	ep->probe = true;
	ret = rpcrdma_endpoint_init(ep, &xprtrdma_probe_endpoint_ops,
				    r_xprt->xprt.xprt_net, false);
	if (!ret) {
		ret = xprtrdma_probe_path(r_xprt, ep);
		rpcrdma_endpoint_destroy(ep);
	}
	kfree(ep);
	return ret;
}

/* If the connect work has queued a probe meanwhile, that one stays */
static void xprtrdma_probe_again(struct xprtrdma_paths *paths)
{
	unsigned long delay = min(2 * READ_ONCE(paths->probe_delay),
				  XPRTRDMA_PROBE_MAX);

	WRITE_ONCE(paths->probe_delay, delay);
	queue_delayed_work(xprtrdma_probe_wq, &paths->probe, delay);
}

/*
 * If the connection is lost meanwhile, the next one over another path begins again, and one
 * over the own path stays: the cookie changes with each connection.
 */
static void xprtrdma_probe_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    paths.probe.work);
	struct xprtrdma_paths *paths = &r_xprt->paths;
	unsigned int cookie = READ_ONCE(r_xprt->xprt.connect_cookie);
	unsigned int nofs = memalloc_nofs_save();

	if (!READ_ONCE(paths->away) || !xprt_connected(&r_xprt->xprt))
		goto out;
	if (xprtrdma_probe(r_xprt))
		xprtrdma_probe_again(paths);
	else if (READ_ONCE(r_xprt->xprt.connect_cookie) == cookie &&
		 xchg(&paths->away, 0))
		xprtrdma_force_disconnect(r_xprt);
out:
	memalloc_nofs_restore(nofs);
}

/**
 * xprtrdma_path_probe_begin - probe the own path until it works
 * @r_xprt: transport that is connected over another path
 *
 * Context: the connect work.
 */
void xprtrdma_path_probe_begin(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_paths *paths = &r_xprt->paths;
	unsigned long delay = XPRTRDMA_PROBE_MIN;

	if (time_before(jiffies, paths->own_at + XPRTRDMA_PROBE_SETTLED))
		delay = clamp(2 * READ_ONCE(paths->probe_delay),
			      XPRTRDMA_PROBE_MIN, XPRTRDMA_PROBE_MAX);
	WRITE_ONCE(paths->probe_delay, delay);
	mod_delayed_work(xprtrdma_probe_wq, &paths->probe, delay);
}

/**
 * xprtrdma_path_probe_init - initialize the probe of a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_path_probe_init(struct xprtrdma_xprt *r_xprt)
{
	INIT_DELAYED_WORK(&r_xprt->paths.probe, xprtrdma_probe_work);
	r_xprt->paths.own_at = jiffies - XPRTRDMA_PROBE_SETTLED;
}

/**
 * xprtrdma_path_probe_stop - stop probing
 * @r_xprt: transport whose connect work does not run any more
 *
 * Context: may sleep, as long as a probe that is under way takes.
 */
void xprtrdma_path_probe_stop(struct xprtrdma_xprt *r_xprt)
{
	cancel_delayed_work_sync(&r_xprt->paths.probe);
}
