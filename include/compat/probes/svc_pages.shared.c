// SPDX-License-Identifier: GPL-2.0-only
/* One allocated array, for the Call and the Reply: rq_pages follows rq_maxpages directly */
#include <linux/sunrpc/svc.h>

static_assert(offsetof(struct svc_rqst, rq_pages) ==
	      offsetofend(struct svc_rqst, rq_maxpages));
static_assert(__same_type(((struct svc_rqst *)NULL)->rq_pages, struct page **));
