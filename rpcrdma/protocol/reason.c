// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of each reason for refusing a message, for the log, and a name, for files
 * in sysfs. The build fails if the last number has none. Pure: no device, no lock.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <rpcrdma/reason.h>

static const char *const rpcrdma_reason_texts[] = {
	[RPCRDMA_OK]			= "no fault",
	[RPCRDMA_R_SHORT]		= "shorter than its header",
	[RPCRDMA_R_VERS]		= "version not supported",
	[RPCRDMA_R_PROC]		= "procedure not supported",
	[RPCRDMA_R_DONE]		= "RDMA_DONE is obsolete",
	[RPCRDMA_R_BAD_BOOL]		= "list discriminator is neither 0 nor 1",
	[RPCRDMA_R_LIST_CUT]		= "list runs past the end of the message",
	[RPCRDMA_R_TOO_MANY_SEGS]	= "too many segments",
	[RPCRDMA_R_TOO_MANY_CHUNKS]	= "too many chunks",
	[RPCRDMA_R_POSITION_ALIGN]	= "Position is not a multiple of four",
	[RPCRDMA_R_POSITION_RANGE]	= "Position overlaps or lies past the stream",
	[RPCRDMA_R_CHUNK_LENGTH]	= "chunks longer than an RPC can be",
	[RPCRDMA_R_SEG_WRAP]		= "segment wraps around the address space",
	[RPCRDMA_R_NOMSG_EMPTY]		= "RDMA_NOMSG without a payload",
	[RPCRDMA_R_MSG_WITH_P0]		= "RDMA_MSG with a Position Zero chunk",
	[RPCRDMA_R_PAYLOAD_SHORT]	= "payload too short for an RPC header",
	[RPCRDMA_R_XID]			= "XIDs of transport and RPC header differ",
	[RPCRDMA_R_ERR_BODY]		= "RDMA_ERROR cannot be decoded",
	[RPCRDMA_R_UNEXPECTED_ERROR]	= "RDMA_ERROR answers nothing",
	[RPCRDMA_R_UNKNOWN_XID]		= "Reply answers nothing",
	[RPCRDMA_R_REPLY_READ_LIST]	= "Reply has a Read list",
	[RPCRDMA_R_REPLY_CHUNKS]	= "returned chunks are not those offered",
	[RPCRDMA_R_REPLY_OVERRUN]	= "returned more bytes than were offered",
	[RPCRDMA_R_REPLY_FORM]		= "Reply has its payload twice or nowhere",
	[RPCRDMA_R_BAD_INVALIDATION]	= "invalidated a handle that was not offered",
	[RPCRDMA_R_REVERSE_CHUNKS]	= "reverse Call has chunks",
	[RPCRDMA_R_NO_REVERSE]		= "no reverse direction here",
	[RPCRDMA_R_REVERSE_CREDITS]	= "more reverse Calls than granted",
	[RPCRDMA_R_REPLY_TOO_BIG]	= "reply fits neither inline nor its chunk",
	[RPCRDMA_R_WRITE_TOO_SMALL]	= "Write chunk too small for its result",
	[RPCRDMA_R_CREDITS]		= "more Calls than granted",
	[RPCRDMA_R_MSG_TYPE]		= "unexpected RPC message type",
	[RPCRDMA_R_REDUCED]		= "reduced although RPCSEC_GSS forbids it",
	[RPCRDMA_R_UNREDUCED]		= "result inline in spite of a Write chunk",
	[RPCRDMA_R_TOO_MANY_READS]	= "too many Read chunks",
	[RPCRDMA_R_PROPERTY]		= "malformed transport property",
	[RPCRDMA_R_PROPERTIES_TWICE]	= "transport properties came twice",
	[RPCRDMA_R_NOT_ELIGIBLE]	= "argument may not be in a Read chunk",
	[RPCRDMA_R_ITEM_LENGTH]		= "Read chunk and its item differ in length",
	[RPCRDMA_R_NOT_SEND]		= "not a Send that fits its Receive",
	[RPCRDMA_R_REPLY_BROKEN]	= "nfsd's reply is not in its pages",
};

static_assert(ARRAY_SIZE(rpcrdma_reason_texts) == RPCRDMA_R_COUNT,
	      "the last reason has no text");

/* Names of files in sysfs, so they never change */
static const char *const rpcrdma_reason_names[] = {
	[RPCRDMA_OK]			= "ok",
	[RPCRDMA_R_SHORT]		= "short",
	[RPCRDMA_R_VERS]		= "vers",
	[RPCRDMA_R_PROC]		= "proc",
	[RPCRDMA_R_DONE]		= "done",
	[RPCRDMA_R_BAD_BOOL]		= "bad_bool",
	[RPCRDMA_R_LIST_CUT]		= "list_cut",
	[RPCRDMA_R_TOO_MANY_SEGS]	= "too_many_segs",
	[RPCRDMA_R_TOO_MANY_CHUNKS]	= "too_many_chunks",
	[RPCRDMA_R_POSITION_ALIGN]	= "position_align",
	[RPCRDMA_R_POSITION_RANGE]	= "position_range",
	[RPCRDMA_R_CHUNK_LENGTH]	= "chunk_length",
	[RPCRDMA_R_SEG_WRAP]		= "seg_wrap",
	[RPCRDMA_R_NOMSG_EMPTY]		= "nomsg_empty",
	[RPCRDMA_R_MSG_WITH_P0]		= "msg_with_p0",
	[RPCRDMA_R_PAYLOAD_SHORT]	= "payload_short",
	[RPCRDMA_R_XID]			= "xid",
	[RPCRDMA_R_ERR_BODY]		= "err_body",
	[RPCRDMA_R_UNEXPECTED_ERROR]	= "unexpected_error",
	[RPCRDMA_R_UNKNOWN_XID]		= "unknown_xid",
	[RPCRDMA_R_REPLY_READ_LIST]	= "reply_read_list",
	[RPCRDMA_R_REPLY_CHUNKS]	= "reply_chunks",
	[RPCRDMA_R_REPLY_OVERRUN]	= "reply_overrun",
	[RPCRDMA_R_REPLY_FORM]		= "reply_form",
	[RPCRDMA_R_BAD_INVALIDATION]	= "bad_invalidation",
	[RPCRDMA_R_REVERSE_CHUNKS]	= "reverse_chunks",
	[RPCRDMA_R_NO_REVERSE]		= "no_reverse",
	[RPCRDMA_R_REVERSE_CREDITS]	= "reverse_credits",
	[RPCRDMA_R_REPLY_TOO_BIG]	= "reply_too_big",
	[RPCRDMA_R_WRITE_TOO_SMALL]	= "write_too_small",
	[RPCRDMA_R_CREDITS]		= "credits",
	[RPCRDMA_R_MSG_TYPE]		= "msg_type",
	[RPCRDMA_R_REDUCED]		= "reduced",
	[RPCRDMA_R_UNREDUCED]		= "unreduced",
	[RPCRDMA_R_TOO_MANY_READS]	= "too_many_reads",
	[RPCRDMA_R_PROPERTY]		= "property",
	[RPCRDMA_R_PROPERTIES_TWICE]	= "properties_twice",
	[RPCRDMA_R_NOT_ELIGIBLE]	= "not_eligible",
	[RPCRDMA_R_ITEM_LENGTH]		= "item_length",
	[RPCRDMA_R_NOT_SEND]		= "not_send",
	[RPCRDMA_R_REPLY_BROKEN]	= "reply_broken",
};

static_assert(ARRAY_SIZE(rpcrdma_reason_names) == RPCRDMA_R_COUNT,
	      "the last reason has no name");

/**
 * rpcrdma_reason_text - the text of a reason, which reads well after "refused: "
 * @reason: reason; anything is allowed
 *
 * Context: any.
 * Return: a constant string, never NULL.
 */
const char *rpcrdma_reason_text(enum rpcrdma_reason reason)
{
	if ((unsigned int)reason >= RPCRDMA_R_COUNT ||
	    !rpcrdma_reason_texts[reason])
		return "unknown reason";
	return rpcrdma_reason_texts[reason];
}
EXPORT_SYMBOL_GPL(rpcrdma_reason_text);

/**
 * rpcrdma_reason_name - the file name of a reason
 * @reason: below RPCRDMA_R_COUNT
 *
 * Context: any.
 * Return: a constant string, never NULL.
 */
const char *rpcrdma_reason_name(enum rpcrdma_reason reason)
{
	return rpcrdma_reason_names[reason];
}
EXPORT_SYMBOL_GPL(rpcrdma_reason_name);
