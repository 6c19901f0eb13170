// SPDX-License-Identifier: GPL-2.0-only
/* Build and send Replies, which a scenario may corrupt. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "responder/responder.h"

/* A work request may fail just before the loss of the connection is reported */
bool is_lost(struct client_conn *cc)
{
	return !verbs_wait_lost(cc->conn, silence_ms());
}

/* Write @data into the segments in order; unused segments get length 0 */
void write_chunk(struct client_conn *cc, struct chunk *chunk,
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
		memcpy(cc->scratch->data, data, seg->length);
		ret = verbs_write(cc->conn, cc->scratch, 0, seg->length,
				  seg->handle, seg->offset, timeout_ms());
		if (ret && is_lost(cc))
			return;
		check(!ret, "RFC 8166 3.4.3 (V1-CHK-02): RDMA Write of %u bytes: %s",
		      seg->length, strerror(-ret));
		data += seg->length;
		len -= seg->length;
	}
	check(!len,
	      "RFC 8166 4.3.2.2 (V1-WR-03): a chunk is too small by %zu bytes", len);
}

/* Return the chunk lists of the Call; nothing is written yet */
static void echo_lists(struct header *hdr, const struct header *call)
{
	unsigned int i;

	hdr->nwrites = call->nwrites;
	for (i = 0; i < call->nwrites; i++)
		hdr->writes[i] = call->writes[i];
	hdr->has_reply = call->has_reply;
	if (call->has_reply)
		hdr->reply = call->reply;
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

/* Move READ data and its padding from the XDR stream to the Write chunk */
static void reduce(struct exchange *x)
{
	struct chunk *chunk = &server.hdr.writes[0];
	uint32_t len = 0;
	size_t at, rest;

	if (!server.hdr.nwrites)
		return;
	at = nfs_read_result(&x->nfs, x->reply, x->reply_len, &len);
	write_chunk(x->cc, chunk, x->reply + at, len);
	if (!at)
		return;
	server.observed.written++;
	rest = x->reply_len - at - xdr_round(len);
	memmove(server.body + at, server.body + at + xdr_round(len), rest);
	server.body_len -= xdr_round(len);
}

static void init_reply_header(const struct exchange *x, enum header_proc proc)
{
	struct header *hdr = &server.hdr;

	hdr->xid = x->header.xid;
	hdr->vers = x->cc->version;
	hdr->layout = x->cc->version;
	hdr->credit = server.set.grant;
	hdr->proc = proc;
	hdr->flags = FLAG_RESPONSE;
	hdr->inv_handle = 0;
}

static void note_longest(const struct exchange *x)
{
	size_t len = header_size(&server.hdr) + server.body_len;

	if (x->nfs.op == OP_READ && !x->header.nwrites && len > server.observed.longest_reply)
		server.observed.longest_reply = len;
}

void build_reply(struct exchange *x)
{
	struct header *hdr = &server.hdr;

	init_reply_header(x, RDMA_MSG);
	hdr->nreads = 0;
	hdr->error = 0;
	echo_lists(hdr, &x->header);
	copy_body(x->reply, x->reply_len);
	reduce(x);
	note_longest(x);
	if (header_size(hdr) + server.body_len <= x->cc->reply_limit) {
		if (hdr->has_reply)
			write_chunk(x->cc, &hdr->reply, NULL, 0);
		return;
	}
	check(hdr->has_reply,
	      "RFC 8166 4.3.3 (V1-RPL-01): a Reply of %zu bytes and no Reply chunk (program %u, version %u, procedure %u)",
	      server.body_len, x->nfs.program, x->nfs.version,
	      x->nfs.procedure);
	hdr->proc = RDMA_NOMSG;
	write_chunk(x->cc, &hdr->reply, server.body, server.body_len);
	server.observed.long_replies++;
}

void encode_reply(struct xdr_out *out)
{
	out->len = 0;
	header_put(out, &server.hdr);
	if (server.hdr.proc != RDMA_NOMSG && server.hdr.proc != RDMA_ERROR)
		put_bytes(out, server.body, server.body_len);
}

void send_raw(struct client_conn *cc, const void *data, size_t len)
{
	int ret;

	if (cc->conn->lost)
		return;
	ret = verbs_send(cc->conn, data, len);
	check(!ret || is_lost(cc), "Send: %s", strerror(-ret));
}

/* The client may use this grant from now on */
void note_grant(struct client_conn *cc, unsigned int grant)
{
	if (grant < cc->grant) {
		if (verbs_now() >= cc->old_until ||
		    cc->grant > cc->old_grant)
			cc->old_grant = cc->grant;
		cc->old_until = verbs_now() + OLD_GRANT_MS * target.slow;
	}
	cc->grant = grant;
	cc->replied = true;
}

/* No Call may follow the first one before its Reply: RFC 8166 3.3.3 (V1-CRED-13) */
static void check_no_second_call(struct client_conn *cc)
{
	struct verbs_message second;

	if (cc->replied)
		return;
	check(verbs_recv(cc->conn, &second, 20) == -ETIMEDOUT ||
	      cc->conn->lost,
	      "RFC 8166 3.3.3 (V1-CRED-13): a second Call before the first Reply");
}

uint32_t any_handle(const struct exchange *x)
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

	check_no_second_call(x->cc);
	/* An error of version 2 grants no credits: draft -09 5.3.3 (V2-ERR-05) */
	if (server.hdr.proc != RDMA_ERROR || server.hdr.layout == 1)
		note_grant(x->cc, server.hdr.credit);
	encode_reply(&out);
	trace("Reply %08x, %zu bytes\n", x->header.xid, out.len);
	send_raw(x->cc, out.data, out.len);
}

/* Send the Reply, with remote invalidation if agreed */
void send_reply(struct exchange *x)
{
	struct client_conn *cc = x->cc;
	uint32_t handle = x->header.layout == 2 ? x->header.inv_handle :
						  any_handle(x);
	static struct xdr_out out;
	int ret;

	build_reply(x);
	if (!server.set.invalidate || !cc->remote_inv || !handle ||
	    cc->conn->lost) {
		post_reply(x);
		return;
	}
	check_no_second_call(cc);
	note_grant(cc, server.hdr.credit);
	encode_reply(&out);
	ret = verbs_send_inv(cc->conn, out.data, out.len, handle);
	check(!ret || is_lost(cc), "Send With Invalidate: %s",
	      strerror(-ret));
	server.observed.invalidated++;
}

void build_error(struct exchange *x, uint32_t error)
{
	init_reply_header(x, RDMA_ERROR);
	server.hdr.error = error;
}

void send_error(struct exchange *x, uint32_t vers, uint32_t error)
{
	struct header *hdr = &server.hdr;

	build_error(x, error);
	hdr->vers = vers;
	hdr->low = 1;
	hdr->high = 1;
	post_reply(x);
}
