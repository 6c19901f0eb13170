/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The form of a Call and of its Reply, as plain data. Pure.
 */
#ifndef _XPRTRDMA_PLAN_H
#define _XPRTRDMA_PLAN_H

#include <linux/bits.h>
#include <linux/types.h>
#include <rpcrdma/msg.h>

/*
 * Segments in one chunk. The sizes that NFS is told keep it to the sixteen that
 * every server takes (ULB-CLX-04). More are used only for what NFS asks for all
 * the same, such as a READ of a size that it was told while the connection was on
 * a device with larger MRs; a server that refuses that ends the RPC.
 */
#define XPRTRDMA_CHUNK_SEGS	(RPCRDMA_MAX_SEGS / 2)

/**
 * struct xprtrdma_extent - a stretch of memory
 * @offset: of its first byte in its first page, bytes
 * @length: bytes; 0: there is nothing
 */
struct xprtrdma_extent {
	u32	offset;
	u32	length;
};

/**
 * struct xprtrdma_layout - the memory of one xdr_buf
 * @head:  before the pages
 * @pages: full pages, except for the first and the last one
 * @tail:  after the pages
 */
struct xprtrdma_layout {
	struct xprtrdma_extent	head;
	struct xprtrdma_extent	pages;
	struct xprtrdma_extent	tail;
};

/* Parts of a shape that could be moved so that they join the pages */
enum xprtrdma_bounce {
	XPRTRDMA_BOUNCE_HEAD	= BIT(0),
	XPRTRDMA_BOUNCE_TAIL	= BIT(1),
};

/**
 * struct xprtrdma_retry - what an error of the server's has taught of one Call
 * @done:	 the Call has been rebuilt once: not again (V2-ERR-15)
 * @no_reads:	 no Read chunk but that of Position zero
 * @reply_chunk: offer a Reply chunk, and no Write chunk
 */
struct xprtrdma_retry {
	bool	done;
	bool	no_reads;
	bool	reply_chunk;
};

/* How the Call travels */
enum xprtrdma_call_form {
	XPRTRDMA_CALL_COPIED,		/* inline, copied into the Send buffer */
	XPRTRDMA_CALL_GATHERED,		/* inline, pages named by SGEs */
	XPRTRDMA_CALL_READ_CHUNK,	/* pages in a Read chunk, the rest inline */
	XPRTRDMA_CALL_LONG,		/* all of it in a Position Zero chunk */
};

/* What is offered for the Reply */
enum xprtrdma_reply_form {
	XPRTRDMA_REPLY_INLINE,		/* nothing: it always fits */
	XPRTRDMA_REPLY_WRITE_CHUNK,	/* pages as a Write chunk, the rest inline */
	XPRTRDMA_REPLY_CHUNK,		/* all of it as a Reply chunk */
};

/**
 * struct xprtrdma_plan_args - what there is to decide
 * @codec:	 of the protocol version in use
 * @call:	 memory that holds the Call
 * @reply:	 memory for the largest possible Reply
 * @call_ddp:	 the pages of the Call may be placed directly
 * @reply_ddp:	 the pages of the Reply may be placed directly
 * @inline_send: largest message we may send, bytes
 * @inline_recv: largest message the server may send, bytes
 * @mr_pages:	 pages of the largest MR
 * @send_sges:	 SGEs of one Send
 * @retry:	 see there
 * @copy_max:	 pages with no more bytes than this are copied, not gathered
 */
struct xprtrdma_plan_args {
	const struct rpcrdma_codec	*codec;
	struct xprtrdma_layout		call;
	struct xprtrdma_layout		reply;
	bool				call_ddp;
	bool				reply_ddp;
	u32				inline_send;
	u32				inline_recv;
	u32				mr_pages;
	u32				send_sges;
	struct xprtrdma_retry		retry;
	u32				copy_max;
};

/**
 * struct xprtrdma_plan - what was decided
 * @call:	form of the Call
 * @reply:	what is offered for the Reply
 * @position:	XDR Position of the Read chunk, bytes
 * @skip:	bytes at the front of the tail that are the pad of the Read chunk
 *		and stay at home
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

/* plan.c */
unsigned int xprtrdma_layout_extents(const struct xprtrdma_layout *layout,
				     struct xprtrdma_extent *extents);
u32 xprtrdma_extent_pages(const struct xprtrdma_extent *extent);
u32 xprtrdma_run_pages(const struct xprtrdma_extent *extents, unsigned int n,
		       unsigned int *used);
unsigned int xprtrdma_layout_bounce(const struct xprtrdma_layout *layout);
void xprtrdma_layout_join_first_page(struct xprtrdma_layout *layout);
size_t xprtrdma_plan_payload(u32 mr_pages);
int xprtrdma_retry(struct xprtrdma_retry *retry,
		   const struct rpcrdma_msg *err,
		   const struct rpcrdma_msg *call, u32 reply_max);
int xprtrdma_plan(struct xprtrdma_plan *plan,
		  const struct xprtrdma_plan_args *args);

#endif /* _XPRTRDMA_PLAN_H */
