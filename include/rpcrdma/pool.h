/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Idle objects: kept for the next RPC, and freed when none has needed them for a
 * while.
 *
 * The object that was put back last is taken first: it is warm in the cache, and
 * the objects that a connection does not need gather at the end of the list. An
 * owner that has a lock already keeps a plain list under it (rpcrdma_idle_put()
 * and so on); struct rpcrdma_pool is such a list with a lock of its own.
 */
#ifndef _RPCRDMA_POOL_H
#define _RPCRDMA_POOL_H

#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

/* An object that has been idle for twice as long is freed at the latest */
#define RPCRDMA_TRIM_INTERVAL	(30UL * HZ)

/**
 * struct rpcrdma_pool_item - the part of an object that its pool uses
 * @node:  in a list of idle objects; the user's while the object is in use
 * @since: when the object was put on that list, jiffies
 */
struct rpcrdma_pool_item {
	struct list_head	node;
	unsigned long		since;
};

/**
 * struct rpcrdma_pool - idle objects of one kind
 * @lock: @idle
 * @idle: struct rpcrdma_pool_item, last in, first out
 */
struct rpcrdma_pool {
	spinlock_t		lock;	/* see above */
	struct list_head	idle;
};

/**
 * struct rpcrdma_trimmer - frees what a connection has not needed for a while
 * @work: runs every RPCRDMA_TRIM_INTERVAL
 * @wq:	  workqueue of @work
 * @trim: frees what has been idle since @before or longer, jiffies; memory
 *	  allocations in it do not enter the file system
 */
struct rpcrdma_trimmer {
	struct delayed_work	work;
	struct workqueue_struct	*wq;
	void (*trim)(struct rpcrdma_trimmer *trimmer, unsigned long before);
};

/* connection/pool.c */
void rpcrdma_idle_trim(struct list_head *idle, unsigned int keep,
		       unsigned long before,
		       struct list_head *gone, spinlock_t *lock);
void rpcrdma_trimmer_init(struct rpcrdma_trimmer *trimmer,
			  void (*trim)(struct rpcrdma_trimmer *trimmer,
				       unsigned long before));
void rpcrdma_trimmer_start(struct rpcrdma_trimmer *trimmer,
			   struct workqueue_struct *wq);
void rpcrdma_trimmer_stop(struct rpcrdma_trimmer *trimmer);

/**
 * rpcrdma_idle_put - put an object on a list of idle ones
 * @idle: list
 * @item: of the object, which is on no list
 * @lock: lock of @idle, held
 *
 * Context: any.
 */
static inline void rpcrdma_idle_put(struct list_head *idle,
				    struct rpcrdma_pool_item *item,
				    spinlock_t *lock)
{
	lockdep_assert_held(lock);
	item->since = jiffies;
	list_add(&item->node, idle);
}

/**
 * rpcrdma_idle_get - take the object that was put back last
 * @idle: list of idle objects
 * @lock: lock of @idle, held
 *
 * Context: any.
 * Return: its item, on no list; or NULL if there is none.
 */
static inline struct rpcrdma_pool_item *rpcrdma_idle_get(struct list_head *idle,
							 spinlock_t *lock)
{
	struct rpcrdma_pool_item *item;

	lockdep_assert_held(lock);
	item = list_first_entry_or_null(idle, struct rpcrdma_pool_item, node);
	if (item)
		list_del(&item->node);
	return item;
}

/**
 * rpcrdma_pool_init - an empty pool
 * @pool: memory of the pool
 *
 * Context: any.
 */
static inline void rpcrdma_pool_init(struct rpcrdma_pool *pool)
{
	spin_lock_init(&pool->lock);
	INIT_LIST_HEAD(&pool->idle);
}

/**
 * rpcrdma_pool_put - put an object into a pool
 * @pool: pool
 * @item: of the object, which is on no list
 *
 * Context: process context, does not sleep.
 */
static inline void rpcrdma_pool_put(struct rpcrdma_pool *pool,
				    struct rpcrdma_pool_item *item)
{
	spin_lock(&pool->lock);
	rpcrdma_idle_put(&pool->idle, item, &pool->lock);
	spin_unlock(&pool->lock);
}

/**
 * rpcrdma_pool_get - take an object out of a pool
 * @pool: pool
 *
 * Context: process context, does not sleep.
 * Return: its item, on no list; or NULL if the pool is empty.
 */
static inline struct rpcrdma_pool_item *
rpcrdma_pool_get(struct rpcrdma_pool *pool)
{
	struct rpcrdma_pool_item *item;

	spin_lock(&pool->lock);
	item = rpcrdma_idle_get(&pool->idle, &pool->lock);
	spin_unlock(&pool->lock);
	return item;
}

/**
 * rpcrdma_pool_trim - take out the objects that have been idle for long
 * @pool: pool
 * @keep: number of idle objects that stay in any case
 * @before: jiffies; objects that have been idle since then, or longer
 * @gone: list that they are moved to
 *
 * Context: process context, does not sleep.
 */
static inline void rpcrdma_pool_trim(struct rpcrdma_pool *pool,
				     unsigned int keep, unsigned long before,
				     struct list_head *gone)
{
	spin_lock(&pool->lock);
	rpcrdma_idle_trim(&pool->idle, keep, before, gone, &pool->lock);
	spin_unlock(&pool->lock);
}

#endif /* _RPCRDMA_POOL_H */
