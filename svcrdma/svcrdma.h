/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The transport of a client's connection, and what works on it as a whole.
 */
#ifndef _SVCRDMA_H
#define _SVCRDMA_H

#include <linux/sunrpc/svc_xprt.h>
#include <linux/sunrpc/xprt.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/pool.h>
#include <rpcrdma/send.h>
#include "protocol/credit_load.h"
#include "read_budget.h"

#define SVCRDMA_NAME		"rdma"

/* Idle objects of each kind that a transport keeps */
#define SVCRDMA_POOL_MIN	4

/*
 * How the receive path allocates. No completion of the connection is handled meanwhile,
 * and loopback mounts need them to free memory: so the allocator must not try for ever
 */
#define SVCRDMA_GFP_RECEIVE	(GFP_NOFS | __GFP_NORETRY | __GFP_HIGH | __GFP_NOWARN)

/* Fewest credits to grant when memory is short */
#define SVCRDMA_CREDITS_MIN	4U

struct svcrdma_req;

/**
 * struct svcrdma_xprt - the transport of a client's connection
 * @xprt:	 transport that sunrpc knows
 * @conn:	 the connection, which it owns; NULL only if svcrdma_xprt_adopt() has failed
 * @load:	 credits to grant, and Receives; under @lock, see protocol/credit_load.h
 * @receive_size: bytes of each Receive
 * @reverse_receives: Receives for Replies to reverse Calls; used by the receive path only
 * @receives_failed: when no Receives could be added last, jiffies; used by the receive path
 *		 only
 * @unanswered:	 Calls that were received and not answered yet
 * @bc_credits:	 reverse credits to ask for
 * @max_call:	 largest Call that is accepted, bytes
 * @chain_max:	 most work requests of one list of rdma_rw contexts
 * @ep:		 endpoint: counters and sysfs files
 * @conns:	 entry of the list of transports, private to conns.c
 * @peer:	 address of the client, for log and sysfs
 * @last_asked:	 credits that the client has asked for last
 * @last_grant:	 credits that the client was granted last; 0 before the first answer
 * @listener:	 transport of the listener; may be gone after svcrdma_accept()
 * @pending:	 entry of svcrdma_listener.pending or .ready
 * @setup_work:	 sets the connection up, before it is accepted
 * @lock:	 protects @load, @ready, @begun, @failed, @turn_waits, @turn_pool, @started,
 *		 @queue_closed, XPT_DATA, svcrdma_req.at_work, @rw_released, @rw_holders,
 *		 @rw_progress, @rw_moved, @rw_waiters, @all_reqs, @slot_waiters; taken to make
 *		 requests wait for memory
 * @started:	 the CM has reported the connection as established
 * @queue_closed: the connection is lost: a request that would wait is released
 * @ready:	 requests for nfsd threads that need a turn (turns.c), oldest first
 * @begun:	 requests for nfsd threads that need none, oldest first
 * @failed:	 requests whose RDMA Reads have failed, until the connection is lost
 * @turn_waits:	 the transport is counted in svcrdma_pool_turns.waiting
 * @turn_pool:	 index in svcrdma_client.pool_turns
 * @turn_last:	 svcrdma_turns.used after the last turn that the transport used
 * @rw_released: counts lists whose rdma_rw contexts were released; begins near its end, and wraps
 * @rw_holders:	 number of lists with rdma_rw contexts, posted or not, or about to get the first
 * @rw_moved:	 bytes of the lists that were released, wrapping
 * @rw_wait:	 threads that wait for a change of @rw_released
 * @rw_waiters:	 requests that wait for a change of @rw_released, oldest first
 * @rw_progress: the last change of @rw_released, or of @rw_holders from 0, jiffies
 * @rw_deadline: closes the connection if there is no progress
 * @reads:	 what it has drawn from the budget for data sinks
 * @junk:	 messages refused or dropped before a Call was accepted; used by the
 *		 receive path only
 * @no_gaps:	 rdma_rw does not accept a scatterlist with gaps
 * @req_pool:	 idle requests
 * @rw_pool:	 idle rdma_rw contexts
 * @all_reqs:	 all requests
 * @send_pool:	 Sends
 * @reverse:	 transport for reverse Calls, with a reference; or NULL
 * @slot_waiters: struct svcrdma_chain that wait for send queue slots, oldest first
 * @slot_progress: when a slot came back last while some waited, jiffies
 * @slot_work:	 closes the connection if none comes back
 * @memory_waits: requests in @ready and @begun wait for memory
 * @memory_tries: how often there was none since there was some for a request
 * @memory_work: lets nfsd take requests again
 * @dropped_work: closes the connection after nfsd has dropped a Call
 * @trimmer:	 frees idle requests, Sends and rdma_rw contexts
 * @release_work: releases requests that come to the queue after it was closed
 * @free_work:	 destroys the connection and this struct
 */
struct svcrdma_xprt {
	struct svc_xprt		xprt;
	struct rpcrdma_conn	*conn;
	struct svcrdma_credit_load	load;
	u32			receive_size;
	u32			reverse_receives;
	unsigned long		receives_failed;
	atomic_t		unanswered;
	unsigned int		bc_credits;
	unsigned int		max_call;
	unsigned int		chain_max;
	struct rpcrdma_endpoint	ep;
	struct list_head	conns;
	struct sockaddr_storage	peer;
	u32			last_asked;
	u32			last_grant;
	struct svc_xprt		*listener;
	struct list_head	pending;
	struct work_struct	setup_work;

	spinlock_t		lock;		/* see above */
	bool			started;
	bool			queue_closed;
	struct list_head	ready;
	struct list_head	begun;
	struct list_head	failed;
	bool			turn_waits;
	u8			turn_pool;
	u32			turn_last;
	unsigned int		rw_released;
	unsigned int		rw_holders;
	unsigned long		rw_moved;
	wait_queue_head_t	rw_wait;
	struct list_head	rw_waiters;
	unsigned long		rw_progress;
	struct delayed_work	rw_deadline;
	struct svcrdma_read_account	reads;
	unsigned int		junk;
	bool			no_gaps;

	struct rpcrdma_pool	req_pool;
	struct rpcrdma_pool	rw_pool;
	struct list_head	all_reqs;
	struct rpcrdma_send_pool	send_pool;

	struct rpc_xprt		*reverse;
	struct list_head	slot_waiters;
	unsigned long		slot_progress;
	struct delayed_work	slot_work;
	bool			memory_waits;
	unsigned int		memory_tries;
	struct delayed_work	memory_work;
	struct delayed_work	dropped_work;
	struct rpcrdma_trimmer	trimmer;
	struct work_struct	release_work;
	struct work_struct	free_work;
};

static inline struct svcrdma_xprt *svcrdma_from_xprt(struct svc_xprt *xprt)
{
	return container_of(xprt, struct svcrdma_xprt, xprt);
}

/**
 * svcrdma_not_idle - tell sunrpc that a connection is not idle
 * @rdma: transport with a Call
 *
 * sunrpc closes a connection from which no thread has got a Call for six to twelve minutes. It does
 * not see Calls that wait in this transport, for an earlier copy or for bytes to read.
 *
 * Context: any.
 */
static inline void svcrdma_not_idle(struct svcrdma_xprt *rdma)
{
	if (unlikely(test_bit(XPT_OLD, &rdma->xprt.xpt_flags)))
		clear_bit(XPT_OLD, &rdma->xprt.xpt_flags);
}

/* main.c */
extern struct workqueue_struct *svcrdma_wq, *svcrdma_setup_wq, *svcrdma_free_wq;

/* ops.c */
extern struct svc_xprt_class svcrdma_class;
extern const struct svc_xprt_ops svcrdma_conn_xprt_ops;

/* listen.c */
struct svc_xprt *svcrdma_listen(struct svc_serv *serv, struct net *net,
				struct sockaddr *sa, int salen, int flags);
bool svcrdma_listener_detached(struct svc_xprt *xprt);
void svcrdma_listener_set_up_done(struct svc_xprt *xprt, struct svcrdma_xprt *rdma,
				  const struct ib_device *device);
struct svcrdma_xprt *svcrdma_listener_next(struct svc_xprt *xprt);
void svcrdma_listener_detach(struct svc_xprt *xprt);
void svcrdma_listener_free(struct svc_xprt *xprt);

/* accept.c */
void svcrdma_setup_work(struct work_struct *work);
struct svc_xprt *svcrdma_accept(struct svc_xprt *xprt);

/* xprt.c */
struct svcrdma_xprt *svcrdma_xprt_adopt(struct svc_xprt *listener,
					struct rdma_cm_id *cm_id,
					const struct rdma_cm_event *event);
void svcrdma_xprt_free(struct svc_xprt *xprt);

/* sysfs.c */
int svcrdma_endpoint_init(struct svcrdma_xprt *rdma);
void svcrdma_endpoint_destroy(struct svcrdma_xprt *rdma);

/* conns.c */
void svcrdma_conns_add(struct svcrdma_xprt *rdma);
void svcrdma_conns_remove(struct svcrdma_xprt *rdma);
u64 svcrdma_count_all(enum rpcrdma_counter which);
u64 svcrdma_refused_all(enum rpcrdma_reason reason);

/* receive.c */
void svcrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);

/* receives.c */
void svcrdma_receives_default(void);
u64 svcrdma_receives_used(void);
int svcrdma_receives_start(struct svcrdma_xprt *rdma);
void svcrdma_receives_more(struct svcrdma_xprt *rdma);
void svcrdma_receives_reverse(struct svcrdma_xprt *rdma);
void svcrdma_receives_put(struct svcrdma_xprt *rdma, struct rpcrdma_recv *recv,
			  bool call);
void svcrdma_receives_look(struct svcrdma_xprt *rdma);
void svcrdma_receives_end(struct svcrdma_xprt *rdma);

/* turns.c */
void svcrdma_turns_init(struct svcrdma_client *client);
void svcrdma_turns_end(const struct svcrdma_client *client);
void svcrdma_turn_join(struct svcrdma_xprt *rdma);
void svcrdma_turn_leave(const struct svcrdma_client *client);
void svcrdma_turn_update(struct svcrdma_xprt *rdma);
void svcrdma_turn_stop(struct svcrdma_xprt *rdma);
void svcrdma_turns_exit(void);
bool svcrdma_turn_skip(struct svcrdma_xprt *rdma, struct svc_pool *pool);

/* busy_poll.c */
void svcrdma_busy_poll(struct svcrdma_xprt *rdma, struct svc_pool *pool);

/* v2/negotiate.c */
void svcrdma_negotiate_settle(struct rpcrdma_conn *conn, u32 version);
enum rpcrdma_reason svcrdma_connprop(struct svcrdma_req *req);
void svcrdma_connprop_answer(struct svcrdma_req *req);

#endif /* _SVCRDMA_H */
