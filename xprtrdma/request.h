/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests: an rpc_rqst with what the transport adds to it.
 */
#ifndef _XPRTRDMA_REQUEST_H
#define _XPRTRDMA_REQUEST_H

#include <linux/bits.h>
#include <linux/completion.h>
#include <linux/dma-direction.h>
#include <linux/sunrpc/xprt.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/pool.h>
#include "protocol/plan.h"

struct rpcrdma_conn;
struct rpcrdma_recv;
struct xprtrdma_xprt;

/* Requests that stay when the connection is idle */
#define XPRTRDMA_REQS_MIN	4

/*
 * Who uses the memory of an exposed request, and who waits until it is not
 * exposed; see req_memory.c
 */
enum xprtrdma_req_state {
	XPRTRDMA_REQ_SENDING	= BIT(0),	/* Send has not completed */
	XPRTRDMA_REQ_INVALIDATING = BIT(1),	/* invalidation not completed */
	XPRTRDMA_REQ_REPLIED	= BIT(2),	/* a Reply is accepted */
	XPRTRDMA_REQ_CANCELED	= BIT(3),	/* sunrpc waits in ops->buf_free */
};

/* Which pages of a request are GPU memory */
enum xprtrdma_gpu {
	XPRTRDMA_GPU_CALL	= BIT(0),
	XPRTRDMA_GPU_REPLY	= BIT(1),
};

/**
 * struct xprtrdma_reply_info - an accepted Reply
 * @recv:     receive buffer with the Reply
 * @type:     type of the message
 * @error:    errno that ends the RPC, or 0
 * @retry:    rebuild the Call and send it once more, see xprtrdma_req.retry
 * @offset:   offset of the inline payload, bytes
 * @written:  bytes in the Write chunk
 * @in_chunk: bytes in the Reply chunk
 */
struct xprtrdma_reply_info {
	struct rpcrdma_recv	*recv;
	enum rpcrdma_msg_type	type;
	int			error;
	bool			retry;
	u32			offset;
	u32			written;
	u32			in_chunk;
};

/**
 * struct xprtrdma_req - what the transport adds to an rpc_rqst
 * @rqst:	the request as sunrpc knows it
 * @item:	in xprtrdma_xprt.free_reqs
 * @all:	in xprtrdma_xprt.all_reqs
 * @call_buf:	memory for rqst.rq_buffer, kept between RPCs
 * @reply_buf:	memory for rqst.rq_rbuffer, kept between RPCs
 * @head_bounce: two bounce pages for the head of a Reply chunk, or NULL
 * @tail_bounce: bounce page for its tail, or NULL
 * @bounce_first_page: the second page of @head_bounce replaces the first page of
 *		the Reply
 * @gpu:	set of enum xprtrdma_gpu; found when the Call is marshaled
 * @call_size:	bytes at @call_buf
 * @reply_size: bytes at @reply_buf
 * @error:	errno that ends the RPC, or 0; under xprt->queue_lock
 * @retry:	how the Call is rebuilt after an error, version 2 only
 * @retrying:	an error of version 2 allows one more transmission on the same
 *		connection; likewise
 * @credit_wait: the Call waits, or has waited, for a credit
 * @credit_wait_start: rpcrdma_latency_begin() of that wait
 * @posted_on:	connection that the Call was posted on and its Reply is awaited on;
 *		NULL before the post, while a Reply is being checked (set again if that
 *		Reply is dropped), and after a Reply was accepted, the Call was
 *		abandoned, or the connection was drained
 * @lock:	@conn, @state, @mrs, @inv_slots
 * @conn:	connection that the request is exposed to, or NULL
 * @state:	enum xprtrdma_req_state
 * @mrs:	MRs of this Call
 * @mr_promise:	number of MRs of each class that it may still take from the pool
 *		(mr_wait.c); this and @mr_wait under the lock of the pool
 * @mr_wait:	number of MRs of each class that it waits to be promised
 * @inv_slots:	send queue slots reserved for their invalidation
 * @pinned:	pinned by the receive path; under xprt->queue_lock
 * @sent_pinned: pinned since another task sent the Call, until its own task waits for
 *		the Reply; likewise
 * @late:	"not responding" was logged for this Call; used by its task only
 * @doubted:	the connection was closed because the server may have dropped this Call;
 *		likewise
 * @replies_seen: rpc_xprt.stat.recvs when the task looked last (wait.c); likewise
 * @drops_seen:	xprtrdma_xprt.drops when the Call was sent
 * @released:	completed when a canceled request is no longer exposed
 * @reply:	the accepted Reply, until the RPC ends
 * @msg:	transport header of the Call
 * @segs:	memory for the segments of @msg, kept between RPCs
 * @max_segs:	number of segments at @segs
 */
struct xprtrdma_req {
	struct rpc_rqst		rqst;
	struct rpcrdma_pool_item	item;
	struct list_head	all;
	void			*call_buf;
	void			*reply_buf;
	void			*head_bounce;
	void			*tail_bounce;
	bool			bounce_first_page;
	u8			gpu;
	size_t			call_size;
	size_t			reply_size;
	int			error;
	struct xprtrdma_retry	retry;
	bool			retrying;
	bool			credit_wait;
	u64			credit_wait_start;
	struct rpcrdma_conn	*posted_on;

	spinlock_t		lock;	/* see above */
	struct rpcrdma_conn	*conn;
	unsigned int		state;
	struct list_head	mrs;
	u16			mr_promise[XPRTRDMA_MR_CLASSES];
	u16			mr_wait[XPRTRDMA_MR_CLASSES];
	unsigned int		inv_slots;
	bool			pinned;
	bool			sent_pinned;
	bool			late;
	bool			doubted;
	unsigned long		replies_seen;
	unsigned int		drops_seen;
	struct completion	released;
	struct xprtrdma_reply_info	reply;

	struct rpcrdma_msg	msg;
	struct rpcrdma_segment	*segs;
	unsigned int		max_segs;
};

static inline struct xprtrdma_req *xprtrdma_from_rqst(struct rpc_rqst *rqst)
{
	return container_of(rqst, struct xprtrdma_req, rqst);
}

/**
 * xprtrdma_gpu_bit - which pages a chunk of this direction names
 * @dir: direction of its DMA mapping
 *
 * Context: any.
 * Return: a bit for xprtrdma_req.gpu.
 */
static inline enum xprtrdma_gpu xprtrdma_gpu_bit(enum dma_data_direction dir)
{
	return dir == DMA_TO_DEVICE ? XPRTRDMA_GPU_CALL : XPRTRDMA_GPU_REPLY;
}

/* request.c */
void xprtrdma_req_pool_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_req_pool_trim(struct xprtrdma_xprt *r_xprt, unsigned int keep,
			    unsigned long before);
void xprtrdma_req_pool_destroy(struct xprtrdma_xprt *r_xprt);
void xprtrdma_alloc_slot(struct rpc_xprt *xprt, struct rpc_task *task);
void xprtrdma_free_slot(struct rpc_xprt *xprt, struct rpc_rqst *rqst);
int xprtrdma_buf_alloc(struct rpc_task *task);

/* req_memory.c */
void xprtrdma_req_expose(struct xprtrdma_req *req, struct rpcrdma_conn *conn,
			 bool gathered, unsigned int nmrs);
void xprtrdma_req_send_done(struct xprtrdma_req *req);
void xprtrdma_req_invalidated(struct xprtrdma_req *req);
void xprtrdma_req_replied(struct xprtrdma_req *req);
void xprtrdma_req_unpin(struct xprtrdma_req *req);
bool xprtrdma_req_exposed(struct xprtrdma_req *req);
void xprtrdma_req_pins_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_req_pins_destroy(struct xprtrdma_xprt *r_xprt);
void xprtrdma_req_pin_sent(struct xprtrdma_xprt *r_xprt,
			   struct xprtrdma_req *req);
void xprtrdma_req_unpin_sent(struct xprtrdma_req *req);
void xprtrdma_buf_free(struct rpc_task *task);
void xprtrdma_req_reset_all(struct xprtrdma_xprt *r_xprt);

/* bounce.c */
bool xprtrdma_bounce_reply(struct xprtrdma_req *req,
			   const struct xprtrdma_layout *layout);
void xprtrdma_bounce_copy(struct xprtrdma_req *req, u32 len);
void xprtrdma_bounce_free(struct xprtrdma_req *req);

/* complete.c */
void xprtrdma_reply_complete(struct xprtrdma_req *req);

/* wait.c */
void xprtrdma_wait_for_reply(struct rpc_task *task);

#endif /* _XPRTRDMA_REQUEST_H */
