// SPDX-License-Identifier: GPL-2.0-only
/*
 * The address strings that sunrpc shows for a client transport: of a mount, and of
 * the backchannel of a server's connection.
 */
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include <linux/sunrpc/clnt.h>
#include <linux/sunrpc/xprt.h>
#include <rpcrdma/address.h>

/* Those that are allocated; the others are constants */
static const unsigned int rpcrdma_allocated_strings[] = {
	RPC_DISPLAY_ADDR,
	RPC_DISPLAY_PORT,
	RPC_DISPLAY_HEX_ADDR,
	RPC_DISPLAY_HEX_PORT,
};

static void rpcrdma_xprt_free_string(struct rpc_xprt *xprt, unsigned int which)
{
	kfree(xprt->address_strings[which]);
	xprt->address_strings[which] = NULL;
}

/**
 * rpcrdma_xprt_free_addresses - free the address strings of a transport
 * @xprt: transport whose strings are not read any more. Strings that were never
 *	made are NULL
 *
 * May be called more than once.
 *
 * Context: any.
 */
void rpcrdma_xprt_free_addresses(struct rpc_xprt *xprt)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rpcrdma_allocated_strings); i++)
		rpcrdma_xprt_free_string(xprt, rpcrdma_allocated_strings[i]);
}
EXPORT_SYMBOL_GPL(rpcrdma_xprt_free_addresses);

/**
 * rpcrdma_xprt_format_port - make the two strings of the port again
 * @xprt: transport; @xprt->addr has the port
 *
 * The old strings, if there are any, are freed.
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM: then at least one string is NULL, which sunrpc shows as
 * "(null)".
 */
int rpcrdma_xprt_format_port(struct rpc_xprt *xprt)
{
	unsigned short port = rpc_get_port((struct sockaddr *)&xprt->addr);
	const char **strings = xprt->address_strings;

	rpcrdma_xprt_free_string(xprt, RPC_DISPLAY_PORT);
	rpcrdma_xprt_free_string(xprt, RPC_DISPLAY_HEX_PORT);
	strings[RPC_DISPLAY_PORT] = kasprintf(GFP_KERNEL, "%u", port);
	strings[RPC_DISPLAY_HEX_PORT] = kasprintf(GFP_KERNEL, "%4hx", port);
	if (!strings[RPC_DISPLAY_PORT] || !strings[RPC_DISPLAY_HEX_PORT])
		return -ENOMEM;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_xprt_format_port);

static char *rpcrdma_hex_address(const struct sockaddr *sap)
{
	const struct sockaddr_in6 *sin6 = (const struct sockaddr_in6 *)sap;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)sap;

	if (sap->sa_family == AF_INET6)
		return kasprintf(GFP_KERNEL, "%pi6", &sin6->sin6_addr);
	return kasprintf(GFP_KERNEL, "%08x", ntohl(sin->sin_addr.s_addr));
}

/**
 * rpcrdma_xprt_format_addresses - make the address strings of a new transport
 * @xprt: transport; @xprt->addr is set
 *
 * The netids are "rdma" and "rdma6" (RFC 8166 9 (V1-BIND-05)).
 *
 * Context: may sleep.
 * Return: 0; -EAFNOSUPPORT if the address is neither IPv4 nor IPv6; -ENOMEM. In
 * any case the caller calls rpcrdma_xprt_free_addresses() in the end.
 */
int rpcrdma_xprt_format_addresses(struct rpc_xprt *xprt)
{
	const struct sockaddr *sap = (const struct sockaddr *)&xprt->addr;
	char text[INET6_ADDRSTRLEN + IPV6_SCOPE_ID_LEN];
	const char **strings = xprt->address_strings;

	if (sap->sa_family == AF_INET)
		strings[RPC_DISPLAY_NETID] = RPCBIND_NETID_RDMA;
	else if (sap->sa_family == AF_INET6)
		strings[RPC_DISPLAY_NETID] = RPCBIND_NETID_RDMA6;
	else
		return -EAFNOSUPPORT;
	strings[RPC_DISPLAY_PROTO] = "rdma";

	rpc_ntop(sap, text, sizeof(text));
	strings[RPC_DISPLAY_ADDR] = kstrdup(text, GFP_KERNEL);
	strings[RPC_DISPLAY_HEX_ADDR] = rpcrdma_hex_address(sap);
	if (!strings[RPC_DISPLAY_ADDR] || !strings[RPC_DISPLAY_HEX_ADDR])
		return -ENOMEM;
	return rpcrdma_xprt_format_port(xprt);
}
EXPORT_SYMBOL_GPL(rpcrdma_xprt_format_addresses);
