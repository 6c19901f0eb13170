// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accepting: from a connect request to a connection that messages flow on.
 *
 * Everything that a client could make use of is there before it hears from us:
 * queues, and as many posted Receives as the first grant may promise (T-21).
 * Whatever fails on the way, dropping the only reference takes all of it down,
 * and the CM tells the client.
 */
#include <linux/module.h>
#include <trace/events/svcrdma.h>
#include "svcrdma.h"

static void svcrdma_settings(const struct svcrdma_xprt *rdma, u32 inline_size,
			     struct rpcrdma_settings *settings)
{
	*settings = (struct rpcrdma_settings) {
		.credits	= svcrdma_param_credits(),
		.bc_credits	= svcrdma_param_bc_credits(),
		.inline_send	= inline_size,
		.inline_recv	= inline_size,
		.max_payload	= rdma->xprt.xpt_server->sv_max_payload,
		.unsignaled	= rpcrdma_unsignaled_sends(),
	};
	rpcrdma_version_settings(settings, rdma->conn->negotiation.versions);
}

/* For version 1; the queues may have been made larger for version 2 */
static void svcrdma_announce(struct rpcrdma_conn *conn, u32 inline_size)
{
	conn->local.send_size = min(inline_size, conn->limits.inline_send);
	conn->local.recv_size = min(inline_size, conn->limits.inline_recv);
	conn->local.remote_inv = true;
}

/* Why it failed is in @why, for the log */
static int svcrdma_set_up(struct svcrdma_xprt *rdma, const char **why)
{
	/* Read once: it may be set at any time, and buffers follow from it */
	u32 inline_size = svcrdma_param_inline();
	struct rpcrdma_conn *conn = rdma->conn;
	struct rpcrdma_settings settings;
	struct rpcrdma_limits limits;
	struct rpcrdma_caps caps;
	int ret;

	rpcrdma_negotiate_server(&conn->negotiation, svcrdma_param_versions());
	rpcrdma_conn_caps(conn, &caps);
	svcrdma_settings(rdma, inline_size, &settings);
	*why = "the device cannot serve it with the settings at hand";
	ret = rpcrdma_limits_server(&limits, &caps, &settings);
	if (ret)
		return ret;
	*why = "its queues could not be made";
	ret = rpcrdma_conn_setup(conn, &limits);
	if (ret)
		return ret;
	rpcrdma_send_pool_open(&rdma->send_pool, conn, SVCRDMA_POOL_MIN);

	svcrdma_announce(conn, inline_size);
	rdma->credits = limits.credits;
	rdma->bc_credits = limits.bc_credits;
	rdma->max_call = rdma->xprt.xpt_server->sv_max_mesg;
	/* One request may use half of the send queue at once */
	rdma->chain_max = max(limits.send_depth / 2, 2U);
	*why = "its Receives could not be made";
	return rpcrdma_recv_provision(conn, limits.recv_depth,
				      limits.inline_recv);
}

static int svcrdma_accept_conn(struct svcrdma_xprt *rdma, const char **why)
{
	struct rpcrdma_conn *conn = rdma->conn;
	int ret;

	*why = "it has gone already";
	if (rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING)
		return -ENOTCONN;
	ret = svcrdma_set_up(rdma, why);
	if (ret)
		return ret;
	*why = conn->read_depth ? "the connection manager has failed" :
				  "it lets nobody read its memory";
	WRITE_ONCE(conn->read_depth,
		   min_t(unsigned int, conn->read_depth,
			 svcrdma_param_reads_out()));
	return rpcrdma_conn_accept(conn);
}

/**
 * svcrdma_accept - accept the connection that has waited longest
 * @xprt: transport of a listener
 *
 * Context: nfsd thread that holds XPT_BUSY of @xprt and has taken a module
 * reference for the new transport.
 * Return: the new transport, with its reference; or NULL, and sunrpc drops the
 * module reference again.
 */
struct svc_xprt *svcrdma_accept(struct svc_xprt *xprt)
{
	struct svcrdma_xprt *rdma;
	const char *why;
	int ret;

	rdma = svcrdma_listener_next(xprt);
	if (!rdma)
		return NULL;
	ret = svcrdma_accept_conn(rdma, &why);
	trace_svcrdma_accept(rdma->conn, ret);
	if (ret) {
		pr_warn_ratelimited("svcrdma: %pISpc: not accepted: %s (%d)\n",
				    &rdma->conn->peer, why, ret);
		rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_SETUP, ret);
		svc_xprt_put(&rdma->xprt);
		return NULL;
	}
	rpcrdma_trimmer_start(&rdma->trimmer, svcrdma_wq);
	/* It has had one since the connect request came in */
	module_put(THIS_MODULE);
	return &rdma->xprt;
}
