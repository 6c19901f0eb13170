// SPDX-License-Identifier: GPL-2.0-only
/*
 * The connection of a transport: when it begins, when it is lost, and how it is taken down. One
 * attempt to connect is in attempt.c.
 *
 * Who may use the connection
 * --------------------------
 *
 * r_xprt->conn changes only under XPRT_LOCKED, the send lock of sunrpc. The lock is
 * held by
 *
 *  - the connect work, to which xprt_lock_connect() passes it,
 *  - ops->close, which sunrpc calls with the lock held,
 *  - and tasks that send.
 *
 * ops->destroy does not need it, because it is the only user. Nor does the lost work,
 * which takes r_xprt->live (see below). All other code gets the connection from
 * elsewhere: the receive path and completion handlers from the core, which waits for
 * them before it destroys a connection; ops->buf_free from the request, under req->lock
 * (req_memory.c). The trimmer and the MR work run only while the objects of the
 * connection exist.
 *
 * A lost connection
 * -----------------
 *
 * A failure of the connection (CM event, QP event, failed completion or post,
 * keepalive), a Call that has waited too long (wait.c), memory that is not released in
 * time (req_memory.c), or abandoned Calls that hold all credits (credits.c) call
 * rpcrdma_conn_close(). Its work item calls xprtrdma_lost(), which queues the lost work.
 * That calls xprt_force_disconnect(), and takes the connection down as far as XPRT_LOCKED
 * is not needed. sunrpc then calls ops->close under XPRT_LOCKED. A task that finds, with
 * XPRT_LOCKED held, that it cannot send calls xprtrdma_force_disconnect(), so that
 * ops->close comes before any other task. That function also closes a connection that works:
 * wait.c after a Reply that sunrpc has discarded, path_probe.c.
 *
 * The lost work must not wait for XPRT_LOCKED: its owner may be a task that was killed,
 * and that waits until its request is not pinned. Step 5 below ends that wait.
 *
 * While the connect work is still setting up the connection, the lost work does
 * nothing: the connect work sees the failure itself, and a failed attempt must not look
 * like a lost connection. r_xprt->live tells the two apart. xprtrdma_connected() sets
 * it under teardown_lock, and then reads the state of the connection. If the lost work
 * has run before, the state is CLOSING by then, and the work is queued again.
 *
 * Taking it down, in this order
 * -----------------------------
 *
 * Steps 1 to 5 run under teardown_lock only, in the lost work; or in ops->close or in
 * the connect work, if these come first. A task that holds XPRT_LOCKED may be about to
 * send meanwhile. It uses the objects of the connection only inside
 * rpcrdma_conn_enter(), which fails from the close on; step 2 waits until it has left.
 *
 *  1. r_xprt->live is cleared: the end of this connection is not reported to
 *     sunrpc again. The trimmer stops, because it uses MRs and Send contexts.
 *  2. Drain: after this there is no completion, no Reply being processed, and no
 *     code that posts. Then the QP is destroyed. From then on neither the device nor
 *     the server accesses memory, also if the device has failed, and where an
 *     invalidation did not complete. What was learned about the server is saved for
 *     the next negotiation.
 *  3. MRs. First the work that allocates more of them ends. Then they are freed, and
 *     after them their DMA mappings.
 *  4. Send contexts, with their buffers and mappings.
 *  5. Requests. Only now may sunrpc have their memory back. Tasks in ops->buf_free go
 *     on, and those that wait until their request is not pinned. A Reply that was
 *     accepted but not completed is dropped, and its Call is sent again.
 *
 * The rest needs XPRT_LOCKED, so nothing is being sent:
 *
 *  6. Tasks that wait on exposed_waitq for a Reply wake up with -ENOTCONN and send
 *     their Call again; sunrpc wakes those on xprt->pending.
 *  7. Credits: no Call counts as sent.
 *  8. What is left of the connection.
 *
 * Model: scripts/tests/models/teardown_client.pml
 * Model: scripts/tests/models/connect_failure.pml
 */
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/**
 * xprtrdma_lost - conn_ops->lost: a connection is lost, or its set-up failed
 * @conn: connection of a transport
 *
 * Context: the core's work item; does not sleep.
 */
void xprtrdma_lost(struct rpcrdma_conn *conn)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;

	xprtrdma_negotiate_lost(r_xprt);
	queue_work(xprtrdma_lost_wq, &r_xprt->lost_work);
}

/* Steps 1 to 5. The state is CLOSED afterwards: rpcrdma_conn_drain() */
static void xprtrdma_teardown(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn)
{
	lockdep_assert_held(&r_xprt->teardown_lock);
	if (rpcrdma_conn_state(conn) == RPCRDMA_S_CLOSED)
		return;
	r_xprt->live = NULL;
	rpcrdma_trimmer_stop(&r_xprt->trimmer);
	rpcrdma_conn_drain(conn);
	rpcrdma_conn_destroy_qp(conn);
	xprtrdma_negotiate_end(r_xprt);
	xprtrdma_mr_pool_destroy(r_xprt);
	xprtrdma_send_pool_destroy(r_xprt);
	xprtrdma_req_reset_all(r_xprt);
}

/* sunrpc has been told to close, or is told here. It closes when it gets XPRT_LOCKED */
static void xprtrdma_lost_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    lost_work);
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned int nofs = memalloc_nofs_save();
	struct rpcrdma_conn *conn;

	mutex_lock(&r_xprt->teardown_lock);
	conn = r_xprt->live;
	if (conn && (rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING ||
		     test_bit(XPRT_CLOSE_WAIT, &xprt->state))) {
		xprt_force_disconnect(xprt);
		xprtrdma_teardown(r_xprt, conn);
	}
	mutex_unlock(&r_xprt->teardown_lock);
	memalloc_nofs_restore(nofs);
}

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
	mutex_lock(&r_xprt->teardown_lock);
	xprtrdma_teardown(r_xprt, conn);
	mutex_unlock(&r_xprt->teardown_lock);

	rpc_wake_up_status(&r_xprt->exposed_waitq, -ENOTCONN);
	xprtrdma_credits_reset(r_xprt);
	r_xprt->conn = NULL;
	rpcrdma_conn_destroy(conn);
}

/*
 * Translate the errno for sunrpc, which tries again after some errnos and ends
 * the RPC after all others. An existing mount must survive every failure that
 * may go away. A new mount should fail at once and show the cause.
 *
 * -ENETDOWN and -ENETUNREACH are fatal for a mount with fatal_neterrors, which
 * is the default in a network namespace. An existing mount gets only the
 * -ENETUNREACH of address resolution: its namespace has no route any more.
 */
static int xprtrdma_connect_status(const struct xprtrdma_xprt *r_xprt,
				   int error)
{
	switch (error) {
	case -ECONNREFUSED:
	case -ECONNRESET:
	case -EHOSTUNREACH:
	case -ENETUNREACH:
	case -EAGAIN:
		return error;
	case -ETIMEDOUT:
		return -EHOSTUNREACH;
	case -ENETDOWN:
		return r_xprt->new_mount ? error : -EHOSTUNREACH;
	case -ENODEV:
	case -EADDRNOTAVAIL:
		return r_xprt->new_mount ? -ENETUNREACH : -EHOSTUNREACH;
	case -ENOMEM:
		return -ENOBUFS;
	case -EPROTONOSUPPORT:
		return r_xprt->new_mount ? error : -EPROTO;
	case -EOPNOTSUPP:
	case -EINVAL:
	case -ERANGE:
		return r_xprt->new_mount ? -EOPNOTSUPP : -EPROTO;
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
	bool lost;

	WRITE_ONCE(r_xprt->reverse_size,
		   min(conn->inline_send, conn->inline_recv) -
		   rpcrdma_codec_least(conn->codec));
	WRITE_ONCE(xprt->connect_cookie, xprt->connect_cookie + 1);
	xprt->stat.connect_count++;
	xprt->stat.connect_time += jiffies - xprt->stat.connect_start;
	xprtrdma_mr_pool_open(r_xprt);
	xprt_set_connected(xprt);
	xprtrdma_paths_connected(r_xprt);
	rpcrdma_trimmer_start(&r_xprt->trimmer, xprtrdma_wq);

	mutex_lock(&r_xprt->teardown_lock);
	r_xprt->live = conn;
	/* paths.c may have learned of another path since it was established */
	rpcrdma_keepalive_changed(conn);
	lost = rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING;
	mutex_unlock(&r_xprt->teardown_lock);
	if (lost)
		queue_work(xprtrdma_lost_wq, &r_xprt->lost_work);
}

/*
 * A task that the failure wakes may call xprt_conditional_disconnect(), and do so as late as during
 * the next attempt. That must not close the connection that this attempt makes, so the late task
 * finds another cookie.
 */
static void xprtrdma_connect_failed(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;

	WRITE_ONCE(xprt->connect_cookie, xprt->connect_cookie + 1);
	xprtrdma_req_pool_trim(r_xprt, XPRTRDMA_REQS_MIN, jiffies);
}

static void xprtrdma_connect_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    connect_work.work);
	struct rpc_xprt *xprt = &r_xprt->xprt;
	bool swap = atomic_read(&xprt->swapper);
	unsigned int nofs = memalloc_nofs_save();
	unsigned int noreclaim = 0;
	int status;

	if (swap)
		noreclaim = memalloc_noreclaim_save();
	xprtrdma_disconnect(r_xprt);
	status = xprtrdma_attempt(r_xprt);
	trace_xprtrdma_connect(xprt, status);
	xprtrdma_back_off(r_xprt, status);
	xprt_clear_connecting(xprt);
	if (status) {
		xprtrdma_connect_failed(r_xprt);
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

	/* What was saved is zero on some kernels: it tells nothing */
	if (swap)
		memalloc_noreclaim_restore(noreclaim);
	memalloc_nofs_restore(nofs);
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
	INIT_WORK(&r_xprt->lost_work, xprtrdma_lost_work);
	mutex_init(&r_xprt->teardown_lock);
	rpcrdma_trimmer_init(&r_xprt->trimmer, xprtrdma_trim);
	xprtrdma_path_probe_init(r_xprt);
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

/*
 * A mount begins with a NULL Call of rpc_create() that does not wait for a connection. No
 * other task uses the transport then. A clone of an RPC client sends such Calls too, but on
 * the transports of its parent, where other tasks may wait for the same connection; and a
 * transport that nconnect adds begins with any Call.
 */
static bool xprtrdma_is_new_mount(const struct rpc_xprt *xprt,
				  const struct rpc_task *task)
{
	const struct rpc_clnt *clnt = task->tk_client;

	return !xprt->stat.connect_count && RPC_IS_SOFTCONN(task) &&
	       !task->tk_msg.rpc_proc->p_proc && clnt->cl_parent == clnt;
}

/*
 * NFS asks only the first transport of an RPC client for the largest payload, after its first
 * connection. So all others must be able to carry that payload. With pNFS it does not ask that of a
 * data server either: I/O that is too long for it fails, and goes to the metadata server.
 */
static void xprtrdma_learn_payload(struct xprtrdma_xprt *r_xprt,
				   struct rpc_clnt *clnt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	bool first = rcu_access_pointer(clnt->cl_xprt) == xprt;

	r_xprt->payload_open = first && !xprt->stat.connect_count;
	if (!first)
		xprt->max_payload = rpc_max_payload(clnt);
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

	r_xprt->new_mount = xprtrdma_is_new_mount(xprt, task);
	xprtrdma_learn_payload(r_xprt, task->tk_client);
	xprtrdma_paths_collect(r_xprt, task->tk_client);
	WARN_ON_ONCE(!xprt_lock_connect(xprt, task, r_xprt));
	queue_delayed_work(xprtrdma_connect_wq, &r_xprt->connect_work,
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
	xprtrdma_force_disconnect(xprtrdma_from_xprt(xprt));
}

/**
 * xprtrdma_set_connect_timeout - ops->set_connect_timeout: shorten the timeouts
 * @xprt: transport
 * @connect_timeout: longest time for an attempt to connect over one path, jiffies
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
