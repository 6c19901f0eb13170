// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replies: in the right shape, for a scenario to spoil.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "responder.h"

/* A work request may fail a moment before the connection is known to be lost */
bool is_lost(struct rdma_side *side)
{
	return !verbs_wait_lost(side->conn, quiet_time());
}

/* Fill the segments in order; what is left of them gets length 0 */
void write_chunk(struct rdma_side *side, struct chunk *chunk,
		 const uint8_t *data, size_t len)
{
	unsigned int i;
	int ret;

	for (i = 0; i < chunk->nsegs; i++) {
		struct segment *seg = &chunk->segs[i];

		if (seg->length > len)
			seg->length = len;
		if (!seg->length)
			continue;
		memcpy(side->scratch->data, data, seg->length);
		ret = verbs_write(side->conn, side->scratch, 0, seg->length,
				  seg->handle, seg->offset, patience());
		if (ret && is_lost(side))
			return;
		check(!ret, "V1-CHK-02: RDMA Write of %u bytes: %s",
		      seg->length, strerror(-ret));
		data += seg->length;
		len -= seg->length;
	}
	check(!len, "V1-WR-03: a chunk is too small by %zu bytes", len);
}

/* The lists come back with the bytes that were written, here none yet */
static void echo_lists(struct header *shape, const struct header *call)
{
	unsigned int i;

	shape->nwrites = call->nwrites;
	for (i = 0; i < call->nwrites; i++)
		shape->writes[i] = call->writes[i];
	shape->has_reply = call->has_reply;
	if (call->has_reply)
		shape->reply = call->reply;
}

static size_t header_size(const struct header *h)
{
	size_t size = (h->layout == 2 ? 36 : 28) + 24 * h->nreads;
	unsigned int i;

	for (i = 0; i < h->nwrites; i++)
		size += 8 + 16 * h->writes[i].nsegs;
	return size + (h->has_reply ? 4 + 16 * h->reply.nsegs : 0);
}

static void copy_body(const uint8_t *data, size_t len)
{
	server.body = realloc(server.body, len + 1);
	check(server.body, "out of memory");
	memcpy(server.body, data, len);
	server.body_len = len;
}

/* READ data leaves the stream with its pad, and goes into the Write chunk */
static void reduce(struct exchange *x)
{
	struct chunk *chunk = &server.shape.writes[0];
	uint32_t len = 0;
	size_t at, rest;

	if (!server.shape.nwrites)
		return;
	at = nfs_read_result(&x->nfs, x->reply, x->reply_len, &len);
	write_chunk(x->side, chunk, x->reply + at, len);
	if (!at)
		return;
	server.seen.written++;
	rest = x->reply_len - at - xdr_round(len);
	memmove(server.body + at, server.body + at + xdr_round(len), rest);
	server.body_len -= xdr_round(len);
}

static void answer_shape(const struct exchange *x, enum header_proc proc)
{
	struct header *shape = &server.shape;

	shape->xid = x->header.xid;
	shape->vers = x->side->version;
	shape->layout = x->side->version;
	shape->credit = server.set.grant;
	shape->proc = proc;
	shape->flags = FLAG_RESPONSE;
	shape->inv_handle = 0;
}

void shape_reply(struct exchange *x)
{
	struct header *shape = &server.shape;

	answer_shape(x, RDMA_MSG);
	shape->nreads = 0;
	shape->error = 0;
	echo_lists(shape, &x->header);
	copy_body(x->reply, x->reply_len);
	reduce(x);
	if (header_size(shape) + server.body_len <= x->side->reply_limit) {
		if (shape->has_reply)
			write_chunk(x->side, &shape->reply, NULL, 0);
		return;
	}
	check(shape->has_reply,
	      "V1-RPL-01: a Reply of %zu bytes and no Reply chunk (program %u, version %u, procedure %u)",
	      server.body_len, x->nfs.program, x->nfs.version,
	      x->nfs.procedure);
	shape->proc = RDMA_NOMSG;
	write_chunk(x->side, &shape->reply, server.body, server.body_len);
	server.seen.long_replies++;
}

void encode_reply(struct xdr_out *out)
{
	out->len = 0;
	header_put(out, &server.shape);
	if (server.shape.proc != RDMA_NOMSG && server.shape.proc != RDMA_ERROR)
		put_bytes(out, server.body, server.body_len);
}

void send_raw(struct rdma_side *side, const void *data, size_t len)
{
	int ret;

	if (side->conn->lost)
		return;
	ret = verbs_send(side->conn, data, len);
	check(!ret || is_lost(side), "Send: %s", strerror(-ret));
}

/* From now on the client may act on it */
void note_grant(struct rdma_side *side, unsigned int grant)
{
	if (grant < side->grant) {
		if (verbs_now() >= side->old_until ||
		    side->grant > side->old_grant)
			side->old_grant = side->grant;
		side->old_until = verbs_now() + 500 * target.slow;
	}
	side->grant = grant;
	side->replied = true;
}

/* Nothing may follow the first Call before its Reply (V1-CRED-13) */
static void look_for_second(struct rdma_side *side)
{
	struct verbs_message second;

	if (side->replied)
		return;
	check(verbs_recv(side->conn, &second, 20) == -ETIMEDOUT ||
	      side->conn->lost, "V1-CRED-13: a second Call before the first Reply");
}

uint32_t one_handle(const struct exchange *x)
{
	const struct header *h = &x->header;

	if (h->nwrites && h->writes[0].nsegs)
		return h->writes[0].segs[0].handle;
	if (h->has_reply && h->reply.nsegs)
		return h->reply.segs[0].handle;
	return h->nreads ? h->reads[0].handle : 0;
}

void post_reply(struct exchange *x)
{
	static struct xdr_out out;

	look_for_second(x->side);
	/* An error of version 2 grants nothing (V2-ERR-05) */
	if (server.shape.proc != RDMA_ERROR || server.shape.layout == 1)
		note_grant(x->side, server.shape.credit);
	encode_reply(&out);
	trace("Reply %08x, %zu bytes\n", x->header.xid, out.len);
	send_raw(x->side, out.data, out.len);
}

/* The usual way, with remote invalidation where it was agreed */
void send_reply(struct exchange *x)
{
	struct rdma_side *side = x->side;
	uint32_t handle = x->header.layout == 2 ? x->header.inv_handle :
						  one_handle(x);
	static struct xdr_out out;
	int ret;

	shape_reply(x);
	if (!server.set.invalidate || !side->remote_inv || !handle ||
	    side->conn->lost) {
		post_reply(x);
		return;
	}
	look_for_second(side);
	note_grant(side, server.shape.credit);
	encode_reply(&out);
	ret = verbs_send_inv(side->conn, out.data, out.len, handle);
	check(!ret || is_lost(side), "Send With Invalidate: %s",
	      strerror(-ret));
	server.seen.invalidated++;
}

void error_shape(struct exchange *x, uint32_t error)
{
	answer_shape(x, RDMA_ERROR);
	server.shape.error = error;
}

void send_error(struct exchange *x, uint32_t vers, uint32_t error)
{
	struct header *shape = &server.shape;

	error_shape(x, error);
	shape->vers = vers;
	shape->low = 1;
	shape->high = 1;
	post_reply(x);
}
