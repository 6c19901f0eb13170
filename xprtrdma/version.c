// SPDX-License-Identifier: GPL-2.0-only
/*
 * Agreeing on the protocol version with a server.
 *
 * When a connection is up and may run version 2, the connect work sends the
 * probe and sleeps until its answer, the end of the connection, or the end of
 * its patience. No RPC is sent before (V2-NEG-25), so none is at risk. The answer
 * comes through the receive path like any message. What it means is decided in
 * the core (nego.c); what is remembered of a server outlives the connection, in
 * sx->past.
 */
#include "xprtrdma.h"

static __be32 xprtrdma_version_xid(struct xprtrdma_xprt *sx)
{
	struct rpc_xprt *xprt = &sx->xprt;
	__be32 xid;

	/* Of the same space as those of RPCs (OQ-03) */
	spin_lock(&xprt->reserve_lock);
	xid = (__force __be32)xprt->xid++;
	spin_unlock(&xprt->reserve_lock);
	return xid;
}

/**
 * xprtrdma_version_begin - a connection is about to be made
 * @sx: transport with a new sx->conn
 *
 * Context: connect work.
 */
void xprtrdma_version_begin(struct xprtrdma_xprt *sx)
{
	struct rpcrdma_conn *conn = sx->conn;

	reinit_completion(&sx->settled);
	rpcrdma_nego_client(&conn->nego, &sx->past, sx->versions,
			    xprtrdma_version_xid(sx));
	if (conn->nego.state == RPCRDMA_NEGO_SETTLED)
		rpcrdma_conn_settled(conn);
}

static int xprtrdma_version_post(struct xprtrdma_xprt *sx,
				 struct rpcrdma_conn *conn,
				 struct xprtrdma_send *send)
{
	struct rpcrdma_props own;
	struct rpcrdma_msg probe;
	int len, ret;

	rpcrdma_conn_props(conn, &own);
	rpcrdma_nego_probe(&conn->nego, &probe, &own,
			   xprtrdma_credits_asked(sx, conn));
	len = rpcrdma_codec_v2.encode(&probe, send->buf.data,
				      RPCRDMA_V2_PROBE_MAX);
	ret = xprtrdma_send_short(sx, conn, send, len);
	/* What was not sent says nothing about the server */
	if (ret)
		WRITE_ONCE(conn->nego.probed, false);
	return ret;
}

static int xprtrdma_version_probe(struct xprtrdma_xprt *sx)
{
	struct rpcrdma_conn *conn = sx->conn;
	struct xprtrdma_send *send;
	int ret = -ENOTCONN;

	if (!rpcrdma_conn_enter(conn))
		return ret;
	send = xprtrdma_send_get(sx, conn, GFP_KERNEL);
	ret = send ? xprtrdma_version_post(sx, conn, send) : -ENOMEM;
	rpcrdma_conn_leave(conn);
	return ret;
}

/**
 * xprtrdma_version_agree - find out which version the server speaks
 * @sx: transport whose connection has just come up
 *
 * Context: connect work; sleeps.
 * Return: 0, and the version is settled; -EPROTONOSUPPORT if there is no common
 * one; -EAGAIN if the connection is of no use and the next one will do better;
 * -ENOMEM.
 */
int xprtrdma_version_agree(struct xprtrdma_xprt *sx)
{
	struct rpcrdma_conn *conn = sx->conn;
	unsigned long patience, left = 0;
	ktime_t begin;
	int ret;

	if (conn->nego.state == RPCRDMA_NEGO_SETTLED)
		return 0;
	begin = ktime_get();
	ret = xprtrdma_version_probe(sx);
	if (ret == -ENOMEM)
		return ret;
	patience = xprtrdma_tunable(XPRTRDMA_T_PROBE_TIMEOUT) * HZ;
	if (!ret)
		left = wait_for_completion_timeout(&sx->settled, patience);
	WRITE_ONCE(conn->nego_time, ktime_us_delta(ktime_get(), begin));

	/* An answer that is being looked at right now came too late */
	switch (left ? conn->nego.state : RPCRDMA_NEGO_PROBING) {
	case RPCRDMA_NEGO_SETTLED:
		return 0;
	case RPCRDMA_NEGO_FAILED:
		pr_err_ratelimited("xprtrdma: %pISpc: no protocol version in common\n",
				   &conn->peer);
		return -EPROTONOSUPPORT;
	default:
		break;
	}
	pr_warn_ratelimited("xprtrdma: %pISpc: no answer in version 2\n",
			    &conn->peer);
	rpcrdma_count(&sx->end.stats, RPCRDMA_C_PROBES_LOST);
	rpcrdma_conn_close(conn, RPCRDMA_CLOSE_TIMEOUT, -ETIMEDOUT);
	return -EAGAIN;
}

/**
 * xprtrdma_version_lost - the connection closes: nobody need wait for an answer
 * @sx: transport
 *
 * Context: process context.
 */
void xprtrdma_version_lost(struct xprtrdma_xprt *sx)
{
	complete(&sx->settled);
}

/**
 * xprtrdma_version_end - remember what a connection has taught
 * @sx: transport whose connection is drained
 *
 * Context: holds XPRT_LOCKED, or is the only user.
 */
void xprtrdma_version_end(struct xprtrdma_xprt *sx)
{
	rpcrdma_nego_lost(&sx->conn->nego, &sx->past);
}

static void xprtrdma_version_settled(struct xprtrdma_xprt *sx,
				     struct rpcrdma_conn *conn)
{
	const struct rpcrdma_nego *nego = &conn->nego;

	rpcrdma_conn_settled(conn);
	if (nego->grant)
		xprtrdma_window_granted(sx, conn, nego->grant);
	if (!nego->fell_back) {
		pr_info_ratelimited("xprtrdma: %pISpc: version %u, messages of up to %u bytes there and %u back, reverse requests level %d\n",
				    &conn->peer, nego->version,
				    conn->inline_send, conn->inline_recv,
				    nego->peer.reverse);
		return;
	}
	/* V2-SEC-05: somebody on the way may have wanted that */
	rpcrdma_count(&sx->end.stats, RPCRDMA_C_FALLBACKS);
	pr_info_ratelimited("xprtrdma: %pISpc: the server has no version 2, going on with version 1\n",
			    &conn->peer);
}

/**
 * xprtrdma_version_received - a message has come before the version is settled
 * @sx: transport
 * @conn: connection
 * @recv: receive buffer
 *
 * Context: receive path.
 * Return: RPCRDMA_NEGO_TAKEN_ON if the message is to be handled as usual;
 * otherwise that is done, but after RPCRDMA_NEGO_IGNORED it is to be dropped.
 */
enum rpcrdma_nego_verdict
xprtrdma_version_received(struct xprtrdma_xprt *sx, struct rpcrdma_conn *conn,
			  struct rpcrdma_recv *recv)
{
	enum rpcrdma_nego_verdict verdict;

	verdict = rpcrdma_nego_answer(&conn->nego, &sx->rx_msg,
				      recv->buf.data, recv->len);
	switch (verdict) {
	case RPCRDMA_NEGO_IGNORED:
		return verdict;
	case RPCRDMA_NEGO_TAKEN:
	case RPCRDMA_NEGO_TAKEN_ON:
		xprtrdma_version_settled(sx, conn);
		break;
	case RPCRDMA_NEGO_NONE:
		break;
	}
	if (verdict != RPCRDMA_NEGO_TAKEN_ON)
		rpcrdma_recv_done(recv);
	complete(&sx->settled);
	return verdict;
}

/**
 * xprtrdma_version_connprop - a CONNPROP has come on a settled connection
 * @sx: transport; sx->rx_msg is the message
 * @conn: connection
 *
 * Context: receive path.
 * Return: RPCRDMA_OK, or the reason to refuse it.
 */
enum rpcrdma_reason xprtrdma_version_connprop(struct xprtrdma_xprt *sx,
					      struct rpcrdma_conn *conn)
{
	const struct rpcrdma_msg *msg = &sx->rx_msg;
	enum rpcrdma_reason reason;

	reason = rpcrdma_nego_connprop(&conn->nego, msg);
	if (reason)
		return reason;
	rpcrdma_conn_settled(conn);
	if (msg->dir == RPCRDMA_DIR_REPLY)
		xprtrdma_window_granted(sx, conn, msg->credits);
	return RPCRDMA_OK;
}
