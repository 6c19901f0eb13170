/* SPDX-License-Identifier: GPL-2.0-only */
/* Nothing runs in parallel here */
#ifndef _USERSPACE_ASM_BARRIER_H
#define _USERSPACE_ASM_BARRIER_H

#include <linux/compiler.h>

#define smp_store_release(p, value)	(*(p) = (value))
#define smp_load_acquire(p)		(*(p))

#endif /* _USERSPACE_ASM_BARRIER_H */
