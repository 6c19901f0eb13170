// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fuzz of Replies and of CONNPROPs in version 2.
 */
#include "responder/fuzz.h"
#include "v2/responder.h"
#include "v2/responder_fuzz.h"

/* The parts of a header that only version 2 has */
void v2_corrupt_header(struct header *h)
{
	switch (reply_fuzz_below(4)) {
	case 0:
		h->flags = reply_fuzz_word(h->flags);
		break;
	case 1:
		h->inv_handle = reply_fuzz_random();
		break;
	case 2:
		h->proc = RDMA_ERROR;
		h->error = reply_fuzz_below(11);
		h->err_vers_flags = reply_fuzz_below(2);
		h->max = reply_fuzz_word(1);
		h->index = reply_fuzz_below(3);
		h->needed = reply_fuzz_below(2) ? reply_fuzz_below(100000) : reply_fuzz_word(0);
		break;
	case 3:
		h->proc = RDMA2_CONNPROP;
		h->nproperties = 0;
		header_add_number(h, reply_fuzz_below(4), reply_fuzz_word(4096));
		header_add_number(h, reply_fuzz_below(4), reply_fuzz_word(1));
		break;
	}
}

static void answer_first(struct client_conn *cc, const struct header *first)
{
	if (first->proc == RDMA2_CONNPROP)
		answer_connprop(cc, first);
	else
		answer_opening(cc, first);
}

/*
 * An invalid response to the opening Call or the CONNPROP may end the connection, or
 * cost a timeout, so most responses are valid.
 */
void fuzz_first_answer(struct client_conn *cc, const struct header *first)
{
	static struct xdr_out out;
	static struct header h;

	if (reply_fuzz_below(3)) {
		answer_first(cc, first);
		return;
	}
	connprop_init(&h, first);
	header_add_number(&h, reply_fuzz_below(4), reply_fuzz_word(8192));
	header_add_number(&h, reply_fuzz_below(4), reply_fuzz_word(1));
	if (!reply_fuzz_below(3))
		v2_corrupt_header(&h);
	out.len = 0;
	header_put(&out, &h);
	if (reply_fuzz_below(2))
		reply_fuzz_bytes(&out, out.len / 4);
	send_raw(cc, out.data, out.len);
	cc->opening_pending = false;
	answer_first(cc, first);
	/* The client may have chosen any version now */
	cc->version = 0;
	cc->replied = true;
}
