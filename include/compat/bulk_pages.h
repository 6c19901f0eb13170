/* SPDX-License-Identifier: GPL-2.0-only */
/* alloc_pages_bulk_array() is the name of alloc_pages_bulk() on older kernels */
#ifndef _COMPAT_BULK_PAGES_H
#define _COMPAT_BULK_PAGES_H

#include <linux/gfp.h>
#include <compat/probed.h>

#ifdef RPCRDMA_BULK_PAGES_ARRAY
#define alloc_pages_bulk	alloc_pages_bulk_array
#endif

#endif /* _COMPAT_BULK_PAGES_H */
