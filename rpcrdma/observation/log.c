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

static const char * const rpcrdma_close_texts[] = {
	[RPCRDMA_CLOSE_NONE]		= "still open",
	[RPCRDMA_CLOSE_LOCAL]		= "closed by this end",
	[RPCRDMA_CLOSE_PEER]		= "closed by the peer",
	[RPCRDMA_CLOSE_UNREACHABLE]	= "peer not reachable",
	[RPCRDMA_CLOSE_REJECTED]	= "rejected by the peer",
	[RPCRDMA_CLOSE_TIMEOUT]		= "no answer in time",
	[RPCRDMA_CLOSE_DEVICE_GONE]	= "device removed",
	[RPCRDMA_CLOSE_ADDR_CHANGE]	= "local address changed",
	[RPCRDMA_CLOSE_QP_ERROR]	= "queue pair error",
	[RPCRDMA_CLOSE_COMPLETION]	= "work request failed",
	[RPCRDMA_CLOSE_POST]		= "work request not accepted",
	[RPCRDMA_CLOSE_INVALIDATE]	= "memory could not be invalidated",
	[RPCRDMA_CLOSE_PROTOCOL]	= "peer broke the protocol",
	[RPCRDMA_CLOSE_SILENT]		= "peer does not answer",
	[RPCRDMA_CLOSE_NO_ANSWER]	= "could not answer a Call",
	[RPCRDMA_CLOSE_SETUP]		= "could not be set up",
	[RPCRDMA_CLOSE_ADMIN]		= "closed by the administrator",
	[RPCRDMA_CLOSE_PORT_DOWN]	= "our port is down",
	[RPCRDMA_CLOSE_DROPPED]	= "a Call was dropped without an answer",
	[RPCRDMA_CLOSE_TRANSFER]	= "RDMA Reads or Writes make no progress",
	[RPCRDMA_CLOSE_CREDITS]		= "Calls that were given up hold all credits",
	[RPCRDMA_CLOSE_GPU]		= "the provider of GPU memory left",
};

static_assert(ARRAY_SIZE(rpcrdma_close_texts) == RPCRDMA_CLOSE_COUNT,
	      "the last cause has no text");

/**
 * rpcrdma_close_cause_text - the text of a cause
 * @cause: any value
 *
 * Context: any.
 * Return: a constant string, never NULL.
 */
const char *rpcrdma_close_cause_text(enum rpcrdma_close_cause cause)
{
	if ((unsigned int)cause >= RPCRDMA_CLOSE_COUNT ||
	    !rpcrdma_close_texts[cause])
		return "unknown cause";
	return rpcrdma_close_texts[cause];
}
EXPORT_SYMBOL_GPL(rpcrdma_close_cause_text);

/**
 * rpcrdma_log_established - log that a connection is established
 * @conn: connection
 *
 * Context: any.
 */
void rpcrdma_log_established(const struct rpcrdma_conn *conn)
{
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
