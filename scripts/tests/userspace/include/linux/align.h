/* SPDX-License-Identifier: GPL-2.0-only */
/* Multiples of a power of two */
#ifndef _USERSPACE_LINUX_ALIGN_H
#define _USERSPACE_LINUX_ALIGN_H

#define ALIGN(x, a) \
	(((x) + ((typeof(x))(a) - 1)) & ~((typeof(x))(a) - 1))
#define IS_ALIGNED(x, a)	(!((x) & ((typeof(x))(a) - 1)))

#endif /* _USERSPACE_LINUX_ALIGN_H */
