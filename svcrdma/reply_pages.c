// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of a Reply that its nfsd thread can keep.
 *
 * For each page that leaves a thread with a Reply, sunrpc allocates another one. On a
 * kernel that clears pages on allocation (init_on_alloc) that costs more than all else
 * that this transport does for a small RPC. Two kinds of pages can stay:
 *
 *  - pages that the Reply has been copied out of;
 *  - pages that nfsd has replaced by pages of the page cache, for a READ. nfsd drops
 *    its reference to such a page, so this file takes one before nfsd gets the Call.
 *
 * A page that the device may still read is never reused:
 * svcrdma_reply_page_replaced() returns a page only if nfsd has replaced it.
 *
 * nfsd owns what is in rq_pages when it gets a Call, whatever the transport: it writes
 * Replies there, and TCP receives Calls there. It leaves no page of the page cache behind;
 * kernels with CONFIG_DEBUG_VM check that. The number of references cannot tell, since
 * sunrpc gives those to replaced pages back in batches.
 *
 * The next Reply in a page that stays may be for another client. So a copied Reply is
 * wiped from the pages that stay. One that nfsd has replaced has nothing of it.
 */
#include <kunit/visibility.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/mmdebug.h>
#include <linux/slab.h>
#include <compat/svc_pages.h>
#include "request.h"
#include "send.h"
#include "svcrdma.h"

static bool svcrdma_in_one_page(const struct kvec *part)
{
	return part->iov_len <= PAGE_SIZE - offset_in_page(part->iov_base);
}

/**
 * svcrdma_reply_in_pages - are head and tail of a Reply in one page each?
 * @xdr: Reply of nfsd
 *
 * nfsd of 6.1 computes a wrong length of the head when READDIR follows a READ in a
 * COMPOUND that is not spliced. What lies behind the page belongs to others.
 *
 * Context: any.
 * Return: false if the Reply must be neither sent nor wiped.
 */
bool svcrdma_reply_in_pages(const struct xdr_buf *xdr)
{
	return svcrdma_in_one_page(&xdr->head[0]) && svcrdma_in_one_page(&xdr->tail[0]);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_in_pages);

/* Number of pages that nfsd may replace, at most @most and not the first of a Reply */
static unsigned int svcrdma_reply_pages_max(const struct rpcrdma_msg *msg,
					    unsigned long most)
{
	/* One more, since data may begin in the middle of a page */
	return min_t(u64, 1 + (svcrdma_reply_write_len(msg) >> PAGE_SHIFT), most);
}

/**
 * svcrdma_reply_pages_most - pages of the Reply to a Call
 * @req: the Call, decoded
 * @rqstp: nfsd thread that processes it
 *
 * Context: any.
 * Return: pages, as far as the client offers chunks for them, with some for what is inline;
 * no more than the thread has.
 */
unsigned int svcrdma_reply_pages_most(const struct svcrdma_req *req,
				      const struct svc_rqst *rqstp)
{
	unsigned int most = rqstp->rq_page_end - rqstp->rq_respages;
	u64 length = svcrdma_reply_max_len(&req->msg, req->rdma->conn->inline_send);

	return min_t(u64, (length >> PAGE_SHIFT) + 1, most);
}

static bool svcrdma_reply_pages_grow(struct svcrdma_req *req, unsigned int n)
{
	struct page **refs;

	if (n <= req->max_page_refs)
		return true;
	refs = kmalloc_array(n, sizeof(*refs), RPCRDMA_GFP_ONCE);
	if (!refs)
		return false;
	kfree(req->page_refs);
	req->page_refs = refs;
	req->max_page_refs = n;
	return true;
}

/**
 * svcrdma_reply_pages_get - take references to the pages that nfsd may replace
 * @req: request whose Call nfsd gets next
 * @rqstp: nfsd thread
 *
 * Without memory for the list of pages it takes no references, and sunrpc allocates.
 *
 * Context: nfsd thread; may sleep; the caller keeps reclaim out of the file
 * system.
 */
void svcrdma_reply_pages_get(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct page **first = rqstp->rq_respages + 1;
	unsigned int i, n;

	if (first >= rqstp->rq_page_end)
		return;
	n = svcrdma_reply_pages_max(&req->msg, rqstp->rq_page_end - first);
	if (!svcrdma_reply_pages_grow(req, n))
		return;
	for (i = 0; i < n && first[i]; i++) {
		VM_WARN_ON_ONCE(first[i]->mapping || PageReserved(first[i]));
		get_page(first[i]);
		req->page_refs[i] = first[i];
	}
	req->npage_refs = i;
}

/**
 * svcrdma_reply_pages_put - drop the references that are left
 * @req: request
 *
 * Context: any.
 */
void svcrdma_reply_pages_put(struct svcrdma_req *req)
{
	unsigned int i;

	for (i = 0; i < req->npage_refs; i++)
		if (req->page_refs[i])
			put_page(req->page_refs[i]);
	req->npage_refs = 0;
}

/**
 * svcrdma_reply_pages_free - drop the references and free the list of pages
 * @req: request that is in no use
 *
 * Context: any.
 */
void svcrdma_reply_pages_free(struct svcrdma_req *req)
{
	svcrdma_reply_pages_put(req);
	kfree(req->page_refs);
	req->page_refs = NULL;
	req->max_page_refs = 0;
}

/*
 * Returns the page that nfsd has replaced by @page at @index of the Reply, with a
 * reference for the caller; NULL if it has not replaced any
 */
static struct page *svcrdma_reply_page_replaced(struct svcrdma_req *req,
						unsigned int index,
						const struct page *page)
{
	struct page *orig;

	if (!index || index > req->npage_refs || req->page_refs[index - 1] == page)
		return NULL;
	orig = req->page_refs[index - 1];
	req->page_refs[index - 1] = NULL;
	return orig;
}

/**
 * svcrdma_reply_pages_count - count all pages of a Reply
 * @rqstp: nfsd thread with its Reply in rq_res
 *
 * nfsd does not count each page in rq_next_page: not one that only the check sum of RPCSEC_GSS
 * needs, which is appended later, nor those of a long ACL of NFSv3. sunrpc leaves such a page to
 * the thread, which would write its next Reply to it while the device still reads this one.
 *
 * Context: nfsd thread; does not sleep.
 * Return: pages from rq_respages to rq_next_page, which is behind the last page now.
 */
unsigned long svcrdma_reply_pages_count(struct svc_rqst *rqstp)
{
	const struct xdr_buf *xdr = &rqstp->rq_res;
	unsigned long last = PFN_UP((unsigned long)xdr->page_base + xdr->page_len);

	if (xdr->page_len && xdr->pages >= rqstp->rq_respages &&
	    xdr->pages <= rqstp->rq_page_end &&
	    last <= rqstp->rq_page_end - xdr->pages &&
	    &xdr->pages[last] > rqstp->rq_next_page)
		rqstp->rq_next_page = &xdr->pages[last];
	return rqstp->rq_next_page - rqstp->rq_respages;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_pages_count);

/* Head and tail are in the first page */
static void svcrdma_reply_wipe_first(const struct xdr_buf *xdr)
{
	memset(xdr->head[0].iov_base, 0, xdr->head[0].iov_len);
	if (xdr->tail[0].iov_len)
		memset(xdr->tail[0].iov_base, 0, xdr->tail[0].iov_len);
}

/*
 * sunrpc releases the first @n pages of the Reply. So the last @n, which are not the
 * thread's own, are exchanged with the first.
 */
static void svcrdma_reply_release_last(struct svc_rqst *rqstp, unsigned int n)
{
	struct page **first = rqstp->rq_respages;
	struct page **last = rqstp->rq_next_page;
	unsigned int i;

	rqstp->rq_next_page = &first[n];
	for (i = 0; i < n && &first[i] < --last; i++)
		swap(first[i], *last);
}

/**
 * svcrdma_reply_pages_restore - return the pages of a copied Reply to their thread
 * @req: request
 * @rqstp: nfsd thread; sunrpc releases the pages that are left in the Reply
 *
 * Context: nfsd thread; does not sleep.
 */
void svcrdma_reply_pages_restore(struct svcrdma_req *req, struct svc_rqst *rqstp)
{
	struct page **first = rqstp->rq_respages;
	unsigned int i, n = rqstp->rq_next_page - first;
	struct page *orig;

	if (n)
		svcrdma_reply_wipe_first(&rqstp->rq_res);
	for (i = 0; i < n && i <= req->npage_refs; i++) {
		orig = svcrdma_reply_page_replaced(req, i, first[i]);
		if (!orig) {
			if (i)
				clear_highpage(first[i]);
			continue;
		}
		put_page(first[i]);
		first[i] = orig;
	}
	svcrdma_reply_release_last(rqstp, n - i);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_pages_restore);

/**
 * svcrdma_reply_pages_take - move the pages of a Reply from its thread to the Send
 * @send: Send with room for them
 * @req: request
 * @rqstp: nfsd thread; keeps the pages that nfsd has replaced, as the last ones
 *
 * Context: nfsd thread; does not sleep.
 */
void svcrdma_reply_pages_take(struct svcrdma_send *send, struct svcrdma_req *req,
			      struct svc_rqst *rqstp)
{
	struct page **kept = rqstp->rq_next_page, **entry = kept;
	struct page *orig;

	while (entry != rqstp->rq_respages) {
		entry--;
		send->pages[send->npages++] = *entry;
		orig = svcrdma_reply_page_replaced(req, entry - rqstp->rq_respages,
						   *entry);
		*entry = NULL;
		if (orig)
			*--kept = orig;
	}
	rpcrdma_svc_reply_taken(rqstp, kept);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reply_pages_take);
