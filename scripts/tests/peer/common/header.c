// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/header.h"
#include "common/test.h"

#define PRIVATE_MAGIC		0xf6ab0e18
#define PRIVATE_VERSION		1
#define PRIVATE_REMOTE_INV	0x01
#define PRIVATE_UNIT		1024

void check_list_length(unsigned int used, unsigned int max)
{
	if (used < max)
		return;
	fprintf(stderr, "peer: a test builds a chunk list that is too long\n");
	abort();
}

void header_init(struct header *header, uint32_t xid)
{
	memset(header, 0, sizeof(*header));
	header->xid = xid;
	header->layout = target.version;
	header->vers = target.version;
	header->credit = 32;
	header->proc = RDMA_MSG;
}

size_t header_min_size(void)
{
	return target.version == 2 ? 36 : 28;
}

size_t header_fixed_size(void)
{
	return target.version == 2 ? 20 : 16;
}

void header_add_read(struct header *header, uint32_t position, uint32_t handle,
		     uint32_t length, uint64_t offset)
{
	check_list_length(header->nreads, HEADER_SEGMENTS);
	header->reads[header->nreads++] = (struct segment) {
		.position = position, .handle = handle,
		.length = length, .offset = offset,
	};
}

struct chunk *header_add_write(struct header *header)
{
	check_list_length(header->nwrites, HEADER_CHUNKS);
	return &header->writes[header->nwrites++];
}

struct chunk *header_add_reply(struct header *header)
{
	header->has_reply = true;
	return &header->reply;
}

void chunk_add(struct chunk *chunk, uint32_t handle, uint32_t length,
	       uint64_t offset)
{
	check_list_length(chunk->nsegs, HEADER_SEGMENTS);
	chunk->segs[chunk->nsegs++] = (struct segment) {
		.handle = handle, .length = length, .offset = offset,
	};
}

uint64_t chunk_length(const struct chunk *chunk)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < chunk->nsegs; i++)
		sum += chunk->segs[i].length;
	return sum;
}

static bool chunk_offers(const struct chunk *chunk, uint32_t handle)
{
	unsigned int i;

	for (i = 0; i < chunk->nsegs; i++)
		if (chunk->segs[i].handle == handle)
			return true;
	return false;
}

bool header_has_handle(const struct header *header, uint32_t handle)
{
	unsigned int i;

	for (i = 0; i < header->nreads; i++)
		if (header->reads[i].handle == handle)
			return true;
	for (i = 0; i < header->nwrites; i++)
		if (chunk_offers(&header->writes[i], handle))
			return true;
	return header->has_reply && chunk_offers(&header->reply, handle);
}

uint32_t header_first_handle(const struct header *header)
{
	if (header->nwrites && header->writes[0].nsegs)
		return header->writes[0].segs[0].handle;
	if (header->has_reply && header->reply.nsegs)
		return header->reply.segs[0].handle;
	return header->nreads ? header->reads[0].handle : 0;
}

static void put_segment(struct xdr_out *out, const struct segment *segment)
{
	put_u32(out, segment->handle);
	put_u32(out, segment->length);
	put_u64(out, segment->offset);
}

static void put_chunk(struct xdr_out *out, const struct chunk *chunk)
{
	unsigned int i;

	put_u32(out, chunk->nsegs);
	for (i = 0; i < chunk->nsegs; i++)
		put_segment(out, &chunk->segs[i]);
}

void header_put_lists(struct xdr_out *out, const struct header *header)
{
	unsigned int i;

	for (i = 0; i < header->nreads; i++) {
		put_u32(out, 1);
		put_u32(out, header->reads[i].position);
		put_segment(out, &header->reads[i]);
	}
	put_u32(out, 0);
	for (i = 0; i < header->nwrites; i++) {
		put_u32(out, 1);
		put_chunk(out, &header->writes[i]);
	}
	put_u32(out, 0);
	put_u32(out, header->has_reply);
	if (header->has_reply)
		put_chunk(out, &header->reply);
}

void header_put(struct xdr_out *out, const struct header *header)
{
	put_u32(out, header->xid);
	put_u32(out, header->vers);
	put_u32(out, header->credit);
	put_u32(out, header->proc);
	if (header->layout == 2) {
		v2_header_put(out, header);
		return;
	}
	switch (header->proc) {
	case RDMA_DONE:
		return;
	case RDMA_ERROR:
		put_u32(out, header->error);
		if (header->error == ERR_VERS) {
			put_u32(out, header->low);
			put_u32(out, header->high);
		}
		return;
	case RDMA_MSGP:
		put_u32(out, 0);
		put_u32(out, 0);
	}
	header_put_lists(out, header);
}

static void get_segment(struct xdr_in *in, struct segment *segment)
{
	segment->handle = get_u32(in);
	segment->length = get_u32(in);
	segment->offset = get_u64(in);
}

static const char *get_chunk(struct xdr_in *in, struct chunk *chunk)
{
	unsigned int i;

	chunk->nsegs = get_u32(in);
	if (chunk->nsegs > HEADER_SEGMENTS)
		return "a chunk has more segments than the peer supports";
	for (i = 0; i < chunk->nsegs; i++)
		get_segment(in, &chunk->segs[i]);
	return NULL;
}

static const char *get_reads(struct xdr_in *in, struct header *header)
{
	uint32_t more;

	while ((more = get_u32(in)) == 1) {
		if (header->nreads == HEADER_SEGMENTS)
			return "the Read list has more segments than the peer supports";
		header->reads[header->nreads].position = get_u32(in);
		get_segment(in, &header->reads[header->nreads++]);
	}
	return more ? "a discriminator of the Read list is neither 0 nor 1" : NULL;
}

static const char *get_writes(struct xdr_in *in, struct header *header)
{
	const char *wrong = NULL;
	uint32_t more = 0;

	while (!wrong && (more = get_u32(in)) == 1) {
		if (header->nwrites == HEADER_CHUNKS)
			return "the Write list has more chunks than the peer supports";
		wrong = get_chunk(in, &header->writes[header->nwrites++]);
	}
	if (wrong)
		return wrong;
	return more ? "a discriminator of the Write list is neither 0 nor 1" : NULL;
}

static const char *get_reply(struct xdr_in *in, struct header *header)
{
	uint32_t present = get_u32(in);

	if (present > 1)
		return "the discriminator of the Reply chunk is neither 0 nor 1";
	header->has_reply = present;
	return present ? get_chunk(in, &header->reply) : NULL;
}

const char *header_get_lists(struct xdr_in *in, struct header *header)
{
	const char *wrong = get_reads(in, header);

	if (!wrong)
		wrong = get_writes(in, header);
	if (!wrong)
		wrong = get_reply(in, header);
	return wrong;
}

static const char *get_error(struct xdr_in *in, struct header *header)
{
	header->error = get_u32(in);
	switch (header->error) {
	case ERR_VERS:
		header->low = get_u32(in);
		header->high = get_u32(in);
		return NULL;
	case ERR_CHUNK:
		return NULL;
	}
	return "RDMA_ERROR with an unknown error code";
}

static const char *header1_get(struct header *header, struct xdr_in *in)
{
	switch (header->proc) {
	case RDMA_MSG:
	case RDMA_NOMSG:
		if (header->vers != 1)
			return "a version other than 1";
		return header_get_lists(in, header);
	case RDMA_ERROR:
		return get_error(in, header);
	}
	return "an unknown or obsolete procedure";
}

const char *header_get(struct header *header, const void *data, size_t len)
{
	const char *wrong;
	struct xdr_in in;

	memset(header, 0, sizeof(*header));
	xdr_in_init(&in, data, len);
	header->xid = get_u32(&in);
	header->vers = get_u32(&in);
	header->credit = get_u32(&in);
	header->proc = get_u32(&in);
	if (in.bad)
		return "shorter than the four fixed words";
	header->layout = header->vers == 2 ? 2 : 1;
	wrong = header->layout == 2 ? v2_header_get(header, &in) :
				      header1_get(header, &in);
	if (!wrong && in.bad)
		wrong = "the header is truncated";
	header->size = len - in.left;
	return wrong;
}

void private_put(uint8_t *data, bool remote_inv, unsigned int send_size,
		 unsigned int recv_size)
{
	set_u32(data, PRIVATE_MAGIC);
	data[4] = PRIVATE_VERSION;
	data[5] = remote_inv ? PRIVATE_REMOTE_INV : 0;
	data[6] = send_size / PRIVATE_UNIT - 1;
	data[7] = recv_size / PRIVATE_UNIT - 1;
}

void private_get(struct private_data *private, const uint8_t *data, size_t len)
{
	*private = (struct private_data) {
		.send_size = PRIVATE_UNIT, .recv_size = PRIVATE_UNIT,
	};
	if (len < PRIVATE_SIZE || word_at(data, 0) != PRIVATE_MAGIC ||
	    data[4] != PRIVATE_VERSION)
		return;
	private->found = true;
	private->remote_inv = data[5] & PRIVATE_REMOTE_INV;
	private->send_size = (data[6] + 1) * PRIVATE_UNIT;
	private->recv_size = (data[7] + 1) * PRIVATE_UNIT;
}
