// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connecting, noticing a lost connection, and taking it down.
 *
 * Who may use the connection
 * --------------------------
 *
 * r_xprt->conn changes only under XPRT_LOCKED, the send lock of sunrpc. It is
 * held by
 *
 *  - the connect work, to which xprt_lock_connect() passes it,
 *  - ops->close, which sunrpc calls with the lock held,
 *  - and tasks that send.
 *
 * ops->destroy does not need it, because it is the only user. All other code
 * gets the connection from elsewhere: the receive path and completion handlers
 * from the core, which waits for them before it destroys a connection;
 * ops->buf_free from the request, under req->lock (req_memory.c).
 *
 * A lost connection
 * -----------------
 *
 * A failure that the core notices (CM event, QP event, failed completion or
 * post, keepalive) calls rpcrdma_conn_close(). Its work item calls
 * xprtrdma_lost(), which calls xprt_force_disconnect(); sunrpc then calls
 * ops->close under XPRT_LOCKED. A failure that the RPC layer notices (time-out,
 * no credit left) calls xprt_force_disconnect() itself, and rpcrdma_conn_drain()
 * closes the connection.
 *
 * While the connect work is still setting up the connection, xprtrdma_lost()
 * does not call sunrpc: the connect work sees the failure itself, and a failed
 * attempt must not look like a lost connection.
 * r_xprt->live tells the two apart. The core sets the state of the connection
 * before xprtrdma_lost() reads r_xprt->live; xprtrdma_connected() sets
 * r_xprt->live before it reads the state. So at least one of them sees a loss
 * in between.
 *
 * Taking it down, in this order
 * -----------------------------
 *
 *  1. r_xprt->live is cleared: the end of this connection is not reported to
 *     sunrpc again. The trimmer stops, because it uses MRs and Send contexts.
 *  2. Drain: after this there is no completion, no Reply being processed, and no
 *     code that posts. What was learned about the server is saved for the next
 *     negotiation.
 *  3. MRs. First the work that allocates more of them ends. Then they are freed:
 *     that ends all access of the server, also where an invalidation did not
 *     complete. Their DMA mappings go last.
 *  4. Send contexts, with their buffers and mappings.
 *  5. Requests. Only now may sunrpc have their memory back. Tasks in ops->buf_free go
 *     on. Tasks that wait on exposed_waitq for a Reply wake up with -ENOTCONN and send
 *     their Call again; sunrpc wakes those on xprt->pending. A Reply that was accepted
 *     but not completed is dropped, and its Call is sent again as well.
 *  6. Credits: no Call counts as sent.
 *  7. The connection itself.
 */
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/* Least time to connect that sunrpc may ask for */
#define XPRTRDMA_CONNECT_MIN		(5UL * HZ)

/* Credits to ask for when memory is short */
#define XPRTRDMA_CREDITS_MIN		4

static void xprtrdma_lost(struct rpcrdma_conn *conn)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;

	xprtrdma_negotiate_lost(r_xprt);
	/* The state is set before live is read; pairs with xprtrdma_connected() */
	smp_mb();
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
	xprtrdma_negotiate_end(r_xprt);
	xprtrdma_mr_pool_destroy(r_xprt);
	rpcrdma_send_pool_destroy(&r_xprt->send_pool);
	xprtrdma_req_reset_all(r_xprt);
	xprtrdma_credits_reset(r_xprt);
	r_xprt->conn = NULL;
	rpcrdma_conn_destroy(conn);
}

/*
 * NFS learns the largest payload when it mounts, and does not ask again. After
 * a failover the device may have smaller MRs; then a chunk needs more of them.
 * A device whose chunks cannot carry the payload is not used: RPCs would end
 * with an error, while without a connection they wait for the other device.
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
	pr_err_ratelimited("xprtrdma: %pISpc: %s is not used: its memory regions of %u pages carry %zu bytes, and existing mounts need %zu\n",
			   &xprt->addr, device, limits->mr_pages, most,
			   xprt->max_payload);
	return -EINVAL;
}

static int xprtrdma_limits(struct xprtrdma_xprt *r_xprt,
			   struct rpcrdma_limits *limits)
{
	struct rpcrdma_settings settings = {
		.credits	= r_xprt->credits_wanted,
		.bc_credits	= r_xprt->reverse_slots,
		.inline_send	= xprtrdma_tunable(XPRTRDMA_T_INLINE_WRITE),
		.inline_recv	= xprtrdma_tunable(XPRTRDMA_T_INLINE_READ),
		.max_payload	= r_xprt->xprt.max_payload,
		.mr_pages	= xprtrdma_tunable(XPRTRDMA_T_MR_PAGES),
		.unsignaled	= rpcrdma_unsignaled_sends(),
	};
	const char *device = r_xprt->conn->device->name;
	struct rpcrdma_caps caps;
	int ret;

	/* Sizes for the CM private data of version 1 */
	r_xprt->conn->local.send_size = settings.inline_send;
	r_xprt->conn->local.recv_size = settings.inline_recv;
	rpcrdma_version_settings(&settings, r_xprt->versions);
	rpcrdma_conn_caps(r_xprt->conn, &caps);
	ret = rpcrdma_limits_client(limits, &caps, &settings);
	if (ret == -EOPNOTSUPP)
		pr_err_ratelimited("xprtrdma: %s cannot be used: no fast memory registration (FRWR)\n",
				   device);
	else if (ret)
		pr_err_ratelimited("xprtrdma: %s cannot be used with these settings (error %d)\n",
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

/* What needs memory comes first, so that a server sees no failed connection */
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

	xprtrdma_negotiate_begin(r_xprt);
	conn->local.remote_inv = true;
	ret = rpcrdma_conn_connect(conn,
				   READ_ONCE(r_xprt->xprt.connect_timeout));
	if (!ret)
		ret = xprtrdma_negotiate_wait(r_xprt);
	return ret ?: xprtrdma_first_call(r_xprt);
}

/*
 * Translate the errno for sunrpc, which tries again after some errnos and ends
 * the RPC after all others. An existing mount must survive every failure that
 * may go away. A new mount should fail at once and show the cause.
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
 * To limit the load on the server, each attempt waits longer than the one
 * before, up to a limit, until a Reply resets the delay. After -ENOMEM the
 * next attempt comes soon and asks for fewer credits, because writeback over
 * this connection may be what frees memory.
 */
static void xprtrdma_back_off(struct xprtrdma_xprt *r_xprt, int status)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;

	r_xprt->tried = jiffies;
	if (status == -ENOMEM) {
		r_xprt->credits_wanted = max_t(u32, r_xprt->credits_wanted / 2,
					       XPRTRDMA_CREDITS_MIN);
		xprt->reestablish_timeout = XPRTRDMA_RECONNECT_MIN;
		return;
	}
	if (!status)
		r_xprt->credits_wanted = xprt->max_reqs;
	xprt_reconnect_backoff(xprt, XPRTRDMA_RECONNECT_MIN);
}

static void xprtrdma_connected(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	struct rpc_xprt *xprt = &r_xprt->xprt;

	WRITE_ONCE(r_xprt->reverse_size,
		   min(conn->inline_send, conn->inline_recv) -
		   rpcrdma_codec_least(conn->codec));
	WRITE_ONCE(xprt->connect_cookie, xprt->connect_cookie + 1);
	xprt->stat.connect_count++;
	xprt->stat.connect_time += jiffies - xprt->stat.connect_start;
	xprt_set_connected(xprt);
	rpcrdma_trimmer_start(&r_xprt->trimmer, xprtrdma_wq);

	WRITE_ONCE(r_xprt->live, conn);
	/* Live is set before the state is read; pairs with xprtrdma_lost() */
	smp_mb();
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
		status = -EAGAIN;	/* tells sunrpc to go on */
	}
	/*
	 * Before the unlock: afterwards a task may send its Call and sleep on
	 * xprt->pending for the Reply, and @status would wake it.
	 */
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
 * xprtrdma_connect_init - initialize the connecting part of a transport
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
	r_xprt->credits_wanted = r_xprt->xprt.max_reqs;
}

/*
 * Time to wait, counted from the end of the last attempt, because the task may
 * have waited already. It is shortened by a random part of up to a half,
 * because all clients of a restarted server lose their connection at the same
 * moment.
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
 * xprtrdma_connect - ops->connect: start to connect
 * @xprt: transport without a connection
 * @task: task that holds XPRT_LOCKED, which is passed to the connect work
 *
 * There is no delay after an idle disconnect, or if a Reply was received on the
 * lost connection.
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
 * Requests that are not in use are freed, except a few.
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
 * Context: RPC task; may not hold XPRT_LOCKED, so r_xprt->conn is not used.
 */
void xprtrdma_inject_disconnect(struct rpc_xprt *xprt)
{
	xprt_force_disconnect(xprt);
}

/**
 * xprtrdma_set_connect_timeout - ops->set_connect_timeout: shorten the timeouts
 * @xprt: transport
 * @connect_timeout: longest time for an attempt to connect, jiffies
 * @reconnect_timeout: longest time between two attempts, jiffies
 *
 * A timeout is never made longer.
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
