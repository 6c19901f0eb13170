// SPDX-License-Identifier: GPL-2.0-only
/* Properties for the client: sizes, unusual sets, and invalid sets. */
#include "v2/responder_scenarios.h"

/* The threshold is the smaller of both sizes, and at least 1024 */
void v2_client_sizes(void)
{
	static const unsigned int sizes[] = {
		0, 1, 1023, 1024, 2048, 4096, 6000, 8192, 65536, 0xffffffff,
	};
	unsigned int i, wanted;

	setup("3");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		responder_lock();
		server.set.rbsiz = sizes[i];
		responder_unlock();
		connect_again();
		wanted = sizes[i] < 1024 ? 1024 : sizes[i];
		expect_inline_use(wanted < 8192 ? wanted : 8192);
	}
	teardown();
}

static unsigned int set_kind;

/* Valid sets of properties, some of them unusual */
static void odd_set(struct client_conn *cc, const struct header *connprop)
{
	static const uint8_t data[PROPERTY_SIZE] = { 1, 2, 3 };
	static struct xdr_out out;
	static struct header h;

	connprop_init(&h, connprop);
	switch (set_kind) {
	case 1:
		header_add_property(&h, PROPERTY_RBSIZ, NULL, 0);
		header_add_property(&h, PROPERTY_BRS, NULL, 0);
		break;
	case 2:
		header_add_property(&h, 0x7fff0001, data, 5);
		header_add_number(&h, PROPERTY_RBSIZ, 8192);
		header_add_property(&h, 0xffffffff, data, 64);
		header_add_property(&h, 0, data, 0);
		break;
	case 3:
		header_add_number(&h, PROPERTY_RBSIZ, 1024);
		header_add_number(&h, PROPERTY_BRS, REVERSE_NONE);
		header_add_number(&h, PROPERTY_RBSIZ, 2048);
		break;
	case 4:
		header_add_number(&h, PROPERTY_BRS, REVERSE_GENERAL);
		h.flags = 0xffffffff;
		break;
	}
	apply_properties(cc, &h);
	out.len = 0;
	header_put(&out, &h);
	if (set_kind == 3)
		put_bytes(&out, "trailing", 8);
	send_raw(cc, out.data, out.len);
}

void v2_client_properties(void)
{
	static const unsigned int limits[] = { 4096, 4096, 8192, 2048, 4096 };

	setup("3");
	set_connprop_handler(odd_set);
	for (; set_kind < 5; set_kind++) {
		connect_again();
		expect_version(2, "unusual properties");
		expect_inline_use(limits[set_kind]);
	}
	teardown();
}

/* Invalid sets: no answer, and the defaults apply */
static void bad_set(struct client_conn *cc, const struct header *connprop)
{
	static const uint8_t data[8];
	static struct xdr_out out;
	static struct header h;

	connprop_init(&h, connprop);
	header_add_number(&h, PROPERTY_RBSIZ, 8192);
	out.len = 0;
	if (set_kind == 0)
		header_add_property(&h, PROPERTY_RBSIZ, data, 3);
	if (set_kind == 1)
		header_add_property(&h, PROPERTY_RBSIZ, data, 8);
	if (set_kind == 2)
		header_add_number(&h, PROPERTY_BRS, 3);
	if (set_kind == 3)
		header_add_property(&h, 0x7fff0001, data, 4);
	header_put(&out, &h);
	if (set_kind == 3)
		set_u32(out.data + out.len - 8, 0xffffffff);
	if (set_kind == 4)
		set_u32(out.data + 20, 2);
	if (set_kind == 5)
		out.len -= 5;
	settle_version(cc, 2);
	send_raw(cc, out.data, out.len);
}

void v2_client_bad_properties(void)
{
	setup("3");
	set_connprop_handler(bad_set);
	for (set_kind = 0; set_kind < 6; set_kind++) {
		connect_with_many_calls();
		expect_version(2, "invalid properties");
		expect_inline_use(RBSIZ_DEFAULT);
		check(!observe().errors,
		      "a CONNPROP with F was answered with an error");
		check(observe().connects == 2 + set_kind, "%u connections",
		      observe().connects);
	}
	teardown();
}

/* An unusual response: without F, or with another XID */
static unsigned int odd_bits;

static void odd_answer(struct client_conn *cc, const struct header *connprop)
{
	static struct header h;

	connprop_init(&h, connprop);
	header_add_number(&h, PROPERTY_RBSIZ, 8192);
	if (odd_bits & 1)
		h.flags = 0;
	if (odd_bits & 2)
		h.xid ^= 0x5a5a;
	apply_properties(cc, &h);
	send_header(cc, &h);
}

void v2_client_odd_answers(void)
{
	setup("3");
	set_connprop_handler(odd_answer);
	for (odd_bits = 1; odd_bits < 4; odd_bits++) {
		connect_with_many_calls();
		expect_inline_use(8192);
		check(observe().connects == 1 + odd_bits, "%u connections",
		      observe().connects);
	}
	teardown();
}
