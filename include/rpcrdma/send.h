/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Send contexts: one Send, with its buffer, from its first byte to its completion.
 */
#ifndef _RPCRDMA_SEND_H
#define _RPCRDMA_SEND_H

#include <linux/list.h>
#include <rdma/ib_verbs.h>
#include <rpcrdma/buf.h>
#include <rpcrdma/pool.h>
#include <rpcrdma/sendq.h>

struct rpcrdma_conn;
struct rpcrdma_send_pool;

/**
 * struct rpcrdma_send - one Send, until it completes
 * @item:      in rpcrdma_send_pool.pool
 * @all:       in rpcrdma_send_pool.all
 * @pool:      where it goes back to
 * @conn:      its connection
 * @waiter:    argument of rpcrdma_send_ops.completed, if that is to be called for
 *	       this Send; or NULL
 * @cqe:       its completion
 * @wr:	       the Send. wr.sg_list has conn->limits.send_sges entries. The first one
 *	       names the start of @buf
 * @buf:       mapped for the life of the connection: header and copied payload
 * @mapped:    SGEs that name pages, mapped for this Send; they begin at the second
 * @order:     in rpcrdma_sendq.unsignaled, or in @covers of a later Send or of the keepalive
 * @covers:    earlier Sends without a completion of their own; they are complete when
 *	       this one is
 * @slots:     send queue slots that come back when it completes
 * @posted_on: where the post stores @conn, or NULL. It stores under the post_lock,
 *	       before ib_post_send(). So code that sees @conn there and then posts, for
 *	       example an invalidation, is behind this Send in the queue
 * @chain:     of the work requests that end with it
 */
struct rpcrdma_send {
	struct rpcrdma_pool_item	item;
	struct list_head		all;
	struct rpcrdma_send_pool	*pool;
	struct rpcrdma_conn		*conn;
	void				*waiter;
	struct ib_cqe			cqe;
	struct ib_send_wr		wr;
	struct rpcrdma_buf		buf;
	unsigned int			mapped;
	struct list_head		order;
	struct list_head		covers;
	unsigned int			slots;
	struct rpcrdma_conn		**posted_on;
	struct rpcrdma_wr_chain		chain;
};

/**
 * struct rpcrdma_send_ops - what a transport adds to a Send context
 * @size:      bytes of its structure, whose first member is the struct rpcrdma_send
 * @init:      a context is new: its other members, all zero, are to be set up.
 *	       Optional
 * @release:   the device is done with a Send, or has never seen it: release all it
 *	       holds besides its buffer and mapped pages. Process context, does not
 *	       sleep; may be called again for a Send that holds nothing. Optional
 * @completed: a Send with a waiter has completed, and its context is back in the
 *	       pool. Completion handler. Optional if no Send has a waiter
 */
struct rpcrdma_send_ops {
	size_t	size;
	void	(*init)(struct rpcrdma_send *send);
	void	(*release)(struct rpcrdma_send *send);
	void	(*completed)(void *waiter);
};

/**
 * struct rpcrdma_send_pool - the Send contexts of one connection
 * @pool:    the idle ones; pool.lock protects @all too
 * @all:     all contexts
 * @minimum: number of idle contexts that rpcrdma_send_pool_trim() leaves
 * @conn:    the connection
 * @ops:     of the owner
 */
struct rpcrdma_send_pool {
	struct rpcrdma_pool		pool;
	struct list_head		all;
	unsigned int			minimum;
	struct rpcrdma_conn		*conn;
	const struct rpcrdma_send_ops	*ops;
};

/* connection/send.c */
void rpcrdma_send_pool_init(struct rpcrdma_send_pool *pool,
			    const struct rpcrdma_send_ops *ops);
void rpcrdma_send_pool_open(struct rpcrdma_send_pool *pool,
			    struct rpcrdma_conn *conn, unsigned int minimum);
int rpcrdma_send_pool_grow(struct rpcrdma_send_pool *pool, unsigned int count,
			   gfp_t gfp);
void rpcrdma_send_pool_trim(struct rpcrdma_send_pool *pool,
			    unsigned long before);
void rpcrdma_send_pool_destroy(struct rpcrdma_send_pool *pool);
struct rpcrdma_send *rpcrdma_send_get(struct rpcrdma_send_pool *pool, gfp_t gfp);
void rpcrdma_send_put(struct rpcrdma_send *send);
int rpcrdma_send_add_page(struct rpcrdma_send *send, struct page *page,
			  u32 offset, u32 len);
void rpcrdma_send_add_buf(struct rpcrdma_send *send, u32 offset, u32 len);
void rpcrdma_send_unmap(struct rpcrdma_send *send);

/* connection/unsignaled.c */
int rpcrdma_send_post(struct rpcrdma_send *send, struct ib_send_wr *first,
		      bool may_be_unsignaled);

/**
 * rpcrdma_send_set_front - the front of the message is the start of the buffer
 * @send: Send context
 * @len: bytes that the CPU has written there; they are synced for the device
 *
 * Context: any.
 */
static inline void rpcrdma_send_set_front(struct rpcrdma_send *send, u32 len)
{
	rpcrdma_buf_to_device(&send->buf, len);
	send->wr.sg_list[0].length = len;
}

#endif /* _RPCRDMA_SEND_H */
