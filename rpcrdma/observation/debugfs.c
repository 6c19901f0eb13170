// SPDX-License-Identifier: GPL-2.0-only
/*
 * All connections as text, for developers: /sys/kernel/debug/rpcrdma/connections.
 * Documentation/version2.rst explains the lines. endpoint_sysfs.c has the files for
 * administrators. Beside it is gpu_memory, see gpu.c.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <compat/truth.h>
#include "../core.h"

static struct dentry *rpcrdma_debugfs_dir;

static const char *const rpcrdma_debugfs_reverse[] = {
	[RPCRDMA_BRS_NONE]	= "none",
	[RPCRDMA_BRS_INLINE]	= "inline",
	[RPCRDMA_BRS_GENERAL]	= "general",
};

static void rpcrdma_debugfs_version(struct seq_file *seq,
				    const struct rpcrdma_conn *conn)
{
	const struct rpcrdma_negotiation *neg = &conn->negotiation;

	/* Pairs with rpcrdma_negotiate_set(): then version is set */
	switch (smp_load_acquire(&neg->state)) {
	case RPCRDMA_NEGOTIATE_SETTLED:
		seq_printf(seq, "version: %u\n", neg->version);
		break;
	case RPCRDMA_NEGOTIATE_FAILED:
		seq_puts(seq, "version: none in common\n");
		break;
	default:
		seq_puts(seq, "version: not known yet\n");
	}
	if (!READ_ONCE(neg->opened))
		return;
	seq_printf(seq, "fell_back: %s\n", str_yes_no(READ_ONCE(neg->fell_back)));
	seq_printf(seq, "negotiation_microseconds: %u\n",
		   READ_ONCE(conn->negotiate_us));
}

static void rpcrdma_debugfs_props(struct seq_file *seq, const char *whose,
				  const struct rpcrdma_props *props)
{
	seq_printf(seq, "%s_receive_buffer_size: %u\n", whose,
		   props->recv_size);
	seq_printf(seq, "%s_reverse_requests: %s\n", whose,
		   rpcrdma_debugfs_reverse[props->reverse]);
}

static void rpcrdma_debugfs_properties(struct seq_file *seq,
				       const struct rpcrdma_conn *conn)
{
	struct rpcrdma_props own;

	if (!conn->codec->properties)
		return;
	rpcrdma_conn_props(conn, &own);
	rpcrdma_debugfs_props(seq, "own", &own);
	seq_printf(seq, "peer_has_told: %s\n",
		   str_yes_no(conn->negotiation.has_props));
	rpcrdma_debugfs_props(seq, "peer", &conn->negotiation.peer);
}

static void rpcrdma_debugfs_counters(struct seq_file *seq,
				     const struct rpcrdma_stats *stats)
{
	unsigned int i;
	u64 count;

	for (i = 0; i < RPCRDMA_C_COUNT; i++) {
		count = rpcrdma_stats_read(stats, i);
		if (count)
			seq_printf(seq, "count_%s: %llu\n",
				   rpcrdma_counter_name(i), count);
	}
}

static int rpcrdma_debugfs_show(struct seq_file *seq, void *v)
{
	const struct rpcrdma_conn *conn = rpcrdma_registry_conn(v);
	enum rpcrdma_state state = rpcrdma_conn_state(conn);

	seq_printf(seq, "connection: %llu\n", conn->number);
	seq_printf(seq, "side: %s\n", conn->server ? "server" : "client");
	seq_printf(seq, "state: %s\n", rpcrdma_state_name(state));
	if (state >= RPCRDMA_S_CONNECTING) {
		seq_printf(seq, "peer: %pISpc\n", &conn->peer);
		rpcrdma_debugfs_version(seq, conn);
		seq_printf(seq, "inline_send: %u\n",
			   READ_ONCE(conn->inline_send));
		seq_printf(seq, "inline_receive: %u\n",
			   READ_ONCE(conn->inline_recv));
		rpcrdma_debugfs_properties(seq, conn);
		rpcrdma_debugfs_counters(seq, conn->stats);
	}
	seq_putc(seq, '\n');
	return 0;
}

static void *rpcrdma_debugfs_start(struct seq_file *seq, loff_t *pos)
	__acquires(&rpcrdma_registry_lock)
{
	spin_lock(&rpcrdma_registry_lock);
	return rpcrdma_registry_start(*pos);
}

static void *rpcrdma_debugfs_next(struct seq_file *seq, void *v, loff_t *pos)
{
	return rpcrdma_registry_next(v, pos);
}

static void rpcrdma_debugfs_stop(struct seq_file *seq, void *v)
	__releases(&rpcrdma_registry_lock)
{
	spin_unlock(&rpcrdma_registry_lock);
}

static const struct seq_operations rpcrdma_debugfs_sops = {
	.start	= rpcrdma_debugfs_start,
	.next	= rpcrdma_debugfs_next,
	.stop	= rpcrdma_debugfs_stop,
	.show	= rpcrdma_debugfs_show,
};

DEFINE_SEQ_ATTRIBUTE(rpcrdma_debugfs);
DEFINE_SHOW_ATTRIBUTE(rpcrdma_gpu);

/**
 * rpcrdma_debugfs_init - create the files, if the kernel has debugfs
 *
 * Context: module init.
 */
void rpcrdma_debugfs_init(void)
{
	rpcrdma_debugfs_dir = debugfs_create_dir("rpcrdma", NULL);
	debugfs_create_file("connections", 0400, rpcrdma_debugfs_dir, NULL,
			    &rpcrdma_debugfs_fops);
	debugfs_create_file("gpu_memory", 0400, rpcrdma_debugfs_dir, NULL,
			    &rpcrdma_gpu_fops);
}

/**
 * rpcrdma_debugfs_exit - remove the files; no connection is left
 *
 * Context: module exit.
 */
void rpcrdma_debugfs_exit(void)
{
	debugfs_remove(rpcrdma_debugfs_dir);
}
