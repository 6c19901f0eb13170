/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pages of an nfsd thread. Some kernels have one array: the pages of the Call first in
 * rq_pages, those of the Reply behind them, at rq_respages. Others have an array for each,
 * and a transport must not change rq_respages.
 *
 * With one array sunrpc fills every empty entry again. With two it fills the first
 * rq_pages_nfree entries of rq_pages, and those of the Reply below rq_next_page. This
 * transport leaves no entry of rq_pages empty.
 */
#ifndef _COMPAT_SVC_PAGES_H
#define _COMPAT_SVC_PAGES_H

#include <linux/sunrpc/svc.h>
#include <compat/probed.h>

/**
 * rpcrdma_svc_call_pages - how many pages a Call may have
 * @rqstp: nfsd thread, with pages
 *
 * Context: any.
 * Return: entries of rq_pages that leave room for a Reply.
 */
static inline unsigned long rpcrdma_svc_call_pages(const struct svc_rqst *rqstp)
{
#ifdef RPCRDMA_SVC_PAGES_SPLIT
	return rqstp->rq_maxpages;
#else
	return rqstp->rq_page_end - rqstp->rq_pages - 1;
#endif
}

/**
 * rpcrdma_svc_reply_begin - the pages of the Reply begin behind those of the Call
 * @rqstp: nfsd thread
 * @call_pages: entries of rq_pages that the Call has
 *
 * Context: nfsd thread, before sunrpc gets the Call.
 */
static inline void rpcrdma_svc_reply_begin(struct svc_rqst *rqstp,
					   unsigned int call_pages)
{
#ifndef RPCRDMA_SVC_PAGES_SPLIT
	rqstp->rq_respages = &rqstp->rq_pages[call_pages];
#endif
	rqstp->rq_next_page = rqstp->rq_respages;
}

/**
 * rpcrdma_svc_reply_taken - the transport has taken pages of the Reply
 * @rqstp: nfsd thread
 * @end: the entries from rq_respages to before this one are empty, all behind have a page
 *
 * Context: nfsd thread, after the Reply was built.
 */
static inline void rpcrdma_svc_reply_taken(struct svc_rqst *rqstp,
					   struct page **end)
{
#ifdef RPCRDMA_SVC_PAGES_SPLIT
	rqstp->rq_next_page = end;
#else
	/* sunrpc would release the empty entries below it */
	rqstp->rq_next_page = rqstp->rq_respages;
#endif
}

/**
 * rpcrdma_svc_fills - does sunrpc fill this entry of the Reply if it is empty?
 * @rqstp: nfsd thread whose Reply is sent
 * @entry: entry at or behind rq_respages
 *
 * Context: unit tests.
 * Return: true if so.
 */
static inline bool rpcrdma_svc_fills(const struct svc_rqst *rqstp,
				     struct page *const *entry)
{
#ifdef RPCRDMA_SVC_PAGES_SPLIT
	return entry < rqstp->rq_next_page;
#else
	return true;
#endif
}

#endif /* _COMPAT_SVC_PAGES_H */
