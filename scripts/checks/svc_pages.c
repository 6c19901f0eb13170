// SPDX-License-Identifier: GPL-2.0-only
/*
 * What include/compat/svc_pages.h does with each form of the pages of a server thread.
 * scripts/checks/probes compiles this with small headers of the form, and runs it.
 */
#include <compat/svc_pages.h>

#define ENTRIES	8

int printf(const char *format, ...);

static int failed;

#define EXPECT(what) do {						\
	if (!(what)) {							\
		printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
		failed = 1;						\
	}								\
} while (0)

/* As sunrpc does before it receives a Call; returns whether Call and Reply share an array */
static bool prepare(struct svc_rqst *rqstp, struct page **call, struct page **reply)
{
#ifndef RPCRDMA_SVC_PAGES_FIXED
	rqstp->rq_pages = call;
	rqstp->rq_maxpages = ENTRIES;
#endif
#ifdef RPCRDMA_SVC_PAGES_SPLIT
	rqstp->rq_respages = reply;
	rqstp->rq_pages_nfree = 0;
#else
	rqstp->rq_respages = rqstp->rq_pages;
#endif
	rqstp->rq_page_end = &rqstp->rq_respages[ENTRIES];
	return rqstp->rq_respages == rqstp->rq_pages;
}

/* All entries, or one is left for the Reply */
static void check_call_pages(const struct svc_rqst *rqstp)
{
	EXPECT(rpcrdma_svc_call_pages(rqstp) >= ENTRIES - 1);
	EXPECT(rpcrdma_svc_call_pages(rqstp) <= ENTRIES);
}

/* sunrpc frees an array of the Reply by rq_respages */
static void check_reply_begin(struct svc_rqst *rqstp, bool shared)
{
	struct page **reply = rqstp->rq_respages;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		rpcrdma_svc_reply_begin(rqstp, i);
		EXPECT(rqstp->rq_respages == reply + (shared ? i : 0));
		EXPECT(rqstp->rq_next_page == rqstp->rq_respages);
	}
}

/*
 * Two pages of three are gone. sunrpc releases what is below rq_next_page, and fills what
 * it finds empty, with two arrays only there.
 */
static void check_reply_taken(struct svc_rqst *rqstp, bool shared)
{
	struct page **end = rqstp->rq_respages + 2;

	rqstp->rq_next_page = end + 1;
	rpcrdma_svc_reply_taken(rqstp, end);
	EXPECT(rqstp->rq_next_page == (shared ? rqstp->rq_respages : end));
	EXPECT(rpcrdma_svc_fills(rqstp, end - 1));
}

/* The array of the Reply may be above that of the Call, or below it */
static void check(bool above)
{
	struct page *arrays[2][ENTRIES] = { };
	struct svc_rqst rqst = { };
	bool shared = prepare(&rqst, arrays[!above], arrays[above]);

	check_call_pages(&rqst);
	check_reply_begin(&rqst, shared);
	check_reply_taken(&rqst, shared);
}

int main(void)
{
	check(true);
	check(false);
	return failed;
}
