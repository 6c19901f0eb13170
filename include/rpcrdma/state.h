/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The states of a connection and the legal moves between them. Pure: the
 * connection itself (conn.h) asks here before it moves.
 */
#ifndef _RPCRDMA_STATE_H
#define _RPCRDMA_STATE_H

#include <linux/types.h>

enum rpcrdma_state {
	RPCRDMA_S_NEW,			/* nothing but a cm_id */
	RPCRDMA_S_RESOLVING,		/* address and route under way; client */
	RPCRDMA_S_RESOLVED,		/* device known, no QP yet */
	RPCRDMA_S_CONNECTING,		/* CM exchange under way */
	RPCRDMA_S_ESTABLISHED,		/* messages flow */
	RPCRDMA_S_CLOSING,		/* the one way down; nothing new is posted */
	RPCRDMA_S_CLOSED,		/* drained; no completion can come any more */
	RPCRDMA_S_COUNT,
};

/* state.c */
bool rpcrdma_state_may_move(enum rpcrdma_state from, enum rpcrdma_state to);
const char *rpcrdma_state_name(enum rpcrdma_state state);

#endif /* _RPCRDMA_STATE_H */
