/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which form a Reply goes back. Pure.
 */
#ifndef _SVCRDMA_REPLY_PLAN_H
#define _SVCRDMA_REPLY_PLAN_H

#include <rpcrdma/msg.h>

/**
 * struct svcrdma_range - a run of bytes of the unreduced Reply
 * @offset: bytes from its start
 * @length: bytes
 */
struct svcrdma_range {
	u32	offset;
	u32	length;
};

enum svcrdma_form {
	SVCRDMA_FORM_INLINE,		/* RDMA_MSG */
	SVCRDMA_FORM_CHUNK,		/* RDMA_NOMSG and the Reply chunk */
	SVCRDMA_FORM_REFUSE,		/* an RDMA_ERROR, for the reason given */
};

/**
 * struct svcrdma_reply_plan - how to send a Reply
 * @form:	 where the Payload stream goes
 * @reason:	 SVCRDMA_FORM_REFUSE: why
 * @chunk_index: Write chunk that is too small, counted from 1, or 0
 * @needed:	 bytes that the chunk that is too small would have to hold, or 0
 * @header_size: bytes of the transport header, echoed lists included
 * @length:	 bytes of the Payload stream once reduced
 * @nranges:	 used in @ranges
 * @ranges:	 what the reduced Payload stream is made of, in order
 * @items:	 for each Write chunk of the Call what is written into it;
 *		 length 0 if it comes back unused
 */
struct svcrdma_reply_plan {
	enum svcrdma_form	form;
	enum rpcrdma_reason	reason;
	u32			chunk_index;
	u32			needed;
	u32			header_size;
	u32			length;
	unsigned int		nranges;
	struct svcrdma_range	ranges[RPCRDMA_MAX_WRITE_CHUNKS + 1];
	struct svcrdma_range	items[RPCRDMA_MAX_WRITE_CHUNKS];
};

/* reply_plan.c */
void svcrdma_reply_plan(struct svcrdma_reply_plan *plan,
			const struct rpcrdma_msg *call,
			const struct svcrdma_range *results,
			unsigned int nresults, u32 length, u32 inline_send);
void svcrdma_reply_header(struct rpcrdma_msg *msg,
			  const struct svcrdma_reply_plan *plan, u32 grant);
u32 svcrdma_reply_inv_handle(const struct rpcrdma_msg *call);

#endif /* _SVCRDMA_REPLY_PLAN_H */
