/* SPDX-License-Identifier: GPL-2.0-only */
/* What every file of a kernel knows: the compiler gets it with -include */
#ifndef _USERSPACE_LINUX_COMPILER_TYPES_H
#define _USERSPACE_LINUX_COMPILER_TYPES_H

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define fallthrough	__attribute__((__fallthrough__))
#define __packed	__attribute__((__packed__))

#endif /* _USERSPACE_LINUX_COMPILER_TYPES_H */
