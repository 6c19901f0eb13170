// SPDX-License-Identifier: GPL-2.0-only
/* The creator of a transport can demand transport layer security */
#include <linux/sunrpc/xprt.h>

bool probe(const struct xprt_create *args);

bool probe(const struct xprt_create *args)
{
	return args->xprtsec.policy != RPC_XPRTSEC_NONE;
}
