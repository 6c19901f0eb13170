/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a connection closes. The connection itself is in conn.h. Pure: no device, no
 * lock.
 */
#ifndef _RPCRDMA_CLOSE_H
#define _RPCRDMA_CLOSE_H

#include <linux/types.h>

/* Why a connection closed; the cause of the first rpcrdma_conn_close() is kept */
enum rpcrdma_close_cause {
	RPCRDMA_CLOSE_NONE,
	RPCRDMA_CLOSE_LOCAL,		/* the owner asked for it */
	RPCRDMA_CLOSE_PEER,		/* peer disconnected */
	RPCRDMA_CLOSE_UNREACHABLE,	/* address, route or peer not reached */
	RPCRDMA_CLOSE_REJECTED,		/* peer has refused the connection */
	RPCRDMA_CLOSE_TIMEOUT,		/* no answer in time */
	RPCRDMA_CLOSE_DEVICE_GONE,	/* device removed */
	RPCRDMA_CLOSE_ADDR_CHANGE,	/* local address moved */
	RPCRDMA_CLOSE_QP_ERROR,		/* QP in the error state; nothing says why */
	RPCRDMA_CLOSE_COMPLETION,	/* a work request failed */
	RPCRDMA_CLOSE_POST,		/* a work request could not be posted */
	RPCRDMA_CLOSE_INVALIDATE,	/* an MR could not be invalidated */
	RPCRDMA_CLOSE_PROTOCOL,		/* peer broke the protocol so that it cannot go on */
	RPCRDMA_CLOSE_SILENT,		/* a keepalive was not answered in time */
	RPCRDMA_CLOSE_NO_ANSWER,	/* a Call, or a refused message, cannot be answered */
	RPCRDMA_CLOSE_SETUP,		/* PD, CQ, QP, buffers, or memory for the CM */
	RPCRDMA_CLOSE_ADMIN,		/* the administrator asked for it */
	RPCRDMA_CLOSE_PORT_DOWN,	/* not even tried; see rxe_port_down.c */
	RPCRDMA_CLOSE_DROPPED,	/* nfsd has dropped a Call */
	RPCRDMA_CLOSE_TRANSFER,		/* RDMA Reads or Writes make no progress */
	RPCRDMA_CLOSE_CREDITS,		/* abandoned Calls have all credits */
	RPCRDMA_CLOSE_GPU,		/* the provider of GPU memory leaves */
	RPCRDMA_CLOSE_COUNT,
};

/* protocol/close.c */
const char *rpcrdma_close_cause_text(enum rpcrdma_close_cause cause);
enum rpcrdma_close_cause rpcrdma_close_wc_cause(bool flushed, bool iwarp,
						enum rpcrdma_close_cause cause,
						int *error);
bool rpcrdma_close_blames_path(enum rpcrdma_close_cause cause);

#endif /* _RPCRDMA_CLOSE_H */
