// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which WR chains are complete, when their numbers wrap.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <rpcrdma/sendq.h>

static void rpcrdma_sendq_numbers(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, rpcrdma_sendq_reached(5, 5));
	KUNIT_EXPECT_TRUE(test, rpcrdma_sendq_reached(6, 5));
	KUNIT_EXPECT_FALSE(test, rpcrdma_sendq_reached(5, 6));
	/* Posted before the wrap, and after it */
	KUNIT_EXPECT_TRUE(test, rpcrdma_sendq_reached(5, 0xfffffff0));
	KUNIT_EXPECT_FALSE(test, rpcrdma_sendq_reached(0xfffffff0, 5));
	KUNIT_EXPECT_TRUE(test, rpcrdma_sendq_reached(0, U32_MAX));
	KUNIT_EXPECT_FALSE(test, rpcrdma_sendq_reached(U32_MAX, 0));
	/* The sign of a number changes between them */
	KUNIT_EXPECT_TRUE(test, rpcrdma_sendq_reached(0x80000000, 0x7fffffff));
	KUNIT_EXPECT_FALSE(test, rpcrdma_sendq_reached(0x7fffffff, 0x80000000));
}

static struct kunit_case rpcrdma_sendq_cases[] = {
	KUNIT_CASE(rpcrdma_sendq_numbers),
	{}
};

static struct kunit_suite rpcrdma_sendq_suite = {
	.name = "rpcrdma_sendq",
	.test_cases = rpcrdma_sendq_cases,
};

kunit_test_suite(rpcrdma_sendq_suite);
