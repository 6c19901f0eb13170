/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the server transport share. Prototypes are grouped by the
 * file that defines them.
 */
#ifndef _SVCRDMA_H
#define _SVCRDMA_H

#include <linux/bvec.h>
#include <linux/sunrpc/svc_xprt.h>
#include <linux/sunrpc/xprt.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/pool.h>
#include <rpcrdma/send.h>
#include "protocol/assemble.h"
#include "protocol/reply_plan.h"
#include "page_recycle.h"

#define SVCRDMA_NAME		"rdma"

/* Objects of each kind that stay when the connection is idle */
#define SVCRDMA_POOL_MIN	4

/* Pages that RDMA Reads do not need are freed after as long as idle objects are */
#define SVCRDMA_TRIM_INTERVAL	RPCRDMA_TRIM_INTERVAL

struct svcrdma_listener;
struct svcrdma_read;
struct svcrdma_rw;
struct svcrdma_xprt;

/**
 * struct svcrdma_rw_chain - rdma_rw contexts that are posted as one chain
 * @list: struct svcrdma_rw, in the order of posting
 * @wrs:  work requests that they make up
 */
struct svcrdma_rw_chain {
	struct list_head	list;
	unsigned int		wrs;
};

/* What an nfsd thread is to do with a request that it takes off the queue */
enum svcrdma_stage {
	SVCRDMA_STAGE_NEW,		/* header checked, nothing else done */
	SVCRDMA_STAGE_REFUSED,		/* wants an RDMA_ERROR */
	SVCRDMA_STAGE_CONNPROP,		/* wants an answer, when there is room */
	SVCRDMA_STAGE_READ_MORE,	/* some Reads done, more to start */
	SVCRDMA_STAGE_READ_DONE,	/* the Call can be put together */
};

/**
 * struct svcrdma_req - one Call, from its Receive until its Reply is sent
 * @item:	 entry of svcrdma_xprt.req_pool
 * @all:	 entry of svcrdma_xprt.all_reqs
 * @node:	 entry of svcrdma_xprt.ready
 * @rdma:	 connection it came on
 * @recv:	 its receive buffer, or NULL once given back
 * @stage:	 what comes next
 * @refused:	 SVCRDMA_STAGE_REFUSED: why
 * @counted:	 it is one of the unanswered Calls of @rdma
 * @protected:	 RPCSEC_GSS forbids to reduce anything
 * @invalidate:	 handle for Send With Invalidate, or 0
 * @nresults:	 used in @results, or more if there was no room
 * @results:	 what the upper layer reported as fit for direct placement
 * @nchunks:	 used in @chunks
 * @chunks:	 Read chunks in order of Position
 * @read:	 RDMA Reads, if this request ever had any; kept for the next Call
 * @nkept:	 used in @kept
 * @max_kept:	 room in @kept
 * @kept:	 pages of its nfsd thread that nfsd may replace, with a reference
 *		 to each; entry 0 belongs to the second page of the Reply
 * @msg:	 transport header of the Call; later that of the Reply
 * @segs:	 segments of @msg
 */
struct svcrdma_req {
	struct rpcrdma_pool_item	item;
	struct list_head	all;
	struct list_head	node;
	struct svcrdma_xprt	*rdma;
	struct rpcrdma_recv	*recv;
	enum svcrdma_stage	stage;
	enum rpcrdma_reason	refused;
	bool			counted;
	bool			protected;
	u32			invalidate;
	unsigned int		nresults;
	struct svcrdma_range	results[RPCRDMA_MAX_WRITE_CHUNKS];
	unsigned int		nchunks;
	struct rpcrdma_chunk	chunks[RPCRDMA_MAX_READ_CHUNKS];
	struct svcrdma_read	*read;
	unsigned int		nkept;
	unsigned int		max_kept;
	struct page		**kept;
	struct rpcrdma_msg	msg;
	struct rpcrdma_segment	segs[RPCRDMA_MAX_SEGS];
};

/**
 * struct svcrdma_send - one Send with the Writes in front of it, until it completes
 * @send:    the Send; first member
 * @rdma:    connection
 * @writes:  RDMA Writes chained in front of the Send
 * @batches: RDMA Writes posted before, because the chain was too long
 * @npages:  used in @pages
 * @pages:   pages of the Reply that the device reads
 */
struct svcrdma_send {
	struct rpcrdma_send	send;
	struct svcrdma_xprt	*rdma;
	struct svcrdma_rw_chain	writes;
	struct list_head	batches;
	unsigned int		npages;
	struct page		*pages[RPCSVC_MAXPAGES + 1];
};

/**
 * struct svcrdma_xdr_cursor - a walk over a part of an xdr_buf
 * @xdr: the buffer
 * @pos: next byte, counted from the start of @xdr
 * @end: byte after the last one
 */
struct svcrdma_xdr_cursor {
	const struct xdr_buf	*xdr;
	u32			pos;
	u32			end;
};

/**
 * struct svcrdma_xprt - the connection of one client
 * @xprt:	 what sunrpc knows
 * @conn:	 the RDMA connection; NULL only if adopting it failed
 * @credits:	 forward credits to grant
 * @granted:	 largest grant that the client has been sent; 0 before the first
 * @unanswered:	 Calls that have come and are not answered
 * @bc_credits:	 reverse credits to ask for
 * @max_call:	 largest Call that can be taken, bytes
 * @chain_max:	 work requests that one chain may have
 * @ep:		 counters, and what is shown to people
 * @conns:	 private to end.c
 * @peer:	 address of the client, for people
 * @asked:	 credits that the client has asked for last
 * @grant:	 credits that it was granted last
 * @pending:	 entry of svcrdma_listener.pending
 * @lock:	 @ready, @started, @hold_calls, @held_calls, XPT_DATA, @rw_rounds,
 *		 @rw_holders, @all_reqs
 * @started:	 the CM has said "established"
 * @hold_calls:	 new Calls go to @held_calls; see heir.c
 * @ready:	 requests for nfsd threads
 * @held_calls:	 those that have to wait, oldest first
 * @rw_rounds:	 how often rdma_rw contexts have been released
 * @rw_holders:	 chains that hold rdma_rw contexts, posted or not
 * @rw_wait:	 sleepers for a change of @rw_rounds
 * @split_gaps:	 rdma_rw cannot take a scatterlist with gaps
 * @req_pool:	 idle requests
 * @rw_pool:	 idle rdma_rw contexts
 * @all_reqs:	 every request
 * @send_pool:	 Sends
 * @reverse:	 transport for reverse Calls, with a reference, once there is one
 * @hold_begun:	 private to heir.c: Calls are kept back since then, jiffies
 * @hold_work:	 looks whether they may go to nfsd threads
 * @drop_work:	 closes the connection after a Call was dropped
 * @trimmer:	 frees idle requests, Sends and rdma_rw contexts
 * @free_work:	 the last step
 */
struct svcrdma_xprt {
	struct svc_xprt		xprt;
	struct rpcrdma_conn	*conn;
	unsigned int		credits;
	unsigned int		granted;
	atomic_t		unanswered;
	unsigned int		bc_credits;
	unsigned int		max_call;
	unsigned int		chain_max;
	struct rpcrdma_endpoint	ep;
	struct list_head	conns;
	struct sockaddr_storage	peer;
	u32			asked;
	u32			grant;
	struct list_head	pending;

	spinlock_t		lock;		/* see above */
	bool			started;
	bool			hold_calls;
	struct list_head	ready;
	struct list_head	held_calls;
	unsigned int		rw_rounds;
	unsigned int		rw_holders;
	wait_queue_head_t	rw_wait;
	bool			split_gaps;

	struct rpcrdma_pool	req_pool;
	struct rpcrdma_pool	rw_pool;
	struct list_head	all_reqs;
	struct rpcrdma_send_pool	send_pool;

	struct rpc_xprt		*reverse;
	unsigned long		hold_begun;
	struct delayed_work	hold_work;
	struct delayed_work	drop_work;
	struct rpcrdma_trimmer	trimmer;
	struct work_struct	free_work;
};

static inline struct svcrdma_xprt *svcrdma_from_xprt(struct svc_xprt *xprt)
{
	return container_of(xprt, struct svcrdma_xprt, xprt);
}

/* reconnect_hold.c */
void svcrdma_hold_init(struct svcrdma_xprt *rdma);
void svcrdma_hold_begin(struct svcrdma_xprt *rdma);
void svcrdma_hold_stop(struct svcrdma_xprt *rdma);

/* dropped_call.c */
void svcrdma_dropped_init(struct svcrdma_xprt *rdma);
void svcrdma_dropped(struct svcrdma_xprt *rdma);
void svcrdma_dropped_stop(struct svcrdma_xprt *rdma);

/* main.c */
extern struct workqueue_struct *svcrdma_wq;

/* params.c */
unsigned int svcrdma_param_credits(void);
unsigned int svcrdma_param_bc_credits(void);
unsigned int svcrdma_param_inline(void);
unsigned int svcrdma_param_reads_out(void);
unsigned int svcrdma_param_pullup(void);
unsigned long svcrdma_param_versions(void);
int svcrdma_params_init(void);
void svcrdma_params_exit(void);

/* sysfs.c */
int svcrdma_endpoint_init(struct svcrdma_xprt *rdma);
void svcrdma_endpoint_destroy(struct svcrdma_xprt *rdma);

/* conns.c */
void svcrdma_conns_add(struct svcrdma_xprt *rdma);
void svcrdma_conns_remove(struct svcrdma_xprt *rdma);
bool svcrdma_conns_any(bool (*match)(struct svcrdma_xprt *one,
				     const struct svcrdma_xprt *rdma),
		       const struct svcrdma_xprt *rdma);
u64 svcrdma_count_all(enum rpcrdma_counter which);
u64 svcrdma_refused_all(enum rpcrdma_reason reason);
int svcrdma_conns_start(void);
void svcrdma_conns_stop(void);

/* ops.c */
extern struct svc_xprt_class svcrdma_class;
extern const struct svc_xprt_ops svcrdma_conn_xprt_ops;

/* listen.c */
struct svc_xprt *svcrdma_listen(struct svc_serv *serv, struct net *net,
				struct sockaddr *sa, int salen, int flags);
struct svcrdma_xprt *svcrdma_listener_next(struct svc_xprt *xprt);
void svcrdma_listener_detach(struct svc_xprt *xprt);
void svcrdma_listener_free(struct svc_xprt *xprt);

/* accept.c */
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

/* queue.c */
void svcrdma_queue(struct svcrdma_xprt *rdma, struct svcrdma_req *req,
		   enum svcrdma_stage stage);
struct svcrdma_req *svcrdma_queue_next(struct svcrdma_xprt *rdma);
void svcrdma_queue_start(struct svcrdma_xprt *rdma);
void svcrdma_queue_hold(struct svcrdma_xprt *rdma);
void svcrdma_queue_unhold(struct svcrdma_xprt *rdma);

/* recvfrom.c */
int svcrdma_recvfrom(struct svc_rqst *rqstp);

/* request.c */
struct svcrdma_req *svcrdma_req_get(struct svcrdma_xprt *rdma);
void svcrdma_req_put(struct svcrdma_req *req);
void svcrdma_req_release(struct svcrdma_req *req);
void svcrdma_req_repost_recv(struct svcrdma_req *req);
void svcrdma_req_pool_trim(struct svcrdma_xprt *rdma, unsigned long before);
void svcrdma_req_pool_free(struct svcrdma_xprt *rdma);

/* credit.c */
bool svcrdma_credit_take(struct svcrdma_req *req);
void svcrdma_credit_put(struct svcrdma_req *req);
u32 svcrdma_credit_grant(struct svcrdma_xprt *rdma, u32 asked);

/* rw.c */
void svcrdma_rw_chain_init(struct svcrdma_rw_chain *chain);
struct svcrdma_rw *svcrdma_rw_get(struct svcrdma_xprt *rdma,
				  unsigned int *nents);
struct scatterlist *svcrdma_rw_sgl(struct svcrdma_rw *rw);
int svcrdma_rw_add(struct svcrdma_xprt *rdma, struct svcrdma_rw_chain *chain,
		   struct svcrdma_rw *rw, unsigned int nents, u32 handle,
		   u64 offset, enum dma_data_direction dir);
void svcrdma_rw_drop_last(struct svcrdma_xprt *rdma,
			  struct svcrdma_rw_chain *chain,
			  enum dma_data_direction dir);
struct ib_send_wr *svcrdma_rw_chain_wrs(struct svcrdma_xprt *rdma,
					struct svcrdma_rw_chain *chain,
					struct ib_cqe *cqe,
					struct ib_send_wr *next);
void svcrdma_rw_chain_release(struct svcrdma_xprt *rdma,
			      struct svcrdma_rw_chain *chain,
			      enum dma_data_direction dir);
unsigned int svcrdma_rw_rounds(struct svcrdma_xprt *rdma);
bool svcrdma_rw_wait(struct svcrdma_xprt *rdma, unsigned int seen);
void svcrdma_rw_pool_trim(struct svcrdma_xprt *rdma, unsigned long before);
void svcrdma_rw_pool_free(struct svcrdma_xprt *rdma);

/* read.c */
int svcrdma_read_start(struct svcrdma_req *req, struct svc_rqst *rqstp);
int svcrdma_read_continue(struct svcrdma_req *req);
void svcrdma_read_finish(struct svcrdma_req *req, struct svc_rqst *rqstp);
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
void svcrdma_reply_pages_hold(struct svcrdma_req *req, struct svc_rqst *rqstp);
void svcrdma_reply_pages_put(struct svcrdma_req *req);
void svcrdma_reply_pages_free(struct svcrdma_req *req);
struct page *svcrdma_reply_page_replaced(struct svcrdma_req *req,
					 unsigned int index,
					 const struct page *page);
void svcrdma_reply_pages_keep(struct svcrdma_req *req, struct svc_rqst *rqstp);

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
struct svcrdma_send *svcrdma_send_get(struct svcrdma_xprt *rdma);
bool svcrdma_send_uses_pages(const struct svcrdma_send *send);
int svcrdma_send_post(struct svcrdma_send *send, u32 length, u32 invalidate);

/* reply.c */
int svcrdma_sendto(struct svc_rqst *rqstp);

/* v2/negotiate.c */
void svcrdma_negotiate_settle(struct rpcrdma_conn *conn, u32 version);
enum rpcrdma_reason svcrdma_connprop(struct svcrdma_req *req);
void svcrdma_connprop_wait(struct svcrdma_req *req);

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
