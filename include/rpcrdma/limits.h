/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sizes of a connection. Three structs keep three kinds of number apart: what the
 * hardware can do (caps), what is configured (settings), and what is in force
 * (limits). Pure: no device, no lock.
 */
#ifndef _RPCRDMA_LIMITS_H
#define _RPCRDMA_LIMITS_H

#include <linux/types.h>

/*
 * Slots in the queues of a QP on top of the depths below: ib_drain_qp() posts a marker
 * to each queue, and there is at most one keepalive (keepalive.c).
 */
#define RPCRDMA_RESERVED_SENDS	2
#define RPCRDMA_RESERVED_RECVS	1

/* Unsignaled Sends in a row: more would save little, and keep more buffers */
#define RPCRDMA_UNSIGNALED_DEFAULT	7U
#define RPCRDMA_UNSIGNALED_MAX	63U

/**
 * struct rpcrdma_caps - what the device can do
 * @max_qp_wr:	  work requests on one queue of a QP
 * @max_cqe:	  entries of one CQ
 * @max_send_sge: SGEs of one Send
 * @max_recv_sge: SGEs of one Receive
 * @mr_pages:	  pages one fast-registered MR can cover; 0: it registers no pages of the size
 *		  that this kernel has
 * @max_read_in:  RDMA Reads of the peer that one QP can serve at once
 * @max_read_out: RDMA Reads that one QP can have under way at once
 * @max_read_sge: SGEs of one RDMA Read
 * @read_mrs:	  rdma_rw may register memory for RDMA Reads, also without its parameter
 *		  force_mr
 * @frwr:	  it has fast registration and local invalidation
 */
struct rpcrdma_caps {
	u32	max_qp_wr;
	u32	max_cqe;
	u32	max_send_sge;
	u32	max_recv_sge;
	u32	mr_pages;
	u32	max_read_in;
	u32	max_read_out;
	u32	max_read_sge;
	bool	read_mrs;
	bool	frwr;
};

/**
 * struct rpcrdma_settings - what is configured
 * @credits:	 forward credits to ask for (client) or to grant (server)
 * @bc_credits:	 reverse credits to grant (client) or to ask for (server)
 * @inline_send: largest Send, bytes
 * @inline_recv: size of a Receive buffer, bytes
 * @max_payload: largest READ or WRITE, bytes
 * @mr_pages:	 pages per MR; 0: enough for the largest chunk
 * @spare_recvs: Receives on top of those that credits need
 * @unsignaled:	 unsignaled Sends in a row, at most
 */
struct rpcrdma_settings {
	u32	credits;
	u32	bc_credits;
	u32	inline_send;
	u32	inline_recv;
	u32	max_payload;
	u32	mr_pages;
	u32	spare_recvs;
	u32	unsignaled;
};

/**
 * struct rpcrdma_limits - the sizes of one connection
 * @credits:	 forward credits
 * @bc_credits:	 reverse credits
 * @inline_send: largest Send before the peer's size is known, bytes
 * @inline_recv: size of a Receive buffer, bytes
 * @max_payload: largest READ or WRITE, bytes
 * @mr_pages:	 pages per (large) MR; client
 * @mrs_per_chunk: MRs that the largest chunk needs; client
 * @send_sges:	 SGEs of one Send
 * @send_depth:	 send queue slots that the transport may use
 * @unsignaled:	 unsignaled Sends in a row, at most
 * @unsignaled_slots: send queue slots that they may keep
 * @spare_recvs: Receives on top of those that credits need
 * @recv_depth:	 receive queue slots that the transport may use
 * @cq_depth:	 completion queue entries, reserved ones included
 * @rw_ctxs:	 rdma_rw contexts; server
 * @rw_ctx_wrs:	 WRs that rdma_rw reserves for one of them, without its parameter; server
 * @rw_pages:	 pages of one of them, at most; server
 */
struct rpcrdma_limits {
	u32	credits;
	u32	bc_credits;
	u32	inline_send;
	u32	inline_recv;
	u32	max_payload;
	u32	mr_pages;
	u32	mrs_per_chunk;
	u32	send_sges;
	u32	send_depth;
	u32	unsignaled;
	u32	unsignaled_slots;
	u32	spare_recvs;
	u32	recv_depth;
	u32	cq_depth;
	u32	rw_ctxs;
	u32	rw_ctx_wrs;
	u32	rw_pages;
};

/* protocol/limits.c */
int rpcrdma_limits_client(struct rpcrdma_limits *limits,
			  const struct rpcrdma_caps *caps,
			  const struct rpcrdma_settings *settings);
int rpcrdma_limits_server(struct rpcrdma_limits *limits,
			  const struct rpcrdma_caps *caps,
			  const struct rpcrdma_settings *settings);

u32 rpcrdma_limits_fewer(const struct rpcrdma_limits *limits, int error);

/**
 * rpcrdma_limits_may_unsignal - may one more Send be unsignaled?
 * @limits: of the connection
 * @nunsignaled: unsignaled Sends since the last signaled one
 * @kept: send queue slots that they keep
 * @slots: send queue slots that this one would keep
 *
 * Context: any.
 * Return: true if the slots that are left are enough for the longest WR chain.
 */
static inline bool
rpcrdma_limits_may_unsignal(const struct rpcrdma_limits *limits,
			    u32 nunsignaled, u32 kept, u32 slots)
{
	return nunsignaled < limits->unsignaled &&
	       kept + slots <= limits->unsignaled_slots;
}

#endif /* _RPCRDMA_LIMITS_H */
