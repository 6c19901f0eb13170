// SPDX-License-Identifier: GPL-2.0-only
/*
<<<<<<< HEAD
 * What the simple decoders of both versions share: words read by index, and the
 * three chunk lists, which are the same in both.
 */
#include "twin.h"

/* Begin with the version word; the XID needs no reading */
void rpcrdma_twin_begin(struct rpcrdma_twin *t, const __be32 *wire, size_t len)
{
	unsigned int i;

	t->n = len / 4;
	for (i = 0; i < t->n; i++)
		t->w[i] = be32_to_cpu(wire[i]);
	t->at = 1;
	t->bad = false;
	rpcrdma_msg_init(t->msg, t->msg->segs, RPCRDMA_FUZZ_SEGS);
}

u32 rpcrdma_twin_word(struct rpcrdma_twin *t)
=======
 * The second decoder, and what a Call and a Reply must look like, each written from
 * RFC 8166 alone.
 */
#include <linux/limits.h>
#include <asm/byteorder.h>
#include "twin.h"

static u32 rpcrdma_twin_word(struct rpcrdma_twin *t)
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
{
	if (t->at >= t->n) {
		t->bad = true;
		return 0;
	}
<<<<<<< HEAD
	return t->w[t->at++];
=======
	return be32_to_cpu(t->wire[t->at++]);
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
}

static bool rpcrdma_twin_more(struct rpcrdma_twin *t)
{
	u32 word = rpcrdma_twin_word(t);

	if (word > 1)
		t->bad = true;
	return word == 1 && !t->bad;
}

static void rpcrdma_twin_segment(struct rpcrdma_twin *t,
				 struct rpcrdma_chunk *chunk, u32 position)
{
	u32 handle = rpcrdma_twin_word(t);
	u32 length = rpcrdma_twin_word(t);
	u64 offset = (u64)rpcrdma_twin_word(t) << 32;

	offset |= rpcrdma_twin_word(t);
	if (t->bad)
		return;
<<<<<<< HEAD
	if (U64_MAX - offset < length || t->msg->nsegs == RPCRDMA_FUZZ_SEGS) {
=======
	if (U64_MAX - offset < length || t->msg->nsegs == t->msg->max_segs) {
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
		t->bad = true;
		return;
	}
	if (!chunk->nsegs++)
		chunk->first = t->msg->nsegs;
	t->msg->segs[t->msg->nsegs++] = (struct rpcrdma_segment) {
		.handle = handle, .length = length, .offset = offset,
		.position = position,
	};
}

static void rpcrdma_twin_array(struct rpcrdma_twin *t,
			       struct rpcrdma_chunk *chunk)
{
	u32 count = rpcrdma_twin_word(t);

	while (count-- && !t->bad)
		rpcrdma_twin_segment(t, chunk, 0);
}

<<<<<<< HEAD
void rpcrdma_twin_lists(struct rpcrdma_twin *t)
=======
static void rpcrdma_twin_lists(struct rpcrdma_twin *t)
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
{
	u32 position;

	while (rpcrdma_twin_more(t)) {
		position = rpcrdma_twin_word(t);
		if (position % 4)
			t->bad = true;
		rpcrdma_twin_segment(t, &t->msg->reads, position);
	}
	while (rpcrdma_twin_more(t)) {
		if (t->msg->nwrites == RPCRDMA_MAX_WRITE_CHUNKS)
			t->bad = true;
		else
			rpcrdma_twin_array(t,
					   &t->msg->writes[t->msg->nwrites++]);
	}
	if (rpcrdma_twin_more(t)) {
		t->msg->has_reply = true;
		rpcrdma_twin_array(t, &t->msg->reply);
	}
}

<<<<<<< HEAD
/* Values near which decoders go wrong */
static u32 rpcrdma_fuzz_value(struct rnd_state *rnd)
{
	static const u32 values[] = {
		0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 0x10000000,
		0x0fffffff, 0x10000001, 0x7fffffff, 0x80000000, 0xfffffffc,
		0xfffffffe, 0xffffffff,
	};
	u32 r = prandom_u32_state(rnd);

	if (r & 1)
		return prandom_u32_state(rnd);
	return values[(r >> 1) % ARRAY_SIZE(values)];
}

/* A worked header with some words changed, added or cut off; its length */
size_t rpcrdma_fuzz_make(struct rnd_state *rnd,
			 const struct rpcrdma_test_header *headers,
			 unsigned int nheaders, __be32 *wire)
{
	const struct rpcrdma_test_header *h;
	unsigned int i, n, changes;
	size_t len;

	h = &headers[prandom_u32_state(rnd) % nheaders];
	for (i = 0; i < RPCRDMA_FUZZ_WORDS; i++)
		wire[i] = cpu_to_be32(i < h->nwords ? h->words[i] :
				      rpcrdma_fuzz_value(rnd));

	changes = prandom_u32_state(rnd) % 4;
	for (i = 0; i < changes; i++) {
		n = prandom_u32_state(rnd) % (h->nwords + 2);
		wire[n] = cpu_to_be32(rpcrdma_fuzz_value(rnd));
	}

	len = h->nwords * 4;
	switch (prandom_u32_state(rnd) % 4) {
	case 0:
		return prandom_u32_state(rnd) % (len + 1);
	case 1:
		return len + prandom_u32_state(rnd) %
		       (RPCRDMA_FUZZ_WORDS * 4 - len + 1);
	default:
		return len;
	}
}
=======
static void rpcrdma_twin_error(struct rpcrdma_twin *t, u32 version)
{
	u32 code = rpcrdma_twin_word(t);

	t->msg->type = RPCRDMA_ERROR;
	if (code == 1) {
		t->msg->err = RPCRDMA_ERR_VERS;
		t->msg->vers_low = rpcrdma_twin_word(t);
		t->msg->vers_high = rpcrdma_twin_word(t);
	} else if (code == 2 && version == 1) {
		t->msg->err = RPCRDMA_ERR_CHUNK;
	} else {
		t->bad = true;
	}
}

/**
 * rpcrdma_twin_decode - is this a version 1 message, and what does it say?
 * @t: decoder; @t->msg->segs and @t->msg->max_segs are set
 * @wire: bytes, 4-byte aligned
 * @len: number of them
 *
 * Return: true if it is a message; @t->msg tells what it says, and
 * @t->msg->header_size where its header ends.
 */
bool rpcrdma_twin_decode(struct rpcrdma_twin *t, const void *wire, size_t len)
{
	struct rpcrdma_msg *msg = t->msg;
	u32 version, proc;

	t->wire = wire;
	t->n = len / 4;
	t->at = 0;
	t->bad = false;
	rpcrdma_msg_init(msg, msg->segs, msg->max_segs);

	msg->xid = cpu_to_be32(rpcrdma_twin_word(t));
	version = rpcrdma_twin_word(t);
	msg->vers = version;
	msg->credits = rpcrdma_twin_word(t);
	proc = rpcrdma_twin_word(t);
	if (proc != 4 && (proc > 1 || version != 1 || len < 28))
		return false;
	if (proc == 4)
		rpcrdma_twin_error(t, version);
	else
		rpcrdma_twin_lists(t);
	if (proc == 1)
		msg->type = RPCRDMA_NOMSG;
	msg->header_size = 4 * t->at;
	return !t->bad;
}

/**
 * rpcrdma_twin_call_ok - would RFC 8166 take this Call? (T-06, T-07, T-08, T-36)
 * @msg: decoded header
 * @payload: bytes behind it, 4-byte aligned
 * @len: number of them
 *
 * Return: true if a Responder can go on with it.
 */
bool rpcrdma_twin_call_ok(const struct rpcrdma_msg *msg, const void *payload,
			  size_t len)
{
	const __be32 *word = payload;
	unsigned int i, zero = 0;
	u64 bytes = 0;

	for (i = msg->reads.first; i < msg->reads.first + msg->reads.nsegs; i++)
		if (msg->segs[i].position == 0) {
			zero++;
			bytes += msg->segs[i].length;
		}
	if (msg->type == RPCRDMA_NOMSG)
		return bytes >= 8;
	return msg->type == RPCRDMA_MSG && !zero && len >= 8 &&
	       word[0] == msg->xid && !word[1];
}

/* Bytes returned; *@ok becomes false if it is not the chunk that was offered */
static u64 rpcrdma_twin_returned(const struct rpcrdma_segment *r, unsigned int n,
				 const struct rpcrdma_segment *c,
				 unsigned int offered, bool *ok)
{
	u64 bytes = 0, room = 0;
	unsigned int i;

	if (n != offered) {
		*ok = false;
		return 0;
	}
	for (i = 0; i < n; i++) {
		if (r[i].handle != c[i].handle || r[i].offset != c[i].offset ||
		    r[i].length > c[i].length)
			*ok = false;
		/* all bytes so far lie at the start of the chunk */
		if (r[i].length && bytes != room)
			*ok = false;
		bytes += r[i].length;
		room += c[i].length;
	}
	return bytes;
}

/**
 * rpcrdma_twin_reply_ok - would RFC 8166 take this Reply? (T-06, T-15, T-31)
 * @reply: decoded header
 * @call: header of the Call
 *
 * Return: true if the Requester can go on with it.
 */
bool rpcrdma_twin_reply_ok(const struct rpcrdma_msg *reply,
			   const struct rpcrdma_msg *call)
{
	bool ok = !reply->reads.nsegs && reply->nwrites == call->nwrites;
	unsigned int i;
	u64 bytes = 0;

	for (i = 0; ok && i < reply->nwrites; i++)
		rpcrdma_twin_returned(reply->segs + reply->writes[i].first,
				      reply->writes[i].nsegs,
				      call->segs + call->writes[i].first,
				      call->writes[i].nsegs, &ok);
	if (reply->has_reply && !call->has_reply)
		return false;
	if (ok && reply->has_reply)
		bytes = rpcrdma_twin_returned(reply->segs + reply->reply.first,
					      reply->reply.nsegs,
					      call->segs + call->reply.first,
					      call->reply.nsegs, &ok);
	if (reply->type == RPCRDMA_NOMSG)
		return ok && bytes >= 8;
	return ok && reply->type == RPCRDMA_MSG && !bytes;
}
>>>>>>> 1707551 (kunit: a second decoder beside the codec, three seeds, and the wire word by word)
