// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accepting a connect request, in two steps. A work item creates the queues and posts the
 * Receives: a device that takes long for that delays no nfsd thread. Then a thread accepts the
 * request, with all in place, because the client may send its first Call at once.
 *
 * After a failure, dropping the only reference destroys the transport with its
 * connection, and the CM rejects the request.
 *
 * Model: scripts/tests/models/teardown_server.pml
 */
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <trace/events/svcrdma.h>
#include "params.h"
#include "send.h"
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
		.unsignaled	= rpcrdma_unsignaled_sends(rdma->conn),
	};
	rpcrdma_version_settings(settings, rdma->conn->negotiation.versions);
}

/* A client without CM private data may send so many bytes, although RFC 8166 allows 1024 */
#define SVCRDMA_CALL_MIN	4096U

/*
 * The CM private data of version 1. Version 2 may have larger messages. No Receive needs more
 * than the largest Call of the client. An in-tree client that can send more rounds the size
 * that it announces down, and never sends more than is announced here.
 */
static void svcrdma_announce(struct rpcrdma_conn *conn, u32 inline_size)
{
	conn->local.send_size = min(inline_size, conn->limits.inline_send);
	conn->local.recv_size = min3(inline_size, conn->limits.inline_recv,
				     max(conn->remote.send_size, SVCRDMA_CALL_MIN));
	conn->local.remote_inv = true;
}

/* The Sends first: a connection that has used up all memory for Receives could not answer */
static int svcrdma_accept_provision(struct svcrdma_xprt *rdma)
{
	int ret;

	rpcrdma_send_pool_open(&rdma->send_pool, rdma->conn, SVCRDMA_POOL_MIN);
	ret = svcrdma_send_pool_fill(rdma);
	return ret ?: svcrdma_receives_start(rdma);
}

/* After a failure @why tells the cause, for the log */
static int svcrdma_accept_setup(struct svcrdma_xprt *rdma, const char **why)
{
	/* Read once: the parameter may change, and buffers have this size */
	u32 inline_size = svcrdma_param_inline();
	struct rpcrdma_conn *conn = rdma->conn;
	struct rpcrdma_settings settings;
	struct rpcrdma_limits limits;
	int ret;

	rpcrdma_negotiate_server(&conn->negotiation, svcrdma_param_versions());
	svcrdma_settings(rdma, inline_size, &settings);
	ret = rpcrdma_conn_limits(conn, &settings, &limits);
	*why = ret == -EOPNOTSUPP ?
	       "the device registers no pages of the size that this kernel has" :
	       "the device cannot work with these module parameters";
	if (ret)
		return ret;
	*why = "cannot create its queues";
	ret = rpcrdma_conn_setup(conn, &settings);
	if (ret)
		return ret;
	/* Maybe fewer credits than settings */
	limits = conn->limits;

	svcrdma_announce(conn, inline_size);
	rdma->bc_credits = limits.bc_credits;
	rdma->max_call = rdma->xprt.xpt_server->sv_max_mesg;
	/*
	 * A chain that needs all slots waits until the send queue is empty, and the chains
	 * behind it wait too (slot_wait.c). One that needs half of them can be posted while
	 * another one is in progress.
	 */
	rdma->chain_max = max(limits.send_depth / 2, 2U);
	*why = "out of memory";
	return svcrdma_accept_provision(rdma);
}

static int svcrdma_accept_prepare(struct svcrdma_xprt *rdma, const char **why)
{
	int ret;

	*why = "the listener is closing";
	if (svcrdma_listener_detached(rdma->listener))
		return -ESHUTDOWN;
	*why = "the client has closed it already";
	if (rpcrdma_conn_state(rdma->conn) >= RPCRDMA_S_CLOSING)
		return -ENOTCONN;
	*why = "out of memory";
	ret = svcrdma_client_join(rdma);
	return ret ?: svcrdma_accept_setup(rdma, why);
}

static int svcrdma_accept_conn(struct svcrdma_xprt *rdma, const char **why)
{
	struct rpcrdma_conn *conn = rdma->conn;
	int ret;

	*why = "the client has closed it already";
	if (rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING)
		return -ENOTCONN;
	*why = conn->read_depth ? "the connection manager has failed" :
				  "the client allows no RDMA Reads";
	WRITE_ONCE(conn->read_depth,
		   min_t(unsigned int, conn->read_depth,
			 svcrdma_param_reads_out()));
	ret = rpcrdma_conn_accept(conn);
	if (ret == -ENETDOWN)
		*why = "the port is down";
	return ret;
}

/* Drops the only reference */
static void svcrdma_not_accepted(struct svcrdma_xprt *rdma, const char *why, int error)
{
	trace_svcrdma_accept(rdma->conn, error);
	pr_warn_ratelimited("svcrdma: %pISpc: not accepted: %s (%d)\n",
			    &rdma->conn->peer, why, error);
	rpcrdma_conn_close(rdma->conn, RPCRDMA_CLOSE_SETUP, error);
	svc_xprt_put(&rdma->xprt);
}

/**
 * svcrdma_setup_work - set up a connection, and give it to the nfsd threads
 * @work: svcrdma_xprt.setup_work; its transport belongs to this
 *
 * Context: work item; may sleep.
 */
void svcrdma_setup_work(struct work_struct *work)
{
	struct svcrdma_xprt *rdma = container_of(work, struct svcrdma_xprt, setup_work);
	const struct ib_device *device = rdma->conn->device;
	struct svc_xprt *listener = rdma->listener;
	/* A client on this machine may wait for the connection in reclaim */
	unsigned int nofs = memalloc_nofs_save();
	const char *why;
	int ret;

	ret = svcrdma_accept_prepare(rdma, &why);
	if (ret) {
		svcrdma_not_accepted(rdma, why, ret);
		rdma = NULL;
	}
	svcrdma_listener_set_up_done(listener, rdma, device);
	memalloc_nofs_restore(nofs);
}

/**
 * svcrdma_accept - xpo_accept: accept the connect request that has been set up longest
 * @xprt: transport of a listener
 *
 * Context: nfsd thread that holds XPT_BUSY of @xprt and has taken a module
 * reference for the new transport; may sleep.
 * Return: the new transport, with a reference for sunrpc; or NULL, and sunrpc drops
 * the module reference.
 */
struct svc_xprt *svcrdma_accept(struct svc_xprt *xprt)
{
	struct svcrdma_xprt *rdma;
	const char *why;
	unsigned int nofs;
	int ret;

	rdma = svcrdma_listener_next(xprt);
	if (!rdma)
		return NULL;
	/* A client on this machine may wait for the connection in reclaim */
	nofs = memalloc_nofs_save();
	ret = svcrdma_accept_conn(rdma, &why);
	memalloc_nofs_restore(nofs);
	if (ret) {
		svcrdma_not_accepted(rdma, why, ret);
		return NULL;
	}
	trace_svcrdma_accept(rdma->conn, 0);
	rpcrdma_trimmer_start(&rdma->trimmer, svcrdma_wq);
	/* The transport has had its own since svcrdma_xprt_adopt() */
	module_put(THIS_MODULE);
	return &rdma->xprt;
}
