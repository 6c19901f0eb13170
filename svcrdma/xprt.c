// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creating and destroying the transport of a client's connection.
 *
 * Ownership
 * ---------
 *
 * A struct svcrdma_xprt is created in the CM handler of its listener, with one
 * reference (that of struct svc_xprt) and one module reference. The reference belongs
 * to the listener, then to the work item that sets the connection up, then to the listener
 * again, then to the nfsd thread that accepts, then to sunrpc. XPT_BUSY is set from the start,
 * so that sunrpc schedules no thread before it has the reference. Each request that an nfsd
 * thread processes has another reference.
 *
 * A transport owns its connection (struct rpcrdma_conn), its requests, its Sends and its
 * rdma_rw contexts. At any time a request belongs to one of: the receive path, the list of
 * Calls that wait for a first copy (reconnect_hold.c), for the budget (read_budget.c) or for
 * MRs (rw.c), the queue of ready requests, an nfsd thread (or sunrpc's deferral queue), RDMA
 * Reads in progress or waiting for send queue slots (slot_wait.c), the pool. A Send belongs
 * to the request that it will answer, maybe to slot_wait.c, then to the device until its
 * completion, then to the pool.
 *
 * Order of teardown
 * -----------------
 *
 * 1. rpcrdma_conn_close() starts it. A failed completion or a CM event calls it, or the
 *    detach operation, which sunrpc calls after step 2. It leads to svcrdma_lost(),
 *    which closes the transport even when nfsd has no thread left. Threads that wait for
 *    rdma_rw contexts wake up and fail, so they drop their references soon. A Call may
 *    hang in nfsd, and keep its reference, for ever. So these requests are released at
 *    once: those that wait for a thread, for rdma_rw contexts, or for send queue slots for
 *    their RDMA Reads. So are those whose RDMA Reads have failed: not before the QP is in
 *    the error state (read.c). Where RDMA Reads are posted still, this follows when they are
 *    flushed. release_work releases each request that comes to the closed queue. The rest waits for
 *    the drain: Calls that still wait for the budget or for a first copy, which have no
 *    pages; a Reply that waits for slots, because the device may still have some of its RDMA
 *    Writes; and a request whose RDMA Reads could not be posted.
 * 2. sunrpc marks the transport dead, and XPT_BUSY stays set. From then on
 *    svc_xprt_enqueue() does nothing, so completion handlers may still call it.
 * 3. After the last put no thread has a request. All later steps run in a work item,
 *    because the last put may happen in svcrdma_lost(), and the drain waits until that
 *    has returned.
 * 4. The drain: afterwards no completion handler runs, and the work items that could close
 *    the connection are canceled. Only then the reverse transport can be put, since
 *    completion handlers pass Replies to it.
 * 5. The rdma_rw contexts that are left in requests and Sends are released: of Replies that
 *    waited for slots, of a failed post, of a device that has failed. Their MRs are in the
 *    QP. Then the QP is destroyed, because a device that could not drain it may still read
 *    Sends and write data sinks. rdma_rw has unmapped the data sinks by then, but their pages
 *    are still allocated.
 * 6. Requests and Sends are freed, together with their pages and mappings. This needs the
 *    PD. Then the memory for the data sinks is returned to the budget.
 * 7. The connection, its endpoint and this struct are freed.
 *
 * Model: scripts/tests/models/teardown_server.pml
 */
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include "params.h"
#include "request.h"
#include "reverse.h"
#include "rw.h"
#include "send.h"
#include "svcrdma.h"

static void svcrdma_established(struct rpcrdma_conn *conn)
{
	svcrdma_queue_start(conn->owner);
}

/* Closes the queue, and releases the requests that no thread will work on */
static void svcrdma_release_waiting(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;

	spin_lock(&rdma->lock);
	rdma->queue_closed = true;
	list_splice_init(&rdma->rw_waiters, &rdma->begun);
	list_splice_init(&rdma->failed, &rdma->begun);
	spin_unlock(&rdma->lock);
	while ((req = svcrdma_queue_next(rdma, NULL)))
		svcrdma_req_put(req);
}

/* Requests have come to the closed queue */
static void svcrdma_release_work(struct work_struct *work)
{
	svcrdma_release_waiting(container_of(work, struct svcrdma_xprt, release_work));
}

static void svcrdma_lost(struct rpcrdma_conn *conn)
{
	struct svcrdma_xprt *rdma = conn->owner;

	svcrdma_hold_begin(rdma);
	wake_up_all(&rdma->rw_wait);
	svcrdma_read_budget_close(rdma);
	svcrdma_release_waiting(rdma);
	svcrdma_slot_release_waiting(rdma);
	svc_xprt_close(&rdma->xprt);
}

static const struct rpcrdma_conn_ops svcrdma_conn_ops = {
	.received	= svcrdma_received,
	.established	= svcrdma_established,
	.lost		= svcrdma_lost,
	.sq_avail	= svcrdma_slot_avail,
	.traffic	= &svcrdma_traffic,
};

static void svcrdma_trim(struct rpcrdma_trimmer *trimmer, unsigned long before)
{
	struct svcrdma_xprt *rdma =
		container_of(trimmer, struct svcrdma_xprt, trimmer);

	svcrdma_req_pool_trim(rdma, before);
	rpcrdma_send_pool_trim(&rdma->send_pool, before);
	svcrdma_rw_pool_trim(rdma, before);
	svcrdma_read_budget_trim(rdma);
	svcrdma_receives_look(rdma);
	if (atomic_read(&rdma->unanswered))
		svcrdma_not_idle(rdma);
}

/* A client on this machine may wait for the device, whose removal waits for this */
static void svcrdma_free_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma =
		container_of(work, struct svcrdma_xprt, free_work);
	unsigned int nofs = memalloc_nofs_save();

	if (rdma->conn) {
		rpcrdma_trimmer_stop(&rdma->trimmer);
		rpcrdma_conn_drain(rdma->conn);
		svcrdma_hold_stop(rdma);
		/* Nothing comes to the queue any more */
		cancel_work_sync(&rdma->release_work);
		svcrdma_turn_stop(rdma);
		svcrdma_slot_stop(rdma);
		svcrdma_memory_stop(rdma);
		svcrdma_dropped_stop(rdma);
		svcrdma_rw_stop(rdma);
		svcrdma_reverse_put(rdma);
		svcrdma_req_pool_unmap(rdma);
		svcrdma_send_pool_unmap(rdma);
		rpcrdma_conn_destroy_qp(rdma->conn);
		svcrdma_req_pool_free(rdma);
		svcrdma_client_leave(rdma);
		rpcrdma_send_pool_destroy(&rdma->send_pool);
		svcrdma_rw_pool_free(rdma);
		svcrdma_receives_end(rdma);
		rpcrdma_conn_destroy(rdma->conn);
	}
	svcrdma_endpoint_destroy(rdma);
	kfree(rdma);
	memalloc_nofs_restore(nofs);
}

static struct svcrdma_xprt *svcrdma_xprt_alloc(struct svc_xprt *listener,
					       int node)
{
	struct svcrdma_xprt *rdma;

	/* The CM handler must not wait for memory: other connections need it */
	rdma = kzalloc_node(sizeof(*rdma), RPCRDMA_GFP_ONCE, node);
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
	INIT_LIST_HEAD(&rdma->begun);
	INIT_LIST_HEAD(&rdma->failed);
	INIT_LIST_HEAD(&rdma->all_reqs);
	spin_lock_init(&rdma->lock);
	rpcrdma_pool_init(&rdma->req_pool);
	rpcrdma_pool_init(&rdma->rw_pool);
	rpcrdma_send_pool_init(&rdma->send_pool, &svcrdma_send_ops);
	rpcrdma_trimmer_init(&rdma->trimmer, svcrdma_trim);
	svcrdma_slot_init(rdma);
	svcrdma_memory_init(rdma);
	svcrdma_dropped_init(rdma);
	svcrdma_rw_init(rdma);
	svcrdma_read_budget_init(rdma);
	rdma->listener = listener;
	INIT_WORK(&rdma->setup_work, svcrdma_setup_work);
	INIT_WORK(&rdma->release_work, svcrdma_release_work);
	INIT_WORK(&rdma->free_work, svcrdma_free_work);
	return rdma;
}

static void svcrdma_xprt_addresses(struct svcrdma_xprt *rdma,
				   struct rdma_cm_id *cm_id)
{
	struct sockaddr *local = (struct sockaddr *)&cm_id->route.addr.src_addr;
	struct sockaddr_storage remote = cm_id->route.addr.dst_addr;

	/*
	 * The CM of the client picks another port for each connection. The duplicate
	 * reply cache compares ports, so it must not see this one.
	 */
	rpc_set_port((struct sockaddr *)&remote, 0);
	svc_xprt_set_remote(&rdma->xprt, (struct sockaddr *)&remote,
			    svc_addr_len((struct sockaddr *)&remote));
	snprintf(rdma->xprt.xpt_remotebuf, sizeof(rdma->xprt.xpt_remotebuf),
		 "%pISc", &remote);
	svc_xprt_set_local(&rdma->xprt, local, svc_addr_len(local));
	rdma->peer = cm_id->route.addr.dst_addr;
	if (rpc_cmp_addr(local, (struct sockaddr *)&remote))
		set_bit(XPT_LOCAL, &rdma->xprt.xpt_flags);
}

/**
 * svcrdma_xprt_adopt - create a transport for a connect request
 * @listener: transport of the listener
 * @cm_id: cm_id that the CM has created for the request
 * @event: the request
 *
 * Context: CM handler of the listener; may sleep; the caller keeps reclaim out of the
 * file system.
 * Return: the transport, which owns @cm_id, with a reference for the caller; or NULL,
 * and the CM must destroy @cm_id.
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
	rdma->conn = conn;
	if (!conn) {
		svc_xprt_put(&rdma->xprt);
		return NULL;
	}
	rpcrdma_endpoint_show(&rdma->ep, false);
	return rdma;
}

/**
 * svcrdma_xprt_free - xpo_free: destroy a transport after the last put
 * @xprt: transport of a connection
 *
 * Context: any.
 */
void svcrdma_xprt_free(struct svc_xprt *xprt)
{
	queue_work(svcrdma_free_wq, &svcrdma_from_xprt(xprt)->free_work);
}
