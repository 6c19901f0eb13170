// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory regions: fast registration, invalidation, and the pools.
 *
 * An MR is made for one connection, in its protection domain (V1-MEM-12), and
 * is in a pool or with a request. It is registered by a work request in front
 * of the Call's Send and can be reached by the server from then until it is
 * invalidated: by the server with its Reply, or by a work request of ours.
 * Only then is its memory unmapped and the MR used again. Each registration
 * changes the key byte of its handle at random, and the address that the server sees has
 * nothing of the real one but the offset in the page (V1-MEM-10, V1-MEM-11).
 *
 * A connection begins with enough MRs for the most demanding Call, so that
 * there is always progress; a work item makes more when a Call finds none. That
 * Call goes back to sunrpc, which is told when it may try again. Those that are not
 * needed for a while are freed: xprtrdma_mr_pool_trim().
 *
 * An MR whose registration or invalidation has failed is never used again: the
 * connection goes, and it goes along. The registration of one that the server has
 * invalidated has had its effect, but the device may not be done with the work
 * request, which names the MR: such an MR can be registered again, which comes behind,
 * but is not freed before something behind it has completed.
 */
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/* A small MR takes 64 KiB that do not begin on a page boundary */
#define XPRTRDMA_SMALL_PAGES	17

/* Made at a time when there are not enough */
#define XPRTRDMA_SMALL_BATCH	8
#define XPRTRDMA_LARGE_BATCH	2

/* The next try if none could be made, jiffies */
#define XPRTRDMA_MR_RETRY_DELAY	(HZ / 4)

/*
 * The most demanding Call has a Position Zero chunk and a Reply chunk, each
 * with head, pages and tail that no MR can join.
 */
#define XPRTRDMA_CALL_CHUNKS	2
#define XPRTRDMA_CHUNK_KVECS	2

/* Pages besides the payload's: it may not be aligned, and has head and tail */
#define XPRTRDMA_CHUNK_EXTRA	3

static void xprtrdma_mr_reg_done(struct ib_cq *cq, struct ib_wc *wc)
{
	/* Not signaled, so this is a failure */
	rpcrdma_conn_wc_failed(cq->cq_context, wc, RPCRDMA_CLOSE_COMPLETION);
}

static void xprtrdma_mr_inv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct xprtrdma_mr *mr =
		container_of(wc->wr_cqe, struct xprtrdma_mr, inv_cqe);

	rpcrdma_fault_wc(wc);
	rpcrdma_sendq_done(cq->cq_context, &mr->chain, wc);
	if (wc->status != IB_WC_SUCCESS)
		rpcrdma_conn_wc_failed(cq->cq_context, wc,
				       RPCRDMA_CLOSE_INVALIDATE);
	else
		xprtrdma_req_fenced(mr->req);
}

static void xprtrdma_mr_free(struct xprtrdma_mr *mr)
{
	struct ib_device *device = mr->ibmr->device;

	/* First the access, then the mapping */
	ib_dereg_mr(mr->ibmr);
	if (mr->nents)
		ib_dma_unmap_sg(device, mr->sg, mr->nents, mr->dir);
	kfree(mr->sg);
	kfree(mr);
}

static struct xprtrdma_mr *xprtrdma_mr_alloc(struct xprtrdma_xprt *r_xprt,
					     enum xprtrdma_mr_class class)
{
	u32 pages = r_xprt->mr_pool.pages[class];
	struct xprtrdma_mr *mr;

	if (rpcrdma_fault(RPCRDMA_FAULT_ALLOC))
		return NULL;
	mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	if (!mr)
		return NULL;
	mr->sg = kcalloc(pages, sizeof(*mr->sg), GFP_KERNEL);
	if (!mr->sg)
		goto out_free;
	mr->ibmr = ib_alloc_mr(r_xprt->conn->pd, IB_MR_TYPE_MEM_REG, pages);
	if (IS_ERR(mr->ibmr))
		goto out_free_sg;

	sg_init_table(mr->sg, pages);
	mr->class = class;
	mr->inv_cqe.done = xprtrdma_mr_inv_done;
	return mr;

out_free_sg:
	kfree(mr->sg);
out_free:
	kfree(mr);
	return NULL;
}

/* The MR is on no list */
static void xprtrdma_mr_pool_put(struct xprtrdma_xprt *r_xprt,
				 struct xprtrdma_mr *mr)
{
	struct xprtrdma_mr_pool *mrs = &r_xprt->mr_pool;

	mr->mark = rpcrdma_sendq_posted(r_xprt->conn);
	rpcrdma_idle_put(&mrs->free[mr->class], &mr->item, &mrs->lock);
}

/* Returns how many were made */
static unsigned int xprtrdma_mr_pool_grow(struct xprtrdma_xprt *r_xprt,
					  enum xprtrdma_mr_class class,
					  unsigned int count)
{
	struct xprtrdma_mr_pool *mrs = &r_xprt->mr_pool;
	struct xprtrdma_mr *mr;
	unsigned int made;

	for (made = 0; made < count; made++) {
		mr = xprtrdma_mr_alloc(r_xprt, class);
		if (!mr)
			break;
		spin_lock(&mrs->lock);
		list_add(&mr->all, &mrs->all);
		xprtrdma_mr_pool_put(r_xprt, mr);
		spin_unlock(&mrs->lock);
	}
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_MRS_ALLOCATED, made);
	return made;
}

/*
 * If nothing can be made, some other request usually has MRs and will give them
 * back; but the one that waits may need more than there are.
 */
static void xprtrdma_mr_pool_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    mr_pool.work.work);
	unsigned int nofs = memalloc_nofs_save();
	struct xprtrdma_mr_pool *mrs = &r_xprt->mr_pool;
	unsigned long wanted, made = 0;

	spin_lock(&mrs->lock);
	wanted = mrs->wanted;
	spin_unlock(&mrs->lock);
	if (wanted & BIT(XPRTRDMA_MR_SMALL) &&
	    xprtrdma_mr_pool_grow(r_xprt, XPRTRDMA_MR_SMALL,
				  XPRTRDMA_SMALL_BATCH))
		made |= BIT(XPRTRDMA_MR_SMALL);
	if (wanted & BIT(XPRTRDMA_MR_LARGE) &&
	    xprtrdma_mr_pool_grow(r_xprt, XPRTRDMA_MR_LARGE,
				  XPRTRDMA_LARGE_BATCH))
		made |= BIT(XPRTRDMA_MR_LARGE);
	memalloc_nofs_restore(nofs);

	spin_lock(&mrs->lock);
	mrs->wanted &= ~made;
	wanted = mrs->wanted;
	spin_unlock(&mrs->lock);
	if (made)
		xprt_write_space(&r_xprt->xprt);
	if (wanted)
		queue_delayed_work(xprtrdma_wq, &mrs->work,
				   XPRTRDMA_MR_RETRY_DELAY);
}

/**
 * xprtrdma_mr_pool_init - set up what this file has in a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_mr_pool_init(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *mrs = &r_xprt->mr_pool;

	spin_lock_init(&mrs->lock);
	INIT_LIST_HEAD(&mrs->free[XPRTRDMA_MR_SMALL]);
	INIT_LIST_HEAD(&mrs->free[XPRTRDMA_MR_LARGE]);
	INIT_LIST_HEAD(&mrs->all);
	mrs->reg_cqe.done = xprtrdma_mr_reg_done;
	INIT_DELAYED_WORK(&mrs->work, xprtrdma_mr_pool_work);
}

/**
 * xprtrdma_mr_pool_create - make the MRs that a connection begins with
 * @r_xprt: transport; sx->conn has its protection domain
 *
 * Context: may sleep; holds XPRT_LOCKED; the caller keeps reclaim out of the
 * file system.
 * Return: 0 or -ENOMEM. xprtrdma_mr_pool_destroy() undoes it, whole or in part.
 */
int xprtrdma_mr_pool_create(struct xprtrdma_xprt *r_xprt)
{
	const struct rpcrdma_limits *limits = &r_xprt->conn->limits;
	u32 pages = DIV_ROUND_UP(r_xprt->xprt.max_payload, PAGE_SIZE) +
		    XPRTRDMA_CHUNK_EXTRA;
	unsigned int large = XPRTRDMA_CALL_CHUNKS *
			     DIV_ROUND_UP(pages, limits->mr_pages);
	unsigned int small = XPRTRDMA_CALL_CHUNKS * XPRTRDMA_CHUNK_KVECS;

	r_xprt->mr_pool.wanted = 0;
	r_xprt->mr_pool.pages[XPRTRDMA_MR_LARGE] = limits->mr_pages;
	r_xprt->mr_pool.pages[XPRTRDMA_MR_SMALL] = min_t(u32, limits->mr_pages,
							 XPRTRDMA_SMALL_PAGES);
	r_xprt->mr_pool.least[XPRTRDMA_MR_LARGE] = large;
	r_xprt->mr_pool.least[XPRTRDMA_MR_SMALL] = small;
	if (xprtrdma_mr_pool_grow(r_xprt, XPRTRDMA_MR_SMALL, small) < small ||
	    xprtrdma_mr_pool_grow(r_xprt, XPRTRDMA_MR_LARGE, large) < large)
		return -ENOMEM;
	return 0;
}

/**
 * xprtrdma_mr_pool_trim - free MRs that have been idle for long
 * @r_xprt: transport with a connection
 * @before: jiffies; MRs that have been idle since then, or longer
 *
 * As many idle MRs stay as the connection began with, and all that the device may not
 * be done with.
 *
 * Context: may sleep; xprtrdma_mr_pool_destroy() is not called meanwhile. The caller
 * keeps reclaim out of the file system.
 */
void xprtrdma_mr_pool_trim(struct xprtrdma_xprt *r_xprt, unsigned long before)
{
	struct xprtrdma_mr_pool *mrs = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class;
	struct xprtrdma_mr *mr, *next;
	LIST_HEAD(gone);

	spin_lock(&mrs->lock);
	for (class = 0; class < XPRTRDMA_MR_CLASSES; class++)
		rpcrdma_idle_trim(&mrs->free[class], mrs->least[class],
				  before, &gone);
	list_for_each_entry_safe(mr, next, &gone, item.node) {
		if (rpcrdma_sendq_completed(r_xprt->conn, mr->mark))
			list_del(&mr->all);
		else
			list_move_tail(&mr->item.node, &mrs->free[mr->class]);
	}
	spin_unlock(&mrs->lock);

	list_for_each_entry_safe(mr, next, &gone, item.node)
		xprtrdma_mr_free(mr);
}

/**
 * xprtrdma_mr_pool_destroy - free all MRs of a connection, used or not
 * @r_xprt: transport whose connection is drained
 *
 * When this returns the server can reach no memory any more, and none is
 * mapped. Requests still list MRs that are gone: xprtrdma_req_pool_disown().
 *
 * Context: may sleep; holds XPRT_LOCKED or is the only user.
 */
void xprtrdma_mr_pool_destroy(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *mrs = &r_xprt->mr_pool;
	struct xprtrdma_mr *mr, *next;

	cancel_delayed_work_sync(&mrs->work);
	list_for_each_entry_safe(mr, next, &mrs->all, all) {
		if (mr->nents)
			r_xprt->legacy.mrs_lost++;
		xprtrdma_mr_free(mr);
	}
	INIT_LIST_HEAD(&mrs->free[XPRTRDMA_MR_SMALL]);
	INIT_LIST_HEAD(&mrs->free[XPRTRDMA_MR_LARGE]);
	INIT_LIST_HEAD(&mrs->all);
}

static struct xprtrdma_mr *xprtrdma_mr_pop(struct xprtrdma_mr_pool *mrs,
					   enum xprtrdma_mr_class class)
{
	struct rpcrdma_pool_item *item;

	item = rpcrdma_idle_get(&mrs->free[class], &mrs->lock);
	return item ? container_of(item, struct xprtrdma_mr, item) : NULL;
}

/**
 * xprtrdma_mr_get - take an MR out of the pool
 * @r_xprt: transport
 * @pages: pages that are to be registered; maybe more than one MR takes
 *
 * Context: sender; does not sleep.
 * Return: an MR; or NULL, and sunrpc does not send until there may be one.
 */
struct xprtrdma_mr *xprtrdma_mr_get(struct xprtrdma_xprt *r_xprt, u32 pages)
{
	struct xprtrdma_mr_pool *mrs = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class = XPRTRDMA_MR_LARGE;
	struct xprtrdma_mr *mr = NULL;

	spin_lock(&mrs->lock);
	if (pages <= mrs->pages[XPRTRDMA_MR_SMALL]) {
		class = XPRTRDMA_MR_SMALL;
		mr = xprtrdma_mr_pop(mrs, class);
	}
	if (!mr)
		mr = xprtrdma_mr_pop(mrs, XPRTRDMA_MR_LARGE);
	if (!mr) {
		/* Whoever sees the bit in wanted wakes sunrpc: so not before */
		xprt_wait_for_buffer_space(&r_xprt->xprt);
		mrs->wanted |= BIT(class);
	}
	spin_unlock(&mrs->lock);

	if (!mr) {
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_MRS_EMPTY);
		mod_delayed_work(xprtrdma_wq, &mrs->work, 0);
	}
	return mr;
}

/**
 * xprtrdma_mr_map - map memory and prepare its registration
 * @mr: MR whose first entries in mr->sg are set
 * @req: request that the memory belongs to; the MR is added to its list
 * @nents: number of entries, one page or less each
 * @dir: DMA_TO_DEVICE if the server may read, DMA_FROM_DEVICE if it may write
 *
 * Context: sender; does not sleep.
 * Return: 0, -ENOBUFS (it may work later) or -EIO. In all cases the MR is on
 * the request's list.
 */
int xprtrdma_mr_map(struct xprtrdma_mr *mr, struct xprtrdma_req *req,
		    unsigned int nents, enum dma_data_direction dir)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(req->rqst.rq_xprt);
	struct ib_mr *ibmr = mr->ibmr;
	int mapped;

	list_add_tail(&mr->item.node, &req->mrs);
	mr->req = req;
	mr->dir = dir;
	if (rpcrdma_fault(RPCRDMA_FAULT_REGISTER))
		return -ENOBUFS;
	mapped = ib_dma_map_sg(ibmr->device, mr->sg, nents, dir);
	if (mapped <= 0)
		return -ENOBUFS;
	mr->nents = nents;
	if (ib_map_mr_sg(ibmr, mr->sg, mapped, NULL, PAGE_SIZE) != mapped)
		return -EIO;

	ibmr->iova = (u64)be32_to_cpu(req->rqst.rq_xid) << 32 |
		     offset_in_page(ibmr->iova);
	/* Any other than the one before */
	ib_update_fast_reg_key(ibmr, ibmr->rkey + 1 +
			       get_random_u32_below(U8_MAX));
	mr->reg = (struct ib_reg_wr) {
		.wr.opcode	= IB_WR_REG_MR,
		.wr.wr_cqe	= &r_xprt->mr_pool.reg_cqe,
		.mr		= ibmr,
		.key		= ibmr->rkey,
		.access		= dir == DMA_FROM_DEVICE ?
				  IB_ACCESS_REMOTE_WRITE |
				  IB_ACCESS_LOCAL_WRITE :
				  IB_ACCESS_REMOTE_READ,
	};
	return 0;
}

static unsigned int xprtrdma_mr_list_unmap(struct list_head *mrs)
{
	struct xprtrdma_mr *mr;
	unsigned int count = 0;

	list_for_each_entry(mr, mrs, item.node) {
		if (mr->nents)
			ib_dma_unmap_sg(mr->ibmr->device, mr->sg, mr->nents,
					mr->dir);
		mr->nents = 0;
		count++;
	}
	return count;
}

static void xprtrdma_mr_pool_push(struct xprtrdma_xprt *r_xprt,
				  struct list_head *mrs)
{
	struct xprtrdma_mr *mr, *next;

	list_for_each_entry_safe(mr, next, mrs, item.node) {
		list_del(&mr->item.node);
		xprtrdma_mr_pool_put(r_xprt, mr);
	}
}

/**
 * xprtrdma_mr_list_put - unmap memory and return MRs to the pool
 * @r_xprt: transport
 * @mrs: list of MRs that are not valid any more; empty afterwards
 *
 * Context: process context, does not sleep. Their connection is entered.
 */
void xprtrdma_mr_list_put(struct xprtrdma_xprt *r_xprt, struct list_head *mrs)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	unsigned long wanted;
	unsigned int count;

	if (list_empty(mrs))
		return;
	count = xprtrdma_mr_list_unmap(mrs);
	spin_lock(&pool->lock);
	xprtrdma_mr_pool_push(r_xprt, mrs);
	wanted = pool->wanted;
	pool->wanted = 0;
	spin_unlock(&pool->lock);

	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_MRS_RECYCLED, count);
	if (wanted)
		xprt_write_space(&r_xprt->xprt);
}

/**
 * xprtrdma_mr_list_undo - take back MRs of a Call that was not posted
 * @r_xprt: transport
 * @mrs: list of MRs that never were valid; empty afterwards
 *
 * If the Call found too few, these wake nobody: they are not enough.
 *
 * Context: sender; does not sleep.
 */
void xprtrdma_mr_list_undo(struct xprtrdma_xprt *r_xprt, struct list_head *mrs)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	xprtrdma_mr_list_unmap(mrs);
	spin_lock(&pool->lock);
	xprtrdma_mr_pool_push(r_xprt, mrs);
	spin_unlock(&pool->lock);
}

/**
 * xprtrdma_mr_list_chain - put the registrations in front of a Send
 * @req: request with its MRs, not posted yet
 * @first: head of the chain of work requests
 *
 * Context: sender.
 * Return: number of MRs. They count as valid from now on.
 */
unsigned int xprtrdma_mr_list_chain(struct xprtrdma_req *req,
				    struct ib_send_wr **first)
{
	struct xprtrdma_mr *mr;
	unsigned int count = 0;

	list_for_each_entry(mr, &req->mrs, item.node) {
		mr->reg.wr.next = *first;
		*first = &mr->reg.wr;
		WRITE_ONCE(mr->valid, true);
		count++;
	}
	return count;
}

/**
 * xprtrdma_mr_list_invalidate - make the work requests that cut the server off
 * @req: exposed request
 * @chain: what to post the chain with; not set if there is none
 *
 * One chain, of which the last is signaled: when it completes, all have (T-38).
 *
 * Context: holds req->lock, has entered req->conn.
 * Return: the chain, to be posted; or NULL if no MR is valid.
 */
struct ib_send_wr *xprtrdma_mr_list_invalidate(struct xprtrdma_req *req,
					       struct rpcrdma_wr_chain **chain)
{
	struct xprtrdma_xprt *r_xprt = req->conn->owner;
	struct ib_send_wr *first = NULL;
	struct xprtrdma_mr *mr;
	unsigned int count = 0;

	list_for_each_entry(mr, &req->mrs, item.node) {
		if (!mr->valid)
			continue;
		WRITE_ONCE(mr->valid, false);
		mr->chain = (struct rpcrdma_wr_chain) {
			.xid	= req->rqst.rq_xid,
		};
		if (!first)
			*chain = &mr->chain;
		mr->inv = (struct ib_send_wr) {
			.next			= first,
			.wr_cqe			= &mr->inv_cqe,
			.opcode			= IB_WR_LOCAL_INV,
			.send_flags		= first ? 0 : IB_SEND_SIGNALED,
			.ex.invalidate_rkey	= mr->ibmr->rkey,
		};
		first = &mr->inv;
		count++;
	}
	if (count)
		trace_xprtrdma_invalidate(req->conn, req->rqst.rq_xid, count);
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_LOCAL_INVS, count);
	return first;
}

/**
 * xprtrdma_mr_invalidated - the server says that it has invalidated a handle
 * @req: request that its Reply answers
 * @handle: the handle
 *
 * Context: receive path.
 * Return: true if it was a valid one of that very request (V1-MEM-21).
 */
bool xprtrdma_mr_invalidated(struct xprtrdma_req *req, u32 handle)
{
	struct xprtrdma_mr *mr;
	bool found = false;

	spin_lock(&req->lock);
	if (!req->conn)
		goto out;
	list_for_each_entry(mr, &req->mrs, item.node) {
		if (mr->ibmr->rkey != handle || !mr->valid)
			continue;
		WRITE_ONCE(mr->valid, false);
		found = true;
		break;
	}
out:
	spin_unlock(&req->lock);
	return found;
}
