// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA_ERROR: what a server gets instead of an answer to a reverse Call, or to
 * another message that asks for one and cannot be taken.
 */
#include "xprtrdma.h"

/**
 * xprtrdma_send_error - answer a message that cannot be taken
 * @sx: transport; sx->rx_msg is the message
 * @conn: its connection, entered
 * @reason: why
 *
 * If even that fails the connection goes, so that the server knows (V1-ERR-21).
 *
 * Context: receive path; the Receive of the message is posted again.
 */
void xprtrdma_send_error(struct xprtrdma_xprt *sx, struct rpcrdma_conn *conn,
			 enum rpcrdma_reason reason)
{
	struct xprtrdma_send *send;
	struct rpcrdma_msg error;
	int ret = -ENOMEM;

	rpcrdma_msg_refuse(&error, &sx->rx_msg,
			   rpcrdma_nego_versions(&conn->nego), reason);
	error.credits = sx->bc_slots;
	send = xprtrdma_send_get(sx, conn, GFP_NOWAIT | __GFP_NOWARN);
	if (send) {
		ret = rpcrdma_error_encode(&error, send->buf.data,
					   send->buf.size);
		ret = xprtrdma_send_short(sx, conn, send, ret);
	}
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_MEMORY, ret);
	else
		rpcrdma_count(&sx->end.stats, RPCRDMA_C_ERRORS_SENT);
}
