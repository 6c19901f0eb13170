// SPDX-License-Identifier: GPL-2.0-only
/* A mount cannot ask for timeouts of its transport: flags is the last member */
#include <linux/sunrpc/xprt.h>

static_assert(sizeof(struct xprt_create) -
	      offsetofend(struct xprt_create, flags) < sizeof(long));
