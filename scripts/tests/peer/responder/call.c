// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rebuild RPC Calls from messages: decode, read the Read chunks, put the XDR
 * stream together, and send it to the backend server.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "v2/responder.h"

static struct exchange *spare;

static struct exchange *exchange_new(struct client_conn *cc)
{
	struct exchange *x = spare;

	if (x)
		spare = x->next;
	else
		x = malloc(sizeof(*x));
	check(x, "out of memory");
	x->cc = cc;
	x->call = NULL;
	x->reply = NULL;
	x->due = 0;
	x->on_reply = NULL;
	x->next = cc->pending;
	cc->pending = x;
	cc->count++;
	return x;
}

void exchange_done(struct exchange *x)
{
	struct exchange **at = &x->cc->pending;

	while (*at != x)
		at = &(*at)->next;
	*at = x->next;
	x->cc->count--;
	free(x->call);
	free(x->reply);
	x->next = spare;
	spare = x;
}

/* Read all segments of one Position into the scratch region */
static size_t fetch(struct client_conn *cc, const struct header *h,
		    uint32_t position)
{
	size_t len = 0;
	unsigned int i;
	int ret;

	for (i = 0; i < h->nreads; i++) {
		const struct segment *seg = &h->reads[i];

		if (seg->position != position || !seg->length)
			continue;
		check(len + seg->length <= RESPONDER_SCRATCH,
		      "RFC 8166 3.4.4 (V1-CHK-04): a Read chunk of more than %u bytes",
		      RESPONDER_SCRATCH);
		trace("RDMA Read of %u bytes, handle %08x, offset %llx\n",
		      seg->length, seg->handle,
		      (unsigned long long)seg->offset);
		ret = verbs_read(cc->conn, cc->scratch, len, seg->length,
				 seg->handle, seg->offset, timeout_ms());
		if (ret && is_lost(cc))
			return 0;
		check(!ret,
		      "RFC 8166 3.4.5 (V1-RD-10): RDMA Read of %u bytes: %s", seg->length,
		      strerror(-ret));
		len += seg->length;
	}
	return len;
}

/* Insert the data of the other Read chunk at its Position, with padding */
static void insert(struct exchange *x, const uint8_t *stream, size_t len)
{
	const struct header *h = &x->header;
	uint32_t position = h->reads[h->nreads - 1].position;
	size_t chunk;

	check(position <= len,
	      "RFC 8166 3.4.5 (V1-RD-02): Position %u in a stream of %zu bytes",
	      position, len);
	chunk = fetch(x->cc, h, position);
	x->call_len = len + xdr_round(chunk);
	x->call = calloc(1, x->call_len + 1);
	check(x->call, "out of memory");
	memcpy(x->call, stream, position);
	memcpy(x->call + position, x->cc->scratch->data, chunk);
	memcpy(x->call + position + xdr_round(chunk), stream + position,
	       len - position);
}

static bool is_long(const struct header *h)
{
	return h->proc == RDMA_NOMSG;
}

static bool has_item_chunk(const struct header *h)
{
	return h->nreads && h->reads[h->nreads - 1].position;
}

static void rebuild(struct exchange *x, const uint8_t *payload, size_t len)
{
	uint8_t *stream = malloc(is_long(&x->header) ? RESPONDER_SCRATCH :
				 len + 1);

	check(stream, "out of memory");
	if (is_long(&x->header)) {
		len = fetch(x->cc, &x->header, 0);
		memcpy(stream, x->cc->scratch->data, len);
	} else {
		memcpy(stream, payload, len);
	}
	if (has_item_chunk(&x->header)) {
		insert(x, stream, len);
		free(stream);
	} else {
		x->call = stream;
		x->call_len = len;
	}
}

static void count_call(const struct exchange *x)
{
	const struct header *h = &x->header;

	server.observed.calls++;
	server.observed.reads += has_item_chunk(h);
	server.observed.long_calls += is_long(h);
	server.observed.writes += h->nwrites > 0;
	server.observed.replies += h->has_reply;
	server.observed.inline_ddp += x->nfs.has_item && !h->nreads;
	server.observed.inline_reads += x->nfs.op == OP_READ && !h->nwrites;
	server.observed.named += h->inv_handle != 0;
	if (x->nfs.back_request)
		server.observed.back_request = x->nfs.back_request;
	if (x->cc->count > server.observed.most)
		server.observed.most = x->cc->count;
	if (h->credit > server.observed.asked)
		server.observed.asked = h->credit;
}

static bool fault_applies(const struct exchange *x)
{
	const struct fault *m = &server.fault;

	return m->left && (m->op == OP_ANY || m->op == x->nfs.op);
}

void backend_call(struct exchange *x)
{
	if (!server.set.no_replies)
		check(!proxy_send(&x->cc->proxy, x->call, x->call_len),
		      "cannot send a Call to the backend server");
}

static void dispatch_call(struct exchange *x)
{
	struct fault *m = &server.fault;

	if (fault_applies(x)) {
		m->left--;
		m->hits++;
		x->on_reply = m->on_reply;
		if (m->on_call) {
			m->on_call(x);
			return;
		}
	}
	backend_call(x);
}

static void take_call(struct client_conn *cc, const struct header *h,
		      const struct verbs_message *message)
{
	struct exchange *x = exchange_new(cc);

	x->header = *h;
	check_call(cc, x, message->len, h->proc == RDMA_MSG);
	rebuild(x, message->data + h->size, message->len - h->size);
	if (cc->conn->lost)
		return;
	nfs_parse_call(&x->nfs, x->call, x->call_len);
	check_rebuilt(x);
	count_call(x);
	trace("Call %08x: %s, op %u, %zu bytes; segments: %u read; chunks: %u Write, %s Reply\n",
	      h->xid, is_long(h) ? "long" : "short", x->nfs.op, x->call_len,
	      h->nreads, h->nwrites, h->has_reply ? "a" : "no");
	dispatch_call(x);
}

/*
 * Whether it is the Reply to a reverse Call of the backend server; if so, the
 * Call is no longer outstanding
 */
static bool is_awaited(struct client_conn *cc, uint32_t xid)
{
	unsigned int i;

	for (i = 0; i < RESPONDER_REVERSE; i++) {
		if (xid && cc->reverse[i] == xid) {
			cc->reverse[i] = 0;
			return true;
		}
	}
	return false;
}

/* A reverse Reply of the client: to the backend server, or to a scenario */
static void take_reverse_reply(struct client_conn *cc, const struct header *h,
			       const uint8_t *payload, size_t len)
{
	check(!h->nreads && !h->nwrites && !h->has_reply,
	      "RFC 8167 5.3 (BI-CHK-03): a reverse Reply with chunks");
	trace("reverse Reply %08x\n", h->xid);
	if (is_awaited(cc, h->xid)) {
		server.observed.reverse++;
		check(!proxy_send(&cc->proxy, payload, len),
		      "cannot send a reverse Reply to the backend server");
		return;
	}
	server.observed.reply_xid = h->xid;
	server.observed.reply_credit = h->credit;
	server.observed.payload_len = len < sizeof(server.observed.payload) ?
				  len : sizeof(server.observed.payload);
	memcpy(server.observed.payload, payload, server.observed.payload_len);
	server.observed.reverse_replies++;
}

static void take_error(const struct header *h)
{
	struct observed *observed = &server.observed;

	observed->error_xid = h->xid;
	observed->error_vers = h->vers;
	observed->error_credit = h->credit;
	observed->error = h->error;
	observed->error_max = h->max;
	observed->error_needed = h->needed;
	observed->errors++;
}

static bool is_reverse_reply(const struct header *h, const uint8_t *payload)
{
	if (h->layout == 2)
		return h->flags & FLAG_RESPONSE;
	return h->proc == RDMA_MSG && word_at(payload, 1) == RPC_REPLY;
}

void take_message(struct client_conn *cc, const struct verbs_message *message)
{
	static struct header h;
	const char *wrong = header_get(&h, message->data, message->len);
	const uint8_t *payload = message->data + h.size;
	size_t len = message->len - h.size;

	check(!wrong, "RFC 8166 4 (V1-HDR-02): bad header: %s", wrong);
	check(!message->inv,
	      "RFC 8797 (V1-MEM-20): the client invalidates handle %08x",
	      message->inv_rkey);
	if (h.proc == RDMA2_CONNPROP) {
		take_connprop(cc, &h, message->len);
		return;
	}
	if (!cc->version && !cc->opened && h.proc != RDMA_ERROR && h.vers == 2) {
		take_opening(cc, &h, payload, len);
		return;
	}
	if (!cc->version && h.proc != RDMA_ERROR)
		cc->version = h.vers;
	check_message(cc, &h, message->len, payload, len);
	if (message->len > server.observed.longest)
		server.observed.longest = message->len;
	if (h.proc == RDMA_ERROR)
		take_error(&h);
	else if (is_reverse_reply(&h, payload))
		take_reverse_reply(cc, &h, payload, len);
	else
		take_call(cc, &h, message);
}
