// SPDX-License-Identifier: GPL-2.0-only
/*
 * In which order a transport tries the paths that it knows.
 * Pure: no device, no lock.
 */
#include <kunit/visibility.h>
#include <linux/errno.h>
#include <linux/export.h>
#include "path_order.h"

/**
 * xprtrdma_path_order - the path to try next
 * @paths: number of paths, at least 1; path 0 is the own one, the rest are those of others
 * @own_last: the own path is the last one to try, not the first
 * @number: of the transport: transports whose own path has failed begin with different
 *	paths, so that one does not get all of them
 * @nth: number of paths that were tried before
 *
 * Context: any.
 * Return: a path, each of them once; -ENOENT if all were tried.
 */
int xprtrdma_path_order(unsigned int paths, bool own_last, unsigned int number,
			unsigned int nth)
{
	unsigned int others = paths - 1;

	if (nth >= paths)
		return -ENOENT;
	if (own_last ? nth == others : !nth)
		return 0;
	if (!own_last)
		nth--;
	return 1 + (number % others + nth) % others;
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_path_order);
