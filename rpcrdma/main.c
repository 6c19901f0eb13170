// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module rpcrdma: the core, which client (xprtrdma) and server (svcrdma) share.
 *
 * For a mount sunrpc loads the module "rpcrdma" (the string "rpc" and the netid). The
 * soft dependency then loads the client.
 */
#include <linux/module.h>
#include <rpcrdma/fault.h>
#include <rpcrdma/release.h>
#include "core.h"

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
