/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the core; Documentation/ABI/testing/tracefs-rpcrdma describes them.
 *
 * Text with spaces is printed in quotation marks, so that a line can be parsed as
 * name=value. What is printed as text is stored as a number.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rpcrdma_core

#if !defined(_TRACE_RPCRDMA_CORE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_RPCRDMA_CORE_H

#include <linux/in6.h>
#include <linux/tracepoint.h>
#include <rpcrdma/conn.h>

TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ADDR_RESOLVED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ADDR_ERROR);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ROUTE_RESOLVED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ROUTE_ERROR);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_CONNECT_REQUEST);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_CONNECT_RESPONSE);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_CONNECT_ERROR);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_UNREACHABLE);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_REJECTED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ESTABLISHED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_DISCONNECTED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_DEVICE_REMOVAL);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ADDR_CHANGE);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_TIMEWAIT_EXIT);

#define rpcrdma_show_cm_event(event)					\
	__print_symbolic(event,						\
		{ RDMA_CM_EVENT_ADDR_RESOLVED, "addr_resolved" },	\
		{ RDMA_CM_EVENT_ADDR_ERROR, "addr_error" },		\
		{ RDMA_CM_EVENT_ROUTE_RESOLVED, "route_resolved" },	\
		{ RDMA_CM_EVENT_ROUTE_ERROR, "route_error" },		\
		{ RDMA_CM_EVENT_CONNECT_REQUEST, "connect_request" },	\
		{ RDMA_CM_EVENT_CONNECT_RESPONSE, "connect_response" },	\
		{ RDMA_CM_EVENT_CONNECT_ERROR, "connect_error" },	\
		{ RDMA_CM_EVENT_UNREACHABLE, "unreachable" },		\
		{ RDMA_CM_EVENT_REJECTED, "rejected" },			\
		{ RDMA_CM_EVENT_ESTABLISHED, "established" },		\
		{ RDMA_CM_EVENT_DISCONNECTED, "disconnected" },		\
		{ RDMA_CM_EVENT_DEVICE_REMOVAL, "device_removal" },	\
		{ RDMA_CM_EVENT_ADDR_CHANGE, "addr_change" },		\
		{ RDMA_CM_EVENT_TIMEWAIT_EXIT, "timewait_exit" })

TRACE_EVENT(rpcrdma_state,
	TP_PROTO(const struct rpcrdma_conn *conn, enum rpcrdma_state from,
		 enum rpcrdma_state to),
	TP_ARGS(conn, from, to),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(unsigned int, from)
		__field(unsigned int, to)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->from = from;
		__entry->to = to;
	),
	TP_printk("conn=%llu from=%s to=%s", __entry->conn,
		  rpcrdma_state_name(__entry->from),
		  rpcrdma_state_name(__entry->to))
);

TRACE_EVENT(rpcrdma_cm_event,
	TP_PROTO(const struct rpcrdma_conn *conn,
		 const struct rdma_cm_event *event),
	TP_ARGS(conn, event),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(unsigned int, event)
		__field(int, status)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->event = event->event;
		__entry->status = event->status;
	),
	TP_printk("conn=%llu event=%s status=%d", __entry->conn,
		  rpcrdma_show_cm_event(__entry->event), __entry->status)
);

TRACE_EVENT(rpcrdma_established,
	TP_PROTO(const struct rpcrdma_conn *conn,
		 const struct sockaddr_storage *source),
	TP_ARGS(conn, source),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(bool, server)
		__field(u32, port)
		__array(unsigned char, source, sizeof(struct sockaddr_in6))
		__array(unsigned char, peer, sizeof(struct sockaddr_in6))
		__array(char, device, IB_DEVICE_NAME_MAX)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->server = conn->server;
		__entry->port = conn->port_num;
		memcpy(__entry->source, source, sizeof(struct sockaddr_in6));
		memcpy(__entry->peer, &conn->peer,
		       sizeof(struct sockaddr_in6));
		strscpy(__entry->device, conn->device->name,
			IB_DEVICE_NAME_MAX);
	),
	TP_printk("conn=%llu side=%s source=%pISpc peer=%pISpc device=%s port=%u",
		  __entry->conn, __entry->server ? "server" : "client",
		  __entry->source, __entry->peer, __entry->device,
		  __entry->port)
);

TRACE_EVENT(rpcrdma_close,
	TP_PROTO(const struct rpcrdma_conn *conn,
		 enum rpcrdma_close_cause cause, int error),
	TP_ARGS(conn, cause, error),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(unsigned int, cause)
		__field(int, error)
		__array(unsigned char, peer, sizeof(struct sockaddr_in6))
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->cause = cause;
		__entry->error = error;
		memcpy(__entry->peer, &conn->peer,
		       sizeof(struct sockaddr_in6));
	),
	TP_printk("conn=%llu peer=%pISpc cause=\"%s\" error=%d",
		  __entry->conn, __entry->peer,
		  rpcrdma_close_cause_text(__entry->cause), __entry->error)
);

TRACE_EVENT(rpcrdma_refuse,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid,
		 enum rpcrdma_reason reason),
	TP_ARGS(conn, xid, reason),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(unsigned int, reason)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->reason = reason;
	),
	TP_printk("conn=%llu xid=0x%08x reason=%u text=\"%s\"",
		  __entry->conn, __entry->xid, __entry->reason,
		  rpcrdma_reason_text(__entry->reason))
);

TRACE_EVENT(rpcrdma_post,
	TP_PROTO(const struct rpcrdma_conn *conn, u32 cid, __be32 xid,
		 const struct ib_send_wr *first),
	TP_ARGS(conn, cid, xid, first),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, cid)
		__field(u32, xid)
		__field(unsigned int, wrs)
		__field(bool, is_signaled)
	),
	TP_fast_assign(
		const struct ib_send_wr *wr;

		__entry->conn = conn->number;
		__entry->cid = cid;
		__entry->xid = be32_to_cpu(xid);
		__entry->wrs = 0;
		__entry->is_signaled = false;
		for (wr = first; wr; wr = wr->next) {
			__entry->wrs++;
			if (wr->send_flags & IB_SEND_SIGNALED)
				__entry->is_signaled = true;
		}
	),
	TP_printk("conn=%llu cid=%u xid=0x%08x wrs=%u signaled=%d",
		  __entry->conn, __entry->cid, __entry->xid, __entry->wrs,
		  __entry->is_signaled)
);

TRACE_EVENT(rpcrdma_done,
	TP_PROTO(const struct rpcrdma_conn *conn,
		 const struct rpcrdma_wr_chain *chain, u32 by,
		 enum ib_wc_status status, u64 ns),
	TP_ARGS(conn, chain, by, status, ns),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, cid)
		__field(u32, xid)
		__field(u32, by)
		__field(unsigned int, status)
		__field(u64, ns)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->cid = chain->number;
		__entry->xid = be32_to_cpu(chain->xid);
		__entry->by = by;
		__entry->status = status;
		__entry->ns = ns;
	),
	TP_printk("conn=%llu cid=%u xid=0x%08x by=%u status=%u ns=%llu",
		  __entry->conn, __entry->cid, __entry->xid, __entry->by,
		  __entry->status, __entry->ns)
);

TRACE_EVENT(rpcrdma_receive,
	TP_PROTO(const struct rpcrdma_recv *recv),
	TP_ARGS(recv),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(u32, length)
		__field(u32, handle)
	),
	TP_fast_assign(
		__entry->conn = recv->conn->number;
		__entry->xid = recv->len < sizeof(__be32) ? 0 :
			       be32_to_cpup(recv->buf.data);
		__entry->length = recv->len;
		__entry->handle = recv->inv_rkey;
	),
	TP_printk("conn=%llu xid=0x%08x length=%u handle=0x%08x",
		  __entry->conn, __entry->xid, __entry->length,
		  __entry->handle)
);

TRACE_EVENT(rpcrdma_sendq_wait,
	TP_PROTO(const struct rpcrdma_conn *conn, unsigned int wanted,
		 unsigned int room),
	TP_ARGS(conn, wanted, room),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(unsigned int, wanted)
		__field(unsigned int, room)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->wanted = wanted;
		__entry->room = room;
	),
	TP_printk("conn=%llu wanted=%u room=%u", __entry->conn,
		  __entry->wanted, __entry->room)
);

TRACE_EVENT(rpcrdma_sendq_go,
	TP_PROTO(const struct rpcrdma_conn *conn, u64 ns),
	TP_ARGS(conn, ns),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u64, ns)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->ns = ns;
	),
	TP_printk("conn=%llu ns=%llu", __entry->conn, __entry->ns)
);

#endif /* _TRACE_RPCRDMA_CORE_H */

#include <trace/define_trace.h>
