// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an nfsd thread keeps of its pages when its Reply is sent.
 *
 * sunrpc gives a thread new pages for those that a Reply was made of, and a kernel
 * that clears what it allocates (init_on_alloc) spends more on that than all of
 * this transport does for a small RPC. Two kinds of pages need not be new:
 *
 *  - those that the Reply has been copied out of;
 *  - those that nfsd replaced by pages of the page cache, for READ. Nobody else
 *    wants them, so a reference to each, taken before nfsd gets the Call, keeps
 *    them until the pages of the page cache are gone.
 *
 * A page that the device may still read is never kept: svcrdma_reply_page_replaced() finds
 * that nfsd has not replaced it.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "svcrdma.h"

/* Pages that nfsd may replace; the first one of a Reply is none of them */
static unsigned int svcrdma_reply_pages_wanted(const struct rpcrdma_msg *msg)
{
	u64 length = 0;
	unsigned int i;

	for (i = 0; i < msg->nwrites; i++)
		length += rpcrdma_chunk_length(msg, &msg->writes[i]);
	/* It may begin in the middle of a page */
	return min_t(u64, 1 + (length >> PAGE_SHIFT), RPCSVC_MAXPAGES);
}

static bool svcrdma_reply_pages_grow(struct svcrdma_req *req, unsigned int n)
{
	struct page **kept;

	if (n <= req->max_kept)
		return true;
	kept = kmalloc_array(n, sizeof(*kept), GFP_KERNEL);
	if (!kept)
		return false;
	kfree(req->kept);
	req->kept = kept;
	req->max_kept = n;
	return true;
}

/**
 * svcrdma_reply_pages_hold - take references to pages that nfsd may replace
 * @req: request that is handed to nfsd next
 * @rqstp: its thread
 *
 * Without memory to note them, nothing is kept.
 *
 * Context: nfsd thread; may sleep; the caller keeps reclaim out of the file
 * system.
 */
void svcrdma_reply_pages_hold(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct page **first = rqstp->rq_respages + 1;
	unsigned int i, n = svcrdma_reply_pages_wanted(&req->msg);

	if (first >= rqstp->rq_page_end)
		return;
	n = min_t(unsigned int, n, rqstp->rq_page_end - first);
	if (!svcrdma_reply_pages_grow(req, n))
		return;
	for (i = 0; i < n && first[i]; i++) {
		get_page(first[i]);
		req->kept[i] = first[i];
	}
	req->nkept = i;
}

/**
 * svcrdma_reply_pages_put - give the references back that are left
 * @req: request
 *
 * Context: any.
 */
void svcrdma_reply_pages_put(struct svcrdma_req *req)
{
	unsigned int i;

	for (i = 0; i < req->nkept; i++)
		if (req->kept[i])
			put_page(req->kept[i]);
	req->nkept = 0;
}

/**
 * svcrdma_reply_pages_free - free what this file has in a request
 * @req: request that is not used
 *
 * Context: any.
 */
void svcrdma_reply_pages_free(struct svcrdma_req *req)
{
	svcrdma_reply_pages_put(req);
	kfree(req->kept);
	req->kept = NULL;
	req->max_kept = 0;
}

/**
 * svcrdma_reply_page_replaced - the page that nfsd has replaced
 * @req: request whose Reply is being sent
 * @index: place in the Reply's pages; the first is 0
 * @page: what is in that place now
 *
 * Context: nfsd thread.
 * Return: a page for that place, with its reference; or NULL if @page is no
 * replacement.
 */
struct page *svcrdma_reply_page_replaced(struct svcrdma_req *req,
					 unsigned int index,
					 const struct page *page)
{
	struct page *kept;

	if (!index || index > req->nkept || req->kept[index - 1] == page)
		return NULL;
	kept = req->kept[index - 1];
	req->kept[index - 1] = NULL;
	return kept;
}

/**
 * svcrdma_reply_pages_keep - the Reply has been copied out of its pages
 * @req: request
 * @rqstp: its thread; keeps what sunrpc would otherwise release
 *
 * Context: nfsd thread.
 */
void svcrdma_reply_pages_keep(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct page **first = rqstp->rq_respages;
	struct page *kept;
	unsigned int i;

	for (i = 0; &first[i] != rqstp->rq_next_page && i <= req->nkept; i++) {
		kept = svcrdma_reply_page_replaced(req, i, first[i]);
		if (!kept)
			continue;
		put_page(first[i]);
		first[i] = kept;
	}
	rqstp->rq_respages = &first[i];
}
