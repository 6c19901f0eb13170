/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * XDR, in the plainest way: words are put behind each other, and taken from the
 * front. Running out of room ends the program, which is a mistake in a test;
 * running out of input is remembered in @bad, which is the other end's.
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
 * struct xdr_in - what is left of a message
 * @bad: something was taken that was not there; all later values are 0
 */
struct xdr_in {
	const uint8_t	*data;
	size_t		left;
	bool		bad;
};

void put_u32(struct xdr_out *out, uint32_t value);
void put_u64(struct xdr_out *out, uint64_t value);
void put_bytes(struct xdr_out *out, const void *data, size_t len);

/* Length, bytes and pad */
void put_opaque(struct xdr_out *out, const void *data, size_t len);

/* Bytes and pad; what is inside has its length in the type */
void put_fixed(struct xdr_out *out, const void *data, size_t len);
void put_string(struct xdr_out *out, const char *text);

/* Change a word that is already there */
void set_u32(void *at, uint32_t value);
uint32_t word_at(const void *data, size_t index);

void xdr_in_init(struct xdr_in *in, const void *data, size_t len);
uint32_t get_u32(struct xdr_in *in);
uint64_t get_u64(struct xdr_in *in);

/* NULL when there are not so many; get_opaque() skips the pad too */
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
