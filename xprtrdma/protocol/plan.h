/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The form in which a Call and its Reply travel, see plan.c.
 * Pure: no device, no lock.
 */
#ifndef _XPRTRDMA_PLAN_H
#define _XPRTRDMA_PLAN_H

#include <linux/bits.h>
#include <linux/types.h>
#include <rpcrdma/msg.h>
#include "v2/retry.h"

/*
 * Most segments in one chunk. Every server takes RPCRDMA_SEGS_EVERY_PEER_TAKES
 * (RFC 8267 6.4.2, ULB-CLX-04), and the payload size that NFS is told keeps to
 * that. More are needed after a failover to a device with smaller MRs, because
 * NFS goes on using the size that it was told. A server that refuses them ends
 * the RPC.
 */
#define XPRTRDMA_CHUNK_SEGS_MAX	(RPCRDMA_MAX_SEGS / 2)

/**
 * struct xprtrdma_extent - contiguous memory, in whole pages but for its ends
 * @offset: offset of the first byte in its page, bytes
 * @length: length in bytes, 0 for an empty extent
 */
struct xprtrdma_extent {
	u32	offset;
	u32	length;
};

/**
 * struct xprtrdma_layout - where in their pages the parts of an xdr_buf lie
 * @head:  part before the pages
 * @pages: page list; all full, except for the first and the last page
 * @tail:  part after the pages
 */
struct xprtrdma_layout {
	struct xprtrdma_extent	head;
	struct xprtrdma_extent	pages;
	struct xprtrdma_extent	tail;
};

/* Parts that a bounce page can put next to the page list */
enum xprtrdma_bounce {
	XPRTRDMA_BOUNCE_HEAD	= BIT(0),
	XPRTRDMA_BOUNCE_TAIL	= BIT(1),
};

/* Form of the Call */
enum xprtrdma_call_form {
	XPRTRDMA_CALL_COPIED,		/* inline, copied into the Send buffer */
	XPRTRDMA_CALL_GATHERED,		/* inline, pages as SGEs of the Send */
	XPRTRDMA_CALL_READ_CHUNK,	/* pages in a Read chunk, the rest inline */
	XPRTRDMA_CALL_LONG,		/* all of it in a Position Zero chunk */
};

/* What the Call offers for the Reply */
enum xprtrdma_reply_form {
	XPRTRDMA_REPLY_INLINE,		/* nothing: every Reply fits */
	XPRTRDMA_REPLY_WRITE_CHUNK,	/* pages as a Write chunk, the rest inline */
	XPRTRDMA_REPLY_CHUNK,		/* all of it as a Reply chunk */
};

/**
 * struct xprtrdma_plan_args - what the plan depends on
 * @codec:	 codec of the protocol version in use
 * @call:	 memory that holds the Call
 * @reply:	 memory for the largest possible Reply
 * @call_ddp:	 the pages of the Call are eligible for direct data placement
 * @reply_ddp:	 the pages of the Reply are eligible for direct data placement
 * @call_gpu:	 the pages of the Call are GPU memory
 * @reply_gpu:	 the pages of the Reply are GPU memory
 * @inline_send: largest message that the client may send, bytes
 * @inline_recv: largest message that the server may send, bytes
 * @mr_pages:	 pages of the largest MR
 * @send_sges:	 SGEs of one Send
 * @retry:	 changes to what the plan would be
 * @copy_max:	 most bytes of page data that are copied instead of gathered
 */
struct xprtrdma_plan_args {
	const struct rpcrdma_codec	*codec;
	struct xprtrdma_layout		call;
	struct xprtrdma_layout		reply;
	bool				call_ddp;
	bool				reply_ddp;
	bool				call_gpu;
	bool				reply_gpu;
	u32				inline_send;
	u32				inline_recv;
	u32				mr_pages;
	u32				send_sges;
	struct xprtrdma_retry		retry;
	u32				copy_max;
};

/**
 * struct xprtrdma_plan - the form of a Call and its Reply
 * @call:	form of the Call
 * @reply:	what is offered for the Reply
 * @position:	XDR Position of the Read chunk, bytes
 * @skip:	bytes at the start of the tail that are the pad of the Read chunk
 *		and are not sent
 * @read_segs:	segments of the Read chunk
 * @reply_segs:	segments of the Write chunk or the Reply chunk
 */
struct xprtrdma_plan {
	enum xprtrdma_call_form		call;
	enum xprtrdma_reply_form	reply;
	u32				position;
	u32				skip;
	u16				read_segs;
	u16				reply_segs;
};

#define XPRTRDMA_LAYOUT_EXTENTS	3

/* protocol/plan.c */
unsigned int xprtrdma_layout_extents(const struct xprtrdma_layout *layout,
				     struct xprtrdma_extent *extents);
u32 xprtrdma_extent_pages(const struct xprtrdma_extent *extent);
u32 xprtrdma_run_pages(const struct xprtrdma_extent *extents, unsigned int n,
		       unsigned int *used);
unsigned int xprtrdma_layout_bounce(const struct xprtrdma_layout *layout);
void xprtrdma_layout_join_first_page(struct xprtrdma_layout *layout);
size_t xprtrdma_plan_payload(u32 mr_pages);
int xprtrdma_plan(struct xprtrdma_plan *plan,
		  const struct xprtrdma_plan_args *args);
int xprtrdma_plan_bounced(struct xprtrdma_plan *plan,
			  struct xprtrdma_plan_args *args);

#endif /* _XPRTRDMA_PLAN_H */
