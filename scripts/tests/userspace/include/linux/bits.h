/* SPDX-License-Identifier: GPL-2.0-only */
/* One bit */
#ifndef _USERSPACE_LINUX_BITS_H
#define _USERSPACE_LINUX_BITS_H

#define BITS_PER_LONG	((int)(8 * sizeof(long)))
#define BIT(n)		(1UL << (n))

#endif /* _USERSPACE_LINUX_BITS_H */
