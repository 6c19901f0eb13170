/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a connection closes. Pure: the connection itself is in conn.h.
 */
#ifndef _RPCRDMA_CLOSE_H
#define _RPCRDMA_CLOSE_H

#include <linux/types.h>

/* Why a connection went down; the first cause is the one that is kept */
enum rpcrdma_close_cause {
	RPCRDMA_CLOSE_NONE,
	RPCRDMA_CLOSE_LOCAL,		/* the owner asked for it */
	RPCRDMA_CLOSE_PEER,		/* peer disconnected */
	RPCRDMA_CLOSE_UNREACHABLE,	/* address, route or peer not reached */
	RPCRDMA_CLOSE_REJECTED,		/* peer said no */
	RPCRDMA_CLOSE_TIMEOUT,		/* no answer in time */
	RPCRDMA_CLOSE_DEVICE_GONE,	/* device removed */
	RPCRDMA_CLOSE_ADDR_CHANGE,	/* local address moved */
	RPCRDMA_CLOSE_QP_ERROR,		/* asynchronous QP error */
	RPCRDMA_CLOSE_COMPLETION,	/* a work request failed */
	RPCRDMA_CLOSE_POST,		/* a work request could not be posted */
	RPCRDMA_CLOSE_INVALIDATE,	/* memory could not be fenced */
	RPCRDMA_CLOSE_PROTOCOL,		/* peer broke a rule that costs the connection */
	RPCRDMA_CLOSE_SILENT,		/* a keepalive has got no answer */
	RPCRDMA_CLOSE_NO_MEMORY,	/* neither reply nor error could be built */
	RPCRDMA_CLOSE_SETUP,		/* its parts could not be made */
	RPCRDMA_CLOSE_ADMIN,		/* the administrator asked for it */
	RPCRDMA_CLOSE_PORT_DOWN,	/* not begun; see deferred_destroy.c */
	RPCRDMA_CLOSE_UNANSWERED,	/* nfsd has dropped a Call */
	RPCRDMA_CLOSE_COUNT,
};

/* protocol/close.c */
enum rpcrdma_close_cause rpcrdma_close_wc_cause(bool flushed,
						enum rpcrdma_close_cause cause,
						int *error);

#endif /* _RPCRDMA_CLOSE_H */
