// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module entry: starts the parts of the server transport, and stops them in reverse
 * order.
 *
 * sunrpc finds the transport class by the name "rdma", and loads this module by the name
 * "svcrdma". Each listener, transport and reverse transport holds a module reference.
 * So at unload none is left, but the last work item of a transport may still run.
 */
#include <linux/module.h>
#include <rpcrdma/release.h>
#include "page_recycle.h"
#include "params.h"
#include "reverse.h"
#include "svcrdma.h"

struct workqueue_struct *svcrdma_wq, *svcrdma_setup_wq, *svcrdma_free_wq;

/*
 * A device may take long to set up and to destroy a connection. So both have a workqueue of their
 * own: many of them delay no deadlines of live connections, and no connection that comes back
 * waits until all those are destroyed that went with it.
 */
static int svcrdma_wqs_create(void)
{
	const unsigned int flags = WQ_UNBOUND | WQ_MEM_RECLAIM;

	svcrdma_wq = alloc_workqueue("svcrdma", flags, 0);
	if (!svcrdma_wq)
		return -ENOMEM;
	svcrdma_setup_wq = alloc_workqueue("svcrdma_setup", flags, 0);
	if (!svcrdma_setup_wq)
		goto out_wq;
	svcrdma_free_wq = alloc_workqueue("svcrdma_free", flags, 0);
	if (!svcrdma_free_wq)
		goto out_setup_wq;
	return 0;

out_setup_wq:
	destroy_workqueue(svcrdma_setup_wq);
out_wq:
	destroy_workqueue(svcrdma_wq);
	return -ENOMEM;
}

static void svcrdma_wqs_destroy(void)
{
	destroy_workqueue(svcrdma_free_wq);
	destroy_workqueue(svcrdma_setup_wq);
	destroy_workqueue(svcrdma_wq);
}

static int __init svcrdma_init(void)
{
	int ret = rpcrdma_check_release("svcrdma", RPCRDMA_RELEASE);

	if (ret)
		return ret;
	svcrdma_read_budget_defaults();
	svcrdma_receives_default();
	ret = svcrdma_wqs_create();
	if (ret)
		return ret;
	ret = svcrdma_recycle_start();
	if (ret)
		goto out_wqs;
	ret = svcrdma_sysctl_init();
	if (ret)
		goto out_recycle;
	ret = svcrdma_reverse_init();
	if (ret)
		goto out_sysctl;
	ret = svc_reg_xprt_class(&svcrdma_class);
	if (ret)
		goto out_reverse;
	return 0;

out_reverse:
	svcrdma_reverse_exit();
out_sysctl:
	svcrdma_sysctl_exit();
out_recycle:
	svcrdma_recycle_stop();
out_wqs:
	svcrdma_wqs_destroy();
	if (ret == -EEXIST)
		pr_err("svcrdma: another module already provides NFS/RDMA; unload it first (modprobe -r rpcrdma)\n");
	return ret;
}

static void __exit svcrdma_exit(void)
{
	svc_unreg_xprt_class(&svcrdma_class);
	svcrdma_reverse_exit();
	svcrdma_sysctl_exit();
	/*
	 * The last set-up has returned but for its last instructions. All transports have
	 * queued the work item that frees them. Until it has run, other work items of theirs
	 * may still be queued on svcrdma_wq.
	 */
	flush_workqueue(svcrdma_setup_wq);
	flush_workqueue(svcrdma_free_wq);
	svcrdma_turns_exit();
	/* After the flush, since transports return pages when they are freed */
	svcrdma_recycle_stop();
	svcrdma_wqs_destroy();
}

module_init(svcrdma_init);
module_exit(svcrdma_exit);

MODULE_DESCRIPTION("NFS/RDMA server transport");
MODULE_LICENSE("GPL");
MODULE_VERSION(RPCRDMA_RELEASE);
