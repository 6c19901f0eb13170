/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which order a transport tries the paths that it knows.
 * Pure: no device, no lock.
 */
#ifndef _XPRTRDMA_PATH_ORDER_H
#define _XPRTRDMA_PATH_ORDER_H

#include <linux/types.h>

/* protocol/path_order.c */
int xprtrdma_path_order(unsigned int paths, bool own_last, unsigned int number,
			unsigned int nth);

#endif /* _XPRTRDMA_PATH_ORDER_H */
