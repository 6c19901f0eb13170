/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One RDMA connection: cm_id, PD, CQ, QP, and its queues.
 *
 * Life of a connection
 * --------------------
 *
 * A client creates one with rpcrdma_conn_resolve(), a server with rpcrdma_conn_adopt().
 * The device is known then. Both compute limits (rpcrdma_conn_limits()), call
 * rpcrdma_conn_setup(), post Receives, and call rpcrdma_conn_connect() or
 * rpcrdma_conn_accept().
 *
 * Everything that ends a connection goes through rpcrdma_conn_close(), which any caller
 * in any context may call. The first caller's cause is kept. ops->lost is called at most
 * once, from a work item, and only after rpcrdma_conn_connect() or
 * rpcrdma_conn_accept().
 *
 * The owner then takes it apart, in process context, and frees its own resources in
 * between:
 *
 *	rpcrdma_conn_drain(conn);	all completions have come
 *	... a server releases its rdma_rw contexts ...
 *	rpcrdma_conn_destroy_qp(conn);	the device uses no memory any more
 *	... free MRs, Sends, requests ...
 *	rpcrdma_conn_destroy(conn);
 *
 * A poster is code that posts work requests, or that must not run beside or after the
 * drain. It runs between rpcrdma_conn_enter() and rpcrdma_conn_leave().
 *
 * Completion handlers run in process context, one at a time for each connection: on a
 * WQ_MEM_RECLAIM workqueue, or in a task that is busy polling (completion.h).
 */
#ifndef _RPCRDMA_CONN_H
#define _RPCRDMA_CONN_H

#include <linux/atomic.h>
#include <linux/moduleparam.h>
#include <linux/percpu-refcount.h>
#include <linux/socket.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>
#include <rpcrdma/close.h>
#include <rpcrdma/endpoint.h>
#include <rpcrdma/fault.h>
#include <rpcrdma/limits.h>
#include <rpcrdma/cm_private.h>
#include <rpcrdma/recv.h>
#include <rpcrdma/sendq.h>
#include <rpcrdma/state.h>
#include <rpcrdma/stats.h>
#include <rpcrdma/v2/negotiate.h>

struct rpcrdma_conn;
struct rpcrdma_traffic;

/**
 * struct rpcrdma_conn_ops - callbacks of the owner of a connection
 * @received:	 a message has arrived. @recv belongs to the owner until it calls
 *		 rpcrdma_recv_repost(). Completion handler, with the connection
 *		 entered; may not wait for other completions of the connection
 * @established: the CM has reported the connection as established. CM handler; may not
 *		 destroy the connection. May come after the first @received. Optional
 * @lost:	 the connection is closing. Called at most once, from a work item, if the
 *		 RDMA CM had been asked to connect or to accept, even if the connection
 *		 was never established. It may sleep, but may neither drain nor destroy
 *		 the connection
 * @ping:	 write a message that the peer must answer soon into @buf, for the
 *		 keepalive of iWARP; the core sends it. Work item, with the connection
 *		 entered; does not sleep. Returns its length in bytes; 0 if messages
 *		 that were sent already must be answered too; -EAGAIN if nothing can be
 *		 sent now, and the silence of the peer means nothing. Optional
 * @keepalive_ms: milliseconds within which the owner wants a dead peer detected; 0: no
 *		 shorter time than rpcrdma.keepalive_seconds. Not called where
 *		 @ping is used. Any context, with the connection entered; does not sleep.
 *		 Optional
 * @sq_avail:	 slots came back after rpcrdma_sendq_try_reserve() had failed; from a
 *		 completion handler. Optional
 * @traffic:	 type of service and timers that the administrator has chosen
 */
struct rpcrdma_conn_ops {
	void (*received)(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);
	void (*established)(struct rpcrdma_conn *conn);
	void (*lost)(struct rpcrdma_conn *conn);
	int (*ping)(struct rpcrdma_conn *conn, void *buf, size_t size);
	unsigned int (*keepalive_ms)(struct rpcrdma_conn *conn);
	void (*sq_avail)(struct rpcrdma_conn *conn);
	struct rpcrdma_traffic *traffic;
};

/**
 * struct rpcrdma_conn - a connection, as the client and the server see it
 * @ops:	  the owner's callbacks
 * @owner:	  the owner's pointer, for @ops
 * @ep:		  endpoint that the connection belongs to
 * @stats:	  counters of @ep
 * @device:	  known once resolved or adopted
 * @port_num:	  port of @device, counted from 1; known with it
 * @pd:		  protection domain of this connection alone, so that no other
 *		  connection can use its memory (RFC 8166 8.1.1 (V1-MEM-12))
 * @qp:		  queue pair; NULL before rpcrdma_conn_setup() and after
 *		  rpcrdma_conn_destroy_qp()
 * @limits:	  sizes set at rpcrdma_conn_setup()
 * @local:	  CM private data to send; the owner changes it before it connects
 * @remote:	  CM private data of the peer; defaults until it is known
 * @server:	  created from a connect request, by rpcrdma_conn_adopt(); false:
 *		  created by rpcrdma_conn_resolve()
 * @inline_send:  largest message we may send, bytes
 * @inline_recv:  largest message the peer may send, bytes
 * @remote_inv:	  the peer may be sent Send With Invalidate
 * @negotiation:  protocol version and properties of the peer; changes only in the
 *		  receive path once the connection is established
 * @negotiate_us: how long the negotiation of the version took, microseconds; shown
 *		  in debugfs
 * @codec:	  of the version in force; of version 1 until that is settled
 * @read_depth:	  RDMA Reads that may be under way at once; server
 * @peer:	  address of the peer
 * @number:	  unique since the module was loaded; for logs and traces
 * @gpu_mapped:	  mappings of GPU memory (gpu.c)
 *
 * The core embeds it in a struct of its own, which has the rest.
 */
struct rpcrdma_conn {
	const struct rpcrdma_conn_ops	*ops;
	void				*owner;
	struct rpcrdma_endpoint		*ep;
	struct rpcrdma_stats		*stats;
	struct ib_device		*device;
	u32				port_num;
	struct ib_pd			*pd;
	struct ib_qp			*qp;
	struct rpcrdma_limits		limits;
	struct rpcrdma_cm_private	local;
	struct rpcrdma_cm_private	remote;
	bool				server;
	u32				inline_send;
	u32				inline_recv;
	bool				remote_inv;
	struct rpcrdma_negotiation	negotiation;
	u32				negotiate_us;
	const struct rpcrdma_codec	*codec;
	u8				read_depth;
	struct sockaddr_storage		peer;
	u64				number;
	atomic_t			gpu_mapped;
};

/* connection/cm.c */
struct rdma_cm_id *rpcrdma_cm_id_create(struct net *net,
					rdma_cm_event_handler handler,
					void *context);
struct rpcrdma_conn *rpcrdma_conn_resolve(struct net *net,
					  const struct sockaddr *src,
					  const struct sockaddr *dst,
					  const struct rpcrdma_conn_ops *ops,
					  void *owner,
					  struct rpcrdma_endpoint *ep,
					  unsigned long timeout);
struct rpcrdma_conn *rpcrdma_conn_adopt(struct rdma_cm_id *cm_id,
					const struct rdma_cm_event *event,
					const struct rpcrdma_conn_ops *ops,
					void *owner,
					struct rpcrdma_endpoint *ep);
int rpcrdma_conn_connect(struct rpcrdma_conn *conn, unsigned long timeout);
int rpcrdma_conn_accept(struct rpcrdma_conn *conn);

/* connection/conn_state.c */
enum rpcrdma_state rpcrdma_conn_state(const struct rpcrdma_conn *conn);
void rpcrdma_conn_close(struct rpcrdma_conn *conn,
			enum rpcrdma_close_cause cause, int error);
void rpcrdma_conn_wc_failed(struct rpcrdma_conn *conn, const struct ib_wc *wc,
			    enum rpcrdma_close_cause cause);

/* connection/conn.c */
int rpcrdma_conn_limits(const struct rpcrdma_conn *conn,
			const struct rpcrdma_settings *settings,
			struct rpcrdma_limits *limits);
int rpcrdma_conn_setup(struct rpcrdma_conn *conn,
		       const struct rpcrdma_settings *settings);
void rpcrdma_conn_drain(struct rpcrdma_conn *conn);
void rpcrdma_conn_destroy_qp(struct rpcrdma_conn *conn);
void rpcrdma_conn_destroy(struct rpcrdma_conn *conn);

/* connection/keepalive.c */
void rpcrdma_keepalive_now(struct rpcrdma_conn *conn);
void rpcrdma_keepalive_changed(struct rpcrdma_conn *conn);
bool rpcrdma_keepalive_watches(const struct rpcrdma_conn *conn);

/* observation/log.c */
void rpcrdma_report_reason(struct rpcrdma_conn *conn,
			   enum rpcrdma_reason reason, __be32 xid);

/* connection/version.c */
extern const struct kernel_param_ops rpcrdma_versions_ops;

void rpcrdma_conn_apply_version(struct rpcrdma_conn *conn);
void rpcrdma_conn_props(const struct rpcrdma_conn *conn,
			struct rpcrdma_props *props);
void rpcrdma_version_settings(struct rpcrdma_settings *settings,
			      unsigned long versions);

/**
 * rpcrdma_conn_enter - become a poster: rpcrdma_conn_drain() waits from now on
 * @conn: connection that the caller keeps from being freed by other means
 *
 * Context: any. Cheap: a per-CPU reference.
 * Return: true if work requests may be posted, and nothing is drained, until
 * rpcrdma_conn_leave(); false if the connection is closing.
 */
static inline bool rpcrdma_conn_enter(struct rpcrdma_conn *conn)
{
	return percpu_ref_tryget_live(&conn->ep->posters);
}

/**
 * rpcrdma_conn_leave - stop being a poster
 * @conn: connection, entered
 *
 * Context: any.
 */
static inline void rpcrdma_conn_leave(struct rpcrdma_conn *conn)
{
	percpu_ref_put(&conn->ep->posters);
}

#endif /* _RPCRDMA_CONN_H */
