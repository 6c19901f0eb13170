/* SPDX-License-Identifier: GPL-2.0-only */
/* Assertions when compiling; the message may be missing */
#ifndef _USERSPACE_LINUX_BUILD_BUG_H
#define _USERSPACE_LINUX_BUILD_BUG_H

#undef static_assert
#define static_assert(expr, ...)	_Static_assert(expr, "" __VA_ARGS__)

#endif /* _USERSPACE_LINUX_BUILD_BUG_H */
