// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probing a silent peer.
 *
 * A connection on which nothing is being sent learns nothing of a peer that lost
 * its power or its link. So a work item looks at every connection a few times in
 * the time in which a dead peer must be found; probe_plan.c decides. What it looks
 * at are counters that the receive path and the send queue keep anyway, under
 * their own serialization: a message costs nothing more.
 *
 * The probe of InfiniBand and RoCE is an RDMA Write without data: it completes when
 * the peer's device has acknowledged it, and needs no memory and no right at the
 * peer. On iWARP a Write completes when TCP has taken it, which proves nothing, so
 * the probe is an RDMA Read without data. A server may always read, since it
 * refuses clients that let nobody read. A client may if the server has granted it
 * that; without, a dead server is found by the time-out of an RPC. Soft-iWARP must
 * not be sent such a Read (tcp.c says why), so there the probe is a Write, and
 * whether the peer has got it is asked of TCP. In all cases the peer's software is
 * not involved, so a peer that is only slow has no part in it.
 *
 * The send queue has one entry more than its room, for the probe.
 */
#include <linux/moduleparam.h>
#include "core.h"

/* Time between two looks at the setting while there is no probing */
#define RPCRDMA_PROBE_OFF	(10UL * HZ)

static unsigned int rpcrdma_probe_seconds = RPCRDMA_PROBE_DEFAULT;

static int rpcrdma_probe_set(const char *val, const struct kernel_param *kp)
{
	int ret = param_set_uint_minmax(val, kp, 0, RPCRDMA_PROBE_MAX);

	if (ret)
		pr_err("rpcrdma: %s must be from 0 to %u, not %.32s\n",
		       kp->name, RPCRDMA_PROBE_MAX, val);
	return ret;
}

static const struct kernel_param_ops rpcrdma_probe_param_ops = {
	.set	= rpcrdma_probe_set,
	.get	= param_get_uint,
};

module_param_cb(probe_seconds, &rpcrdma_probe_param_ops,
		&rpcrdma_probe_seconds, 0644);
MODULE_PARM_DESC(probe_seconds, "Time in which a dead peer is found while nothing is being sent, at once, seconds (0..3600, default 10; 0: never)");

static u32 rpcrdma_probe_heard(const struct rpcrdma_conn *conn)
{
	u32 arrived = READ_ONCE(conn->rq.arrived);

	/* What has been sent is returned as soon as TCP has it */
	if (conn->probe.tcp)
		return arrived + rpcrdma_tcp_heard(conn->probe.tcp);
	return arrived + READ_ONCE(conn->sendq.returned) +
	       READ_ONCE(conn->probe.answers);
}

static void rpcrdma_probe_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rpcrdma_conn *conn = cq->cq_context;
	struct rpcrdma_probe *probe = &conn->probe;

	rpcrdma_fault_wc(wc);
	rpcrdma_sendq_done(conn, &probe->flight, wc);
	if (wc->status == IB_WC_WR_FLUSH_ERR) {
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PEER, -ENOTCONN);
		return;
	}
	if (wc->status != IB_WC_SUCCESS) {
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_SILENT, -EIO);
		return;
	}
	WRITE_ONCE(probe->answers, probe->answers + 1);
	/* Whoever sees that another one may be sent sees the answer */
	smp_store_release(&probe->under_way, false);
}

static bool rpcrdma_probe_reads(const struct rpcrdma_conn *conn)
{
	return !rpcrdma_tcp_beneath(conn) &&
	       rdma_protocol_iwarp(conn->device, conn->cm_id->port_num);
}

static void rpcrdma_probe_send(struct rpcrdma_conn *conn)
{
	struct rpcrdma_probe *probe = &conn->probe;
	struct ib_sge nothing = { .lkey = conn->pd->local_dma_lkey };
	struct ib_rdma_wr wr = {
		.wr.wr_cqe	= &probe->cqe,
		.wr.opcode	= IB_WR_RDMA_WRITE,
		.wr.send_flags	= IB_SEND_SIGNALED,
	};

	if (rpcrdma_probe_reads(conn)) {
		wr.wr.opcode = IB_WR_RDMA_READ;
		wr.wr.sg_list = &nothing;
		wr.wr.num_sge = 1;
	}
	probe->under_way = true;
	rpcrdma_count(conn->stats, RPCRDMA_C_PROBES);
	rpcrdma_sendq_post(conn, &probe->flight, &wr.wr);
}

/*
 * On iWARP the end that has accepted sends nothing before it has received something
 * (RFC 5044 section 7.1), not even a Read: to the other end, whose connection is not
 * complete yet, that would be the end of it.
 */
static bool rpcrdma_probe_too_early(const struct rpcrdma_conn *conn)
{
	return conn->adopted && !READ_ONCE(conn->rq.arrived) &&
	       rdma_protocol_iwarp(conn->device, conn->cm_id->port_num);
}

static void rpcrdma_probe_act(struct rpcrdma_conn *conn)
{
	struct rpcrdma_probe *probe = &conn->probe;
	/* Pairs with rpcrdma_probe_done(): its answer counts below */
	bool under_way = smp_load_acquire(&probe->under_way);

	switch (rpcrdma_probe_look(&probe->plan, rpcrdma_probe_heard(conn),
				   under_way)) {
	case RPCRDMA_PROBE_WAIT:
		break;
	case RPCRDMA_PROBE_SEND:
		rpcrdma_probe_send(conn);
		break;
	case RPCRDMA_PROBE_DEAD:
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_SILENT, -ETIMEDOUT);
		break;
	}
}

/* Jiffies until the next look */
static unsigned long rpcrdma_probe_later(unsigned int seconds)
{
	if (!seconds)
		return RPCRDMA_PROBE_OFF;
	return msecs_to_jiffies(rpcrdma_probe_interval(seconds));
}

/* Is there a way to find out whether the peer is alive? */
static bool rpcrdma_probe_possible(struct rpcrdma_conn *conn, bool may_read)
{
	if (!rpcrdma_tcp_beneath(conn))
		return may_read || !rpcrdma_probe_reads(conn);
	conn->probe.tcp = rpcrdma_tcp_find(conn);
	if (!conn->probe.tcp)
		rpcrdma_log_unwatched(conn);
	return conn->probe.tcp;
}

static void rpcrdma_probe_work(struct work_struct *work)
{
	struct rpcrdma_conn *conn = container_of(to_delayed_work(work),
						 struct rpcrdma_conn,
						 probe.work);
	unsigned int seconds = READ_ONCE(rpcrdma_probe_seconds);

	if (!rpcrdma_conn_enter(conn))
		return;
	if (seconds) {
		if (!rpcrdma_probe_too_early(conn))
			rpcrdma_probe_act(conn);
	} else {
		rpcrdma_probe_begin(&conn->probe.plan,
				    rpcrdma_probe_heard(conn));
	}
	queue_delayed_work(rpcrdma_wq, &conn->probe.work,
			   rpcrdma_probe_later(seconds));
	rpcrdma_conn_leave(conn);
}

/**
 * rpcrdma_probe_init - no probing yet
 * @conn: new connection
 *
 * Context: any.
 */
void rpcrdma_probe_init(struct rpcrdma_conn *conn)
{
	INIT_DELAYED_WORK(&conn->probe.work, rpcrdma_probe_work);
	conn->probe.cqe.done = rpcrdma_probe_done;
}

/**
 * rpcrdma_probe_start - begin to look after the peer
 * @conn: connection that has just been established
 * @may_read: the peer lets us start RDMA Reads
 *
 * Ends by itself when the connection closes; see rpcrdma_probe_stop().
 *
 * Context: CM handler.
 */
void rpcrdma_probe_start(struct rpcrdma_conn *conn, bool may_read)
{
	unsigned int seconds = READ_ONCE(rpcrdma_probe_seconds);

	/* Inside, so that draining waits, and then finds the work queued */
	if (!rpcrdma_conn_enter(conn))
		return;
	if (rpcrdma_probe_possible(conn, may_read)) {
		rpcrdma_probe_begin(&conn->probe.plan,
				    rpcrdma_probe_heard(conn));
		queue_delayed_work(rpcrdma_wq, &conn->probe.work,
				   rpcrdma_probe_later(seconds));
	}
	rpcrdma_conn_leave(conn);
}

/**
 * rpcrdma_probe_stop - no probing any more
 * @conn: closing connection without posters
 *
 * Context: may sleep.
 */
void rpcrdma_probe_stop(struct rpcrdma_conn *conn)
{
	cancel_delayed_work_sync(&conn->probe.work);
	rpcrdma_tcp_put(conn->probe.tcp);
	conn->probe.tcp = NULL;
}
