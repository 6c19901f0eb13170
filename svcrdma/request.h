/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A received message, from its Receive until it is answered, and what works on one.
 */
#ifndef _SVCRDMA_REQUEST_H
#define _SVCRDMA_REQUEST_H

#include <linux/build_bug.h>
#include <linux/sizes.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/pool.h>
#include <rpcrdma/recv.h>
#include "protocol/reply_plan.h"
#include "svcrdma.h"

struct svc_rqst;
struct svcrdma_read;
struct svcrdma_send;
struct xdr_buf;

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

/* request.c */
struct svcrdma_req *svcrdma_req_get(struct svcrdma_xprt *rdma);
bool svcrdma_req_more_segs(struct svcrdma_req *req);
void svcrdma_req_release_memory(struct svcrdma_req *req);
void svcrdma_req_put(struct svcrdma_req *req);
void svcrdma_req_release(struct svcrdma_req *req);
void svcrdma_req_repost_recv(struct svcrdma_req *req);
void svcrdma_req_pool_trim(struct svcrdma_xprt *rdma, unsigned long before);
void svcrdma_req_pool_unmap(struct svcrdma_xprt *rdma);
void svcrdma_req_pool_free(struct svcrdma_xprt *rdma);

/* queue.c */
void svcrdma_queue_failed(struct svcrdma_xprt *rdma, struct svcrdma_req *req);
void svcrdma_queue(struct svcrdma_xprt *rdma, struct svcrdma_req *req,
		   enum svcrdma_stage stage);
struct svcrdma_req *svcrdma_queue_next(struct svcrdma_xprt *rdma, struct svc_pool *pool);

/**
 * svcrdma_queue_of - the list in which a request waits for a thread
 * @req: request, whose stage says what a thread must do with it
 *
 * Context: holds svcrdma_xprt.lock.
 * Return: svcrdma_xprt.ready or svcrdma_xprt.begun.
 */
static inline struct list_head *svcrdma_queue_of(const struct svcrdma_req *req)
{
	/* A Call that is refused when its RDMA Reads should start has had a turn */
	bool needs_turn = req->stage == SVCRDMA_STAGE_NEW ||
			  (req->stage == SVCRDMA_STAGE_REFUSED && !req->sink_bytes);

	return needs_turn ? &req->rdma->ready : &req->rdma->begun;
}

/**
 * svcrdma_queue_empty - does no request wait for a thread?
 * @rdma: transport
 *
 * Context: holds svcrdma_xprt.lock.
 * Return: true if none waits.
 */
static inline bool svcrdma_queue_empty(const struct svcrdma_xprt *rdma)
{
	return list_empty(&rdma->ready) && list_empty(&rdma->begun);
}

void svcrdma_queue_start(struct svcrdma_xprt *rdma);

/* recvfrom.c */
int svcrdma_recvfrom(struct svc_rqst *rqstp);

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

/* credit.c */
bool svcrdma_credit_take(struct svcrdma_req *req);
void svcrdma_credit_put(struct svcrdma_req *req);
u32 svcrdma_credit_grant(struct svcrdma_xprt *rdma, u32 asked);
u32 svcrdma_credit_grant_error(const struct svcrdma_xprt *rdma);

/* read.c */
int svcrdma_read_start(struct svcrdma_req *req, struct svc_rqst *rqstp);
int svcrdma_read_continue(struct svcrdma_req *req);
void svcrdma_read_finish(struct svcrdma_req *req, struct svc_rqst *rqstp);
void svcrdma_read_unlend_pages(struct svcrdma_req *req,
			       struct svc_rqst *rqstp);
void svcrdma_read_unmap(struct svcrdma_req *req);
void svcrdma_read_reset(struct svcrdma_req *req);
void svcrdma_read_free(struct svcrdma_req *req);

/* results.c */
int svcrdma_result_payload(struct svc_rqst *rqstp, unsigned int offset,
			   unsigned int length);
void svcrdma_results_correct(struct svcrdma_req *req,
			     const struct svc_rqst *rqstp);

/* reconnect_hold.c */
bool svcrdma_hold(struct svcrdma_req *req);
bool svcrdma_hold_dropped(struct svcrdma_req *req);
bool svcrdma_drop_finds_copy(struct svcrdma_req *req);
void svcrdma_hold_end(struct svcrdma_req *req);
void svcrdma_hold_begin(struct svcrdma_xprt *rdma);
void svcrdma_hold_detach(struct svcrdma_xprt *rdma);
void svcrdma_hold_stop(struct svcrdma_xprt *rdma);

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

/* dropped_call.c */
void svcrdma_dropped_init(struct svcrdma_xprt *rdma);
bool svcrdma_call_dropped(struct svcrdma_req *req);
void svcrdma_dropped_soon(struct svcrdma_xprt *rdma);
void svcrdma_dropped_stop(struct svcrdma_xprt *rdma);

#endif /* _SVCRDMA_REQUEST_H */
