// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which connections count as waiting for nfsd threads, in which pool, and which of them skip a
 * turn. There must be no connection. sunrpc does nothing with the transports of these tests,
 * because XPT_BUSY is set.
 */
#include <compat/kunit.h>
#include <compat/svc_queue_kunit.h>
#include <kunit/test.h>
#include <kunit/visibility.h>
#include <linux/in.h>
#include "../svcrdma/request.h"
#include "../svcrdma/svcrdma.h"

#define SVCRDMA_COUNTS_XPRTS	6

/* The first of them, with two clients */
#define SVCRDMA_COUNTS_FEW	3

/**
 * struct svcrdma_counts_test - what the tests share
 * @xprts: transports
 * @reqs: a request of each
 * @later: another request of the first one
 * @waiter: entry of svcrdma_xprt.slot_waiters
 * @stats: counters of all connections
 * @conn: connection of all transports, of which only the counters are used
 * @queued: transport that waits for a thread of each of @pools
 * @pools: two pools that are congested
 */
struct svcrdma_counts_test {
	struct svcrdma_xprt	*xprts[SVCRDMA_COUNTS_XPRTS];
	struct svcrdma_req	*reqs[SVCRDMA_COUNTS_XPRTS];
	struct svcrdma_req	*later;
	struct list_head	waiter;
	struct rpcrdma_stats	stats;
	struct rpcrdma_conn	*conn;
	struct svc_xprt		queued[2];
	struct svc_pool		pools[2];
};

/* Last byte of the address of each */
static const u8 svcrdma_counts_address[SVCRDMA_COUNTS_XPRTS] = { 1, 1, 2, 1, 1, 3 };

static struct svcrdma_xprt *svcrdma_counts_xprt(struct kunit *test, u32 address)
{
	struct svcrdma_xprt *rdma = kunit_kzalloc(test, sizeof(*rdma), GFP_KERNEL);
	struct sockaddr_in *peer;

	KUNIT_ASSERT_NOT_NULL(test, rdma);
	spin_lock_init(&rdma->lock);
	INIT_LIST_HEAD(&rdma->ready);
	INIT_LIST_HEAD(&rdma->begun);
	INIT_LIST_HEAD(&rdma->slot_waiters);
	set_bit(XPT_BUSY, &rdma->xprt.xpt_flags);
	rdma->started = true;
	peer = (struct sockaddr_in *)&rdma->peer;
	peer->sin_family = AF_INET;
	peer->sin_addr.s_addr = cpu_to_be32(address);
	rdma->conn = ((struct svcrdma_counts_test *)test->priv)->conn;
	svcrdma_read_budget_init(rdma);
	return rdma;
}

static int svcrdma_counts_init(struct kunit *test)
{
	struct svcrdma_counts_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	if (!t)
		return -ENOMEM;
	test->priv = t;
	t->conn = kunit_kzalloc(test, sizeof(*t->conn), GFP_KERNEL);
	t->later = kunit_kzalloc(test, sizeof(*t->later), GFP_KERNEL);
	if (!t->conn || !t->later)
		return -ENOMEM;
	t->conn->stats = &t->stats;
	for (i = 0; i < 2; i++) {
		t->pools[i].sp_id = i;
		rpcrdma_kunit_svc_pool_init(&t->pools[i]);
		rpcrdma_kunit_svc_pool_congest(&t->pools[i], &t->queued[i]);
	}
	for (i = 0; i < SVCRDMA_COUNTS_XPRTS; i++) {
		t->reqs[i] = kunit_kzalloc(test, sizeof(*t->reqs[i]), GFP_KERNEL);
		if (!t->reqs[i])
			return -ENOMEM;
		t->xprts[i] = svcrdma_counts_xprt(test, 0xc0000200 + svcrdma_counts_address[i]);
		t->reqs[i]->rdma = t->xprts[i];
	}
	return 0;
}

static void svcrdma_counts_join(struct kunit *test, unsigned int count)
{
	struct svcrdma_counts_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < count; i++)
		KUNIT_ASSERT_EQ(test, 0, svcrdma_client_join(t->xprts[i]));
}

/* The counts of all clients are checked when the module is unloaded */
static void svcrdma_counts_exit(struct kunit *test)
{
	struct svcrdma_counts_test *t = test->priv;
	unsigned int i;

	if (!t)
		return;
	for (i = 0; i < SVCRDMA_COUNTS_XPRTS; i++) {
		if (!t->xprts[i] || !t->xprts[i]->reads.client)
			continue;
		INIT_LIST_HEAD(&t->xprts[i]->ready);
		INIT_LIST_HEAD(&t->xprts[i]->begun);
		svcrdma_turn_stop(t->xprts[i]);
		svcrdma_client_leave(t->xprts[i]);
	}
}

static unsigned int svcrdma_counts_waiting(const struct svcrdma_xprt *rdma)
{
	return atomic_read(&rdma->reads.client->pool_turns[rdma->turn_pool].waiting);
}

static void svcrdma_counts_call(struct svcrdma_counts_test *t, unsigned int i)
{
	svcrdma_queue(t->xprts[i], t->reqs[i], SVCRDMA_STAGE_NEW);
}

static void svcrdma_counts_update(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	svcrdma_turn_update(rdma);
	spin_unlock(&rdma->lock);
}

/* From the first request in the queue to the last */
static void svcrdma_counts_queue(struct kunit *test)
{
	struct svcrdma_counts_test *t = test->priv;

	svcrdma_counts_join(test, SVCRDMA_COUNTS_FEW);
	svcrdma_counts_call(t, 0);
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_waiting(t->xprts[1]));
	svcrdma_counts_call(t, 1);
	svcrdma_counts_call(t, 2);
	KUNIT_EXPECT_EQ(test, 2, svcrdma_counts_waiting(t->xprts[0]));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_waiting(t->xprts[2]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[0], svcrdma_queue_next(t->xprts[0], NULL));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_waiting(t->xprts[0]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[1], svcrdma_queue_next(t->xprts[1], NULL));
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_waiting(t->xprts[0]));
}

/* While no client has two connections, nothing is counted */
static void svcrdma_counts_single(struct kunit *test)
{
	struct svcrdma_counts_test *t = test->priv;

	svcrdma_counts_join(test, 1);
	svcrdma_counts_call(t, 0);
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_waiting(t->xprts[0]));
}

/* A thread could not work on a request that waits for memory or for slots */
static void svcrdma_counts_held(struct kunit *test)
{
	struct svcrdma_counts_test *t = test->priv;
	struct svcrdma_xprt *rdma = t->xprts[0];

	svcrdma_counts_join(test, SVCRDMA_COUNTS_FEW);
	svcrdma_counts_call(t, 0);
	rdma->memory_waits = true;
	svcrdma_counts_update(rdma);
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_waiting(rdma));
	rdma->memory_waits = false;
	svcrdma_counts_update(rdma);
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_waiting(rdma));
	list_add(&t->waiter, &rdma->slot_waiters);
	svcrdma_counts_update(rdma);
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_waiting(rdma));
	list_del(&t->waiter);
	svcrdma_counts_update(rdma);
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_waiting(rdma));
	rdma->queue_closed = true;
	svcrdma_counts_update(rdma);
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_waiting(rdma));
}

static u64 svcrdma_counts_skipped(const struct svcrdma_counts_test *t)
{
	return atomic64_read(&t->stats.counter[RPCRDMA_C_TURNS_SKIPPED]);
}

/* All three connections have a Call, in the first pool */
static struct svcrdma_counts_test *svcrdma_counts_contend(struct kunit *test)
{
	struct svcrdma_counts_test *t = test->priv;
	unsigned int i;

	svcrdma_counts_join(test, SVCRDMA_COUNTS_FEW);
	for (i = 0; i < SVCRDMA_COUNTS_FEW; i++)
		svcrdma_counts_call(t, i);
	return t;
}

/* Two connections beside one use one turn of two; the last one of the two has no other beside it */
static void svcrdma_counts_skip(struct kunit *test)
{
	struct svcrdma_counts_test *t = svcrdma_counts_contend(test);

	KUNIT_EXPECT_NULL(test, svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 2, svcrdma_counts_waiting(t->xprts[0]));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_skipped(t));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[1], svcrdma_queue_next(t->xprts[1], &t->pools[0]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[2], svcrdma_queue_next(t->xprts[2], &t->pools[0]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[0], svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_skipped(t));
}

/* While no transport waits for a thread, no turn is skipped */
static void svcrdma_counts_not_congested(struct kunit *test)
{
	struct svcrdma_counts_test *t = svcrdma_counts_contend(test);

	memset(&t->pools[0], 0, sizeof(t->pools[0]));
	rpcrdma_kunit_svc_pool_init(&t->pools[0]);
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[0], svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_skipped(t));
}

/* Requests that have begun need no turn, and none is needed to release requests */
static void svcrdma_counts_begun(struct kunit *test)
{
	struct svcrdma_counts_test *t = svcrdma_counts_contend(test);

	t->later->rdma = t->xprts[0];
	svcrdma_queue(t->xprts[0], t->later, SVCRDMA_STAGE_READ_DONE);
	KUNIT_EXPECT_PTR_EQ(test, t->later, svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_skipped(t));
	KUNIT_EXPECT_EQ(test, 2, svcrdma_counts_waiting(t->xprts[0]));
	KUNIT_EXPECT_NULL(test, svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_skipped(t));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[0], svcrdma_queue_next(t->xprts[0], NULL));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_skipped(t));
}

/* A message that is only to be refused needs a turn like a Call */
static void svcrdma_counts_refused(struct kunit *test)
{
	struct svcrdma_counts_test *t = test->priv;
	unsigned int i;

	svcrdma_counts_join(test, SVCRDMA_COUNTS_FEW);
	for (i = 0; i < SVCRDMA_COUNTS_FEW; i++)
		svcrdma_queue(t->xprts[i], t->reqs[i], SVCRDMA_STAGE_REFUSED);
	KUNIT_EXPECT_NULL(test, svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_skipped(t));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[0], svcrdma_queue_next(t->xprts[0], &t->pools[0]));
}

/* A Call that is refused after it was taken has had its turn */
static void svcrdma_counts_refused_later(struct kunit *test)
{
	struct svcrdma_counts_test *t = svcrdma_counts_contend(test);

	t->later->rdma = t->xprts[0];
	t->later->sink_bytes = PAGE_SIZE;
	svcrdma_queue(t->xprts[0], t->later, SVCRDMA_STAGE_REFUSED);
	KUNIT_EXPECT_PTR_EQ(test, t->later, svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_skipped(t));
}

/* Threads of another pool dequeue a connection: there it waits alone */
static void svcrdma_counts_pools(struct kunit *test)
{
	struct svcrdma_counts_test *t = svcrdma_counts_contend(test);

	KUNIT_EXPECT_NULL(test, svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[1], svcrdma_queue_next(t->xprts[1], &t->pools[1]));
	KUNIT_EXPECT_NE(test, t->xprts[0]->turn_pool, t->xprts[1]->turn_pool);
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_waiting(t->xprts[0]));
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_waiting(t->xprts[1]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[0], svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_counts_skipped(t));
}

/* A turn that is skipped in one pool pays for none in another */
static void svcrdma_counts_each_pool(struct kunit *test)
{
	struct svcrdma_counts_test *t = test->priv;
	unsigned int i;

	svcrdma_counts_join(test, SVCRDMA_COUNTS_XPRTS);
	for (i = 0; i < SVCRDMA_COUNTS_XPRTS; i++) {
		svcrdma_counts_call(t, i);
		if (i < SVCRDMA_COUNTS_FEW)
			continue;
		KUNIT_EXPECT_PTR_EQ(test, t->reqs[i],
				    svcrdma_queue_next(t->xprts[i], &t->pools[1]));
		svcrdma_counts_call(t, i);
	}
	KUNIT_EXPECT_EQ(test, 0, svcrdma_counts_skipped(t));
	KUNIT_EXPECT_NULL(test, svcrdma_queue_next(t->xprts[0], &t->pools[0]));
	KUNIT_EXPECT_NULL(test, svcrdma_queue_next(t->xprts[3], &t->pools[1]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[4], svcrdma_queue_next(t->xprts[4], &t->pools[1]));
	KUNIT_EXPECT_PTR_EQ(test, t->reqs[1], svcrdma_queue_next(t->xprts[1], &t->pools[0]));
}

static struct kunit_case svcrdma_turn_counts_tests[] = {
	KUNIT_CASE(svcrdma_counts_queue),
	KUNIT_CASE(svcrdma_counts_single),
	KUNIT_CASE(svcrdma_counts_held),
	KUNIT_CASE(svcrdma_counts_skip),
	KUNIT_CASE(svcrdma_counts_not_congested),
	KUNIT_CASE(svcrdma_counts_begun),
	KUNIT_CASE(svcrdma_counts_refused),
	KUNIT_CASE(svcrdma_counts_refused_later),
	KUNIT_CASE(svcrdma_counts_pools),
	KUNIT_CASE(svcrdma_counts_each_pool),
	{}
};

static struct kunit_suite svcrdma_turn_counts_suite = {
	.name		= "svcrdma_turn_counts",
	.init		= svcrdma_counts_init,
	.exit		= svcrdma_counts_exit,
	.test_cases	= svcrdma_turn_counts_tests,
};

kunit_test_suite(svcrdma_turn_counts_suite);
