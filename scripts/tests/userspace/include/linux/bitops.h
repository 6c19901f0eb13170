/* SPDX-License-Identifier: GPL-2.0-only */
/* Bits of a word */
#ifndef _USERSPACE_LINUX_BITOPS_H
#define _USERSPACE_LINUX_BITOPS_H

#include <linux/bits.h>

#define __ffs(word)	((unsigned long)__builtin_ctzl(word))
#define __fls(word)	((unsigned long)(BITS_PER_LONG - 1 - __builtin_clzl(word)))
#define hweight32(word)	((unsigned int)__builtin_popcount(word))

#endif /* _USERSPACE_LINUX_BITOPS_H */
