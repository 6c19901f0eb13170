// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sysctls of the in-tree module, under /proc/sys/sunrpc/svc_rdma, and those of this
 * module that show what its memory does.
 *
 * Those that correspond to a module parameter set the same variable.
 *
 * The rdma_stat_* files show counters since the module was loaded. As in the in-tree
 * module, a write to a file resets it. Two of them have no counter in this module. They
 * exist, and stay 0, for scripts that read all files.
 */
#include <rpcrdma/param.h>
#include "page_recycle.h"
#include "params.h"
#include "svcrdma.h"

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

static u64 svcrdma_sysctl_read_kib(void)
{
	return svcrdma_read_budget_used() >> 10;
}

static u64 svcrdma_sysctl_receive_kib(void)
{
	return svcrdma_receives_used() >> 10;
}

static u64 svcrdma_sysctl_read_pages(void)
{
	u64 reused;

	return svcrdma_recycle_counts(&reused);
}

static u64 svcrdma_sysctl_recycled(void)
{
	u64 reused;

	svcrdma_recycle_counts(&reused);
	return reused;
}

/* Its data is a function that returns what is shown */
static int svcrdma_sysctl_show(RPCRDMA_CTL_CONST struct ctl_table *table,
			       int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	u64 (*show)(void) = table->data;
	unsigned long value = show();
	struct ctl_table copy = *table;

	copy.data = &value;
	return proc_doulongvec_minmax(&copy, write, buffer, lenp, ppos);
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

#define SVCRDMA_SHOW_SYSCTL(name, show) {		\
	.procname	= name,				\
	.data		= show,				\
	.maxlen		= sizeof(unsigned long),	\
	.mode		= 0444,				\
	.proc_handler	= svcrdma_sysctl_show,		\
}

static struct ctl_table svcrdma_sysctls[] = {
	SVCRDMA_SYSCTL("max_requests", svcrdma_credits_param),
	SVCRDMA_SYSCTL("max_req_size", svcrdma_inline_param),
	SVCRDMA_SYSCTL("max_outbound_read_requests", svcrdma_reads_out_param),
	SVCRDMA_STAT_SYSCTL("rdma_stat_read", svcrdma_stat_read),
	SVCRDMA_STAT_SYSCTL("rdma_stat_recv", svcrdma_stat_recv),
	SVCRDMA_STAT_SYSCTL("rdma_stat_write", svcrdma_stat_write),
	SVCRDMA_STAT_SYSCTL("rdma_stat_sq_starve", svcrdma_stat_sq_starve),
	SVCRDMA_STAT_SYSCTL("rdma_stat_rq_starve", svcrdma_stat_rq_starve),
	SVCRDMA_STAT_SYSCTL("rdma_stat_rq_poll", svcrdma_stat_unused),
	SVCRDMA_STAT_SYSCTL("rdma_stat_rq_prod", svcrdma_stat_rq_prod),
	SVCRDMA_STAT_SYSCTL("rdma_stat_sq_poll", svcrdma_stat_unused),
	SVCRDMA_STAT_SYSCTL("rdma_stat_sq_prod", svcrdma_stat_sq_prod),
	SVCRDMA_SHOW_SYSCTL("read_memory_used", svcrdma_sysctl_read_kib),
	SVCRDMA_SHOW_SYSCTL("receive_memory_used", svcrdma_sysctl_receive_kib),
	SVCRDMA_SHOW_SYSCTL("read_pages", svcrdma_sysctl_read_pages),
	SVCRDMA_SHOW_SYSCTL("read_pages_recycled", svcrdma_sysctl_recycled),
	RPCRDMA_CTL_TABLE_END
};

static struct ctl_table_header *svcrdma_sysctl_header;

/**
 * svcrdma_sysctl_init - register the sysctls
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_sysctl_init(void)
{
	svcrdma_sysctl_header = register_sysctl("sunrpc/svc_rdma",
						svcrdma_sysctls);
	return svcrdma_sysctl_header ? 0 : -ENOMEM;
}

/**
 * svcrdma_sysctl_exit - undo svcrdma_sysctl_init()
 *
 * Context: module exit.
 */
void svcrdma_sysctl_exit(void)
{
	unregister_sysctl_table(svcrdma_sysctl_header);
}
