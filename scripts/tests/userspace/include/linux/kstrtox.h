/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as text */
#ifndef _USERSPACE_LINUX_KSTRTOX_H
#define _USERSPACE_LINUX_KSTRTOX_H

#include <ctype.h>
#include <stdlib.h>
#include <linux/errno.h>
#include <linux/types.h>

/* Takes no blank, and no sign but one plus */
static inline int kstrtou8(const char *text, unsigned int base, u8 *value)
{
	unsigned long number;
	char *end;

	text += *text == '+';
	if (!isxdigit((unsigned char)*text))
		return -EINVAL;
	number = strtoul(text, &end, base);
	if (*end == '\n')
		end++;
	if (*end)
		return -EINVAL;
	if (number > 255)
		return -ERANGE;
	*value = number;
	return 0;
}

#endif /* _USERSPACE_LINUX_KSTRTOX_H */
