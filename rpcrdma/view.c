// SPDX-License-Identifier: GPL-2.0-only
/*
 * A view of all connections for developers: /sys/kernel/debug/rpcrdma/connections.
 * Documentation/version2.rst tells what the lines mean; end.c has the view for
 * administrators.
 *
 * The lock is held while text goes into memory that is there already, and at no other
 * time, since connecting again takes it and is part of writeback.
 */
#include <linux/debugfs.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <compat/truth.h>
#include "core.h"

/* Both under rpcrdma_view_lock */
static LIST_HEAD(rpcrdma_view_conns);
static u64 rpcrdma_view_last;
static struct dentry *rpcrdma_view_dir;

static const char *const rpcrdma_view_reverse[] = {
	[RPCRDMA_BRS_NONE]	= "none",
	[RPCRDMA_BRS_INLINE]	= "inline",
	[RPCRDMA_BRS_GENERAL]	= "general",
};

/**
 * rpcrdma_view_add - from now on a connection can be seen
 * @conn: new connection
 *
 * Context: may sleep.
 */
void rpcrdma_view_add(struct rpcrdma_conn *conn)
{
	mutex_lock(&rpcrdma_view_lock);
	conn->number = ++rpcrdma_view_last;
	list_add_tail(&conn->view, &rpcrdma_view_conns);
	conn->end->conn = conn;
	mutex_unlock(&rpcrdma_view_lock);
}

/**
 * rpcrdma_view_del - a connection is about to be freed
 * @conn: connection; nobody looks at it any more when this returns
 *
 * Context: may sleep.
 */
void rpcrdma_view_del(struct rpcrdma_conn *conn)
{
	mutex_lock(&rpcrdma_view_lock);
	list_del(&conn->view);
	conn->end->conn = NULL;
	mutex_unlock(&rpcrdma_view_lock);
}

static void rpcrdma_view_version(struct seq_file *seq,
				 const struct rpcrdma_conn *conn)
{
	const struct rpcrdma_nego *nego = &conn->nego;

	/* Pairs with rpcrdma_nego_set() */
	switch (smp_load_acquire(&nego->state)) {
	case RPCRDMA_NEGO_SETTLED:
		seq_printf(seq, "version: %u\n", nego->version);
		break;
	case RPCRDMA_NEGO_FAILED:
		seq_puts(seq, "version: none in common\n");
		break;
	default:
		seq_puts(seq, "version: not known yet\n");
	}
	if (!READ_ONCE(nego->probed))
		return;
	seq_printf(seq, "fell_back: %s\n", str_yes_no(READ_ONCE(nego->fell_back)));
	seq_printf(seq, "negotiation_microseconds: %u\n",
		   READ_ONCE(conn->nego_time));
}

static void rpcrdma_view_props(struct seq_file *seq, const char *whose,
			       const struct rpcrdma_props *props)
{
	seq_printf(seq, "%s_receive_buffer_size: %u\n", whose,
		   props->recv_size);
	seq_printf(seq, "%s_reverse_requests: %s\n", whose,
		   rpcrdma_view_reverse[props->reverse]);
}

static void rpcrdma_view_properties(struct seq_file *seq,
				    const struct rpcrdma_conn *conn)
{
	struct rpcrdma_props own;

	if (!conn->codec->properties)
		return;
	rpcrdma_conn_props(conn, &own);
	rpcrdma_view_props(seq, "own", &own);
	seq_printf(seq, "peer_has_told: %s\n", str_yes_no(conn->nego.heard));
	rpcrdma_view_props(seq, "peer", &conn->nego.peer);
}

static void rpcrdma_view_counters(struct seq_file *seq,
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

static int rpcrdma_view_show(struct seq_file *seq, void *v)
{
	const struct rpcrdma_conn *conn = list_entry(v, struct rpcrdma_conn,
						     view);
	enum rpcrdma_state state = rpcrdma_conn_state(conn);

	seq_printf(seq, "connection: %llu\n", conn->number);
	seq_printf(seq, "side: %s\n", conn->adopted ? "server" : "client");
	seq_printf(seq, "state: %s\n", rpcrdma_state_name(state));
	if (state >= RPCRDMA_S_CONNECTING) {
		seq_printf(seq, "peer: %pISpc\n", &conn->peer);
		rpcrdma_view_version(seq, conn);
		seq_printf(seq, "inline_send: %u\n",
			   READ_ONCE(conn->inline_send));
		seq_printf(seq, "inline_receive: %u\n",
			   READ_ONCE(conn->inline_recv));
		rpcrdma_view_properties(seq, conn);
		rpcrdma_view_counters(seq, conn->stats);
	}
	seq_putc(seq, '\n');
	return 0;
}

static void *rpcrdma_view_start(struct seq_file *seq, loff_t *pos)
{
	mutex_lock(&rpcrdma_view_lock);
	return seq_list_start(&rpcrdma_view_conns, *pos);
}

static void *rpcrdma_view_next(struct seq_file *seq, void *v, loff_t *pos)
{
	return seq_list_next(v, &rpcrdma_view_conns, pos);
}

static void rpcrdma_view_stop(struct seq_file *seq, void *v)
{
	mutex_unlock(&rpcrdma_view_lock);
}

static const struct seq_operations rpcrdma_view_sops = {
	.start	= rpcrdma_view_start,
	.next	= rpcrdma_view_next,
	.stop	= rpcrdma_view_stop,
	.show	= rpcrdma_view_show,
};

DEFINE_SEQ_ATTRIBUTE(rpcrdma_view);

/**
 * rpcrdma_view_init - make the file; without debugfs there is none
 *
 * Context: module init.
 */
void rpcrdma_view_init(void)
{
	rpcrdma_view_dir = debugfs_create_dir("rpcrdma", NULL);
	debugfs_create_file("connections", 0400, rpcrdma_view_dir, NULL,
			    &rpcrdma_view_fops);
}

/**
 * rpcrdma_view_exit - remove the file; no connection is left
 *
 * Context: module exit.
 */
void rpcrdma_view_exit(void)
{
	debugfs_remove(rpcrdma_view_dir);
}
