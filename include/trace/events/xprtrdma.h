/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the client; Documentation/ABI/testing/tracefs-rpcrdma describes them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM xprtrdma

#if !defined(_TRACE_XPRTRDMA_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_XPRTRDMA_H

#include <linux/in6.h>
#include <linux/sunrpc/xprt.h>
#include <linux/tracepoint.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/msg.h>

TRACE_DEFINE_ENUM(RPCRDMA_MSG);
TRACE_DEFINE_ENUM(RPCRDMA_NOMSG);
TRACE_DEFINE_ENUM(RPCRDMA_ERROR);

#define xprtrdma_show_type(type)		\
	__print_symbolic(type,			\
		{ RPCRDMA_MSG, "msg" },		\
		{ RPCRDMA_NOMSG, "nomsg" },	\
		{ RPCRDMA_ERROR, "error" })

TRACE_EVENT(xprtrdma_connect,
	TP_PROTO(const struct rpc_xprt *xprt, int status),
	TP_ARGS(xprt, status),
	TP_STRUCT__entry(
		__field(unsigned int, xprt)
		__field(int, status)
		__array(unsigned char, peer, sizeof(struct sockaddr_in6))
	),
	TP_fast_assign(
		__entry->xprt = xprt->id;
		__entry->status = status;
		memcpy(__entry->peer, &xprt->addr, sizeof(struct sockaddr_in6));
	),
	TP_printk("xprt=%u peer=%pISpc status=%d", __entry->xprt,
		  __entry->peer, __entry->status)
);

TRACE_EVENT(xprtrdma_credit_wait,
	TP_PROTO(const struct rpc_xprt *xprt, __be32 xid),
	TP_ARGS(xprt, xid),
	TP_STRUCT__entry(
		__field(unsigned int, xprt)
		__field(u32, xid)
		__field(unsigned long, window)
	),
	TP_fast_assign(
		__entry->xprt = xprt->id;
		__entry->xid = be32_to_cpu(xid);
		__entry->window = READ_ONCE(xprt->cwnd) >> RPC_CWNDSHIFT;
	),
	TP_printk("xprt=%u xid=0x%08x window=%lu", __entry->xprt,
		  __entry->xid, __entry->window)
);

TRACE_EVENT(xprtrdma_credit_go,
	TP_PROTO(const struct rpc_xprt *xprt, __be32 xid, u64 ns),
	TP_ARGS(xprt, xid, ns),
	TP_STRUCT__entry(
		__field(unsigned int, xprt)
		__field(u32, xid)
		__field(u64, ns)
	),
	TP_fast_assign(
		__entry->xprt = xprt->id;
		__entry->xid = be32_to_cpu(xid);
		__entry->ns = ns;
	),
	TP_printk("xprt=%u xid=0x%08x ns=%llu", __entry->xprt, __entry->xid,
		  __entry->ns)
);

TRACE_EVENT(xprtrdma_register,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid,
		 const struct ib_mr *mr, unsigned int pages, bool write),
	TP_ARGS(conn, xid, mr, pages, write),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(u32, handle)
		__field(u64, length)
		__field(unsigned int, pages)
		__field(bool, write)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->handle = mr->rkey;
		__entry->length = mr->length;
		__entry->pages = pages;
		__entry->write = write;
	),
	TP_printk("conn=%llu xid=0x%08x handle=0x%08x length=%llu pages=%u dir=%s",
		  __entry->conn, __entry->xid, __entry->handle,
		  __entry->length, __entry->pages,
		  __entry->write ? "write" : "read")
);

TRACE_EVENT(xprtrdma_marshal,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid,
		 const struct rpcrdma_msg *msg, unsigned int mrs, int status),
	TP_ARGS(conn, xid, msg, mrs, status),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(unsigned int, type)
		__field(unsigned int, reads)
		__field(unsigned int, writes)
		__field(unsigned int, reply)
		__field(unsigned int, mrs)
		__field(int, status)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->type = msg->type;
		__entry->reads = msg->reads.nsegs;
		__entry->writes = msg->nwrites;
		__entry->reply = msg->has_reply;
		__entry->mrs = mrs;
		__entry->status = status;
	),
	TP_printk("conn=%llu xid=0x%08x type=%s reads=%u writes=%u reply=%u mrs=%u status=%d",
		  __entry->conn, __entry->xid,
		  xprtrdma_show_type(__entry->type), __entry->reads,
		  __entry->writes, __entry->reply, __entry->mrs,
		  __entry->status)
);

TRACE_EVENT(xprtrdma_invalidate,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid, unsigned int mrs),
	TP_ARGS(conn, xid, mrs),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(unsigned int, mrs)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->mrs = mrs;
	),
	TP_printk("conn=%llu xid=0x%08x mrs=%u", __entry->conn, __entry->xid,
		  __entry->mrs)
);

TRACE_EVENT(xprtrdma_reply,
	TP_PROTO(const struct rpcrdma_conn *conn, const struct rpcrdma_msg *msg,
		 u32 length),
	TP_ARGS(conn, msg, length),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(unsigned int, type)
		__field(u32, credits)
		__field(u32, length)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(msg->xid);
		__entry->type = msg->type;
		__entry->credits = msg->credits;
		__entry->length = length;
	),
	TP_printk("conn=%llu xid=0x%08x type=%s credits=%u length=%u",
		  __entry->conn, __entry->xid,
		  xprtrdma_show_type(__entry->type), __entry->credits,
		  __entry->length)
);

TRACE_EVENT(xprtrdma_complete,
	TP_PROTO(const struct rpcrdma_conn *conn, __be32 xid, u32 length,
		 int error),
	TP_ARGS(conn, xid, length, error),
	TP_STRUCT__entry(
		__field(u64, conn)
		__field(u32, xid)
		__field(u32, length)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->conn = conn->number;
		__entry->xid = be32_to_cpu(xid);
		__entry->length = length;
		__entry->error = error;
	),
	TP_printk("conn=%llu xid=0x%08x length=%u error=%d", __entry->conn,
		  __entry->xid, __entry->length, __entry->error)
);

#endif /* _TRACE_XPRTRDMA_H */

#include <trace/define_trace.h>
