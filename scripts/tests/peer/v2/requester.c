// SPDX-License-Identifier: GPL-2.0-only
/* The requester role in version 2: exchange of properties, and errors. */
#include <stdlib.h>
#include <string.h>
#include "v2/requester.h"

#define CONNPROP_MIN	28
#define CONNPROP_MAX	1024
#define MIN_THRESHOLD	1024

struct call *new_connprop(void)
{
	struct call *call = calloc(1, sizeof(*call));

	check(call, "no memory");
	header_init(&call->header, new_xid());
	call->header.proc = RDMA2_CONNPROP;
	return call;
}

/* Return the value of a property, which must occur exactly once */
static uint32_t property_value(const struct header *h, enum property_id which)
{
	const struct property *found = NULL;
	unsigned int i;

	for (i = 0; i < h->nproperties; i++) {
		if (h->properties[i].which != which)
			continue;
		check(!found, "property %u occurs twice", which);
		found = &h->properties[i];
	}
	check(found, "property %u is missing", which);
	check(found->len == 4, "property %u has %u bytes", which, found->len);
	return word_at(found->data, 0);
}

static void check_connprop(const struct header *h, const struct call *call,
			   const struct verbs_message *message)
{
	check(h->proc == RDMA2_CONNPROP, "header type %u instead of CONNPROP",
	      h->proc);
	check(h->vers == 2, "version %u in a CONNPROP", h->vers);
	check(h->xid == call->header.xid, "XID %08x instead of %08x", h->xid,
	      call->header.xid);
	check(h->flags == FLAG_RESPONSE, "flags %08x in the response", h->flags);
	check(h->credit, "a grant of 0");
	check(message->len >= CONNPROP_MIN && message->len <= CONNPROP_MAX &&
	      message->len == h->size, "a CONNPROP of %zu bytes, %zu of them used",
	      message->len, h->size);
	check(!message->inv, "a CONNPROP invalidates memory");
	check(property_value(h, PROPERTY_RBSIZ) >= RBSIZ_DEFAULT,
	      "a Receive Buffer Size of %u", property_value(h, PROPERTY_RBSIZ));
	check(property_value(h, PROPERTY_BRS) == REVERSE_INLINE,
	      "Backward Request Support %u", property_value(h, PROPERTY_BRS));
}

void expect_connprop(struct verbs_conn *conn, const struct call *call)
{
	struct props *props = conn->arg;
	struct verbs_message message;
	static struct header h;
	const char *wrong;

	next_message(conn, &message);
	wrong = header_get(&h, message.data, message.len);
	check(!wrong, "bad header: %s", wrong);
	check_connprop(&h, call, &message);
	repost_receive(conn, &message);
	if (!props)
		props = calloc(1, sizeof(*props));
	check(props, "no memory");
	props->local = RBSIZ_DEFAULT;
	props->remote = property_value(&h, PROPERTY_RBSIZ);
	props->reverse = property_value(&h, PROPERTY_BRS);
	props->grant = h.credit;
	conn->arg = props;
}

/*
 * Apply our own properties like the server: the last value counts, 1024 is the
 * minimum
 */
static void apply_own_props(struct props *props, const struct header *h)
{
	const struct property *p = h->properties;
	unsigned int i;

	for (i = 0; i < h->nproperties; i++, p++)
		if (p->which == PROPERTY_RBSIZ)
			props->local = p->len ? word_at(p->data, 0) :
					       RBSIZ_DEFAULT;
	if (props->local < MIN_THRESHOLD)
		props->local = MIN_THRESHOLD;
}

void exchange_props(struct verbs_conn *conn, struct call *connprop)
{
	send_call(conn, connprop);
	expect_connprop(conn, connprop);
	apply_own_props(conn->arg, &connprop->header);
	free(connprop);
}

/* The Receive Buffer Size of the private data, or no properties */
void exchange_props_as_private(struct verbs_conn *conn)
{
	struct call *connprop = new_connprop();
	struct private_data local;

	private_get(&local, conn->options.private, conn->options.private_len);
	if (local.found)
		header_add_number(&connprop->header, PROPERTY_RBSIZ,
				  local.recv_size);
	exchange_props(conn, connprop);
}

const struct header *v2_expect_error(struct verbs_conn *conn, uint32_t xid,
				     enum v2_error error)
{
	struct verbs_message message;
	static struct header h;

	next_message(conn, &message);
	check_error(conn, &h, &message, xid, 2);
	check(h.error == error, "error %u instead of %u", h.error, error);
	return &h;
}

void expect_version_range(struct verbs_conn *conn, uint32_t xid, uint32_t vers,
			  uint32_t low, uint32_t high)
{
	struct verbs_message message;
	static struct header h;

	next_message(conn, &message);
	check_error(conn, &h, &message, xid, vers);
	check(h.error == ERR2_VERS, "error %u instead of ERR_VERS", h.error);
	check(h.low == low && h.high == high, "versions %u to %u, not %u to %u",
	      h.low, h.high, low, high);
}
