// SPDX-License-Identifier: GPL-2.0-only
/* An allocated array for the Call, and another one for the Reply */
#include <linux/sunrpc/svc.h>

static_assert(__same_type(((struct svc_rqst *)NULL)->rq_pages, struct page **));

void probe(struct svc_rqst *rqstp, unsigned long n);

void probe(struct svc_rqst *rqstp, unsigned long n)
{
	if (n < rqstp->rq_maxpages)
		rqstp->rq_pages_nfree = n;
}
