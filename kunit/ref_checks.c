// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a Call and a Reply must look like, written from RFC 8166 alone.
 */
#include "ref_checks.h"

/**
 * rpcrdma_ref_check_call - would RFC 8166 take this Call? (RFC 8166 4.2.1,
 * 4.5.2, T-06, T-07, T-08, T-36)
 * @msg: decoded header
 * @payload: bytes behind it, 4-byte aligned
 * @len: number of them
 *
 * Return: true if a Responder can go on with it.
 */
bool rpcrdma_ref_check_call(const struct rpcrdma_msg *msg, const void *payload,
			    size_t len)
{
	const __be32 *word = payload;
	unsigned int i, zero = 0;
	u64 bytes = 0;

	for (i = msg->reads.first; i < msg->reads.first + msg->reads.nsegs; i++)
		if (msg->segs[i].position == 0) {
			zero++;
			bytes += msg->segs[i].length;
		}
	if (msg->type == RPCRDMA_NOMSG)
		return bytes >= 8;
	return msg->type == RPCRDMA_MSG && !zero && len >= 8 &&
	       word[0] == msg->xid && !word[1];
}

/* Bytes returned; *@ok becomes false if it is not the chunk that was offered */
static u64 rpcrdma_ref_check_returned(const struct rpcrdma_segment *r,
				      unsigned int n,
				      const struct rpcrdma_segment *c,
				      unsigned int offered, bool *ok)
{
	u64 bytes = 0, room = 0;
	unsigned int i;

	if (n != offered) {
		*ok = false;
		return 0;
	}
	for (i = 0; i < n; i++) {
		if (r[i].handle != c[i].handle || r[i].offset != c[i].offset ||
		    r[i].length > c[i].length)
			*ok = false;
		/* all bytes so far lie at the start of the chunk */
		if (r[i].length && bytes != room)
			*ok = false;
		bytes += r[i].length;
		room += c[i].length;
	}
	return bytes;
}

/**
 * rpcrdma_ref_check_reply - would RFC 8166 take this Reply? (RFC 8166 and RFC
 * 8267 6.4.1, T-06, T-15, T-31, UQ-02)
 * @reply: decoded header
 * @call: header of the Call
 *
 * Return: true if the Requester can go on with it.
 */
bool rpcrdma_ref_check_reply(const struct rpcrdma_msg *reply,
			     const struct rpcrdma_msg *call)
{
	bool ok = !reply->reads.nsegs && reply->nwrites == call->nwrites;
	unsigned int i;
	u64 bytes = 0;

	for (i = 0; ok && i < reply->nwrites; i++)
		if (reply->writes[i].nsegs)
			rpcrdma_ref_check_returned(reply->segs +
						   reply->writes[i].first,
						   reply->writes[i].nsegs,
						   call->segs +
						   call->writes[i].first,
						   call->writes[i].nsegs, &ok);
	if (reply->has_reply && !call->has_reply)
		return false;
	if (ok && reply->has_reply)
		bytes = rpcrdma_ref_check_returned(reply->segs +
						   reply->reply.first,
						   reply->reply.nsegs,
						   call->segs +
						   call->reply.first,
						   call->reply.nsegs, &ok);
	if (reply->type == RPCRDMA_NOMSG)
		return ok && bytes >= 8;
	return ok && reply->type == RPCRDMA_MSG && !bytes;
}
