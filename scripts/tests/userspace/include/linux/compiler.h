/* SPDX-License-Identifier: GPL-2.0-only */
/* Nothing runs in parallel here, so an access is an access */
#ifndef _USERSPACE_LINUX_COMPILER_H
#define _USERSPACE_LINUX_COMPILER_H

#define READ_ONCE(x)		(x)
#define WRITE_ONCE(x, value)	((x) = (value))

#endif /* _USERSPACE_LINUX_COMPILER_H */
