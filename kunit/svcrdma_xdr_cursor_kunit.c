// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cursor over a Reply: which pages become one entry of a scatterlist. Whatever is joined, the
 * runs are the bytes of the range, in order.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/sunrpc/xdr.h>
#include "../svcrdma/send.h"

/* Two blocks of contiguous pages, the second one longer than a run may be */
#define SVCRDMA_CURSOR_FEW	4U
#define SVCRDMA_CURSOR_MANY	(2 * SZ_64K / PAGE_SIZE)
#define SVCRDMA_CURSOR_PAGES	(SVCRDMA_CURSOR_FEW + SVCRDMA_CURSOR_MANY)

struct svcrdma_cursor_test {
	struct xdr_buf		xdr;
	struct page		*few;
	struct page		*many;
	struct page		*head;
	struct page		*pages[SVCRDMA_CURSOR_FEW + 2 * SZ_64K / SZ_4K];
};

static void svcrdma_cursor_test_free(struct svcrdma_cursor_test *t)
{
	__free_pages(t->few, get_order(2 * SVCRDMA_CURSOR_FEW * PAGE_SIZE));
	__free_pages(t->many, get_order(SVCRDMA_CURSOR_MANY * PAGE_SIZE));
	__free_page(t->head);
}

/* A head of 100 bytes and a tail of 8, with the second block in front of the first one */
static struct svcrdma_cursor_test *svcrdma_cursor_test_new(struct kunit *test)
{
	struct svcrdma_cursor_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->few = alloc_pages(GFP_KERNEL, get_order(2 * SVCRDMA_CURSOR_FEW * PAGE_SIZE));
	t->many = alloc_pages(GFP_KERNEL, get_order(SVCRDMA_CURSOR_MANY * PAGE_SIZE));
	t->head = alloc_page(GFP_KERNEL);
	KUNIT_ASSERT_TRUE(test, t->few && t->many && t->head);
	for (i = 0; i < SVCRDMA_CURSOR_MANY; i++)
		t->pages[i] = t->many + i;
	/* Not the first one: it may follow the other block in memory */
	for (i = 0; i < SVCRDMA_CURSOR_FEW; i++)
		t->pages[SVCRDMA_CURSOR_MANY + i] = t->few + 1 + i;
	t->xdr.head[0].iov_base = page_address(t->head);
	t->xdr.head[0].iov_len = 100;
	t->xdr.tail[0].iov_base = page_address(t->head) + 200;
	t->xdr.tail[0].iov_len = 8;
	t->xdr.pages = t->pages;
	t->xdr.page_len = SVCRDMA_CURSOR_PAGES * PAGE_SIZE;
	return t;
}

/* The address of byte @pos of the whole */
static const void *svcrdma_cursor_byte(const struct svcrdma_cursor_test *t, u32 pos)
{
	const struct xdr_buf *xdr = &t->xdr;

	if (pos < xdr->head[0].iov_len)
		return xdr->head[0].iov_base + pos;
	pos -= xdr->head[0].iov_len;
	if (pos >= xdr->page_len)
		return xdr->tail[0].iov_base + pos - xdr->page_len;
	pos += xdr->page_base;
	return page_address(xdr->pages[pos >> PAGE_SHIFT]) + offset_in_page(pos);
}

/* Number of runs of a range, each of which must be contiguous and in its place */
static unsigned int svcrdma_cursor_runs(struct kunit *test, const struct svcrdma_cursor_test *t,
					u32 offset, u32 length, u32 max, bool single)
{
	struct svcrdma_xdr_cursor cursor;
	unsigned int runs = 0;
	u32 at = offset, i;
	struct bio_vec bv;

	svcrdma_xdr_cursor_init(&cursor, &t->xdr, offset, length);
	while (svcrdma_xdr_cursor_next(&cursor, max, single, &bv)) {
		KUNIT_ASSERT_GT(test, bv.bv_len, 0U);
		KUNIT_EXPECT_LE(test, bv.bv_len, min_t(u32, max, max_t(u32, SZ_64K, PAGE_SIZE)));
		for (i = 0; i < bv.bv_len; i += 4)
			KUNIT_ASSERT_PTR_EQ(test, svcrdma_cursor_byte(t, at + i),
					    page_address(bv.bv_page) + bv.bv_offset + i);
		at += bv.bv_len;
		runs++;
	}
	KUNIT_EXPECT_EQ(test, offset + length, at);
	return runs;
}

static void svcrdma_cursor_joins(struct kunit *test)
{
	struct svcrdma_cursor_test *t = svcrdma_cursor_test_new(test);
	u32 all = 100 + t->xdr.page_len + 8;

	/* Head, two runs of 64 KiB, the other block, tail */
	KUNIT_EXPECT_EQ(test, 5U, svcrdma_cursor_runs(test, t, 0, all, U32_MAX, false));
	KUNIT_EXPECT_EQ(test, 2U + SVCRDMA_CURSOR_PAGES,
			svcrdma_cursor_runs(test, t, 0, all, U32_MAX, true));
	svcrdma_cursor_test_free(t);
}

/* A range that begins and ends within pages, and runs shorter than what could be joined */
static void svcrdma_cursor_parts(struct kunit *test)
{
	struct svcrdma_cursor_test *t = svcrdma_cursor_test_new(test);
	u32 block = 100 + SVCRDMA_CURSOR_MANY * PAGE_SIZE;

	KUNIT_EXPECT_EQ(test, 1U, svcrdma_cursor_runs(test, t, 104, PAGE_SIZE, U32_MAX, false));
	KUNIT_EXPECT_EQ(test, 2U, svcrdma_cursor_runs(test, t, 104, PAGE_SIZE, U32_MAX, true));
	KUNIT_EXPECT_EQ(test, 2U, svcrdma_cursor_runs(test, t, block - 8, 16, U32_MAX, false));
	KUNIT_EXPECT_EQ(test, 4U, svcrdma_cursor_runs(test, t, 100, 4 * SZ_1K, SZ_1K, false));
	svcrdma_cursor_test_free(t);
}

/* Payload that begins in the middle of its first page, and a page that is the one before it */
static void svcrdma_cursor_page_base(struct kunit *test)
{
	struct svcrdma_cursor_test *t = svcrdma_cursor_test_new(test);

	t->xdr.page_base = PAGE_SIZE + 8;
	t->xdr.page_len = 2 * PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, 1U, svcrdma_cursor_runs(test, t, 100, 2 * PAGE_SIZE, U32_MAX, false));
	swap(t->pages[1], t->pages[2]);
	KUNIT_EXPECT_EQ(test, 3U, svcrdma_cursor_runs(test, t, 100, 2 * PAGE_SIZE, U32_MAX, false));
	svcrdma_cursor_test_free(t);
}

static struct kunit_case svcrdma_xdr_cursor_test_cases[] = {
	KUNIT_CASE(svcrdma_cursor_joins),
	KUNIT_CASE(svcrdma_cursor_parts),
	KUNIT_CASE(svcrdma_cursor_page_base),
	{}
};

static struct kunit_suite svcrdma_xdr_cursor_test_suite = {
	.name		= "svcrdma_xdr_cursor",
	.test_cases	= svcrdma_xdr_cursor_test_cases,
};

kunit_test_suite(svcrdma_xdr_cursor_test_suite);
