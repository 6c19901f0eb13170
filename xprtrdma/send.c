// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends: their contexts, and the way of a Call onto the wire.
 *
 * A Send context has a buffer that is mapped for the life of the connection.
 * It holds the transport header, and whatever of the payload is copied behind
 * it; pages that are not copied are mapped for this one Send and follow as
 * SGEs. From posting to completion the context belongs to the device; the
 * completion unmaps the pages, tells the request if it waits for that, and
 * puts the context back.
 *
 * Contexts are made as they are needed. There are as many as Sends were lately
 * under way at once, which credits keep small, see idle.c; a connection begins with
 * enough for a Call and an error message, and for the Sends before them that have no
 * completion of their own, so that there is always progress.
 *
 * A Call reserves the send queue room of its registrations, its Send, and the
 * invalidations that follow, all at once: an invalidation must not have to
 * wait for room.
 *
 * Calls are sent one at a time, under XPRT_LOCKED. A Call that lacks something
 * goes back to sunrpc: -EAGAIN, and sunrpc sleeps until xprt_write_space();
 * -ENOMEM, and it tries again a little later.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

#define XPRTRDMA_SENDS_MIN	2

static unsigned int xprtrdma_send_pool_min(const struct rpcrdma_conn *conn)
{
	return XPRTRDMA_SENDS_MIN + conn->limits.unsignaled;
}

static void xprtrdma_send_unmap(struct xprtrdma_send *send)
{
	struct ib_device *device = send->conn->device;
	struct ib_sge *sge;

	for (; send->npages; send->npages--) {
		sge = &send->sges[send->npages];
		ib_dma_unmap_page(device, sge->addr, sge->length,
				  DMA_TO_DEVICE);
	}
}

/* Sends that had no completion of their own; returns their room */
static unsigned int xprtrdma_send_put_earlier(struct xprtrdma_xprt *r_xprt,
					      struct xprtrdma_send *send)
{
	struct xprtrdma_send *earlier, *next;
	unsigned int slots = 0;

	list_for_each_entry_safe(earlier, next, &send->order.before,
				 order.node) {
		slots += earlier->order.slots;
		xprtrdma_send_put(r_xprt, earlier);
	}
	INIT_LIST_HEAD(&send->order.before);
	return slots;
}

static void xprtrdma_send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct xprtrdma_send *send =
		container_of(wc->wr_cqe, struct xprtrdma_send, cqe);
	struct rpcrdma_conn *conn = cq->cq_context;
	struct xprtrdma_req *req = send->req;
	unsigned int slots = send->order.slots;

	rpcrdma_fault_wc(wc);
	rpcrdma_send_order_done(conn, &send->order, wc);
	if (wc->status != IB_WC_SUCCESS) {
		rpcrdma_conn_wc_failed(conn, wc, RPCRDMA_CLOSE_COMPLETION);
		return;
	}
	slots += xprtrdma_send_put_earlier(conn->owner, send);
	xprtrdma_send_put(conn->owner, send);
	rpcrdma_sendq_release(conn, slots);
	if (req)
		xprtrdma_req_sent(req);
}

static struct xprtrdma_send *xprtrdma_send_alloc(struct xprtrdma_xprt *r_xprt,
						 struct rpcrdma_conn *conn,
						 gfp_t gfp)
{
	int node = ibdev_to_node(conn->device);
	struct xprtrdma_send *send;

	send = kzalloc_node(struct_size(send, sges, conn->limits.send_sges),
			    gfp, node);
	if (!send)
		return NULL;
	if (rpcrdma_buf_alloc(&send->buf, conn->limits.inline_send,
			      DMA_TO_DEVICE, node, gfp))
		goto out_free;
	if (rpcrdma_buf_map(&send->buf, conn->device))
		goto out_free_buf;

	INIT_LIST_HEAD(&send->item.node);
	INIT_LIST_HEAD(&send->order.before);
	send->conn = conn;
	send->cqe.done = xprtrdma_send_done;
	send->wr.wr_cqe = &send->cqe;
	send->wr.opcode = IB_WR_SEND;
	send->wr.sg_list = send->sges;
	send->sges[0].addr = send->buf.addr;
	send->sges[0].lkey = conn->pd->local_dma_lkey;

	spin_lock(&r_xprt->send_pool.lock);
	list_add(&send->all, &r_xprt->send_pool.all);
	spin_unlock(&r_xprt->send_pool.lock);
	return send;

out_free_buf:
	rpcrdma_buf_free(&send->buf);
out_free:
	kfree(send);
	return NULL;
}

/**
 * xprtrdma_send_pool_init - set up what this file has in a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_send_pool_init(struct xprtrdma_xprt *r_xprt)
{
	spin_lock_init(&r_xprt->send_pool.lock);
	INIT_LIST_HEAD(&r_xprt->send_pool.free);
	INIT_LIST_HEAD(&r_xprt->send_pool.all);
}

/**
 * xprtrdma_send_pool_create - make the contexts that a connection begins with
 * @r_xprt: transport; sx->conn has its queues
 *
 * Context: may sleep; holds XPRT_LOCKED; the caller keeps reclaim out of the
 * file system.
 * Return: 0 or -ENOMEM. xprtrdma_send_pool_destroy() undoes it, whole or in part.
 */
int xprtrdma_send_pool_create(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_send *send;
	unsigned int i;

	for (i = 0; i < xprtrdma_send_pool_min(r_xprt->conn); i++) {
		send = xprtrdma_send_alloc(r_xprt, r_xprt->conn, GFP_KERNEL);
		if (!send)
			return -ENOMEM;
		xprtrdma_send_put(r_xprt, send);
	}
	return 0;
}

static void xprtrdma_send_free(struct xprtrdma_send *send)
{
	xprtrdma_send_unmap(send);
	rpcrdma_buf_free(&send->buf);
	kfree(send);
}

/**
 * xprtrdma_send_pool_trim - free spare Send contexts
 * @r_xprt: transport with a connection
 * @before: jiffies; those that have been spare since then
 *
 * As many spare ones stay as the connection began with.
 *
 * Context: process context, does not sleep; xprtrdma_send_pool_destroy() is not
 * called meanwhile.
 */
void xprtrdma_send_pool_trim(struct xprtrdma_xprt *r_xprt, unsigned long before)
{
	struct xprtrdma_send_pool *sends = &r_xprt->send_pool;
	struct xprtrdma_send *send, *next;
	LIST_HEAD(gone);

	spin_lock(&sends->lock);
	xprtrdma_pool_idle(&sends->free, xprtrdma_send_pool_min(r_xprt->conn),
			   before, &gone);
	list_for_each_entry(send, &gone, item.node)
		list_del(&send->all);
	spin_unlock(&sends->lock);

	list_for_each_entry_safe(send, next, &gone, item.node)
		xprtrdma_send_free(send);
}

/**
 * xprtrdma_send_pool_destroy - free all Send contexts of a connection
 * @r_xprt: transport whose connection is drained
 *
 * Context: process context, does not sleep; holds XPRT_LOCKED or is the only
 * user.
 */
void xprtrdma_send_pool_destroy(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_send *send, *next;

	list_for_each_entry_safe(send, next, &r_xprt->send_pool.all, all)
		xprtrdma_send_free(send);
	INIT_LIST_HEAD(&r_xprt->send_pool.free);
	INIT_LIST_HEAD(&r_xprt->send_pool.all);
}

/**
 * xprtrdma_send_get - take a Send context
 * @r_xprt: transport
 * @conn: its connection
 * @gfp: how to find memory if a new one must be made
 *
 * Context: process context, @conn is entered; sleeps as @gfp allows.
 * Return: a context that names no page and no request, or NULL. It goes back
 * by xprtrdma_send_put(), or by being posted.
 */
struct xprtrdma_send *xprtrdma_send_get(struct xprtrdma_xprt *r_xprt,
					struct rpcrdma_conn *conn, gfp_t gfp)
{
	struct xprtrdma_send_pool *sends = &r_xprt->send_pool;
	struct xprtrdma_send *send;

	spin_lock(&sends->lock);
	send = list_first_entry_or_null(&sends->free, struct xprtrdma_send,
					item.node);
	if (send)
		list_del_init(&send->item.node);
	spin_unlock(&sends->lock);
	return send ?: xprtrdma_send_alloc(r_xprt, conn, gfp);
}

/**
 * xprtrdma_send_put - put a Send context back
 * @r_xprt: transport
 * @send: context that is not posted (any more)
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_send_put(struct xprtrdma_xprt *r_xprt, struct xprtrdma_send *send)
{
	struct xprtrdma_send_pool *sends = &r_xprt->send_pool;

	xprtrdma_send_unmap(send);
	send->req = NULL;
	spin_lock(&sends->lock);
	xprtrdma_pool_put(&send->item, &sends->free);
	spin_unlock(&sends->lock);
}

/**
 * xprtrdma_send_front - the message begins with the start of the buffer
 * @send: context
 * @len: bytes written there
 *
 * Context: any.
 */
void xprtrdma_send_front(struct xprtrdma_send *send, u32 len)
{
	rpcrdma_buf_to_device(&send->buf, len);
	send->sges[0].length = len;
	send->wr.num_sge = 1;
}

/**
 * xprtrdma_send_page - the message goes on in a page
 * @send: context after xprtrdma_send_front()
 * @page: page, which stays untouched until the Send has completed
 * @offset: in @page, bytes
 * @len: bytes
 *
 * Context: any.
 * Return: 0, or -ENOBUFS if it may work later.
 */
int xprtrdma_send_page(struct xprtrdma_send *send, struct page *page,
		       u32 offset, u32 len)
{
	struct ib_device *device = send->conn->device;
	struct ib_sge *sge = &send->sges[send->wr.num_sge];

	sge->addr = ib_dma_map_page(device, page, offset, len, DMA_TO_DEVICE);
	if (ib_dma_mapping_error(device, sge->addr))
		return -ENOBUFS;
	sge->length = len;
	sge->lkey = send->sges[0].lkey;
	send->wr.num_sge++;
	send->npages++;
	return 0;
}

/**
 * xprtrdma_send_back - the message ends in the buffer again
 * @send: context after xprtrdma_send_page()
 * @offset: in the buffer, bytes
 * @len: bytes written there
 *
 * Context: any.
 */
void xprtrdma_send_back(struct xprtrdma_send *send, u32 offset, u32 len)
{
	struct ib_sge *sge = &send->sges[send->wr.num_sge++];

	rpcrdma_buf_to_device(&send->buf, offset + len);
	sge->addr = send->buf.addr + offset;
	sge->length = len;
	sge->lkey = send->sges[0].lkey;
}

/**
 * xprtrdma_send_reserve - reserve send queue room, or have sunrpc wait for it
 * @r_xprt: transport
 * @conn: its connection, entered
 * @n: work requests
 *
 * Context: sender; does not sleep.
 * Return: 0; -EAGAIN if sunrpc is told when to try again; -ENOTCONN; -EIO if
 * there never will be enough.
 */
int xprtrdma_send_reserve(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_conn *conn, unsigned int n)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	int ret;

	ret = rpcrdma_sendq_try_reserve(conn, n);
	if (ret == -E2BIG)
		return -EIO;
	if (ret != -ENOBUFS)
		return ret;

	/* Room may have come back before sunrpc knew that it is wanted */
	xprt_wait_for_buffer_space(xprt);
	ret = rpcrdma_sendq_try_reserve(conn, n);
	if (ret == -ENOBUFS)
		return -EAGAIN;
	xprt_write_space(xprt);
	return ret;
}

/**
 * xprtrdma_sendq_avail - room came back after xprtrdma_send_reserve() had failed
 * @conn: connection
 *
 * Context: completion handler.
 */
void xprtrdma_sendq_avail(struct rpcrdma_conn *conn)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;

	xprt_write_space(&r_xprt->xprt);
}

/**
 * xprtrdma_send_post - hand a Send to the device
 * @conn: connection, entered; room is reserved
 * @send: context; not the caller's any more, whatever is returned
 * @first: chain of work requests that ends with the Send
 *
 * Context: process context, does not sleep.
 * Return: 0, or -ENOTCONN if the connection is closing.
 */
int xprtrdma_send_post(struct rpcrdma_conn *conn, struct xprtrdma_send *send,
		       struct ib_send_wr *first)
{
	int ret;

	rpcrdma_count(conn->stats, RPCRDMA_C_SENDS);
	/* Every message begins with it */
	send->order.chain.xid = *(const __be32 *)send->buf.data;
	ret = rpcrdma_send_order_post(conn, &send->order, first, &send->wr,
				      !send->req);
	return ret ? -ENOTCONN : 0;
}

/**
 * xprtrdma_send_short - send a message that is in the buffer as a whole
 * @r_xprt: transport
 * @conn: its connection, entered
 * @send: context with the message; not the caller's any more
 * @len: bytes of the message
 *
 * Context: process context, does not sleep.
 * Return: 0; or what xprtrdma_send_reserve() says, or -ENOTCONN.
 */
int xprtrdma_send_short(struct xprtrdma_xprt *r_xprt, struct rpcrdma_conn *conn,
			struct xprtrdma_send *send, u32 len)
{
	int ret;

	ret = xprtrdma_send_reserve(r_xprt, conn, 1);
	if (ret) {
		xprtrdma_send_put(r_xprt, send);
		return ret;
	}
	send->order.slots = 1;
	send->order.sent = NULL;
	xprtrdma_send_front(send, len);
	return xprtrdma_send_post(conn, send, &send->wr);
}

/*
 * The last step before the wire. From here on a Reply can come at any moment,
 * also before this returns; sunrpc's sender has pinned the request.
 */
static int xprtrdma_send_marshaled(struct xprtrdma_xprt *r_xprt,
				   struct rpcrdma_conn *conn,
				   struct xprtrdma_req *req,
				   struct xprtrdma_send *send)
{
	struct rpc_rqst *rqst = &req->rqst;
	struct ib_send_wr *first = &send->wr;
	unsigned int nmrs;
	int ret;

	nmrs = list_count_nodes(&req->mrs);
	send->order.slots = nmrs + 1;
	/* The header is complete: the receive path may compare Replies with it */
	send->order.sent = &req->sent;
	ret = xprtrdma_send_reserve(r_xprt, conn, send->order.slots + nmrs);
	if (ret)
		return ret;
	xprtrdma_mr_list_chain(req, &first);
	if (send->npages)
		send->req = req;
	if (nmrs || send->npages)
		xprtrdma_req_expose(req, conn, send->npages, nmrs);
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_REGISTRATIONS, nmrs);

	/* Pairs with xprtrdma_credits_wait_begin() */
	if (smp_load_acquire(&req->credit_wait))
		xprtrdma_credits_wait_end(r_xprt, req);
	rqst->rq_xtime = ktime_get();
	rqst->rq_xmit_bytes_sent += rqst->rq_snd_buf.len;
	req->resend = false;
	/* What cannot be posted counts as posted: the end of the connection frees it */
	if (xprtrdma_send_post(conn, send, first))
		xprt_force_disconnect(&r_xprt->xprt);
	return 0;
}

static int xprtrdma_send_call(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn,
			      struct xprtrdma_req *req)
{
	struct xprtrdma_send *send;
	int ret;

	send = xprtrdma_send_get(r_xprt, conn, rpc_task_gfp_mask());
	if (!send)
		return -ENOMEM;
	ret = xprtrdma_marshal(r_xprt, req, send);
	if (trace_xprtrdma_marshal_enabled())
		trace_xprtrdma_marshal(conn, req->rqst.rq_xid, &req->msg,
				       list_count_nodes(&req->mrs), ret);
	if (!ret)
		ret = xprtrdma_send_marshaled(r_xprt, conn, req, send);
	if (ret) {
		xprtrdma_mr_list_undo(r_xprt, &req->mrs);
		xprtrdma_send_put(r_xprt, send);
		r_xprt->legacy.marshal++;
	}
	return ret;
}

/**
 * xprtrdma_send_request - ops->send_request: send a Call, or a reverse Reply
 * @rqst: request
 *
 * A Call goes out once on a connection, and again only on the next one
 * (V1-RTX-03, ULB-KA-09), or when an error of the server's has asked for it to be
 * rebuilt (V2-CRD-08).
 *
 * Context: RPC task; may sleep; holds XPRT_LOCKED.
 * sunrpc blames whichever task holds the lock for an error, and that need not
 * be the one whose Call this is. So a Call that cannot be sent at all counts as
 * sent, and its own task finds the errno when it wants to wait for the Reply.
 *
 * Return: 0; -ENOTCONN if sunrpc should connect first; -EBADSLT, -EAGAIN,
 * -ENOBUFS or -ENOMEM if it should try again when it has waited.
 */
int xprtrdma_send_request(struct rpc_rqst *rqst)
{
	struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	struct rpcrdma_conn *conn = r_xprt->conn;
	int ret;

	if (bc_prealloc(rqst))
		return xprtrdma_reverse_send(rqst);
	if (req->error)
		return 0;
	if (!xprt_connected(xprt))
		return -ENOTCONN;
	if (!xprt_request_get_cong(xprt, rqst)) {
		xprtrdma_credits_wait_begin(rqst);
		return -EBADSLT;
	}

	ret = -ENOTCONN;
	if ((rqst->rq_connect_cookie != xprt->connect_cookie || req->resend) &&
	    rpcrdma_conn_enter(conn)) {
		ret = xprtrdma_send_call(r_xprt, conn, req);
		rpcrdma_conn_leave(conn);
	}
	if (ret == -ENOTCONN)
		xprt_force_disconnect(xprt);
	if (ret != -EIO)
		return ret;

	spin_lock(&xprt->queue_lock);
	req->error = ret;
	spin_unlock(&xprt->queue_lock);
	return 0;
}
