// SPDX-License-Identifier: GPL-2.0-only
/*
 * Servers that are dead. As many RPC clients as the parameter "count" says are created when
 * the module is loaded, each with a transport of its own to port 20049 of one IPv4 address,
 * and each with an RPC that waits until its server answers. The first address is the
 * parameter "first", in host byte order; the others follow. With the parameter "tls" the clients
 * demand transport layer security; 6.1 has none.
 *
 * Unloading ends the RPCs. Attempts to connect that are under way go on until they fail.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/in.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sunrpc/clnt.h>
#include <linux/sunrpc/xprtrdma.h>
#include <net/net_namespace.h>

#define DEAD_PORT	20049
#define DEAD_PROGRAM	100003	/* NFS */
#define DEAD_VERSION	3

static unsigned int first;
module_param(first, uint, 0444);
MODULE_PARM_DESC(first, "First IPv4 address, in host byte order");

static unsigned int count;
module_param(count, uint, 0444);
MODULE_PARM_DESC(count, "Number of servers");

#ifdef TEST_XPRTSEC
static bool tls;
module_param(tls, bool, 0444);
MODULE_PARM_DESC(tls, "Demand transport layer security");

static void dead_security(struct rpc_create_args *args)
{
	if (tls)
		args->xprtsec.policy = RPC_XPRTSEC_TLS_ANON;
}
#else
static void dead_security(struct rpc_create_args *args)
{
}
#endif

static const struct rpc_procinfo dead_procs[] = {
	{ .p_name = "NULL" },
};

static unsigned int dead_counts[ARRAY_SIZE(dead_procs)];

static const struct rpc_version dead_version = {
	.number	= DEAD_VERSION,
	.nrprocs = ARRAY_SIZE(dead_procs),
	.procs	= dead_procs,
	.counts	= dead_counts,
};

static const struct rpc_version *dead_versions[DEAD_VERSION + 1] = {
	[DEAD_VERSION] = &dead_version,
};

static struct rpc_stat dead_stats;

static const struct rpc_program dead_program = {
	.name		= "dead",
	.number		= DEAD_PROGRAM,
	.nrvers		= ARRAY_SIZE(dead_versions),
	.version	= dead_versions,
	.stats		= &dead_stats,
};

static struct rpc_clnt **dead_clients;

static struct rpc_clnt *dead_client(unsigned int number)
{
	const struct rpc_timeout timeout = {
		.to_initval	= 600 * HZ,
		.to_maxval	= 600 * HZ,
		.to_retries	= 1,
	};
	struct sockaddr_in addr = {
		.sin_family	 = AF_INET,
		.sin_port	 = htons(DEAD_PORT),
		.sin_addr.s_addr = htonl(first + number),
	};
	struct rpc_create_args args = {
		.net		= &init_net,
		.protocol	= XPRT_TRANSPORT_RDMA,
		.address	= (struct sockaddr *)&addr,
		.addrsize	= sizeof(addr),
		.timeout	= &timeout,
		.servername	= "dead",
		.program	= &dead_program,
		.version	= DEAD_VERSION,
		.authflavor	= RPC_AUTH_NULL,
		.flags		= RPC_CLNT_CREATE_NOPING,
		.cred		= current_cred(),
	};
	struct rpc_clnt *client;
	struct rpc_task *task;

	dead_security(&args);
	client = rpc_create(&args);
	if (IS_ERR(client))
		return client;
	task = rpc_call_null(client, NULL, RPC_TASK_ASYNC);
	if (IS_ERR(task)) {
		rpc_shutdown_client(client);
		return ERR_CAST(task);
	}
	rpc_put_task(task);
	return client;
}

static void dead_end(unsigned int made)
{
	while (made)
		rpc_shutdown_client(dead_clients[--made]);
	kfree(dead_clients);
}

static int __init dead_init(void)
{
	struct rpc_clnt *client;
	unsigned int made;

	dead_clients = kcalloc(count, sizeof(*dead_clients), GFP_KERNEL);
	if (!dead_clients)
		return -ENOMEM;
	for (made = 0; made < count; made++) {
		client = dead_client(made);
		if (IS_ERR(client)) {
			dead_end(made);
			return PTR_ERR(client);
		}
		dead_clients[made] = client;
	}
	return 0;
}

static void __exit dead_exit(void)
{
	dead_end(count);
}

module_init(dead_init);
module_exit(dead_exit);

MODULE_DESCRIPTION("Test aid: servers that do not answer");
MODULE_LICENSE("GPL");
