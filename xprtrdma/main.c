// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module init and exit of the client transport. A transport holds a reference
 * to the module, so at exit no transport is left.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <rpcrdma/release.h>
#include "xprtrdma.h"

/* Writeback needs connections and MRs, so this queue must work without memory */
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
/* sunrpc requests "rpc" and the netid; "rpcrdma" is the core module */
MODULE_ALIAS("rpcrdma6");
