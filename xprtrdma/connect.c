// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connecting, losing the connection, and taking it down.
 *
 * Who may touch the connection
 * ----------------------------
 *
 * sx->conn changes only under XPRT_LOCKED, sunrpc's send lock: by the connect
 * work, to which xprt_lock_connect() hands it; in ops->close, which sunrpc
 * calls with it held; and in ops->destroy, when nobody else is left. Senders
 * hold it too. Everybody else has got the connection from somewhere: the
 * receive path and completions from the core, which waits for them before a
 * connection is gone; sunrpc taking back a request from that request, under its
 * lock (see request.c).
 *
 * Losing it
 * ---------
 *
 * However a failure is noticed, rpcrdma_conn_close() leads to
 * xprtrdma_lost(), which asks sunrpc for ops->close. It says nothing while the
 * connect work is still busy with the connection: that notices for itself, and
 * a failed attempt must not look like a lost connection. sx->live tells the
 * two apart. The state is set before sx->live is looked at there, and sx->live
 * before the state here, so one of both sees a loss that happens in between.
 *
 * Taking it down, in this order
 * -----------------------------
 *
 *  1. Drain: no completion comes any more, no reply is being worked on, and
 *     nobody posts.
 *  2. MRs: freeing them cuts the server off from all memory, whatever state
 *     their invalidation was in; then their DMA mappings go. The work that
 *     makes MRs is over before.
 *  3. Send contexts, with their buffers and mappings.
 *  4. Requests: only now may sunrpc have their memory back. Requests that were
 *     waiting for an invalidation are let go, a Reply that was half way is
 *     forgotten: its RPC is sent again on the next connection.
 *  5. The window: nothing counts as sent.
 *  6. The connection itself.
 */
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/* What a mount may make of the time that connecting takes */
#define XPRTRDMA_CONNECT_MIN		(5UL * HZ)

/* Credits that are asked for even if memory is short */
#define XPRTRDMA_CREDITS_MIN		4

static void xprtrdma_lost(struct rpcrdma_conn *conn)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;

	xprtrdma_version_lost(r_xprt);
	smp_mb();	/* pairs with the one in xprtrdma_connected() */
	if (READ_ONCE(r_xprt->live) == conn)
		xprt_force_disconnect(&r_xprt->xprt);
}

static const struct rpcrdma_conn_ops xprtrdma_conn_ops = {
	.received	= xprtrdma_received,
	.lost		= xprtrdma_lost,
	.sq_avail	= xprtrdma_sendq_avail,
};

/**
 * xprtrdma_disconnect - take the connection down, if there is one
 * @r_xprt: transport
 *
 * Context: may sleep; holds XPRT_LOCKED, or is the only user.
 */
void xprtrdma_disconnect(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;

	if (!conn)
		return;
	WRITE_ONCE(r_xprt->live, NULL);
	rpcrdma_trimmer_stop(&r_xprt->trimmer);
	rpcrdma_conn_drain(conn);
	xprtrdma_version_end(r_xprt);
	xprtrdma_mr_pool_destroy(r_xprt);
	rpcrdma_send_pool_destroy(&r_xprt->send_pool);
	xprtrdma_req_pool_disown(r_xprt);
	xprtrdma_credits_reset(r_xprt);
	r_xprt->conn = NULL;
	rpcrdma_conn_destroy(conn);
}

/*
 * NFS is told the largest payload when it mounts, and keeps to that. A device
 * that the client fails over to later may have smaller MRs: then a chunk takes
 * more of them. One whose chunks cannot be that large is not used, for that would
 * end RPCs with an error that can wait until the other device is back.
 */
static int xprtrdma_check_payload(struct xprtrdma_xprt *r_xprt,
				  const struct rpcrdma_limits *limits,
				  const char *device)
{
	size_t most = xprtrdma_plan_payload(limits->mr_pages);
	struct rpc_xprt *xprt = &r_xprt->xprt;

	if (!xprt->stat.connect_count) {
		xprt->max_payload = min_t(size_t, xprt->max_payload,
					  limits->max_payload);
		return 0;
	}
	if (xprt->max_payload <= most)
		return 0;
	pr_err_ratelimited("xprtrdma: %pISpc: %s is not used: its memory regions of %u pages carry %zu bytes, and the mounts were promised %zu\n",
			   &xprt->addr, device, limits->mr_pages, most,
			   xprt->max_payload);
	return -EINVAL;
}

static int xprtrdma_limits(struct xprtrdma_xprt *r_xprt,
			   struct rpcrdma_limits *limits)
{
	struct rpcrdma_settings settings = {
		.credits	= r_xprt->credits,
		.bc_credits	= r_xprt->bc_slots,
		.inline_send	= xprtrdma_tunable(XPRTRDMA_T_INLINE_WRITE),
		.inline_recv	= xprtrdma_tunable(XPRTRDMA_T_INLINE_READ),
		.max_payload	= r_xprt->xprt.max_payload,
		.mr_pages	= xprtrdma_tunable(XPRTRDMA_T_MR_PAGES),
		.unsignaled	= rpcrdma_unsignaled_sends(),
	};
	const char *device = r_xprt->conn->device->name;
	struct rpcrdma_caps caps;
	int ret;

	/* What private data says, for version 1 */
	r_xprt->conn->local.send_size = settings.inline_send;
	r_xprt->conn->local.recv_size = settings.inline_recv;
	rpcrdma_version_settings(&settings, r_xprt->versions);
	rpcrdma_conn_caps(r_xprt->conn, &caps);
	ret = rpcrdma_limits_client(limits, &caps, &settings);
	if (ret == -EOPNOTSUPP)
		pr_err_ratelimited("xprtrdma: %s cannot be used: no fast memory registration (FRWR)\n",
				   device);
	else if (ret)
		pr_err_ratelimited("xprtrdma: %s cannot be used with the settings at hand (%d)\n",
				   device, ret);
	return ret ?: xprtrdma_check_payload(r_xprt, limits, device);
}

static int xprtrdma_resolve(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	struct rpcrdma_conn *conn;

	conn = rpcrdma_conn_resolve(xprt->xprt_net,
				    r_xprt->has_src ?
				    (struct sockaddr *)&r_xprt->src : NULL,
				    (struct sockaddr *)&xprt->addr,
				    &xprtrdma_conn_ops, r_xprt, &r_xprt->ep,
				    xprtrdma_tunable(XPRTRDMA_T_RESOLVE_TIMEOUT) *
				    HZ);
	if (conn == ERR_PTR(-ENODEV))
		pr_warn_ratelimited("xprtrdma: no RDMA device leads to %pISpc\n",
				    &xprt->addr);
	if (IS_ERR(conn))
		return PTR_ERR(conn);
	r_xprt->conn = conn;
	return 0;
}

/* Everything that can fail for want of memory comes before the connection */
static int xprtrdma_connect_once(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_limits limits;
	struct rpcrdma_conn *conn;
	int ret;

	ret = xprtrdma_resolve(r_xprt);
	if (ret)
		return ret;
	conn = r_xprt->conn;
	ret = xprtrdma_limits(r_xprt, &limits);
	if (ret)
		return ret;
	ret = rpcrdma_conn_setup(conn, &limits);
	if (ret)
		return ret;
	ret = rpcrdma_recv_provision(conn, limits.recv_depth,
				     limits.inline_recv);
	if (ret)
		return ret;
	ret = xprtrdma_mr_pool_create(r_xprt);
	if (ret)
		return ret;
	ret = xprtrdma_send_pool_create(r_xprt);
	if (ret)
		return ret;

	xprtrdma_version_begin(r_xprt);
	conn->local.remote_inv = true;
	ret = rpcrdma_conn_connect(conn,
				   READ_ONCE(r_xprt->xprt.connect_timeout));
	return ret ?: xprtrdma_version_agree(r_xprt);
}

/*
 * sunrpc tells what is worth another try from what is not by the errno, and
 * ends an RPC on any that it does not know. Where a mount is up, nothing that
 * can heal may do that; a mount that is being made should hear of it at once.
 */
static int xprtrdma_connect_status(const struct xprtrdma_xprt *r_xprt,
				   int error)
{
	switch (error) {
	case -ECONNREFUSED:
	case -ECONNRESET:
	case -EHOSTUNREACH:
	case -ENETUNREACH:
	case -ENETDOWN:
	case -EAGAIN:
		return error;
	case -ETIMEDOUT:
		return -EHOSTUNREACH;
	case -ENODEV:
	case -EADDRNOTAVAIL:
		return -ENETUNREACH;
	case -ENOMEM:
		return -ENOBUFS;
	case -EPROTONOSUPPORT:
		return r_xprt->xprt.stat.connect_count ? -EPROTO : error;
	case -EOPNOTSUPP:
	case -EINVAL:
	case -ERANGE:
		return r_xprt->xprt.stat.connect_count ? -EPROTO : -EOPNOTSUPP;
	}
	return -ENOTCONN;
}

/*
 * Until a Reply shows that all is well, each attempt waits longer than the one
 * before, up to a bound. That is for the server's sake. Want of memory is our own affair: then
 * the next attempt comes soon and asks for less, since writing data back may be
 * what brings memory.
 */
static void xprtrdma_back_off(struct xprtrdma_xprt *r_xprt, int status)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;

	r_xprt->tried = jiffies;
	if (status == -ENOMEM) {
		r_xprt->credits =
			max_t(u32, r_xprt->credits / 2, XPRTRDMA_CREDITS_MIN);
		xprt->reestablish_timeout = XPRTRDMA_RECONNECT_MIN;
		return;
	}
	if (!status)
		r_xprt->credits = xprt->max_reqs;
	xprt_reconnect_backoff(xprt, XPRTRDMA_RECONNECT_MIN);
}

static void xprtrdma_connected(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	struct rpc_xprt *xprt = &r_xprt->xprt;

	WRITE_ONCE(r_xprt->bc_size, min(conn->inline_send, conn->inline_recv) -
				rpcrdma_codec_least(conn->codec));
	WRITE_ONCE(xprt->connect_cookie, xprt->connect_cookie + 1);
	xprt->stat.connect_count++;
	xprt->stat.connect_time += jiffies - xprt->stat.connect_start;
	xprt_set_connected(xprt);
	rpcrdma_trimmer_start(&r_xprt->trimmer, xprtrdma_wq);

	WRITE_ONCE(r_xprt->live, conn);
	smp_mb();	/* pairs with the one in xprtrdma_lost() */
	if (rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING)
		xprt_force_disconnect(xprt);
}

static void xprtrdma_connect_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    connect_work.work);
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned int pflags = memalloc_nofs_save();
	unsigned int swap = 0;
	int status;

	if (atomic_read(&xprt->swapper))
		swap = memalloc_noreclaim_save();
	xprtrdma_disconnect(r_xprt);
	status = xprtrdma_connect_once(r_xprt);
	trace_xprtrdma_connect(xprt, status);
	xprtrdma_back_off(r_xprt, status);
	xprt_clear_connecting(xprt);
	if (status) {
		if (r_xprt->conn)
			rpcrdma_conn_close(r_xprt->conn, RPCRDMA_CLOSE_SETUP,
					   status);
		xprtrdma_disconnect(r_xprt);
		status = xprtrdma_connect_status(r_xprt, status);
	} else {
		xprtrdma_connected(r_xprt);
		status = -EAGAIN;	/* as sunrpc wants it */
	}
	/* First the wake-up, lest it hit a Call that another task sends now */
	xprt_wake_pending_tasks(xprt, status);
	xprt_unlock_connect(xprt, r_xprt);

	if (swap)
		memalloc_noreclaim_restore(swap);
	memalloc_nofs_restore(pflags);
}

static void xprtrdma_trim(struct rpcrdma_trimmer *trimmer, unsigned long before)
{
	struct xprtrdma_xprt *r_xprt =
		container_of(trimmer, struct xprtrdma_xprt, trimmer);

	xprtrdma_mr_pool_trim(r_xprt, before);
	rpcrdma_send_pool_trim(&r_xprt->send_pool, before);
	xprtrdma_req_pool_trim(r_xprt, XPRTRDMA_REQS_MIN, before);
}

/**
 * xprtrdma_connect_init - set up what this file has in a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_connect_init(struct xprtrdma_xprt *r_xprt)
{
	INIT_DELAYED_WORK(&r_xprt->connect_work, xprtrdma_connect_work);
	rpcrdma_trimmer_init(&r_xprt->trimmer, xprtrdma_trim);
	init_completion(&r_xprt->settled);
	r_xprt->versions = xprtrdma_versions();
	r_xprt->credits = r_xprt->xprt.max_reqs;
}

/*
 * Counted from the last attempt, since the task may have waited already; and
 * shorter by a random part of up to a half, since a server that starts again has
 * lost all of its clients at the same moment.
 */
static unsigned long xprtrdma_connect_delay(const struct xprtrdma_xprt *r_xprt)
{
	unsigned long delay = r_xprt->xprt.reestablish_timeout;
	unsigned long due;

	if (!delay)
		return 0;
	due = r_xprt->tried + delay - get_random_u32_inclusive(0, delay / 2);
	return time_after(due, jiffies) ? due - jiffies : 0;
}

/**
 * xprtrdma_connect - ops->connect: begin to connect
 * @xprt: transport without a connection
 * @task: holds XPRT_LOCKED, which goes to the connect work
 *
 * The delay is 0 after an idle disconnect, or if the connection that was lost
 * had been of use.
 *
 * Context: RPC task.
 */
void xprtrdma_connect(struct rpc_xprt *xprt, struct rpc_task *task)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	WARN_ON_ONCE(!xprt_lock_connect(xprt, task, r_xprt));
	queue_delayed_work(xprtrdma_wq, &r_xprt->connect_work,
			   xprtrdma_connect_delay(r_xprt));
}

/**
 * xprtrdma_close - ops->close: the connection was lost, or is idle
 * @xprt: transport
 *
 * Memory that only a busy connection needs goes back.
 *
 * Context: sunrpc's work item; may sleep; holds XPRT_LOCKED.
 */
void xprtrdma_close(struct rpc_xprt *xprt)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	xprtrdma_disconnect(r_xprt);
	xprtrdma_req_pool_trim(r_xprt, XPRTRDMA_REQS_MIN, jiffies);
	xprt_disconnect_done(xprt);
}

/**
 * xprtrdma_inject_disconnect - ops->inject_disconnect: sunrpc's fault point
 * @xprt: transport
 *
 * Context: RPC task; not always with XPRT_LOCKED, so the connection is not
 * looked at.
 */
void xprtrdma_inject_disconnect(struct rpc_xprt *xprt)
{
	xprt_force_disconnect(xprt);
}

/**
 * xprtrdma_set_connect_timeout - ops->set_connect_timeout: no longer than that
 * @xprt: transport
 * @connect_timeout: jiffies that an attempt to connect may take
 * @reconnect_timeout: jiffies between two attempts, at most
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_set_connect_timeout(struct rpc_xprt *xprt,
				  unsigned long connect_timeout,
				  unsigned long reconnect_timeout)
{
	connect_timeout = max(connect_timeout, XPRTRDMA_CONNECT_MIN);
	reconnect_timeout = max(reconnect_timeout, XPRTRDMA_RECONNECT_MIN);

	spin_lock(&xprt->transport_lock);
	if (connect_timeout < xprt->connect_timeout)
		WRITE_ONCE(xprt->connect_timeout, connect_timeout);
	if (reconnect_timeout < xprt->max_reconnect_timeout)
		xprt->max_reconnect_timeout = reconnect_timeout;
	spin_unlock(&xprt->transport_lock);
}
