// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of DMA mappings that exist. A mapping may be undone on another CPU than it
 * was made on, so only the sum over all CPUs says something.
 */
#include <rpcrdma/mapping.h>
#include "../core.h"

DEFINE_PER_CPU(long, rpcrdma_mappings);
EXPORT_PER_CPU_SYMBOL_GPL(rpcrdma_mappings);

/**
 * rpcrdma_mappings_check - report mappings that were left, or undone twice
 *
 * Context: module exit; no connection is left.
 */
void rpcrdma_mappings_check(void)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(rpcrdma_mappings, cpu);
	WARN(sum, "rpcrdma: %ld more DMA mappings were made than undone\n", sum);
}
