// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sizes of a connection, for any device and any settings: never more than the device
 * has, never more than was asked for, and always enough for the longest WR chain.
 *
 * Input: the device, how much more a better one has, the settings.
 */
#include <linux/errno.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <asm/page.h>
#include <rpcrdma/limits.h>
#include <rpcrdma/msg.h>
#include "input.h"

#define ROUND_MAX	64	/* attempts with fewer credits */

static void any_caps(struct fuzz_input *in, struct rpcrdma_caps *caps)
{
	*caps = (struct rpcrdma_caps) {
		.max_qp_wr	= fuzz_any(in),
		.max_cqe	= fuzz_any(in),
		.max_send_sge	= fuzz_any(in),
		.max_recv_sge	= fuzz_any(in),
		.mr_pages	= fuzz_any(in) % 0x100000,
		.max_read_in	= fuzz_u8(in),
		.max_read_out	= fuzz_u8(in),
		.max_read_sge	= fuzz_u8(in),
		.read_mrs	= fuzz_bool(in),
		.frwr		= fuzz_u8(in) % 8,
	};
}

static u32 more(u32 value, u32 by)
{
	return value > U32_MAX - by ? U32_MAX : value + by;
}

/* Queues that are longer; SGEs and MRs change the sizes of chains, so they stay */
static void better_caps(struct fuzz_input *in, struct rpcrdma_caps *caps)
{
	caps->max_qp_wr = more(caps->max_qp_wr, fuzz_any(in));
	caps->max_cqe = more(caps->max_cqe, fuzz_any(in));
}

static void any_settings(struct fuzz_input *in, struct rpcrdma_settings *settings)
{
	bool far = !fuzz_u8(in);	/* seldom outside the ranges */

	*settings = (struct rpcrdma_settings) {
		.credits	= far ? fuzz_any(in) : 1 + fuzz_any(in) % 16384,
		.bc_credits	= far ? fuzz_any(in) : fuzz_any(in) % 16385,
		.inline_send	= far ? fuzz_any(in) : 1024 * (1 + fuzz_u8(in)),
		.inline_recv	= far ? fuzz_any(in) : 1024 * (1 + fuzz_u8(in)),
		.max_payload	= far ? fuzz_any(in) : 1024 + fuzz_any(in) % (16 << 20),
		.mr_pages	= fuzz_any(in),
		.spare_recvs	= far ? fuzz_any(in) : fuzz_u8(in),
		.unsignaled	= far ? fuzz_any(in) : fuzz_u8(in) % 64,
	};
}

static bool inline_valid(u32 size)
{
	return size && size % 1024 == 0 && size <= 256 * 1024;
}

static bool settings_valid(const struct rpcrdma_settings *s)
{
	return s->credits >= 1 && s->credits <= 16384 && s->bc_credits <= 16384 &&
	       s->spare_recvs <= 16384 && s->unsignaled <= RPCRDMA_UNSIGNALED_MAX &&
	       inline_valid(s->inline_send) && inline_valid(s->inline_recv) &&
	       s->max_payload >= 1024 && s->max_payload <= 16 << 20;
}

/* What holds on both sides; @chain: slots that the longest WR chain takes */
static void check_common(const struct rpcrdma_limits *l, const struct rpcrdma_caps *c,
			 const struct rpcrdma_settings *s, u32 chain)
{
	CHECK(l->credits >= 1 && l->credits <= s->credits);
	CHECK(l->bc_credits == s->bc_credits);
	CHECK(l->inline_send == s->inline_send && l->inline_recv == s->inline_recv);
	CHECK(l->max_payload && l->max_payload <= s->max_payload);
	CHECK(l->recv_depth == l->credits + l->bc_credits + s->spare_recvs);
	CHECK(l->recv_depth <= c->max_qp_wr - RPCRDMA_RESERVED_RECVS);
	CHECK(l->send_depth <= c->max_qp_wr - RPCRDMA_RESERVED_SENDS);
	CHECK(l->cq_depth <= c->max_cqe);
	CHECK(l->cq_depth == l->send_depth + l->recv_depth + RPCRDMA_RESERVED_SENDS +
			     RPCRDMA_RESERVED_RECVS);
	CHECK(l->send_sges >= 1 && l->send_sges <= c->max_send_sge);
	CHECK(l->unsignaled <= s->unsignaled && l->unsignaled <= l->unsignaled_slots);
	/* The longest chain fits beside the unsignaled Sends, so nothing waits for ever */
	CHECK(l->send_depth - l->unsignaled_slots >= chain);
}

/* A Send is unsignaled only while the slots of its chain are left */
static void check_unsignaled(struct fuzz_input *in, const struct rpcrdma_limits *l)
{
	u32 sends = 0, kept = 0, slots;

	while (in->left) {
		slots = 1 + fuzz_u8(in) % 3;
		if (!rpcrdma_limits_may_unsignal(l, sends, kept, slots))
			break;
		sends++;
		kept += slots;
	}
	CHECK(sends <= l->unsignaled);
	CHECK(kept <= l->unsignaled_slots && kept < l->send_depth);
}

/* A device that refuses each size is not asked for ever */
static void check_fewer(struct rpcrdma_limits limits)
{
	unsigned int round;
	u32 next;

	CHECK(!rpcrdma_limits_fewer(&limits, -EIO));
	for (round = 0; round < ROUND_MAX; round++) {
		next = rpcrdma_limits_fewer(&limits, round % 2 ? -ENOMEM : -EINVAL);
		if (!next)
			return;
		CHECK(next < limits.credits && next >= 4);
		limits.credits = next;
	}
	CHECK(round < ROUND_MAX);
}

static u32 pages_of(u32 bytes)
{
	return DIV_ROUND_UP(bytes, PAGE_SIZE);
}

/*
 * A chunk of the largest payload, at any offset, with head and tail in a page each, has no
 * more segments than every server takes.
 */
static u32 check_chunk(const struct rpcrdma_limits *l, const struct rpcrdma_caps *c)
{
	u32 pages = pages_of(l->max_payload) + 1, mrs;

	CHECK(l->mr_pages >= 1 && l->mr_pages <= c->mr_pages);
	mrs = DIV_ROUND_UP(pages, l->mr_pages) + 2;
	CHECK(mrs <= l->mrs_per_chunk + 2);
	CHECK(mrs <= RPCRDMA_SEGS_EVERY_PEER_TAKES);
	return l->mrs_per_chunk + 2;
}

static int client(const struct rpcrdma_caps *caps, const struct rpcrdma_settings *settings,
		  struct rpcrdma_limits *l)
{
	int ret = rpcrdma_limits_client(l, caps, settings);
	u32 mrs;

	if (ret)
		return ret;
	CHECK(caps->frwr);
	mrs = check_chunk(l, caps);
	/* two chunks, a registration and an invalidation for each MR, and the Send */
	check_common(l, caps, settings, 2 * mrs * 2 + 1);
	return 0;
}

static int server(const struct rpcrdma_caps *caps, const struct rpcrdma_settings *settings,
		  struct rpcrdma_limits *l)
{
	int ret = rpcrdma_limits_server(l, caps, settings);
	u32 pages, reads, writes;

	if (ret)
		return ret;
	pages = pages_of(l->max_payload);
	reads = caps->read_mrs ?
		3 * (RPCRDMA_MAX_SEGS + DIV_ROUND_UP(pages, 256)) :
		RPCRDMA_MAX_SEGS + DIV_ROUND_UP(pages + RPCRDMA_MAX_SEGS,
						min(caps->max_read_sge, l->send_sges));
	writes = RPCRDMA_MAX_SEGS + DIV_ROUND_UP(pages + RPCRDMA_MAX_SEGS, l->send_sges) + 1;
	check_common(l, caps, settings, max(reads, writes));
	CHECK(l->rw_ctx_wrs == (caps->read_mrs ? 3 : 1));
	CHECK(l->rw_ctxs >= 1 && l->rw_ctxs * l->rw_ctx_wrs < l->send_depth);
	CHECK(l->rw_pages >= 1 && l->rw_pages <= 256);
	CHECK(!caps->mr_pages || l->rw_pages <= caps->mr_pages);
	CHECK(l->max_payload == settings->max_payload && !l->mr_pages && !l->mrs_per_chunk);
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct rpcrdma_limits limits, better;
	struct rpcrdma_settings settings;
	struct rpcrdma_caps caps, longer;
	typeof(client) *side;
	int ret;

	side = fuzz_bool(&in) ? client : server;
	any_caps(&in, &caps);
	longer = caps;
	better_caps(&in, &longer);
	any_settings(&in, &settings);
	ret = side(&caps, &settings, &limits);
	CHECK(!ret || ret == -ERANGE || ret == -EINVAL || ret == -EOPNOTSUPP);
	CHECK((ret == -ERANGE) == !settings_valid(&settings));
	CHECK(ret != -EOPNOTSUPP ||
	      (side == client ? !caps.frwr || !caps.mr_pages : caps.read_mrs && !caps.mr_pages));
	if (ret)
		return 0;
	check_unsignaled(&in, &limits);
	check_fewer(limits);
	CHECK(!side(&longer, &settings, &better));
	CHECK(better.credits >= limits.credits && better.recv_depth >= limits.recv_depth);
	CHECK(better.max_payload == limits.max_payload);
	return 0;
}
