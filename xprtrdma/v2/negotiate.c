// SPDX-License-Identifier: GPL-2.0-only
/*
 * Version 2: agreeing on the protocol version with a server.
 *
 * After a connection is established that may use version 2, the connect work
 * sends the opening CONNPROP. It sleeps until the response, the end of the
 * connection, or a timeout. No RPC is sent before that: rpcrdma-version-two-09
 * 7 (V2-NEG-25). The response arrives through the receive path like any
 * message. The core decides what it means (rpcrdma/protocol/v2/negotiate.c).
 * What was learned about a server outlives the connection, in r_xprt->past.
 *
 * A mount that takes version 1 only settles on it in
 * xprtrdma_negotiate_begin().
 */
#include "../xprtrdma.h"

static __be32 xprtrdma_negotiate_xid(struct xprtrdma_xprt *r_xprt)
{
	struct rpc_xprt *xprt = &r_xprt->xprt;
	__be32 xid;

	/* The next XID for an RPC (rpcrdma-version-two-09 5.3.3, OQ-03) */
	spin_lock(&xprt->reserve_lock);
	xid = (__force __be32)xprt->xid++;
	spin_unlock(&xprt->reserve_lock);
	return xid;
}

/**
 * xprtrdma_negotiate_begin - prepare the negotiation on a new connection
 * @r_xprt: transport with a new r_xprt->conn, not established yet
 *
 * Context: connect work.
 */
void xprtrdma_negotiate_begin(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;

	reinit_completion(&r_xprt->settled);
	rpcrdma_negotiate_client(&conn->negotiation, &r_xprt->past,
				 r_xprt->versions,
				 xprtrdma_negotiate_xid(r_xprt));
	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		rpcrdma_conn_apply_version(conn);
}

static int xprtrdma_negotiate_post(struct xprtrdma_xprt *r_xprt,
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
	/* Not sent: a loss of the connection tells nothing about the server */
	if (ret)
		WRITE_ONCE(conn->negotiation.opened, false);
	return ret;
}

static int xprtrdma_negotiate_open(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	struct rpcrdma_send *send;
	int ret = -ENOTCONN;

	if (!rpcrdma_conn_enter(conn))
		return ret;
	send = xprtrdma_send_get(r_xprt);
	ret = send ? xprtrdma_negotiate_post(r_xprt, conn, send) : -ENOMEM;
	rpcrdma_conn_leave(conn);
	return ret;
}

/**
 * xprtrdma_negotiate_wait - send the opening CONNPROP and wait for the response
 * @r_xprt: transport whose connection has just been established
 *
 * Context: connect work; sleeps.
 * Return: 0, and the version is settled; -EPROTONOSUPPORT if there is no common
 * version; -EAGAIN if the connection has been closed and the next one will use
 * what was learned; -ENOMEM.
 */
int xprtrdma_negotiate_wait(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	unsigned long timeout, left = 0;
	ktime_t start;
	int ret;

	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		return 0;
	start = ktime_get();
	ret = xprtrdma_negotiate_open(r_xprt);
	if (ret == -ENOMEM)
		return ret;
	timeout = xprtrdma_tunable(XPRTRDMA_T_NEGOTIATE_TIMEOUT) * HZ;
	if (!ret)
		left = wait_for_completion_timeout(&r_xprt->settled, timeout);
	WRITE_ONCE(conn->negotiate_us, ktime_us_delta(ktime_get(), start));

	/* After a timeout a response that is being processed is too late */
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
	/* The loss of a connection is logged by the core */
	if (rpcrdma_conn_state(conn) < RPCRDMA_S_CLOSING)
		pr_warn_ratelimited("xprtrdma: %pISpc: the server did not answer the version 2 CONNPROP\n",
				    &conn->peer);
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_VERSION_TIMEOUTS);
	rpcrdma_conn_close(conn, RPCRDMA_CLOSE_TIMEOUT, -ETIMEDOUT);
	return -EAGAIN;
}

/**
 * xprtrdma_negotiate_lost - the connection closes: stop waiting for a response
 * @r_xprt: transport
 *
 * Context: process context.
 */
void xprtrdma_negotiate_lost(struct xprtrdma_xprt *r_xprt)
{
	complete(&r_xprt->settled);
}

/**
 * xprtrdma_negotiate_end - remember what was learned about the server
 * @r_xprt: transport whose connection is drained
 *
 * Context: holds XPRT_LOCKED, or is the only user.
 */
void xprtrdma_negotiate_end(struct xprtrdma_xprt *r_xprt)
{
	rpcrdma_negotiate_lost(&r_xprt->conn->negotiation, &r_xprt->past);
}

static void xprtrdma_negotiate_settled(struct xprtrdma_xprt *r_xprt,
				       struct rpcrdma_conn *conn)
{
	const struct rpcrdma_negotiation *neg = &conn->negotiation;

	rpcrdma_conn_apply_version(conn);
	if (neg->grant)
		xprtrdma_credits_granted(r_xprt, conn, neg->grant);
	if (!neg->fell_back) {
		pr_info_ratelimited("xprtrdma: %pISpc: version %u, inline send %u, receive %u, reverse direction level %d\n",
				    &conn->peer, neg->version,
				    conn->inline_send, conn->inline_recv,
				    neg->peer.reverse);
		return;
	}
	/* An attacker could cause this: rpcrdma-version-two-09 7.2 (V2-SEC-05) */
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_FALLBACKS);
	pr_info_ratelimited("xprtrdma: %pISpc: the server has no version 2, going on with version 1\n",
			    &conn->peer);
}

/**
 * xprtrdma_negotiate_received - handle a message before the version is settled
 * @r_xprt: transport
 * @conn: connection
 * @recv: receive buffer with the message
 *
 * Context: receive path.
 * Return: RPCRDMA_NEGOTIATE_DONE_DELIVER if the caller handles the message as
 * usual; RPCRDMA_NEGOTIATE_IGNORED if the caller drops it; otherwise it has
 * been handled, and @recv is posted again.
 */
enum rpcrdma_negotiate_verdict
xprtrdma_negotiate_received(struct xprtrdma_xprt *r_xprt,
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
		xprtrdma_negotiate_settled(r_xprt, conn);
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
 * xprtrdma_negotiate_connprop - handle a CONNPROP after the version is settled
 * @r_xprt: transport; r_xprt->rx_msg is the message
 * @conn: connection
 *
 * Context: receive path.
 * Return: RPCRDMA_OK, or the reason to refuse it.
 */
enum rpcrdma_reason xprtrdma_negotiate_connprop(struct xprtrdma_xprt *r_xprt,
						struct rpcrdma_conn *conn)
{
	const struct rpcrdma_msg *msg = &r_xprt->rx_msg;
	enum rpcrdma_reason reason;

	reason = rpcrdma_negotiate_connprop(&conn->negotiation, msg);
	if (reason)
		return reason;
	rpcrdma_conn_apply_version(conn);
	if (msg->dir == RPCRDMA_DIR_REPLY)
		xprtrdma_credits_granted(r_xprt, conn, msg->credits);
	return RPCRDMA_OK;
}
