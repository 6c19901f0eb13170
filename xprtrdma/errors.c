// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA_ERROR from the client: the response to a reverse Call, or to any other
 * message with the sense of a Call, that the client cannot accept.
 */
#include "xprtrdma.h"

/**
 * xprtrdma_send_error - send an error in response to a message
 * @r_xprt: transport; r_xprt->rx_msg is the message
 * @conn: its connection, entered
 * @reason: why the message was refused
 *
 * If the error cannot be sent, the connection is closed, so that the server
 * does not wait: RFC 8166 4.5.4 (V1-ERR-21).
 *
 * Context: receive path; the Receive of the message is posted again.
 */
void xprtrdma_send_error(struct xprtrdma_xprt *r_xprt,
			 struct rpcrdma_conn *conn, enum rpcrdma_reason reason)
{
	struct rpcrdma_send *send;
	struct rpcrdma_msg error;
	int ret = -ENOMEM;

	rpcrdma_msg_refuse(&error, &r_xprt->rx_msg,
			   rpcrdma_negotiate_versions(&conn->negotiation),
			   reason);
	/* This answers a reverse Call, so it grants reverse credits */
	error.credits = r_xprt->reverse_slots;
	send = xprtrdma_send_get(r_xprt);
	if (send) {
		ret = rpcrdma_error_encode(&error, send->buf.data,
					   send->buf.size);
		ret = xprtrdma_send_short(r_xprt, conn, send, ret);
	}
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_ANSWER, ret);
	else
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_ERRORS_SENT);
}
