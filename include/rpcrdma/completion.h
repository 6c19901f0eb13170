/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Busy polling of the CQ of a connection, by a task that waits for a message.
 */
#ifndef _RPCRDMA_COMPLETION_H
#define _RPCRDMA_COMPLETION_H

#include <linux/types.h>

struct rpcrdma_conn;

/* connection/completion.c */
bool rpcrdma_busy_poll_wanted(const struct rpcrdma_conn *conn);
void rpcrdma_busy_poll(struct rpcrdma_conn *conn, bool (*found)(const void *waiter),
		       const void *waiter);

#endif /* _RPCRDMA_COMPLETION_H */
