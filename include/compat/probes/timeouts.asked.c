// SPDX-License-Identifier: GPL-2.0-only
/* A mount can ask for timeouts of its transport */
#include <linux/sunrpc/xprt.h>

unsigned long probe(const struct xprt_create *args);

unsigned long probe(const struct xprt_create *args)
{
	return args->connect_timeout + args->reconnect_timeout;
}
