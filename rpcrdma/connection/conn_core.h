/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The whole of a connection. The transports (xprtrdma, svcrdma) see struct
 * rpcrdma_conn, its first member.
 */
#ifndef _RPCRDMA_CONNECTION_CONN_CORE_H
#define _RPCRDMA_CONNECTION_CONN_CORE_H

#include <linux/completion.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rdma/rdma_cm.h>
#include <compat/container_of.h>
#include <rpcrdma/buf.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/keepalive.h>
#include <rpcrdma/traffic.h>
#include "sendq.h"

/**
 * enum rpcrdma_conn_flag - bits of rpcrdma_conn_core.flags; none is ever cleared
 * @RPCRDMA_CONN_OFFERED: rdma_connect() or rdma_accept() is about to be called, so
 *	the owner is told of a loss, and the CM has something to disconnect
 * @RPCRDMA_CONN_DRAINED: rpcrdma_conn_drain() has begun to drain; once is enough
 * @RPCRDMA_CONN_DREQ_UNSENT: the connection was closed without a CM message (disconnect
 *	request or rejection), because the port was down; see deferred_destroy.c
 * @RPCRDMA_CONN_DEVICE_REMOVED: the device is being removed and waits for the cm_id
 */
enum rpcrdma_conn_flag {
	RPCRDMA_CONN_OFFERED,
	RPCRDMA_CONN_DRAINED,
	RPCRDMA_CONN_DREQ_UNSENT,
	RPCRDMA_CONN_DEVICE_REMOVED,
};

/* With 16, without debugging, a connection would be larger than 2 KiB, and take twice as much */
#define RPCRDMA_CQ_BATCH	8

/**
 * enum rpcrdma_cq_flag - bits of rpcrdma_cq.flags
 * @RPCRDMA_CQ_BUSY: a lock: its holder runs completion handlers
 * @RPCRDMA_CQ_POLLED: a task is in rpcrdma_busy_poll()
 * @RPCRDMA_CQ_MISSED: while a task was polling there was an event, or the work item could not
 *		       run. Cleared when the task looks or leaves, so it may be set without need
 * @RPCRDMA_CQ_FAILED: a poll has failed: the QP cannot be drained
 * @RPCRDMA_CQ_STOPPED: the work item does not touch the CQ any more: see rpcrdma_cq_stop()
 */
enum rpcrdma_cq_flag {
	RPCRDMA_CQ_BUSY,
	RPCRDMA_CQ_POLLED,
	RPCRDMA_CQ_MISSED,
	RPCRDMA_CQ_FAILED,
	RPCRDMA_CQ_STOPPED,
};

/**
 * struct rpcrdma_cq - the completion queue of a connection
 * @ib:		 NULL before rpcrdma_conn_setup()
 * @work:	 polls @ib when it is not empty, and no task polls it
 * @flags:	 see enum rpcrdma_cq_flag
 * @wc:		 protected by RPCRDMA_CQ_BUSY
 */
struct rpcrdma_cq {
	struct ib_cq		*ib;
	struct work_struct	work;
	unsigned long		flags;
	struct ib_wc		wc[RPCRDMA_CQ_BATCH];
};

/**
 * struct rpcrdma_rq - the receive queue of a connection
 * @lock:    protects @all and @count
 * @all:     every buffer, posted or with the owner
 * @count:   of the buffers in @all
 * @arrived: messages that have arrived, wrapping; written by the receive path
 */
struct rpcrdma_rq {
	spinlock_t		lock;		/* see above */
	struct list_head	all;
	u32			count;
	u32			arrived;
};

/**
 * struct rpcrdma_keepalive - finds a peer that has died without a message
 * @work:	 looks at the connection from time to time
 * @cqe:	 completion of a keepalive
 * @chain:	 of a keepalive
 * @plan:	 what the last look has found; used by @work only
 * @answers:	 keepalives that have completed, wrapping
 * @in_progress: 1 while a keepalive is in the send queue, or a ping is being written; not a
 *		 bool, since not every architecture has an xchg() of one byte
 * @covers:	 unsignaled Sends posted before the keepalive, which its completion puts back
 * @ping:	 message that the peer must answer, on a connection whose keepalives are
 *		 such messages; otherwise without memory
 * @running:	 @work was started, and looks until the connection closes
 * @heard:	 a message has arrived; used by @work only
 */
struct rpcrdma_keepalive {
	struct delayed_work		work;
	struct ib_cqe			cqe;
	struct rpcrdma_wr_chain		chain;
	struct rpcrdma_keepalive_plan	plan;
	u32				answers;
	u32				in_progress;
	struct list_head		covers;
	bool				running;
	bool				heard;
	struct rpcrdma_buf		ping;
};

/**
 * struct rpcrdma_conn_core - a connection, with what only the core sees
 * @conn:	  what the transports see
 * @cm_id:	  from the RDMA connection manager; conn.qp belongs to it
 * @cq:		  one for both queues, so that handlers never run in parallel
 * @resolve_timeout: jiffies to find address and route; client
 * @chosen:	  by enum rpcrdma_traffic_value; set by rpcrdma_traffic_route()
 * @traffic:	  see rpcrdma_traffic_in_force()
 * @traffic_known: @traffic is set
 * @established_at: seconds of ktime; 0 before
 * @registry:	  in the list of all connections
 * @posters_gone: completed when the last poster has left
 * @sendq:	  send queue
 * @rq:		  receive queue
 * @keepalive:	  used by keepalive.c only
 * @state_lock:	  protects writes to @state, @cause, @error
 * @state:	  read without the lock by rpcrdma_conn_state()
 * @cause:	  why it closed; does not change once @state is CLOSING
 * @error:	  errno that goes with @cause, 0 or negative
 * @flags:	  see enum rpcrdma_conn_flag
 * @state_wait:	  woken when @state has changed
 * @close_work:	  rpcrdma_conn_close_work()
 * @deferred_work: used by deferred_destroy.c only, as all that follows
 * @deferred_begun: jiffies when the wait for the port began
 * @deferred_checks: checks in a row that have found the port up
 */
struct rpcrdma_conn_core {
	struct rpcrdma_conn		conn;
	struct rdma_cm_id		*cm_id;
	struct rpcrdma_cq		cq;
	unsigned long			resolve_timeout;
	u8				chosen[RPCRDMA_TRAFFIC_COUNT];
	u8				traffic[RPCRDMA_TRAFFIC_COUNT];
	bool				traffic_known;
	time64_t			established_at;
	struct list_head		registry;
	struct completion		posters_gone;

	struct rpcrdma_sendq		sendq ____cacheline_aligned;
	struct rpcrdma_rq		rq ____cacheline_aligned;
	struct rpcrdma_keepalive	keepalive ____cacheline_aligned;

	spinlock_t			state_lock;	/* see above */
	enum rpcrdma_state		state;
	enum rpcrdma_close_cause	cause;
	int				error;
	unsigned long			flags;
	wait_queue_head_t		state_wait;
	struct work_struct		close_work;
	struct delayed_work		deferred_work;
	unsigned long			deferred_begun;
	unsigned int			deferred_checks;
};

/* The core's part of a connection, with the constness of @ptr */
#define to_core(ptr)	container_of_const(ptr, struct rpcrdma_conn_core, conn)

#endif /* _RPCRDMA_CONNECTION_CONN_CORE_H */
