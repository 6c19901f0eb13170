/* SPDX-License-Identifier: GPL-2.0-only */
/* Big-endian words */
#ifndef _USERSPACE_ASM_BYTEORDER_H
#define _USERSPACE_ASM_BYTEORDER_H

#include_next <asm/byteorder.h>
#include <linux/types.h>

#define cpu_to_be32(value)	__cpu_to_be32(value)
#define be32_to_cpu(value)	__be32_to_cpu(value)

static inline u32 be32_to_cpup(const __be32 *p)
{
	return be32_to_cpu(*p);
}

#endif /* _USERSPACE_ASM_BYTEORDER_H */
