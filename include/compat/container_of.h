/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container_of_const(), which kernels of 6.1.y before the middle of 2023 do not have.
 * What they lose is that the result is const if the argument is.
 */
#ifndef _COMPAT_CONTAINER_OF_H
#define _COMPAT_CONTAINER_OF_H

#include <linux/container_of.h>

#ifndef container_of_const
#define container_of_const	container_of
#endif

#endif /* _COMPAT_CONTAINER_OF_H */
