// SPDX-License-Identifier: GPL-2.0-only
/*
 * The budget for data sinks of RDMA Reads: which Call may begin, and which one waits.
 * There must be no connection. The transports of the tests are not established, so their
 * Calls stay in the queue of ready requests.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/in.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <rpcrdma/param.h>
#include "../svcrdma/params.h"
#include "../svcrdma/request.h"
#include "../svcrdma/svcrdma.h"
#include "support.h"

#define SVCRDMA_BUDGET_XPRTS	3

/* The smallest budget: larger where nfsd takes larger payloads */
#define SVCRDMA_BUDGET_LEAST	(RPCSVC_MAXPAYLOAD + SZ_1M)

/*
 * struct svcrdma_budget_test - what the tests share
 * @memory: svcrdma.read_memory before the test
 * @client: svcrdma.read_memory_client before the test
 * @stats:  counters of all connections
 * @xprts:  transports, of 192.0.2.1, 192.0.2.2 and 192.0.2.3
 */
struct svcrdma_budget_test {
	unsigned int		memory;
	unsigned int		client;
	struct rpcrdma_stats	stats;
	struct svcrdma_xprt	*xprts[SVCRDMA_BUDGET_XPRTS];
};

static struct svcrdma_xprt *svcrdma_budget_xprt(struct kunit *test, unsigned int i)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_xprt *rdma = kunit_kzalloc(test, sizeof(*rdma), GFP_KERNEL);
	struct sockaddr_in *peer;

	KUNIT_ASSERT_NOT_NULL(test, rdma);
	rdma->conn = kunit_kzalloc(test, sizeof(*rdma->conn), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rdma->conn);
	rdma->conn->stats = &t->stats;
	spin_lock_init(&rdma->lock);
	INIT_LIST_HEAD(&rdma->ready);
	INIT_LIST_HEAD(&rdma->begun);
	peer = (struct sockaddr_in *)&rdma->peer;
	peer->sin_family = AF_INET;
	peer->sin_addr.s_addr = cpu_to_be32(0xc0000201 + i);
	svcrdma_read_budget_init(rdma);
	return rdma;
}

/* @memory of the server, @client of a client: bytes */
static void svcrdma_budget_set(struct kunit *test, unsigned int memory,
			       unsigned int client)
{
	svcrdma_read_memory_param.value = memory / SZ_1M;
	svcrdma_read_client_param.value = client / SZ_1M;
}

static int svcrdma_budget_test_init(struct kunit *test)
{
	struct svcrdma_budget_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	if (!t)
		return -ENOMEM;
	test->priv = t;
	t->memory = svcrdma_read_memory_param.value;
	t->client = svcrdma_read_client_param.value;
	for (i = 0; i < SVCRDMA_BUDGET_XPRTS; i++)
		t->xprts[i] = svcrdma_budget_xprt(test, i);
	return 0;
}

/* The transports have joined, and a Call of each was accepted */
static void svcrdma_budget_join(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < SVCRDMA_BUDGET_XPRTS; i++) {
		KUNIT_ASSERT_EQ(test, 0, svcrdma_client_join(t->xprts[i]));
		svcrdma_read_budget_accepted(t->xprts[i]);
	}
}

/* Parting returns what the Calls of a failed test still have */
static void svcrdma_budget_test_exit(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	unsigned int i;

	if (!t)
		return;
	for (i = 0; i < SVCRDMA_BUDGET_XPRTS; i++)
		if (t->xprts[i])
			svcrdma_read_budget_close(t->xprts[i]);
	for (i = 0; i < SVCRDMA_BUDGET_XPRTS; i++)
		if (t->xprts[i])
			svcrdma_client_leave(t->xprts[i]);
	svcrdma_read_memory_param.value = t->memory;
	svcrdma_read_client_param.value = t->client;
}

/* A Call whose data sink takes @bytes, a number of pages, comes to a transport */
static struct svcrdma_req *svcrdma_budget_call(struct kunit *test, unsigned int xprt,
					       u32 bytes)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_req *req = kunit_kzalloc(test, sizeof(*req), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, req);
	req->recv = kunit_kzalloc(test, sizeof(*req->recv), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, req->recv);
	req->rdma = t->xprts[xprt];
	INIT_LIST_HEAD(&req->node);
	rpcrdma_msg_init(&req->msg, req->segs, ARRAY_SIZE(req->segs));
	rpcrdma_test_add_read(test, &req->msg, 44, bytes - XDR_UNIT);
	req->chunks[0] = req->msg.reads;
	req->nchunks = 1;
	svcrdma_call_ready(req);
	return req;
}

static bool svcrdma_budget_is_ready(const struct svcrdma_req *req)
{
	const struct svcrdma_req *ready;

	list_for_each_entry(ready, &req->rdma->ready, node)
		if (ready == req)
			return true;
	return false;
}

/* nfsd has finished a Call that was ready */
static void svcrdma_budget_end(struct svcrdma_req *req)
{
	list_del_init(&req->node);
	svcrdma_read_budget_put(req);
}

/* Other transports walk the queue of turns, and its requests are freed */
static void svcrdma_budget_lost(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_read_account *lost = &t->xprts[1]->reads;
	struct svcrdma_req *small, *large, *waiting, *held;

	svcrdma_budget_set(test, SVCRDMA_BUDGET_LEAST, SVCRDMA_BUDGET_LEAST);
	svcrdma_budget_join(test);
	small = svcrdma_budget_call(test, 1, PAGE_SIZE);
	large = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST - SZ_1M);
	waiting = svcrdma_budget_call(test, 1, SZ_1M);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(small));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(large));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(waiting));
	KUNIT_EXPECT_FALSE(test, list_empty(&lost->wait_node));

	svcrdma_read_budget_close(t->xprts[1]);
	KUNIT_EXPECT_TRUE(test, list_empty(&lost->wait_node));
	svcrdma_budget_end(small);
	KUNIT_EXPECT_TRUE(test, list_empty(&lost->wait_node));
	/* Its first copy ends */
	held = svcrdma_budget_call(test, 1, PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, list_empty(&lost->wait_node));
	svcrdma_budget_end(large);
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(waiting));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(held));
}

/* Nor does it begin if no other Call waits */
static void svcrdma_budget_lost_alone(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_req *held;

	svcrdma_budget_set(test, SVCRDMA_BUDGET_LEAST, SVCRDMA_BUDGET_LEAST);
	svcrdma_budget_join(test);
	svcrdma_read_budget_close(t->xprts[1]);
	held = svcrdma_budget_call(test, 1, SZ_1M);
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(held));
	KUNIT_EXPECT_EQ(test, 0UL, svcrdma_read_budget_used());
}

/* Small Calls of others do not keep a large one waiting */
static void svcrdma_budget_order(struct kunit *test)
{
	struct svcrdma_req *first, *large, *small, *small_too;

	svcrdma_budget_set(test, SVCRDMA_BUDGET_LEAST, SVCRDMA_BUDGET_LEAST);
	svcrdma_budget_join(test);
	first = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST - SZ_512K);
	large = svcrdma_budget_call(test, 1, SZ_1M);
	small = svcrdma_budget_call(test, 2, PAGE_SIZE);
	small_too = svcrdma_budget_call(test, 0, PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(first));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(large));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(small));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(small_too));

	svcrdma_budget_end(first);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(large));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(small));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(small_too));
}

/* A client that has used up its own share holds no other client up */
static void svcrdma_budget_share(struct kunit *test)
{
	struct svcrdma_req *first, *large, *other;

	svcrdma_budget_set(test, 4 * SVCRDMA_BUDGET_LEAST, SVCRDMA_BUDGET_LEAST);
	svcrdma_budget_join(test);
	first = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST - SZ_512K);
	large = svcrdma_budget_call(test, 0, SZ_1M);
	other = svcrdma_budget_call(test, 1, SZ_1M);
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(large));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(other));
	svcrdma_budget_end(first);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(large));
}

/* Two transports of one client, 0 and 1, and one of another, 2 */
static void svcrdma_budget_two_clients(struct kunit *test, unsigned int client)
{
	struct svcrdma_budget_test *t = test->priv;

	svcrdma_budget_set(test, 4 * SVCRDMA_BUDGET_LEAST, client);
	t->xprts[1]->peer = t->xprts[0]->peer;
	svcrdma_budget_join(test);
}

/* Small Calls on another connection of a client do not keep its large one waiting */
static void svcrdma_budget_client_order(struct kunit *test)
{
	struct svcrdma_req *first, *large, *small;

	svcrdma_budget_two_clients(test, SVCRDMA_BUDGET_LEAST);
	first = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST - SZ_512K);
	large = svcrdma_budget_call(test, 0, SZ_1M);
	small = svcrdma_budget_call(test, 1, PAGE_SIZE);
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(large));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(small));
	svcrdma_budget_end(first);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(large));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(small));
}

/* When the large one is lost, the small one begins, although no Call has ended */
static void svcrdma_budget_client_lost(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_req *first, *large, *small;

	svcrdma_budget_two_clients(test, SVCRDMA_BUDGET_LEAST);
	first = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST - SZ_512K);
	large = svcrdma_budget_call(test, 0, SZ_1M);
	small = svcrdma_budget_call(test, 1, PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(first));
	svcrdma_read_budget_close(t->xprts[0]);
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(large));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(small));
}

/* A client with two connections gets no more turns than one with one */
static void svcrdma_budget_client_turns(struct kunit *test)
{
	struct svcrdma_req *all, *call, *call_too, *other, *other_too;

	svcrdma_budget_two_clients(test, 4 * SVCRDMA_BUDGET_LEAST);
	svcrdma_budget_set(test, SVCRDMA_BUDGET_LEAST, SVCRDMA_BUDGET_LEAST);
	all = svcrdma_budget_call(test, 2, SVCRDMA_BUDGET_LEAST);
	call = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST / 2);
	call_too = svcrdma_budget_call(test, 1, SVCRDMA_BUDGET_LEAST / 2);
	other = svcrdma_budget_call(test, 2, SVCRDMA_BUDGET_LEAST / 2);
	other_too = svcrdma_budget_call(test, 2, SVCRDMA_BUDGET_LEAST / 2);
	svcrdma_budget_end(all);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(call));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(other));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(call_too));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(other_too));
	svcrdma_budget_end(call);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(call_too));
	svcrdma_budget_end(other);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(other_too));
}

/* What another connection has drawn and does not use is given to the Call that waits */
static void svcrdma_budget_spares(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_req *call, *other;

	svcrdma_budget_two_clients(test, SVCRDMA_BUDGET_LEAST);
	svcrdma_budget_end(svcrdma_budget_call(test, 1, PAGE_SIZE));
	KUNIT_EXPECT_GT(test, atomic_long_read(&t->xprts[1]->reads.spare), 0L);
	/* Of the client */
	call = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(call));
	KUNIT_EXPECT_EQ(test, 0L, atomic_long_read(&t->xprts[1]->reads.spare));
	svcrdma_budget_end(call);
	/* Of the server */
	svcrdma_budget_end(svcrdma_budget_call(test, 1, PAGE_SIZE));
	svcrdma_budget_set(test, SVCRDMA_BUDGET_LEAST, SVCRDMA_BUDGET_LEAST);
	other = svcrdma_budget_call(test, 2, SVCRDMA_BUDGET_LEAST);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(other));
	KUNIT_EXPECT_EQ(test, 0L, atomic_long_read(&t->xprts[1]->reads.spare));
}

/* After a Call has waited, no connection has a spare until an eighth of the budget is left */
static void svcrdma_budget_tight(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_req *large, *second, *small, *waiting;

	svcrdma_budget_set(test, 4 * SVCRDMA_BUDGET_LEAST, 4 * SVCRDMA_BUDGET_LEAST);
	svcrdma_budget_join(test);
	large = svcrdma_budget_call(test, 0, 13 * (SVCRDMA_BUDGET_LEAST / 4));
	second = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST / 4);
	small = svcrdma_budget_call(test, 1, PAGE_SIZE);
	waiting = svcrdma_budget_call(test, 2, SVCRDMA_BUDGET_LEAST / 2);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(small));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(waiting));
	svcrdma_budget_end(second);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(waiting));
	/* None waits, and less than an eighth is left */
	svcrdma_budget_end(small);
	KUNIT_EXPECT_EQ(test, 0L, atomic_long_read(&t->xprts[1]->reads.spare));
	svcrdma_budget_end(svcrdma_budget_call(test, 1, PAGE_SIZE));
	KUNIT_EXPECT_EQ(test, 0L, atomic_long_read(&t->xprts[1]->reads.spare));
	svcrdma_budget_end(large);
	svcrdma_budget_end(svcrdma_budget_call(test, 1, PAGE_SIZE));
	KUNIT_EXPECT_GT(test, atomic_long_read(&t->xprts[1]->reads.spare), 0L);
}

/* A larger share lets a Call begin that has waited for it */
static void svcrdma_budget_larger(struct kunit *test)
{
	struct svcrdma_req *first, *waiting;

	svcrdma_budget_two_clients(test, SVCRDMA_BUDGET_LEAST);
	first = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST);
	waiting = svcrdma_budget_call(test, 1, SZ_1M);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(first));
	KUNIT_EXPECT_FALSE(test, svcrdma_budget_is_ready(waiting));
	svcrdma_budget_set(test, 4 * SVCRDMA_BUDGET_LEAST, 2 * SVCRDMA_BUDGET_LEAST);
	svcrdma_read_budget_changed();
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(waiting));
}

/* One address in two network namespaces is two clients */
static void svcrdma_budget_net(struct kunit *test)
{
	struct svcrdma_budget_test *t = test->priv;
	struct svcrdma_req *first, *other;

	svcrdma_budget_set(test, 4 * SVCRDMA_BUDGET_LEAST, SVCRDMA_BUDGET_LEAST);
	t->xprts[1]->peer = t->xprts[0]->peer;
	/* Never followed */
	t->xprts[1]->xprt.xpt_net = test->priv;
	svcrdma_budget_join(test);
	first = svcrdma_budget_call(test, 0, SVCRDMA_BUDGET_LEAST);
	other = svcrdma_budget_call(test, 1, SVCRDMA_BUDGET_LEAST);
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(first));
	KUNIT_EXPECT_TRUE(test, svcrdma_budget_is_ready(other));
}

static struct kunit_case svcrdma_budget_test_cases[] = {
	KUNIT_CASE(svcrdma_budget_lost),
	KUNIT_CASE(svcrdma_budget_lost_alone),
	KUNIT_CASE(svcrdma_budget_order),
	KUNIT_CASE(svcrdma_budget_share),
	KUNIT_CASE(svcrdma_budget_client_order),
	KUNIT_CASE(svcrdma_budget_client_lost),
	KUNIT_CASE(svcrdma_budget_client_turns),
	KUNIT_CASE(svcrdma_budget_spares),
	KUNIT_CASE(svcrdma_budget_tight),
	KUNIT_CASE(svcrdma_budget_larger),
	KUNIT_CASE(svcrdma_budget_net),
	{}
};

static struct kunit_suite svcrdma_budget_test_suite = {
	.name		= "svcrdma_read_budget",
	.init		= svcrdma_budget_test_init,
	.exit		= svcrdma_budget_test_exit,
	.test_cases	= svcrdma_budget_test_cases,
};

kunit_test_suite(svcrdma_budget_test_suite);
