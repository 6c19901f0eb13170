// SPDX-License-Identifier: GPL-2.0-only
/* A list of transports, sp_sockets */
#include <linux/sunrpc/svc.h>

int probe(struct svc_pool *pool);

int probe(struct svc_pool *pool)
{
	return list_empty(&pool->sp_sockets);
}
