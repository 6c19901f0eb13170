/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages as on x86 */
#ifndef _USERSPACE_ASM_PAGE_H
#define _USERSPACE_ASM_PAGE_H

#define PAGE_SIZE	4096UL

#endif /* _USERSPACE_ASM_PAGE_H */
