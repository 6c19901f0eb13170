// SPDX-License-Identifier: GPL-2.0-only
/*
 * The transport as sunrpc sees it: the class, the operations, and the creation
 * and destruction of a transport. Most operations are in other files.
 *
 * sunrpc owns a transport from xprtrdma_setup() until it calls ops->destroy,
 * when there is no task and no holder of XPRT_LOCKED. In between the transport
 * holds a reference to the module.
 *
 * Model: scripts/tests/models/teardown_client.pml
 */
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/sunrpc/addr.h>
#include <compat/xprt_create.h>
#include <rpcrdma/address.h>
#include "xprtrdma.h"

#define XPRTRDMA_BIND_TIMEOUT	(60UL * HZ)

/* Default for an upper layer that sets no timeouts */
static const struct rpc_timeout xprtrdma_timeout = {
	.to_initval	= 60 * HZ,
	.to_maxval	= 60 * HZ,
};

static struct xprt_class xprtrdma_class;

static const struct rpc_xprt_ops xprtrdma_ops;

static void xprtrdma_setup_timeouts(struct rpc_xprt *xprt,
				    const struct xprt_create *args)
{
	unsigned long reconnect = rpcrdma_reconnect_timeout(args);
	unsigned long connect = rpcrdma_connect_timeout(args);

	xprt->timeout = &xprtrdma_timeout;
	xprt->bind_timeout = XPRTRDMA_BIND_TIMEOUT;
	xprt->idle_timeout = xprtrdma_tunable(XPRTRDMA_T_IDLE_TIMEOUT) * HZ;
	xprt->connect_timeout =
		xprtrdma_tunable(XPRTRDMA_T_CONNECT_TIMEOUT) * HZ;
	xprt->max_reconnect_timeout = XPRTRDMA_RECONNECT_MAX;
	if (connect || reconnect)
		xprtrdma_set_connect_timeout(xprt,
					     connect ?: xprt->connect_timeout,
					     reconnect ?:
					     xprt->max_reconnect_timeout);
}

static int xprtrdma_setup_addresses(struct xprtrdma_xprt *r_xprt,
				    const struct xprt_create *args)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;

	/* Protocols such as rpcbind and MOUNT use these, and run over TCP */
	xprt->prot = IPPROTO_TCP;
	xprt->addrlen = args->addrlen;
	memcpy(&xprt->addr, args->dstaddr, args->addrlen);
	if (args->srcaddr && args->srcaddr->sa_family ==
			     args->dstaddr->sa_family) {
		memcpy(&r_xprt->src, args->srcaddr, args->addrlen);
		rpc_set_port((struct sockaddr *)&r_xprt->src, 0);
		r_xprt->has_src = true;
	}
	if (rpc_get_port(args->dstaddr))
		xprt_set_bound(xprt);
	return rpcrdma_xprt_format_addresses(xprt);
}

static int xprtrdma_setup_parts(struct xprtrdma_xprt *r_xprt,
				const struct xprt_create *args)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;

	xprt->ops = &xprtrdma_ops;
	xprt->xprt_class = &xprtrdma_class;
	xprt->max_payload = xprtrdma_tunable(XPRTRDMA_T_MAX_PAYLOAD);
	xprtrdma_setup_timeouts(xprt, args);

	xprtrdma_connect_init(r_xprt);
	xprtrdma_req_pool_init(r_xprt);
	xprtrdma_req_pins_init(r_xprt);
	xprtrdma_mr_pool_init(r_xprt);
	xprtrdma_send_pool_init(r_xprt);
	xprtrdma_reverse_init(r_xprt);
	xprtrdma_credits_reset(r_xprt);
	return xprtrdma_setup_addresses(r_xprt, args);
}

static struct rpc_xprt *xprtrdma_setup(struct xprt_create *args)
{
	struct xprtrdma_xprt *r_xprt;
	struct rpc_xprt *xprt;
	int ret;

	if (args->addrlen > sizeof(xprt->addr))
		return ERR_PTR(-EBADF);
	/* NFS tries RDMA first for a referral, with the security of the mount it comes from */
	if (rpcrdma_demands_tls(args))
		return ERR_PTR(-EACCES);
	xprt = xprt_alloc(args->net, sizeof(*r_xprt), 0,
			  xprtrdma_tunable(XPRTRDMA_T_SLOTS));
	if (!xprt)
		return ERR_PTR(-ENOMEM);
	r_xprt = xprtrdma_from_xprt(xprt);
	ret = rpcrdma_endpoint_init(&r_xprt->ep, &xprtrdma_endpoint_ops,
				    args->net, false);
	if (ret)
		goto out_free;
	ret = xprtrdma_setup_parts(r_xprt, args);
	if (ret)
		goto out_addresses;
	/* During this call sunrpc holds a reference to the class and this module */
	__module_get(THIS_MODULE);
	rpcrdma_endpoint_show(&r_xprt->ep, true);
	return xprt;

out_addresses:
	rpcrdma_xprt_free_addresses(xprt);
	rpcrdma_endpoint_destroy(&r_xprt->ep);
out_free:
	xprt_free(xprt);
	return ERR_PTR(ret);
}

/*
 * The connect work is not queued, because only a holder of XPRT_LOCKED queues
 * it; cancel_delayed_work_sync() waits until it has returned. It is what queues
 * the probe. Then the connection is destroyed with all its objects, and then what
 * outlives connections. The lost work is the last, because the others queue it.
 */
static void xprtrdma_destroy(struct rpc_xprt *xprt)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	cancel_delayed_work_sync(&r_xprt->connect_work);
	xprtrdma_path_probe_stop(r_xprt);
	xprtrdma_disconnect(r_xprt);
	xprtrdma_req_pins_destroy(r_xprt);
	cancel_work_sync(&r_xprt->lost_work);
	xprtrdma_req_pool_destroy(r_xprt);
	rpc_destroy_wait_queue(&r_xprt->exposed_waitq);
	xprtrdma_mr_wait_destroy(r_xprt);
	rpcrdma_xprt_free_addresses(xprt);
	rpcrdma_endpoint_destroy(&r_xprt->ep);
	xprt_free(xprt);
	module_put(THIS_MODULE);
}

static void xprtrdma_set_port(struct rpc_xprt *xprt, unsigned short port)
{
	rpc_set_port((struct sockaddr *)&xprt->addr, port);
	/* sunrpc shows a missing string as "(null)": no reason to fail */
	rpcrdma_xprt_format_port(xprt);
}

/*
 * A Call has been encoded, which is an error if its memory is exposed. sunrpc asks
 * first for the Reply, then for the Call.
 */
static int xprtrdma_prepare_request(struct rpc_rqst *rqst, struct xdr_buf *buf)
{
	if (bc_prealloc(rqst) || buf != &rqst->rq_snd_buf)
		return 0;
	WARN_ON_ONCE(xprtrdma_req_exposed(xprtrdma_from_rqst(rqst)));
	return xprtrdma_mr_prepare(rqst);
}

/*
 * sunrpc releases a request. The window is changed before sunrpc stops
 * counting the request, so that no other Call uses the credit in between.
 */
static void xprtrdma_release_request(struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;

	lockdep_assert_held(&rqst->rq_xprt->transport_lock);
	if (bc_prealloc(rqst))
		xprtrdma_reverse_release(rqst);
	else
		xprtrdma_credits_abandon(xprtrdma_from_xprt(rqst->rq_xprt),
					 xprtrdma_from_rqst(rqst));
	xprt_release_rqst_cong(task);
}

/* Swap on this transport: sunrpc and the connect work may use memory reserves */
static int xprtrdma_enable_swap(struct rpc_xprt *xprt)
{
	atomic_inc(&xprt->swapper);
	return 0;
}

/* sunrpc also calls it for a transport that came, or was offline, when swap was enabled */
static void xprtrdma_disable_swap(struct rpc_xprt *xprt)
{
	atomic_dec_if_positive(&xprt->swapper);
}

static const struct rpc_xprt_ops xprtrdma_ops = {
	.reserve_xprt		= xprtrdma_reserve_xprt,
	.release_xprt		= xprt_release_xprt_cong,
	.alloc_slot		= xprtrdma_alloc_slot,
	.free_slot		= xprtrdma_free_slot,
	.rpcbind		= rpcb_getport_async,
	.set_port		= xprtrdma_set_port,
	.connect		= xprtrdma_connect,
	.buf_alloc		= xprtrdma_buf_alloc,
	.buf_free		= xprtrdma_buf_free,
	.prepare_request	= xprtrdma_prepare_request,
	.send_request		= xprtrdma_send_request,
	.wait_for_reply_request	= xprtrdma_wait_for_reply,
	.release_request	= xprtrdma_release_request,
	.close			= xprtrdma_close,
	.destroy		= xprtrdma_destroy,
	.set_connect_timeout	= xprtrdma_set_connect_timeout,
	.print_stats		= xprtrdma_print_stats,
	.enable_swap		= xprtrdma_enable_swap,
	.disable_swap		= xprtrdma_disable_swap,
	.inject_disconnect	= xprtrdma_inject_disconnect,
	.bc_setup		= xprtrdma_bc_setup,
	.bc_maxpayload		= xprtrdma_bc_maxpayload,
	.bc_num_slots		= xprtrdma_bc_num_slots,
	.bc_free_rqst		= xprtrdma_bc_free_rqst,
	.bc_destroy		= xprtrdma_bc_destroy,
};

static struct xprt_class xprtrdma_class = {
	.list	= LIST_HEAD_INIT(xprtrdma_class.list),
	.name	= "rdma",
	.owner	= THIS_MODULE,
	.ident	= XPRT_TRANSPORT_RDMA,
	.setup	= xprtrdma_setup,
	.netid	= { RPCBIND_NETID_RDMA, RPCBIND_NETID_RDMA6, "" },
};

/**
 * xprtrdma_ops_register - register the transport class with sunrpc
 *
 * Context: module init.
 * Return: 0; or -EEXIST if a class for RDMA exists, such as that of the
 * in-tree module.
 */
int xprtrdma_ops_register(void)
{
	return xprt_register_transport(&xprtrdma_class);
}

/**
 * xprtrdma_ops_unregister - undo xprtrdma_ops_register()
 *
 * Context: module exit.
 */
void xprtrdma_ops_unregister(void)
{
	xprt_unregister_transport(&xprtrdma_class);
}
