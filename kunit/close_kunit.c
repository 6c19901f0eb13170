// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a completion without success says about its connection: the whole table. Which
 * causes speak of the path. Each cause has a text of its own.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <rpcrdma/close.h>

/* Whatever a work request was for, its completion stands for the same */
static void rpcrdma_close_expect_flushed(struct kunit *test, bool iwarp,
					 enum rpcrdma_close_cause want,
					 int want_error)
{
	enum rpcrdma_close_cause cause;
	int error;

	for (cause = 0; cause < RPCRDMA_CLOSE_COUNT; cause++) {
		error = 0;
		KUNIT_EXPECT_EQ(test, want,
				rpcrdma_close_wc_cause(true, iwarp, cause, &error));
		KUNIT_EXPECT_EQ(test, want_error, error);
	}
}

/* iWARP: the peer has closed its TCP connection */
static void rpcrdma_close_flushed_iwarp(struct kunit *test)
{
	rpcrdma_close_expect_flushed(test, true, RPCRDMA_CLOSE_PEER, -ENOTCONN);
}

/* InfiniBand and RoCE: a disconnect does not do that, so the device has given up */
static void rpcrdma_close_flushed_ib(struct kunit *test)
{
	rpcrdma_close_expect_flushed(test, false, RPCRDMA_CLOSE_QP_ERROR, -EIO);
}

static void rpcrdma_close_failed(struct kunit *test)
{
	enum rpcrdma_close_cause cause;
	int iwarp, error;

	for (cause = 0; cause < RPCRDMA_CLOSE_COUNT; cause++) {
		for (iwarp = 0; iwarp <= 1; iwarp++) {
			error = 0;
			KUNIT_EXPECT_EQ(test, cause,
					rpcrdma_close_wc_cause(false, iwarp, cause, &error));
			KUNIT_EXPECT_EQ(test, -EIO, error);
		}
	}
}

/* Another path helps against none of these */
static void rpcrdma_close_elsewhere(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_NONE));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_LOCAL));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_PEER));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_REJECTED));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_POST));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_INVALIDATE));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_PROTOCOL));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_NO_ANSWER));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_SETUP));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_ADMIN));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_DROPPED));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_TRANSFER));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_CREDITS));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_GPU));
	KUNIT_EXPECT_FALSE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_COUNT));
}

static void rpcrdma_close_path(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_UNREACHABLE));
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_TIMEOUT));
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_DEVICE_GONE));
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_ADDR_CHANGE));
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_QP_ERROR));
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_COMPLETION));
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_SILENT));
	KUNIT_EXPECT_TRUE(test, rpcrdma_close_blames_path(RPCRDMA_CLOSE_PORT_DOWN));
}

static void rpcrdma_close_texts_differ(struct kunit *test)
{
	enum rpcrdma_close_cause cause, other;

	for (cause = 0; cause < RPCRDMA_CLOSE_COUNT; cause++) {
		KUNIT_EXPECT_STRNEQ(test, "unknown cause",
				    rpcrdma_close_cause_text(cause));
		for (other = 0; other < cause; other++)
			KUNIT_EXPECT_STRNEQ(test,
					    rpcrdma_close_cause_text(cause),
					    rpcrdma_close_cause_text(other));
	}
	KUNIT_EXPECT_STREQ(test, "unknown cause",
			   rpcrdma_close_cause_text(RPCRDMA_CLOSE_COUNT));
	KUNIT_EXPECT_STREQ(test, "unknown cause", rpcrdma_close_cause_text(-1));
}

static struct kunit_case rpcrdma_close_test_cases[] = {
	KUNIT_CASE(rpcrdma_close_flushed_iwarp),
	KUNIT_CASE(rpcrdma_close_flushed_ib),
	KUNIT_CASE(rpcrdma_close_failed),
	KUNIT_CASE(rpcrdma_close_elsewhere),
	KUNIT_CASE(rpcrdma_close_path),
	KUNIT_CASE(rpcrdma_close_texts_differ),
	{}
};

static struct kunit_suite rpcrdma_close_test_suite = {
	.name		= "rpcrdma_close",
	.test_cases	= rpcrdma_close_test_cases,
};

kunit_test_suite(rpcrdma_close_test_suite);
