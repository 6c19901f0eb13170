// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reference decoder of version 2, written from rpcrdma-version-two-09.
 */
#include <linux/align.h>
#include <linux/math.h>
#include "ref_decoder.h"

static bool rpcrdma_ref_v2_error(struct rpcrdma_ref_decoder *t, size_t len)
{
	struct rpcrdma_msg *m = t->msg;
	u32 *w = t->w;

	m->type = RPCRDMA_ERROR;
	m->dir = RPCRDMA_DIR_REPLY;
	if (len == 28 && w[4] == 1 && w[5] == 1 && w[6] == 1) {
		m->err = RPCRDMA_ERR_VERS;
		m->vers_low = 1;
		m->vers_high = 1;
		return true;
	}
	if (len < 24 || !(w[4] & 1))
		return false;
	switch (w[5]) {
	case 1:
		m->err = RPCRDMA_ERR_VERS;
		m->vers_low = w[6];
		m->vers_high = w[7];
		return len >= 32;
	case 2:
		m->err = RPCRDMA_ERR_BAD_XDR;
		return true;
	case 3:
		m->err = RPCRDMA_ERR_HTYPE;
		return true;
	case 4:
	case 5:
	case 6:
		m->err = w[5] == 4 ? RPCRDMA_ERR_READ_CHUNKS :
			 w[5] == 5 ? RPCRDMA_ERR_WRITE_CHUNKS :
				     RPCRDMA_ERR_SEGMENTS;
		m->err_max = w[6];
		return len >= 28;
	case 7:
		m->err = RPCRDMA_ERR_WRITE_RESOURCE;
		m->err_index = w[6];
		m->err_length = w[7];
		return len >= 32;
	case 8:
		m->err = RPCRDMA_ERR_REPLY_RESOURCE;
		m->err_length = w[6];
		return len >= 28;
	case 9:
		m->err = RPCRDMA_ERR_SYSTEM;
		return true;
	}
	m->err = RPCRDMA_ERR_UNKNOWN;
	return true;
}

static bool rpcrdma_ref_v2_props(struct rpcrdma_ref_decoder *t, size_t len)
{
	u32 count = rpcrdma_ref_word(t);
	struct rpcrdma_props *props = &t->msg->props;
	u32 which, size, value;

	props->recv_size = 4096;
	props->reverse = RPCRDMA_BRS_INLINE;
	while (count-- && !t->bad) {
		which = rpcrdma_ref_word(t);
		size = rpcrdma_ref_word(t);
		if (t->bad || (u64)t->at * 4 + ALIGN((u64)size, 4) > len)
			return false;
		if (which == 1 || which == 2) {
			value = which == 1 ? 4096 : 1;
			if (size == 4)
				value = t->w[t->at];
			t->bad = (size && size != 4) ||
				 (which == 2 && value > 2);
			if (which == 1)
				props->recv_size = value;
			if (which == 2)
				props->reverse = value;
		}
		t->at += DIV_ROUND_UP((u64)size, 4);
	}
	return !t->bad;
}

/* @len bytes at @wire; returns whether they are a message */
bool rpcrdma_ref_v2_decode(struct rpcrdma_ref_decoder *t, const __be32 *wire,
			   size_t len)
{
	u32 version, htype, flags;

	rpcrdma_ref_begin(t, wire, len);
	version = rpcrdma_ref_word(t);
	rpcrdma_ref_word(t);
	htype = rpcrdma_ref_word(t);
	if (t->bad)
		return false;
	if (htype == 4)
		return rpcrdma_ref_v2_error(t, len);
	if (version != 2 || len < 20)
		return false;
	flags = rpcrdma_ref_word(t);
	t->msg->dir = flags & 1 ? RPCRDMA_DIR_REPLY : RPCRDMA_DIR_CALL;
	switch (htype) {
	case 0:
	case 1:
		t->msg->type = htype ? RPCRDMA_NOMSG : RPCRDMA_MSG;
		t->msg->inv_handle = rpcrdma_ref_word(t);
		if (flags & 1)
			t->msg->inv_handle = 0;
		rpcrdma_ref_lists(t);
		return !t->bad;
	case 5:
		t->msg->type = RPCRDMA_CONNPROP;
		return rpcrdma_ref_v2_props(t, len);
	}
	return false;
}
