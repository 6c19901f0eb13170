// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page recycling: which pages are kept, and which are freed. There must be no connection,
 * so that all recycled pages are those of the test, and only one NUMA node.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "../svcrdma/page_recycle.h"

/* More than a NUMA node keeps */
#define SVCRDMA_RECYCLE_TEST	(SVCRDMA_RECYCLE_MAX + 16)

#define CLIENT			1UL
#define OTHER_CLIENT		2UL

/* The first call finds the pages that are not used, the second one frees them */
static void svcrdma_recycle_empty(struct kunit *test)
{
	svcrdma_recycle_trim();
	svcrdma_recycle_trim();
}

static int svcrdma_recycle_test_init(struct kunit *test)
{
	if (num_online_nodes() > 1)
		kunit_skip(test, "one NUMA node is needed");
	svcrdma_recycle_empty(test);
	test->priv = kunit_kcalloc(test, SVCRDMA_RECYCLE_TEST,
				   sizeof(struct page *), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void svcrdma_recycle_fill(struct kunit *test, unsigned int n)
{
	struct page **pages = test->priv;
	unsigned int got = svcrdma_recycle_take(pages, n, CLIENT);

	svcrdma_recycle_give(pages, got, CLIENT);
	KUNIT_ASSERT_EQ(test, n, got);
}

/* Takes up to @n recycled pages and puts them back; returns how many */
static unsigned int svcrdma_recycle_use(struct kunit *test, unsigned int n)
{
	n = svcrdma_recycle_pop(test->priv, n);
	svcrdma_recycle_give(test->priv, n, CLIENT);
	return n;
}

static void svcrdma_recycle_warm(struct kunit *test)
{
	struct page **pages = test->priv;
	struct page *last;

	svcrdma_recycle_fill(test, 3);
	last = pages[2];
	KUNIT_ASSERT_EQ(test, 1, svcrdma_recycle_take(pages, 1, CLIENT));
	KUNIT_EXPECT_PTR_EQ(test, last, pages[0]);
	svcrdma_recycle_give(pages, 1, CLIENT);
	KUNIT_EXPECT_EQ(test, 3, svcrdma_recycle_use(test, 16));
}

/* Small Calls use the pages of a large one; pages beyond the limit are freed */
static void svcrdma_recycle_limit(struct kunit *test)
{
	struct page **pages = test->priv;

	svcrdma_recycle_fill(test, SVCRDMA_RECYCLE_MAX + 1);
	KUNIT_EXPECT_EQ(test, 16, svcrdma_recycle_pop(pages, 16));
	KUNIT_EXPECT_EQ(test, SVCRDMA_RECYCLE_MAX - 16,
			svcrdma_recycle_pop(pages + 16, SVCRDMA_RECYCLE_MAX));
	svcrdma_recycle_give(pages, 16, CLIENT);
	svcrdma_recycle_give(pages + 16, SVCRDMA_RECYCLE_MAX - 16, CLIENT);
	KUNIT_EXPECT_EQ(test, SVCRDMA_RECYCLE_MAX,
			svcrdma_recycle_use(test, SVCRDMA_RECYCLE_TEST));
}

static void svcrdma_recycle_idle(struct kunit *test)
{
	svcrdma_recycle_fill(test, SVCRDMA_RECYCLE_MAX);
	svcrdma_recycle_trim();
	KUNIT_EXPECT_EQ(test, 40, svcrdma_recycle_use(test, 40));
	svcrdma_recycle_trim();
	KUNIT_EXPECT_EQ(test, 40,
			svcrdma_recycle_use(test, SVCRDMA_RECYCLE_MAX));
	svcrdma_recycle_trim();
	svcrdma_recycle_trim();
	KUNIT_EXPECT_EQ(test, 0, svcrdma_recycle_use(test, 1));
}

/* What is missing is allocated */
static void svcrdma_recycle_more(struct kunit *test)
{
	struct page **pages = test->priv;

	svcrdma_recycle_fill(test, 3);
	KUNIT_ASSERT_EQ(test, 40, svcrdma_recycle_take(pages, 40, CLIENT));
	KUNIT_EXPECT_EQ(test, 0, svcrdma_recycle_pop(pages + 40, 1));
	svcrdma_recycle_give(pages, 40, CLIENT);
	KUNIT_EXPECT_EQ(test, 40, svcrdma_recycle_use(test, 64));
}

/* A page counts as recycled if it was used before, and not if it was allocated */
static void svcrdma_recycle_counted(struct kunit *test)
{
	u64 wanted, reused, wanted_before, reused_before;
	struct page **pages = test->priv;

	svcrdma_recycle_fill(test, 3);
	wanted_before = svcrdma_recycle_counts(&reused_before);
	KUNIT_ASSERT_EQ(test, 40, svcrdma_recycle_take(pages, 40, CLIENT));
	svcrdma_recycle_give(pages, 40, CLIENT);
	wanted = svcrdma_recycle_counts(&reused);
	KUNIT_EXPECT_EQ(test, 40, wanted - wanted_before);
	KUNIT_EXPECT_EQ(test, 3, reused - reused_before);
}

/* A page that somebody else still uses is not kept */
static void svcrdma_recycle_in_use(struct kunit *test)
{
	struct page **pages = test->priv;
	struct page *used;

	KUNIT_ASSERT_EQ(test, 4, svcrdma_recycle_take(pages, 4, CLIENT));
	used = pages[1];
	get_page(used);
	svcrdma_recycle_give(pages, 4, CLIENT);
	KUNIT_EXPECT_EQ(test, 1, page_count(used));
	KUNIT_EXPECT_EQ(test, 3, svcrdma_recycle_pop(pages, 4));
	KUNIT_EXPECT_PTR_NE(test, used, pages[0]);
	KUNIT_EXPECT_PTR_NE(test, used, pages[1]);
	KUNIT_EXPECT_PTR_NE(test, used, pages[2]);
	svcrdma_recycle_give(pages, 3, CLIENT);
	put_page(used);
}

static bool svcrdma_recycle_has_data(struct kunit *test, unsigned int n)
{
	struct page **pages = test->priv;

	while (n--)
		if (memchr_inv(page_address(pages[n]), 0, PAGE_SIZE))
			return true;
	return false;
}

/* Data stays with its client, even if a device reports more bytes than it has read */
static void svcrdma_recycle_other_client(struct kunit *test)
{
	struct page **pages = test->priv;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 4, svcrdma_recycle_take(pages, 4, CLIENT));
	KUNIT_EXPECT_FALSE(test, svcrdma_recycle_has_data(test, 4));
	for (i = 0; i < 4; i++)
		memset(page_address(pages[i]), 0x5a, PAGE_SIZE);
	svcrdma_recycle_give(pages, 4, CLIENT);
	KUNIT_ASSERT_EQ(test, 2, svcrdma_recycle_take(pages, 2, CLIENT));
	KUNIT_EXPECT_TRUE(test, svcrdma_recycle_has_data(test, 2));
	svcrdma_recycle_give(pages, 2, CLIENT);
	KUNIT_ASSERT_EQ(test, 8, svcrdma_recycle_take(pages, 8, OTHER_CLIENT));
	KUNIT_EXPECT_FALSE(test, svcrdma_recycle_has_data(test, 8));
	svcrdma_recycle_give(pages, 8, OTHER_CLIENT);
}

static struct kunit_case svcrdma_recycle_test_cases[] = {
	KUNIT_CASE(svcrdma_recycle_warm),
	KUNIT_CASE(svcrdma_recycle_limit),
	KUNIT_CASE(svcrdma_recycle_idle),
	KUNIT_CASE(svcrdma_recycle_more),
	KUNIT_CASE(svcrdma_recycle_counted),
	KUNIT_CASE(svcrdma_recycle_in_use),
	KUNIT_CASE(svcrdma_recycle_other_client),
	{}
};

static struct kunit_suite svcrdma_recycle_test_suite = {
	.name		= "svcrdma_page_recycle",
	.init		= svcrdma_recycle_test_init,
	.exit		= svcrdma_recycle_empty,
	.test_cases	= svcrdma_recycle_test_cases,
};

kunit_test_suite(svcrdma_recycle_test_suite);
