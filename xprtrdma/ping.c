// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keepalive of iWARP: a NULL Call.
 *
 * It has no RPC task. To the server it is a Call like any other, so it takes a credit
 * until its Reply comes (credits.c). What the Reply says does not matter, not even
 * whether the server has that version of NFS.
 */
#include "null_call.h"
#include "xprtrdma.h"

/**
 * xprtrdma_ping - conn_ops->ping: write a Call that the server must answer
 * @conn: connection, entered
 * @buf: where to write it; the caller sends it
 * @size: bytes
 *
 * Context: work item.
 * Return: bytes written; 0 if Calls that wait for their Reply do as well; -EAGAIN if
 * there is none, and no Call can be sent now.
 */
int xprtrdma_ping(struct rpcrdma_conn *conn, void *buf, size_t size)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;
	__be32 xid = xprtrdma_own_xid(r_xprt);
	int ret, len;

	if (conn->negotiation.state != RPCRDMA_NEGOTIATE_SETTLED)
		return -EAGAIN;
	len = xprtrdma_null_call_encode(conn->codec, xid,
					xprtrdma_credits_asked(r_xprt, conn),
					buf, size);
	if (len < 0)
		return -EAGAIN;
	ret = xprtrdma_credits_ping(r_xprt, xid);
	return ret > 0 ? len : ret;
}
