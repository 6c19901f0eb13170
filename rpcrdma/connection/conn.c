// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection: allocation, set-up, and teardown. cm.c connects it, conn_state.c has
 * its state and closes it.
 *
 * Who can reach a connection
 * --------------------------
 *
 * The owner, which is the client's or the server's transport, has created it, and is
 * the only one that drains and destroys it. Until then four others can reach it:
 *
 *  - the CM, through cm_id->context, until rdma_destroy_id() returns;
 *  - asynchronous QP events, until rdma_destroy_qp() returns;
 *  - completion handlers, until the QP is drained;
 *  - posters, between rpcrdma_conn_enter() and rpcrdma_conn_leave(). A poster is code
 *    that posts work requests, or that must not run beside or after the drain.
 *
 * Order of the teardown
 * ---------------------
 *
 * 1. rpcrdma_conn_close() moves the state to CLOSING. Its work item kills the reference
 *    of the posters, so that no poster can enter; refuses send queue slots;
 *    disconnects; calls ops->lost.
 * 2. rpcrdma_conn_drain() waits for that work item, then for the posters, so that
 *    nothing is posted behind the drain markers. Then it drains the QP: after that
 *    every completion handler has run. If a device that has failed cannot drain it,
 *    those that have not run never will, and the device may still use memory of what was
 *    posted. The state becomes CLOSED.
 * 3. A server releases its rdma_rw contexts: their MRs are in the QP. This unmaps their
 *    pages, which stay allocated.
 * 4. rpcrdma_conn_destroy_qp(): from then on the device uses no memory of the owner.
 * 5. The owner frees what completion handlers used: MRs, Sends, requests and their pages.
 *    That needs the PD.
 * 6. rpcrdma_conn_destroy() frees CQ, receive buffers, PD, each after its last
 *    user. Last is the cm_id: rdma_destroy_id() waits for a running CM handler, which
 *    finds the state CLOSED and does nothing. The destruction of the cm_id may be
 *    deferred until after the owner is freed (deferred_destroy.c).
 *
 * The removal of a device waits until its last cm_id is destroyed, so the device
 * outlives steps 1 to 6.
 *
 * Model: scripts/tests/models/teardown_client.pml
 * Model: scripts/tests/models/teardown_server.pml
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "../core.h"

/* Reconnecting is part of writeback, so each needs a rescuer thread */
struct workqueue_struct *rpcrdma_wq;

/*
 * For closing alone: rdma_disconnect() may sleep for as long as a dead peer keeps the device
 * connecting, and must not hold up the keepalives of other connections.
 */
struct workqueue_struct *rpcrdma_close_wq;

/**
 * rpcrdma_conn_posters_gone - the last poster has left: release of the reference
 * @ref: rpcrdma_endpoint.posters, killed; the endpoint has a connection
 *
 * Context: any.
 */
void rpcrdma_conn_posters_gone(struct percpu_ref *ref)
{
	struct rpcrdma_endpoint *ep = container_of(ref, struct rpcrdma_endpoint, posters);

	complete(&to_core(ep->conn)->posters_gone);
}

/**
 * rpcrdma_conn_alloc - allocate a connection in state NEW, without a cm_id
 * @ops: callbacks of the owner
 * @owner: the owner's pointer
 * @ep: endpoint without a connection; outlives the new one
 * @peer: address of the peer
 *
 * Context: may sleep; the caller is in a NOFS scope.
 * Return: the connection, for rpcrdma_conn_drain() and rpcrdma_conn_destroy(); or NULL
 * if there is no memory.
 */
struct rpcrdma_conn *rpcrdma_conn_alloc(const struct rpcrdma_conn_ops *ops,
					void *owner,
					struct rpcrdma_endpoint *ep,
					const struct sockaddr *peer)
{
	struct rpcrdma_conn_core *core;
	struct rpcrdma_conn *conn;

	core = kzalloc(sizeof(*core), RPCRDMA_GFP_ONCE);
	if (!core)
		return NULL;
	conn = &core->conn;
	init_completion(&core->posters_gone);
	spin_lock_init(&core->state_lock);
	init_waitqueue_head(&core->state_wait);
	INIT_WORK(&core->close_work, rpcrdma_conn_close_work);
	rpcrdma_sendq_init(&core->sendq);
	rpcrdma_recv_init(conn);
	rpcrdma_keepalive_init(conn);
	rpcrdma_cm_private_decode(&conn->remote, NULL, 0);
	conn->local = conn->remote;
	rpcrdma_negotiate_server(&conn->negotiation, RPCRDMA_VERSIONS_1);
	conn->codec = &rpcrdma_codec_v1;
	conn->ops = ops;
	conn->owner = owner;
	conn->ep = ep;
	conn->stats = &ep->stats;
	memcpy(&conn->peer, peer, rdma_addr_size(peer));
	core->state = RPCRDMA_S_NEW;
	/* In this order: once it is in the registry, the administrator can close it */
	percpu_ref_reinit(&ep->posters);
	rpcrdma_registry_add(conn);
	return conn;
}

static void rpcrdma_qp_event(struct ib_event *event, void *context)
{
	struct rpcrdma_conn *conn = context;

	switch (event->event) {
	case IB_EVENT_COMM_EST:
		/* A message came before RDMA_CM_EVENT_ESTABLISHED */
		rdma_notify(to_core(conn)->cm_id, event->event);
		break;
	case IB_EVENT_SQ_DRAINED:
	case IB_EVENT_PATH_MIG:
	case IB_EVENT_QP_LAST_WQE_REACHED:
		break;
	default:
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_QP_ERROR, -EIO);
	}
}

/* What the device of a connection can do */
static void rpcrdma_conn_caps(const struct rpcrdma_conn *conn,
			      struct rpcrdma_caps *caps)
{
	const struct ib_device_attr *attrs = &conn->device->attrs;

	*caps = (struct rpcrdma_caps) {
		.max_qp_wr	= attrs->max_qp_wr,
		.max_cqe	= attrs->max_cqe,
		.max_send_sge	= attrs->max_send_sge,
		.max_recv_sge	= attrs->max_recv_sge,
		/* irdma knows pages of 4 KiB, 2 MiB and 1 GiB, and so none of 16 or 64 KiB */
		.mr_pages	= attrs->page_size_cap & PAGE_SIZE ?
				  attrs->max_fast_reg_page_list_len : 0,
		.max_read_in	= attrs->max_qp_rd_atom,
		.max_read_out	= attrs->max_qp_init_rd_atom,
		.max_read_sge	= attrs->max_sge_rd,
		.read_mrs	= rdma_protocol_iwarp(conn->device, conn->port_num) ||
				  attrs->max_sgl_rd,
		.frwr		= attrs->device_cap_flags &
				  IB_DEVICE_MEM_MGT_EXTENSIONS,
	};
}

/**
 * rpcrdma_conn_limits - compute the sizes of a connection
 * @conn: connection whose device is known
 * @settings: what the administrator wants
 * @limits: result; undefined after an error
 *
 * Context: any.
 * Return: as rpcrdma_limits_server() or rpcrdma_limits_client().
 */
int rpcrdma_conn_limits(const struct rpcrdma_conn *conn,
			const struct rpcrdma_settings *settings,
			struct rpcrdma_limits *limits)
{
	struct rpcrdma_caps caps;

	rpcrdma_conn_caps(conn, &caps);
	return conn->server ? rpcrdma_limits_server(limits, &caps, settings) :
			      rpcrdma_limits_client(limits, &caps, settings);
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_limits);

static int rpcrdma_conn_make_pd(struct rpcrdma_conn *conn)
{
	struct ib_pd *pd = ib_alloc_pd(conn->device, 0);

	if (IS_ERR(pd))
		return PTR_ERR(pd);
	conn->pd = pd;
	return rpcrdma_keepalive_setup(conn);
}

/* After an error there is neither a CQ nor a QP */
static int rpcrdma_conn_make_queues(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	const struct rpcrdma_limits *limits = &conn->limits;
	struct ib_qp_init_attr attr = {
		.event_handler	= rpcrdma_qp_event,
		.qp_context	= conn,
		.qp_type	= IB_QPT_RC,
		.sq_sig_type	= IB_SIGNAL_REQ_WR,
		.cap		= {
			/* rdma_create_qp() adds those of rdma_rw */
			.max_send_wr	= limits->send_depth +
					  RPCRDMA_RESERVED_SENDS -
					  limits->rw_ctxs * limits->rw_ctx_wrs,
			.max_recv_wr	= limits->recv_depth +
					  RPCRDMA_RESERVED_RECVS,
			.max_send_sge	= limits->send_sges,
			.max_recv_sge	= 1,
			.max_rdma_ctxs	= limits->rw_ctxs,
		},
	};
	int ret;

	ret = rpcrdma_cq_create(conn);
	if (ret)
		return ret;
	attr.send_cq = core->cq.ib;
	attr.recv_cq = core->cq.ib;
	ret = rdma_create_qp(core->cm_id, conn->pd, &attr);
	if (ret) {
		rpcrdma_cq_destroy(conn);
		return ret;
	}
	conn->qp = core->cm_id->qp;
	rpcrdma_sendq_open(&core->sendq, limits->send_depth);
	return 0;
}

/* Device attributes do not tell how large a queue may be in bytes: try */
static int rpcrdma_conn_fit_queues(struct rpcrdma_conn *conn,
				   const struct rpcrdma_settings *settings)
{
	struct rpcrdma_settings tried = *settings;
	u32 wanted = 0;
	int ret;

	do {
		ret = rpcrdma_conn_limits(conn, &tried, &conn->limits);
		if (ret)
			return ret;
		wanted = wanted ?: conn->limits.credits;
		ret = rpcrdma_conn_make_queues(conn);
		if (ret)
			tried.credits = rpcrdma_limits_fewer(&conn->limits, ret);
	} while (ret && tried.credits);

	if (!ret && conn->limits.credits < wanted)
		pr_notice_ratelimited("rpcrdma: %pISpc: %s cannot create queues for %u credits: there are %u\n",
				      &conn->peer, conn->device->name, wanted,
				      conn->limits.credits);
	return ret;
}

/**
 * rpcrdma_conn_setup - create PD, CQ and QP
 * @conn: connection whose device is known
 * @settings: what the administrator wants
 *
 * If the device refuses the queues, this tries half as many credits, and so on.
 *
 * Context: may sleep; allocates with GFP_NOFS.
 * Return: 0, and @conn->limits has the sizes; or what rpcrdma_conn_limits() returns, or a
 * negative errno of the RDMA core. After an error the caller drains and destroys the
 * connection.
 */
int rpcrdma_conn_setup(struct rpcrdma_conn *conn,
		       const struct rpcrdma_settings *settings)
{
	unsigned int nofs = memalloc_nofs_save();
	int ret;

	ret = rpcrdma_conn_make_pd(conn);
	if (!ret)
		ret = rpcrdma_conn_fit_queues(conn, settings);
	memalloc_nofs_restore(nofs);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_setup);

/**
 * rpcrdma_conn_drain - close, and wait for the last completion
 * @conn: connection; only its owner calls this, outside of its callbacks
 *
 * May be called more than once.
 *
 * Context: may sleep. Must not be called while inside rpcrdma_conn_enter().
 */
void rpcrdma_conn_drain(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	might_sleep();
	rpcrdma_conn_close(conn, RPCRDMA_CLOSE_LOCAL, 0);
	flush_work(&core->close_work);
	if (test_and_set_bit(RPCRDMA_CONN_DRAINED, &core->flags))
		return;

	wait_for_completion(&core->posters_gone);
	rpcrdma_keepalive_stop(conn);
	if (conn->qp)
		rpcrdma_cq_drain(conn);
	/* A device that has failed may not have drained the QP */
	rpcrdma_cq_stop(conn);
	rpcrdma_conn_move(conn, RPCRDMA_S_CLOSED);
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_drain);

/**
 * rpcrdma_conn_destroy_qp - end the device's use of memory
 * @conn: drained connection; its owner has released all rdma_rw contexts
 *
 * May be called more than once. After it the owner may free what it has posted, even if the
 * device could not drain the QP.
 *
 * Context: may sleep.
 */
void rpcrdma_conn_destroy_qp(struct rpcrdma_conn *conn)
{
	WARN_ON_ONCE(!test_bit(RPCRDMA_CONN_DRAINED, &to_core(conn)->flags));

	if (conn->qp)
		rdma_destroy_qp(to_core(conn)->cm_id);
	conn->qp = NULL;
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_destroy_qp);

/**
 * rpcrdma_conn_destroy - free a connection, with its QP if it still has one
 * @conn: drained connection; its owner has freed all that uses it
 *
 * Context: may sleep. Not from a CM handler of this connection.
 */
void rpcrdma_conn_destroy(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	WARN_ON_ONCE(!test_bit(RPCRDMA_CONN_DRAINED, &core->flags));

	rpcrdma_registry_del(conn);
	rpcrdma_conn_destroy_qp(conn);
	rpcrdma_cq_destroy(conn);
	rpcrdma_recv_destroy(conn);
	rpcrdma_keepalive_free(conn);
	if (conn->pd)
		ib_dealloc_pd(conn->pd);
	rpcrdma_deferred_destroy(conn);
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_destroy);

/**
 * rpcrdma_conn_init - create what all connections share
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int rpcrdma_conn_init(void)
{
	rpcrdma_log_init();
	rpcrdma_wq = alloc_workqueue("rpcrdma", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	rpcrdma_close_wq = alloc_workqueue("rpcrdma_close", WQ_UNBOUND | WQ_MEM_RECLAIM,
					   WQ_MAX_ACTIVE);
	if (rpcrdma_wq && rpcrdma_close_wq && !rpcrdma_cq_init())
		return 0;
	rpcrdma_conn_exit();
	return -ENOMEM;
}

/**
 * rpcrdma_conn_exit - undo rpcrdma_conn_init(); no connection is left
 *
 * Context: module exit.
 */
void rpcrdma_conn_exit(void)
{
	rpcrdma_deferred_stop();
	rpcrdma_cq_exit();
	if (rpcrdma_close_wq)
		destroy_workqueue(rpcrdma_close_wq);
	if (rpcrdma_wq)
		destroy_workqueue(rpcrdma_wq);
}
