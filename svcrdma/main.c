// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module entry: starts the parts of the server transport and stops them in
 * reverse order.
 *
 * sunrpc finds the listener class by the name "rdma" and asks for this module
 * by the name "svcrdma". Each listener and each connection holds a reference
 * on the module, and so does each reverse transport, so unloading begins only
 * when they are gone. What may still be running then is their last work item,
 * which the workqueue waits for.
 */
#include <linux/module.h>
#include <rpcrdma/release.h>
#include "svcrdma.h"

struct workqueue_struct *svcrdma_wq;

static int __init svcrdma_init(void)
{
	int ret;

	ret = svcrdma_conns_start();
	if (ret)
		return ret;
	ret = -ENOMEM;
	svcrdma_wq = alloc_workqueue("svcrdma", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!svcrdma_wq)
		goto out_ends;
	ret = svcrdma_recycle_start();
	if (ret)
		goto out_wq;
	ret = svcrdma_params_init();
	if (ret)
		goto out_sink;
	ret = svcrdma_reverse_init();
	if (ret)
		goto out_params;
	ret = svc_reg_xprt_class(&svcrdma_class);
	if (ret)
		goto out_reverse;
	return 0;

out_reverse:
	svcrdma_reverse_exit();
out_params:
	svcrdma_params_exit();
out_sink:
	svcrdma_recycle_stop();
out_wq:
	destroy_workqueue(svcrdma_wq);
out_ends:
	svcrdma_conns_stop();
	if (ret == -EEXIST)
		pr_err("svcrdma: another module already provides NFS/RDMA; unload it first (modprobe -r rpcrdma)\n");
	return ret;
}

static void __exit svcrdma_exit(void)
{
	svc_unreg_xprt_class(&svcrdma_class);
	svcrdma_reverse_exit();
	svcrdma_params_exit();
	/*
	 * Connections are freed by work items that are queued by now. Until then
	 * their timers may fire, for which the workqueue must be there.
	 */
	flush_workqueue(svcrdma_wq);
	/* Those gave pages until then */
	svcrdma_recycle_stop();
	destroy_workqueue(svcrdma_wq);
	svcrdma_conns_stop();
}

module_init(svcrdma_init);
module_exit(svcrdma_exit);

MODULE_DESCRIPTION("NFS/RDMA server transport");
MODULE_LICENSE("GPL");
MODULE_VERSION(RPCRDMA_RELEASE);
