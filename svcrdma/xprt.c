// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a connection on the server.
 *
 * Who owns what
 * -------------
 *
 * A struct svcrdma_xprt is born in the CM handler of its listener, with one
 * reference (struct svc_xprt's) and one reference on this module. The reference
 * is first the listener's, then that of the nfsd thread that accepts, then
 * sunrpc's: XPT_BUSY, which is set from birth, keeps everyone else away until
 * sunrpc has it. nfsd threads hold another reference for each request.
 *
 * It owns the struct rpcrdma_conn, all requests, all Sends, and all rdma_rw
 * contexts. A request is owned by, in turn: the queue of ready requests, an nfsd
 * thread (or sunrpc's deferral queue), an RDMA Read under way, the pool. A Send
 * is owned by the thread that builds it, then by the device until its
 * completion, then by the pool.
 *
 * Order of teardown, and why
 * --------------------------
 *
 * 1. However the end is noticed, rpcrdma_conn_close() comes first: by a failed
 *    completion, by a CM event, or by detach, when sunrpc wants the connection
 *    gone. It ends in svcrdma_lost(), which tells sunrpc (it does not depend on
 *    an nfsd thread, for there may be none). Sleepers for room and for rdma_rw
 *    contexts are woken and give up, so no thread keeps its reference for long.
 * 2. sunrpc marks the transport dead, and XPT_BUSY stays set: from here on
 *    svc_xprt_enqueue() does nothing, so completion handlers may call it until
 *    the very end.
 * 3. The last reference goes: no thread has a request any more. The rest is a
 *    work item, because that can happen in svcrdma_lost(), for whose end draining
 *    waits.
 * 4. Drain: no handler runs any more, and no work is queued any more that looks
 *    at other connections or closes this one (heir.c). Only now may the reverse
 *    transport go, since handlers hand replies to it.
 * 5. Requests and Sends, those included that a failed post has left behind, with
 *    their pages, mappings and rdma_rw contexts. These need PD and QP.
 * 6. The connection, what it shows to people, and this struct.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include "svcrdma.h"

static void svcrdma_established(struct rpcrdma_conn *conn)
{
	svcrdma_hold_begin(conn->owner);
	svcrdma_queue_start(conn->owner);
}

static void svcrdma_lost(struct rpcrdma_conn *conn)
{
	struct svcrdma_xprt *rdma = conn->owner;

	wake_up_all(&rdma->rw_wait);
	svc_xprt_close(&rdma->xprt);
}

static const struct rpcrdma_conn_ops svcrdma_conn_ops = {
	.received	= svcrdma_received,
	.established	= svcrdma_established,
	.lost		= svcrdma_lost,
};

static void svcrdma_free_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma =
		container_of(work, struct svcrdma_xprt, free_work);

	if (rdma->conn) {
		svcrdma_trim_stop(rdma);
		rpcrdma_conn_drain(rdma->conn);
		svcrdma_hold_stop(rdma);
		svcrdma_dropped_stop(rdma);
		svcrdma_reverse_put(rdma);
		svcrdma_req_pool_free(rdma);
		svcrdma_send_pool_free(rdma);
		svcrdma_rw_pool_free(rdma);
		rpcrdma_conn_destroy(rdma->conn);
	}
	svcrdma_endpoint_destroy(rdma);
	kfree(rdma);
}

static struct svcrdma_xprt *svcrdma_xprt_alloc(struct svc_xprt *listener,
					       int node)
{
	struct svcrdma_xprt *rdma;

	rdma = kzalloc_node(sizeof(*rdma), GFP_KERNEL, node);
	if (!rdma)
		return NULL;
	__module_get(THIS_MODULE);
	svc_xprt_init(listener->xpt_net, &svcrdma_class, &rdma->xprt,
		      listener->xpt_server);
	rdma->xprt.xpt_ops = &svcrdma_conn_xprt_ops;
	set_bit(XPT_CONG_CTRL, &rdma->xprt.xpt_flags);

	INIT_LIST_HEAD(&rdma->conns);
	INIT_LIST_HEAD(&rdma->pending);
	INIT_LIST_HEAD(&rdma->ready);
	INIT_LIST_HEAD(&rdma->held_calls);
	INIT_LIST_HEAD(&rdma->all_reqs);
	INIT_LIST_HEAD(&rdma->all_sends);
	spin_lock_init(&rdma->lock);
	init_waitqueue_head(&rdma->rw_wait);
	svcrdma_trim_init(rdma);
	svcrdma_hold_init(rdma);
	svcrdma_dropped_init(rdma);
	INIT_WORK(&rdma->free_work, svcrdma_free_work);
	return rdma;
}

static void svcrdma_xprt_addresses(struct svcrdma_xprt *rdma,
				   struct rdma_cm_id *cm_id)
{
	struct sockaddr *local = (struct sockaddr *)&cm_id->route.addr.src_addr;
	struct sockaddr_storage remote = cm_id->route.addr.dst_addr;

	/*
	 * The client's CM picks its port, another one for each connection. The
	 * duplicate reply cache looks at the port, so it must not see that one.
	 */
	rpc_set_port((struct sockaddr *)&remote, 0);
	svc_xprt_set_remote(&rdma->xprt, (struct sockaddr *)&remote,
			    svc_addr_len((struct sockaddr *)&remote));
	snprintf(rdma->xprt.xpt_remotebuf, sizeof(rdma->xprt.xpt_remotebuf),
		 "%pISc", &remote);
	svc_xprt_set_local(&rdma->xprt, local, svc_addr_len(local));
	rdma->peer = cm_id->route.addr.dst_addr;
}

/**
 * svcrdma_xprt_adopt - make a connect request a connection
 * @listener: transport of the listener
 * @cm_id: new cm_id of the request
 * @event: the request
 *
 * Context: CM handler of the listener; may sleep.
 * Return: the connection, which owns @cm_id and has one reference for the
 * caller; or NULL, and the CM is to destroy @cm_id.
 */
struct svcrdma_xprt *svcrdma_xprt_adopt(struct svc_xprt *listener,
					struct rdma_cm_id *cm_id,
					const struct rdma_cm_event *event)
{
	struct rpcrdma_conn *conn = NULL;
	struct svcrdma_xprt *rdma;

	rdma = svcrdma_xprt_alloc(listener, ibdev_to_node(cm_id->device));
	if (!rdma)
		return NULL;
	svcrdma_xprt_addresses(rdma, cm_id);
	if (!svcrdma_endpoint_init(rdma))
		conn = rpcrdma_conn_adopt(cm_id, event, &svcrdma_conn_ops,
					  rdma, &rdma->ep);
	/* Heirs look at its state: svcrdma_lost_conn_busy() */
	smp_store_release(&rdma->conn, conn);
	if (!conn) {
		svc_xprt_put(&rdma->xprt);
		return NULL;
	}
	rpcrdma_endpoint_show(&rdma->ep, false);
	return rdma;
}

/**
 * svcrdma_xprt_free - the last reference is gone
 * @xprt: transport of a connection
 *
 * Context: any.
 */
void svcrdma_xprt_free(struct svc_xprt *xprt)
{
	queue_work(svcrdma_wq, &svcrdma_from_xprt(xprt)->free_work);
}
