// SPDX-License-Identifier: GPL-2.0-only
/* sunrpc knows which connections have presented a valid file handle */
#include <linux/sunrpc/svc_xprt.h>

void probe(struct svc_xprt *xprt);

void probe(struct svc_xprt *xprt)
{
	if (!test_bit(XPT_PEER_VALID, &xprt->xpt_flags))
		svc_xprt_set_valid(xprt);
}
