// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entry of the client transport module: starts its parts in order, and unwinds
 * them in the reverse one. Transports hold a reference to the module, so when
 * it is unloaded, none is left.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <rpcrdma/release.h>
#include "xprtrdma.h"

/* Connecting and making MRs are part of writeback: a rescuer must be there */
struct workqueue_struct *xprtrdma_wq;

static int __init xprtrdma_init(void)
{
	int ret;

	xprtrdma_wq = alloc_workqueue("xprtrdma", WQ_UNBOUND | WQ_MEM_RECLAIM,
				      0);
	if (!xprtrdma_wq)
		return -ENOMEM;
	ret = xprtrdma_sysctl_register();
	if (ret)
		goto out_wq;
	ret = xprtrdma_ops_register();
	if (ret)
		goto out_sysctl;
	return 0;

out_sysctl:
	xprtrdma_sysctl_unregister();
out_wq:
	destroy_workqueue(xprtrdma_wq);
	return ret;
}

static void __exit xprtrdma_exit(void)
{
	xprtrdma_ops_unregister();
	xprtrdma_sysctl_unregister();
	destroy_workqueue(xprtrdma_wq);
}

module_init(xprtrdma_init);
module_exit(xprtrdma_exit);

MODULE_DESCRIPTION("RPC-over-RDMA client transport");
MODULE_LICENSE("GPL");
MODULE_VERSION(RPCRDMA_RELEASE);
/* sunrpc asks for "rpc" and the netid; rpcrdma itself is the core's name */
MODULE_ALIAS("rpcrdma6");
