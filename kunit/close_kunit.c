// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a completion without success says about its connection: the whole table.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <rpcrdma/close.h>

/* A flush has a cause that came before it, and is itself no failure */
static void rpcrdma_close_flushed(struct kunit *test)
{
	enum rpcrdma_close_cause cause;
	int error;

	for (cause = 0; cause < RPCRDMA_CLOSE_COUNT; cause++) {
		error = 0;
		KUNIT_EXPECT_EQ(test, RPCRDMA_CLOSE_PEER,
				rpcrdma_close_wc_cause(true, cause, &error));
		KUNIT_EXPECT_EQ(test, -ENOTCONN, error);
	}
}

static void rpcrdma_close_failed(struct kunit *test)
{
	enum rpcrdma_close_cause cause;
	int error;

	for (cause = 0; cause < RPCRDMA_CLOSE_COUNT; cause++) {
		error = 0;
		KUNIT_EXPECT_EQ(test, cause,
				rpcrdma_close_wc_cause(false, cause, &error));
		KUNIT_EXPECT_EQ(test, -EIO, error);
	}
}

static struct kunit_case rpcrdma_close_test_cases[] = {
	KUNIT_CASE(rpcrdma_close_flushed),
	KUNIT_CASE(rpcrdma_close_failed),
	{}
};

static struct kunit_suite rpcrdma_close_test_suite = {
	.name		= "rpcrdma_close",
	.test_cases	= rpcrdma_close_test_cases,
};

kunit_test_suite(rpcrdma_close_test_suite);
