// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of a decoded message that depend on its direction or on its payload. A codec
 * knows neither.
 *
 * A caller checks first and uses the message afterwards: rpcrdma_call_check() and
 * rpcrdma_reads_sort() for a Call, rpcrdma_reply_check() for a Reply. Their kernel-doc
 * says what holds after success. Pure: no device, no lock.
 */
#include <linux/export.h>
#include <asm/byteorder.h>
#include <compat/msg_prot.h>
#include <rpcrdma/msg.h>

/* The shortest RPC message that is looked at: XID and msg_type */
#define RPCRDMA_RPC_WORDS	2
#define RPCRDMA_RPC_MIN		(RPCRDMA_RPC_WORDS * sizeof(__be32))

/**
 * rpcrdma_payload_direction - the direction that an RPC message states
 * @payload: RPC message, 4-byte aligned
 * @payload_len: bytes
 *
 * Context: any.
 * Return: the direction; RPCRDMA_DIR_UNKNOWN if the message is too short, or its
 * msg_type is neither CALL nor REPLY.
 */
enum rpcrdma_direction rpcrdma_payload_direction(const void *payload,
						 size_t payload_len)
{
	const __be32 *p = payload;

	if (payload_len < RPCRDMA_RPC_MIN)
		return RPCRDMA_DIR_UNKNOWN;
	if (p[1] == cpu_to_be32(RPC_CALL))
		return RPCRDMA_DIR_CALL;
	if (p[1] == cpu_to_be32(RPC_REPLY))
		return RPCRDMA_DIR_REPLY;
	return RPCRDMA_DIR_UNKNOWN;
}
EXPORT_SYMBOL_GPL(rpcrdma_payload_direction);

/**
 * rpcrdma_msg_direction - is it a Call or a Reply?
 * @msg: decoded message
 * @payload: bytes that follow its header, 4-byte aligned
 * @payload_len: number of them
 *
 * Call it before an XID is looked up and before @msg->credits is used: whose credits
 * these are depends on the direction (RFC 8167 4.1). A version 2 header states the
 * direction, and its payload is not looked at.
 *
 * Context: any.
 * Return: the direction. RPCRDMA_DIR_UNKNOWN for an RDMA_MSG that is too short
 * or whose msg_type is neither CALL nor REPLY, and for an RDMA_NOMSG with
 * neither Read list nor Reply chunk; its credit value is ignored.
 */
enum rpcrdma_direction rpcrdma_msg_direction(const struct rpcrdma_msg *msg,
					     const void *payload,
					     size_t payload_len)
{
	if (msg->dir != RPCRDMA_DIR_UNKNOWN)
		return msg->dir;

	switch (msg->type) {
	case RPCRDMA_ERROR:
		return RPCRDMA_DIR_REPLY;
	case RPCRDMA_CONNPROP:
		return RPCRDMA_DIR_UNKNOWN;
	case RPCRDMA_NOMSG:
		if (msg->reads.nsegs)
			return RPCRDMA_DIR_CALL;
		if (msg->has_reply)
			return RPCRDMA_DIR_REPLY;
		return RPCRDMA_DIR_UNKNOWN;
	case RPCRDMA_MSG:
		break;
	}
	return rpcrdma_payload_direction(payload, payload_len);
}
EXPORT_SYMBOL_GPL(rpcrdma_msg_direction);

/**
 * rpcrdma_payload_check - does an RPC message have the XID of its header?
 * @xid: of the transport header
 * @payload: RPC message, inline or out of a chunk, 4-byte aligned
 * @payload_len: bytes
 *
 * Context: any.
 * Return: RPCRDMA_OK; RPCRDMA_R_PAYLOAD_SHORT if XID and msg_type are not complete;
 * RPCRDMA_R_XID if the XIDs differ (RFC 8166 4.2.1).
 */
enum rpcrdma_reason rpcrdma_payload_check(__be32 xid, const void *payload,
					  size_t payload_len)
{
	if (payload_len < RPCRDMA_RPC_MIN)
		return RPCRDMA_R_PAYLOAD_SHORT;
	if (*(const __be32 *)payload != xid)
		return RPCRDMA_R_XID;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_payload_check);

/* The bytes of the Position Zero chunk; false if there is none */
static bool rpcrdma_p0_length(const struct rpcrdma_msg *msg, u64 *length)
{
	const struct rpcrdma_segment *seg = msg->segs + msg->reads.first;
	bool found = false;
	unsigned int i;

	*length = 0;
	for (i = 0; i < msg->reads.nsegs; i++) {
		if (seg[i].position)
			continue;
		found = true;
		*length += seg[i].length;
	}
	return found;
}

/**
 * rpcrdma_call_check - is a received Call well-formed?
 * @msg: decoded RDMA_MSG or RDMA_NOMSG; its Read list may be in any order
 * @payload: bytes that follow its header, 4-byte aligned
 * @payload_len: number of them; ignored for an RDMA_NOMSG, whose payload is in the
 *	Position Zero chunk
 *
 * When a Position Zero chunk has been read, the caller passes the payload that was in
 * it to rpcrdma_payload_check().
 *
 * Context: any.
 * Return: RPCRDMA_OK, or the reason for which the answer is ERR_CHUNK, in version 2
 * RDMA2_ERR_BAD_XDR.
 */
enum rpcrdma_reason rpcrdma_call_check(const struct rpcrdma_msg *msg,
				       const void *payload, size_t payload_len)
{
	enum rpcrdma_reason reason;
	u64 p0_length;
	bool has_p0;

	has_p0 = rpcrdma_p0_length(msg, &p0_length);
	switch (msg->type) {
	case RPCRDMA_ERROR:
		return RPCRDMA_R_UNEXPECTED_ERROR;
	case RPCRDMA_CONNPROP:
		return RPCRDMA_R_PROC;
	case RPCRDMA_NOMSG:
		if (!p0_length)
			return RPCRDMA_R_NOMSG_EMPTY;
		if (p0_length < RPCRDMA_RPC_MIN)
			return RPCRDMA_R_PAYLOAD_SHORT;
		return RPCRDMA_OK;
	case RPCRDMA_MSG:
		break;
	}

	if (has_p0)
		return RPCRDMA_R_MSG_WITH_P0;
	reason = rpcrdma_payload_check(msg->xid, payload, payload_len);
	if (reason)
		return reason;
	if (rpcrdma_payload_direction(payload, payload_len) !=
	    RPCRDMA_DIR_CALL)
		return RPCRDMA_R_MSG_TYPE;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_GPL(rpcrdma_call_check);

/*
 * The lengths of a returned chunk tell how many bytes were written to each segment, in
 * order and without a gap (RFC 8166 3.4.6). sunrpc takes the data as contiguous, so it
 * could not notice a gap. A segment that holds data must be the one that was offered in
 * its place: if not, the data is somewhere else. A segment without data says nothing,
 * and may be missing.
 */
static enum rpcrdma_reason
rpcrdma_returned_check(const struct rpcrdma_msg *reply,
		       const struct rpcrdma_chunk *returned,
		       const struct rpcrdma_msg *call,
		       const struct rpcrdma_chunk *offered)
{
	const struct rpcrdma_segment *r = reply->segs + returned->first;
	const struct rpcrdma_segment *c = call->segs + offered->first;
	const struct rpcrdma_segment *r_end = r + returned->nsegs;
	const struct rpcrdma_segment *c_end = c + offered->nsegs;
	bool ended = false;

	for (; r < r_end; r++) {
		if (!r->length)
			continue;
		while (c < c_end && !c->length)
			c++;
		if (c == c_end || ended ||
		    r->handle != c->handle || r->offset != c->offset)
			return RPCRDMA_R_REPLY_CHUNKS;
		if (r->length > c->length)
			return RPCRDMA_R_REPLY_OVERRUN;
		ended = r->length < c->length;
		c++;
	}
	return RPCRDMA_OK;
}

static enum rpcrdma_reason
rpcrdma_reply_writes_check(const struct rpcrdma_msg *reply,
			   const struct rpcrdma_msg *call)
{
	static const struct rpcrdma_chunk none;
	enum rpcrdma_reason reason;
	unsigned int i;

	for (i = 0; i < reply->nwrites; i++) {
		reason = rpcrdma_returned_check(reply, &reply->writes[i], call,
						i < call->nwrites ?
						&call->writes[i] : &none);
		if (reason)
			return reason;
	}
	return RPCRDMA_OK;
}

/* The payload is either inline or in the Reply chunk */
static enum rpcrdma_reason
rpcrdma_reply_form_check(const struct rpcrdma_msg *reply)
{
	u64 length = 0;

	if (reply->has_reply)
		length = rpcrdma_chunk_length(reply, &reply->reply);
	if (length ? reply->type != RPCRDMA_NOMSG : reply->type != RPCRDMA_MSG)
		return RPCRDMA_R_REPLY_FORM;
	if (length && length < RPCRDMA_RPC_MIN)
		return RPCRDMA_R_PAYLOAD_SHORT;
	return RPCRDMA_OK;
}

/**
 * rpcrdma_reply_check - does a received Reply fit the Call it answers?
 * @reply: decoded RDMA_MSG or RDMA_NOMSG
 * @call: the Call as it was sent, chunks included
 *
 * After success the Read list is empty (RFC 8166 4.3.1); each returned chunk was offered
 * in its place, and is filled from its start without a gap and not beyond its end; and
 * the payload is either inline or in the Reply chunk that was offered. Chunks and
 * segments without data may be missing or too many: rpcrdma_reply_exact().
 *
 * Context: any.
 * Return: RPCRDMA_OK, or the reason to discard the Reply.
 */
enum rpcrdma_reason rpcrdma_reply_check(const struct rpcrdma_msg *reply,
					const struct rpcrdma_msg *call)
{
	enum rpcrdma_reason reason;

	if (reply->reads.nsegs)
		return RPCRDMA_R_REPLY_READ_LIST;
	reason = rpcrdma_reply_writes_check(reply, call);
	if (reason)
		return reason;
	reason = rpcrdma_returned_check(reply, &reply->reply,
					call, &call->reply);
	if (reason)
		return reason;
	return rpcrdma_reply_form_check(reply);
}
EXPORT_SYMBOL_GPL(rpcrdma_reply_check);

/**
 * rpcrdma_reply_exact - does a Reply return the chunk lists as the RFCs ask?
 * @reply: Reply that has passed rpcrdma_reply_check()
 * @call: the Call it answers
 *
 * All chunks and segments must come back (RFC 8166 3.4.6, 4.3.3), but for a Write chunk
 * that was not used, which may be empty (RFC 8267 6.4.1). Some servers leave out what
 * they have not used. That does no harm, so such a Reply is accepted.
 *
 * Context: any.
 * Return: true if nothing is missing and nothing was added.
 */
bool rpcrdma_reply_exact(const struct rpcrdma_msg *reply,
			 const struct rpcrdma_msg *call)
{
	unsigned int i;

	if (reply->nwrites != call->nwrites ||
	    reply->has_reply != call->has_reply ||
	    reply->reply.nsegs != call->reply.nsegs)
		return false;
	for (i = 0; i < reply->nwrites; i++)
		if (reply->writes[i].nsegs &&
		    reply->writes[i].nsegs != call->writes[i].nsegs)
			return false;
	return true;
}
EXPORT_SYMBOL_GPL(rpcrdma_reply_exact);
