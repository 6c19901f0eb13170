// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters, and the sysctls of the in-tree module under
 * /proc/sys/sunrpc/svc_rdma.
 *
 * A sysctl that corresponds to a module parameter sets the same variable. A new value
 * holds for new connections; that of svcrdma.pullup holds at once.
 *
 * The rdma_stat_* files show counters since the module was loaded. As in the in-tree
 * module, a write to a file resets it. Two of them have no counter in this module. They
 * exist, and stay 0, for scripts that read all files.
 */
#include <linux/moduleparam.h>
#include <rpcrdma/param.h>
#include "svcrdma.h"

static struct rpcrdma_param svcrdma_credits = {
	.value = 64, .min = 4, .max = 16384, .unit = 1,
};

static struct rpcrdma_param svcrdma_bc_credits = {
	.value = 8, .min = 1, .max = 128, .unit = 1,
};

static struct rpcrdma_param svcrdma_inline = {
	.value = 8192, .min = 1024, .max = 65536,
	.unit = RPCRDMA_CMP_SIZE_UNIT,
};

static struct rpcrdma_param svcrdma_reads_out = {
	.value = 16, .min = 1, .max = 255, .unit = 1,
};

static struct rpcrdma_param svcrdma_pullup = {
	.value = 8192, .min = 0, .max = 65536, .unit = 1,
};

module_param_cb(max_requests, &rpcrdma_param_ops, &svcrdma_credits, 0644);
MODULE_PARM_DESC(max_requests, "Credits granted to a client: Calls it may have under way, for new connections (4..16384, default 64)");
module_param_cb(max_bc_requests, &rpcrdma_param_ops, &svcrdma_bc_credits, 0644);
MODULE_PARM_DESC(max_bc_requests, "Callbacks under way to a client, for new connections (1..128, default 8)");
module_param_cb(max_inline_size, &rpcrdma_param_ops, &svcrdma_inline, 0644);
MODULE_PARM_DESC(max_inline_size, "Largest message without chunks, each way, for new connections, bytes (1024..65536 in steps of 1024, default 8192)");
module_param_cb(max_outbound_reads, &rpcrdma_param_ops, &svcrdma_reads_out,
		0644);
MODULE_PARM_DESC(max_outbound_reads, "RDMA Reads under way on a connection, for new connections (1..255, default 16)");
module_param_cb(pullup, &rpcrdma_param_ops, &svcrdma_pullup, 0644);
MODULE_PARM_DESC(pullup, "Inline replies up to this size are copied, larger ones sent from their pages, at once, bytes (0..65536, default 8192)");

/* Protocol versions that new connections accept */
static unsigned long svcrdma_versions = RPCRDMA_VERSIONS_BOTH;

module_param_cb(versions, &rpcrdma_versions_ops, &svcrdma_versions, 0644);
MODULE_PARM_DESC(versions, "Protocol versions to take, for new connections (1, 2 or both, default both)");

/**
 * svcrdma_param_versions - get the protocol versions to accept
 *
 * Return: a set of versions.
 */
unsigned long svcrdma_param_versions(void)
{
	return READ_ONCE(svcrdma_versions);
}

/**
 * svcrdma_param_credits - get the most forward credits to grant
 *
 * Return: credits.
 */
unsigned int svcrdma_param_credits(void)
{
	return rpcrdma_param_value(&svcrdma_credits);
}

/**
 * svcrdma_param_bc_credits - get the reverse credits to ask for
 *
 * Return: credits.
 */
unsigned int svcrdma_param_bc_credits(void)
{
	return rpcrdma_param_value(&svcrdma_bc_credits);
}

/**
 * svcrdma_param_inline - get the inline threshold
 *
 * Return: bytes, a multiple of 1024.
 */
unsigned int svcrdma_param_inline(void)
{
	return rpcrdma_param_value(&svcrdma_inline);
}

/**
 * svcrdma_param_reads_out - get the most RDMA Reads in progress on a connection
 *
 * Return: Reads.
 */
unsigned int svcrdma_param_reads_out(void)
{
	return rpcrdma_param_value(&svcrdma_reads_out);
}

/**
 * svcrdma_param_pullup - get the largest inline payload that is copied
 *
 * Return: bytes.
 */
unsigned int svcrdma_param_pullup(void)
{
	return rpcrdma_param_value(&svcrdma_pullup);
}

/*
 * struct svcrdma_stat - the value of a rdma_stat_* file: the sum of counters
 * @which:   counters
 * @n:	     number of entries in @which
 * @refused: reason whose refusals count too, or RPCRDMA_OK
 * @base:    the sum when the file was last reset
 */
struct svcrdma_stat {
	enum rpcrdma_counter	which[2];
	unsigned int		n;
	enum rpcrdma_reason	refused;
	u64			base;
};

static struct svcrdma_stat svcrdma_stat_read = {
	.which = { RPCRDMA_C_READ_CHUNKS }, .n = 1,
};

static struct svcrdma_stat svcrdma_stat_recv = {
	.which = { RPCRDMA_C_RECVS }, .n = 1,
};

static struct svcrdma_stat svcrdma_stat_write = {
	.which = { RPCRDMA_C_WRITE_CHUNKS, RPCRDMA_C_REPLY_CHUNKS }, .n = 2,
};

static struct svcrdma_stat svcrdma_stat_sq_starve = {
	.which = { RPCRDMA_C_SENDQ_WAITS }, .n = 1,
};

static struct svcrdma_stat svcrdma_stat_rq_prod = {
	.which = { RPCRDMA_C_RECVS }, .n = 1,
};

static struct svcrdma_stat svcrdma_stat_sq_prod = {
	.which = { RPCRDMA_C_COMPLETIONS }, .n = 1,
};

/* Calls beyond the grant: there may be no Receive for them */
static struct svcrdma_stat svcrdma_stat_rq_starve = {
	.refused = RPCRDMA_R_CREDITS,
};

static struct svcrdma_stat svcrdma_stat_unused;

static u64 svcrdma_stat_sum(const struct svcrdma_stat *stat)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < stat->n; i++)
		sum += svcrdma_count_all(stat->which[i]);
	if (stat->refused != RPCRDMA_OK)
		sum += svcrdma_refused_all(stat->refused);
	return sum;
}

static int svcrdma_sysctl_stat(RPCRDMA_CTL_CONST struct ctl_table *table,
			       int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	struct svcrdma_stat *stat = table->data;
	struct ctl_table copy = *table;
	unsigned long value;
	u64 sum;

	if (write && stat == &svcrdma_stat_unused) {
		pr_err("svcrdma: %s stays 0: the kernel polls completion queues, and does not count that\n",
		       table->procname);
		return -EINVAL;
	}
	sum = svcrdma_stat_sum(stat);
	if (write) {
		WRITE_ONCE(stat->base, sum);
		*ppos += *lenp;
		return 0;
	}
	value = sum - READ_ONCE(stat->base);
	copy.data = &value;
	copy.maxlen = sizeof(value);
	return proc_doulongvec_minmax(&copy, 0, buffer, lenp, ppos);
}

#define SVCRDMA_SYSCTL(name, param) \
	RPCRDMA_PARAM_SYSCTL(name, &(param))

#define SVCRDMA_STAT_SYSCTL(name, stat) {		\
	.procname	= name,				\
	.data		= &(stat),			\
	.maxlen		= sizeof(unsigned int),		\
	.mode		= 0644,				\
	.proc_handler	= svcrdma_sysctl_stat,		\
}

static struct ctl_table svcrdma_sysctls[] = {
	SVCRDMA_SYSCTL("max_requests", svcrdma_credits),
	SVCRDMA_SYSCTL("max_req_size", svcrdma_inline),
	SVCRDMA_SYSCTL("max_outbound_read_requests", svcrdma_reads_out),
	SVCRDMA_STAT_SYSCTL("rdma_stat_read", svcrdma_stat_read),
	SVCRDMA_STAT_SYSCTL("rdma_stat_recv", svcrdma_stat_recv),
	SVCRDMA_STAT_SYSCTL("rdma_stat_write", svcrdma_stat_write),
	SVCRDMA_STAT_SYSCTL("rdma_stat_sq_starve", svcrdma_stat_sq_starve),
	SVCRDMA_STAT_SYSCTL("rdma_stat_rq_starve", svcrdma_stat_rq_starve),
	SVCRDMA_STAT_SYSCTL("rdma_stat_rq_poll", svcrdma_stat_unused),
	SVCRDMA_STAT_SYSCTL("rdma_stat_rq_prod", svcrdma_stat_rq_prod),
	SVCRDMA_STAT_SYSCTL("rdma_stat_sq_poll", svcrdma_stat_unused),
	SVCRDMA_STAT_SYSCTL("rdma_stat_sq_prod", svcrdma_stat_sq_prod),
	RPCRDMA_CTL_TABLE_END
};

static struct ctl_table_header *svcrdma_sysctl_header;

/**
 * svcrdma_params_init - register the sysctls
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_params_init(void)
{
	svcrdma_sysctl_header = register_sysctl("sunrpc/svc_rdma",
						svcrdma_sysctls);
	return svcrdma_sysctl_header ? 0 : -ENOMEM;
}

/**
 * svcrdma_params_exit - undo svcrdma_params_init()
 *
 * Context: module exit.
 */
void svcrdma_params_exit(void)
{
	unregister_sysctl_table(svcrdma_sysctl_header);
}
