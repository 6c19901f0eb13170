/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RDMA Reads and Writes: lists of rdma_rw contexts, and chains that wait for slots.
 */
#ifndef _SVCRDMA_RW_H
#define _SVCRDMA_RW_H

#include <linux/dma-direction.h>
#include <linux/list.h>
#include <linux/types.h>
#include "svcrdma.h"

struct ib_cqe;
struct ib_send_wr;
struct rpcrdma_segment;
struct scatterlist;
struct svcrdma_req;
struct svcrdma_rw;

/**
 * struct svcrdma_rw_list - rdma_rw contexts that are posted in one WR chain
 * @ctxs: struct svcrdma_rw, in the order of posting
 * @wrs:  number of their work requests
 * @bytes: that they read or write
 * @posted: they are posted
 * @posted_at: when they were posted, jiffies
 * @taken: jiffies from posting to release, of all contexts since svcrdma_rw_list_init()
 * @moved_before: svcrdma_xprt.rw_moved when the first of those were posted
 * @timeout: svcrdma.transfer_timeout then, jiffies
 */
struct svcrdma_rw_list {
	struct list_head	ctxs;
	unsigned int		wrs;
	u32			bytes;
	bool			posted;
	unsigned long		posted_at;
	unsigned long		taken;
	unsigned long		moved_before;
	unsigned long		timeout;
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

/* rw.c */
void svcrdma_rw_init(struct svcrdma_xprt *rdma);
void svcrdma_rw_stop(struct svcrdma_xprt *rdma);
void svcrdma_rw_list_init(struct svcrdma_rw_list *list);
unsigned int svcrdma_rw_pages(const struct svcrdma_xprt *rdma);
struct svcrdma_rw *svcrdma_rw_get(struct svcrdma_xprt *rdma,
				  unsigned int *nents);
struct scatterlist *svcrdma_rw_sgl(struct svcrdma_rw *rw);
int svcrdma_rw_add(struct svcrdma_xprt *rdma, struct svcrdma_rw_list *list,
		   struct svcrdma_rw *rw, unsigned int nents,
		   const struct rpcrdma_segment *remote, enum dma_data_direction dir);
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

/* slot_wait.c */
void svcrdma_slot_init(struct svcrdma_xprt *rdma);
void svcrdma_slot_wait(struct svcrdma_xprt *rdma, struct svcrdma_chain *chain);
void svcrdma_slot_avail(struct rpcrdma_conn *conn);
void svcrdma_slot_release_waiting(struct svcrdma_xprt *rdma);
void svcrdma_slot_stop(struct svcrdma_xprt *rdma);

/* Does a chain wait for slots? May change at any time */
static inline bool svcrdma_slot_waiting(const struct svcrdma_xprt *rdma)
{
	return !list_empty(&rdma->slot_waiters);
}

#endif /* _SVCRDMA_RW_H */
