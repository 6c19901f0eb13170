/* SPDX-License-Identifier: GPL-2.0-only */
/* IP addresses as text: always the whole string, as with the delimiter '\0' */
#ifndef _USERSPACE_LINUX_INET_H
#define _USERSPACE_LINUX_INET_H

#include <arpa/inet.h>
#include <string.h>

static inline int userspace_pton(int family, const char *src, void *dst,
				 const char **end)
{
	if (end)
		*end = src + strlen(src);
	return inet_pton(family, src, dst) == 1;
}

#define in4_pton(src, srclen, dst, delim, end)	userspace_pton(AF_INET, src, dst, end)
#define in6_pton(src, srclen, dst, delim, end)	userspace_pton(AF_INET6, src, dst, end)

#endif /* _USERSPACE_LINUX_INET_H */
