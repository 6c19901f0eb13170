/* SPDX-License-Identifier: GPL-2.0-only */
/* Division */
#ifndef _USERSPACE_LINUX_MATH_H
#define _USERSPACE_LINUX_MATH_H

#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))

#endif /* _USERSPACE_LINUX_MATH_H */
