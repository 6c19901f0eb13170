// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which pages a connection keeps for RDMA Reads, and which go back.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/mm.h>
#include "../svcrdma/sink.h"

/* No connection is there, so that the common ones are the test's too */
#define SVCRDMA_SINK_ALL	(SVCRDMA_SINK_OWN + SVCRDMA_SINK_COMMON)

/* Two connections, and room for all pages of a test */
struct svcrdma_sink_test {
	struct svcrdma_sink	one;
	struct svcrdma_sink	other;
	struct page		*pages[2 * SVCRDMA_SINK_ALL];
};

static int svcrdma_sink_test_init(struct kunit *test)
{
	struct svcrdma_sink_test *t = kunit_kzalloc(test, sizeof(*t),
						    GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	svcrdma_sink_init(&t->one);
	svcrdma_sink_init(&t->other);
	test->priv = t;
	return 0;
}

static void svcrdma_sink_trim_all(struct svcrdma_sink_test *t)
{
	svcrdma_sink_trim(&t->one);
	svcrdma_sink_trim(&t->other);
	svcrdma_sink_trim_common();
}

static void svcrdma_sink_test_exit(struct kunit *test)
{
	struct svcrdma_sink_test *t = test->priv;

	if (!t)
		return;
	svcrdma_sink_trim_all(t);
	svcrdma_sink_trim_all(t);
	svcrdma_sink_free(&t->one);
	svcrdma_sink_free(&t->other);
}

static void svcrdma_sink_fill(struct kunit *test, struct svcrdma_sink *sink,
			      unsigned int n)
{
	struct svcrdma_sink_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < n; i++) {
		t->pages[i] = alloc_page(GFP_KERNEL);
		if (!t->pages[i])
			break;
	}
	svcrdma_sink_give(sink, t->pages, i);
	KUNIT_ASSERT_EQ(test, n, i);
}

/* A Call of @n pages that takes what there is, and is over */
static unsigned int svcrdma_sink_use(struct kunit *test,
				     struct svcrdma_sink *sink, unsigned int n)
{
	struct svcrdma_sink_test *t = test->priv;

	n = svcrdma_sink_take(sink, t->pages, n);
	svcrdma_sink_give(sink, t->pages, n);
	return n;
}

static void svcrdma_sink_warm(struct kunit *test)
{
	struct svcrdma_sink_test *t = test->priv;
	struct page *last;

	svcrdma_sink_fill(test, &t->one, 3);
	last = t->pages[2];
	KUNIT_ASSERT_EQ(test, 1, svcrdma_sink_take(&t->one, t->pages, 1));
	KUNIT_EXPECT_PTR_EQ(test, last, t->pages[0]);
	svcrdma_sink_give(&t->one, t->pages, 1);
	KUNIT_EXPECT_EQ(test, 3, svcrdma_sink_use(test, &t->one, 16));
}

/* Large WRITEs of one connection leave the others theirs */
static void svcrdma_sink_limits(struct kunit *test)
{
	struct svcrdma_sink_test *t = test->priv;
	unsigned int n;

	svcrdma_sink_fill(test, &t->one, SVCRDMA_SINK_ALL + 1);
	svcrdma_sink_fill(test, &t->other, SVCRDMA_SINK_OWN + 1);
	n = svcrdma_sink_take(&t->one, t->pages, 2 * SVCRDMA_SINK_ALL);
	KUNIT_EXPECT_EQ(test, SVCRDMA_SINK_ALL, n);
	KUNIT_EXPECT_EQ(test, SVCRDMA_SINK_OWN,
			svcrdma_sink_take(&t->other, t->pages + n,
					  SVCRDMA_SINK_ALL));
	svcrdma_sink_give(&t->one, t->pages, n);
	svcrdma_sink_give(&t->other, t->pages + n, SVCRDMA_SINK_OWN);
}

static void svcrdma_sink_idle(struct kunit *test)
{
	struct svcrdma_sink_test *t = test->priv;

	svcrdma_sink_fill(test, &t->one, SVCRDMA_SINK_ALL);
	svcrdma_sink_trim_all(t);
	KUNIT_EXPECT_EQ(test, 16, svcrdma_sink_use(test, &t->one, 16));
	svcrdma_sink_trim_all(t);
	KUNIT_EXPECT_EQ(test, 16,
			svcrdma_sink_use(test, &t->one, SVCRDMA_SINK_ALL));
	svcrdma_sink_trim_all(t);
	svcrdma_sink_trim_all(t);
	KUNIT_EXPECT_EQ(test, 0, svcrdma_sink_use(test, &t->one, 1));
}

/* What a connection leaves behind others may use */
static void svcrdma_sink_gone(struct kunit *test)
{
	struct svcrdma_sink_test *t = test->priv;

	svcrdma_sink_fill(test, &t->one, SVCRDMA_SINK_ALL);
	svcrdma_sink_free(&t->one);
	KUNIT_EXPECT_EQ(test, SVCRDMA_SINK_COMMON,
			svcrdma_sink_use(test, &t->other, SVCRDMA_SINK_ALL));
}

static void svcrdma_sink_ours(struct kunit *test)
{
	struct page *page = alloc_page(GFP_KERNEL);
	struct page *compound = alloc_pages(GFP_KERNEL | __GFP_COMP, 1);

	if (page)
		KUNIT_EXPECT_TRUE(test, svcrdma_page_ours(page));
	if (compound) {
		KUNIT_EXPECT_FALSE(test, svcrdma_page_ours(compound));
		KUNIT_EXPECT_FALSE(test, svcrdma_page_ours(compound + 1));
		__free_pages(compound, 1);
	}
	if (page)
		__free_page(page);
	KUNIT_EXPECT_NOT_NULL(test, page);
	KUNIT_EXPECT_NOT_NULL(test, compound);
}

static struct kunit_case svcrdma_sink_test_cases[] = {
	KUNIT_CASE(svcrdma_sink_warm),
	KUNIT_CASE(svcrdma_sink_limits),
	KUNIT_CASE(svcrdma_sink_idle),
	KUNIT_CASE(svcrdma_sink_gone),
	KUNIT_CASE(svcrdma_sink_ours),
	{}
};

static struct kunit_suite svcrdma_sink_test_suite = {
	.name		= "svcrdma_sink",
	.init		= svcrdma_sink_test_init,
	.exit		= svcrdma_sink_test_exit,
	.test_cases	= svcrdma_sink_test_cases,
};

kunit_test_suite(svcrdma_sink_test_suite);
