// SPDX-License-Identifier: GPL-2.0-only
/*
 * Agreeing on the protocol version with a server.
 *
 * When a connection is up and may run version 2, the connect work sends the
 * connprop and sleeps until its answer, the end of the connection, or the end of
 * its patience. No RPC is sent before (V2-NEG-25), so none is at risk. The answer
 * comes through the receive path like any message. What it means is decided in
 * the core (nego.c); what is remembered of a server outlives the connection, in
 * sx->past.
 */
#include "xprtrdma.h"

static __be32 xprtrdma_version_xid(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	__be32 xid;

	/* Of the same space as those of RPCs (OQ-03) */
	spin_lock(&xprt->reserve_lock);
	xid = (__force __be32)xprt->xid++;
	spin_unlock(&xprt->reserve_lock);
	return xid;
}

/**
 * xprtrdma_version_begin - a connection is about to be made
 * @r_xprt: transport with a new sx->conn
 *
 * Context: connect work.
 */
void xprtrdma_version_begin(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;

	reinit_completion(&r_xprt->settled);
	rpcrdma_negotiate_client(&conn->negotiation, &r_xprt->past,
				 r_xprt->versions,
				 xprtrdma_version_xid(r_xprt));
	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		rpcrdma_conn_settled(conn);
}

static int xprtrdma_version_post(struct xprtrdma_xprt *r_xprt,
				 struct rpcrdma_conn *conn,
				 struct rpcrdma_send *send)
{
	struct rpcrdma_props own;
	struct rpcrdma_msg connprop;
	int len, ret;

	rpcrdma_conn_props(conn, &own);
	rpcrdma_negotiate_open(&conn->negotiation, &connprop, &own,
			       xprtrdma_credits_asked(r_xprt, conn));
	len = rpcrdma_codec_v2.encode(&connprop, send->buf.data,
				      RPCRDMA_V2_CONNPROP_MAX);
	ret = xprtrdma_send_short(r_xprt, conn, send, len);
	/* What was not sent says nothing about the server */
	if (ret)
		WRITE_ONCE(conn->negotiation.opened, false);
	return ret;
}

static int xprtrdma_version_open(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	struct rpcrdma_send *send;
	int ret = -ENOTCONN;

	if (!rpcrdma_conn_enter(conn))
		return ret;
	send = rpcrdma_send_get(&r_xprt->send_pool, GFP_KERNEL);
	ret = send ? xprtrdma_version_post(r_xprt, conn, send) : -ENOMEM;
	rpcrdma_conn_leave(conn);
	return ret;
}

/**
 * xprtrdma_version_agree - find out which version the server speaks
 * @r_xprt: transport whose connection has just come up
 *
 * Context: connect work; sleeps.
 * Return: 0, and the version is settled; -EPROTONOSUPPORT if there is no common
 * one; -EAGAIN if the connection is of no use and the next one will do better;
 * -ENOMEM.
 */
int xprtrdma_version_agree(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	unsigned long patience, left = 0;
	ktime_t begin;
	int ret;

	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		return 0;
	begin = ktime_get();
	ret = xprtrdma_version_open(r_xprt);
	if (ret == -ENOMEM)
		return ret;
	patience = xprtrdma_tunable(XPRTRDMA_T_NEGOTIATE_TIMEOUT) * HZ;
	if (!ret)
		left = wait_for_completion_timeout(&r_xprt->settled, patience);
	WRITE_ONCE(conn->negotiate_us, ktime_us_delta(ktime_get(), begin));

	/* An answer that is being looked at right now came too late */
	switch (left ? conn->negotiation.state : RPCRDMA_NEGOTIATE_ASKING) {
	case RPCRDMA_NEGOTIATE_SETTLED:
		return 0;
	case RPCRDMA_NEGOTIATE_FAILED:
		pr_err_ratelimited("xprtrdma: %pISpc: no protocol version in common\n",
				   &conn->peer);
		return -EPROTONOSUPPORT;
	default:
		break;
	}
	pr_warn_ratelimited("xprtrdma: %pISpc: no answer in version 2\n",
			    &conn->peer);
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_VERSION_TIMEOUTS);
	rpcrdma_conn_close(conn, RPCRDMA_CLOSE_TIMEOUT, -ETIMEDOUT);
	return -EAGAIN;
}

/**
 * xprtrdma_version_lost - the connection closes: nobody need wait for an answer
 * @r_xprt: transport
 *
 * Context: process context.
 */
void xprtrdma_version_lost(struct xprtrdma_xprt *r_xprt)
{
	complete(&r_xprt->settled);
}

/**
 * xprtrdma_version_end - remember what a connection has taught
 * @r_xprt: transport whose connection is drained
 *
 * Context: holds XPRT_LOCKED, or is the only user.
 */
void xprtrdma_version_end(struct xprtrdma_xprt *r_xprt)
{
	rpcrdma_negotiate_lost(&r_xprt->conn->negotiation, &r_xprt->past);
}

static void xprtrdma_version_settled(struct xprtrdma_xprt *r_xprt,
				     struct rpcrdma_conn *conn)
{
	const struct rpcrdma_negotiation *neg = &conn->negotiation;

	rpcrdma_conn_settled(conn);
	if (neg->grant)
		xprtrdma_credits_granted(r_xprt, conn, neg->grant);
	if (!neg->fell_back) {
		pr_info_ratelimited("xprtrdma: %pISpc: version %u, messages of up to %u bytes there and %u back, reverse requests level %d\n",
				    &conn->peer, neg->version,
				    conn->inline_send, conn->inline_recv,
				    neg->peer.reverse);
		return;
	}
	/* V2-SEC-05: somebody on the way may have wanted that */
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_FALLBACKS);
	pr_info_ratelimited("xprtrdma: %pISpc: the server has no version 2, going on with version 1\n",
			    &conn->peer);
}

/**
 * xprtrdma_version_received - a message has come before the version is settled
 * @r_xprt: transport
 * @conn: connection
 * @recv: receive buffer
 *
 * Context: receive path.
 * Return: RPCRDMA_NEGOTIATE_DONE_DELIVER if the message is to be handled as usual;
 * otherwise that is done, but after RPCRDMA_NEGOTIATE_IGNORED it is to be dropped.
 */
enum rpcrdma_negotiate_verdict
xprtrdma_version_received(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_conn *conn, struct rpcrdma_recv *recv)
{
	enum rpcrdma_negotiate_verdict verdict;

	verdict = rpcrdma_negotiate_answer(&conn->negotiation, &r_xprt->rx_msg,
					   recv->buf.data, recv->len);
	switch (verdict) {
	case RPCRDMA_NEGOTIATE_IGNORED:
		return verdict;
	case RPCRDMA_NEGOTIATE_DONE:
	case RPCRDMA_NEGOTIATE_DONE_DELIVER:
		xprtrdma_version_settled(r_xprt, conn);
		break;
	case RPCRDMA_NEGOTIATE_NO_VERSION:
		break;
	}
	if (verdict != RPCRDMA_NEGOTIATE_DONE_DELIVER)
		rpcrdma_recv_repost(recv);
	complete(&r_xprt->settled);
	return verdict;
}

/**
 * xprtrdma_version_connprop - a CONNPROP has come on a settled connection
 * @r_xprt: transport; sx->rx_msg is the message
 * @conn: connection
 *
 * Context: receive path.
 * Return: RPCRDMA_OK, or the reason to refuse it.
 */
enum rpcrdma_reason xprtrdma_version_connprop(struct xprtrdma_xprt *r_xprt,
					      struct rpcrdma_conn *conn)
{
	const struct rpcrdma_msg *msg = &r_xprt->rx_msg;
	enum rpcrdma_reason reason;

	reason = rpcrdma_negotiate_connprop(&conn->negotiation, msg);
	if (reason)
		return reason;
	rpcrdma_conn_settled(conn);
	if (msg->dir == RPCRDMA_DIR_REPLY)
		xprtrdma_credits_granted(r_xprt, conn, msg->credits);
	return RPCRDMA_OK;
}
