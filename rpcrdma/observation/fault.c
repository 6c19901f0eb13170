// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fault points. Each has the attributes of the kernel's fault injection (probability,
 * interval, times and so on) in a directory below /sys/kernel/debug/rpcrdma_fail. All
 * are off until a probability is set.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/debugfs.h>
#include <linux/export.h>
#include <linux/fault-inject.h>
#include <rpcrdma/fault.h>

static struct fault_attr rpcrdma_faults[RPCRDMA_FAULT_COUNT] = {
	[0 ... RPCRDMA_FAULT_COUNT - 1] = FAULT_ATTR_INITIALIZER,
};

static const char * const rpcrdma_fault_names[] = {
	[RPCRDMA_FAULT_POST_SEND]	= "post_send",
	[RPCRDMA_FAULT_POST_RECV]	= "post_recv",
	[RPCRDMA_FAULT_REGISTER]	= "register",
	[RPCRDMA_FAULT_ALLOC]		= "alloc",
	[RPCRDMA_FAULT_CONNECT]		= "connect",
	[RPCRDMA_FAULT_COMPLETION]	= "completion",
};

static_assert(ARRAY_SIZE(rpcrdma_fault_names) == RPCRDMA_FAULT_COUNT,
	      "every fault point has a name");

static struct dentry *rpcrdma_fault_dir;

/**
 * rpcrdma_fault - should an operation fail now?
 * @point: the operation
 *
 * Context: any.
 * Return: true if the caller is to behave as if the operation had failed.
 */
bool rpcrdma_fault(enum rpcrdma_fault point)
{
	return should_fail(&rpcrdma_faults[point], 1);
}
EXPORT_SYMBOL_GPL(rpcrdma_fault);

/**
 * rpcrdma_fault_init - create the directories
 *
 * Context: module init.
 */
void rpcrdma_fault_init(void)
{
	unsigned int i;

	rpcrdma_fault_dir = debugfs_create_dir("rpcrdma_fail", NULL);
	for (i = 0; i < RPCRDMA_FAULT_COUNT; i++)
		fault_create_debugfs_attr(rpcrdma_fault_names[i],
					  rpcrdma_fault_dir,
					  &rpcrdma_faults[i]);
}

/**
 * rpcrdma_fault_exit - remove the directories
 *
 * Context: module exit.
 */
void rpcrdma_fault_exit(void)
{
	debugfs_remove(rpcrdma_fault_dir);
}
