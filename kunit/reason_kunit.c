// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reasons have texts and names, each its own.
 */
#include <kunit/test.h>
#include <rpcrdma/reason.h>

static void rpcrdma_reason_texts(struct kunit *test)
{
	int i, j;

	for (i = 0; i < RPCRDMA_R_COUNT; i++) {
		KUNIT_EXPECT_STRNEQ(test, "unknown reason",
				    rpcrdma_reason_text(i));
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, rpcrdma_reason_text(i),
					    rpcrdma_reason_text(j));
	}
	KUNIT_EXPECT_STREQ(test, "unknown reason", rpcrdma_reason_text(-1));
	KUNIT_EXPECT_STREQ(test, "unknown reason",
			   rpcrdma_reason_text(RPCRDMA_R_COUNT));
}

static void rpcrdma_reason_names(struct kunit *test)
{
	int i, j;

	for (i = 0; i < RPCRDMA_R_COUNT; i++) {
		KUNIT_ASSERT_NOT_NULL(test, rpcrdma_reason_name(i));
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, rpcrdma_reason_name(i),
					    rpcrdma_reason_name(j));
	}
}

static struct kunit_case rpcrdma_reason_test_cases[] = {
	KUNIT_CASE(rpcrdma_reason_texts),
	KUNIT_CASE(rpcrdma_reason_names),
	{}
};

static struct kunit_suite rpcrdma_reason_test_suite = {
	.name		= "rpcrdma_reason",
	.test_cases	= rpcrdma_reason_test_cases,
};

kunit_test_suite(rpcrdma_reason_test_suite);
