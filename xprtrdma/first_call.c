// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first Call of a connection that replaces one with unanswered Calls: a NULL Call
 * of the transport itself.
 *
 * Before the first Reply on a connection, one Call may be on the wire: RFC 8166 3.3.3
 * (V1-CRED-12). sunrpc sends the unanswered Calls again first. If the server still works
 * on the first of them, such as with a disk that hangs, that Call takes the only credit,
 * and all other Calls of the mount wait for it. A NULL Call is answered at once, and its
 * Reply brings the grant. So if a Call was unanswered for half a second when its
 * connection was lost, the connect work sends a NULL Call, and waits for the Reply before
 * any other Call is sent.
 *
 * In version 2 the opening Call brings a grant (v2/negotiate.c).
 */
#include "null_call.h"
#include "xprtrdma.h"

/* Least time to wait for the Reply; each attempt in vain doubles it */
#define XPRTRDMA_FIRST_CALL_WAIT	(2UL * HZ)
#define XPRTRDMA_FIRST_CALL_DOUBLED	5U

static unsigned long xprtrdma_first_call_timeout(const struct xprtrdma_xprt *r_xprt)
{
	unsigned int doubled = min(r_xprt->first_call.unanswered,
				   XPRTRDMA_FIRST_CALL_DOUBLED);

	return min(XPRTRDMA_FIRST_CALL_WAIT << doubled,
		   READ_ONCE(r_xprt->xprt.connect_timeout));
}

static int xprtrdma_first_call_send(struct xprtrdma_xprt *r_xprt,
				    struct rpcrdma_conn *conn)
{
	struct rpcrdma_send *send;
	int len;

	send = xprtrdma_send_get(r_xprt);
	if (!send)
		return -ENOMEM;
	len = xprtrdma_null_call_encode(conn->codec, r_xprt->first_call.xid,
					xprtrdma_credits_asked(r_xprt, conn),
					send->buf.data, conn->inline_send);
	if (len < 0) {
		rpcrdma_send_put(send);
		return len;
	}
	return xprtrdma_send_short(r_xprt, conn, send, len);
}

/**
 * xprtrdma_first_call - send a NULL Call if one is due, and wait for its Reply
 * @r_xprt: transport with a new connection whose version is settled
 *
 * Context: connect work; sleeps, at most for the time-out of connecting.
 * Return: 0; -EAGAIN if there was no Reply in time, or another negative errno. Then the
 * connection is of no use.
 */
int xprtrdma_first_call(struct xprtrdma_xprt *r_xprt)
{
	struct rpcrdma_conn *conn = r_xprt->conn;
	int ret = -ENOTCONN;

	if (!r_xprt->first_call.due || conn->codec->properties)
		return 0;
	r_xprt->first_call.xid = xprtrdma_own_xid(r_xprt);
	reinit_completion(&r_xprt->settled);
	/* Pairs with xprtrdma_first_call_replied() */
	smp_store_release(&r_xprt->first_call.waiting, true);

	if (rpcrdma_conn_enter(conn)) {
		ret = xprtrdma_first_call_send(r_xprt, conn);
		rpcrdma_conn_leave(conn);
	}
	if (!ret &&
	    !wait_for_completion_timeout(&r_xprt->settled,
					 xprtrdma_first_call_timeout(r_xprt))) {
		r_xprt->first_call.unanswered++;
		ret = -EAGAIN;
	}
	WRITE_ONCE(r_xprt->first_call.waiting, false);
	if (!ret && rpcrdma_conn_state(conn) >= RPCRDMA_S_CLOSING)
		ret = -ENOTCONN;
	if (!ret) {
		r_xprt->first_call.due = false;
		r_xprt->first_call.unanswered = 0;
	}
	return ret;
}

/**
 * xprtrdma_first_call_replied - is this the Reply to the NULL Call?
 * @r_xprt: transport
 * @conn: connection on which a Reply has come that no RPC waits for
 *
 * Whatever the Reply says, the server has answered, and its grant counts.
 *
 * Context: receive path.
 * Return: true if so.
 */
bool xprtrdma_first_call_replied(struct xprtrdma_xprt *r_xprt,
				 struct rpcrdma_conn *conn)
{
	/* Pairs with xprtrdma_first_call() */
	if (!smp_load_acquire(&r_xprt->first_call.waiting) ||
	    r_xprt->rx_msg.xid != r_xprt->first_call.xid)
		return false;
	xprtrdma_credits_granted(r_xprt, conn, r_xprt->rx_msg.credits);
	complete(&r_xprt->settled);
	return true;
}
