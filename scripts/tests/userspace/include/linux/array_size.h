/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries of an array */
#ifndef _USERSPACE_LINUX_ARRAY_SIZE_H
#define _USERSPACE_LINUX_ARRAY_SIZE_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif /* _USERSPACE_LINUX_ARRAY_SIZE_H */
