// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reference decoder of version 1, written from RFC 8166 4.
 */
#include "ref_decoder.h"

static void rpcrdma_ref_error(struct rpcrdma_ref_decoder *t, u32 version)
{
	u32 code = rpcrdma_ref_word(t);

	t->msg->type = RPCRDMA_ERROR;
	if (code == 1) {
		t->msg->err = RPCRDMA_ERR_VERS;
		t->msg->vers_low = rpcrdma_ref_word(t);
		t->msg->vers_high = rpcrdma_ref_word(t);
	} else if (code == 2 && version == 1) {
		t->msg->err = RPCRDMA_ERR_CHUNK;
	} else {
		t->bad = true;
	}
}

/* @len bytes at @wire; returns whether they are a message */
bool rpcrdma_ref_v1_decode(struct rpcrdma_ref_decoder *t, const __be32 *wire,
			   size_t len)
{
	u32 version, proc;

	rpcrdma_ref_begin(t, wire, len);
	version = rpcrdma_ref_word(t);
	if (t->n)
		t->msg->xid = wire[0];
	t->msg->vers = version;
	t->msg->credits = rpcrdma_ref_word(t);
	proc = rpcrdma_ref_word(t);
	if (t->bad || (proc != 4 && (proc > 1 || version != 1 || len < 28)))
		return false;
	if (proc == 4)
		rpcrdma_ref_error(t, version);
	else
		rpcrdma_ref_lists(t);
	if (proc == 1)
		t->msg->type = RPCRDMA_NOMSG;
	t->msg->header_size = 4 * t->at;
	return !t->bad;
}
