// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order of paths: each once, the own one first or last, and others begin with
 * different ones.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include "../xprtrdma/protocol/path_order.h"

static void xprtrdma_path_order_is(struct kunit *test, unsigned int paths,
				   bool own_last, unsigned int number,
				   const int *order)
{
	unsigned int i;

	for (i = 0; i < paths; i++)
		KUNIT_EXPECT_EQ(test, order[i],
				xprtrdma_path_order(paths, own_last, number, i));
	KUNIT_EXPECT_EQ(test, -ENOENT,
			xprtrdma_path_order(paths, own_last, number, paths));
	KUNIT_EXPECT_EQ(test, -ENOENT,
			xprtrdma_path_order(paths, own_last, number, U32_MAX));
}

static void xprtrdma_path_order_own(struct kunit *test)
{
	xprtrdma_path_order_is(test, 1, false, 7, (int[]){ 0 });
	xprtrdma_path_order_is(test, 1, true, 7, (int[]){ 0 });
	xprtrdma_path_order_is(test, 2, false, 7, (int[]){ 0, 1 });
	xprtrdma_path_order_is(test, 2, true, 7, (int[]){ 1, 0 });
}

static void xprtrdma_path_order_others(struct kunit *test)
{
	xprtrdma_path_order_is(test, 4, false, 3, (int[]){ 0, 1, 2, 3 });
	xprtrdma_path_order_is(test, 4, false, 4, (int[]){ 0, 2, 3, 1 });
	xprtrdma_path_order_is(test, 4, true, 5, (int[]){ 3, 1, 2, 0 });
	xprtrdma_path_order_is(test, 4, true, 6, (int[]){ 1, 2, 3, 0 });
	/* Its remainder is 0 */
	xprtrdma_path_order_is(test, 4, true, U32_MAX, (int[]){ 1, 2, 3, 0 });
}

static struct kunit_case xprtrdma_path_order_cases[] = {
	KUNIT_CASE(xprtrdma_path_order_own),
	KUNIT_CASE(xprtrdma_path_order_others),
	{}
};

static struct kunit_suite xprtrdma_path_order_suite = {
	.name		= "xprtrdma_path_order",
	.test_cases	= xprtrdma_path_order_cases,
};

kunit_test_suite(xprtrdma_path_order_suite);
