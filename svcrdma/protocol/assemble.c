// SPDX-License-Identifier: GPL-2.0-only
/*
 * How to put a Call together whose message has Read chunks. This file decides; read.c
 * moves the bytes.
 *
 * A Call has a base stream, which is the inline payload or the Position Zero chunk. The
 * other Read chunks are inserted into it. A Position is an offset in the complete Call,
 * so it counts earlier chunks and their pads. A reduced item has no pad in the base
 * stream, and usually none in its chunk, so this file supplies it: RFC 8166 3.4.5.2
 * (V1-PAD-08). A chunk that has its pad has a length that is a multiple of four, and gets
 * no other.
 *
 * The usual WRITE has one item in a chunk and the rest inline. Then nothing is copied:
 * the chunk becomes the page list of the Call, and the inline payload its head and tail
 * (SVCRDMA_LAYOUT_ITEM). Any other Call is built as one stream in pages
 * (SVCRDMA_LAYOUT_FLAT), as if it had arrived by TCP.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sunrpc/xdr.h>
#include <asm/byteorder.h>
#include <kunit/visibility.h>
#include <compat/msg_prot.h>
#include "assemble.h"

/*
 * struct svcrdma_builder - an assembly plan that is being built
 * @plan:      the plan
 * @base_kind: source of the base stream
 * @base_len:  length of the base stream, bytes
 * @base_used: bytes of the base stream that are placed
 * @pos:       bytes of the Call that are placed
 */
struct svcrdma_builder {
	struct svcrdma_assembly	*plan;
	enum svcrdma_piece_kind	base_kind;
	u32			base_len;
	u32			base_used;
	u64			pos;
};

static void svcrdma_add_piece(struct svcrdma_builder *b,
			      enum svcrdma_piece_kind kind, u32 chunk,
			      u32 from, u32 len)
{
	struct svcrdma_piece *piece = &b->plan->pieces[b->plan->npieces];

	if (!len)
		return;
	*piece = (struct svcrdma_piece) {
		.kind	= kind,
		.chunk	= chunk,
		.from	= from,
		.to	= b->pos,
		.len	= len,
	};
	b->plan->npieces++;
	b->pos += len;
}

static bool svcrdma_add_base(struct svcrdma_builder *b, u64 len)
{
	if (len > b->base_len - b->base_used)
		return false;
	/* Chunk 0: a base stream in a chunk has Position zero, so it is the first */
	svcrdma_add_piece(b, b->base_kind, 0, b->base_used, len);
	b->base_used += len;
	return true;
}

static void svcrdma_add_item(struct svcrdma_builder *b, u32 chunk, u32 len)
{
	u32 pad = ALIGN(len, XDR_UNIT) - len;

	svcrdma_add_piece(b, SVCRDMA_PIECE_READ, chunk, 0, len);
	svcrdma_add_piece(b, SVCRDMA_PIECE_PAD, 0, 0, pad);
}

static u32 svcrdma_chunk_position(const struct rpcrdma_msg *msg,
				  const struct rpcrdma_chunk *chunk)
{
	return msg->segs[chunk->first].position;
}

static enum rpcrdma_reason
svcrdma_assemble_item(struct svcrdma_builder *b, const struct rpcrdma_msg *msg,
		      const struct rpcrdma_chunk *chunk)
{
	struct svcrdma_assembly *plan = b->plan;

	plan->layout = SVCRDMA_LAYOUT_ITEM;
	plan->split = svcrdma_chunk_position(msg, chunk);
	if (plan->split > b->base_len)
		return RPCRDMA_R_POSITION_RANGE;

	svcrdma_add_item(b, 0, rpcrdma_chunk_length(msg, chunk));
	if (!b->pos)
		plan->split = b->base_len;
	plan->sink_len = b->pos;
	plan->call_len = b->base_len + b->pos;
	return RPCRDMA_OK;
}

static enum rpcrdma_reason
svcrdma_assemble_flat(struct svcrdma_builder *b, const struct rpcrdma_msg *msg,
		      const struct rpcrdma_chunk *chunks, unsigned int first,
		      unsigned int nchunks)
{
	struct svcrdma_assembly *plan = b->plan;
	unsigned int i;

	plan->layout = SVCRDMA_LAYOUT_FLAT;
	for (i = first; i < nchunks; i++) {
		u32 position = svcrdma_chunk_position(msg, &chunks[i]);

		if (position < b->pos ||
		    !svcrdma_add_base(b, position - b->pos))
			return RPCRDMA_R_POSITION_RANGE;
		svcrdma_add_item(b, i, rpcrdma_chunk_length(msg, &chunks[i]));
	}
	svcrdma_add_base(b, b->base_len - b->base_used);

	plan->sink_len = b->pos;
	plan->call_len = b->pos;
	return RPCRDMA_OK;
}

static bool svcrdma_chunks_fit(const struct rpcrdma_msg *msg,
			       const struct rpcrdma_chunk *chunks,
			       unsigned int nchunks, u32 inline_len, u32 max_len)
{
	u64 total = inline_len;
	unsigned int i;

	for (i = 0; i < nchunks; i++)
		total += ALIGN(rpcrdma_chunk_length(msg, &chunks[i]),
			       XDR_UNIT);
	return total <= max_len;
}

/**
 * svcrdma_assemble - plan how to put a Call together
 * @plan: filled in
 * @msg: decoded header of the Call
 * @chunks: its Read chunks in order of Position, each Position once
 * @nchunks: number of @chunks, at most RPCRDMA_MAX_READ_CHUNKS
 * @inline_len: length of the inline payload, bytes; 0 with a Position Zero chunk
 * @max_len: largest Call that is accepted, bytes
 *
 * See RFC 8166 3.4.5 (V1-RD-05) for chunks of several segments, RFC 8166 4.2.4
 * (V1-PZ-07) for other chunks beside the Position Zero chunk.
 *
 * Context: any.
 * Return: RPCRDMA_OK; RPCRDMA_R_CHUNK_LENGTH if the Call is longer than
 * @max_len; RPCRDMA_R_POSITION_RANGE if a chunk overlaps another one or lies
 * beyond the end of the Call; RPCRDMA_R_NOMSG_EMPTY if there is no base stream.
 */
enum rpcrdma_reason svcrdma_assemble(struct svcrdma_assembly *plan,
				     const struct rpcrdma_msg *msg,
				     const struct rpcrdma_chunk *chunks,
				     unsigned int nchunks, u32 inline_len,
				     u32 max_len)
{
	struct svcrdma_builder b = {
		.plan		= plan,
		.base_kind	= SVCRDMA_PIECE_COPY,
		.base_len	= inline_len,
	};
	bool long_call;

	memset(plan, 0, offsetof(struct svcrdma_assembly, pieces));
	plan->layout = SVCRDMA_LAYOUT_INLINE;
	plan->call_len = inline_len;

	if (!svcrdma_chunks_fit(msg, chunks, nchunks, inline_len, max_len))
		return RPCRDMA_R_CHUNK_LENGTH;
	if (!nchunks)
		return inline_len ? RPCRDMA_OK : RPCRDMA_R_NOMSG_EMPTY;

	long_call = !svcrdma_chunk_position(msg, &chunks[0]);
	if (long_call) {
		b.base_kind = SVCRDMA_PIECE_READ;
		b.base_len = rpcrdma_chunk_length(msg, &chunks[0]);
	}
	if (!b.base_len)
		return RPCRDMA_R_NOMSG_EMPTY;
	if (!long_call && nchunks == 1)
		return svcrdma_assemble_item(&b, msg, &chunks[0]);
	return svcrdma_assemble_flat(&b, msg, chunks, long_call, nchunks);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_assemble);

/* Words of an RPC Call (RFC 5531 section 9, RFC 2203 section 5.3.1) */
enum svcrdma_call_word {
	SVCRDMA_CALL_FLAVOR	= 6,
	SVCRDMA_CALL_GSS_PROC	= 9,
	SVCRDMA_CALL_GSS_SVC	= 11,
	SVCRDMA_CALL_WORDS	= 12,
};

/* Credential and verifier */
#define SVCRDMA_CALL_AUTHS	2

#define SVCRDMA_FLAVOR_GSS	6
#define SVCRDMA_GSS_DATA	0
#define SVCRDMA_GSS_SVC_NONE	1

/**
 * svcrdma_call_protected - does RPCSEC_GSS forbid to reduce anything of an RPC?
 * @call: beginning of the RPC Call
 * @len: bytes of @call that can be read
 *
 * True for RPCSEC_GSS with integrity or privacy, and for the messages that create and
 * destroy its contexts: RFC 8166 8.2.2 (V1-SEC-01), RFC 8166 8.2.2.3 (V1-SEC-06).
 *
 * Context: any.
 * Return: true if neither arguments nor results may be reduced.
 */
bool svcrdma_call_protected(const void *call, size_t len)
{
	const __be32 *p = call;

	if (len < SVCRDMA_CALL_WORDS * sizeof(*p))
		return false;
	if (be32_to_cpu(p[SVCRDMA_CALL_FLAVOR]) != SVCRDMA_FLAVOR_GSS)
		return false;
	return be32_to_cpu(p[SVCRDMA_CALL_GSS_PROC]) != SVCRDMA_GSS_DATA ||
	       be32_to_cpu(p[SVCRDMA_CALL_GSS_SVC]) != SVCRDMA_GSS_SVC_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_call_protected);

/**
 * svcrdma_call_args - where the arguments of an RPC Call begin
 * @call: beginning of the RPC Call
 * @len: bytes of @call that can be read
 *
 * Context: any.
 * Return: bytes of the RPC header, credential and verifier included; U32_MAX if it does
 * not end within @len.
 */
u32 svcrdma_call_args(const void *call, size_t len)
{
	const __be32 *words = call;
	size_t at = SVCRDMA_CALL_FLAVOR * sizeof(*words);
	unsigned int i;
	u32 body;

	for (i = 0; i < SVCRDMA_CALL_AUTHS; i++) {
		if (at + 2 * sizeof(*words) > len)
			return U32_MAX;
		body = be32_to_cpu(words[at / sizeof(*words) + 1]);
		if (body > RPC_MAX_AUTH_SIZE)
			return U32_MAX;
		at += 2 * sizeof(*words) + ALIGN(body, XDR_UNIT);
	}
	return at > len ? U32_MAX : at;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_call_args);
