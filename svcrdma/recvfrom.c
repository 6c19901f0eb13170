// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an nfsd thread does with a ready request: it answers a message that was
 * refused, starts RDMA Reads, or delivers the Call to sunrpc.
 *
 * When the Reads of a Call are done, its request comes back through the queue,
 * possibly to another thread.
 *
 * Nothing here waits for the client, or for memory that only others can free. The Send of
 * the answer is reserved before nfsd gets the Call.
 *
 * Model: scripts/tests/models/teardown_server.pml
 */
#include <linux/sched/mm.h>
#include <compat/svc_pages.h>
#include <trace/events/svcrdma.h>
#include "request.h"
#include "send.h"
#include "svcrdma.h"

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

	rpcrdma_report_reason(conn, req->refused, req->msg.xid);
	ret = svcrdma_error_send(req);
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_ANSWER, ret);
	svcrdma_req_put(req);
	return 0;
}

static int svcrdma_deliver(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	req->refused = RPCRDMA_OK;
	if (req->msg.type == RPCRDMA_NOMSG)
		req->refused = svcrdma_check_long_call(req,
						       rqstp->rq_arg.head);
	if (req->refused == RPCRDMA_OK)
		req->refused = svcrdma_check_args(req, &rqstp->rq_arg);
	if (req->refused != RPCRDMA_OK) {
		if (req->sink_bytes)
			svcrdma_read_unlend_pages(req, rqstp);
		return svcrdma_answer_error(req);
	}

	trace_svcrdma_handle(req->rdma->conn, req->msg.xid, rqstp->rq_arg.len);
	svcrdma_read_budget_delivered(req);
	svcrdma_reply_pages_get(req, rqstp);
	rqstp->rq_xprt_ctxt = req;
	rqstp->rq_prot = IPPROTO_MAX;
	svc_xprt_copy_addrs(rqstp, rqstp->rq_xprt);
	/*
	 * The CM of the client picks its port, so the port does not tell whether
	 * the client is privileged. Exports with the option "secure" accept all
	 * RDMA clients, as with the in-tree server.
	 */
	set_bit(RQ_SECURE, &rqstp->rq_flags);
	/* For WRITEs of this machine nfsd must not wait until its own dirty pages are clean */
	assign_bit(RQ_LOCAL, &rqstp->rq_flags,
		   test_bit(XPT_LOCAL, &rqstp->rq_xprt->xpt_flags));
	return rqstp->rq_arg.len;
}

static int svcrdma_pull_chunks(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct svcrdma_xprt *rdma = req->rdma;
	int ret;

	if (req->stage == SVCRDMA_STAGE_NEW)
		ret = svcrdma_read_start(req, rqstp);
	else
		ret = svcrdma_read_continue(req);

	switch (ret) {
	case 0:
		svcrdma_memory_found(rdma);
		return 0;
	case 1:
		svcrdma_queue(rdma, req, SVCRDMA_STAGE_READ_DONE);
		return 0;
	case -EPROTO:
		svcrdma_queue(rdma, req, SVCRDMA_STAGE_REFUSED);
		return 0;
	case -ENOMEM:
		svcrdma_memory_wait(req);
		return 0;
	default:
		rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_NO_ANSWER, ret);
		svcrdma_req_put(req);
		return 0;
	}
}

/* Does the next step answer a request, or give it to nfsd? */
static bool svcrdma_needs_send(const struct svcrdma_req *req)
{
	switch (req->stage) {
	case SVCRDMA_STAGE_REFUSED:
	case SVCRDMA_STAGE_CONNPROP:
	case SVCRDMA_STAGE_READ_DONE:
		return true;
	case SVCRDMA_STAGE_NEW:
		return !req->nchunks;
	default:
		return false;
	}
}

/* The Send of the answer, with room for the pages of a Reply */
static bool svcrdma_reserve_answer(struct svcrdma_req *req,
				   const struct svc_rqst *rqstp)
{
	if (!svcrdma_send_reserve(req))
		return false;
	if (req->stage != SVCRDMA_STAGE_NEW && req->stage != SVCRDMA_STAGE_READ_DONE)
		return true;
	return svcrdma_send_more_pages(req->send, svcrdma_reply_pages_most(req, rqstp));
}

static int svcrdma_process(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	if (svcrdma_needs_send(req)) {
		if (unlikely(!svcrdma_reserve_answer(req, rqstp))) {
			svcrdma_memory_wait(req);
			return 0;
		}
		svcrdma_memory_found(req->rdma);
	}
	switch (req->stage) {
	case SVCRDMA_STAGE_REFUSED:
		return svcrdma_answer_error(req);
	case SVCRDMA_STAGE_CONNPROP:
		svcrdma_connprop_answer(req);
		return 0;
	case SVCRDMA_STAGE_DROPPED:
		svcrdma_dropped_soon(req->rdma);
		svcrdma_req_put(req);
		return 0;
	case SVCRDMA_STAGE_READ_DONE:
		svcrdma_read_finish(req, rqstp);
		return svcrdma_deliver(req, rqstp);
	case SVCRDMA_STAGE_NEW:
		if (!req->nchunks) {
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
 * svcrdma_recvfrom - xpo_recvfrom: process one ready request
 * @rqstp: nfsd thread, with pages
 *
 * Context: nfsd thread that holds XPT_BUSY of rq_xprt, which this releases; may
 * sleep.
 * Return: bytes of a Call in rq_arg, with its request in rq_xprt_ctxt; 0 if there
 * is no Call to process.
 */
int svcrdma_recvfrom(struct svc_rqst *rqstp)
{
	struct svcrdma_xprt *rdma = svcrdma_from_xprt(rqstp->rq_xprt);
	struct svcrdma_req *req;
	unsigned int nofs;
	int ret = 0;

	/* On every return: no Reply pages for svc_xprt_release() to free */
	rpcrdma_svc_reply_begin(rqstp, 0);
	rqstp->rq_xprt_ctxt = NULL;

	req = svcrdma_queue_next(rdma, rqstp->rq_pool);
	svc_xprt_received(rqstp->rq_xprt);
	if (!req)
		return 0;
	if (!rpcrdma_conn_enter(rdma->conn)) {
		svcrdma_req_put(req);
		return 0;
	}
	nofs = memalloc_nofs_save();
	ret = svcrdma_process(req, rqstp);
	memalloc_nofs_restore(nofs);
	rpcrdma_conn_leave(rdma->conn);
	if (!ret)
		svcrdma_busy_poll(rdma, rqstp->rq_pool);
	return ret;
}
