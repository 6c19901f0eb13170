/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages as on x86 */
#ifndef _USERSPACE_ASM_PAGE_H
#define _USERSPACE_ASM_PAGE_H

#define PAGE_SHIFT	12
#define PAGE_SIZE	(1UL << PAGE_SHIFT)

#endif /* _USERSPACE_ASM_PAGE_H */
