// SPDX-License-Identifier: GPL-2.0-only
/*
 * Headers of version 2 (draft-cel-nfsv4-rpcrdma-version-two-09, sections 3 to
 * 6).
 *
 * The draft lays out ERR_VERS with a flags word, which an endpoint of version 1
 * would not understand. The correct form has seven words and no flags. The
 * decoder distinguishes the two, so a test can require the correct form.
 */
#include <string.h>
#include "common/header.h"

/* Highest "lowest version" of an ERR_VERS; higher values are error codes */
#define VERSION_MAX	2

void header_set_response(struct header *header)
{
	header->flags |= FLAG_RESPONSE;
}

struct property *header_add_property(struct header *header, uint32_t which,
				     const void *data, uint32_t len)
{
	struct property *property;

	check_list_length(header->nproperties, HEADER_PROPERTIES);
	property = &header->properties[header->nproperties++];
	property->which = which;
	property->len = len;
	if (len)
		memcpy(property->data, data, len);
	return property;
}

void header_add_number(struct header *header, uint32_t which, uint32_t value)
{
	uint8_t data[4];

	set_u32(data, value);
	header_add_property(header, which, data, sizeof(data));
}

static void put_error(struct xdr_out *out, const struct header *header)
{
	put_u32(out, header->error);
	switch (header->error) {
	case ERR2_VERS:
		put_u32(out, header->low);
		put_u32(out, header->high);
		break;
	case ERR2_READ_CHUNKS:
	case ERR2_WRITE_CHUNKS:
	case ERR2_SEGMENTS:
		put_u32(out, header->max);
		break;
	case ERR2_WRITE_RESOURCE:
		put_u32(out, header->index);
		put_u32(out, header->needed);
		break;
	case ERR2_REPLY_RESOURCE:
		put_u32(out, header->needed);
		break;
	}
}

static void put_properties(struct xdr_out *out, const struct header *header)
{
	const struct property *property = header->properties;
	unsigned int i;

	put_u32(out, header->nproperties);
	for (i = 0; i < header->nproperties; i++, property++) {
		put_u32(out, property->which);
		put_opaque(out, property->data, property->len);
	}
}

void v2_header_put(struct xdr_out *out, const struct header *header)
{
	bool error = header->proc == RDMA_ERROR;

	if (!error || header->error != ERR2_VERS || header->err_vers_flags)
		put_u32(out, header->flags);
	switch (header->proc) {
	case RDMA_ERROR:
		put_error(out, header);
		break;
	case RDMA2_CONNPROP:
		put_properties(out, header);
		break;
	default:
		put_u32(out, header->inv_handle);
		header_put_lists(out, header);
		break;
	}
}

/* An ERR_VERS without flags: 28 bytes, and word 4 is the error code */
static bool seven_words(const struct xdr_in *in)
{
	return in->left == 12 && word_at(in->data, 0) == ERR2_VERS &&
	       word_at(in->data, 1) <= VERSION_MAX;
}

static const char *get_error(struct xdr_in *in, struct header *header)
{
	bool seven = seven_words(in);

	if (!seven)
		header->flags = get_u32(in);
	header->error = get_u32(in);
	switch (header->error) {
	case ERR2_VERS:
		header->err_vers_flags = !seven;
		header->low = get_u32(in);
		header->high = get_u32(in);
		return NULL;
	case ERR2_BAD_XDR:
	case ERR2_INVAL_HTYPE:
	case ERR2_SYSTEM:
		return NULL;
	case ERR2_READ_CHUNKS:
	case ERR2_WRITE_CHUNKS:
	case ERR2_SEGMENTS:
		header->max = get_u32(in);
		return NULL;
	case ERR2_WRITE_RESOURCE:
		header->index = get_u32(in);
		header->needed = get_u32(in);
		return NULL;
	case ERR2_REPLY_RESOURCE:
		header->needed = get_u32(in);
		return NULL;
	}
	return "RDMA2_ERROR with an unknown error code";
}

static const char *get_properties(struct xdr_in *in, struct header *header)
{
	unsigned int i, count = get_u32(in);
	struct property *property;
	const uint8_t *data;

	if (count > HEADER_PROPERTIES)
		return "more properties than the peer supports";
	for (i = 0; i < count; i++) {
		property = &header->properties[header->nproperties++];
		property->which = get_u32(in);
		data = get_opaque(in, &property->len);
		if (!data)
			return "a property extends past the end of the message";
		memcpy(property->data, data,
		       property->len < PROPERTY_SIZE ? property->len :
						       PROPERTY_SIZE);
	}
	return NULL;
}

const char *v2_header_get(struct header *header, struct xdr_in *in)
{
	if (header->proc == RDMA_ERROR)
		return get_error(in, header);
	header->flags = get_u32(in);
	switch (header->proc) {
	case RDMA_MSG:
	case RDMA_NOMSG:
		header->inv_handle = get_u32(in);
		return header_get_lists(in, header);
	case RDMA2_CONNPROP:
		return get_properties(in, header);
	}
	return "an unknown or obsolete header type";
}
