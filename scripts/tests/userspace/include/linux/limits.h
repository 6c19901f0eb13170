/* SPDX-License-Identifier: GPL-2.0-only */
/* The largest integers */
#ifndef _USERSPACE_LINUX_LIMITS_H
#define _USERSPACE_LINUX_LIMITS_H

#include_next <linux/limits.h>
#include <linux/types.h>

#ifndef INT_MAX
#define INT_MAX		__INT_MAX__
#endif
#define U8_MAX		((u8)~0U)
#define U16_MAX		((u16)~0U)
#define U32_MAX		((u32)~0U)
#define U64_MAX		((u64)~0ULL)

#endif /* _USERSPACE_LINUX_LIMITS_H */
