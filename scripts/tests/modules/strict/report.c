// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports and counts.
 *
 * A report is a line "strict: REPORT: rule: text", and for the first few of each rule a
 * warning of the kernel with the stack of who broke it. The file rpcrdma_strict/counts in
 * debugfs has a line "rule checks reports" for each rule, and a line "name count" for what is
 * only counted. A run with no checks has shown nothing.
 */
#include <linux/bug.h>
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/stacktrace.h>
#include "report.h"

/* Reports of a rule with a stack, and all that are printed */
#define STRICT_STACKS	3
#define STRICT_LINES	20

/* Callers that are looked at to find who it was */
#define STRICT_DEPTH	16

static const char * const rule_names[STRICT_RULES] = {
	[STRICT_DMA_ADDRESS]		= "dma-address",
	[STRICT_DMA_BOUNDS]		= "dma-bounds",
	[STRICT_DMA_DIRECTION]		= "dma-direction",
	[STRICT_DMA_UNMAP]		= "dma-unmap",
	[STRICT_DMA_UNMAP_POSTED]	= "dma-unmap-posted",
	[STRICT_DMA_UNMAP_MR]		= "dma-unmap-mr",
	[STRICT_DMA_SYNC]		= "dma-sync",
	[STRICT_DMA_SYNC_POSTED]	= "dma-sync-posted",
	[STRICT_DMA_LEAK]		= "dma-leak",
	[STRICT_DMA_TWICE]		= "dma-twice",
	[STRICT_SEND_UNSYNCED]		= "send-unsynced",
	[STRICT_SEND_CHANGED]		= "send-changed",
	[STRICT_SEND_GIVEN]		= "send-given",
	[STRICT_RECV_UNSYNCED]		= "recv-unsynced",
	[STRICT_RECV_NOT_GIVEN]		= "recv-not-given",
	[STRICT_CPU_WROTE]		= "cpu-wrote",
	[STRICT_KEY]			= "key",
	[STRICT_MR_STATE]		= "mr-state",
	[STRICT_MR_LIVE]		= "mr-live",
	[STRICT_MR_TWICE]		= "mr-twice",
	[STRICT_MR_PD]			= "mr-pd",
	[STRICT_MR_RIGHTS]		= "mr-rights",
	[STRICT_MR_BOUNDS]		= "mr-bounds",
	[STRICT_MR_FREED]		= "mr-freed",
	[STRICT_SGES]			= "sges",
	[STRICT_SQ_OVERFLOW]		= "sq-overflow",
	[STRICT_RQ_OVERFLOW]		= "rq-overflow",
	[STRICT_CQ_OVERFLOW]		= "cq-overflow",
	[STRICT_COMPLETION]		= "completion",
	[STRICT_DRAIN]			= "drain",
	[STRICT_QP_FREED]		= "qp-freed",
};

static const char * const count_names[STRICT_COUNTS] = {
	[STRICT_N_DEVICES]		= "devices",
	[STRICT_N_QPS]			= "qps",
	[STRICT_N_MRS]			= "mrs",
	[STRICT_N_MAPPINGS]		= "mappings",
	[STRICT_N_MAPPED]		= "mapped",
	[STRICT_N_MERGED]		= "merged",
	[STRICT_N_BOUNCED]		= "bounced",
	[STRICT_N_NOT_BOUNCED]		= "not_bounced",
	[STRICT_N_SENDS]		= "send_wrs",
	[STRICT_N_RECVS]		= "recv_wrs",
	[STRICT_N_REGISTRATIONS]	= "registrations",
	[STRICT_N_INVALIDATIONS]	= "invalidations",
	[STRICT_N_REMOTE_INVALIDATIONS]	= "remote_invalidations",
	[STRICT_N_REMOTE_DEAD]		= "remote_key_dead",
	[STRICT_N_UNKNOWN_KEYS]		= "unknown_keys",
	[STRICT_N_COMPLETIONS]		= "completions",
	[STRICT_N_HELD]			= "completions_held",
	[STRICT_N_CM_EVENTS_HELD]	= "cm_events_held",
	[STRICT_N_EARLY_RECVS]		= "recvs_before_established",
	[STRICT_N_EARLY_FLUSHES]	= "flushed_before_disconnected",
	[STRICT_N_MADE_UP]		= "flushes_made_up",
	[STRICT_N_USER_MEMORY]		= "not_compared",
	[STRICT_N_NO_MEMORY]		= "no_memory",
};

static atomic64_t checks[STRICT_RULES], reports[STRICT_RULES], counts[STRICT_COUNTS];
static struct dentry *strict_dir;

/**
 * strict_checked - a rule is checked
 * @rule: rule
 *
 * Context: any.
 */
void strict_checked(enum strict_rule rule)
{
	atomic64_inc(&checks[rule]);
}

/**
 * strict_count_add - count
 * @count: what
 * @n: how many; negative for fewer
 *
 * Context: any.
 */
void strict_count_add(enum strict_count count, long n)
{
	atomic64_add(n, &counts[count]);
}

/**
 * strict_count - count one
 * @count: what
 *
 * Context: any.
 */
void strict_count(enum strict_count count)
{
	strict_count_add(count, 1);
}

/**
 * strict_callers - find out who has called the layer
 * @callers: result, the innermost first; 0 where there is none
 * @n: entries of @callers
 *
 * The kernel's function in between, as dma_map_page_attrs(), is left out.
 *
 * Context: any.
 */
void strict_callers(unsigned long *callers, unsigned int n)
{
	unsigned long stack[STRICT_DEPTH];
	unsigned int i = 0, all = stack_trace_save(stack, ARRAY_SIZE(stack), 0);

	while (i < all && !within_module(stack[i], THIS_MODULE))
		i++;
	while (i < all && within_module(stack[i], THIS_MODULE))
		i++;
	for (i++; n; n--, i++)
		*callers++ = i < all ? stack[i] : 0;
}

static const void *strict_caller(void)
{
	unsigned long caller;

	strict_callers(&caller, 1);
	return (void *)caller;
}

/**
 * strict_report - a rule is broken
 * @rule: rule
 * @caller: code that broke it; NULL: the caller of the kernel's function that called the
 *	layer
 * @fmt: what is wrong; no newline
 *
 * Context: any.
 */
void strict_report(enum strict_rule rule, const void *caller, const char *fmt, ...)
{
	s64 n = atomic64_inc_return(&reports[rule]);
	struct va_format text;
	va_list args;

	if (n > STRICT_LINES)
		return;
	va_start(args, fmt);
	text.fmt = fmt;
	text.va = &args;
	pr_err("strict: REPORT: %s: %pV, by %pS\n", rule_names[rule], &text,
	       caller ?: strict_caller());
	va_end(args);
	WARN(n <= STRICT_STACKS, "strict: REPORT: %s\n", rule_names[rule]);
}

static int counts_show(struct seq_file *m, void *unused)
{
	unsigned int i;

	for (i = 0; i < STRICT_RULES; i++)
		seq_printf(m, "%s %lld %lld\n", rule_names[i], atomic64_read(&checks[i]),
			   atomic64_read(&reports[i]));
	for (i = 0; i < STRICT_COUNTS; i++)
		seq_printf(m, "%s %lld\n", count_names[i], atomic64_read(&counts[i]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

/**
 * strict_report_init - make the file of counts
 *
 * Context: may sleep.
 */
void strict_report_init(void)
{
	strict_dir = debugfs_create_dir("rpcrdma_strict", NULL);
	debugfs_create_file("counts", 0400, strict_dir, NULL, &counts_fops);
}

/**
 * strict_report_exit - remove the file of counts
 *
 * Context: may sleep.
 */
void strict_report_exit(void)
{
	debugfs_remove(strict_dir);
}
