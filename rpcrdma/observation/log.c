// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines in the kernel log: one for each connection that is established, closes, or
 * cannot be made, and for each message that is refused, with the cause. All are
 * rate-limited.
 */
#include <linux/ratelimit.h>
#include <trace/events/rpcrdma_core.h>
#include "../core.h"

/* One for each reason, so that a flood of one does not hide the others */
static struct ratelimit_state rpcrdma_refuse_limits[RPCRDMA_R_COUNT];

/**
 * rpcrdma_log_established - log that a connection is established
 * @conn: connection
 *
 * Context: any.
 */
void rpcrdma_log_established(const struct rpcrdma_conn *conn)
{
	if (conn->ep->probe)
		return;
	pr_info_ratelimited("rpcrdma: %pISpc: connected, this end is the %s, through %s port %u\n",
			    &conn->peer, conn->server ? "server" : "client",
			    conn->device->name,
			    conn->port_num);
}

/**
 * rpcrdma_log_close - log that a connection closes, or could not be made
 * @conn: connection with its cause
 * @port_down: rpcrdma_rxe_port_is_down() was true
 *
 * Context: any.
 */
void rpcrdma_log_close(const struct rpcrdma_conn *conn, bool port_down)
{
	const struct rpcrdma_conn_core *core = to_core(conn);
	const char *cause = rpcrdma_close_cause_text(core->cause);
	const char *port = port_down ? ", our port is down" : "";

	if (conn->ep->probe)
		return;
	/* Three call sites, so that a flood of one kind does not hide the others */
	if (!core->established_at)
		pr_info_ratelimited("rpcrdma: %pISpc: no connection: %s (%d)%s\n",
				    &conn->peer, cause, core->error, port);
	else if (core->cause == RPCRDMA_CLOSE_LOCAL ||
		 (conn->server && core->cause == RPCRDMA_CLOSE_PEER))
		/*
		 * CLOSE_LOCAL: sunrpc has closed its transport, because it was
		 * idle or unmounted, but also after xprt_force_disconnect(), such
		 * as when a Call cannot be sent
		 */
		pr_info_ratelimited("rpcrdma: %pISpc: disconnected: %s%s\n",
				    &conn->peer, cause, port);
	else
		pr_info_ratelimited("rpcrdma: %pISpc: connection lost: %s (%d)%s\n",
				    &conn->peer, cause, core->error, port);
}

/**
 * rpcrdma_report_reason - count, trace and log what is wrong with a message
 * @conn: connection of the message
 * @reason: which check failed
 * @xid: of the message, or 0 if it could not be decoded
 *
 * Most are messages of the peer that are refused, but a Reply that was accepted, or one
 * of ours that cannot be sent, can be reported too. The message itself is left alone.
 *
 * The log line is rate-limited for each reason.
 *
 * Context: any.
 */
void rpcrdma_report_reason(struct rpcrdma_conn *conn,
			   enum rpcrdma_reason reason, __be32 xid)
{
	rpcrdma_count_refused(conn->stats, reason);
	trace_rpcrdma_refuse(conn, xid, reason);
	WRITE_ONCE(conn->ep->refused, reason);
	WRITE_ONCE(conn->ep->refused_at, ktime_get_seconds());
	if (__ratelimit(&rpcrdma_refuse_limits[reason]))
		pr_warn("rpcrdma: %pISpc: XID %08x refused: %s (reason %d)\n",
			&conn->peer, be32_to_cpu(xid),
			rpcrdma_reason_text(reason), reason);
}
EXPORT_SYMBOL_GPL(rpcrdma_report_reason);

/**
 * rpcrdma_log_init - initialize the rate limits
 *
 * Context: module init.
 */
void rpcrdma_log_init(void)
{
	unsigned int i;

	for (i = 0; i < RPCRDMA_R_COUNT; i++)
		ratelimit_state_init(&rpcrdma_refuse_limits[i],
				     DEFAULT_RATELIMIT_INTERVAL,
				     DEFAULT_RATELIMIT_BURST);
}
