/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory. AddressSanitizer watches its ends, and finds what is not freed */
#ifndef _USERSPACE_LINUX_SLAB_H
#define _USERSPACE_LINUX_SLAB_H

#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#define GFP_KERNEL	0

#define kmalloc(size, flags)		malloc(size)
#define kzalloc(size, flags)		calloc(1, size)
#define kcalloc(n, size, flags)		calloc(n, size)
#define kfree(memory)			free(memory)

static inline void *kmemdup(const void *from, size_t len, int flags)
{
	void *to = malloc(len);

	return to ? memcpy(to, from, len) : NULL;
}

#endif /* _USERSPACE_LINUX_SLAB_H */
