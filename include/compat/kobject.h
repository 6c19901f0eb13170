/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Namespace operations of kobjects. An operation declares its kobject as
 * RPCRDMA_KOBJ_CONST, and never changes it. It returns a namespace as RPCRDMA_KOBJ_NS *.
 */
#ifndef _COMPAT_KOBJECT_H
#define _COMPAT_KOBJECT_H

#include <linux/kobject.h>
#include <net/net_namespace.h>
#include <compat/probed.h>

#ifdef RPCRDMA_KOBJ_TYPE_CONST
#define RPCRDMA_KOBJ_CONST	const
#else
#define RPCRDMA_KOBJ_CONST
#endif

#ifdef RPCRDMA_KOBJ_NS_COMMON
#define RPCRDMA_KOBJ_NS		const struct ns_common
#else
#define RPCRDMA_KOBJ_NS		const void
#endif

/* A network namespace, as operations return it */
static inline RPCRDMA_KOBJ_NS *rpcrdma_kobj_ns(const struct net *net)
{
#ifdef RPCRDMA_KOBJ_NS_COMMON
	return &net->ns;
#else
	return net;
#endif
}

#endif /* _COMPAT_KOBJECT_H */
