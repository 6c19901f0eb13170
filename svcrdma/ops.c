// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface to sunrpc: one transport class, one set of operations for listeners,
 * and one for the transports of connections.
 *
 * Model: scripts/tests/models/peer_valid.pml
 */
#include <linux/module.h>
#include <compat/svc_ops.h>
#include "request.h"
#include "rw.h"
#include "send.h"
#include "svcrdma.h"

static void svcrdma_listener_release_ctxt(struct svc_xprt *xprt, void *ctxt)
{
}

static int svcrdma_listener_has_wspace(struct svc_xprt *xprt)
{
	return 1;
}

static const struct svc_xprt_ops svcrdma_listener_xprt_ops = {
	.xpo_create		= svcrdma_listen,
	.xpo_accept		= svcrdma_accept,
	.xpo_has_wspace		= svcrdma_listener_has_wspace,
	.xpo_release_ctxt	= svcrdma_listener_release_ctxt,
	.xpo_detach		= svcrdma_listener_detach,
	.xpo_free		= svcrdma_listener_free,
};

struct svc_xprt_class svcrdma_class = {
	.xcl_name		= SVCRDMA_NAME,
	.xcl_owner		= THIS_MODULE,
	.xcl_ops		= &svcrdma_listener_xprt_ops,
	.xcl_max_payload	= RPCSVC_MAXPAYLOAD,
	.xcl_ident		= XPRT_TRANSPORT_RDMA,
};

/* If nfsd has deferred the Call, this is not always an nfsd thread, but no Reply was sent then */
static void svcrdma_conn_release_ctxt(struct svc_xprt *xprt, void *ctxt)
{
	struct svcrdma_req *req = ctxt;
	const struct svc_rqst *thread;

	if (!req)
		return;
	thread = req->answered_by;
	svcrdma_req_release(req);
	if (thread)
		svcrdma_busy_poll(svcrdma_from_xprt(xprt), thread->rq_pool);
}

/*
 * While Replies wait for send queue slots, nothing that a thread could do can be sent.
 * While requests wait for memory, it could do nothing. So let it serve another transport.
 */
static int svcrdma_conn_has_wspace(struct svc_xprt *xprt)
{
	struct svcrdma_xprt *rdma = svcrdma_from_xprt(xprt);

	return !svcrdma_slot_waiting(rdma) && !svcrdma_memory_waiting(rdma);
}

static void svcrdma_conn_detach(struct svc_xprt *xprt)
{
	struct svcrdma_xprt *rdma = svcrdma_from_xprt(xprt);

	svcrdma_hold_detach(rdma);
	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_LOCAL, 0);
}

/* Nothing to do: sunrpc always calls the detach operation afterwards */
static void svcrdma_conn_kill_temp(struct svc_xprt *xprt)
{
}

const struct svc_xprt_ops svcrdma_conn_xprt_ops = {
	.xpo_recvfrom		= svcrdma_recvfrom,
	.xpo_sendto		= svcrdma_sendto,
	.xpo_result_payload	= svcrdma_result_payload,
	.xpo_has_wspace		= svcrdma_conn_has_wspace,
	.xpo_release_ctxt	= svcrdma_conn_release_ctxt,
	.xpo_detach		= svcrdma_conn_detach,
	.xpo_free		= svcrdma_xprt_free,
	.xpo_kill_temp_xprt	= svcrdma_conn_kill_temp,
	RPCRDMA_SVC_SECURE_PORT
};
