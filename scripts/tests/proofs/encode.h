/* SPDX-License-Identifier: GPL-2.0-only */
/* A header that is encoded, and decoded again */
#ifndef _PROOFS_ENCODE_H
#define _PROOFS_ENCODE_H

#include <linux/errno.h>
#include "message.h"

static struct any_bytes bytes;

static inline void prove_same_chunk(const struct rpcrdma_chunk *a, const struct rpcrdma_chunk *b)
{
	PROVE(a->nsegs == b->nsegs && (!a->nsegs || a->first == b->first));
}

/* Each of the segments; only a Read list has Positions */
static inline void prove_same_lists(const struct rpcrdma_msg *a, const struct rpcrdma_msg *b)
{
	u32 i;

	PROVE(a->nsegs == b->nsegs && a->nwrites == b->nwrites && a->has_reply == b->has_reply);
	prove_same_chunk(&a->reads, &b->reads);
	prove_same_chunk(&a->reply, &b->reply);
	for (i = 0; i < WRITES; i++)
		if (i < a->nwrites)
			prove_same_chunk(&a->writes[i], &b->writes[i]);
	for (i = 0; i < SEGS; i++) {
		if (i >= a->nsegs)
			break;
		PROVE(a->segs[i].handle == b->segs[i].handle);
		PROVE(a->segs[i].length == b->segs[i].length);
		PROVE(a->segs[i].offset == b->segs[i].offset);
		PROVE(b->segs[i].position == (i < a->reads.nsegs ? a->segs[i].position : 0));
	}
}

/* Lists that may be sent */
static inline void any_lists_to_send(struct rpcrdma_msg *msg, struct rpcrdma_segment *segs)
{
	u32 i;

	any_lists(msg, segs);
	for (i = 0; i < SEGS; i++) {
		ASSUME(segs[i].position % 4 == 0);
		ASSUME(segs[i].offset <= U64_MAX - segs[i].length);
	}
}

/*
 * Encode into any buffer of up to LEN bytes: what does not fit is refused. Returns the header,
 * with nothing behind it, or NULL.
 */
static inline u8 *encode(const struct rpcrdma_codec *codec, struct rpcrdma_msg *msg, size_t *len)
{
	size_t room = nondet_size_t(), size = codec->size(msg);
	u8 *wire = any_message(&bytes, room);
	int ret;

	ret = codec->encode(msg, wire, room);
	PROVE(ret == -EMSGSIZE ? size > room : ret == size && size <= room);
	if (ret < 0)
		return NULL;
	PROVE(msg->header_size == size);
	ASSUME(room == size);
	*len = size;
	return wire;
}

#endif /* _PROOFS_ENCODE_H */
