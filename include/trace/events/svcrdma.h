/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the server; Documentation/ABI/testing/tracefs-rpcrdma describes them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM svcrdma

#if !defined(_TRACE_SVCRDMA_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_SVCRDMA_H

#include <linux/in6.h>
#include <linux/tracepoint.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/msg.h>

TRACE_DEFINE_ENUM(RPCRDMA_MSG);
TRACE_DEFINE_ENUM(RPCRDMA_NOMSG);
TRACE_DEFINE_ENUM(RPCRDMA_ERROR);

#define svcrdma_show_type(type)			\
	__print_symbolic(type,			\
		{ RPCRDMA_MSG, "msg" },		\
		{ RPCRDMA_NOMSG, "nomsg" },	\
		{ RPCRDMA_ERROR, "error" })

TRACE_EVENT(svcrdma_accept,
	TP_PROTO(const struct rpcrdma_conn *conn, int status),
	TP_ARGS(conn, status),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(int, status)
		__array(unsigned char, peer, sizeof(struct sockaddr_in6))
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->status = status;
		memcpy(__entry->peer, &conn->peer, sizeof(struct sockaddr_in6));
	),
	TP_printk("conn=%llu peer=%pISpc status=%d", __entry->conn,
		  __entry->peer, __entry->status)
);

TRACE_EVENT(svcrdma_call,
	TP_PROTO(const struct rpcrdma_conn *conn, const struct rpcrdma_msg *msg,
		 u32 length),
	TP_ARGS(conn, msg, length),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(unsigned int, type)
		__field(u32, credits)
		__field(u32, length)
		__field(unsigned int, reads)
		__field(unsigned int, writes)
		__field(unsigned int, reply)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(msg->xid);
		__entry->type = msg->type;
		__entry->credits = msg->credits;
		__entry->length = length;
		__entry->reads = msg->reads.nsegs;
		__entry->writes = msg->nwrites;
		__entry->reply = msg->has_reply;
	),
	TP_printk("conn=%llu xid=0x%08x type=%s credits=%u length=%u reads=%u writes=%u reply=%u",
		  __entry->conn, __entry->xid, svcrdma_show_type(__entry->type),
		  __entry->credits, __entry->length, __entry->reads,
		  __entry->writes, __entry->reply)
);

TRACE_EVENT(svcrdma_read,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid, unsigned int wrs),
	TP_ARGS(conn, xid, wrs),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(unsigned int, wrs)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->wrs = wrs;
	),
	TP_printk("conn=%llu xid=0x%08x wrs=%u", __entry->conn, __entry->xid,
		  __entry->wrs)
);

TRACE_EVENT(svcrdma_read_done,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid,
		 enum ib_wc_status status),
	TP_ARGS(conn, xid, status),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(unsigned int, status)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->status = status;
	),
	TP_printk("conn=%llu xid=0x%08x status=%u", __entry->conn,
		  __entry->xid, __entry->status)
);

/* sunrpc gets a complete Call (svcrdma_deliver()); xid: of the Call, length: its bytes */
TRACE_EVENT(svcrdma_handle,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid, u32 length),
	TP_ARGS(conn, xid, length),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(u32, length)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->length = length;
	),
	TP_printk("conn=%llu xid=0x%08x length=%u", __entry->conn, __entry->xid,
		  __entry->length)
);

TRACE_EVENT(svcrdma_reply,
	TP_PROTO(const struct rpcrdma_conn *conn, const struct rpcrdma_msg *msg,
		 u32 length, u32 inlined, unsigned int wrs, u32 handle),
	TP_ARGS(conn, msg, length, inlined, wrs, handle),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(u32, length)
		__field(u32, inlined)
		__field(unsigned int, wrs)
		__field(u32, handle)
		__field(u32, credits)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(msg->xid);
		__entry->length = length;
		__entry->inlined = inlined;
		__entry->wrs = wrs;
		__entry->handle = handle;
		__entry->credits = msg->credits;
	),
	TP_printk("conn=%llu xid=0x%08x length=%u inlined=%u wrs=%u handle=0x%08x credits=%u",
		  __entry->conn, __entry->xid, __entry->length,
		  __entry->inlined, __entry->wrs, __entry->handle,
		  __entry->credits)
);

TRACE_EVENT(svcrdma_error,
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
	TP_printk("conn=%llu xid=0x%08x reason=%u", __entry->conn,
		  __entry->xid, __entry->reason)
);

#endif /* _TRACE_SVCRDMA_H */

#include <trace/define_trace.h>
