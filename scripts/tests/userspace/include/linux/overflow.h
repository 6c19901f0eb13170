/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums that may not fit */
#ifndef _USERSPACE_LINUX_OVERFLOW_H
#define _USERSPACE_LINUX_OVERFLOW_H

#define check_add_overflow(a, b, sum)	__builtin_add_overflow(a, b, sum)

#endif /* _USERSPACE_LINUX_OVERFLOW_H */
