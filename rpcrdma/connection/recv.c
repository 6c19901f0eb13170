// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receive queue.
 *
 * A connection begins with some receive buffers, and its owner may add some and retire
 * some. A buffer is either posted or with the owner: ops->received() passes it,
 * rpcrdma_recv_repost() posts it again, rpcrdma_recv_retire() frees it. A buffer that is
 * posted cannot be taken back. Once the connection is closing nothing is posted, and the
 * buffer stays in the list of all buffers, which are freed with the connection.
 *
 * If the connection closes before a message was passed to the owner, the message is
 * lost. The client sends its RPC again.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <trace/events/rpcrdma_core.h>
#include "../core.h"

/*
 * An RDMA Write With Immediate uses a Receive too. Its length is that of the data, which
 * is not in the receive buffer. hns reports the opcode of a Send for it, but the flag is
 * set.
 */
static bool rpcrdma_recv_is_send(const struct rpcrdma_recv *recv,
				 const struct ib_wc *wc)
{
	return wc->opcode == IB_WC_RECV && !(wc->wc_flags & IB_WC_WITH_IMM) &&
	       wc->byte_len <= recv->buf.size;
}

static void rpcrdma_recv_complete(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rpcrdma_recv *recv =
		container_of(wc->wr_cqe, struct rpcrdma_recv, cqe);
	struct rpcrdma_conn *conn = recv->conn;
	struct rpcrdma_conn_core *core = to_core(conn);

	rpcrdma_fault_wc(wc);
	if (unlikely(wc->status != IB_WC_SUCCESS)) {
		rpcrdma_conn_wc_failed(conn, wc, RPCRDMA_CLOSE_COMPLETION);
		return;
	}
	if (unlikely(!rpcrdma_recv_is_send(recv, wc))) {
		rpcrdma_report_reason(conn, RPCRDMA_R_NOT_SEND, 0);
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
		return;
	}

	recv->len = wc->byte_len;
	recv->invalidated = wc->wc_flags & IB_WC_WITH_INVALIDATE;
	recv->inv_rkey = recv->invalidated ? wc->ex.invalidate_rkey : 0;
	rpcrdma_buf_to_cpu(&recv->buf, recv->len);
	WRITE_ONCE(core->rq.arrived, core->rq.arrived + 1);
	rpcrdma_count(conn->stats, RPCRDMA_C_RECVS);
	trace_rpcrdma_receive(recv);

	if (!rpcrdma_conn_enter(conn))
		return;
	conn->ops->received(conn, recv);
	rpcrdma_conn_leave(conn);
}

static struct rpcrdma_recv *rpcrdma_recv_alloc(struct rpcrdma_conn *conn,
					       size_t size, gfp_t gfp)
{
	int node = ibdev_to_node(conn->device);
	struct rpcrdma_recv *recv;

	recv = kzalloc_node(sizeof(*recv), gfp, node);
	if (!recv)
		return NULL;
	if (rpcrdma_buf_alloc(&recv->buf, size, DMA_FROM_DEVICE, node, gfp))
		goto out_free;
	if (rpcrdma_buf_map(&recv->buf, conn->device))
		goto out_free_buf;

	recv->conn = conn;
	recv->cqe.done = rpcrdma_recv_complete;
	recv->sge.addr = recv->buf.addr;
	recv->sge.length = size;
	recv->sge.lkey = conn->pd->local_dma_lkey;
	return recv;

out_free_buf:
	rpcrdma_buf_free(&recv->buf);
out_free:
	kfree(recv);
	return NULL;
}

static void rpcrdma_recv_free(struct rpcrdma_recv *recv)
{
	rpcrdma_buf_free(&recv->buf);
	kfree(recv);
}

static void rpcrdma_recv_free_list(struct list_head *list)
{
	struct rpcrdma_recv *recv, *next;

	list_for_each_entry_safe(recv, next, list, all)
		rpcrdma_recv_free(recv);
}

/* Return: how many there are in @list now; fewer than @count if memory is short */
static unsigned int rpcrdma_recv_alloc_list(struct rpcrdma_conn *conn,
					    unsigned int count, size_t size,
					    gfp_t gfp, struct list_head *list)
{
	unsigned int nofs = memalloc_nofs_save();
	struct rpcrdma_recv *recv;
	unsigned int n;

	for (n = 0; n < count; n++) {
		recv = rpcrdma_recv_alloc(conn, size, gfp);
		if (!recv)
			break;
		list_add(&recv->all, list);
	}
	memalloc_nofs_restore(nofs);
	return n;
}

/*
 * The device driver gets a copy of the WR: the message may arrive, and the owner may retire
 * the buffer, before ib_post_recv() has returned.
 */
static int rpcrdma_recv_post(struct rpcrdma_recv *recv)
{
	struct ib_recv_wr wr = {
		.wr_cqe		= &recv->cqe,
		.sg_list	= &recv->sge,
		.num_sge	= 1,
	};
	const struct ib_recv_wr *bad;

	if (rpcrdma_fault(RPCRDMA_FAULT_POST_RECV))
		return -ENOMEM;
	return ib_post_recv(recv->conn->qp, &wr, &bad);
}

/*
 * Post new Receives. After an error those that were not posted are in the list of all too,
 * and are freed with the connection.
 */
static int rpcrdma_recv_post_list(struct rpcrdma_conn *conn,
				  struct list_head *list)
{
	struct rpcrdma_rq *rq = &to_core(conn)->rq;
	struct rpcrdma_recv *recv;
	int ret = 0;

	while (!list_empty(list)) {
		recv = list_first_entry(list, struct rpcrdma_recv, all);
		spin_lock(&rq->lock);
		list_move(&recv->all, &rq->all);
		WRITE_ONCE(rq->count, rq->count + 1);
		spin_unlock(&rq->lock);
		ret = ret ?: rpcrdma_recv_post(recv);
	}
	return ret;
}

/**
 * rpcrdma_recv_init - an empty receive queue
 * @conn: connection
 *
 * Context: any.
 */
void rpcrdma_recv_init(struct rpcrdma_conn *conn)
{
	struct rpcrdma_rq *rq = &to_core(conn)->rq;

	spin_lock_init(&rq->lock);
	INIT_LIST_HEAD(&rq->all);
}

/**
 * rpcrdma_recv_provision - allocate and post the first Receives of a connection
 * @conn: connection after rpcrdma_conn_setup(), before it is connected
 * @count: number of Receives; at most conn->limits.recv_depth
 * @least: number that will do if memory is short; at least one
 * @size: bytes of each buffer
 * @gfp: how to allocate them
 *
 * Called once. If memory is short, it keeps half of what it could get, and not less than
 * @least: the work for which the Receives are needs memory too.
 *
 * Context: may sleep; reclaim stays out of the file system.
 * Return: number of Receives, from @least to @count; -ENOMEM; or a negative errno of the
 * device. After an error the caller drains and destroys the connection, which frees the
 * buffers.
 */
int rpcrdma_recv_provision(struct rpcrdma_conn *conn, unsigned int count,
			   unsigned int least, size_t size, gfp_t gfp)
{
	struct rpcrdma_recv *recv;
	LIST_HEAD(list);
	unsigned int n;

	n = rpcrdma_recv_alloc_list(conn, count, size, gfp, &list);
	if (n < least) {
		rpcrdma_recv_free_list(&list);
		return -ENOMEM;
	}
	if (n < count)
		for (least = max(least, n / 2); n > least; n--) {
			recv = list_first_entry(&list, struct rpcrdma_recv, all);
			list_del(&recv->all);
			rpcrdma_recv_free(recv);
		}
	return rpcrdma_recv_post_list(conn, &list) ?: n;
}
EXPORT_SYMBOL_GPL(rpcrdma_recv_provision);

/**
 * rpcrdma_recv_add - allocate and post more Receives
 * @conn: connection after rpcrdma_recv_provision(); not drained
 * @count: number of Receives; with all others at most conn->limits.recv_depth
 * @size: bytes of each buffer
 * @gfp: how to allocate them
 *
 * Context: may sleep; reclaim stays out of the file system. One caller at a time.
 * Return: number of Receives that were posted: fewer than @count if memory is short, 0 if
 * the connection is closing. If the device refuses one, the connection closes.
 */
unsigned int rpcrdma_recv_add(struct rpcrdma_conn *conn, unsigned int count,
			      size_t size, gfp_t gfp)
{
	LIST_HEAD(list);
	unsigned int n;
	int ret;

	n = rpcrdma_recv_alloc_list(conn, count, size, gfp, &list);
	if (!rpcrdma_conn_enter(conn)) {
		rpcrdma_recv_free_list(&list);
		return 0;
	}
	ret = rpcrdma_recv_post_list(conn, &list);
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_POST, ret);
	rpcrdma_conn_leave(conn);
	return ret ? 0 : n;
}
EXPORT_SYMBOL_GPL(rpcrdma_recv_add);

/**
 * rpcrdma_recv_retire - free a receive buffer rather than post it again
 * @recv: buffer from ops->received(); is freed
 *
 * Context: process context, does not sleep. The connection is not destroyed meanwhile.
 */
void rpcrdma_recv_retire(struct rpcrdma_recv *recv)
{
	struct rpcrdma_rq *rq = &to_core(recv->conn)->rq;

	spin_lock(&rq->lock);
	list_del(&recv->all);
	WRITE_ONCE(rq->count, rq->count - 1);
	spin_unlock(&rq->lock);
	rpcrdma_recv_free(recv);
}
EXPORT_SYMBOL_GPL(rpcrdma_recv_retire);

/**
 * rpcrdma_recv_repost - post a receive buffer again
 * @recv: buffer from ops->received(); not the caller's any more
 *
 * It is posted before the function returns, so a credit that the caller grants with a
 * later Send has its Receive (RFC 8166 3.3.1).
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_recv_repost(struct rpcrdma_recv *recv)
{
	struct rpcrdma_conn *conn = recv->conn;
	int ret;

	if (!rpcrdma_conn_enter(conn))
		return;
	ib_dma_sync_single_for_device(conn->device, recv->buf.addr, recv->len,
				      DMA_FROM_DEVICE);
	ret = rpcrdma_recv_post(recv);
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_POST, ret);
	rpcrdma_conn_leave(conn);
}
EXPORT_SYMBOL_GPL(rpcrdma_recv_repost);

/**
 * rpcrdma_recv_destroy - free all receive buffers
 * @conn: drained connection; its owner uses no buffer any more
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_recv_destroy(struct rpcrdma_conn *conn)
{
	rpcrdma_recv_free_list(&to_core(conn)->rq.all);
}
