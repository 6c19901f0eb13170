/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fault points: places where a test can make an operation fail, with the kernel's
 * fault injection framework. A kernel without it compiles them to nothing.
 */
#ifndef _RPCRDMA_FAULT_H
#define _RPCRDMA_FAULT_H

#include <linux/types.h>
#include <rdma/ib_verbs.h>

enum rpcrdma_fault {
	RPCRDMA_FAULT_POST_SEND,
	RPCRDMA_FAULT_POST_RECV,
	RPCRDMA_FAULT_REGISTER,
	RPCRDMA_FAULT_ALLOC,
	RPCRDMA_FAULT_CONNECT,
	RPCRDMA_FAULT_COMPLETION,
	RPCRDMA_FAULT_COUNT,
};

#ifdef CONFIG_FAULT_INJECTION_DEBUG_FS
/* observation/fault.c */
bool rpcrdma_fault(enum rpcrdma_fault point);
void rpcrdma_fault_init(void);
void rpcrdma_fault_exit(void);
#else
static inline bool rpcrdma_fault(enum rpcrdma_fault point)
{
	return false;
}

static inline void rpcrdma_fault_init(void)
{
}

static inline void rpcrdma_fault_exit(void)
{
}
#endif

/**
 * rpcrdma_fault_wc - make a completion look like a failed one, if a test wants that
 * @wc: completion that a handler has got
 *
 * Context: completion handler.
 */
static inline void rpcrdma_fault_wc(struct ib_wc *wc)
{
	if (wc->status == IB_WC_SUCCESS &&
	    rpcrdma_fault(RPCRDMA_FAULT_COMPLETION))
		wc->status = IB_WC_GENERAL_ERR;
}

#endif /* _RPCRDMA_FAULT_H */
