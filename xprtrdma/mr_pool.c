// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool of memory regions (MRs) of a connection.
 *
 * An MR belongs to one connection and its protection domain (RFC 8166 8.1.1,
 * V1-MEM-12). It is in the pool or on the list of a request. MRs have two
 * sizes, so that a small chunk does not use up a large MR.
 *
 * A connection starts with enough MRs for the most demanding Call, so that
 * there is always progress. As many are to stay idle: when Calls are about to take
 * some of these, a work item allocates more. Calls wait for MRs before they enter the
 * transmit queue of sunrpc (mr_wait.c). A Call in that queue that finds too few MRs
 * all the same goes back to sunrpc, which is told to try again when there are more. MRs
 * that have been idle for long are freed.
 *
 * An MR that the server has invalidated was registered, but the registration
 * may not have completed on this side, because it is unsignaled. The device
 * may still use the MR then. It can be registered again, which is ordered
 * after the first registration. It is freed only after a later work request
 * has completed (mr->free_after).
 *
 * Model: scripts/tests/models/mr_ownership.pml
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "xprtrdma.h"

/* A small MR can take 64 KiB at any offset in its first page */
#define XPRTRDMA_SMALL_PAGES	17

/* Time to the next attempt when none could be allocated, jiffies */
#define XPRTRDMA_MR_RETRY_DELAY	(HZ / 4)

/*
 * The most demanding Call has a Position Zero chunk and a Reply chunk, each
 * with head, pages and tail in MRs of their own.
 */
#define XPRTRDMA_CALL_CHUNKS	2
#define XPRTRDMA_CHUNK_KVECS	2

/* Pages besides the payload: for its offset, the head and the tail */
#define XPRTRDMA_CHUNK_EXTRA	3

static void xprtrdma_mr_free(struct xprtrdma_xprt *r_xprt, struct xprtrdma_mr *mr)
{
	/* The server must lose access before the memory is unmapped */
	ib_dereg_mr(mr->ibmr);
	xprtrdma_mr_dma_unmap(r_xprt, mr);
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
	mr = kzalloc(sizeof(*mr), RPCRDMA_GFP_ONCE);
	if (!mr)
		return NULL;
	mr->sg = kcalloc(pages, sizeof(*mr->sg), RPCRDMA_GFP_ONCE);
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

/* Return an MR that is on no list; all work requests that use it are posted */
static void xprtrdma_mr_pool_put(struct xprtrdma_xprt *r_xprt,
				 struct xprtrdma_mr *mr)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	mr->free_after = rpcrdma_sendq_posted(r_xprt->conn);
	rpcrdma_idle_put(&pool->free[mr->class], &mr->item, &pool->lock);
	pool->idle[mr->class]++;
}

/* Returns how many were allocated */
static unsigned int xprtrdma_mr_pool_grow(struct xprtrdma_xprt *r_xprt,
					  enum xprtrdma_mr_class class,
					  unsigned int count)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	struct xprtrdma_mr *mr;
	unsigned int made;

	for (made = 0; made < count; made++) {
		mr = xprtrdma_mr_alloc(r_xprt, class);
		if (!mr)
			break;
		spin_lock(&pool->lock);
		list_add(&mr->all, &pool->all);
		pool->count[class]++;
		xprtrdma_mr_pool_put(r_xprt, mr);
		xprtrdma_mr_wake(r_xprt);
		spin_unlock(&pool->lock);
	}
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_MRS_ALLOCATED, made);
	return made;
}

/**
 * xprtrdma_mr_pool_most - number of MRs that the credit window can use
 * @r_xprt: transport
 * @class: size of the MRs
 *
 * Context: any.
 * Return: the number. The most demanding Call needs twice the share of a credit.
 */
unsigned int xprtrdma_mr_pool_most(const struct xprtrdma_xprt *r_xprt,
				   enum xprtrdma_mr_class class)
{
	return READ_ONCE(r_xprt->credits.window) *
	       r_xprt->mr_pool.least[class] / XPRTRDMA_CALL_CHUNKS;
}

/*
 * How many MRs to allocate: for a Call that sunrpc has tried to send, as many as there
 * are, because nothing tells how many it lacks; otherwise so many that the least number
 * stays idle when all Calls have what they are promised or wait for.
 */
static unsigned int xprtrdma_mr_pool_lacks(const struct xprtrdma_xprt *r_xprt,
					   enum xprtrdma_mr_class class)
{
	const struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	unsigned int most = xprtrdma_mr_pool_most(r_xprt, class);
	unsigned int idle = pool->promised[class] + pool->waiting[class] +
			    pool->least[class];

	lockdep_assert_held(&pool->lock);
	if (pool->wanted & BIT(class))
		return pool->count[class];
	if (idle <= pool->idle[class] || most <= pool->count[class])
		return 0;
	return min(idle - pool->idle[class], most - pool->count[class]);
}

/**
 * xprtrdma_mr_pool_refill - allocate more MRs if there will be too few
 * @r_xprt: transport
 *
 * Context: holds the lock of the pool.
 */
void xprtrdma_mr_pool_refill(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	if (pool->open &&
	    (xprtrdma_mr_pool_lacks(r_xprt, XPRTRDMA_MR_SMALL) ||
	     xprtrdma_mr_pool_lacks(r_xprt, XPRTRDMA_MR_LARGE)))
		queue_delayed_work(xprtrdma_wq, &pool->work, 0);
}

/*
 * Allocate one batch, and let sunrpc send again. Batches grow with the pool, so that a
 * burst needs few. Returns true if there may be more to allocate.
 */
static bool xprtrdma_mr_pool_batch(struct xprtrdma_xprt *r_xprt,
				   enum xprtrdma_mr_class class)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	unsigned int count, made;
	bool wanted;

	spin_lock(&pool->lock);
	count = min(xprtrdma_mr_pool_lacks(r_xprt, class), pool->count[class]);
	spin_unlock(&pool->lock);
	made = xprtrdma_mr_pool_grow(r_xprt, class, count);
	if (!made)
		return false;

	spin_lock(&pool->lock);
	wanted = pool->wanted & BIT(class);
	pool->wanted &= ~BIT(class);
	spin_unlock(&pool->lock);
	if (wanted)
		xprtrdma_write_space(r_xprt);
	return made == count;
}

/*
 * If no MR can be allocated, usually another request returns some. But the Call
 * that waits may need more than exist, so the work tries again.
 */
static void xprtrdma_mr_pool_work(struct work_struct *work)
{
	struct xprtrdma_xprt *r_xprt = container_of(work, struct xprtrdma_xprt,
						    mr_pool.work.work);
	unsigned int nofs = memalloc_nofs_save();
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class;
	bool waits;

	for (class = 0; class < XPRTRDMA_MR_CLASSES; class++)
		while (xprtrdma_mr_pool_batch(r_xprt, class))
			cond_resched();
	memalloc_nofs_restore(nofs);

	spin_lock(&pool->lock);
	/* The window, and with it what the pool may grow to, may have shrunk */
	xprtrdma_mr_wake(r_xprt);
	waits = pool->wanted || pool->waiting[XPRTRDMA_MR_SMALL] ||
		pool->waiting[XPRTRDMA_MR_LARGE];
	spin_unlock(&pool->lock);
	if (waits)
		queue_delayed_work(xprtrdma_wq, &pool->work,
				   XPRTRDMA_MR_RETRY_DELAY);
}

/**
 * xprtrdma_mr_pool_init - initialize the pool of a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_mr_pool_init(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;

	spin_lock_init(&pool->lock);
	INIT_LIST_HEAD(&pool->free[XPRTRDMA_MR_SMALL]);
	INIT_LIST_HEAD(&pool->free[XPRTRDMA_MR_LARGE]);
	INIT_LIST_HEAD(&pool->all);
	pool->reg_cqe.done = xprtrdma_mr_reg_done;
	INIT_DELAYED_WORK(&pool->work, xprtrdma_mr_pool_work);
	xprtrdma_mr_wait_init(r_xprt);
}

/**
 * xprtrdma_mr_pool_create - allocate the MRs that a connection starts with
 * @r_xprt: transport; r_xprt->conn has its protection domain
 *
 * Context: may sleep; holds XPRT_LOCKED; the caller keeps reclaim out of the
 * file system.
 * Return: 0 or -ENOMEM. xprtrdma_mr_pool_destroy() undoes it, whole or in part.
 */
int xprtrdma_mr_pool_create(struct xprtrdma_xprt *r_xprt)
{
	const struct rpcrdma_limits *limits = &r_xprt->conn->limits;
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	u32 pages = DIV_ROUND_UP(r_xprt->xprt.max_payload, PAGE_SIZE) +
		    XPRTRDMA_CHUNK_EXTRA;
	unsigned int large = XPRTRDMA_CALL_CHUNKS *
			     DIV_ROUND_UP(pages, limits->mr_pages);
	unsigned int small = XPRTRDMA_CALL_CHUNKS * XPRTRDMA_CHUNK_KVECS;

	spin_lock(&pool->lock);
	pool->wanted = 0;
	pool->pages[XPRTRDMA_MR_LARGE] = limits->mr_pages;
	pool->pages[XPRTRDMA_MR_SMALL] = min_t(u32, limits->mr_pages,
					       XPRTRDMA_SMALL_PAGES);
	pool->least[XPRTRDMA_MR_LARGE] = large;
	pool->least[XPRTRDMA_MR_SMALL] = small;
	spin_unlock(&pool->lock);
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
 * As many idle MRs stay as the connection began with, and all that the device
 * may not be done with.
 *
 * Context: may sleep; xprtrdma_mr_pool_destroy() is not called meanwhile. The
 * caller keeps reclaim out of the file system.
 */
void xprtrdma_mr_pool_trim(struct xprtrdma_xprt *r_xprt, unsigned long before)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class;
	struct xprtrdma_mr *mr, *next;
	LIST_HEAD(gone);

	spin_lock(&pool->lock);
	for (class = 0; class < XPRTRDMA_MR_CLASSES; class++)
		rpcrdma_idle_trim(&pool->free[class],
				  pool->least[class] + pool->promised[class],
				  before, &gone, &pool->lock);
	list_for_each_entry_safe(mr, next, &gone, item.node) {
		if (!rpcrdma_sendq_completed(r_xprt->conn, mr->free_after)) {
			list_move_tail(&mr->item.node, &pool->free[mr->class]);
			continue;
		}
		list_del(&mr->all);
		pool->count[mr->class]--;
		pool->idle[mr->class]--;
	}
	spin_unlock(&pool->lock);

	list_for_each_entry_safe(mr, next, &gone, item.node)
		xprtrdma_mr_free(r_xprt, mr);
}

/**
 * xprtrdma_mr_pool_destroy - free all MRs of a connection, in use or not
 * @r_xprt: transport whose connection is drained and has no QP
 *
 * When this returns the server can access no memory, and none is mapped. The
 * lists of requests still name freed MRs: xprtrdma_req_reset_all() must
 * follow.
 *
 * Context: may sleep; holds xprtrdma_xprt.teardown_lock.
 */
void xprtrdma_mr_pool_destroy(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	struct xprtrdma_mr *mr, *next;

	xprtrdma_mr_pool_close(r_xprt);
	cancel_delayed_work_sync(&pool->work);
	list_for_each_entry_safe(mr, next, &pool->all, all) {
		if (mr->nents)
			r_xprt->legacy.mrs_lost++;
		xprtrdma_mr_free(r_xprt, mr);
	}
	INIT_LIST_HEAD(&pool->free[XPRTRDMA_MR_SMALL]);
	INIT_LIST_HEAD(&pool->free[XPRTRDMA_MR_LARGE]);
	INIT_LIST_HEAD(&pool->all);
	memset(pool->idle, 0, sizeof(pool->idle));
	memset(pool->count, 0, sizeof(pool->count));
}

static struct xprtrdma_mr *xprtrdma_mr_pop(struct xprtrdma_mr_pool *pool,
					   enum xprtrdma_mr_class class)
{
	struct rpcrdma_pool_item *item;

	item = rpcrdma_idle_get(&pool->free[class], &pool->lock);
	if (!item)
		return NULL;
	pool->idle[class]--;
	return container_of(item, struct xprtrdma_mr, item);
}

/* An MR has been taken, of those promised to the request if any were */
static void xprtrdma_mr_keep_promise(struct xprtrdma_mr_pool *pool,
				     struct xprtrdma_req *req,
				     enum xprtrdma_mr_class class)
{
	if (!req->mr_promise[class])
		return;
	req->mr_promise[class]--;
	pool->promised[class]--;
}

/**
 * xprtrdma_mr_get - take an MR out of the pool
 * @r_xprt: transport
 * @req: request that needs it
 * @pages: number of pages to register; may be more than one MR can take
 *
 * Context: RPC task that holds XPRT_LOCKED; does not sleep.
 * Return: an MR; or NULL, and sunrpc does not send until there may be one.
 */
struct xprtrdma_mr *xprtrdma_mr_get(struct xprtrdma_xprt *r_xprt,
				    struct xprtrdma_req *req, u32 pages)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	enum xprtrdma_mr_class class = XPRTRDMA_MR_LARGE;
	struct xprtrdma_mr *mr = NULL;

	spin_lock(&pool->lock);
	if (pages <= pool->pages[XPRTRDMA_MR_SMALL]) {
		class = XPRTRDMA_MR_SMALL;
		mr = xprtrdma_mr_pop(pool, class);
	}
	if (!mr)
		mr = xprtrdma_mr_pop(pool, XPRTRDMA_MR_LARGE);
	if (mr) {
		xprtrdma_mr_keep_promise(pool, req, mr->class);
	} else {
		/* Before wanted is set: code that sees the bit wakes sunrpc */
		xprt_wait_for_buffer_space(&r_xprt->xprt);
		pool->wanted |= BIT(class);
	}
	spin_unlock(&pool->lock);

	if (!mr) {
		rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_MRS_EMPTY);
		mod_delayed_work(xprtrdma_wq, &pool->work, 0);
	}
	return mr;
}

static unsigned int xprtrdma_mr_list_unmap(struct xprtrdma_xprt *r_xprt,
					   struct list_head *mrs)
{
	struct xprtrdma_mr *mr;
	unsigned int count = 0;

	list_for_each_entry(mr, mrs, item.node) {
		xprtrdma_mr_dma_unmap(r_xprt, mr);
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
	xprtrdma_mr_wake(r_xprt);
}

/**
 * xprtrdma_mr_list_put - unmap memory and return MRs to the pool
 * @r_xprt: transport
 * @mrs: list of MRs that are no longer valid; empty afterwards
 *
 * Context: process context; does not sleep, but may in the provider of GPU memory. The
 * connection is entered.
 */
void xprtrdma_mr_list_put(struct xprtrdma_xprt *r_xprt, struct list_head *mrs)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	unsigned long wanted;
	unsigned int count;

	if (list_empty(mrs))
		return;
	count = xprtrdma_mr_list_unmap(r_xprt, mrs);
	spin_lock(&pool->lock);
	xprtrdma_mr_pool_push(r_xprt, mrs);
	wanted = pool->wanted;
	pool->wanted = 0;
	spin_unlock(&pool->lock);

	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_MRS_RECYCLED, count);
	if (wanted)
		xprtrdma_write_space(r_xprt);
}

/**
 * xprtrdma_mr_list_undo - take back MRs of a Call that was not posted
 * @r_xprt: transport
 * @mrs: list of MRs that were never valid; empty afterwards
 *
 * If the Call found too few MRs, sunrpc is not told of these: they are not
 * enough. They are promised to the request, which stays in the transmit queue.
 *
 * Context: RPC task that holds XPRT_LOCKED; does not sleep, but may in the provider of
 * GPU memory.
 */
void xprtrdma_mr_list_undo(struct xprtrdma_xprt *r_xprt, struct list_head *mrs)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	struct xprtrdma_mr *mr;

	xprtrdma_mr_list_unmap(r_xprt, mrs);
	spin_lock(&pool->lock);
	list_for_each_entry(mr, mrs, item.node) {
		mr->req->mr_promise[mr->class]++;
		pool->promised[mr->class]++;
	}
	xprtrdma_mr_pool_push(r_xprt, mrs);
	spin_unlock(&pool->lock);
}

/**
 * xprtrdma_mr_pool_count - count MRs
 * @r_xprt: transport
 * @used: only those that are not idle
 *
 * Context: process context, does not sleep. The connection is entered.
 * Return: number of MRs.
 */
unsigned int xprtrdma_mr_pool_count(struct xprtrdma_xprt *r_xprt, bool used)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	unsigned int n;

	spin_lock(&pool->lock);
	n = list_count_nodes(&pool->all);
	if (used)
		n -= list_count_nodes(&pool->free[XPRTRDMA_MR_SMALL]) +
		     list_count_nodes(&pool->free[XPRTRDMA_MR_LARGE]);
	spin_unlock(&pool->lock);
	return n;
}
