// SPDX-License-Identifier: GPL-2.0-only
/*
 * Properties for the client: sizes, odd sets, and sets that are wrong.
 */
#include "responder_scenarios.h"

/* The smaller of the two ends' sizes, 1024 at least, and huge ones */
void client2_sizes(void)
{
	static const unsigned int sizes[] = {
		0, 1, 1023, 1024, 2048, 4096, 6000, 8192, 65536, 0xffffffff,
	};
	unsigned int i, wanted;

	begin("3");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		responder_lock();
		server.set.rbsiz = sizes[i];
		responder_unlock();
		connect_again();
		wanted = sizes[i] < 1024 ? 1024 : sizes[i];
		expect_inline_use(wanted < 8192 ? wanted : 8192);
	}
	end();
}

static unsigned int shape_of_set;

/* Sets of properties that are all right, and some of them odd */
static void odd_set(struct rdma_side *side, const struct header *probe)
{
	static const uint8_t data[PROPERTY_SIZE] = { 1, 2, 3 };
	static struct xdr_out out;
	static struct header h;

	connprop_init(&h, probe);
	switch (shape_of_set) {
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
	agree_with(side, &h);
	out.len = 0;
	header_put(&out, &h);
	if (shape_of_set == 3)
		put_bytes(&out, "trailing", 8);
	send_raw(side, out.data, out.len);
}

void client2_properties(void)
{
	static const unsigned int limits[] = { 4096, 4096, 8192, 2048, 4096 };

	begin("3");
	probe_handler(odd_set);
	for (; shape_of_set < 5; shape_of_set++) {
		connect_again();
		expect_version(2, "odd properties");
		expect_inline_use(limits[shape_of_set]);
	}
	end();
}

/* Malformed: no answer, the defaults hold, and nothing of the set */
static void bad_set(struct rdma_side *side, const struct header *probe)
{
	static const uint8_t data[8];
	static struct xdr_out out;
	static struct header h;

	connprop_init(&h, probe);
	header_add_number(&h, PROPERTY_RBSIZ, 8192);
	out.len = 0;
	if (shape_of_set == 0)
		header_add_property(&h, PROPERTY_RBSIZ, data, 3);
	if (shape_of_set == 1)
		header_add_property(&h, PROPERTY_RBSIZ, data, 8);
	if (shape_of_set == 2)
		header_add_number(&h, PROPERTY_BRS, 3);
	if (shape_of_set == 3)
		header_add_property(&h, 0x7fff0001, data, 4);
	header_put(&out, &h);
	if (shape_of_set == 3)
		set_u32(out.data + out.len - 8, 0xffffffff);
	if (shape_of_set == 4)
		set_u32(out.data + 20, 2);
	if (shape_of_set == 5)
		out.len -= 5;
	settle_version(side, 2);
	send_raw(side, out.data, out.len);
}

void client2_bad_properties(void)
{
	begin("3");
	probe_handler(bad_set);
	for (shape_of_set = 0; shape_of_set < 6; shape_of_set++) {
		connect_in_a_crowd();
		expect_version(2, "bad properties");
		expect_inline_use(RBSIZ_DEFAULT);
		check(!look().errors, "a CONNPROP with F drew an error");
		check(look().connects == 2 + shape_of_set, "%u connections",
		      look().connects);
	}
	end();
}

/* The answer that is not quite as it should be: F clear, or another XID */
static unsigned int oddity;

static void odd_answer(struct rdma_side *side, const struct header *probe)
{
	static struct header h;

	connprop_init(&h, probe);
	header_add_number(&h, PROPERTY_RBSIZ, 8192);
	if (oddity & 1)
		h.flags = 0;
	if (oddity & 2)
		h.xid ^= 0x5a5a;
	agree_with(side, &h);
	send_header(side, &h);
}

void client2_odd_answers(void)
{
	begin("3");
	probe_handler(odd_answer);
	for (oddity = 1; oddity < 4; oddity++) {
		connect_in_a_crowd();
		expect_inline_use(8192);
		check(look().connects == 1 + oddity, "%u connections",
		      look().connects);
	}
	end();
}
