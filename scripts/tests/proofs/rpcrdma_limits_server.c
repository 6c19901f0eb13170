// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sizes of a server's connection, for every device and all settings: they fit the device
 * and the settings, and the longest WR chain fits the send queue.
 *
 * Proves: rpcrdma_limits_server() rpcrdma_limits_fewer() rpcrdma_limits_may_unsignal()
 * Sources: rpcrdma/protocol/limits.c
 * Unwind: 1
 */
#include "limits.h"

/* Without a division: @writes of @sges pages each are enough for so many pages */
static bool is_enough(u32 writes, u32 pages, u32 sges)
{
	return (u64)writes * sges >= pages;
}

int main(void)
{
	struct rpcrdma_settings settings;
	struct rpcrdma_limits limits;
	struct rpcrdma_caps caps;
	u32 pages, left, sges;
	int ret;

	caps.frwr = any_bool();
	caps.read_mrs = any_bool();
	ret = rpcrdma_limits_server(&limits, &caps, &settings);
	PROVE((ret == -ERANGE) == !settings_valid(&settings));
	PROVE(!ret || ret == -ERANGE || ret == -EINVAL || ret == -EOPNOTSUPP);
	PROVE(ret != -EOPNOTSUPP || (caps.read_mrs && !caps.mr_pages));
	PROVE(ret || !caps.read_mrs || caps.mr_pages);
	if (ret)
		return 0;
	pages = pages_of(limits.max_payload);
	prove_limits(&limits, &caps, &settings, 0);
	/* Writes, one for each segment and one for each further list of SGEs, and the Send */
	left = limits.send_depth - limits.unsignaled_slots;
	PROVE(left > RPCRDMA_MAX_SEGS);
	PROVE(is_enough(left - RPCRDMA_MAX_SEGS - 1, pages + RPCRDMA_MAX_SEGS, limits.send_sges));
	/* Reads, each with an MR of its own: registration, Read, invalidation */
	PROVE(!caps.read_mrs || left >= 3 * RPCRDMA_MAX_SEGS);
	PROVE(!caps.read_mrs ||
	      is_enough(left / 3 - RPCRDMA_MAX_SEGS, pages, limits.rw_pages));
	/* Reads without MRs, as Writes */
	sges = min(caps.max_read_sge, limits.send_sges);
	PROVE(caps.read_mrs ||
	      is_enough(left - RPCRDMA_MAX_SEGS, pages + RPCRDMA_MAX_SEGS, sges));
	PROVE(limits.rw_ctx_wrs == (caps.read_mrs ? 3 : 1));
	PROVE(limits.rw_ctxs >= 1 && limits.rw_ctxs * limits.rw_ctx_wrs < limits.send_depth);
	/* A context is never larger than the MRs of rdma_rw; 0 is a device without MRs */
	PROVE(limits.rw_pages >= 1 && limits.rw_pages <= 256);
	PROVE(!caps.mr_pages || limits.rw_pages <= caps.mr_pages);
	PROVE(limits.max_payload == settings.max_payload);
	PROVE(!limits.mr_pages && !limits.mrs_per_chunk);
	prove_fewer(&limits);
	REACH(limits.credits < settings.credits);
	REACH(limits.credits == 16384 && limits.max_payload == 16 << 20);
	return 0;
}
