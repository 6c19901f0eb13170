/* SPDX-License-Identifier: GPL-2.0-only */
/* Error numbers; all that are needed are those of user space */
#ifndef _USERSPACE_LINUX_ERRNO_H
#define _USERSPACE_LINUX_ERRNO_H

#include_next <linux/errno.h>

#endif /* _USERSPACE_LINUX_ERRNO_H */
