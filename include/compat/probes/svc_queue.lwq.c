// SPDX-License-Identifier: GPL-2.0-only
/* A queue of transports without a lock, sp_xprts */
#include <linux/sunrpc/svc.h>

int probe(struct svc_pool *pool);

int probe(struct svc_pool *pool)
{
	return lwq_empty(&pool->sp_xprts);
}
