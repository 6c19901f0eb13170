// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters. Each description says when a new value holds: at once, for new
 * connections, for new listeners or for new transfers.
 */
#include <kunit/visibility.h>
#include <linux/moduleparam.h>
#include <rpcrdma/param.h>
#include <rpcrdma/traffic.h>
#include "params.h"
#include "svcrdma.h"

struct rpcrdma_param svcrdma_credits_param = {
	.value = 64, .min = 4, .max = 16384, .unit = 1,
};

static struct rpcrdma_param svcrdma_least_credits_param = {
	.value = 64, .min = 4, .max = 16384, .unit = 1,
};

static struct rpcrdma_param svcrdma_bc_credits_param = {
	.value = 8, .min = 1, .max = 128, .unit = 1,
};

struct rpcrdma_param svcrdma_inline_param = {
	.value = 8192, .min = 1024, .max = 65536,
	.unit = RPCRDMA_CMP_SIZE_UNIT,
};

struct rpcrdma_param svcrdma_reads_out_param = {
	.value = 16, .min = 1, .max = 255, .unit = 1,
};

static struct rpcrdma_param svcrdma_pullup_param = {
	.value = 8192, .min = 0, .max = 65536, .unit = 1,
};

/* 0 until svcrdma_receives_default(), unless the administrator has set it */
struct rpcrdma_param svcrdma_receive_memory_param = {
	.min = 1, .max = 1048576, .unit = 1,
};

/* 0 until svcrdma_read_budget_defaults(), unless the administrator has set it */
struct rpcrdma_param svcrdma_read_memory_param = {
	.min = SVCRDMA_READ_MEMORY_MIN, .max = 1048576, .unit = 1,
};
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_memory_param);

struct rpcrdma_param svcrdma_read_client_param = {
	.min = SVCRDMA_READ_MEMORY_MIN, .max = 1048576, .unit = 1,
};
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_client_param);

static struct rpcrdma_param svcrdma_transfer_timeout_param = {
	.value = 30, .min = 1, .max = 3600, .unit = 1,
};

/* A client chooses the type of service, so no rule can */
struct rpcrdma_traffic svcrdma_traffic = RPCRDMA_TRAFFIC_INIT(svcrdma_traffic,
	RPCRDMA_TRAFFIC_ALL & ~BIT(RPCRDMA_TRAFFIC_TOS));

static int svcrdma_read_set(const char *text, const struct kernel_param *kp)
{
	int ret = rpcrdma_param_set(text, kp);

	if (!ret)
		svcrdma_read_budget_changed();
	return ret;
}

static const struct kernel_param_ops svcrdma_read_ops = {
	.set	= svcrdma_read_set,
	.get	= rpcrdma_param_get,
};

module_param_cb(max_requests, &rpcrdma_param_ops, &svcrdma_credits_param, 0644);
MODULE_PARM_DESC(max_requests, "Most credits granted to a client: Calls it may have under way, for new connections (4..16384, default 64)");
module_param_cb(min_requests, &rpcrdma_param_ops, &svcrdma_least_credits_param,
		0644);
MODULE_PARM_DESC(min_requests, "Credits granted to a client at first, and at least; more when it uses all; on iWARP it has all; for new connections (4..16384, default 64)");
module_param_cb(max_bc_requests, &rpcrdma_param_ops, &svcrdma_bc_credits_param, 0644);
MODULE_PARM_DESC(max_bc_requests, "Callbacks under way to a client, for new connections (1..128, default 8)");
module_param_cb(max_inline_size, &rpcrdma_param_ops, &svcrdma_inline_param, 0644);
MODULE_PARM_DESC(max_inline_size, "Largest message without chunks, each way, for new connections, bytes (1024..65536 in steps of 1024, default 8192)");
module_param_cb(max_outbound_reads, &rpcrdma_param_ops, &svcrdma_reads_out_param,
		0644);
MODULE_PARM_DESC(max_outbound_reads, "RDMA Reads under way on a connection, for new connections (1..255, default 16)");
module_param_cb(pullup, &rpcrdma_param_ops, &svcrdma_pullup_param, 0644);
MODULE_PARM_DESC(pullup, "Inline replies up to this size are copied, larger ones sent from their pages, at once, bytes (0..65536, default 8192)");

module_param_cb(receive_memory, &rpcrdma_param_ops,
		&svcrdma_receive_memory_param, 0644);
MODULE_PARM_DESC(receive_memory, "Budget for Receives; when it is used up, no client gets more credits; takes effect at once, MiB (1..1048576, default a sixteenth of all memory)");
module_param_cb(read_memory, &svcrdma_read_ops, &svcrdma_read_memory_param,
		0644);
MODULE_PARM_DESC(read_memory, "Memory for data that clients have the server read, at once, MiB (2..1048576, default an eighth of all memory)");
module_param_cb(read_memory_client, &svcrdma_read_ops,
		&svcrdma_read_client_param, 0644);
MODULE_PARM_DESC(read_memory_client, "The same for one client address, at once, MiB (2..1048576, default a quarter of read_memory)");
module_param_cb(transfer_timeout, &rpcrdma_param_ops,
		&svcrdma_transfer_timeout_param, 0644);
MODULE_PARM_DESC(transfer_timeout, "Seconds without progress of the RDMA Reads and Writes of a connection, or with less than a MiB while one of them lasts, until it is closed; for those that begin later (1..3600, default 30)");

module_param_cb(tos, &rpcrdma_param_ops,
		&svcrdma_traffic.param[RPCRDMA_TRAFFIC_TOS], 0644);
MODULE_PARM_DESC(tos, "Type of service of packets to iWARP clients, for new listeners; other clients choose themselves (0..255, default 0: that of the device)");
module_param_cb(ack_timeout, &rpcrdma_param_ops,
		&svcrdma_traffic.param[RPCRDMA_TRAFFIC_ACK_TIMEOUT], 0644);
MODULE_PARM_DESC(ack_timeout, "Packets without an ACK are sent again after 4.096 us times two to this power, for new connections (0..31, default 0: chosen by the RDMA CM)");
module_param_cb(rnr_timer, &rpcrdma_param_ops,
		&svcrdma_traffic.param[RPCRDMA_TRAFFIC_RNR_TIMER], 0644);
MODULE_PARM_DESC(rnr_timer, "Code of the time after which a peer repeats a Send that found no Receive here, for new connections (1..31, default 20: 10.24 ms)");
module_param_cb(rnr_retries, &rpcrdma_param_ops,
		&svcrdma_traffic.param[RPCRDMA_TRAFFIC_RNR_RETRIES], 0644);
MODULE_PARM_DESC(rnr_retries, "How often a peer repeats a Send that found no Receive here, for new connections (0..6, default 6)");
module_param_cb(traffic_rules, &rpcrdma_traffic_rules_ops, &svcrdma_traffic,
		0644);
MODULE_PARM_DESC(traffic_rules, "Timers by address of the client, for new connections: ADDRESS/PREFIX,NAME=VALUE,...;... (at most 32 rules, default none)");

/* Protocol versions that new connections accept */
static unsigned long svcrdma_versions = RPCRDMA_VERSIONS_1;

module_param_cb(versions, &rpcrdma_versions_ops, &svcrdma_versions, 0644);
MODULE_PARM_DESC(versions, "Protocol versions to take, for new connections (1, 2 or both, default 1)");

/**
 * svcrdma_param_versions - get the protocol versions to accept
 *
 * Context: any.
 * Return: a set of versions.
 */
unsigned long svcrdma_param_versions(void)
{
	return READ_ONCE(svcrdma_versions);
}

/**
 * svcrdma_param_tos - get the type of service for new listeners
 *
 * Context: any.
 * Return: eight bits of the IP header; 0 if nothing was chosen.
 */
unsigned int svcrdma_param_tos(void)
{
	return rpcrdma_param_value(&svcrdma_traffic.param[RPCRDMA_TRAFFIC_TOS]);
}

/**
 * svcrdma_param_credits - get the most forward credits to grant
 *
 * Context: any.
 * Return: credits.
 */
unsigned int svcrdma_param_credits(void)
{
	return rpcrdma_param_value(&svcrdma_credits_param);
}

/**
 * svcrdma_param_least_credits - get the credits to grant at first, and at least
 *
 * Context: any.
 * Return: credits.
 */
unsigned int svcrdma_param_least_credits(void)
{
	return rpcrdma_param_value(&svcrdma_least_credits_param);
}

/**
 * svcrdma_param_bc_credits - get the reverse credits to ask for
 *
 * Context: any.
 * Return: credits.
 */
unsigned int svcrdma_param_bc_credits(void)
{
	return rpcrdma_param_value(&svcrdma_bc_credits_param);
}

/**
 * svcrdma_param_inline - get the inline threshold
 *
 * Context: any.
 * Return: bytes, a multiple of 1024.
 */
unsigned int svcrdma_param_inline(void)
{
	return rpcrdma_param_value(&svcrdma_inline_param);
}

/**
 * svcrdma_param_reads_out - get the most RDMA Reads in progress on a connection
 *
 * Context: any.
 * Return: Reads.
 */
unsigned int svcrdma_param_reads_out(void)
{
	return rpcrdma_param_value(&svcrdma_reads_out_param);
}

/**
 * svcrdma_param_pullup - get the largest inline payload that is copied
 *
 * Context: any.
 * Return: bytes.
 */
unsigned int svcrdma_param_pullup(void)
{
	return rpcrdma_param_value(&svcrdma_pullup_param);
}

/**
 * svcrdma_param_transfer_timeout - get the time without progress until a close
 *
 * Context: any.
 * Return: jiffies.
 */
unsigned long svcrdma_param_transfer_timeout(void)
{
	return rpcrdma_param_value(&svcrdma_transfer_timeout_param) *
	       (unsigned long)HZ;
}
