// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that stay with an nfsd thread after a Reply. After a copied one nothing of the
 * Reply is left in them, since the next one may be for another client. Whatever stays,
 * sunrpc releases what is not the thread's, and fills all entries that are empty.
 */
#include <compat/kunit.h>
#include <compat/svc_pages.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/mm.h>
#include "../svcrdma/request.h"
#include "../svcrdma/send.h"
#include "../svcrdma/svcrdma.h"

#define SVCRDMA_REPLY_PAGES	4

/*
 * A Reply of four pages: the first has head and tail, the second was replaced by a page
 * of a file, nfsd has written to the third, and the last one is not used.
 */
struct svcrdma_reply_test {
	struct svc_rqst		rqstp;
	struct svcrdma_req	req;
	struct svcrdma_send	send;
	struct page		*pages[SVCRDMA_REPLY_PAGES + 2];
	struct page		*own[SVCRDMA_REPLY_PAGES];
	struct page		*refs[2];
	struct page		*file;
};

static struct page *svcrdma_reply_test_page(struct kunit *test)
{
	struct page *page = alloc_page(GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, page);
	memset(page_address(page), 'x', PAGE_SIZE);
	return page;
}

static struct svcrdma_reply_test *svcrdma_reply_test_new(struct kunit *test)
{
	struct svcrdma_reply_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct svc_rqst *rqstp;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	rqstp = &t->rqstp;
	for (i = 0; i < SVCRDMA_REPLY_PAGES; i++) {
		t->own[i] = svcrdma_reply_test_page(test);
		t->pages[i] = t->own[i];
	}
	rqstp->rq_respages = t->pages;
	for (i = 0; i < 2; i++) {
		t->refs[i] = t->own[i + 1];
		get_page(t->refs[i]);
	}
	t->req.page_refs = t->refs;
	t->req.npage_refs = 2;
	t->file = svcrdma_reply_test_page(test);
	return t;
}

/* As nfsd does for a READ: its reference to the page goes, and the list has another one */
static void svcrdma_reply_test_replace(struct svcrdma_reply_test *t)
{
	get_page(t->file);
	t->pages[1] = t->file;
	put_page(t->own[1]);
}

static void svcrdma_reply_test_reply(struct svcrdma_reply_test *t)
{
	struct svc_rqst *rqstp = &t->rqstp;

	rqstp->rq_next_page = &t->pages[3];
	rqstp->rq_res.head[0].iov_base = page_address(t->own[0]);
	rqstp->rq_res.head[0].iov_len = 120;
	rqstp->rq_res.tail[0].iov_base = page_address(t->own[0]) + 120;
	rqstp->rq_res.tail[0].iov_len = 8;
	rqstp->rq_res.pages = &t->pages[1];
	rqstp->rq_res.page_len = 2 * PAGE_SIZE;
	rqstp->rq_page_end = &t->pages[SVCRDMA_REPLY_PAGES];
}

static void svcrdma_reply_pages_wiped(struct kunit *test)
{
	struct svcrdma_reply_test *t = svcrdma_reply_test_new(test);
	struct page **pages = t->pages;
	unsigned int i;

	svcrdma_reply_test_replace(t);
	svcrdma_reply_test_reply(t);
	svcrdma_reply_pages_restore(&t->req, &t->rqstp);

	for (i = 0; i < SVCRDMA_REPLY_PAGES; i++)
		KUNIT_EXPECT_PTR_EQ(test, t->own[i], pages[i]);
	KUNIT_EXPECT_PTR_EQ(test, t->rqstp.rq_next_page, t->rqstp.rq_respages);
	KUNIT_EXPECT_NULL(test, memchr_inv(page_address(pages[0]), 0, 128));
	KUNIT_EXPECT_NULL(test, memchr_inv(page_address(pages[2]), 0, PAGE_SIZE));
	/* nfsd had no use for the replaced page, nor this file for that of the file */
	KUNIT_EXPECT_NULL(test, memchr_inv(page_address(pages[1]), 'x', PAGE_SIZE));
	KUNIT_EXPECT_NULL(test, memchr_inv(page_address(t->file), 'x', PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, 1, page_count(pages[1]));
	KUNIT_EXPECT_EQ(test, 1, page_count(t->file));

	put_page(t->refs[1]);
	put_page(t->file);
	for (i = 0; i < SVCRDMA_REPLY_PAGES; i++)
		put_page(pages[i]);
}

/* Without a reference to a page it is not known whether nfsd has replaced it */
static void svcrdma_reply_pages_released(struct kunit *test)
{
	struct svcrdma_reply_test *t = svcrdma_reply_test_new(test);
	unsigned int i;

	svcrdma_reply_test_replace(t);
	svcrdma_reply_test_reply(t);
	t->req.npage_refs = 1;
	svcrdma_reply_pages_restore(&t->req, &t->rqstp);

	KUNIT_EXPECT_PTR_EQ(test, &t->pages[1], t->rqstp.rq_next_page);
	KUNIT_EXPECT_PTR_EQ(test, t->own[2], t->pages[0]);
	KUNIT_EXPECT_PTR_EQ(test, t->own[1], t->pages[1]);
	KUNIT_EXPECT_PTR_EQ(test, t->own[0], t->pages[2]);
	KUNIT_EXPECT_PTR_EQ(test, t->own[3], t->pages[3]);

	put_page(t->refs[1]);
	put_page(t->file);
	for (i = 0; i < SVCRDMA_REPLY_PAGES; i++)
		put_page(t->pages[i]);
}

/* A Reply that the device reads: the thread keeps what nfsd has replaced, and no gap */
static void svcrdma_reply_pages_taken(struct kunit *test)
{
	struct svcrdma_reply_test *t = svcrdma_reply_test_new(test);
	unsigned int i;

	t->send.pages = t->send.few_pages;
	svcrdma_reply_test_replace(t);
	svcrdma_reply_test_reply(t);
	svcrdma_reply_pages_take(&t->send, &t->req, &t->rqstp);

	KUNIT_ASSERT_EQ(test, 3, t->send.npages);
	KUNIT_EXPECT_PTR_EQ(test, t->own[2], t->send.pages[0]);
	KUNIT_EXPECT_PTR_EQ(test, t->file, t->send.pages[1]);
	KUNIT_EXPECT_PTR_EQ(test, t->own[0], t->send.pages[2]);
	KUNIT_EXPECT_PTR_EQ(test, &t->pages[0], t->rqstp.rq_respages);
	KUNIT_EXPECT_PTR_EQ(test, t->own[1], t->pages[2]);
	KUNIT_EXPECT_PTR_EQ(test, t->own[3], t->pages[3]);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_NULL(test, t->pages[i]);
		KUNIT_EXPECT_TRUE(test, rpcrdma_svc_fills(&t->rqstp, &t->pages[i]));
	}
	/* Below it sunrpc releases what is not empty */
	KUNIT_EXPECT_LE(test, t->rqstp.rq_next_page - t->pages, 2);

	put_page(t->refs[1]);
	for (i = 0; i < 3; i++)
		put_page(t->send.pages[i]);
	put_page(t->file);
	for (i = 2; i < SVCRDMA_REPLY_PAGES; i++)
		put_page(t->pages[i]);
}

static void svcrdma_reply_test_free(struct svcrdma_reply_test *t)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		put_page(t->refs[i]);
	put_page(t->file);
	for (i = 0; i < SVCRDMA_REPLY_PAGES; i++)
		put_page(t->own[i]);
}

/* nfsd has counted the pages before RPCSEC_GSS appended its check sum to one more */
static void svcrdma_reply_pages_counted(struct kunit *test)
{
	struct svcrdma_reply_test *t = svcrdma_reply_test_new(test);
	struct svc_rqst *rqstp = &t->rqstp;
	struct xdr_buf *xdr = &rqstp->rq_res;

	svcrdma_reply_test_reply(t);
	KUNIT_EXPECT_EQ(test, 3, svcrdma_reply_pages_count(rqstp));
	KUNIT_EXPECT_PTR_EQ(test, &t->pages[3], rqstp->rq_next_page);
	xdr->page_len += 44;
	KUNIT_EXPECT_EQ(test, 4, svcrdma_reply_pages_count(rqstp));
	KUNIT_EXPECT_PTR_EQ(test, &t->pages[4], rqstp->rq_next_page);

	/* With an offset in the first page */
	rqstp->rq_next_page = &t->pages[3];
	xdr->page_base = 44;
	xdr->page_len = 2 * PAGE_SIZE - 44;
	KUNIT_EXPECT_EQ(test, 3, svcrdma_reply_pages_count(rqstp));
	xdr->page_len++;
	KUNIT_EXPECT_EQ(test, 4, svcrdma_reply_pages_count(rqstp));

	/* More pages may be used than the buffer names, but never more than there are */
	xdr->page_len = 1;
	KUNIT_EXPECT_EQ(test, 4, svcrdma_reply_pages_count(rqstp));
	rqstp->rq_next_page = &t->pages[3];
	xdr->page_len = 3 * PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, 3, svcrdma_reply_pages_count(rqstp));
	xdr->page_len = UINT_MAX;
	KUNIT_EXPECT_EQ(test, 3, svcrdma_reply_pages_count(rqstp));

	/* Pages behind those of the thread */
	xdr->page_base = 0;
	xdr->page_len = 1;
	xdr->pages = &t->pages[SVCRDMA_REPLY_PAGES + 1];
	KUNIT_EXPECT_EQ(test, 3, svcrdma_reply_pages_count(rqstp));

	/* Without pages, the buffer's may be any */
	xdr->page_base = 0;
	xdr->page_len = 0;
	xdr->pages = &t->pages[SVCRDMA_REPLY_PAGES];
	KUNIT_EXPECT_EQ(test, 3, svcrdma_reply_pages_count(rqstp));
	svcrdma_reply_test_free(t);
}

/* What is behind the page of head or tail belongs to others */
static void svcrdma_reply_pages_broken(struct kunit *test)
{
	struct svcrdma_reply_test *t = svcrdma_reply_test_new(test);
	struct xdr_buf *xdr = &t->rqstp.rq_res;
	struct kvec *parts[] = { &xdr->head[0], &xdr->tail[0] };
	unsigned int i;

	svcrdma_reply_test_reply(t);
	KUNIT_EXPECT_TRUE(test, svcrdma_reply_in_pages(xdr));
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		size_t good = parts[i]->iov_len;
		size_t room = PAGE_SIZE - offset_in_page(parts[i]->iov_base);

		parts[i]->iov_len = room;
		KUNIT_EXPECT_TRUE(test, svcrdma_reply_in_pages(xdr));
		parts[i]->iov_len = room + 1;
		KUNIT_EXPECT_FALSE(test, svcrdma_reply_in_pages(xdr));
		parts[i]->iov_len = -8L;
		KUNIT_EXPECT_FALSE(test, svcrdma_reply_in_pages(xdr));
		parts[i]->iov_len = good;
	}
	svcrdma_reply_test_free(t);
}

static struct kunit_case svcrdma_reply_pages_test_cases[] = {
	KUNIT_CASE(svcrdma_reply_pages_wiped),
	KUNIT_CASE(svcrdma_reply_pages_released),
	KUNIT_CASE(svcrdma_reply_pages_taken),
	KUNIT_CASE(svcrdma_reply_pages_counted),
	KUNIT_CASE(svcrdma_reply_pages_broken),
	{}
};

static struct kunit_suite svcrdma_reply_pages_test_suite = {
	.name		= "svcrdma_reply_pages",
	.test_cases	= svcrdma_reply_pages_test_cases,
};

kunit_test_suite(svcrdma_reply_pages_test_suite);
