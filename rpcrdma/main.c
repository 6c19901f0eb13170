// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module rpcrdma: the core, which client (xprtrdma) and server (svcrdma) share.
 *
 * For a mount sunrpc loads the module "rpcrdma" (the string "rpc" and the netid). The
 * soft dependency then loads the client.
 */
#include <linux/module.h>
#include <linux/string.h>
#include <rpcrdma/fault.h>
#include <rpcrdma/release.h>
#include "core.h"

/**
 * rpcrdma_check_release - check that a side is of the same release as the core
 * @side: name of its module, for the kernel log
 * @release: its RPCRDMA_RELEASE
 *
 * After an upgrade in place, the core that is in use is the old one, and a side that is loaded
 * then is the new one. They share structures, and not all kernels compare those of modules
 * (CONFIG_MODVERSIONS).
 *
 * Context: process. A side calls it before it uses anything else of the core.
 * Return: 0, or -EINVAL after a line in the kernel log.
 */
int rpcrdma_check_release(const char *side, const char *release)
{
	if (!strcmp(release, RPCRDMA_RELEASE))
		return 0;
	pr_err("%s: version %s does not fit version %s of rpcrdma, which is in use; rpcrdmactl doctor tells how to change over\n",
	       side, release, RPCRDMA_RELEASE);
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(rpcrdma_check_release);

static int __init rpcrdma_init(void)
{
	int ret = rpcrdma_conn_init();

	if (ret)
		return ret;
	ret = rpcrdma_endpoints_start();
	if (ret) {
		rpcrdma_conn_exit();
		return ret;
	}
	rpcrdma_debugfs_init();
	rpcrdma_fault_init();
	return 0;
}

static void __exit rpcrdma_exit(void)
{
	rpcrdma_fault_exit();
	rpcrdma_debugfs_exit();
	rpcrdma_endpoints_stop();
	rpcrdma_conn_exit();
	rpcrdma_gpu_exit();
	rpcrdma_mappings_check();
}

module_init(rpcrdma_init);
module_exit(rpcrdma_exit);

MODULE_DESCRIPTION("RPC-over-RDMA core");
MODULE_LICENSE("GPL");
MODULE_VERSION(RPCRDMA_RELEASE);
MODULE_SOFTDEP("post: xprtrdma");
#ifdef RPCRDMA_RDMA_HEADERS
MODULE_INFO(rdma_headers, RPCRDMA_RDMA_HEADERS);
#endif
