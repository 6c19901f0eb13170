// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connecting: address and route, connect, accept, and the events of the RDMA
 * connection manager (CM).
 *
 * The CM handler only moves or closes the connection. It frees nothing and always
 * returns 0, so that the cm_id stays with the connection. rpcrdma_conn_resolve() and
 * rpcrdma_conn_connect() wait in process context until the state has changed.
 */
#include <linux/sched/mm.h>
#include <rdma/ib_cm.h>
#include <trace/events/rpcrdma_core.h>
#include "../core.h"

/* Retries of the QP for a lost packet; the field has three bits */
#define RPCRDMA_CM_RETRIES	6

#define RPCRDMA_READS_IN_MAX	255	/* an 8-bit field of the CM */

/* A lack of memory on this machine says nothing of the peer */
static void rpcrdma_cm_refused(struct rpcrdma_conn *conn, int error)
{
	rpcrdma_conn_close(conn, error == -ENOMEM ? RPCRDMA_CLOSE_SETUP :
						    RPCRDMA_CLOSE_UNREACHABLE,
			   error);
}

static void rpcrdma_cm_addr_resolved(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	unsigned int nofs = memalloc_nofs_save();
	int ret;

	/* The NOFS scope of rpcrdma_conn_resolve() is of another task */
	ret = rdma_resolve_route(core->cm_id,
				 jiffies_to_msecs(core->resolve_timeout));
	memalloc_nofs_restore(nofs);
	if (ret)
		rpcrdma_cm_refused(conn, ret);
}

static void rpcrdma_cm_route_resolved(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);

	conn->device = core->cm_id->device;
	conn->port_num = core->cm_id->port_num;
	rpcrdma_conn_move(conn, RPCRDMA_S_RESOLVED);
}

static void rpcrdma_conn_thresholds(struct rpcrdma_conn *conn)
{
	WRITE_ONCE(conn->inline_send,
		   rpcrdma_inline_threshold(conn->local.send_size,
					    conn->remote.recv_size));
	WRITE_ONCE(conn->inline_recv,
		   rpcrdma_inline_threshold(conn->remote.send_size,
					    conn->local.recv_size));
}

static void rpcrdma_cm_established(struct rpcrdma_conn *conn,
				   const struct rdma_cm_event *event)
{
	const struct rdma_conn_param *param = &event->param.conn;
	struct rpcrdma_conn_core *core = to_core(conn);

	/* A server has got it with the connect request */
	if (!conn->server) {
		rpcrdma_cm_private_decode(&conn->remote, param->private_data,
					  param->private_data_len);
		rpcrdma_conn_thresholds(conn);
	}
	rpcrdma_traffic_established(conn);
	/* Before the move: rpcrdma_log_close() reads it when the state is CLOSING */
	WRITE_ONCE(core->established_at, ktime_get_seconds());
	if (!rpcrdma_conn_move(conn, RPCRDMA_S_ESTABLISHED))
		return;
	rpcrdma_keepalive_start(conn);
	rpcrdma_count(conn->stats, RPCRDMA_C_CONNECTS);
	trace_rpcrdma_established(conn, &core->cm_id->route.addr.src_addr);
	rpcrdma_log_established(conn);
	if (conn->ops->established)
		conn->ops->established(conn);
}

static void rpcrdma_cm_rejected(struct rpcrdma_conn *conn,
				const struct rdma_cm_event *event)
{
	/* The peer still has an older connection of ours: try again */
	bool stale = rdma_cap_ib_cm(conn->device, conn->port_num) &&
		     event->status == IB_CM_REJ_STALE_CONN;

	rpcrdma_conn_close(conn, RPCRDMA_CLOSE_REJECTED,
			   stale ? -EAGAIN : -ECONNREFUSED);
}

static int rpcrdma_cm_event(struct rdma_cm_id *cm_id,
			    struct rdma_cm_event *event)
{
	struct rpcrdma_conn *conn = cm_id->context;

	trace_rpcrdma_cm_event(conn, event);
	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		rpcrdma_cm_addr_resolved(conn);
		break;
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		rpcrdma_cm_route_resolved(conn);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		rpcrdma_cm_established(conn, event);
		break;
	case RDMA_CM_EVENT_ADDR_ERROR:
	case RDMA_CM_EVENT_ROUTE_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
		rpcrdma_cm_refused(conn, event->status < 0 ? event->status :
							     -EHOSTUNREACH);
		break;
	case RDMA_CM_EVENT_REJECTED:
		rpcrdma_cm_rejected(conn, event);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PEER, -ECONNRESET);
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		set_bit(RPCRDMA_CONN_DEVICE_REMOVED, &to_core(conn)->flags);
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_DEVICE_GONE, -ENODEV);
		break;
	case RDMA_CM_EVENT_ADDR_CHANGE:
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_ADDR_CHANGE,
				   -EADDRNOTAVAIL);
		break;
	case RDMA_CM_EVENT_CONNECT_ERROR:
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_UNREACHABLE, -ENOTCONN);
		break;
	default:
		break;
	}
	return 0;
}

/**
 * rpcrdma_cm_id_create - create a cm_id
 * @net: network namespace
 * @handler: handler of its events
 * @context: for @handler
 *
 * A cm_id has a pointer to the name of the module that created it. The cm_ids of
 * accepted connections inherit it from the listener, and can outlive the server's
 * module (deferred_destroy.c). So the core creates all of them.
 *
 * Context: may sleep.
 * Return: the cm_id, for rdma_destroy_id(), or an ERR_PTR.
 */
struct rdma_cm_id *rpcrdma_cm_id_create(struct net *net,
					rdma_cm_event_handler handler,
					void *context)
{
	return rdma_create_id(net, handler, context, RDMA_PS_TCP, IB_QPT_RC);
}
EXPORT_SYMBOL_GPL(rpcrdma_cm_id_create);

static int rpcrdma_conn_find_peer(struct rpcrdma_conn *conn, struct net *net,
				  const struct sockaddr *src,
				  const struct sockaddr *dst,
				  unsigned long timeout)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	struct rdma_cm_id *cm_id;
	int ret;

	cm_id = rpcrdma_cm_id_create(net, rpcrdma_cm_event, conn);
	if (IS_ERR(cm_id))
		return PTR_ERR(cm_id);
	core->cm_id = cm_id;
	core->resolve_timeout = timeout;
	rpcrdma_traffic_route(conn);

	rpcrdma_conn_move(conn, RPCRDMA_S_RESOLVING);
	ret = rdma_resolve_addr(cm_id, (struct sockaddr *)src, dst,
				jiffies_to_msecs(timeout));
	if (ret)
		return ret;
	return rpcrdma_conn_wait(conn, RPCRDMA_S_RESOLVING, timeout);
}

/**
 * rpcrdma_conn_resolve - create a client's connection and find the way to the server
 * @net: network namespace
 * @src: local address, or NULL
 * @dst: server address with port
 * @ops: callbacks of the owner
 * @owner: the owner's pointer
 * @ep: endpoint without a connection
 * @timeout: jiffies to find the address and the route
 *
 * Context: may sleep; allocates with GFP_NOFS.
 * Return: a connection whose device is known, which the caller drains and destroys; or
 * an ERR_PTR: -ENOMEM, -ENODEV (no RDMA device for that address), -ENETUNREACH (no
 * route), -EHOSTUNREACH, -ETIMEDOUT, or an errno of the CM.
 */
struct rpcrdma_conn *rpcrdma_conn_resolve(struct net *net,
					  const struct sockaddr *src,
					  const struct sockaddr *dst,
					  const struct rpcrdma_conn_ops *ops,
					  void *owner,
					  struct rpcrdma_endpoint *ep,
					  unsigned long timeout)
{
	unsigned int nofs = memalloc_nofs_save();
	struct rpcrdma_conn *conn;
	int ret = -ENOMEM;

	conn = rpcrdma_conn_alloc(ops, owner, ep, dst);
	if (!conn) {
		rpcrdma_endpoint_note_close(ep, RPCRDMA_CLOSE_SETUP, ret);
		goto out;
	}
	ret = rpcrdma_conn_find_peer(conn, net, src, dst, timeout);
	if (ret) {
		rpcrdma_cm_refused(conn, ret);
		rpcrdma_conn_drain(conn);
		rpcrdma_conn_destroy(conn);
	}
out:
	memalloc_nofs_restore(nofs);
	return ret ? ERR_PTR(ret) : conn;
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_resolve);

/**
 * rpcrdma_conn_adopt - create a server's connection from a connect request
 * @cm_id: new cm_id of an RDMA_CM_EVENT_CONNECT_REQUEST
 * @event: that event
 * @ops: callbacks of the owner
 * @owner: the owner's pointer
 * @ep: endpoint without a connection
 *
 * After success the connection gets the events of @cm_id, and the CM handler that
 * called this returns 0.
 *
 * Context: the CM handler of the listener; may sleep.
 * Return: a connection that owns @cm_id, which the caller drains and destroys from
 * another context; or NULL, and @cm_id is unchanged.
 */
struct rpcrdma_conn *rpcrdma_conn_adopt(struct rdma_cm_id *cm_id,
					const struct rdma_cm_event *event,
					const struct rpcrdma_conn_ops *ops,
					void *owner,
					struct rpcrdma_endpoint *ep)
{
	const struct rdma_conn_param *param = &event->param.conn;
	struct rpcrdma_conn *conn;

	conn = rpcrdma_conn_alloc(ops, owner, ep,
				  (struct sockaddr *)&cm_id->route.addr.dst_addr);
	if (!conn)
		return NULL;
	conn->device = cm_id->device;
	conn->port_num = cm_id->port_num;
	/* The CM swaps the fields of the client: this one limits our RDMA Reads */
	conn->read_depth = min_t(u32, param->initiator_depth,
				 cm_id->device->attrs.max_qp_init_rd_atom);
	rpcrdma_cm_private_decode(&conn->remote, param->private_data,
				  param->private_data_len);

	conn->server = true;
	to_core(conn)->cm_id = cm_id;
	cm_id->context = conn;
	cm_id->event_handler = rpcrdma_cm_event;
	rpcrdma_traffic_route(conn);
	rpcrdma_conn_move(conn, RPCRDMA_S_RESOLVED);
	return conn;
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_adopt);

static void rpcrdma_conn_announce(struct rpcrdma_conn *conn,
				  struct rpcrdma_wire_cmp *wire,
				  struct rdma_conn_param *param)
{
	rpcrdma_cm_private_encode(&conn->local, wire);
	param->private_data = wire;
	param->private_data_len = sizeof(*wire);
	param->retry_count = RPCRDMA_CM_RETRIES;
	rpcrdma_traffic_offer(conn, param);
}

static int rpcrdma_conn_ask_cm(struct rpcrdma_conn *conn,
			       struct rdma_conn_param *param)
{
	struct rdma_cm_id *cm_id = to_core(conn)->cm_id;

	if (!rpcrdma_conn_move(conn, RPCRDMA_S_CONNECTING))
		return -ENOTCONN;
	if (rpcrdma_fault(RPCRDMA_FAULT_CONNECT))
		return -EHOSTUNREACH;
	return conn->server ? rdma_accept(cm_id, param) :
			      rdma_connect_locked(cm_id, param);
}

/*
 * If rdma_connect() fails it frees what rdma_disconnect() uses. So the state moves under
 * the lock of the CM handler: once a connection is closing, the CM is either not asked,
 * or the lock is held until it has answered. rpcrdma_conn_disconnect() waits for that.
 */
static int rpcrdma_conn_offer(struct rpcrdma_conn *conn,
			      struct rdma_conn_param *param)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	int ret;

	if (rpcrdma_rxe_port_is_down(conn)) {
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PORT_DOWN, -ENETDOWN);
		return -ENETDOWN;
	}
	set_bit(RPCRDMA_CONN_OFFERED, &core->flags);
	rdma_lock_handler(core->cm_id);
	ret = rpcrdma_conn_ask_cm(conn, param);
	rdma_unlock_handler(core->cm_id);
	if (ret)
		rpcrdma_cm_refused(conn, ret);
	return ret;
}

/**
 * rpcrdma_conn_connect - connect to the server and wait for the outcome
 * @conn: connection with queues and posted Receives; conn->local is the CM private
 *	  data to send
 * @timeout: jiffies to wait
 *
 * Context: may sleep; allocates with GFP_NOFS.
 * Return: 0, and thresholds and remote private data are known; -ECONNREFUSED, -EAGAIN
 * (the peer still has an older connection), -ETIMEDOUT, -EHOSTUNREACH, -ENETDOWN (see
 * rxe_port_down.c) or an errno of the CM: the caller then drains and destroys the
 * connection. In both cases ops->lost may have been called already.
 */
int rpcrdma_conn_connect(struct rpcrdma_conn *conn, unsigned long timeout)
{
	unsigned int nofs = memalloc_nofs_save();
	struct rpcrdma_wire_cmp wire;
	struct rdma_conn_param param = {
		/* The server reads our memory; we read nothing */
		.responder_resources = min_t(u32, RPCRDMA_READS_IN_MAX,
					     conn->device->attrs.max_qp_rd_atom),
	};
	int ret;

	rpcrdma_conn_announce(conn, &wire, &param);
	rpcrdma_conn_thresholds(conn);
	ret = rpcrdma_conn_offer(conn, &param);
	if (!ret)
		ret = rpcrdma_conn_wait(conn, RPCRDMA_S_CONNECTING, timeout);
	memalloc_nofs_restore(nofs);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_connect);

/**
 * rpcrdma_conn_accept - accept a client
 * @conn: adopted connection with queues and posted Receives; conn->local is the CM
 *	  private data to send
 *
 * Messages can arrive from now on, before or after ops->established.
 *
 * Context: may sleep; the caller keeps reclaim out of the file system.
 * Return: 0, and thresholds are known; -EINVAL if the client does not allow RDMA
 * Reads of its memory; -ENETDOWN (see rxe_port_down.c); or an errno of the CM. After an
 * error the caller drains and destroys the connection.
 */
int rpcrdma_conn_accept(struct rpcrdma_conn *conn)
{
	struct rpcrdma_wire_cmp wire;
	struct rdma_conn_param param = {
		.initiator_depth = conn->read_depth,
	};

	if (!conn->read_depth)
		return -EINVAL;
	rpcrdma_conn_announce(conn, &wire, &param);
	rpcrdma_conn_thresholds(conn);
	/* The client accepts Send With Invalidate, and our device has it */
	conn->remote_inv = conn->remote.remote_inv &&
			   conn->device->attrs.device_cap_flags &
			   IB_DEVICE_MEM_MGT_EXTENSIONS;
	return rpcrdma_conn_offer(conn, &param);
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_accept);
