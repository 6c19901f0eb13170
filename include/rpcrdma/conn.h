/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One RDMA connection: cm_id, PD, CQ, QP, its queues, and the one way down.
 *
 * Life of a connection
 * --------------------
 *
 * A client makes one with rpcrdma_conn_resolve(), a server with
 * rpcrdma_conn_adopt(). Both then know the device (rpcrdma_conn_caps()),
 * compute limits, call rpcrdma_conn_setup(), post Receives, and finish with
 * rpcrdma_conn_connect() or rpcrdma_conn_accept().
 *
 * rpcrdma_conn_close() is the one error door: any number of callers, in any
 * context, however they noticed; the first one wins, its cause is kept, and
 * ops->lost runs once from a work item.
 *
 * The owner then takes it apart, in process context, in two steps with its
 * own resources in between:
 *
 *	rpcrdma_conn_drain(conn);	no completion can come any more
 *	... free MRs, rdma_rw contexts, requests ...
 *	rpcrdma_conn_destroy(conn);
 *
 * Whoever posts work must be inside rpcrdma_conn_enter() and
 * rpcrdma_conn_leave(). Completion handlers run in process context (a
 * WQ_MEM_RECLAIM workqueue), one at a time per connection.
 */
#ifndef _RPCRDMA_CONN_H
#define _RPCRDMA_CONN_H

#include <linux/moduleparam.h>
#include <linux/percpu-refcount.h>
#include <linux/socket.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>
#include <rpcrdma/close.h>
#include <rpcrdma/endpoint.h>
#include <rpcrdma/fault.h>
#include <rpcrdma/limits.h>
#include <rpcrdma/negotiate.h>
#include <rpcrdma/cm_private.h>
#include <rpcrdma/keepalive.h>
#include <rpcrdma/recv.h>
#include <rpcrdma/sendq.h>
#include <rpcrdma/state.h>
#include <rpcrdma/stats.h>

struct rpcrdma_conn;

/**
 * struct rpcrdma_conn_ops - what the owner of a connection is told
 * @received:	 a message has arrived. @recv belongs to the owner until it
 *		 calls rpcrdma_recv_repost(). Process context, serial per
 *		 connection, with the connection entered; may not wait for
 *		 other completions of it
 * @established: the CM has reported the connection as up. CM context; may not
 *		 destroy the connection. May come after the first @received
 * @lost:	 the connection is closing; called once, from a work item, if
 *		 rpcrdma_conn_connect() or rpcrdma_conn_accept() had been called
 *		 (whether or not it ever was established). It may sleep but may
 *		 not drain or destroy
 * @sq_avail:	 room came back after rpcrdma_sendq_try_reserve() had failed; from a
 *		 completion handler. Optional
 */
struct rpcrdma_conn_ops {
	void (*received)(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);
	void (*established)(struct rpcrdma_conn *conn);
	void (*lost)(struct rpcrdma_conn *conn);
	void (*sq_avail)(struct rpcrdma_conn *conn);
};

/**
 * struct rpcrdma_keepalive - what finds a peer that has died in silence
 * @work:      looks at the connection from time to time
 * @cqe:       completion of a probe
 * @chain:    of a probe
 * @plan:      what was seen last; of @work alone
 * @answers:   probes that have been answered, wrapping
 * @in_progress: a probe is in the send queue
 * @tcp:       what says whether the peer answers, on Soft-iWARP; else NULL
 */
struct rpcrdma_keepalive {
	struct delayed_work		work;
	struct ib_cqe			cqe;
	struct rpcrdma_wr_chain		chain;
	struct rpcrdma_keepalive_plan	plan;
	u32				answers;
	bool				in_progress;
	struct sock			*tcp;
};

/**
 * struct rpcrdma_conn - one connection
 * @cm_id:	  from the RDMA connection manager
 * @resolve_timeout: jiffies to find address and route; client
 * @device:	  known once resolved or adopted
 * @pd:		  protection domain of this connection alone (V1-MEM-12)
 * @cq:		  one CQ for both queues; handlers never run in parallel
 * @qp:		  same as @cm_id->qp
 * @ops:	  the owner's callbacks
 * @owner:	  the owner's pointer
 * @ep:		  what the owner shows to people
 * @stats:	  counters of @ep
 * @limits:	  sizes set at rpcrdma_conn_setup()
 * @local:	  private data that we announce
 * @remote:	  private data of the peer; defaults until it is known
 * @adopted:	  this is the accepting end
 * @inline_send:  largest message we may send, bytes
 * @inline_recv:  largest message the peer may send, bytes
 * @remote_inv:	  the peer may be sent Send With Invalidate (set by accept)
 * @peer:	  address of the peer, for log lines
 * @negotiation:	  protocol version and properties of the peer; changes in the
 *		  receive path only, once the connection is up
 * @negotiate_us:	  what finding the version has cost, microseconds; for people
 * @codec:	  of the version in force; of version 1 until that is settled
 * @read_depth:	  RDMA Reads we may have under way; server
 * @number:	  never given twice; for people
 * @established_at: seconds of ktime; 0 before; for people
 * @registry:	  in the list of all connections
 * @cause:	  why it closed
 * @error:	  errno that goes with @cause, 0 or negative
 * @sendq:	  send queue room
 * @rq:		  receive queue
 * @keepalive:	  private to probe.c
 *
 * The rest is private to conn.c and farewell.c.
 */
struct rpcrdma_conn {
	struct rdma_cm_id		*cm_id;
	unsigned long			resolve_timeout;
	struct ib_device		*device;
	struct ib_pd			*pd;
	struct ib_cq			*cq;
	struct ib_qp			*qp;
	const struct rpcrdma_conn_ops	*ops;
	void				*owner;
	struct rpcrdma_endpoint		*ep;
	struct rpcrdma_stats		*stats;
	struct rpcrdma_limits		limits;
	struct rpcrdma_cm_private	local;
	struct rpcrdma_cm_private	remote;
	bool				adopted;
	u32				inline_send;
	u32				inline_recv;
	bool				remote_inv;
	struct rpcrdma_negotiation	negotiation;
	u32				negotiate_us;
	const struct rpcrdma_codec	*codec;
	u8				read_depth;
	struct sockaddr_storage		peer;
	u64				number;
	time64_t			established_at;
	struct list_head		registry;
	enum rpcrdma_close_cause	cause;
	int				error;

	struct rpcrdma_sendq		sendq ____cacheline_aligned;
	struct rpcrdma_rq		rq ____cacheline_aligned;
	struct rpcrdma_keepalive	keepalive ____cacheline_aligned;

	struct completion		posters_gone;
	spinlock_t			state_lock;	/* state, cause, error */
	enum rpcrdma_state		state;
	unsigned long			flags;
	wait_queue_head_t		state_wait;
	struct work_struct		close_work;
	struct delayed_work		deferred_work;
	unsigned long			deferred_begun;	/* jiffies */
	unsigned int			deferred_checks;	/* that found the device up */
};

/* conn.c */
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
void rpcrdma_conn_caps(const struct rpcrdma_conn *conn,
		       struct rpcrdma_caps *caps);
int rpcrdma_conn_setup(struct rpcrdma_conn *conn,
		       const struct rpcrdma_limits *limits);
int rpcrdma_conn_connect(struct rpcrdma_conn *conn, unsigned long timeout);
int rpcrdma_conn_accept(struct rpcrdma_conn *conn);
void rpcrdma_conn_close(struct rpcrdma_conn *conn,
			enum rpcrdma_close_cause cause, int error);
void rpcrdma_conn_wc_failed(struct rpcrdma_conn *conn, const struct ib_wc *wc,
			    enum rpcrdma_close_cause cause);
void rpcrdma_conn_drain(struct rpcrdma_conn *conn);
void rpcrdma_conn_destroy(struct rpcrdma_conn *conn);
enum rpcrdma_state rpcrdma_conn_state(const struct rpcrdma_conn *conn);
const char *rpcrdma_close_cause_text(enum rpcrdma_close_cause cause);
void rpcrdma_conn_refuse(struct rpcrdma_conn *conn, enum rpcrdma_reason reason,
			 __be32 xid);

/* version.c */
extern const struct kernel_param_ops rpcrdma_versions_ops;

void rpcrdma_conn_settled(struct rpcrdma_conn *conn);
void rpcrdma_conn_props(const struct rpcrdma_conn *conn,
			struct rpcrdma_props *props);
void rpcrdma_version_settings(struct rpcrdma_settings *settings,
			      unsigned long versions);

/**
 * rpcrdma_conn_enter - keep the connection from being drained
 * @conn: connection, kept alive by the caller in some other way
 *
 * Context: any. Cheap: a per-CPU reference.
 * Return: true if work may be posted until rpcrdma_conn_leave(); false if the
 * connection is closing.
 */
static inline bool rpcrdma_conn_enter(struct rpcrdma_conn *conn)
{
	return percpu_ref_tryget_live(&conn->ep->posters);
}

/**
 * rpcrdma_conn_leave - end what rpcrdma_conn_enter() began
 * @conn: connection
 */
static inline void rpcrdma_conn_leave(struct rpcrdma_conn *conn)
{
	percpu_ref_put(&conn->ep->posters);
}

#endif /* _RPCRDMA_CONN_H */
