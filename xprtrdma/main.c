// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module init and exit of the client transport. A transport holds a reference
 * to the module, so at exit no transport is left.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <rpcrdma/release.h>
#include "xprtrdma.h"

/* Writeback needs connections and MRs, so the first three queues must work without memory */
struct workqueue_struct *xprtrdma_wq;

/*
 * For connecting alone: an attempt sleeps for as long as a dead server keeps it, and must
 * hold up neither work that needs no server, nor, as long as there are fewer of them than
 * a workqueue can run at once, attempts to reach other servers.
 */
struct workqueue_struct *xprtrdma_connect_wq;

/*
 * For taking connections down alone: a device may take long to drain a queue pair, and must not
 * hold up the MRs of other connections.
 */
struct workqueue_struct *xprtrdma_lost_wq;

/* Runs path probes. Not WQ_MEM_RECLAIM: no I/O waits for a path probe */
struct workqueue_struct *xprtrdma_probe_wq;

static void xprtrdma_wqs_destroy(void)
{
	if (xprtrdma_probe_wq)
		destroy_workqueue(xprtrdma_probe_wq);
	if (xprtrdma_lost_wq)
		destroy_workqueue(xprtrdma_lost_wq);
	if (xprtrdma_connect_wq)
		destroy_workqueue(xprtrdma_connect_wq);
	if (xprtrdma_wq)
		destroy_workqueue(xprtrdma_wq);
}

static int __init xprtrdma_init(void)
{
	int ret = rpcrdma_check_release("xprtrdma", RPCRDMA_RELEASE);

	if (ret)
		return ret;
	ret = -ENOMEM;
	xprtrdma_wq = alloc_workqueue("xprtrdma", WQ_UNBOUND | WQ_MEM_RECLAIM,
				      0);
	xprtrdma_connect_wq = alloc_workqueue("xprtrdma_connect",
					      WQ_UNBOUND | WQ_MEM_RECLAIM,
					      WQ_MAX_ACTIVE);
	xprtrdma_lost_wq = alloc_workqueue("xprtrdma_lost", WQ_UNBOUND | WQ_MEM_RECLAIM,
					   WQ_MAX_ACTIVE);
	xprtrdma_probe_wq = alloc_workqueue("xprtrdma_probe", WQ_UNBOUND, 0);
	if (!xprtrdma_wq || !xprtrdma_connect_wq || !xprtrdma_lost_wq || !xprtrdma_probe_wq)
		goto out_wq;
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
	xprtrdma_wqs_destroy();
	return ret;
}

static void __exit xprtrdma_exit(void)
{
	xprtrdma_ops_unregister();
	xprtrdma_sysctl_unregister();
	xprtrdma_wqs_destroy();
}

module_init(xprtrdma_init);
module_exit(xprtrdma_exit);

MODULE_DESCRIPTION("RPC-over-RDMA client transport");
MODULE_LICENSE("GPL");
MODULE_VERSION(RPCRDMA_RELEASE);
/* sunrpc requests "rpc" and the netid; "rpcrdma" is the core module */
MODULE_ALIAS("rpcrdma6");
