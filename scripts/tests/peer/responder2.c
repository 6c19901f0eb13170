// SPDX-License-Identifier: GPL-2.0-only
/*
 * The responder's role in version 2: the client's probe and what to say to it, and
 * the rules for each of its messages that version 1 does not have.
 */
#include <errno.h>
#include "responder.h"

#define PROBE_MIN	28
#define PROBE_MAX	1024
#define LEAST_THRESHOLD	1024

#define rule(condition, id, ...)		\
	check(condition, id ": " __VA_ARGS__)

void check_message2(const struct header *h, const uint8_t *payload)
{
	bool reply = h->flags & FLAG_RESPONSE;

	if (h->proc == RDMA_ERROR && h->error == ERR2_VERS) {
		rule(!h->eight, "V2-NEG-16", "ERR_VERS of eight words");
		return;
	}
	rule(!(h->flags & ~FLAG_RESPONSE), "V2-HDR-05", "flags %08x", h->flags);
	if (h->proc == RDMA_ERROR) {
		rule(reply, "V2-HDR-11", "an error without F");
		return;
	}
	if (h->proc == RDMA_MSG)
		rule(word_at(payload, 1) == reply, "V2-HDR-08",
		     "F is %u, and the message type %u", reply,
		     word_at(payload, 1));
	else
		rule(!reply, "V2-HDR-08", "F in an RDMA2_NOMSG Call");
	if (reply)
		rule(!h->inv_handle, "V2-CHK-08", "handle %08x in a Reply",
		     h->inv_handle);
	else
		rule(!h->inv_handle || header_offers(h, h->inv_handle),
		     "V2-CHK-04", "handle %08x is in no segment", h->inv_handle);
}

static uint32_t property(const struct header *h, enum property_id which)
{
	const struct property *found = NULL;
	unsigned int i;

	for (i = 0; i < h->nproperties; i++) {
		if (h->properties[i].which != which)
			continue;
		rule(!found, "V2-PROP-13", "property %u is there twice", which);
		found = &h->properties[i];
	}
	rule(found, "V2-CPR-03", "property %u is missing", which);
	rule(found->len == 4, "V2-PROP-01", "property %u has %u bytes", which,
	     found->len);
	return word_at(found->data, 0);
}

static void check_probe(struct rdma_side *side, const struct header *h,
			size_t len)
{
	const struct exchange *x;

	rule(!side->version && !side->probing && !side->pending, "V2-CPR-08",
	     "a CONNPROP that is not the first message");
	rule(h->vers == 2, "V2-NEG-03", "a probe of version %u", h->vers);
	rule(!h->flags, "V2-CPR-08", "flags %08x in the probe", h->flags);
	rule(h->credit, "V2-CPR-08", "the probe asks for no credits");
	rule(len >= PROBE_MIN && len <= PROBE_MAX && len == h->size, "V2-NEG-04",
	     "a probe of %zu bytes, %zu of them used", len, h->size);
	rule(property(h, PROPERTY_RBSIZ) >= RBSIZ_DEFAULT, "V2-RBS-07",
	     "a Receive Buffer Size of %u", property(h, PROPERTY_RBSIZ));
	rule(property(h, PROPERTY_BRS) == REVERSE_INLINE, "V2-BRS-14",
	     "reverse support of level %u", property(h, PROPERTY_BRS));
	for (x = side->pending; x; x = x->next)
		rule(x->header.xid != h->xid, "V2-CPR-08",
		     "the probe has the XID of an RPC");
}

/* RFC 8797 private data is for version 1 only (V2-INL-13) */
void settle_version(struct rdma_side *side, unsigned int version)
{
	side->version = version;
	side->probing = false;
	if (version != 2)
		return;
	side->remote_inv = true;
	side->call_limit = RBSIZ_DEFAULT;
	side->reply_limit = RBSIZ_DEFAULT;
}

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* What a well-behaved client makes of our properties: the last one counts */
void agree_with(struct rdma_side *side, const struct header *answer)
{
	const struct property *p = answer->properties;
	unsigned int i, ours = RBSIZ_DEFAULT;

	for (i = 0; i < answer->nproperties; i++, p++)
		if (p->which == PROPERTY_RBSIZ)
			ours = p->len ? word_at(p->data, 0) : RBSIZ_DEFAULT;
	if (ours < LEAST_THRESHOLD)
		ours = LEAST_THRESHOLD;
	settle_version(side, 2);
	side->call_limit = smaller(ours, side->rbsiz);
	side->reply_limit = side->call_limit;
	if (answer->flags & FLAG_RESPONSE)
		note_grant(side, answer->credit);
}

void connprop_init(struct header *h, const struct header *probe)
{
	header_init(h, probe->xid);
	h->layout = 2;
	h->vers = 2;
	h->credit = server.set.grant;
	h->proc = RDMA2_CONNPROP;
	h->flags = FLAG_RESPONSE;
}

void send_header(struct rdma_side *side, const struct header *h)
{
	static struct xdr_out out;

	out.len = 0;
	header_put(&out, h);
	send_raw(side, out.data, out.len);
}

void answer_probe(struct rdma_side *side, const struct header *probe)
{
	static struct header h;

	connprop_init(&h, probe);
	header_add_number(&h, PROPERTY_RBSIZ, server.set.rbsiz);
	header_add_number(&h, PROPERTY_BRS, server.set.brs);
	agree_with(side, &h);
	send_header(side, &h);
}

/* As a server of version 1 does */
void refuse_probe(struct rdma_side *side, const struct header *probe)
{
	static struct header h;

	header_init(&h, probe->xid);
	h.layout = 2;
	h.vers = probe->vers;
	h.proc = RDMA_ERROR;
	h.error = ERR2_VERS;
	h.low = 1;
	h.high = 1;
	settle_version(side, 1);
	send_header(side, &h);
}

void take_probe(struct rdma_side *side, const struct header *h, size_t len)
{
	struct verbs_message second;

	check_probe(side, h, len);
	server.seen.probes++;
	server.seen.probe_xid = h->xid;
	side->rbsiz = property(h, PROPERTY_RBSIZ);
	side->probing = true;
	/* Nothing may follow it before the answer */
	rule(verbs_recv(side->conn, &second, 20) == -ETIMEDOUT ||
	     side->conn->lost, "V2-NEG-02",
	     "a second message before the probe is answered");
	if (server.set.on_probe)
		server.set.on_probe(side, h);
	else
		answer_probe(side, h);
}

void send_error2(struct exchange *x, enum header_error2 error, uint32_t first,
		 uint32_t second)
{
	struct header *shape = &server.shape;

	error_shape(x, error);
	shape->eight = false;
	shape->low = first;
	shape->high = second;
	shape->max = first;
	shape->index = error == ERR2_WRITE_RESOURCE ? first : 0;
	shape->needed = error == ERR2_WRITE_RESOURCE ? second : first;
	post_reply(x);
}
