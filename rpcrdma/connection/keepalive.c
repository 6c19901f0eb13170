// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keepalives: finding a dead peer while no requests are sent.
 *
 * An idle connection cannot notice that its peer has lost power or its link. So a work
 * item looks at every connection several times within the time in which a dead peer
 * must be found; keepalive_plan.c decides when to send a keepalive. The work item
 * compares counters that the receive path and the send queue keep anyway, so a message
 * costs nothing more.
 *
 * On InfiniBand and RoCE a keepalive is an RDMA Write without data. It completes when
 * the peer's device has acknowledged it, and needs neither memory nor access rights. The
 * software of the peer takes no part, so a slow peer is not taken for a dead one.
 *
 * On iWARP a Write completes when the local TCP has accepted it, and an RDMA Read without
 * data crashes some responders (Soft-iWARP). So a client asks its owner for a message
 * that the server must answer, and only what arrives is a sign of life. A server has no
 * such message. Its keepalive is a Write all the same: TCP closes the connection when the
 * peer does not acknowledge it for long enough. It may not send one before the first message
 * of the client; if that does not come in time, the connection closes: the client is dead, or
 * its first Call is stuck in siw (Documentation/kernel-bugs.rst), and is sent again.
 *
 * The send queue has one slot for the keepalive alone. The completion of a keepalive also
 * completes the unsignaled Sends before it. So an idle connection does not keep these for long,
 * and an owner that has no memory for another Send context gets back those that are complete.
 */
#include <linux/moduleparam.h>
#include <rpcrdma/param.h>
#include "../core.h"

/* Time between two looks at the parameter while keepalives are off */
#define RPCRDMA_KEEPALIVE_OFF	(10UL * HZ)

/* Bytes for a Call without arguments and its transport header */
#define RPCRDMA_PING_SIZE	256

static struct rpcrdma_param rpcrdma_keepalive_seconds = {
	.value	= RPCRDMA_KEEPALIVE_DEFAULT,
	.max	= RPCRDMA_KEEPALIVE_MAX,
	.unit	= 1,
};

module_param_cb(keepalive_seconds, &rpcrdma_param_ops,
		&rpcrdma_keepalive_seconds, 0644);
MODULE_PARM_DESC(keepalive_seconds, "Seconds within which a dead peer of an idle connection is detected; takes effect within a quarter of the former value, or 10 s if that was 0 (0..3600, default 10; 0: never)");
module_param_cb(probe_seconds, &rpcrdma_param_ops,
		&rpcrdma_keepalive_seconds, 0644);
MODULE_PARM_DESC(probe_seconds, "Former name of keepalive_seconds (0..3600, default 10; 0: never)");

static u32 rpcrdma_keepalive_activity(const struct rpcrdma_conn *conn)
{
	const struct rpcrdma_conn_core *core = to_core(conn);
	u32 arrived = READ_ONCE(core->rq.arrived);

	/* A client that sends may yet take nothing: a server counts the first message only */
	if (conn->server)
		arrived = core->keepalive.heard;
	/* On iWARP a completion only says that the local TCP has the data */
	if (core->keepalive.ping.data)
		return arrived;
	return arrived + READ_ONCE(core->sendq.returned) +
	       READ_ONCE(core->keepalive.answers);
}

static void rpcrdma_keepalive_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rpcrdma_conn *conn = cq->cq_context;
	struct rpcrdma_keepalive *ka = &to_core(conn)->keepalive;
	unsigned int slots;

	rpcrdma_fault_wc(wc);
	rpcrdma_sendq_done(conn, &ka->chain, wc);
	if (wc->status != IB_WC_SUCCESS) {
		rpcrdma_conn_wc_failed(conn, wc, RPCRDMA_CLOSE_SILENT);
		return;
	}
	slots = rpcrdma_sends_complete(conn, &ka->covers, ka->chain.number);
	if (slots)
		rpcrdma_sendq_release(conn, slots);
	WRITE_ONCE(ka->answers, ka->answers + 1);
	/*
	 * Pairs with rpcrdma_keepalive_act(), which then counts the answer, and with
	 * rpcrdma_keepalive_claim()
	 */
	smp_store_release(&ka->in_progress, 0);
}

/* Return: true if no keepalive is in progress, and the caller is to post one */
static bool rpcrdma_keepalive_claim(struct rpcrdma_keepalive *ka)
{
	return !xchg(&ka->in_progress, 1);
}

/* The caller has claimed it */
static void rpcrdma_keepalive_post_locked(struct rpcrdma_conn *conn,
					  struct ib_send_wr *wr)
{
	struct rpcrdma_keepalive *ka = &to_core(conn)->keepalive;

	lockdep_assert_held(&to_core(conn)->sendq.post_lock);
	wr->wr_cqe = &ka->cqe;
	wr->send_flags = IB_SEND_SIGNALED;
	rpcrdma_count(conn->stats, RPCRDMA_C_KEEPALIVES);
	rpcrdma_unsignaled_take(conn, &ka->covers);
	rpcrdma_sendq_post_locked(conn, &ka->chain, wr, true, NULL);
}

static void rpcrdma_keepalive_write(struct rpcrdma_conn *conn)
{
	struct ib_rdma_wr wr = { .wr.opcode = IB_WR_RDMA_WRITE };

	lockdep_assert_held(&to_core(conn)->sendq.post_lock);
	if (rpcrdma_keepalive_claim(&to_core(conn)->keepalive))
		rpcrdma_keepalive_post_locked(conn, &wr.wr);
}

/* Returns 0, or -EAGAIN if the silence of the peer means nothing */
static int rpcrdma_keepalive_ping(struct rpcrdma_conn *conn)
{
	struct rpcrdma_keepalive *ka = &to_core(conn)->keepalive;
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;
	struct ib_sge sge = {
		.addr	= ka->ping.addr,
		.lkey	= conn->pd->local_dma_lkey,
	};
	struct ib_send_wr wr = {
		.opcode		= IB_WR_SEND,
		.sg_list	= &sge,
		.num_sge	= 1,
	};
	int len;

	if (!rpcrdma_keepalive_claim(ka))
		return 0;
	len = conn->ops->ping(conn, ka->ping.data, ka->ping.size);
	if (len <= 0) {
		WRITE_ONCE(ka->in_progress, 0);
		return len;
	}
	rpcrdma_buf_to_device(&ka->ping, len);
	sge.length = len;
	ka->chain.xid = *(const __be32 *)ka->ping.data;
	rpcrdma_count(conn->stats, RPCRDMA_C_SENDS);
	spin_lock(&sendq->post_lock);
	rpcrdma_keepalive_post_locked(conn, &wr);
	spin_unlock(&sendq->post_lock);
	return 0;
}

/*
 * On iWARP the side that has accepted must receive a message before it sends anything
 * (RFC 5044 7.1): the connection of the other side is not complete until then, and
 * would fail.
 */
static bool rpcrdma_keepalive_too_early(const struct rpcrdma_conn *conn)
{
	return conn->server && !to_core(conn)->keepalive.heard &&
	       rdma_protocol_iwarp(conn->device, conn->port_num);
}

static int rpcrdma_keepalive_send(struct rpcrdma_conn *conn)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;

	if (to_core(conn)->keepalive.ping.data)
		return rpcrdma_keepalive_ping(conn);
	if (rpcrdma_keepalive_too_early(conn))
		return 0;
	spin_lock(&sendq->post_lock);
	rpcrdma_keepalive_write(conn);
	spin_unlock(&sendq->post_lock);
	return 0;
}

static void rpcrdma_keepalive_act(struct rpcrdma_conn *conn)
{
	struct rpcrdma_keepalive *ka = &to_core(conn)->keepalive;
	bool in_progress;
	u32 activity;

	/*
	 * What the peer has sent may wait for its handler: that says nothing about the peer. First,
	 * so that what had arrived by now is counted below.
	 */
	if (rpcrdma_cq_is_behind(conn))
		return;
	if (READ_ONCE(to_core(conn)->rq.arrived))
		ka->heard = true;
	/* Pairs with rpcrdma_keepalive_done(), whose answer is counted below */
	in_progress = smp_load_acquire(&ka->in_progress);
	activity = rpcrdma_keepalive_activity(conn);
	switch (rpcrdma_keepalive_look(&ka->plan, activity, in_progress)) {
	case RPCRDMA_KEEPALIVE_WAIT:
		break;
	case RPCRDMA_KEEPALIVE_SEND:
		if (rpcrdma_keepalive_send(conn))
			rpcrdma_keepalive_begin(&ka->plan, activity);
		break;
	case RPCRDMA_KEEPALIVE_DEAD:
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_SILENT, -ETIMEDOUT);
		break;
	}
}

/* Milliseconds in which a dead peer must be found; 0 if keepalives are off */
static unsigned int rpcrdma_keepalive_conn_timeout_ms(struct rpcrdma_conn *conn)
{
	unsigned int seconds = rpcrdma_param_value(&rpcrdma_keepalive_seconds);
	int ack_timeout = rpcrdma_traffic_in_force(conn, RPCRDMA_TRAFFIC_ACK_TIMEOUT);
	unsigned int sooner = 0;

	/* A ping waits for a thread of the server, and these may be busy for longer */
	if (conn->ops->keepalive_ms && !to_core(conn)->keepalive.ping.data)
		sooner = conn->ops->keepalive_ms(conn);
	return rpcrdma_keepalive_timeout_ms(seconds, sooner,
					rpcrdma_keepalive_min_ms(max(ack_timeout, 0)));
}

/* Jiffies until the next look */
static unsigned long rpcrdma_keepalive_delay(unsigned int within)
{
	if (!within)
		return RPCRDMA_KEEPALIVE_OFF;
	return msecs_to_jiffies(rpcrdma_keepalive_interval(within));
}

static void rpcrdma_keepalive_work(struct work_struct *work)
{
	struct rpcrdma_conn_core *core = container_of(to_delayed_work(work),
						      struct rpcrdma_conn_core,
						      keepalive.work);
	struct rpcrdma_conn *conn = &core->conn;
	unsigned int within;

	if (!rpcrdma_conn_enter(conn))
		return;
	within = rpcrdma_keepalive_conn_timeout_ms(conn);
	if (within)
		rpcrdma_keepalive_act(conn);
	else
		rpcrdma_keepalive_begin(&core->keepalive.plan,
					rpcrdma_keepalive_activity(conn));
	queue_delayed_work(rpcrdma_wq, &core->keepalive.work,
			   rpcrdma_keepalive_delay(within));
	rpcrdma_conn_leave(conn);
}

/**
 * rpcrdma_keepalive_init - initialize the keepalive of a new connection
 * @conn: new connection
 *
 * Context: any.
 */
void rpcrdma_keepalive_init(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	INIT_DELAYED_WORK(&core->keepalive.work, rpcrdma_keepalive_work);
	INIT_LIST_HEAD(&core->keepalive.covers);
	core->keepalive.cqe.done = rpcrdma_keepalive_done;
}

/**
 * rpcrdma_keepalive_setup - allocate what the keepalive of a connection needs
 * @conn: connection with a PD, before it is connected
 *
 * Context: may sleep; the caller is in a NOFS scope.
 * Return: 0 or -ENOMEM. rpcrdma_keepalive_free() undoes it, whole or in part.
 */
int rpcrdma_keepalive_setup(struct rpcrdma_conn *conn)
{
	struct rpcrdma_buf *ping = &to_core(conn)->keepalive.ping;

	if (!conn->ops->ping || !rdma_protocol_iwarp(conn->device, conn->port_num))
		return 0;
	if (rpcrdma_buf_alloc(ping, RPCRDMA_PING_SIZE, DMA_TO_DEVICE,
			      ibdev_to_node(conn->device), RPCRDMA_GFP_ONCE))
		return -ENOMEM;
	return rpcrdma_buf_map(ping, conn->device);
}

/**
 * rpcrdma_keepalive_start - start the keepalive of a connection
 * @conn: connection that has just been established
 *
 * It stops when the connection closes; rpcrdma_keepalive_stop() waits for that.
 *
 * Context: CM handler.
 */
void rpcrdma_keepalive_start(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	/* Entered, so that rpcrdma_conn_drain() finds the work queued */
	if (!rpcrdma_conn_enter(conn))
		return;
	rpcrdma_keepalive_begin(&core->keepalive.plan,
				rpcrdma_keepalive_activity(conn));
	WRITE_ONCE(core->keepalive.running, true);
	queue_delayed_work(rpcrdma_wq, &core->keepalive.work,
			   rpcrdma_keepalive_delay(rpcrdma_keepalive_conn_timeout_ms(conn)));
	rpcrdma_conn_leave(conn);
}

/**
 * rpcrdma_keepalive_now - have a keepalive complete the unsignaled Sends, if there are any
 * @conn: connection of a server that has got a message; entered
 *
 * Sends nothing while a keepalive is in progress. Sends posted behind that one need another
 * call, or a later signaled Send.
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_keepalive_now(struct rpcrdma_conn *conn)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;

	spin_lock(&sendq->post_lock);
	if (!list_empty(&sendq->unsignaled))
		rpcrdma_keepalive_write(conn);
	spin_unlock(&sendq->post_lock);
}
EXPORT_SYMBOL_GPL(rpcrdma_keepalive_now);

/**
 * rpcrdma_keepalive_changed - use what conn_ops->keepalive_ms returns from now on
 * @conn: connection
 *
 * Otherwise it is used from the next look on.
 *
 * Context: any; does not sleep.
 */
void rpcrdma_keepalive_changed(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	if (!rpcrdma_conn_enter(conn))
		return;
	if (READ_ONCE(core->keepalive.running))
		mod_delayed_work(rpcrdma_wq, &core->keepalive.work,
				 rpcrdma_keepalive_delay(rpcrdma_keepalive_conn_timeout_ms(conn)));
	rpcrdma_conn_leave(conn);
}
EXPORT_SYMBOL_GPL(rpcrdma_keepalive_changed);

/**
 * rpcrdma_keepalive_watches - will a keepalive find it if the peer is dead?
 * @conn: connection
 *
 * Context: any.
 * Return: true if so; false before the connection is established, or if keepalives are
 * switched off.
 */
bool rpcrdma_keepalive_watches(const struct rpcrdma_conn *conn)
{
	return READ_ONCE(to_core(conn)->keepalive.running) &&
	       rpcrdma_param_value(&rpcrdma_keepalive_seconds);
}
EXPORT_SYMBOL_GPL(rpcrdma_keepalive_watches);

/**
 * rpcrdma_keepalive_stop - stop the keepalive of a connection
 * @conn: closing connection without posters
 *
 * Context: may sleep.
 */
void rpcrdma_keepalive_stop(struct rpcrdma_conn *conn)
{
	cancel_delayed_work_sync(&to_core(conn)->keepalive.work);
}

/**
 * rpcrdma_keepalive_free - free what the keepalive of a connection needed
 * @conn: drained connection
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_keepalive_free(struct rpcrdma_conn *conn)
{
	rpcrdma_buf_free(&to_core(conn)->keepalive.ping);
}
