/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * XDR encoding and decoding. Encoding appends. Exceeding the buffer is a bug of
 * the test and ends the program. Decoding past the end of the input is an error
 * of the other end and sets @bad.
 */
#ifndef PEER_XDR_H
#define PEER_XDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XDR_OUT_MAX	65536

struct xdr_out {
	uint8_t	data[XDR_OUT_MAX];
	size_t	len;
};

/*
 * struct xdr_in - the rest of a message
 * @bad: the input was too short; all later values are 0
 */
struct xdr_in {
	const uint8_t	*data;
	size_t		left;
	bool		bad;
};

void put_u32(struct xdr_out *out, uint32_t value);
void put_u64(struct xdr_out *out, uint64_t value);
void put_bytes(struct xdr_out *out, const void *data, size_t len);

/* Length, bytes and padding */
void put_opaque(struct xdr_out *out, const void *data, size_t len);

/* Bytes and padding of a fixed-length opaque */
void put_fixed(struct xdr_out *out, const void *data, size_t len);
void put_string(struct xdr_out *out, const char *text);

/* Change a word that is already encoded */
void set_u32(void *at, uint32_t value);
uint32_t word_at(const void *data, size_t index);

void xdr_in_init(struct xdr_in *in, const void *data, size_t len);
uint32_t get_u32(struct xdr_in *in);
uint64_t get_u64(struct xdr_in *in);

/* NULL if the input is too short; get_opaque() skips the padding too */
const uint8_t *get_bytes(struct xdr_in *in, size_t len);
const uint8_t *get_opaque(struct xdr_in *in, uint32_t *len);

static inline size_t xdr_pad(size_t len)
{
	return -len & 3;
}

static inline size_t xdr_round(size_t len)
{
	return len + xdr_pad(len);
}

#endif /* PEER_XDR_H */
