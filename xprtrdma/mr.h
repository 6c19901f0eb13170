/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory regions (MRs): their use by an RPC (mr.c), and their pool (mr_pool.c).
 */
#ifndef _XPRTRDMA_MR_H
#define _XPRTRDMA_MR_H

#include <linux/scatterlist.h>
#include <linux/sunrpc/sched.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>
#include <rpcrdma/pool.h>
#include <rpcrdma/sendq.h>

struct xprtrdma_req;
struct xprtrdma_xprt;

/* Sizes of an MR */
enum xprtrdma_mr_class {
	XPRTRDMA_MR_SMALL,
	XPRTRDMA_MR_LARGE,
	XPRTRDMA_MR_CLASSES,
};

/**
 * struct xprtrdma_mr - a memory region
 * @item:  in xprtrdma_mr_pool.free, or in xprtrdma_req.mrs
 * @all:   in xprtrdma_mr_pool.all
 * @req:   request whose memory it covers
 * @ibmr:  the MR as verbs know it
 * @class: its size
 * @valid: registered by a WR chain that is or will be posted, and neither has the
 *	   server reported its invalidation nor have we prepared one. Set before the
 *	   request is exposed, then under @req->lock
 * @dir:   direction of the DMA mapping
 * @nents: entries of @sg that are mapped, 0 if none
 * @gpu:   they are GPU memory, mapped by its provider
 * @sg:    the memory
 * @inv_cqe: completion of an invalidation
 * @chain: WR chain of invalidations that ends with @inv
 * @free_after: in the pool: number of a WR chain that was posted at or after the
 *	   last use; once rpcrdma_sendq_completed() says that it is complete, the
 *	   MR may be freed
 * @reg:   registration
 * @inv:   invalidation
 */
struct xprtrdma_mr {
	struct rpcrdma_pool_item	item;
	struct list_head	all;
	struct xprtrdma_req	*req;
	struct ib_mr		*ibmr;
	enum xprtrdma_mr_class	class;
	bool			valid;
	enum dma_data_direction	dir;
	unsigned int		nents;
	bool			gpu;
	struct scatterlist	*sg;
	struct ib_cqe		inv_cqe;
	struct rpcrdma_wr_chain	chain;
	u32			free_after;
	struct ib_reg_wr	reg;
	struct ib_send_wr	inv;
};

/**
 * struct xprtrdma_mr_pool - the memory regions of one connection
 * @lock:   everything but @work
 * @open:   there is a connection: Calls may wait for MRs
 * @inline_call: a Call of more bytes needs a chunk; U32_MAX before the first connection
 * @inline_reply: likewise for a Reply
 * @pages:  pages that an MR of each class can take
 * @least:  number of each class that the connection starts with
 * @free:   idle MRs, last in, first out
 * @idle:   number of MRs in @free
 * @all:    all MRs
 * @count:  number of MRs of each class in @all
 * @promised: MRs that Calls in the transmit queue are to find idle (mr_wait.c)
 * @waiting: MRs that Calls want to be promised
 * @waitq:  tasks of these Calls
 * @wanted: one bit for each class that a Call in the transmit queue lacks
 * @work:   allocates more MRs
 * @reg_cqe: completion of failed registrations
 */
struct xprtrdma_mr_pool {
	spinlock_t		lock;	/* see above */
	bool			open;
	u32			inline_call;
	u32			inline_reply;
	u32			pages[XPRTRDMA_MR_CLASSES];
	unsigned int		least[XPRTRDMA_MR_CLASSES];
	struct list_head	free[XPRTRDMA_MR_CLASSES];
	unsigned int		idle[XPRTRDMA_MR_CLASSES];
	struct list_head	all;
	unsigned int		count[XPRTRDMA_MR_CLASSES];
	unsigned int		promised[XPRTRDMA_MR_CLASSES];
	unsigned int		waiting[XPRTRDMA_MR_CLASSES];
	struct rpc_wait_queue	waitq[XPRTRDMA_MR_CLASSES];
	unsigned long		wanted;
	struct delayed_work	work;
	struct ib_cqe		reg_cqe;
};

/* mr_pool.c */
void xprtrdma_mr_pool_init(struct xprtrdma_xprt *r_xprt);
int xprtrdma_mr_pool_create(struct xprtrdma_xprt *r_xprt);
void xprtrdma_mr_pool_trim(struct xprtrdma_xprt *r_xprt, unsigned long before);
void xprtrdma_mr_pool_destroy(struct xprtrdma_xprt *r_xprt);
unsigned int xprtrdma_mr_pool_most(const struct xprtrdma_xprt *r_xprt,
				   enum xprtrdma_mr_class class);
void xprtrdma_mr_pool_refill(struct xprtrdma_xprt *r_xprt);
struct xprtrdma_mr *xprtrdma_mr_get(struct xprtrdma_xprt *r_xprt,
				    struct xprtrdma_req *req, u32 pages);
void xprtrdma_mr_list_put(struct xprtrdma_xprt *r_xprt, struct list_head *mrs);
void xprtrdma_mr_list_undo(struct xprtrdma_xprt *r_xprt, struct list_head *mrs);
unsigned int xprtrdma_mr_pool_count(struct xprtrdma_xprt *r_xprt, bool used);

/* mr_wait.c */
void xprtrdma_mr_wait_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_mr_wait_destroy(struct xprtrdma_xprt *r_xprt);
void xprtrdma_mr_pool_open(struct xprtrdma_xprt *r_xprt);
void xprtrdma_mr_pool_close(struct xprtrdma_xprt *r_xprt);
int xprtrdma_mr_prepare(struct rpc_rqst *rqst);
bool xprtrdma_mr_wait(struct rpc_task *task, unsigned long deadline);
void xprtrdma_mr_wake(struct xprtrdma_xprt *r_xprt);
void xprtrdma_mr_promise_drop(struct xprtrdma_req *req);

/* mr.c */
void xprtrdma_mr_reg_done(struct ib_cq *cq, struct ib_wc *wc);
void xprtrdma_mr_inv_done(struct ib_cq *cq, struct ib_wc *wc);
int xprtrdma_mr_map(struct xprtrdma_mr *mr, struct xprtrdma_req *req,
		    unsigned int nents, enum dma_data_direction dir);
unsigned int xprtrdma_mr_list_chain(struct xprtrdma_req *req,
				    struct ib_send_wr **first);
struct ib_send_wr *xprtrdma_mr_list_invalidate(struct xprtrdma_req *req,
					       struct rpcrdma_wr_chain **chain);
bool xprtrdma_mr_invalidated(struct xprtrdma_req *req, u32 handle);
bool xprtrdma_mr_bad_invalidation(struct xprtrdma_xprt *r_xprt, u32 handle, __be32 xid);

/* mr_dma.c */
int xprtrdma_mr_dma_map(struct xprtrdma_mr *mr, struct xprtrdma_req *req,
			unsigned int nents, enum dma_data_direction dir);
void xprtrdma_mr_dma_unmap(struct xprtrdma_xprt *r_xprt, struct xprtrdma_mr *mr);

#endif /* _XPRTRDMA_MR_H */
