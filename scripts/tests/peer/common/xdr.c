// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/xdr.h"

void put_bytes(struct xdr_out *out, const void *data, size_t len)
{
	if (len > sizeof(out->data) - out->len) {
		fprintf(stderr, "peer: a test builds a message that is too long\n");
		abort();
	}
	memcpy(out->data + out->len, data, len);
	out->len += len;
}

void put_u32(struct xdr_out *out, uint32_t value)
{
	value = htonl(value);
	put_bytes(out, &value, sizeof(value));
}

void put_u64(struct xdr_out *out, uint64_t value)
{
	put_u32(out, value >> 32);
	put_u32(out, value);
}

void put_fixed(struct xdr_out *out, const void *data, size_t len)
{
	static const uint8_t zero[4];

	put_bytes(out, data, len);
	put_bytes(out, zero, xdr_pad(len));
}

void put_opaque(struct xdr_out *out, const void *data, size_t len)
{
	put_u32(out, len);
	put_fixed(out, data, len);
}

void put_string(struct xdr_out *out, const char *text)
{
	put_opaque(out, text, strlen(text));
}

void set_u32(void *at, uint32_t value)
{
	value = htonl(value);
	memcpy(at, &value, sizeof(value));
}

uint32_t word_at(const void *data, size_t index)
{
	uint32_t value;

	memcpy(&value, (const uint8_t *)data + index * 4, sizeof(value));
	return ntohl(value);
}

void xdr_in_init(struct xdr_in *in, const void *data, size_t len)
{
	*in = (struct xdr_in) { .data = data, .left = len };
}

const uint8_t *get_bytes(struct xdr_in *in, size_t len)
{
	const uint8_t *data = in->data;

	if (in->bad || len > in->left) {
		in->bad = true;
		return NULL;
	}
	in->data += len;
	in->left -= len;
	return data;
}

uint32_t get_u32(struct xdr_in *in)
{
	const uint8_t *data = get_bytes(in, 4);

	return data ? word_at(data, 0) : 0;
}

uint64_t get_u64(struct xdr_in *in)
{
	uint64_t high = get_u32(in);

	return high << 32 | get_u32(in);
}

const uint8_t *get_opaque(struct xdr_in *in, uint32_t *len)
{
	const uint8_t *data;

	*len = get_u32(in);
	data = get_bytes(in, *len);
	if (data)
		get_bytes(in, xdr_pad(*len));
	return in->bad ? NULL : data;
}
