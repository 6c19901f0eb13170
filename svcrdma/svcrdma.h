/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structures and functions that the files of the server transport share.
 */
#ifndef _SVCRDMA_H
#define _SVCRDMA_H

#include <linux/build_bug.h>
#include <linux/bvec.h>
#include <linux/sizes.h>
#include <linux/sunrpc/svc_xprt.h>
#include <linux/sunrpc/xprt.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/pool.h>
#include <rpcrdma/send.h>
#include "protocol/assemble.h"
#include "protocol/credit_load.h"
#include "protocol/reply_plan.h"
#include "page_recycle.h"
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

struct rpcrdma_param;
struct svcrdma_read;
struct svcrdma_rw;
struct svcrdma_xprt;

/**
 * struct svcrdma_rw_list - rdma_rw contexts that are posted in one WR chain
 * @ctxs: struct svcrdma_rw, in the order of posting
 * @wrs:  number of their work requests
 */
struct svcrdma_rw_list {
	struct list_head	ctxs;
	unsigned int		wrs;
};

/*
 * Segments in all lists of a message for which each request has memory: one chunk in each
 * list. More would make a request larger than 2 KiB, and its slab object twice as large.
 */
#define SVCRDMA_SEGS		(3 * RPCRDMA_SEGS_EVERY_PEER_TAKES)

/* Pages of an RPC with a payload of 1 MiB. What larger ones need is allocated for them */
#define SVCRDMA_PAGES		(SZ_1M / PAGE_SIZE + 3)

/*
 * Most segments in all lists of a message: one for each page, as old clients use them,
 * and the usual number in the other lists
 */
#define SVCRDMA_SEGS_MAX	(SVCRDMA_PAGES + 2 * RPCRDMA_SEGS_EVERY_PEER_TAKES)

/* What an nfsd thread must do with a ready request */
enum svcrdma_stage {
	SVCRDMA_STAGE_NEW,		/* start RDMA Reads, or deliver the Call */
	SVCRDMA_STAGE_REFUSED,		/* answer with an RDMA_ERROR */
	SVCRDMA_STAGE_CONNPROP,		/* answer */
	SVCRDMA_STAGE_READ_MORE,	/* start the next round of RDMA Reads */
	SVCRDMA_STAGE_READ_DONE,	/* put the Call together, and deliver it */
	SVCRDMA_STAGE_DROPPED,		/* close: nfsd has dropped it (dropped_call.c) */
};

/**
 * struct svcrdma_chain - a WR chain that waits for send queue slots
 * @node:  entry of svcrdma_xprt.slot_waiters
 * @slots: work requests of the chain
 * @post:  posts it; the slots are reserved, the connection is entered.
 *	   Called with svcrdma_xprt.lock held if the chain has waited
 * @release: releases what the chain belongs to, if the connection is lost while the chain
 *	   waits; NULL if only the teardown may do that
 */
struct svcrdma_chain {
	struct list_head	node;
	unsigned int		slots;
	void (*post)(struct svcrdma_chain *chain);
	void (*release)(struct svcrdma_chain *chain);
};

/* What two copies of a Call have in common: XID, ..., procedure, flavor */
struct svcrdma_call_id {
	__be32	words[7];
};

/**
 * struct svcrdma_req - a received message
 * @item:	 entry of svcrdma_xprt.req_pool
 * @all:	 entry of svcrdma_xprt.all_reqs
 * @node:	 entry of svcrdma_xprt.ready, of svcrdma_xprt.rw_waiters, of
 *		 svcrdma_read_account.calls, or of @second_copies of the first copy
 * @rdma:	 transport
 * @recv:	 receive buffer with the message, or NULL after it was reposted
 * @stage:	 what an nfsd thread must do next
 * @send:	 Send for its answer, reserved before nfsd gets it; or NULL
 * @refused:	 reason to refuse the message, or RPCRDMA_OK
 * @counted:	 the message counts in svcrdma_xprt.unanswered
 * @at_work:	 a thread has taken the complete Call; under svcrdma_xprt.lock
 * @lost:	 its connection was lost while nfsd worked on it: it is in the table of
 *		 reconnect_hold.c, whose lock protects this and the next three
 * @lost_node:	 entry of that table
 * @id:		 key in that table
 * @second_copies: requests that wait for the end of this one
 * @answered_by: nfsd thread that has sent its Reply, which may wait for slots; or NULL
 * @protected:	 RPCSEC_GSS forbids to reduce anything
 * @invalidate:	 handle for Send With Invalidate, or 0
 * @nresults:	 entries in use in @results
 * @results:	 results that the upper layer has reported as DDP-eligible
 * @nchunks:	 entries in use in @chunks
 * @chunks:	 Read chunks in ascending order of Position
 * @sink_bytes:	 bytes of its data sink, taken from the budget; only wanted while the Call is
 *		 in svcrdma_read_account.calls, so it must not go to svcrdma_req_put() then; 0
 *		 without Read chunks
 * @read:	 state of the RDMA Reads; allocated at the first use, then kept
 * @npage_refs:	 entries in use in @page_refs
 * @max_page_refs: size of @page_refs, entries
 * @page_refs:	 pages of the nfsd thread that nfsd may replace, with a reference to
 *		 each; entry 0 is the second page of the Reply
 * @msg:	 transport header of the Call, later that of the Reply
 * @many_segs:	 memory for the segments of @msg if @segs is too small, or NULL
 * @segs:	 memory for the segments of most messages
 *
 * It lives from its Receive until it is answered; a Call that sunrpc got lives until
 * sunrpc releases it (xpo_release_ctxt).
 */
struct svcrdma_req {
	struct rpcrdma_pool_item	item;
	struct list_head	all;
	struct list_head	node;
	struct svcrdma_xprt	*rdma;
	struct rpcrdma_recv	*recv;
	enum svcrdma_stage	stage;
	struct svcrdma_send	*send;
	enum rpcrdma_reason	refused;
	bool			counted;
	bool			at_work;
	bool			lost;
	struct hlist_node	lost_node;
	struct svcrdma_call_id	id;
	struct list_head	second_copies;
	const struct svc_rqst	*answered_by;
	bool			protected;
	u32			invalidate;
	unsigned int		nresults;
	struct svcrdma_range	results[RPCRDMA_MAX_WRITE_CHUNKS];
	unsigned int		nchunks;
	struct rpcrdma_chunk	chunks[RPCRDMA_MAX_READ_CHUNKS];
	long			sink_bytes;
	struct svcrdma_read	*read;
	unsigned int		npage_refs;
	unsigned int		max_page_refs;
	struct page		**page_refs;
	struct rpcrdma_msg	msg;
	struct rpcrdma_segment	*many_segs;
	struct rpcrdma_segment	segs[SVCRDMA_SEGS];
};

static_assert(sizeof(struct svcrdma_req) <= SZ_2K);

/**
 * struct svcrdma_send - one Send with the Writes in front of it, until it completes
 * @send:    the Send; first member
 * @rdma:    transport
 * @writes:  RDMA Writes that are posted in one WR chain with the Send
 * @batches: RDMA Writes that are posted before, or wait for slots, struct svcrdma_batch
 * @waiting: while it waits for send queue slots, with the next two
 * @length:  of the message, bytes
 * @invalidate: handle for Send With Invalidate, or 0
 * @npages:  entries in use in @pages
 * @max_pages: size of @pages, entries
 * @pages:   pages of the Reply that the device reads: @few_pages, or allocated
 * @few_pages: memory for the pages of a Reply with up to 64 KiB
 */
struct svcrdma_send {
	struct rpcrdma_send	send;
	struct svcrdma_xprt	*rdma;
	struct svcrdma_rw_list	writes;
	struct list_head	batches;
	struct svcrdma_chain	waiting;
	u32			length;
	u32			invalidate;
	unsigned int		npages;
	unsigned int		max_pages;
	struct page		**pages;
	struct page		*few_pages[SZ_64K / PAGE_SIZE + 3];
};

/**
 * struct svcrdma_xdr_cursor - position in a range of an xdr_buf
 * @xdr: the buffer
 * @pos: next byte, offset in @xdr
 * @end: end of the range, offset in @xdr
 */
struct svcrdma_xdr_cursor {
	const struct xdr_buf	*xdr;
	u32			pos;
	u32			end;
};

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
 * @lock:	 protects @load, @ready, @started, @queue_closed, XPT_DATA,
 *		 svcrdma_req.at_work, @rw_released, @rw_holders, @rw_progress, @rw_waiters,
 *		 @all_reqs, @slot_waiters; taken to make requests wait for memory
 * @started:	 the CM has reported the connection as established
 * @queue_closed: the connection is lost: a request that would wait is released
 * @ready:	 requests for nfsd threads, oldest first
 * @rw_released: number of lists whose rdma_rw contexts were released, wrapping
 * @rw_holders:	 number of lists with rdma_rw contexts, posted or not
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
 * @memory_waits: requests in @ready wait for memory
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
	unsigned int		rw_released;
	unsigned int		rw_holders;
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

/* reconnect_hold.c */
bool svcrdma_hold(struct svcrdma_req *req);
bool svcrdma_hold_dropped(struct svcrdma_req *req);
bool svcrdma_drop_finds_copy(struct svcrdma_req *req);
void svcrdma_hold_end(struct svcrdma_req *req);
void svcrdma_hold_begin(struct svcrdma_xprt *rdma);
void svcrdma_hold_stop(struct svcrdma_xprt *rdma);

/* slot_wait.c */
void svcrdma_slot_init(struct svcrdma_xprt *rdma);
void svcrdma_slot_wait(struct svcrdma_xprt *rdma, struct svcrdma_chain *chain);
void svcrdma_slot_avail(struct rpcrdma_conn *conn);
void svcrdma_slot_release_waiting(struct svcrdma_xprt *rdma);
void svcrdma_slot_stop(struct svcrdma_xprt *rdma);

/* memory_wait.c */
void svcrdma_memory_init(struct svcrdma_xprt *rdma);
void svcrdma_memory_wait(struct svcrdma_req *req);
void svcrdma_memory_stop(struct svcrdma_xprt *rdma);

/* Does a request wait for memory? May change at any time */
static inline bool svcrdma_memory_waiting(const struct svcrdma_xprt *rdma)
{
	return READ_ONCE(rdma->memory_waits);
}

/* There was memory for a request */
static inline void svcrdma_memory_found(struct svcrdma_xprt *rdma)
{
	if (unlikely(READ_ONCE(rdma->memory_tries)))
		WRITE_ONCE(rdma->memory_tries, 0);
}

/* Does a chain wait for slots? May change at any time */
static inline bool svcrdma_slot_waiting(const struct svcrdma_xprt *rdma)
{
	return !list_empty(&rdma->slot_waiters);
}

/* dropped_call.c */
void svcrdma_dropped_init(struct svcrdma_xprt *rdma);
bool svcrdma_call_dropped(struct svcrdma_req *req);
void svcrdma_dropped_soon(struct svcrdma_xprt *rdma);
void svcrdma_dropped_stop(struct svcrdma_xprt *rdma);

/* main.c */
extern struct workqueue_struct *svcrdma_wq, *svcrdma_free_wq;

/* params.c */
extern struct rpcrdma_param svcrdma_credits_param;
extern struct rpcrdma_param svcrdma_receive_memory_param;
extern struct rpcrdma_param svcrdma_inline_param;
extern struct rpcrdma_param svcrdma_reads_out_param;
extern struct rpcrdma_traffic svcrdma_traffic;
/* Least value of the next two, MiB */
#define SVCRDMA_READ_MEMORY_MIN	2
extern struct rpcrdma_param svcrdma_read_memory_param;
extern struct rpcrdma_param svcrdma_read_client_param;
unsigned int svcrdma_param_tos(void);
unsigned int svcrdma_param_credits(void);
unsigned int svcrdma_param_least_credits(void);
unsigned int svcrdma_param_bc_credits(void);
unsigned int svcrdma_param_inline(void);
unsigned int svcrdma_param_reads_out(void);
unsigned int svcrdma_param_pullup(void);
unsigned long svcrdma_param_transfer_timeout(void);
unsigned long svcrdma_param_versions(void);

/* sysctl.c */
int svcrdma_sysctl_init(void);
void svcrdma_sysctl_exit(void);

/* sysfs.c */
int svcrdma_endpoint_init(struct svcrdma_xprt *rdma);
void svcrdma_endpoint_destroy(struct svcrdma_xprt *rdma);

/* conns.c */
void svcrdma_conns_add(struct svcrdma_xprt *rdma);
void svcrdma_conns_remove(struct svcrdma_xprt *rdma);
u64 svcrdma_count_all(enum rpcrdma_counter which);
u64 svcrdma_refused_all(enum rpcrdma_reason reason);

/* ops.c */
extern struct svc_xprt_class svcrdma_class;
extern const struct svc_xprt_ops svcrdma_conn_xprt_ops;

/* listen.c */
struct svc_xprt *svcrdma_listen(struct svc_serv *serv, struct net *net,
				struct sockaddr *sa, int salen, int flags);
void svcrdma_listener_set_up_done(struct svc_xprt *xprt, struct svcrdma_xprt *rdma);
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

/* receive.c */
void svcrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);

/* call_check.c */
enum rpcrdma_reason svcrdma_check_call(struct svcrdma_req *req);
enum rpcrdma_reason svcrdma_check_long_call(struct svcrdma_req *req,
					    const struct kvec *head);
enum rpcrdma_reason svcrdma_check_args(const struct svcrdma_req *req,
				       const struct xdr_buf *xdr);

/* The payload: what follows the transport header of a decoded message */
static inline const void *svcrdma_payload(const struct svcrdma_req *req)
{
	return req->recv->buf.data + req->msg.header_size;
}

static inline u32 svcrdma_payload_len(const struct svcrdma_req *req)
{
	return req->recv->len - req->msg.header_size;
}

/* busy_poll.c */
void svcrdma_busy_poll(struct svcrdma_xprt *rdma, struct svc_pool *pool);

/* queue.c */
void svcrdma_queue(struct svcrdma_xprt *rdma, struct svcrdma_req *req,
		   enum svcrdma_stage stage);
struct svcrdma_req *svcrdma_queue_next(struct svcrdma_xprt *rdma);
void svcrdma_queue_start(struct svcrdma_xprt *rdma);

/* recvfrom.c */
int svcrdma_recvfrom(struct svc_rqst *rqstp);

/* request.c */
struct svcrdma_req *svcrdma_req_get(struct svcrdma_xprt *rdma);
bool svcrdma_req_more_segs(struct svcrdma_req *req);
void svcrdma_req_release_memory(struct svcrdma_req *req);
void svcrdma_req_put(struct svcrdma_req *req);
void svcrdma_req_release(struct svcrdma_req *req);
void svcrdma_req_repost_recv(struct svcrdma_req *req);
void svcrdma_req_pool_trim(struct svcrdma_xprt *rdma, unsigned long before);
void svcrdma_req_pool_free(struct svcrdma_xprt *rdma);

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

/* credit.c */
bool svcrdma_credit_take(struct svcrdma_req *req);
void svcrdma_credit_put(struct svcrdma_req *req);
u32 svcrdma_credit_grant(struct svcrdma_xprt *rdma, u32 asked);
u32 svcrdma_credit_grant_error(const struct svcrdma_xprt *rdma);

/* rw.c */
void svcrdma_rw_init(struct svcrdma_xprt *rdma);
void svcrdma_rw_stop(struct svcrdma_xprt *rdma);
void svcrdma_rw_list_init(struct svcrdma_rw_list *list);
struct svcrdma_rw *svcrdma_rw_get(struct svcrdma_xprt *rdma,
				  unsigned int *nents);
struct scatterlist *svcrdma_rw_sgl(struct svcrdma_rw *rw);
int svcrdma_rw_add(struct svcrdma_xprt *rdma, struct svcrdma_rw_list *list,
		   struct svcrdma_rw *rw, unsigned int nents, u32 handle,
		   u64 offset, enum dma_data_direction dir);
void svcrdma_rw_remove_last(struct svcrdma_xprt *rdma,
			    struct svcrdma_rw_list *list,
			  enum dma_data_direction dir);
struct ib_send_wr *svcrdma_rw_list_wrs(struct svcrdma_xprt *rdma,
				       struct svcrdma_rw_list *list,
					struct ib_cqe *cqe,
					struct ib_send_wr *next);
void svcrdma_rw_list_release(struct svcrdma_xprt *rdma,
			     struct svcrdma_rw_list *list,
			      enum dma_data_direction dir);
unsigned int svcrdma_rw_released(struct svcrdma_xprt *rdma);
bool svcrdma_rw_wait(struct svcrdma_xprt *rdma, unsigned int seen, long timeout);
bool svcrdma_rw_later(struct svcrdma_req *req, unsigned int seen);
void svcrdma_rw_next(struct svcrdma_xprt *rdma);
void svcrdma_rw_pool_trim(struct svcrdma_xprt *rdma, unsigned long before);
void svcrdma_rw_pool_free(struct svcrdma_xprt *rdma);

/* read.c */
int svcrdma_read_start(struct svcrdma_req *req, struct svc_rqst *rqstp);
int svcrdma_read_continue(struct svcrdma_req *req);
void svcrdma_read_finish(struct svcrdma_req *req, struct svc_rqst *rqstp);
void svcrdma_read_unlend_pages(struct svcrdma_req *req,
			       struct svc_rqst *rqstp);
void svcrdma_read_reset(struct svcrdma_req *req);
void svcrdma_read_free(struct svcrdma_req *req);

/* write.c */
int svcrdma_write_items(struct svcrdma_send *send, struct svcrdma_req *req,
			const struct svcrdma_reply_plan *plan,
			const struct xdr_buf *xdr);
int svcrdma_write_reply(struct svcrdma_send *send, struct svcrdma_req *req,
			const struct svcrdma_reply_plan *plan,
			const struct xdr_buf *xdr);
void svcrdma_writes_release(struct svcrdma_send *send);

/* reply_pages.c */
bool svcrdma_reply_in_pages(const struct xdr_buf *xdr);
unsigned int svcrdma_reply_pages_most(const struct svcrdma_req *req,
				      const struct svc_rqst *rqstp);
void svcrdma_reply_pages_get(struct svcrdma_req *req, struct svc_rqst *rqstp);
void svcrdma_reply_pages_put(struct svcrdma_req *req);
void svcrdma_reply_pages_free(struct svcrdma_req *req);
void svcrdma_reply_pages_restore(struct svcrdma_req *req, struct svc_rqst *rqstp);
void svcrdma_reply_pages_take(struct svcrdma_send *send, struct svcrdma_req *req,
			      struct svc_rqst *rqstp);

/* xdr_cursor.c */
void svcrdma_xdr_cursor_init(struct svcrdma_xdr_cursor *cursor,
			     const struct xdr_buf *xdr, u32 offset, u32 length);
bool svcrdma_xdr_cursor_next(struct svcrdma_xdr_cursor *cursor, u32 max,
			     struct bio_vec *bv);

/* results.c */
int svcrdma_result_payload(struct svc_rqst *rqstp, unsigned int offset,
			   unsigned int length);
void svcrdma_results_correct(struct svcrdma_req *req,
			     const struct svc_rqst *rqstp);

/* send.c */
extern const struct rpcrdma_send_ops svcrdma_send_ops;
int svcrdma_send_pool_fill(struct svcrdma_xprt *rdma);
struct svcrdma_send *svcrdma_send_get(struct svcrdma_xprt *rdma);
bool svcrdma_send_reserve(struct svcrdma_req *req);
struct svcrdma_send *svcrdma_send_reserved(struct svcrdma_req *req);
bool svcrdma_send_more_pages(struct svcrdma_send *send, unsigned long n);
bool svcrdma_send_uses_pages(const struct svcrdma_send *send);
int svcrdma_send_post(struct svcrdma_send *send, u32 length, u32 invalidate);
int svcrdma_send_answer(struct svcrdma_send *send, u32 length, u32 invalidate);

/* reply.c */
int svcrdma_sendto(struct svc_rqst *rqstp);

/* v2/negotiate.c */
void svcrdma_negotiate_settle(struct rpcrdma_conn *conn, u32 version);
enum rpcrdma_reason svcrdma_connprop(struct svcrdma_req *req);
void svcrdma_connprop_answer(struct svcrdma_req *req);

/* errors.c */
int svcrdma_error_encode(struct svcrdma_req *req, enum rpcrdma_reason reason,
			 const struct svcrdma_reply_plan *plan,
			 void *buf, size_t len);
int svcrdma_error_send(struct svcrdma_req *req);

#ifdef CONFIG_SUNRPC_BACKCHANNEL
/* reverse_xprt.c */
int svcrdma_reverse_init(void);
void svcrdma_reverse_exit(void);
void svcrdma_reverse_put(struct svcrdma_xprt *rdma);

/* reverse.c */
bool svcrdma_reverse_reply(struct svcrdma_xprt *rdma,
			   const struct rpcrdma_msg *msg,
			   const void *payload, size_t len);
bool svcrdma_reverse_error(struct svcrdma_xprt *rdma, const void *buf,
			   size_t len);
#else
static inline int svcrdma_reverse_init(void)
{
	return 0;
}

static inline void svcrdma_reverse_exit(void)
{
}

static inline void svcrdma_reverse_put(struct svcrdma_xprt *rdma)
{
}

static inline bool svcrdma_reverse_reply(struct svcrdma_xprt *rdma,
					 const struct rpcrdma_msg *msg,
					 const void *payload, size_t len)
{
	return false;
}

static inline bool svcrdma_reverse_error(struct svcrdma_xprt *rdma,
					 const void *buf, size_t len)
{
	return false;
}
#endif

#endif /* _SVCRDMA_H */
