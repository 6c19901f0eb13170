// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sizes of a client's connection, for every device and all settings: they fit the device
 * and the settings, and the longest WR chain fits the send queue.
 *
 * Proves: rpcrdma_limits_client() rpcrdma_limits_fewer() rpcrdma_limits_may_unsignal()
 * Sources: rpcrdma/protocol/limits.c
 * Unwind: 1
 */
#include "limits.h"

/*
 * A chunk of the largest payload, at any offset, with head and tail in a page each, has no
 * more segments than every server takes.
 */
static void prove_chunk(const struct rpcrdma_limits *l, const struct rpcrdma_caps *c,
			const struct rpcrdma_settings *s)
{
	u32 pages = pages_of(l->max_payload) + 1;

	PROVE(l->mr_pages >= 1 && l->mr_pages <= c->mr_pages);
	PROVE(!s->mr_pages || l->mr_pages <= s->mr_pages);
	PROVE(l->mrs_per_chunk >= 1 && l->mrs_per_chunk + 2 <= RPCRDMA_SEGS_EVERY_PEER_TAKES);
	/* Without a division: the MRs have room for the pages */
	PROVE((u64)l->mr_pages * l->mrs_per_chunk >= pages);
}

int main(void)
{
	struct rpcrdma_settings settings;
	struct rpcrdma_limits limits;
	struct rpcrdma_caps caps;
	u32 chain;
	int ret;

	caps.frwr = any_bool();
	ret = rpcrdma_limits_client(&limits, &caps, &settings);
	PROVE((ret == -ERANGE) == !settings_valid(&settings));
	PROVE(!ret || ret == -ERANGE || ret == -EINVAL || ret == -EOPNOTSUPP);
	if (ret == -EOPNOTSUPP)
		PROVE(!caps.frwr || !caps.mr_pages);
	if (ret)
		return 0;
	PROVE(caps.frwr);
	prove_chunk(&limits, &caps, &settings);
	/* two chunks, a registration and an invalidation for each MR, and the Send */
	chain = 2 * (limits.mrs_per_chunk + 2) * 2 + 1;
	prove_limits(&limits, &caps, &settings, chain);
	prove_fewer(&limits);
	REACH(limits.credits < settings.credits);
	REACH(limits.max_payload < settings.max_payload);
	REACH(limits.credits == 16384 && limits.max_payload == 16 << 20);
	return 0;
}
