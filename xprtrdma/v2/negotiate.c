// SPDX-License-Identifier: GPL-2.0-only
/*
 * Version 2: agreeing on the protocol version with a server.
 *
 * After a connection is established that may use version 2, the connect work
 * sends the opening Call, a NULL Call in version 2, because every server must
 * answer a Call: one with version 2 by a Reply, one without it by ERR_VERS. The
 * connect work sleeps until the answer, the end of the connection, or a time-out.
 * After an answer in version 2 it sends our properties in a CONNPROP, and waits a
 * moment for those of the server. A server may send them or not (rpcrdma-version-two-09
 * 5.3.4: "generally"); without them its defaults hold.
 *
 * No RPC is sent before all that: rpcrdma-version-two-09 7 (V2-NEG-25). So the
 * opening Call has the one credit of the new connection, and sunrpc does not
 * know of it. Answers arrive through the receive path like any message. The
 * core decides what they mean (rpcrdma/protocol/v2/negotiate.c). What was
 * learned about a server outlives the connection, in r_xprt->past.
 *
 * A mount that takes version 1 only settles on it in
 * xprtrdma_negotiate_begin().
 */
#include "../null_call.h"
#include "../xprtrdma.h"

/*
 * Time to wait for the properties of the server. A Receive that took our
 * CONNPROP is posted again by then, answered or not: its credit is free.
 */
#define XPRTRDMA_PROPS_WAIT	HZ

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
				 xprtrdma_own_xid(r_xprt));
	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		rpcrdma_conn_apply_version(conn);
}

/* Encode and post the message that is due; @send is consumed */
static int xprtrdma_negotiate_post(struct xprtrdma_xprt *r_xprt,
				   struct rpcrdma_conn *conn,
				   struct rpcrdma_send *send)
{
	u32 credits = xprtrdma_credits_asked(r_xprt, conn);
	struct rpcrdma_negotiation *neg = &conn->negotiation;
	struct rpcrdma_props own;
	struct rpcrdma_msg connprop;
	int len;

	if (neg->state == RPCRDMA_NEGOTIATE_ASKING) {
		len = xprtrdma_null_call_encode(&rpcrdma_codec_v2, neg->xid,
						credits, send->buf.data,
						RPCRDMA_V1_DEF_INLINE);
		rpcrdma_negotiate_opened(neg, true);
	} else {
		rpcrdma_conn_props(conn, &own);
		rpcrdma_negotiate_tell(neg, &connprop, &own, credits,
				       xprtrdma_own_xid(r_xprt));
		len = rpcrdma_codec_v2.encode(&connprop, send->buf.data,
					      RPCRDMA_V2_CONNPROP_MAX);
	}
	return xprtrdma_send_short(r_xprt, conn, send, len);
}

/* Returns 0 if an answer or the loss of the connection came in time */
static int xprtrdma_negotiate_send(struct xprtrdma_xprt *r_xprt,
				   unsigned long timeout)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	struct rpcrdma_send *send;
	int ret;

	if (!rpcrdma_conn_enter(conn))
		return -ENOTCONN;
	send = xprtrdma_send_get(r_xprt);
	ret = send ? xprtrdma_negotiate_post(r_xprt, conn, send) : -ENOMEM;
	rpcrdma_conn_leave(conn);
	if (ret)
		return ret;
	return wait_for_completion_timeout(&r_xprt->settled, timeout) ?
	       0 : -ETIMEDOUT;
}

/* Send our properties. The connection goes on with or without an answer */
static int xprtrdma_negotiate_tell(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	int ret;

	ret = xprtrdma_negotiate_send(r_xprt, XPRTRDMA_PROPS_WAIT);
	if (ret && ret != -ETIMEDOUT)
		return ret == -ENOMEM ? ret : -EAGAIN;
	rpcrdma_negotiate_told(&conn->negotiation);
	pr_info_ratelimited("xprtrdma: %pISpc: version %u, inline send %u, receive %u, reverse direction level %d\n",
			    &conn->peer, conn->negotiation.version,
			    conn->inline_send, conn->inline_recv,
			    conn->negotiation.peer.reverse);
	return 0;
}

/* The opening Call was not answered */
static int xprtrdma_negotiate_unanswered(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;

	/* The loss of a connection is logged by the core */
	if (rpcrdma_conn_state(conn) < RPCRDMA_S_CLOSING)
		pr_warn_ratelimited("xprtrdma: %pISpc: the server did not answer in version 2\n",
				    &conn->peer);
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_VERSION_TIMEOUTS);
	rpcrdma_conn_close(conn, RPCRDMA_CLOSE_TIMEOUT, -ETIMEDOUT);
	return -EAGAIN;
}

static int xprtrdma_negotiate(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	int ret;

	ret = xprtrdma_negotiate_send(r_xprt,
				      xprtrdma_tunable(XPRTRDMA_T_NEGOTIATE_TIMEOUT) * HZ);
	/* After a time-out an answer that is being processed is too late */
	if (ret == -ETIMEDOUT)
		return xprtrdma_negotiate_unanswered(r_xprt);
	if (ret) {
		rpcrdma_negotiate_opened(&conn->negotiation, false);
		return ret == -ENOMEM ? ret : xprtrdma_negotiate_unanswered(r_xprt);
	}
	switch (conn->negotiation.state) {
	case RPCRDMA_NEGOTIATE_SETTLED:
		return 0;
	case RPCRDMA_NEGOTIATE_TELLING:
		return xprtrdma_negotiate_tell(r_xprt);
	case RPCRDMA_NEGOTIATE_FAILED:
		pr_err_ratelimited("xprtrdma: %pISpc: no protocol version in common\n",
				   &conn->peer);
		return -EPROTONOSUPPORT;
	default:
		return xprtrdma_negotiate_unanswered(r_xprt);
	}
}

/**
 * xprtrdma_negotiate_wait - find out the version and exchange properties
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
	ktime_t start;
	int ret;

	if (conn->negotiation.state == RPCRDMA_NEGOTIATE_SETTLED)
		return 0;
	start = ktime_get();
	ret = xprtrdma_negotiate(r_xprt);
	WRITE_ONCE(conn->negotiate_us, ktime_us_delta(ktime_get(), start));
	return ret;
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
 * Context: holds xprtrdma_xprt.teardown_lock; the connection is drained.
 */
void xprtrdma_negotiate_end(struct xprtrdma_xprt *r_xprt)
{
	rpcrdma_negotiate_lost(&r_xprt->conn->negotiation, &r_xprt->past);
}

/* The version is known, and maybe the properties of the server */
static void xprtrdma_negotiate_known(struct xprtrdma_xprt *r_xprt,
				     struct rpcrdma_conn *conn)
{
	const struct rpcrdma_negotiation *neg = &conn->negotiation;

	rpcrdma_conn_apply_version(conn);
	if (neg->grant)
		xprtrdma_credits_granted(r_xprt, conn, neg->grant);
	if (!neg->fell_back)
		return;
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
	case RPCRDMA_NEGOTIATE_WAIT:
		rpcrdma_recv_repost(recv);
		return verdict;
	case RPCRDMA_NEGOTIATE_TELL:
	case RPCRDMA_NEGOTIATE_DONE:
	case RPCRDMA_NEGOTIATE_DONE_DELIVER:
		xprtrdma_negotiate_known(r_xprt, conn);
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
	if (msg->dir == RPCRDMA_DIR_REPLY) {
		xprtrdma_credits_granted(r_xprt, conn, msg->credits);
		xprtrdma_credits_wake(r_xprt);
	}
	return RPCRDMA_OK;
}

/**
 * xprtrdma_negotiate_outdated - an RDMA_ERROR answers a Call: is the version the cause?
 * @conn: connection, settled
 * @err: decoded error
 *
 * A server that answers Calls of version 1 with "version 2 only" was upgraded while the
 * client took it for a server of version 1. Then the connection is closed, and the Call
 * is sent again on the next one, in version 2.
 *
 * Context: receive path.
 * Return: true if the connection is closed and the Call does not end.
 */
bool xprtrdma_negotiate_outdated(struct rpcrdma_conn *conn,
				 const struct rpcrdma_msg *err)
{
	if (err->err != RPCRDMA_ERR_VERS ||
	    !rpcrdma_negotiate_outdated(&conn->negotiation, err))
		return false;
	pr_info_ratelimited("xprtrdma: %pISpc: the server has version 2 only: reconnecting\n",
			    &conn->peer);
	rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	return true;
}
