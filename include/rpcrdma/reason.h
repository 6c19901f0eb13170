/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbered reasons for refusing a message of a peer.
 *
 * Each reason has a text, for the log, and a counter in each endpoint. Scripts and bug
 * reports refer to the numbers, so a number never changes its meaning.
 */
#ifndef _RPCRDMA_REASON_H
#define _RPCRDMA_REASON_H

enum rpcrdma_reason {
	RPCRDMA_OK			= 0,
	RPCRDMA_R_SHORT			= 1,	/* shorter than the header it should hold */
	RPCRDMA_R_VERS			= 2,	/* version not accepted on this connection */
	RPCRDMA_R_PROC			= 3,	/* procedure unknown or withdrawn */
	RPCRDMA_R_DONE			= 4,	/* RDMA_DONE: dropped */
	RPCRDMA_R_BAD_BOOL		= 5,	/* list discriminator neither 0 nor 1 */
	RPCRDMA_R_LIST_CUT		= 6,	/* a list runs past the end of the message */
	RPCRDMA_R_TOO_MANY_SEGS		= 7,	/* more segments than we accept or repeat */
	RPCRDMA_R_TOO_MANY_CHUNKS	= 8,	/* more chunks than we accept */
	RPCRDMA_R_POSITION_ALIGN	= 9,	/* Position not a multiple of four */
	RPCRDMA_R_POSITION_RANGE	= 10,	/* Position overlaps, or lies past the stream */
	RPCRDMA_R_CHUNK_LENGTH		= 11,	/* chunk longer than an RPC can be */
	RPCRDMA_R_SEG_WRAP		= 12,	/* offset + length wraps */
	RPCRDMA_R_NOMSG_EMPTY		= 13,	/* RDMA_NOMSG without a payload */
	RPCRDMA_R_MSG_WITH_P0		= 14,	/* RDMA_MSG with a Position Zero chunk */
	RPCRDMA_R_PAYLOAD_SHORT		= 15,	/* too short for XID and message type */
	RPCRDMA_R_XID			= 16,	/* transport and RPC header XIDs differ */
	RPCRDMA_R_ERR_BODY		= 17,	/* RDMA_ERROR that cannot be decoded */
	RPCRDMA_R_UNEXPECTED_ERROR	= 18,	/* RDMA_ERROR that answers nothing */
	RPCRDMA_R_UNKNOWN_XID		= 19,	/* Reply that answers nothing */
	RPCRDMA_R_REPLY_READ_LIST	= 20,	/* Reply with a Read list */
	RPCRDMA_R_REPLY_CHUNKS		= 21,	/* returned chunks unlike those offered */
	RPCRDMA_R_REPLY_OVERRUN		= 22,	/* returned length above what was offered */
	RPCRDMA_R_REPLY_FORM		= 23,	/* payload both inline and in chunks, or nowhere */
	RPCRDMA_R_BAD_INVALIDATION	= 24,	/* a handle was invalidated that was not offered */
	RPCRDMA_R_REVERSE_CHUNKS	= 25,	/* reverse Call with chunks */
	RPCRDMA_R_NO_REVERSE		= 26,	/* reverse message, but no reverse direction */
	RPCRDMA_R_REVERSE_CREDITS	= 27,	/* more reverse Calls than granted */
	RPCRDMA_R_REPLY_TOO_BIG		= 28,	/* reply fits neither inline nor in its chunk */
	RPCRDMA_R_WRITE_TOO_SMALL	= 29,	/* Write chunk too small for its result */
	RPCRDMA_R_CREDITS		= 30,	/* more Calls than granted */
	RPCRDMA_R_MSG_TYPE		= 31,	/* RPC message type is not the one expected */
	RPCRDMA_R_REDUCED		= 32,	/* reduced although RPCSEC_GSS forbids it */
	RPCRDMA_R_UNREDUCED		= 33,	/* result inline despite a Write chunk */
	RPCRDMA_R_TOO_MANY_READS	= 34,	/* more Read chunks than we accept */
	RPCRDMA_R_PROPERTY		= 35,	/* a transport property is malformed */
	RPCRDMA_R_PROPERTIES_TWICE	= 36,	/* properties came already */
	RPCRDMA_R_NOT_ELIGIBLE		= 37,	/* an argument was reduced that may not be */
	RPCRDMA_R_ITEM_LENGTH		= 38,	/* chunk and item differ in length */
	RPCRDMA_R_NOT_SEND		= 39,	/* not a Send, or too long */
	RPCRDMA_R_REPLY_BROKEN		= 40,	/* nfsd's Reply is not in its pages */
	RPCRDMA_R_COUNT,
};

/* protocol/reason.c */
const char *rpcrdma_reason_text(enum rpcrdma_reason reason);
const char *rpcrdma_reason_name(enum rpcrdma_reason reason);

#endif /* _RPCRDMA_REASON_H */
