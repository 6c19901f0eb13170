// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sizes of one connection, from device attributes and settings.
 *
 * The rules:
 *
 * - A setting outside its range is refused (-ERANGE), never clamped.
 * - If the device has less than the settings ask for, the connection is smaller:
 *   fewer credits, a smaller payload, shorter queues. A device that cannot carry one
 *   RPC of each kind is refused (-EINVAL).
 * - The receive queue is exact: a message that finds no Receive breaks the connection.
 * - The send queue is an estimate. Slots are reserved before they are used (sendq.h),
 *   so a short queue costs time only. But the slots for one message are reserved at
 *   once, so the queue is never shorter than that.
 *
 * Queue depths are what the transport may use. The markers of ib_drain_qp() and the
 * keepalive come on top in the QP, and are counted in the CQ. Pure: no device, no lock.
 */
#include <linux/align.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <kunit/visibility.h>
#include <asm/page.h>
#include <rpcrdma/limits.h>
#include <rpcrdma/msg.h>

/* Ranges of settings; within them no sum below overflows 32 bits */
#define RPCRDMA_CREDITS_MAX	16384		/* the in-tree limit of RPC slots */
#define RPCRDMA_PAYLOAD_MIN	1024		/* nfsd's smallest block size */
#define RPCRDMA_PAYLOAD_MAX	(16U << 20)	/* NFS on Linux asks for 1 MiB */

/* No device is asked for smaller queues than those for so many credits */
#define RPCRDMA_CREDITS_LEAST	4

/*
 * The largest payload of a mount must fit into the segments that every server takes in
 * one chunk. Two are left for a head and a tail that no MR can join with the pages
 * between them.
 */
#define RPCRDMA_GAP_MRS		2
#define RPCRDMA_MRS_MAX		(RPCRDMA_SEGS_EVERY_PEER_TAKES - RPCRDMA_GAP_MRS)

/* Pages of a chunk besides its payload */
#define RPCRDMA_SKEW_PAGES	1	/* payload does not begin on a page */
#define RPCRDMA_EDGE_PAGES	2	/* head and tail of an xdr_buf */

/* Chunks with MRs of their own in one Call: for example Position Zero and Reply */
#define RPCRDMA_CHUNKS_PER_CALL	2

#define RPCRDMA_SENDS_PER_RPC	1
#define RPCRDMA_WRITES_PER_RPC	1	/* of one that is small */
#define RPCRDMA_WRS_PER_MR	2	/* registration and invalidation */

/* SGEs of a Send beside its pages: the mapped buffer, head, tail */
#define RPCRDMA_SEND_EDGE_SGES	3

/*
 * SGEs of a server's RDMA Write. With 16 a reply of 1 MiB takes 16 or 17 Writes. More would
 * double the size of every slot of the send queue, and on some devices (mlx5) halve
 * the possible depth of a queue.
 */
#define RPCRDMA_WRITE_SGES	16

/* rdma_rw: an RDMA Read into an MR takes invalidation, registration, Read */
#define RPCRDMA_WRS_PER_MR_READ	3
#define RPCRDMA_RW_MR_PAGES	256	/* largest MR that rdma_rw makes */

/*
 * RDMA Read contexts for each Call besides those for its data: for a Position Zero
 * chunk, or for a second MR if the data is not aligned. Writes take no MR.
 */
#define RPCRDMA_RW_EXTRA	1

/*
 * The server's queues and RDMA Read contexts are sized for so many RPCs with large payloads at
 * the same time, and for payloads of this size. More of them, and larger ones, wait for each
 * other. Devices allow 16 to 128 RDMA Reads in progress.
 */
#define RPCRDMA_LARGE_RPCS	16
#define RPCRDMA_LARGE_PAYLOAD	SZ_1M

static u32 rpcrdma_pages(u32 bytes)
{
	return DIV_ROUND_UP(bytes, PAGE_SIZE);
}

static bool rpcrdma_inline_valid(u32 size)
{
	return IS_ALIGNED(size, RPCRDMA_CMP_SIZE_UNIT) &&
	       size >= RPCRDMA_CMP_SIZE_UNIT && size <= RPCRDMA_CMP_SIZE_MAX;
}

static bool rpcrdma_settings_valid(const struct rpcrdma_settings *settings)
{
	return settings->credits && settings->credits <= RPCRDMA_CREDITS_MAX &&
	       settings->bc_credits <= RPCRDMA_CREDITS_MAX &&
	       settings->spare_recvs <= RPCRDMA_CREDITS_MAX &&
	       settings->unsignaled <= RPCRDMA_UNSIGNALED_MAX &&
	       rpcrdma_inline_valid(settings->inline_send) &&
	       rpcrdma_inline_valid(settings->inline_recv) &&
	       settings->max_payload >= RPCRDMA_PAYLOAD_MIN &&
	       settings->max_payload <= RPCRDMA_PAYLOAD_MAX;
}

/* What is the same on both sides, before the queues are sized */
static int rpcrdma_limits_begin(struct rpcrdma_limits *limits,
				const struct rpcrdma_caps *caps,
				const struct rpcrdma_settings *settings)
{
	if (!rpcrdma_settings_valid(settings))
		return -ERANGE;
	if (!caps->max_send_sge || !caps->max_recv_sge)
		return -EINVAL;

	*limits = (struct rpcrdma_limits) {
		.credits	= settings->credits,
		.bc_credits	= settings->bc_credits,
		.spare_recvs	= settings->spare_recvs,
		.inline_send	= settings->inline_send,
		.inline_recv	= settings->inline_recv,
		.max_payload	= settings->max_payload,
		.unsignaled	= settings->unsignaled,
	};
	return 0;
}

/* SGEs of the largest Send that gathers all of its payload from pages */
static u32 rpcrdma_gather_sges(u32 inline_send)
{
	return RPCRDMA_SEND_EDGE_SGES + rpcrdma_pages(inline_send) +
	       RPCRDMA_SKEW_PAGES;
}

/*
 * Fit the queues to the device. One CQ serves both.
 *
 * There is room for a Receive for each Call or Reply that may come in either direction
 * (RFC 8166 3.3.1, RFC 8167 4.3); if they do not fit, there are fewer forward credits.
 * The send queue gets what the Receives leave of the CQ.
 *
 * @least:  the most slots that are reserved at once
 * @base:   slots wanted for any number of credits
 * @credit: slots wanted for each forward credit
 */
static int rpcrdma_limits_queues(struct rpcrdma_limits *limits,
				 const struct rpcrdma_caps *caps,
				 u32 least, u32 base, u32 credit)
{
	const u32 reserved = RPCRDMA_RESERVED_SENDS + RPCRDMA_RESERVED_RECVS;
	u32 qp = caps->max_qp_wr, cq = caps->max_cqe;
	u32 extra = limits->bc_credits + limits->spare_recvs;
	u32 recv;

	if (qp < least + RPCRDMA_RESERVED_SENDS || cq < least + reserved)
		return -EINVAL;

	recv = min(qp - RPCRDMA_RESERVED_RECVS, cq - reserved - least);
	if (recv <= extra)
		return -EINVAL;
	limits->credits = min(limits->credits, recv - extra);
	limits->recv_depth = limits->credits + extra;

	limits->send_depth = max(least, base + limits->credits * credit);
	limits->send_depth = min3(limits->send_depth, qp - RPCRDMA_RESERVED_SENDS,
				  cq - reserved - limits->recv_depth);
	/* Unsignaled Sends keep their slots, and @least must fit besides them */
	limits->unsignaled_slots = (limits->send_depth - least) / 2;
	limits->unsignaled = min(limits->unsignaled, limits->unsignaled_slots);
	limits->cq_depth = limits->send_depth + limits->recv_depth + reserved;
	return 0;
}

/*
 * The largest chunk takes one MR if the device has MRs that large. A payload that does
 * not fit into the MRs of one chunk becomes smaller; even with MRs of one page something
 * is left of it.
 */
static void rpcrdma_limits_mrs(struct rpcrdma_limits *limits,
			       const struct rpcrdma_caps *caps, u32 mr_pages)
{
	const u32 extra = RPCRDMA_SKEW_PAGES + RPCRDMA_EDGE_PAGES;
	u32 pages = rpcrdma_pages(limits->max_payload) + extra;
	u32 most;

	static_assert(RPCRDMA_SKEW_PAGES + RPCRDMA_EDGE_PAGES < RPCRDMA_MRS_MAX);
	limits->mr_pages = min3(mr_pages ?: pages, pages, caps->mr_pages);
	most = RPCRDMA_MRS_MAX * limits->mr_pages;
	if (pages > most) {
		pages = most;
		limits->max_payload = (pages - extra) * PAGE_SIZE;
	}
	limits->mrs_per_chunk = DIV_ROUND_UP(pages, limits->mr_pages);
}

/**
 * rpcrdma_limits_client - sizes of a client's connection
 * @limits: result; undefined after an error
 * @caps: what the device can do
 * @settings: what the administrator wants
 *
 * The result may have fewer credits and a smaller @limits->max_payload than the
 * settings. @limits->mrs_per_chunk is for one run of pages: a chunk whose head and
 * tail cannot be joined with it takes up to two MRs more.
 *
 * Context: any.
 * Return: 0; -ERANGE if a setting is outside its range; -EOPNOTSUPP if the
 * device has no fast registration of pages of this size; -EINVAL if it is too small.
 */
int rpcrdma_limits_client(struct rpcrdma_limits *limits,
			  const struct rpcrdma_caps *caps,
			  const struct rpcrdma_settings *settings)
{
	u32 chunk_mrs, least, base, credit;
	int ret;

	ret = rpcrdma_limits_begin(limits, caps, settings);
	if (ret)
		return ret;
	if (!caps->frwr || !caps->mr_pages)
		return -EOPNOTSUPP;
	rpcrdma_limits_mrs(limits, caps, settings->mr_pages);
	limits->send_sges = min(caps->max_send_sge,
				rpcrdma_gather_sges(limits->inline_send));

	/*
	 * One WR chain registers all MRs of a Call and sends it; another one
	 * invalidates them. The slots for both are reserved together.
	 */
	chunk_mrs = limits->mrs_per_chunk + RPCRDMA_GAP_MRS;
	least = RPCRDMA_CHUNKS_PER_CALL * chunk_mrs * RPCRDMA_WRS_PER_MR +
		RPCRDMA_SENDS_PER_RPC;

	/*
	 * Most RPCs have no chunk, or one chunk of one run of pages. A reply to a
	 * reverse Call is one Send. The largest possible Call comes on top, so that
	 * it need not wait for all others.
	 */
	credit = RPCRDMA_SENDS_PER_RPC +
		 RPCRDMA_WRS_PER_MR * limits->mrs_per_chunk;
	base = limits->bc_credits * RPCRDMA_SENDS_PER_RPC + least;
	return rpcrdma_limits_queues(limits, caps, least, base, credit);
}
EXPORT_SYMBOL_GPL(rpcrdma_limits_client);

/*
 * RDMA Reads or Writes of one RPC, without MRs. Each segment begins a new one and splits one
 * page at most; each has up to @sges SGEs.
 */
static u32 rpcrdma_rw_wrs(u32 pages, u32 segs, u32 sges)
{
	return segs + DIV_ROUND_UP(pages + segs, sges);
}

/*
 * WRs for the RDMA Reads of one Call with RPCRDMA_MAX_SEGS segments. If Reads take MRs, each
 * segment has at least one of its own.
 */
static u32 rpcrdma_call_reads(const struct rpcrdma_limits *limits,
			      const struct rpcrdma_caps *caps, u32 pages)
{
	if (caps->read_mrs)
		return RPCRDMA_WRS_PER_MR_READ *
		       (RPCRDMA_MAX_SEGS + DIV_ROUND_UP(pages, limits->rw_pages));
	return rpcrdma_rw_wrs(pages, RPCRDMA_MAX_SEGS,
			      min(caps->max_read_sge, limits->send_sges));
}

/*
 * RDMA Read contexts. Devices whose RDMA Reads need MRs take one for each MR. An RPC
 * that finds none left waits for one; where MRs are only better, rdma_rw does without. More of
 * them would only make each connection larger, and the server slower to make and to destroy
 * many connections.
 */
static u32 rpcrdma_read_ctxs(const struct rpcrdma_limits *limits)
{
	u32 calls = min_t(u32, limits->credits, RPCRDMA_LARGE_RPCS);
	u32 pages = rpcrdma_pages(min_t(u32, limits->max_payload,
					RPCRDMA_LARGE_PAYLOAD)) +
		    RPCRDMA_SKEW_PAGES;

	return calls *
	       (DIV_ROUND_UP(pages, limits->rw_pages) + RPCRDMA_RW_EXTRA);
}

/**
 * rpcrdma_limits_server - sizes of a server's connection
 * @limits: result; undefined after an error
 * @caps: what the device can do
 * @settings: what the administrator wants
 *
 * The result may have fewer credits than the settings. @limits->send_depth counts
 * @limits->rw_ctx_wrs slots for each of @limits->rw_ctxs. @limits->mr_pages
 * and @limits->mrs_per_chunk are 0: the MRs of a server belong to rdma_rw.
 *
 * Context: any.
 * Return: 0; -ERANGE if a setting is outside its range; -EOPNOTSUPP if RDMA Reads take MRs and
 * the device has none for pages of this size; -EINVAL if it is too small.
 */
int rpcrdma_limits_server(struct rpcrdma_limits *limits,
			  const struct rpcrdma_caps *caps,
			  const struct rpcrdma_settings *settings)
{
	u32 pages, sges, least, base, credit;
	int ret;

	ret = rpcrdma_limits_begin(limits, caps, settings);
	if (ret)
		return ret;
	if (caps->read_mrs && !caps->mr_pages)
		return -EOPNOTSUPP;
	if (!caps->read_mrs && !caps->max_read_sge)
		return -EINVAL;
	sges = max_t(u32, rpcrdma_gather_sges(limits->inline_send),
		     RPCRDMA_WRITE_SGES);
	sges = min(sges, caps->max_send_sge);
	limits->send_sges = sges;
	/*
	 * No more than an MR of rdma_rw has. rdma_rw counts the entries that the DMA API
	 * returns, and an IOMMU may have joined more pages than that into one.
	 */
	limits->rw_pages = min_t(u32, caps->mr_pages ?: RPCRDMA_RW_MR_PAGES,
				 RPCRDMA_RW_MR_PAGES);

	/*
	 * The longest WR chain that a peer can ask for within RPCRDMA_MAX_SEGS:
	 * Reads, or Writes and the Send of the reply. More segments take several chains.
	 */
	pages = rpcrdma_pages(limits->max_payload);
	least = max(rpcrdma_call_reads(limits, caps, pages),
		    rpcrdma_rw_wrs(pages, RPCRDMA_MAX_SEGS, sges) + RPCRDMA_SENDS_PER_RPC);

	/*
	 * Each credit: a small Read through an MR; or a small Write and the Send, if a Read
	 * takes no MR. On top come some large replies and the reverse Calls.
	 */
	limits->rw_ctx_wrs = caps->read_mrs ? RPCRDMA_WRS_PER_MR_READ : 1;
	credit = caps->read_mrs ? RPCRDMA_WRS_PER_MR_READ :
				  RPCRDMA_WRITES_PER_RPC + RPCRDMA_SENDS_PER_RPC;
	pages = rpcrdma_pages(min_t(u32, limits->max_payload, RPCRDMA_LARGE_PAYLOAD));
	base = limits->bc_credits * RPCRDMA_SENDS_PER_RPC +
	       min_t(u32, limits->credits, RPCRDMA_LARGE_RPCS) *
	       rpcrdma_rw_wrs(pages, 1, sges);
	ret = rpcrdma_limits_queues(limits, caps, least, base, credit);
	if (ret)
		return ret;
	limits->rw_ctxs = min(rpcrdma_read_ctxs(limits),
			      (limits->send_depth - 1) / limits->rw_ctx_wrs);
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_limits_server);

/**
 * rpcrdma_limits_fewer - the device has refused queues of this size: what to try next
 * @limits: the sizes
 * @error: negative errno of the refusal
 *
 * Some devices limit the bytes of a queue and not, or not only, its slots, and say so by
 * -ENOMEM or -EINVAL when it is created.
 *
 * Context: any.
 * Return: credits to try next, RPCRDMA_CREDITS_LEAST or more; 0 to give up.
 */
u32 rpcrdma_limits_fewer(const struct rpcrdma_limits *limits, int error)
{
	if (error != -ENOMEM && error != -EINVAL)
		return 0;
	if (limits->credits <= RPCRDMA_CREDITS_LEAST)
		return 0;
	return max_t(u32, limits->credits / 2, RPCRDMA_CREDITS_LEAST);
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_limits_fewer);
