/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The form in which a Reply is sent.
 */
#ifndef _SVCRDMA_REPLY_PLAN_H
#define _SVCRDMA_REPLY_PLAN_H

#include <rpcrdma/msg.h>

/**
 * struct svcrdma_range - a range of the unreduced Reply
 * @offset: bytes from the start of the Reply
 * @length: bytes
 */
struct svcrdma_range {
	u32	offset;
	u32	length;
};

enum svcrdma_form {
	SVCRDMA_FORM_INLINE,		/* RDMA_MSG */
	SVCRDMA_FORM_CHUNK,		/* RDMA_NOMSG and the Reply chunk */
	SVCRDMA_FORM_REFUSE,		/* an RDMA_ERROR */
};

/**
 * struct svcrdma_reply_plan - how to send a Reply
 * @form:	 how the Payload stream is sent
 * @reason:	 SVCRDMA_FORM_REFUSE: reason for the error
 * @chunk_index: index of the Write chunk that is too small, from 1, or 0
 * @needed:	 length that the too small chunk would need, bytes, or 0
 * @header_size: length of the transport header with the repeated lists, bytes
 * @length:	 length of the reduced Payload stream, bytes
 * @nranges:	 entries in use in @ranges
 * @ranges:	 the parts of the reduced Payload stream, in order
 * @items:	 for each Write chunk of the Call the result that is written into it;
 *		 length 0 if the chunk is not used
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

/* protocol/reply_plan.c */
bool svcrdma_reply_possible(const struct rpcrdma_msg *call, u32 inline_send);
u64 svcrdma_reply_write_len(const struct rpcrdma_msg *call);
u64 svcrdma_reply_max_len(const struct rpcrdma_msg *call, u32 inline_send);
void svcrdma_reply_plan(struct svcrdma_reply_plan *plan,
			const struct rpcrdma_msg *call,
			const struct svcrdma_range *results,
			unsigned int nresults, u32 length, u32 inline_send);
void svcrdma_reply_header(struct rpcrdma_msg *msg,
			  const struct svcrdma_reply_plan *plan, u32 grant);
u32 svcrdma_reply_inv_handle(const struct rpcrdma_msg *call);

#endif /* _SVCRDMA_REPLY_PLAN_H */
