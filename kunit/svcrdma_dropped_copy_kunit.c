// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies of a Call that came on one connection. If nfsd drops all of them, the last one
 * dropped closes the connection: no Reply will come.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include "../svcrdma/request.h"
#include "../svcrdma/svcrdma.h"

#define SVCRDMA_COPIES	3

/* A Call: XID, CALL, RPC version, NFS, version, procedure, and AUTH_NONE twice, of length 0 */
#define SVCRDMA_COPY_WORDS	10

/*
 * struct svcrdma_copies_test - a transport with copies that nfsd works on
 * @rdma:  the transport
 * @reqs:  the copies
 * @recvs: their receive buffers
 * @words: what is in these
 */
struct svcrdma_copies_test {
	struct svcrdma_xprt	rdma;
	struct svcrdma_req	reqs[SVCRDMA_COPIES];
	struct rpcrdma_recv	recvs[SVCRDMA_COPIES];
	__be32			words[SVCRDMA_COPIES][SVCRDMA_COPY_WORDS];
};

static void svcrdma_copies_add(struct svcrdma_copies_test *t, unsigned int i)
{
	static const u32 words[SVCRDMA_COPY_WORDS] = { 44, 0, 2, 100003, 3, 7 };
	struct svcrdma_req *req = &t->reqs[i];
	unsigned int w;

	for (w = 0; w < SVCRDMA_COPY_WORDS; w++)
		t->words[i][w] = cpu_to_be32(words[w]);
	t->recvs[i].buf.data = t->words[i];
	t->recvs[i].len = sizeof(t->words[i]);
	req->rdma = &t->rdma;
	req->recv = &t->recvs[i];
	req->msg.xid = t->words[i][0];
	req->counted = true;
	req->at_work = true;
	list_add_tail(&req->all, &t->rdma.all_reqs);
}

static struct svcrdma_copies_test *svcrdma_copies_new(struct kunit *test)
{
	struct svcrdma_copies_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	spin_lock_init(&t->rdma.lock);
	INIT_LIST_HEAD(&t->rdma.all_reqs);
	for (i = 0; i < SVCRDMA_COPIES; i++)
		svcrdma_copies_add(t, i);
	return t;
}

/* A dropped copy finds one that nfsd still works on; the last one finds none */
static void svcrdma_copies_dropped(struct kunit *test)
{
	struct svcrdma_copies_test *t = svcrdma_copies_new(test);

	KUNIT_EXPECT_TRUE(test, svcrdma_drop_finds_copy(&t->reqs[0]));
	KUNIT_EXPECT_TRUE(test, svcrdma_drop_finds_copy(&t->reqs[1]));
	KUNIT_EXPECT_FALSE(test, svcrdma_drop_finds_copy(&t->reqs[2]));
}

/* Another Call is no copy, nor is a request that nfsd has answered */
static void svcrdma_copies_others(struct kunit *test)
{
	struct svcrdma_copies_test *t = svcrdma_copies_new(test);

	t->words[1][0] = cpu_to_be32(45);
	t->reqs[1].msg.xid = t->words[1][0];
	t->reqs[2].counted = false;
	KUNIT_EXPECT_FALSE(test, svcrdma_drop_finds_copy(&t->reqs[0]));
}

/* Nor is another Call that was given the same XID */
static void svcrdma_copies_same_xid(struct kunit *test)
{
	struct svcrdma_copies_test *t = svcrdma_copies_new(test);

	t->words[1][5] = cpu_to_be32(8);
	t->reqs[2].counted = false;
	KUNIT_EXPECT_FALSE(test, svcrdma_drop_finds_copy(&t->reqs[0]));
}

static struct kunit_case svcrdma_copies_test_cases[] = {
	KUNIT_CASE(svcrdma_copies_dropped),
	KUNIT_CASE(svcrdma_copies_others),
	KUNIT_CASE(svcrdma_copies_same_xid),
	{}
};

static struct kunit_suite svcrdma_copies_test_suite = {
	.name		= "svcrdma_dropped_copy",
	.test_cases	= svcrdma_copies_test_cases,
};

kunit_test_suite(svcrdma_copies_test_suite);
