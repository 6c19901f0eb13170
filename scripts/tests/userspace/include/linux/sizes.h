/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes with names */
#ifndef _USERSPACE_LINUX_SIZES_H
#define _USERSPACE_LINUX_SIZES_H

#define SZ_1K	0x400
#define SZ_4K	0x1000
#define SZ_8K	0x2000
#define SZ_64K	0x10000
#define SZ_1M	0x100000
#define SZ_2M	0x200000
#define SZ_4M	0x400000
#define SZ_16M	0x1000000

#endif /* _USERSPACE_LINUX_SIZES_H */
