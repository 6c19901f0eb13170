/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The address strings that sunrpc shows for a client transport (struct rpc_xprt).
 */
#ifndef _RPCRDMA_ADDRESS_H
#define _RPCRDMA_ADDRESS_H

struct rpc_xprt;

/* connection/address.c */
int rpcrdma_xprt_format_addresses(struct rpc_xprt *xprt);
int rpcrdma_xprt_format_port(struct rpc_xprt *xprt);
void rpcrdma_xprt_free_addresses(struct rpc_xprt *xprt);

#endif /* _RPCRDMA_ADDRESS_H */
