/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the unit tests of the negotiation share.
 */
#ifndef _KUNIT_NEGOTIATE_KUNIT_H
#define _KUNIT_NEGOTIATE_KUNIT_H

#include <rpcrdma/v2/negotiate.h>
#include "support.h"

#define RPCRDMA_NEGOTIATE_XID	0x2b0000f0
#define RPCRDMA_NEGOTIATE_XID_2	0x2b0000f1

static const struct rpcrdma_props rpcrdma_negotiate_own = {
	.recv_size	= 8192,
	.reverse	= RPCRDMA_BRS_INLINE,
};

/* A client that has sent its opening Call, if it sends one */
static inline void
rpcrdma_negotiate_test_client(struct rpcrdma_negotiation *neg,
			      const struct rpcrdma_negotiate_past *past,
			      unsigned long versions)
{
	rpcrdma_negotiate_client(neg, past, versions,
				 cpu_to_be32(RPCRDMA_NEGOTIATE_XID));
	if (neg->state == RPCRDMA_NEGOTIATE_ASKING)
		rpcrdma_negotiate_opened(neg, true);
}

#endif /* _KUNIT_NEGOTIATE_KUNIT_H */
