/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What bounce memory makes of the layout of a Reply, for tests of plans.
 */
#ifndef _KUNIT_PLAN_BOUNCE_H
#define _KUNIT_PLAN_BOUNCE_H

#include <asm/page.h>
#include "../xprtrdma/protocol/plan.h"

/* @bounce: of xprtrdma_layout_bounce() */
static inline void xprtrdma_test_bounce(struct xprtrdma_layout *layout,
					unsigned int bounce)
{
	if (bounce & XPRTRDMA_BOUNCE_HEAD)
		layout->head.offset = (PAGE_SIZE + layout->pages.offset -
				       layout->head.length) % PAGE_SIZE;
	if (bounce & XPRTRDMA_BOUNCE_HEAD && layout->pages.offset)
		xprtrdma_layout_join_first_page(layout);
	if (bounce & XPRTRDMA_BOUNCE_TAIL)
		layout->tail.offset = 0;
}

#endif /* _KUNIT_PLAN_BOUNCE_H */
