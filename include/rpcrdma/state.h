/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The states of a connection and the legal moves between them. conn_state.c makes the
 * moves. Pure: no device, no lock.
 */
#ifndef _RPCRDMA_STATE_H
#define _RPCRDMA_STATE_H

#include <linux/types.h>

enum rpcrdma_state {
	RPCRDMA_S_NEW,			/* allocated; the device is not known */
	RPCRDMA_S_RESOLVING,		/* address and route under way; client */
	RPCRDMA_S_RESOLVED,		/* device known, no QP yet */
	RPCRDMA_S_CONNECTING,		/* CM exchange under way */
	RPCRDMA_S_ESTABLISHED,		/* messages flow */
	RPCRDMA_S_CLOSING,		/* nothing new is posted */
	RPCRDMA_S_CLOSED,		/* drained: all completions have come */
	RPCRDMA_S_COUNT,
};

/* protocol/state.c */
bool rpcrdma_state_may_move(enum rpcrdma_state from, enum rpcrdma_state to);
const char *rpcrdma_state_name(enum rpcrdma_state state);

#endif /* _RPCRDMA_STATE_H */
