// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a Call and a Reply must look like, written from RFC 8166 alone.
 */
#include <linux/minmax.h>
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

#define RPCRDMA_REF_SEGS	16

/* Copy the segments of a chunk that have a length; returns their number */
static unsigned int rpcrdma_ref_used(struct rpcrdma_segment *used,
				     const struct rpcrdma_msg *msg,
				     const struct rpcrdma_chunk *chunk)
{
	unsigned int i, n = 0;

	for (i = chunk->first; i < chunk->first + chunk->nsegs; i++)
		if (msg->segs[i].length)
			used[n++] = msg->segs[i];
	return n;
}

/*
 * Bytes returned; *@ok becomes false if they are not the first bytes of the chunk that
 * was offered. @offered is NULL if none was.
 */
static u64 rpcrdma_ref_check_returned(const struct rpcrdma_msg *reply,
				      const struct rpcrdma_chunk *returned,
				      const struct rpcrdma_msg *call,
				      const struct rpcrdma_chunk *offered,
				      bool *ok)
{
	struct rpcrdma_segment r[RPCRDMA_REF_SEGS], c[RPCRDMA_REF_SEGS];
	unsigned int i, n = rpcrdma_ref_used(r, reply, returned);
	unsigned int room = offered ? rpcrdma_ref_used(c, call, offered) : 0;
	u64 bytes = 0;

	if (n > room)
		*ok = false;
	for (i = 0; i < min(n, room); i++) {
		if (r[i].handle != c[i].handle || r[i].offset != c[i].offset ||
		    r[i].length > c[i].length)
			*ok = false;
		/* only the last one may have room left */
		if (i + 1 < n && r[i].length != c[i].length)
			*ok = false;
	}
	for (i = 0; i < n; i++)
		bytes += r[i].length;
	return bytes;
}

/**
 * rpcrdma_ref_check_reply - would RFC 8166 take the data of this Reply? (RFC 8166 and
 * RFC 8267 6.4.1, T-06, T-15, T-31, UQ-02)
 * @reply: decoded header, at most RPCRDMA_REF_SEGS segments
 * @call: header of the Call, likewise
 *
 * Return: true if the Requester can go on with it.
 */
bool rpcrdma_ref_check_reply(const struct rpcrdma_msg *reply,
			     const struct rpcrdma_msg *call)
{
	bool ok = !reply->reads.nsegs;
	unsigned int i;
	u64 bytes;

	for (i = 0; ok && i < reply->nwrites; i++)
		rpcrdma_ref_check_returned(reply, &reply->writes[i], call,
					   i < call->nwrites ?
					   &call->writes[i] : NULL, &ok);
	bytes = rpcrdma_ref_check_returned(reply, &reply->reply, call,
					   call->has_reply ? &call->reply :
					   NULL, &ok);
	if (reply->type == RPCRDMA_NOMSG)
		return ok && bytes >= 8;
	return ok && reply->type == RPCRDMA_MSG && !bytes;
}
