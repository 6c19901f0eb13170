// SPDX-License-Identifier: GPL-2.0-only
/*
 * The responder role in version 2: the opening Call and the CONNPROP of the
 * client, and rules for messages that version 1 does not have.
 */
#include <errno.h>
#include "v2/responder.h"

#define CONNPROP_MIN	28
#define CONNPROP_MAX	1024
#define MIN_THRESHOLD	1024

#define rule(condition, id, ...)		\
	check(condition, id ": " __VA_ARGS__)

void v2_check_message(const struct header *h, const uint8_t *payload)
{
	bool reply = h->flags & FLAG_RESPONSE;

	if (h->proc == RDMA_ERROR && h->error == ERR2_VERS) {
		rule(!h->err_vers_flags, "draft -09 (V2-NEG-16, OQ-08)",
		     "ERR_VERS with a flags word");
		return;
	}
	rule(!(h->flags & ~FLAG_RESPONSE), "draft -09 3.2 (V2-HDR-05)",
	     "flags %08x", h->flags);
	if (h->proc == RDMA_ERROR) {
		rule(reply, "draft -09 3.2 (V2-HDR-11)", "an error without F");
		return;
	}
	if (h->proc == RDMA_MSG)
		rule(word_at(payload, 1) == reply, "draft -09 3.2 (V2-HDR-08)",
		     "F is %u, but the message type is %u", reply,
		     word_at(payload, 1));
	else
		rule(!reply, "draft -09 3.2 (V2-HDR-08)", "F in an RDMA2_NOMSG Call");
	if (reply)
		rule(!h->inv_handle, "draft -09 (V2-CHK-08, OQ-21)",
		     "handle %08x in a Reply", h->inv_handle);
	else
		rule(!h->inv_handle || header_has_handle(h, h->inv_handle),
		     "draft -09 3.3 (V2-CHK-04)", "handle %08x is in no segment", h->inv_handle);
}

static uint32_t property_value(const struct header *h, enum property_id which)
{
	const struct property *found = NULL;
	unsigned int i;

	for (i = 0; i < h->nproperties; i++) {
		if (h->properties[i].which != which)
			continue;
		rule(!found, "draft -09 (V2-PROP-13, OQ-25)",
		     "property %u occurs twice", which);
		found = &h->properties[i];
	}
	rule(found, "draft -09 5.3.4 (V2-CPR-03)", "property %u is missing", which);
	rule(found->len == 4, "draft -09 4.1 (V2-PROP-01)",
	     "property %u has %u bytes", which, found->len);
	return word_at(found->data, 0);
}

static void check_unused_xid(const struct client_conn *cc, uint32_t xid)
{
	const struct exchange *x;

	for (x = cc->pending; x; x = x->next)
		rule(x->header.xid != xid, "draft -09 (V2-CPR-08, OQ-03)",
		     "the XID of an RPC is used again");
}

/* Any server of RPC can execute it: no chunks, no credential, the NULL procedure */
static void check_opening(struct client_conn *cc, const struct header *h,
			  const uint8_t *payload, size_t len)
{
	rule(!cc->opening_pending && !cc->pending, "draft -09 7 (V2-NEG-02)",
	     "an opening Call that is not the first message");
	rule(h->proc == RDMA_MSG && !h->flags && !h->inv_handle && !h->nreads &&
	     !h->nwrites && !h->has_reply, "draft -09 7 (V2-NEG-03)",
	     "an opening Call with type %u, flags %08x, or chunks", h->proc,
	     h->flags);
	rule(h->credit, "draft -09 7 (V2-NEG-03)",
	     "the opening Call requests no credits");
	rule(h->size + len <= CONNPROP_MAX, "draft -09 7 (V2-NEG-04)",
	     "an opening Call of %zu bytes", h->size + len);
	rule(len == 40 && word_at(payload, 0) == h->xid &&
	     word_at(payload, 1) == RPC_CALL && word_at(payload, 2) == 2 &&
	     word_at(payload, 3) == NFS_PROGRAM && !word_at(payload, 5) &&
	     word_at(payload, 6) == AUTH_NULL && word_at(payload, 8) == AUTH_NULL,
	     "draft -09 7 (V2-NEG-03)", "the opening Call is no NULL Call");
	check_unused_xid(cc, h->xid);
}

static void check_connprop(struct client_conn *cc, const struct header *h,
			   size_t len)
{
	rule(cc->opened && cc->version != 1 && !cc->count, "draft -09 (V2-CPR-08, OQ-06)",
	     "a CONNPROP that does not follow the opening Call");
	rule(h->vers == 2, "draft -09 7 (V2-NEG-14)", "a CONNPROP of version %u",
	     h->vers);
	rule(!h->flags, "draft -09 (V2-CPR-08, OQ-03)",
	     "flags %08x in the CONNPROP", h->flags);
	rule(h->credit, "draft -09 (V2-CPR-08, OQ-03)",
	     "the CONNPROP requests no credits");
	rule(len >= CONNPROP_MIN && len <= CONNPROP_MAX && len == h->size,
	     "draft -09 4.2 (V2-CPR-12)",
	     "a CONNPROP of %zu bytes, %zu of them used", len, h->size);
	rule(property_value(h, PROPERTY_RBSIZ) >= RBSIZ_DEFAULT,
	     "draft -09 (V2-RBS-07, OQ-23)",
	     "a Receive Buffer Size of %u", property_value(h, PROPERTY_RBSIZ));
	rule(property_value(h, PROPERTY_BRS) == REVERSE_INLINE,
	     "draft -09 (V2-BRS-14, OQ-24)",
	     "Backward Request Support %u", property_value(h, PROPERTY_BRS));
	rule(h->xid != server.observed.opening_xid, "draft -09 (V2-CPR-08, OQ-03)",
	     "the CONNPROP has the XID of the opening Call");
	check_unused_xid(cc, h->xid);
}

/* RFC 8797 private data is for version 1 only: draft -09 (V2-INL-13, OQ-40) */
void settle_version(struct client_conn *cc, unsigned int version)
{
	cc->version = version;
	cc->opening_pending = false;
	if (version != 2)
		return;
	cc->remote_inv = true;
	cc->call_limit = RBSIZ_DEFAULT;
	cc->reply_limit = RBSIZ_DEFAULT;
}

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Apply our properties like a correct client: the last value counts */
void apply_properties(struct client_conn *cc, const struct header *answer)
{
	const struct property *p = answer->properties;
	unsigned int i, ours = RBSIZ_DEFAULT;

	for (i = 0; i < answer->nproperties; i++, p++)
		if (p->which == PROPERTY_RBSIZ)
			ours = p->len ? word_at(p->data, 0) : RBSIZ_DEFAULT;
	if (ours < MIN_THRESHOLD)
		ours = MIN_THRESHOLD;
	settle_version(cc, 2);
	cc->call_limit = smaller(ours, cc->rbsiz);
	cc->reply_limit = cc->call_limit;
	if (answer->flags & FLAG_RESPONSE)
		note_grant(cc, answer->credit);
}

void connprop_init(struct header *h, const struct header *opening)
{
	header_init(h, opening->xid);
	h->layout = 2;
	h->vers = 2;
	h->credit = server.set.grant;
	h->proc = RDMA2_CONNPROP;
	h->flags = FLAG_RESPONSE;
}

void send_header(struct client_conn *cc, const struct header *h)
{
	static struct xdr_out out;

	out.len = 0;
	header_put(&out, h);
	send_raw(cc, out.data, out.len);
}

void answer_connprop(struct client_conn *cc, const struct header *connprop)
{
	static struct header h;

	connprop_init(&h, connprop);
	header_add_number(&h, PROPERTY_RBSIZ, server.set.rbsiz);
	header_add_number(&h, PROPERTY_BRS, server.set.brs);
	apply_properties(cc, &h);
	send_header(cc, &h);
}

/* The Reply to the NULL Call */
void answer_opening(struct client_conn *cc, const struct header *opening)
{
	static struct xdr_out out;
	static struct header h;

	header_init(&h, opening->xid);
	h.layout = 2;
	h.vers = 2;
	h.credit = server.set.grant;
	h.flags = FLAG_RESPONSE;
	settle_version(cc, 2);
	note_grant(cc, h.credit);
	out.len = 0;
	header_put(&out, &h);
	put_u32(&out, h.xid);
	put_u32(&out, RPC_REPLY);
	put_u32(&out, 0);		/* accepted */
	put_u32(&out, AUTH_NULL);
	put_u32(&out, 0);
	put_u32(&out, RPC_SUCCESS);
	send_raw(cc, out.data, out.len);
}

/* The answer of a version 1 server */
void refuse_opening(struct client_conn *cc, const struct header *opening)
{
	static struct header h;

	header_init(&h, opening->xid);
	h.layout = 2;
	h.vers = opening->vers;
	h.proc = RDMA_ERROR;
	h.error = ERR2_VERS;
	h.low = 1;
	h.high = 1;
	settle_version(cc, 1);
	send_header(cc, &h);
}

/* No message may follow before the response */
static void expect_no_other(struct client_conn *cc)
{
	struct verbs_message second;

	if (server.set.skip_credit_rules)
		return;
	rule(verbs_recv(cc->conn, &second, 20) == -ETIMEDOUT ||
	     cc->conn->lost, "draft -09 7 (V2-NEG-02)",
	     "a second message before the response to the first");
}

void take_opening(struct client_conn *cc, const struct header *h,
		  const uint8_t *payload, size_t len)
{
	check_opening(cc, h, payload, len);
	server.observed.openings++;
	server.observed.opening_xid = h->xid;
	cc->opened = true;
	cc->opening_pending = true;
	expect_no_other(cc);
	if (server.set.on_opening)
		server.set.on_opening(cc, h);
	else
		answer_opening(cc, h);
}

void take_connprop(struct client_conn *cc, const struct header *h, size_t len)
{
	check_connprop(cc, h, len);
	server.observed.connprops++;
	server.observed.connprop_xid = h->xid;
	cc->rbsiz = property_value(h, PROPERTY_RBSIZ);
	expect_no_other(cc);
	if (server.set.on_connprop)
		server.set.on_connprop(cc, h);
	else
		answer_connprop(cc, h);
}

void v2_send_error(struct exchange *x, enum v2_error error, uint32_t first,
		   uint32_t second)
{
	struct header *hdr = &server.hdr;

	build_error(x, error);
	hdr->err_vers_flags = false;
	hdr->low = first;
	hdr->high = second;
	hdr->max = first;
	hdr->index = error == ERR2_WRITE_RESOURCE ? first : 0;
	hdr->needed = error == ERR2_WRITE_RESOURCE ? second : first;
	post_reply(x);
}
