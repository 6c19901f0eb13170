/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings and memory */
#ifndef _USERSPACE_LINUX_STRING_H
#define _USERSPACE_LINUX_STRING_H

#include <string.h>
#include <linux/array_size.h>
#include <linux/limits.h>

/* Copies and always ends with NUL; nothing here needs the length */
static inline void strscpy(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = '\0';
}

#endif /* _USERSPACE_LINUX_STRING_H */
