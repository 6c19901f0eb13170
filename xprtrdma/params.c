// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunables: module parameters, and the names that the in-tree transport has in
 * /proc/sys/sunrpc. Both show and change the same numbers. Three in-tree names
 * stand for things that cannot be chosen here; each has only one value.
 *
 * Each description says when a new value holds: at once, for new connections or for new
 * mounts.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <rpcrdma/param.h>
#include <rpcrdma/traffic.h>
#include "xprtrdma.h"

#define XPRTRDMA_KIB		1024U
#define XPRTRDMA_MEMREG_FRWR	5U	/* in-tree number of the only strategy */

/* Protocol versions that new mounts take */
static unsigned long xprtrdma_versions_taken = RPCRDMA_VERSIONS_1;

/* Type of service and timers of new connections */
struct rpcrdma_traffic xprtrdma_traffic = RPCRDMA_TRAFFIC_INIT(xprtrdma_traffic,
	RPCRDMA_TRAFFIC_ALL);

static struct rpcrdma_param xprtrdma_tunables[XPRTRDMA_T_COUNT] = {
	[XPRTRDMA_T_SLOTS]		= { 128, 4, 16384, 1 },
	[XPRTRDMA_T_INLINE_READ]	= { 8 * XPRTRDMA_KIB, XPRTRDMA_KIB,
					    64 * XPRTRDMA_KIB, XPRTRDMA_KIB },
	[XPRTRDMA_T_INLINE_WRITE]	= { 8 * XPRTRDMA_KIB, XPRTRDMA_KIB,
					    64 * XPRTRDMA_KIB, XPRTRDMA_KIB },
	[XPRTRDMA_T_MAX_PAYLOAD]	= { 1024 * XPRTRDMA_KIB, PAGE_SIZE,
					    1024 * XPRTRDMA_KIB, PAGE_SIZE },
	[XPRTRDMA_T_MR_PAGES]		= { 0, 0, 4096, 1 },
	[XPRTRDMA_T_COPY_MAX]		= { 4 * XPRTRDMA_KIB, 0,
					    64 * XPRTRDMA_KIB, 1 },
	[XPRTRDMA_T_BC_SLOTS]		= { 16, 1, 64, 1 },
	[XPRTRDMA_T_IDLE_TIMEOUT]	= { 300, 0, 86400, 1 },
	[XPRTRDMA_T_CONNECT_TIMEOUT]	= { 30, 1, 600, 1 },
	[XPRTRDMA_T_RESOLVE_TIMEOUT]	= { 5, 1, 60, 1 },
	[XPRTRDMA_T_NEGOTIATE_TIMEOUT]	= { 10, 1, 600, 1 },
	[XPRTRDMA_T_PADDING]		= { 0, 0, 0, 1,
		"no padding goes in front of inline payload" },
	[XPRTRDMA_T_MEMREG]		= { XPRTRDMA_MEMREG_FRWR,
					    XPRTRDMA_MEMREG_FRWR,
					    XPRTRDMA_MEMREG_FRWR, 1,
		"memory is registered by fast registration (FRWR) only" },
	[XPRTRDMA_T_PAD_OPTIMIZE]	= { 0, 0, 0, 1,
		"XDR pads are never in a chunk" },
	[XPRTRDMA_T_FAILOVER]		= { 1, 0, 1, 1 },
	[XPRTRDMA_T_FAILOVER_MS]	= { 1500, 0, 60000, 100 },
};

/**
 * xprtrdma_tunable - the current value of a tunable
 * @id: the tunable
 *
 * Context: any.
 * Return: a value within its range.
 */
unsigned int xprtrdma_tunable(enum xprtrdma_tunable_id id)
{
	return rpcrdma_param_value(&xprtrdma_tunables[id]);
}

/**
 * xprtrdma_versions - the protocol versions that a new mount takes
 *
 * Context: any.
 * Return: a set of versions.
 */
unsigned long xprtrdma_versions(void)
{
	return READ_ONCE(xprtrdma_versions_taken);
}

module_param_cb(slot_table_entries, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_SLOTS], 0644);
MODULE_PARM_DESC(slot_table_entries, "RPCs at once on a connection, for new mounts (4..16384, default 128)");
module_param_cb(max_inline_read, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_INLINE_READ], 0644);
MODULE_PARM_DESC(max_inline_read, "Largest inline Reply to offer, for new connections, bytes (1024..65536 in steps of 1024, default 8192)");
module_param_cb(max_inline_write, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_INLINE_WRITE], 0644);
MODULE_PARM_DESC(max_inline_write, "Largest inline Call to offer, for new connections, bytes (1024..65536 in steps of 1024, default 8192)");
module_param_cb(max_payload, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_MAX_PAYLOAD], 0644);
MODULE_PARM_DESC(max_payload, "Largest READ or WRITE, for new mounts, bytes (4096..1048576 in steps of 4096, default 1048576)");
module_param_cb(mr_pages, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_MR_PAGES], 0644);
MODULE_PARM_DESC(mr_pages, "Pages per memory region, for new connections (0..4096, default 0: enough for the largest chunk)");
module_param_cb(copy_max, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_COPY_MAX], 0644);
MODULE_PARM_DESC(copy_max, "Largest inline payload that is copied instead of gathered, at once, bytes (0..65536, default 4096)");
module_param_cb(backchannel_slots, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_BC_SLOTS], 0644);
MODULE_PARM_DESC(backchannel_slots, "Callbacks at once on a connection, for new mounts (1..64, default 16)");
module_param_cb(idle_timeout, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_IDLE_TIMEOUT], 0644);
MODULE_PARM_DESC(idle_timeout, "Time until an idle connection is closed, for new mounts, seconds (0..86400, default 300; 0: never)");
module_param_cb(connect_timeout, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_CONNECT_TIMEOUT], 0644);
MODULE_PARM_DESC(connect_timeout, "Time to wait for a connection, for new mounts, seconds (1..600, default 30)");
module_param_cb(resolve_timeout, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_RESOLVE_TIMEOUT], 0644);
MODULE_PARM_DESC(resolve_timeout, "Time to find address and route of a server, for attempts from then on, seconds (1..60, default 5)");
module_param_cb(negotiate_timeout, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_NEGOTIATE_TIMEOUT], 0644);
MODULE_PARM_DESC(negotiate_timeout, "Time to wait for a server that may not know version 2, for new connections, seconds (1..600, default 10)");
module_param_cb(probe_timeout, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_NEGOTIATE_TIMEOUT], 0644);
MODULE_PARM_DESC(probe_timeout, "Former name of negotiate_timeout (1..600, default 10)");
module_param_cb(tos, &rpcrdma_param_ops,
		&xprtrdma_traffic.param[RPCRDMA_TRAFFIC_TOS], 0644);
MODULE_PARM_DESC(tos, "Type of service of packets to servers and back, for new connections (0..255, default 0: that of the device)");
module_param_cb(ack_timeout, &rpcrdma_param_ops,
		&xprtrdma_traffic.param[RPCRDMA_TRAFFIC_ACK_TIMEOUT], 0644);
MODULE_PARM_DESC(ack_timeout, "Packets without an ACK are sent again after 4.096 us times two to this power, for new connections (0..31, default 0: chosen by the RDMA CM)");
module_param_cb(rnr_timer, &rpcrdma_param_ops,
		&xprtrdma_traffic.param[RPCRDMA_TRAFFIC_RNR_TIMER], 0644);
MODULE_PARM_DESC(rnr_timer, "Code of the time after which a peer repeats a Send that found no Receive here, for new connections (1..31, default 20: 10.24 ms)");
module_param_cb(rnr_retries, &rpcrdma_param_ops,
		&xprtrdma_traffic.param[RPCRDMA_TRAFFIC_RNR_RETRIES], 0644);
MODULE_PARM_DESC(rnr_retries, "How often a peer repeats a Send that found no Receive here, for new connections (0..6, default 6)");
module_param_cb(traffic_rules, &rpcrdma_traffic_rules_ops, &xprtrdma_traffic,
		0644);
MODULE_PARM_DESC(traffic_rules, "tos and timers by address of the server, for new connections: ADDRESS/PREFIX,NAME=VALUE,...;... (at most 32 rules, default none)");
module_param_cb(failover, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_FAILOVER], 0644);
MODULE_PARM_DESC(failover, "Connect over another path of the same mount while the own one does not work, for attempts from then on (0 or 1, default 1)");
module_param_cb(failover_ms, &rpcrdma_param_ops,
		&xprtrdma_tunables[XPRTRDMA_T_FAILOVER_MS], 0644);
MODULE_PARM_DESC(failover_ms, "Milliseconds within which a dead path is detected while the mount has another path that works; InfiniBand and RoCE only (0..60000 in steps of 100, default 1500; 0: rpcrdma.keepalive_seconds)");
module_param_cb(versions, &rpcrdma_versions_ops, &xprtrdma_versions_taken,
		0644);
MODULE_PARM_DESC(versions, "Protocol versions to take, for new mounts (1, 2 or both, default 1)");

#ifdef CONFIG_SYSCTL
#define XPRTRDMA_SYSCTL(name, id) \
	RPCRDMA_PARAM_SYSCTL(name, &xprtrdma_tunables[id])

static struct ctl_table xprtrdma_sysctls[] = {
	XPRTRDMA_SYSCTL("rdma_slot_table_entries", XPRTRDMA_T_SLOTS),
	XPRTRDMA_SYSCTL("rdma_max_inline_read", XPRTRDMA_T_INLINE_READ),
	XPRTRDMA_SYSCTL("rdma_max_inline_write", XPRTRDMA_T_INLINE_WRITE),
	XPRTRDMA_SYSCTL("rdma_inline_write_padding", XPRTRDMA_T_PADDING),
	XPRTRDMA_SYSCTL("rdma_memreg_strategy", XPRTRDMA_T_MEMREG),
	XPRTRDMA_SYSCTL("rdma_pad_optimize", XPRTRDMA_T_PAD_OPTIMIZE),
	RPCRDMA_CTL_TABLE_END
};

static struct ctl_table_header *xprtrdma_sysctl_header;

/**
 * xprtrdma_sysctl_register - create the names in /proc/sys/sunrpc
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int xprtrdma_sysctl_register(void)
{
	xprtrdma_sysctl_header = register_sysctl("sunrpc", xprtrdma_sysctls);
	return xprtrdma_sysctl_header ? 0 : -ENOMEM;
}

/**
 * xprtrdma_sysctl_unregister - undo xprtrdma_sysctl_register()
 *
 * Context: module exit.
 */
void xprtrdma_sysctl_unregister(void)
{
	unregister_sysctl_table(xprtrdma_sysctl_header);
}
#else
int xprtrdma_sysctl_register(void)
{
	return 0;
}

void xprtrdma_sysctl_unregister(void)
{
}
#endif
