/* SPDX-License-Identifier: GPL-2.0-only */
/* With KUnit: what tests use is visible */
#ifndef _USERSPACE_KUNIT_VISIBILITY_H
#define _USERSPACE_KUNIT_VISIBILITY_H

#define VISIBLE_IF_KUNIT
#define EXPORT_SYMBOL_IF_KUNIT(symbol)	extern int userspace_no_export

#endif /* _USERSPACE_KUNIT_VISIBILITY_H */
