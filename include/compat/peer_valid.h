/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connections whose client has not presented a valid file handle yet. Where sunrpc
 * tells them apart, it closes the oldest of them when there are too many. Older kernels
 * do not.
 *
 * Model: scripts/tests/models/peer_valid.pml
 */
#ifndef _COMPAT_PEER_VALID_H
#define _COMPAT_PEER_VALID_H

#include <linux/sunrpc/svc_xprt.h>
#include <compat/probed.h>

/*
 * @to belongs to the same client as @from, and continues its work. If it has got XPT_DEAD
 * already, sunrpc subtracts it from its count of the others by itself.
 */
static inline void rpcrdma_svc_inherit_valid(struct svc_xprt *to,
					     const struct svc_xprt *from)
{
#ifdef RPCRDMA_PEER_VALID_KNOWN
	if (test_bit(XPT_PEER_VALID, &from->xpt_flags) &&
	    !test_bit(XPT_DEAD, &to->xpt_flags))
		svc_xprt_set_valid(to);
#endif
}

#endif /* _COMPAT_PEER_VALID_H */
