// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes of a connection: known devices, what must hold on any device, and what
 * is refused.
 */
#include <linux/sizes.h>
#include <asm/page.h>
#include <rpcrdma/msg.h>
#include "limits_kunit.h"
#include "support.h"

const struct rpcrdma_caps rpcrdma_caps_rxe = {
	.max_qp_wr	= 1 << 20,
	.max_cqe	= (1 << 15) - 1,
	.max_send_sge	= 32,
	.max_recv_sge	= 32,
	.mr_pages	= 512,
	.max_read_in	= 128,
	.max_read_out	= 128,
	.max_read_sge	= 32,
	.frwr		= true,
};

static const struct rpcrdma_caps rpcrdma_caps_siw = {
	.max_qp_wr	= 32 * 1024,
	.max_cqe	= 32 * 1024 * 100,
	.max_send_sge	= 6,
	.max_recv_sge	= 6,
	.mr_pages	= 256,
	.max_read_in	= 128,
	.max_read_out	= 128,
	.max_read_sge	= 1,
	.read_mrs	= true,
	.frwr		= true,
};

const struct rpcrdma_caps rpcrdma_caps_mlx5 = {
	.max_qp_wr	= 32 * 1024,
	.max_cqe	= 4 * 1024 * 1024 - 1,
	.max_send_sge	= 30,
	.max_recv_sge	= 32,
	.mr_pages	= 64 * 1024,
	.max_read_in	= 16,
	.max_read_out	= 16,
	.max_read_sge	= 30,
	.read_mrs	= true,
	.frwr		= true,
};

const struct rpcrdma_settings rpcrdma_settings_default = {
	.credits	= 128,
	.bc_credits	= 16,
	.inline_send	= 8192,
	.inline_recv	= 8192,
	.max_payload	= SZ_1M,
	.unsignaled	= RPCRDMA_UNSIGNALED_DEFAULT,
};

struct rpcrdma_limits_case {
	const char			*name;
	const struct rpcrdma_caps	*caps;
	u32				mr_pages;
	u32				mrs_per_chunk;
	u32				client_sges;
	u32				server_sges;
	u32				reply_writes;
	u32				credit_slots;
};

#define RPCRDMA_TEST_PAGES	(SZ_1M / PAGE_SIZE)

/* A large Reply: a Write for its segment, and one for each 16 (siw: 6) of 257 pages */
static const struct rpcrdma_limits_case rpcrdma_limits_cases[] = {
	{ "rxe", &rpcrdma_caps_rxe, RPCRDMA_TEST_PAGES + 3, 1, 6, 16, 1 + 17, 2 },
	{ "siw", &rpcrdma_caps_siw, 256, 2, 6, 6, 1 + 43, 3 },
	{ "mlx5", &rpcrdma_caps_mlx5, RPCRDMA_TEST_PAGES + 3, 1, 6, 16, 1 + 17, 3 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_limits, rpcrdma_limits_cases, name);

/* All MRs of two chunks, registered and invalidated, and the Send */
static u32 rpcrdma_limits_client_chain(const struct rpcrdma_limits *limits)
{
	return 2 * 2 * (limits->mrs_per_chunk + 2) + 1;
}

static void rpcrdma_limits_known_client(struct kunit *test)
{
	const struct rpcrdma_limits_case *c = test->param_value;
	struct rpcrdma_limits limits;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	KUNIT_ASSERT_EQ(test, 0,
			rpcrdma_limits_client(&limits, c->caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, 128, limits.credits);
	KUNIT_EXPECT_EQ(test, 16, limits.bc_credits);
	KUNIT_EXPECT_EQ(test, 144, limits.recv_depth);
	KUNIT_EXPECT_EQ(test, SZ_1M, limits.max_payload);
	KUNIT_EXPECT_EQ(test, c->mr_pages, limits.mr_pages);
	KUNIT_EXPECT_EQ(test, c->mrs_per_chunk, limits.mrs_per_chunk);
	KUNIT_EXPECT_EQ(test, c->client_sges, limits.send_sges);
	/*
	 * For each credit a Send, and registration and invalidation of the MRs of a chunk;
	 * reverse Replies; the longest chain
	 */
	KUNIT_EXPECT_EQ(test, 128 * (1 + 2 * c->mrs_per_chunk) + 16 +
			rpcrdma_limits_client_chain(&limits), limits.send_depth);
	KUNIT_EXPECT_EQ(test, 7, limits.unsignaled);
	/* Half of what the longest chain leaves */
	KUNIT_EXPECT_EQ(test, (limits.send_depth - rpcrdma_limits_client_chain(&limits)) / 2,
			limits.unsignaled_slots);
}

static void rpcrdma_limits_known_server(struct kunit *test)
{
	const struct rpcrdma_limits_case *c = test->param_value;
	struct rpcrdma_limits limits;

	if (PAGE_SIZE != SZ_4K)
		kunit_skip(test, "numbers are for pages of 4 KiB");
	KUNIT_ASSERT_EQ(test, 0,
			rpcrdma_limits_server(&limits, c->caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, 128, limits.credits);
	KUNIT_EXPECT_EQ(test, 144, limits.recv_depth);
	KUNIT_EXPECT_EQ(test, c->server_sges, limits.send_sges);
	KUNIT_EXPECT_EQ(test, 0, limits.mr_pages);
	/* Of 16 large Calls: two MRs, since the data may not begin on a page, and one more */
	KUNIT_EXPECT_EQ(test, 16 * (2 + 1), limits.rw_ctxs);
	/* Slots of each credit, reverse Calls, and 16 large Replies */
	KUNIT_EXPECT_EQ(test, 128 * c->credit_slots + 16 + 16 * c->reply_writes, limits.send_depth);
}

/* Queues grow with the payloads that are in use, not with the largest possible one */
static void rpcrdma_limits_large_payload(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	const struct rpcrdma_limits_case *c = test->param_value;
	struct rpcrdma_limits usual, large;

	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&usual, c->caps, &settings));
	settings.max_payload = SZ_4M;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&large, c->caps, &settings));
	KUNIT_EXPECT_EQ(test, SZ_4M, large.max_payload);
	KUNIT_EXPECT_EQ(test, usual.recv_depth, large.recv_depth);
	KUNIT_EXPECT_LE(test, large.send_depth, usual.send_depth * 9 / 8);
	KUNIT_EXPECT_LE(test, large.rw_ctxs, usual.rw_ctxs * 9 / 8);
}

/* However long, Sends without a completion leave room for the longest chain */
static void rpcrdma_limits_hold_unsignaled(struct kunit *test,
					   const struct rpcrdma_limits *limits,
					   u32 chain)
{
	u32 slots, nunsignaled, kept;

	for (slots = 1; slots < chain; slots = slots * 3 / 2 + 1) {
		kept = 0;
		nunsignaled = 0;
		while (rpcrdma_limits_may_unsignal(limits, nunsignaled, kept,
						   slots)) {
			nunsignaled++;
			kept += slots;
		}
		KUNIT_EXPECT_LE(test, nunsignaled, limits->unsignaled);
		KUNIT_EXPECT_GE(test, limits->send_depth, kept + chain);
	}
	KUNIT_EXPECT_LE(test, limits->unsignaled, limits->unsignaled_slots);
}

static void rpcrdma_limits_hold(struct kunit *test,
				const struct rpcrdma_limits *limits,
				const struct rpcrdma_caps *caps,
				const struct rpcrdma_settings *settings,
				u32 chain)
{
	KUNIT_EXPECT_GE(test, limits->credits, 1);
	KUNIT_EXPECT_LE(test, limits->credits, settings->credits);
	KUNIT_EXPECT_EQ(test, limits->bc_credits, settings->bc_credits);
	KUNIT_EXPECT_EQ(test, limits->recv_depth,
			limits->credits + limits->bc_credits);
	KUNIT_EXPECT_GE(test, limits->send_depth, chain);
	rpcrdma_limits_hold_unsignaled(test, limits, chain);
	/* a drain marker for each queue, and the keepalive */
	KUNIT_EXPECT_LE(test, limits->send_depth + 2, caps->max_qp_wr);
	KUNIT_EXPECT_LE(test, limits->recv_depth + 1, caps->max_qp_wr);
	KUNIT_EXPECT_EQ(test, limits->cq_depth,
			limits->send_depth + limits->recv_depth + 3);
	KUNIT_EXPECT_LE(test, limits->cq_depth, caps->max_cqe);
	KUNIT_EXPECT_GE(test, limits->send_sges, 1);
	KUNIT_EXPECT_LE(test, limits->send_sges, caps->max_send_sge);
	KUNIT_EXPECT_EQ(test, limits->inline_send, settings->inline_send);
	KUNIT_EXPECT_EQ(test, limits->inline_recv, settings->inline_recv);
	KUNIT_EXPECT_GE(test, limits->max_payload,
			min_t(u32, PAGE_SIZE, settings->max_payload));
	KUNIT_EXPECT_LE(test, limits->max_payload, settings->max_payload);
}

/* Whether the device was taken; all rules hold then */
static bool rpcrdma_limits_try_client(struct kunit *test,
				      const struct rpcrdma_caps *caps,
				      const struct rpcrdma_settings *settings)
{
	struct rpcrdma_limits limits;
	int ret;

	ret = rpcrdma_limits_client(&limits, caps, settings);
	KUNIT_EXPECT_TRUE(test, !ret || ret == -EINVAL);
	if (ret)
		return false;
	rpcrdma_limits_hold(test, &limits, caps, settings,
			    rpcrdma_limits_client_chain(&limits));
	KUNIT_EXPECT_GE(test, limits.mr_pages, 1);
	KUNIT_EXPECT_LE(test, limits.mr_pages, caps->mr_pages);
	if (settings->mr_pages)
		KUNIT_EXPECT_LE(test, limits.mr_pages, settings->mr_pages);
	KUNIT_EXPECT_LE(test, limits.mrs_per_chunk, 14);
	KUNIT_EXPECT_GE(test, (u64)limits.mrs_per_chunk * limits.mr_pages,
			DIV_ROUND_UP(limits.max_payload, PAGE_SIZE) + 3);
	return true;
}

static bool rpcrdma_limits_try_server(struct kunit *test,
				      const struct rpcrdma_caps *caps,
				      const struct rpcrdma_settings *settings)
{
	struct rpcrdma_limits limits;
	int ret;

	ret = rpcrdma_limits_server(&limits, caps, settings);
	KUNIT_EXPECT_TRUE(test, !ret || ret == -EINVAL);
	if (ret)
		return false;
	rpcrdma_limits_hold(test, &limits, caps, settings,
			    (caps->read_mrs ? 3 : 1) * RPCRDMA_MAX_SEGS);
	KUNIT_EXPECT_GE(test, limits.rw_ctxs, 1);
	KUNIT_EXPECT_LT(test, limits.rw_ctxs * (caps->read_mrs ? 3 : 1), limits.send_depth);
	return true;
}

static const u32 rpcrdma_sweep[] = {
	0, 1, 2, 3, 7, 8, 9, 10, 14, 15, 16, 17, 18, 31, 32, 33, 100, 144, 145, 146,
	147, 256, 384, 385, 388, 389, 390, 512, 1000, 4096, 32768, U32_MAX,
};

static const u32 rpcrdma_sweep_credits[] = { 1, 2, 128, 16384 };

/*
 * Every combination of queue limits: all rules hold, or it is refused. There is
 * a Receive for each credit and for each reverse Call (RFC 8167, T-49).
 */
static void rpcrdma_limits_sweep_queues(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	unsigned int client = 0, server = 0;
	int i, j, k;

	for (i = 0; i < ARRAY_SIZE(rpcrdma_sweep); i++) {
		for (j = 0; j < ARRAY_SIZE(rpcrdma_sweep); j++) {
			caps.max_qp_wr = rpcrdma_sweep[i];
			caps.max_cqe = rpcrdma_sweep[j];
			for (k = 0; k < 2 * ARRAY_SIZE(rpcrdma_sweep_credits);
			     k++) {
				settings.credits = rpcrdma_sweep_credits[k / 2];
				settings.bc_credits = k % 2 * 16;
				client += rpcrdma_limits_try_client(test, &caps,
								    &settings);
				server += rpcrdma_limits_try_server(test, &caps,
								    &settings);
			}
			if (rpcrdma_test_faulty(test, i))
				return;
		}
	}
	KUNIT_EXPECT_GT(test, client, server);
	KUNIT_EXPECT_GT(test, server, 0);
}

/* Every MR and SGE limit with every wish for it: never refused */
static void rpcrdma_limits_sweep_mrs(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	int i, j;

	for (i = 1; i < ARRAY_SIZE(rpcrdma_sweep); i++) {
		for (j = 0; j < ARRAY_SIZE(rpcrdma_sweep); j++) {
			caps.mr_pages = rpcrdma_sweep[i];
			caps.max_send_sge = rpcrdma_sweep[i];
			settings.mr_pages = rpcrdma_sweep[j];
			KUNIT_EXPECT_TRUE(test,
					  rpcrdma_limits_try_client(test, &caps,
								    &settings));
			KUNIT_EXPECT_TRUE(test,
					  rpcrdma_limits_try_server(test, &caps,
								    &settings));
			if (rpcrdma_test_faulty(test, i))
				return;
		}
	}
}

/*
 * RFC 8267 6.4.2 (ULB-CLX-04, ULB-CLX-11): the payload shrinks to what 14 MRs
 * can hold
 */
static void rpcrdma_limits_small_mrs(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	caps.mr_pages = 1;
	KUNIT_ASSERT_EQ(test, 0,
			rpcrdma_limits_client(&limits, &caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, 14, limits.mrs_per_chunk);
	KUNIT_EXPECT_EQ(test, (14 - 3) * PAGE_SIZE, limits.max_payload);

	/* A payload that needs all of them stays as it is */
	settings.max_payload = (14 - 3) * PAGE_SIZE - 1024;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_client(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 14, limits.mrs_per_chunk);
	KUNIT_EXPECT_EQ(test, settings.max_payload, limits.max_payload);
}

/* The smallest device that is taken: a chain of 13 WRs, and one Receive */
static void rpcrdma_limits_smallest(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	settings.bc_credits = 0;
	caps.max_qp_wr = 13 + 2;
	caps.max_cqe = 13 + 3 + 1;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_client(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 13, limits.send_depth);
	KUNIT_EXPECT_EQ(test, 1, limits.recv_depth);
	caps.max_cqe--;
	KUNIT_EXPECT_EQ(test, -EINVAL, rpcrdma_limits_client(&limits, &caps, &settings));
	caps.max_cqe++;
	caps.max_qp_wr--;
	KUNIT_EXPECT_EQ(test, -EINVAL, rpcrdma_limits_client(&limits, &caps, &settings));
}

/*
 * Receives first: they decide how many credits there are (RFC 8166 3.3, 3.3.1,
 * V1-CRED-17)
 */
static void rpcrdma_limits_few_receives(struct kunit *test)
{
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	caps.max_qp_wr = 101;
	KUNIT_ASSERT_EQ(test, 0,
			rpcrdma_limits_client(&limits, &caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, 84, limits.credits);
	KUNIT_EXPECT_EQ(test, 100, limits.recv_depth);
	KUNIT_EXPECT_EQ(test, 99, limits.send_depth);

	caps.max_qp_wr = 18;
	KUNIT_ASSERT_EQ(test, 0,
			rpcrdma_limits_client(&limits, &caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, 1, limits.credits);
	caps.max_qp_wr = 17;
	KUNIT_EXPECT_EQ(test, -EINVAL,
			rpcrdma_limits_client(&limits, &caps,
					      &rpcrdma_settings_default));
}

static void rpcrdma_limits_no_frwr(struct kunit *test)
{
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	caps.frwr = false;
	KUNIT_EXPECT_EQ(test, -EOPNOTSUPP,
			rpcrdma_limits_client(&limits, &caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, 0,
			rpcrdma_limits_server(&limits, &caps,
					      &rpcrdma_settings_default));
}

/* A server without MRs serves, unless its RDMA Reads take them */
static void rpcrdma_limits_page_size(struct kunit *test)
{
	static const struct {
		const struct rpcrdma_caps	*caps;
		int				server;
	} devices[] = {
		{ &rpcrdma_caps_rxe, 0 },
		{ &rpcrdma_caps_mlx5, -EOPNOTSUPP },
		{ &rpcrdma_caps_siw, -EOPNOTSUPP },
	};
	struct rpcrdma_limits limits;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		struct rpcrdma_caps caps = *devices[i].caps;

		caps.mr_pages = 0;
		KUNIT_EXPECT_EQ(test, -EOPNOTSUPP,
				rpcrdma_limits_client(&limits, &caps,
						      &rpcrdma_settings_default));
		KUNIT_EXPECT_EQ(test, devices[i].server,
				rpcrdma_limits_server(&limits, &caps,
						      &rpcrdma_settings_default));
	}
}

static void rpcrdma_limits_no_sge(struct kunit *test)
{
	struct rpcrdma_caps caps = rpcrdma_caps_rxe;
	struct rpcrdma_limits limits;

	caps.max_send_sge = 0;
	KUNIT_EXPECT_EQ(test, -EINVAL,
			rpcrdma_limits_client(&limits, &caps,
					      &rpcrdma_settings_default));
	KUNIT_EXPECT_EQ(test, -EINVAL,
			rpcrdma_limits_server(&limits, &caps,
					      &rpcrdma_settings_default));
	caps.max_send_sge = 1;
	caps.max_recv_sge = 0;
	KUNIT_EXPECT_EQ(test, -EINVAL,
			rpcrdma_limits_client(&limits, &caps,
					      &rpcrdma_settings_default));
}

/*
 * rpcrdma-version-two-09 8.2 (V2-CRD-07, OQ-01): Receives for a CONNPROP come on top of
 * the credits, or are taken from them
 */
static void rpcrdma_limits_extra_receives(struct kunit *test)
{
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_caps caps = rpcrdma_caps_mlx5;
	struct rpcrdma_limits limits, spare;

	settings.spare_recvs = 3;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_client(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 128, limits.credits);
	KUNIT_EXPECT_EQ(test, 128 + 16 + 3, limits.recv_depth);
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_server(&limits, &caps, &settings));
	KUNIT_EXPECT_EQ(test, 128 + 16 + 3, limits.recv_depth);

	/* A device with room for fewer Receives than that */
	settings.spare_recvs = 0;
	settings.credits = 1000;
	caps.max_qp_wr = 500;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_client(&limits, &caps, &settings));
	settings.spare_recvs = 3;
	KUNIT_ASSERT_EQ(test, 0, rpcrdma_limits_client(&spare, &caps, &settings));
	KUNIT_EXPECT_EQ(test, limits.recv_depth, spare.recv_depth);
	KUNIT_EXPECT_EQ(test, limits.credits - 3, spare.credits);
}

/* Fewer and fewer credits as long as a device refuses the queues, but not endlessly */
static void rpcrdma_limits_refused(struct kunit *test)
{
	struct rpcrdma_limits limits = { .credits = 100 };

	KUNIT_EXPECT_EQ(test, 50, rpcrdma_limits_fewer(&limits, -ENOMEM));
	KUNIT_EXPECT_EQ(test, 50, rpcrdma_limits_fewer(&limits, -EINVAL));
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_limits_fewer(&limits, -EIO));
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_limits_fewer(&limits, -EOPNOTSUPP));
	limits.credits = 5;
	KUNIT_EXPECT_EQ(test, 4, rpcrdma_limits_fewer(&limits, -ENOMEM));
	limits.credits = 4;
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_limits_fewer(&limits, -ENOMEM));
	limits.credits = 3;
	KUNIT_EXPECT_EQ(test, 0, rpcrdma_limits_fewer(&limits, -ENOMEM));
}

static struct kunit_case rpcrdma_limits_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_limits_known_client,
			 rpcrdma_limits_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_limits_large_payload,
			 rpcrdma_limits_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_limits_known_server,
			 rpcrdma_limits_gen_params),
	KUNIT_CASE(rpcrdma_limits_sweep_queues),
	KUNIT_CASE(rpcrdma_limits_sweep_mrs),
	KUNIT_CASE(rpcrdma_limits_small_mrs),
	KUNIT_CASE(rpcrdma_limits_few_receives),
	KUNIT_CASE(rpcrdma_limits_extra_receives),
	KUNIT_CASE(rpcrdma_limits_smallest),
	KUNIT_CASE(rpcrdma_limits_no_frwr),
	KUNIT_CASE(rpcrdma_limits_page_size),
	KUNIT_CASE(rpcrdma_limits_no_sge),
	KUNIT_CASE(rpcrdma_limits_refused),
	{}
};

static struct kunit_suite rpcrdma_limits_test_suite = {
	.name		= "rpcrdma_limits",
	.test_cases	= rpcrdma_limits_test_cases,
};

kunit_test_suite(rpcrdma_limits_test_suite);
