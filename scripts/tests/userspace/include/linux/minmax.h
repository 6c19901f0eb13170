/* SPDX-License-Identifier: GPL-2.0-only */
/* The smaller and the larger of two values, each evaluated once */
#ifndef _USERSPACE_LINUX_MINMAX_H
#define _USERSPACE_LINUX_MINMAX_H

#include <linux/limits.h>

#define USERSPACE_CHOOSE(type_a, a, op, type_b, b) ({	\
	type_a _a = (a);				\
	type_b _b = (b);				\
	_a op _b ? _a : _b;				\
})

#define min(a, b)	USERSPACE_CHOOSE(typeof(a), a, <, typeof(b), b)
#define max(a, b)	USERSPACE_CHOOSE(typeof(a), a, >, typeof(b), b)
#define min_t(t, a, b)	USERSPACE_CHOOSE(t, a, <, t, b)
#define max_t(t, a, b)	USERSPACE_CHOOSE(t, a, >, t, b)
#define min3(a, b, c)	min(a, min(b, c))
#define clamp_t(t, value, low, high)	min_t(t, max_t(t, value, low), high)

#define swap(a, b) do {		\
	typeof(a) _swap = (a);	\
	(a) = (b);		\
	(b) = _swap;		\
} while (0)

#endif /* _USERSPACE_LINUX_MINMAX_H */
