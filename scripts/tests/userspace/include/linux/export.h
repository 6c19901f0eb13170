/* SPDX-License-Identifier: GPL-2.0-only */
/* One program needs no exports */
#ifndef _USERSPACE_LINUX_EXPORT_H
#define _USERSPACE_LINUX_EXPORT_H

#define EXPORT_SYMBOL_GPL(symbol)	extern int userspace_no_export

#endif /* _USERSPACE_LINUX_EXPORT_H */
