// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests, their queue, and what an nfsd thread does with one. What has come before
 * is in inspect.c.
 *
 * An nfsd thread takes a request from the queue, answers a bad header, starts RDMA
 * Reads, or passes the Call on to sunrpc. When the Reads are done the request comes
 * back through the same queue, perhaps to another thread.
 *
 * Messages can come before the CM says that the connection is established.
 * They stay in the queue, and sunrpc is told (XPT_DATA) once it is.
 *
 * Memory is bounded: there are never more requests than receive buffers. Those that
 * are not needed for a while are freed: svcrdma_req_pool_trim().
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <trace/events/svcrdma.h>
#include "svcrdma.h"

/**
 * svcrdma_req_get - an empty request
 * @rdma: its connection
 *
 * Context: completion handler.
 * Return: the request, for svcrdma_req_put(), or NULL.
 */
struct svcrdma_req *svcrdma_req_get(struct svcrdma_xprt *rdma)
{
	struct rpcrdma_pool_item *item = rpcrdma_pool_get(&rdma->req_pool);
	struct svcrdma_req *req;

	if (item) {
		req = container_of(item, struct svcrdma_req, item);
	} else {
		if (rpcrdma_fault(RPCRDMA_FAULT_ALLOC))
			return NULL;
		req = kzalloc(sizeof(*req), GFP_NOFS);
		if (!req)
			return NULL;
		req->rdma = rdma;
		spin_lock(&rdma->lock);
		list_add(&req->all, &rdma->all_reqs);
		spin_unlock(&rdma->lock);
	}
	INIT_LIST_HEAD(&req->node);
	req->counted = false;
	req->protected = false;
	req->invalidate = 0;
	req->nresults = 0;
	req->nchunks = 0;
	rpcrdma_msg_init(&req->msg, req->segs, ARRAY_SIZE(req->segs));
	return req;
}

/**
 * svcrdma_req_repost_recv - give the receive buffer of a request back, and with it
 *	the client's credit
 * @req: request whose Call nobody looks at any more
 *
 * To be done before the Reply is sent, since that invites the next Call.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_repost_recv(struct svcrdma_req *req)
{
	struct rpcrdma_recv *recv = req->recv;

	WRITE_ONCE(req->recv, NULL);
	svcrdma_credit_put(req);
	if (recv)
		rpcrdma_recv_repost(recv);
}

/**
 * svcrdma_req_put - let go of a request
 * @req: request that nothing is under way for
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_put(struct svcrdma_req *req)
{
	svcrdma_req_repost_recv(req);
	svcrdma_reply_pages_put(req);
	svcrdma_read_reset(req);
	rpcrdma_pool_put(&req->rdma->req_pool, &req->item);
}

/**
 * svcrdma_req_release - sunrpc is done with a Call, and with its Reply if it has one
 * @req: request that nothing is under way for
 *
 * If it has none, nfsd has dropped it.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_req_release(struct svcrdma_req *req)
{
	if (req->counted)
		svcrdma_dropped(req->rdma);
	svcrdma_req_put(req);
}

/* What it holds for the next Call */
static void svcrdma_req_empty(struct svcrdma_req *req)
{
	svcrdma_read_free(req);
	svcrdma_reply_pages_free(req);
}

static void svcrdma_req_free(struct svcrdma_req *req)
{
	svcrdma_req_empty(req);
	kfree(req);
}

/**
 * svcrdma_req_pool_trim - free requests that have been idle for long
 * @rdma: connection
 * @before: jiffies; requests that have been idle since then, or longer
 *
 * The few that stay give up what they hold.
 *
 * Context: may sleep; svcrdma_req_pool_free() is not called meanwhile.
 */
void svcrdma_req_pool_trim(struct svcrdma_xprt *rdma, unsigned long before)
{
	struct svcrdma_req *req, *next;
	unsigned int n = 0;
	LIST_HEAD(idle);

	rpcrdma_pool_trim(&rdma->req_pool, 0, before, &idle);
	list_for_each_entry_safe(req, next, &idle, item.node) {
		if (n++ < SVCRDMA_POOL_MIN) {
			svcrdma_req_empty(req);
			list_del(&req->item.node);
			rpcrdma_pool_put(&rdma->req_pool, &req->item);
			continue;
		}
		spin_lock(&rdma->lock);
		list_del(&req->all);
		spin_unlock(&rdma->lock);
		svcrdma_req_free(req);
	}
}

/**
 * svcrdma_req_pool_free - free all requests
 * @rdma: drained connection without references
 *
 * Context: may sleep.
 */
void svcrdma_req_pool_free(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req, *next;

	list_for_each_entry_safe(req, next, &rdma->all_reqs, all)
		svcrdma_req_free(req);
}

/**
 * svcrdma_queue - give a request to the nfsd threads
 * @rdma: its connection
 * @req: request; not the caller's any more
 * @stage: what a thread is to do with it
 *
 * Context: process context, does not sleep.
 */
void svcrdma_queue(struct svcrdma_xprt *rdma, struct svcrdma_req *req,
		   enum svcrdma_stage stage)
{
	bool now;

	req->stage = stage;
	spin_lock(&rdma->lock);
	if (rdma->hold_calls && stage == SVCRDMA_STAGE_NEW) {
		list_add_tail(&req->node, &rdma->held_calls);
		now = false;
	} else {
		list_add_tail(&req->node, &rdma->ready);
		now = rdma->started;
	}
	if (now)
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	spin_unlock(&rdma->lock);

	if (now)
		svc_xprt_enqueue(&rdma->xprt);
}

/**
 * svcrdma_queue_hold - nfsd threads may not have new Calls for now
 * @rdma: connection, before svcrdma_queue_start()
 *
 * Those that have come already are kept back as well.
 *
 * Context: CM handler; does not sleep. svcrdma_queue_unhold() ends it.
 */
void svcrdma_queue_hold(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req, *next;

	spin_lock(&rdma->lock);
	rdma->hold_calls = true;
	list_for_each_entry_safe(req, next, &rdma->ready, node)
		if (req->stage == SVCRDMA_STAGE_NEW)
			list_move_tail(&req->node, &rdma->held_calls);
	spin_unlock(&rdma->lock);
}

/**
 * svcrdma_queue_unhold - nfsd threads may have the Calls that were kept back
 * @rdma: connection that is established
 *
 * Context: process context, does not sleep.
 */
void svcrdma_queue_unhold(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	rdma->hold_calls = false;
	list_splice_tail_init(&rdma->held_calls, &rdma->ready);
	if (!list_empty(&rdma->ready))
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	spin_unlock(&rdma->lock);
	svc_xprt_enqueue(&rdma->xprt);
}

/**
 * svcrdma_queue_start - the connection is established
 * @rdma: connection
 *
 * Context: CM handler.
 */
void svcrdma_queue_start(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	rdma->started = true;
	if (!list_empty(&rdma->ready))
		set_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	spin_unlock(&rdma->lock);
	svc_xprt_enqueue(&rdma->xprt);
}

static struct svcrdma_req *svcrdma_dequeue(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;

	spin_lock(&rdma->lock);
	req = list_first_entry_or_null(&rdma->ready, struct svcrdma_req, node);
	if (req)
		list_del_init(&req->node);
	if (list_empty(&rdma->ready))
		clear_bit(XPT_DATA, &rdma->xprt.xpt_flags);
	spin_unlock(&rdma->lock);
	return req;
}

static void svcrdma_inline_call(struct svcrdma_req *req, struct xdr_buf *arg)
{
	arg->head[0].iov_base = (void *)svcrdma_payload(req);
	arg->head[0].iov_len = svcrdma_payload_len(req);
	arg->tail[0].iov_base = NULL;
	arg->tail[0].iov_len = 0;
	arg->page_base = 0;
	arg->page_len = 0;
	arg->len = arg->head[0].iov_len;
	arg->buflen = arg->len;
}

static int svcrdma_answer_error(struct svcrdma_req *req)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	int ret;

	rpcrdma_conn_refuse(conn, req->refused, req->msg.xid);
	ret = svcrdma_error_send(req);
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_MEMORY, ret);
	svcrdma_req_put(req);
	return 0;
}

/*
 * A long Call can be looked at only now. Nothing has been done with it yet, so
 * it can still be refused.
 */
static enum rpcrdma_reason svcrdma_check_long_call(struct svcrdma_req *req,
						   const struct kvec *head)
{
	const __be32 *words = head->iov_base;
	enum rpcrdma_reason reason;

	reason = rpcrdma_payload_check(req->msg.xid, words, head->iov_len);
	if (reason != RPCRDMA_OK)
		return reason;
	if (words[1] != cpu_to_be32(RPC_CALL))
		return RPCRDMA_R_MSG_TYPE;
	return svcrdma_check_protection(req, words, head->iov_len);
}

static int svcrdma_deliver(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	req->refused = RPCRDMA_OK;
	if (req->msg.type == RPCRDMA_NOMSG)
		req->refused = svcrdma_check_long_call(req,
						       rqstp->rq_arg.head);
	if (req->refused == RPCRDMA_OK)
		req->refused = svcrdma_args_check(req, &rqstp->rq_arg);
	if (req->refused != RPCRDMA_OK)
		return svcrdma_answer_error(req);

	trace_svcrdma_handle(req->rdma->conn, req->msg.xid, rqstp->rq_arg.len);
	svcrdma_reply_pages_hold(req, rqstp);
	rqstp->rq_xprt_ctxt = req;
	rqstp->rq_prot = IPPROTO_MAX;
	svc_xprt_copy_addrs(rqstp, rqstp->rq_xprt);
	/*
	 * The port of an RDMA client says nothing about who it is: its CM picks
	 * one. Exports with "secure" are open to RDMA clients, as ever.
	 */
	set_bit(RQ_SECURE, &rqstp->rq_flags);
	return rqstp->rq_arg.len;
}

static int svcrdma_pull_chunks(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct rpcrdma_conn *conn = req->rdma->conn;
	int ret;

	if (req->stage == SVCRDMA_STAGE_NEW)
		ret = svcrdma_read_start(req, rqstp);
	else
		ret = svcrdma_read_continue(req);

	switch (ret) {
	case 0:
		return 0;
	case 1:
		svcrdma_read_finish(req, rqstp);
		return svcrdma_deliver(req, rqstp);
	case -EPROTO:
		return svcrdma_answer_error(req);
	default:
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_MEMORY, ret);
		svcrdma_req_put(req);
		return 0;
	}
}

static int svcrdma_handle(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	switch (req->stage) {
	case SVCRDMA_STAGE_REFUSED:
		return svcrdma_answer_error(req);
	case SVCRDMA_STAGE_CONNPROP:
		svcrdma_connprop_wait(req);
		return 0;
	case SVCRDMA_STAGE_READ_DONE:
		svcrdma_read_finish(req, rqstp);
		return svcrdma_deliver(req, rqstp);
	case SVCRDMA_STAGE_NEW:
		if (!svcrdma_read_wanted(req)) {
			svcrdma_inline_call(req, &rqstp->rq_arg);
			return svcrdma_deliver(req, rqstp);
		}
		fallthrough;
	case SVCRDMA_STAGE_READ_MORE:
		return svcrdma_pull_chunks(req, rqstp);
	}
	return 0;
}

/**
 * svcrdma_recvfrom - do the next thing that a connection has for a thread
 * @rqstp: nfsd thread, with pages
 *
 * Pages that RDMA Reads are started into may be taken from @rqstp. They leave gaps
 * in rq_pages, which sunrpc fills before it calls again.
 *
 * Context: nfsd thread that holds XPT_BUSY of rq_xprt; lets go of it.
 * Return: bytes of a Call in rq_arg, with the request in rq_xprt_ctxt; 0 if
 * there is nothing for sunrpc to do.
 */
int svcrdma_recvfrom(struct svc_rqst *rqstp)
{
	struct svcrdma_xprt *rdma = svcrdma_from_xprt(rqstp->rq_xprt);
	struct svcrdma_req *req;
	unsigned int nofs;
	int ret = 0;

	/* Nothing for svc_xprt_release() to free, whatever happens below */
	rqstp->rq_respages = rqstp->rq_pages;
	rqstp->rq_next_page = rqstp->rq_respages;
	rqstp->rq_xprt_ctxt = NULL;

	req = svcrdma_dequeue(rdma);
	svc_xprt_received(rqstp->rq_xprt);
	if (!req)
		return 0;
	if (!rpcrdma_conn_enter(rdma->conn)) {
		svcrdma_req_put(req);
		return 0;
	}
	nofs = memalloc_nofs_save();
	ret = svcrdma_handle(req, rqstp);
	memalloc_nofs_restore(nofs);
	rpcrdma_conn_leave(rdma->conn);
	return ret;
}
