/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answer to a request: its Send, with the RDMA Writes in front of it, and its pages.
 */
#ifndef _SVCRDMA_SEND_H
#define _SVCRDMA_SEND_H

#include <linux/sizes.h>
#include <rpcrdma/reason.h>
#include <rpcrdma/send.h>
#include "rw.h"

struct bio_vec;
struct svc_rqst;
struct svcrdma_reply_plan;
struct svcrdma_req;
struct xdr_buf;

/**
 * struct svcrdma_send - one Send with the Writes in front of it, until it completes
 * @send:    the Send; first member
 * @rdma:    transport
 * @writes:  RDMA Writes that are posted in one WR chain with the Send
 * @batches: RDMA Writes that are posted before, or wait for slots, struct svcrdma_batch
 * @memory_due: until when the thread waits for memory for Writes, jiffies; 0: it has not
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
	unsigned long		memory_due;
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

/* send.c */
extern const struct rpcrdma_send_ops svcrdma_send_ops;
int svcrdma_send_pool_fill(struct svcrdma_xprt *rdma);
void svcrdma_send_pool_unmap(struct svcrdma_xprt *rdma);
struct svcrdma_send *svcrdma_send_get(struct svcrdma_xprt *rdma);
bool svcrdma_send_reserve(struct svcrdma_req *req);
struct svcrdma_send *svcrdma_send_reserved(struct svcrdma_req *req);
bool svcrdma_send_more_pages(struct svcrdma_send *send, unsigned long n);
bool svcrdma_send_uses_pages(const struct svcrdma_send *send);
int svcrdma_send_post(struct svcrdma_send *send, u32 length, u32 invalidate);
int svcrdma_send_answer(struct svcrdma_send *send, u32 length, u32 invalidate);

/* write.c */
int svcrdma_write_items(struct svcrdma_send *send, struct svcrdma_req *req,
			const struct svcrdma_reply_plan *plan,
			const struct xdr_buf *xdr);
int svcrdma_write_reply(struct svcrdma_send *send, struct svcrdma_req *req,
			const struct svcrdma_reply_plan *plan,
			const struct xdr_buf *xdr);
void svcrdma_writes_release(struct svcrdma_send *send);

/* reply.c */
int svcrdma_sendto(struct svc_rqst *rqstp);

/* reply_pages.c */
bool svcrdma_reply_in_pages(const struct xdr_buf *xdr);
unsigned int svcrdma_reply_pages_most(const struct svcrdma_req *req,
				      const struct svc_rqst *rqstp);
void svcrdma_reply_pages_get(struct svcrdma_req *req, struct svc_rqst *rqstp);
void svcrdma_reply_pages_put(struct svcrdma_req *req);
void svcrdma_reply_pages_free(struct svcrdma_req *req);
unsigned long svcrdma_reply_pages_count(struct svc_rqst *rqstp);
void svcrdma_reply_pages_restore(struct svcrdma_req *req, struct svc_rqst *rqstp);
void svcrdma_reply_pages_take(struct svcrdma_send *send, struct svcrdma_req *req,
			      struct svc_rqst *rqstp);

/* xdr_cursor.c */
void svcrdma_xdr_cursor_init(struct svcrdma_xdr_cursor *cursor,
			     const struct xdr_buf *xdr, u32 offset, u32 length);
bool svcrdma_xdr_cursor_next(struct svcrdma_xdr_cursor *cursor, u32 max, bool single_page,
			     struct bio_vec *bv);

/* errors.c */
int svcrdma_error_encode(struct svcrdma_req *req, enum rpcrdma_reason reason,
			 const struct svcrdma_reply_plan *plan,
			 void *buf, size_t len);
int svcrdma_error_send(struct svcrdma_req *req);

#endif /* _SVCRDMA_SEND_H */
