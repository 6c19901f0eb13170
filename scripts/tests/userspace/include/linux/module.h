/* SPDX-License-Identifier: GPL-2.0-only */
/* One program has no modules */
#ifndef _USERSPACE_LINUX_MODULE_H
#define _USERSPACE_LINUX_MODULE_H

#include <linux/export.h>

#define MODULE_DESCRIPTION(text)	extern int userspace_no_module
#define MODULE_LICENSE(text)		extern int userspace_no_module
#define MODULE_IMPORT_NS(name)		extern int userspace_no_module

#endif /* _USERSPACE_LINUX_MODULE_H */
