/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the creator of a client transport can request.
 */
#ifndef _COMPAT_XPRT_CREATE_H
#define _COMPAT_XPRT_CREATE_H

#include <linux/sunrpc/xprt.h>
#include <compat/probed.h>

/**
 * rpcrdma_connect_timeout - how long connecting may take
 * @args: request of the creator
 *
 * Context: any.
 * Return: jiffies; 0 if there is no request.
 */
static inline unsigned long
rpcrdma_connect_timeout(const struct xprt_create *args)
{
#ifdef RPCRDMA_TIMEOUTS_ASKED
	return args->connect_timeout;
#else
	return 0;
#endif
}

/**
 * rpcrdma_reconnect_timeout - the longest time between two attempts to connect
 * @args: request of the creator
 *
 * Context: any.
 * Return: jiffies; 0 if there is no request.
 */
static inline unsigned long
rpcrdma_reconnect_timeout(const struct xprt_create *args)
{
#ifdef RPCRDMA_TIMEOUTS_ASKED
	return args->reconnect_timeout;
#else
	return 0;
#endif
}

/**
 * rpcrdma_demands_tls - does the creator demand transport layer security?
 * @args: request of the creator
 *
 * Context: any.
 * Return: true if a transport without it must not be made.
 */
static inline bool rpcrdma_demands_tls(const struct xprt_create *args)
{
#ifdef RPCRDMA_XPRTSEC_KNOWN
	return args->xprtsec.policy != RPC_XPRTSEC_NONE;
#else
	return false;
#endif
}

#endif /* _COMPAT_XPRT_CREATE_H */
