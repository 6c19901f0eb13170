// SPDX-License-Identifier: GPL-2.0-only
/* One array in the struct, for the Call and the Reply */
#include <linux/sunrpc/svc.h>

static_assert(sizeof(((struct svc_rqst *)NULL)->rq_pages) >=
	      RPCSVC_MAXPAGES * sizeof(struct page *));
static_assert(RPCSVC_MAXPAGES > 1);
