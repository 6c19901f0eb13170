// SPDX-License-Identifier: GPL-2.0-only
/*
 * The transport for callbacks, as sunrpc sees it.
 *
 * nfsd asks sunrpc for a client transport of the class that this file registers, on a
 * given connection (svc_xprt). It is created once for a connection, and lives at least
 * as long. It cannot connect: after a connection loss callbacks wait until
 * the client has connected again: RFC 8167 5.4 (BI-RTX-02).
 *
 * References are held by the client of sunrpc, by struct svc_xprt, and by struct
 * svcrdma_xprt, because completion handlers use the transport until the drain.
 */
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sunrpc/clnt.h>
#include <rpcrdma/address.h>
#include "reverse.h"

#define SVCRDMA_REVERSE_TIMEOUT	(60 * HZ)

static const struct rpc_timeout svcrdma_reverse_timeout = {
	.to_initval	= SVCRDMA_REVERSE_TIMEOUT,
	.to_maxval	= SVCRDMA_REVERSE_TIMEOUT,
};

static int svcrdma_reverse_buf_alloc(struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;

	rqst->rq_buffer = kmalloc(size_add(rqst->rq_callsize, rqst->rq_rcvsize),
				  rpc_task_gfp_mask());
	if (!rqst->rq_buffer)
		return -ENOMEM;
	rqst->rq_rbuffer = rqst->rq_buffer + rqst->rq_callsize;
	return 0;
}

static void svcrdma_reverse_buf_free(struct rpc_task *task)
{
	kfree(task->tk_rqstp->rq_buffer);
}

static void svcrdma_reverse_connect(struct rpc_xprt *xprt,
				    struct rpc_task *task)
{
	xprt_clear_connecting(xprt);
	xprt_wake_pending_tasks(xprt, -ENOTCONN);
}

/* This transport never connects again */
static void svcrdma_reverse_close(struct rpc_xprt *xprt)
{
	xprt_disconnect_done(xprt);
}

/* sunrpc's fault point: only the client can connect again, so both directions are closed */
static void svcrdma_reverse_inject_disconnect(struct rpc_xprt *xprt)
{
	svc_xprt_deferred_close(xprt->bc_xprt);
}

static void svcrdma_reverse_destroy(struct rpc_xprt *xprt)
{
	rpcrdma_xprt_free_addresses(xprt);
	xprt_free(xprt);
	module_put(THIS_MODULE);
}

static void svcrdma_reverse_print_stats(struct rpc_xprt *xprt,
					struct seq_file *seq)
{
	seq_printf(seq, "\txprt:\trdma-reverse %lu %lu %lu %llu %llu\n",
		   xprt->stat.sends, xprt->stat.recvs, xprt->stat.bad_xids,
		   xprt->stat.req_u, xprt->stat.bklog_u);
}

static const struct rpc_xprt_ops svcrdma_reverse_ops = {
	.reserve_xprt		= xprt_reserve_xprt_cong,
	.release_xprt		= xprt_release_xprt_cong,
	.alloc_slot		= xprt_alloc_slot,
	.free_slot		= xprt_free_slot,
	.connect		= svcrdma_reverse_connect,
	.buf_alloc		= svcrdma_reverse_buf_alloc,
	.buf_free		= svcrdma_reverse_buf_free,
	.send_request		= svcrdma_reverse_send,
	.wait_for_reply_request	= xprt_wait_for_reply_request_def,
	.release_request	= svcrdma_reverse_release,
	.close			= svcrdma_reverse_close,
	.destroy		= svcrdma_reverse_destroy,
	.print_stats		= svcrdma_reverse_print_stats,
	.inject_disconnect	= svcrdma_reverse_inject_disconnect,
};

static struct rpc_xprt *svcrdma_reverse_alloc(struct xprt_create *args,
					      struct svcrdma_xprt *rdma)
{
	struct svcrdma_reverse *reverse;
	struct rpc_xprt *xprt;

	xprt = xprt_alloc(args->net, sizeof(*reverse), rdma->bc_credits,
			  rdma->bc_credits);
	if (!xprt)
		return NULL;
	reverse = svcrdma_reverse_from_xprt(xprt);
	rpcrdma_credits_reset(&reverse->credits);
	reverse->silent_since = jiffies;
	memcpy(&xprt->addr, args->dstaddr, args->addrlen);
	xprt->addrlen = args->addrlen;
	if (rpcrdma_xprt_format_addresses(xprt)) {
		rpcrdma_xprt_free_addresses(xprt);
		xprt_free(xprt);
		return NULL;
	}

	xprt->ops = &svcrdma_reverse_ops;
	xprt->prot = XPRT_TRANSPORT_BC_RDMA;
	xprt->timeout = &svcrdma_reverse_timeout;
	xprt->max_payload = rdma->conn->inline_send -
			    rpcrdma_codec_least(rdma->conn->codec);
	xprt->bind_timeout = 0;
	xprt->reestablish_timeout = 0;
	xprt->idle_timeout = 0;
	xprt->resvport = 0;
	xprt_set_bound(xprt);
	xprt_set_connected(xprt);
	return xprt;
}

static struct xprt_class svcrdma_reverse_class;

/* Called by sunrpc with a reference on the transport and on this module */
static struct rpc_xprt *svcrdma_reverse_setup(struct xprt_create *args)
{
	struct svcrdma_xprt *rdma;
	struct rpc_xprt *xprt;

	if (!args->bc_xprt ||
	    args->bc_xprt->xpt_ops != &svcrdma_conn_xprt_ops)
		return ERR_PTR(-EINVAL);
	if (args->addrlen > sizeof(xprt->addr))
		return ERR_PTR(-EBADF);
	rdma = svcrdma_from_xprt(args->bc_xprt);
	if (rdma->conn->negotiation.peer.reverse == RPCRDMA_BRS_NONE)
		return ERR_PTR(-EINVAL);

	xprt = svcrdma_reverse_alloc(args, rdma);
	if (!xprt)
		return ERR_PTR(-ENOMEM);
	__module_get(THIS_MODULE);
	xprt->xprt_class = &svcrdma_reverse_class;
	xprt->bc_xprt = args->bc_xprt;

	xprt_get(xprt);
	if (cmpxchg(&rdma->reverse, NULL, xprt)) {
		/* Another task was faster. To nfsd the path is down until the next probe */
		xprt_put(xprt);
		svcrdma_reverse_destroy(xprt);
		return ERR_PTR(-EAGAIN);
	}
	xprt_get(xprt);
	args->bc_xprt->xpt_bc_xprt = xprt;
	return xprt;
}

static struct xprt_class svcrdma_reverse_class = {
	.list	= LIST_HEAD_INIT(svcrdma_reverse_class.list),
	.name	= "rdma backchannel",
	.owner	= THIS_MODULE,
	.ident	= XPRT_TRANSPORT_BC_RDMA,
	.setup	= svcrdma_reverse_setup,
	.netid	= { "" },
};

/**
 * svcrdma_reverse_put - drop the reference to the reverse transport
 * @rdma: transport whose connection is drained
 *
 * Context: may sleep.
 */
void svcrdma_reverse_put(struct svcrdma_xprt *rdma)
{
	if (rdma->reverse)
		xprt_put(rdma->reverse);
	rdma->reverse = NULL;
}

/**
 * svcrdma_reverse_init - register the transport class
 *
 * Context: module init.
 * Return: 0; or -EEXIST if another module has registered it.
 */
int svcrdma_reverse_init(void)
{
	return xprt_register_transport(&svcrdma_reverse_class);
}

/**
 * svcrdma_reverse_exit - undo svcrdma_reverse_init()
 *
 * Context: module exit.
 */
void svcrdma_reverse_exit(void)
{
	xprt_unregister_transport(&svcrdma_reverse_class);
}
