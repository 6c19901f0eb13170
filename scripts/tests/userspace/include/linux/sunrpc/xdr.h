/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading and writing XDR in one flat buffer */
#ifndef _USERSPACE_LINUX_SUNRPC_XDR_H
#define _USERSPACE_LINUX_SUNRPC_XDR_H

#include <asm/byteorder.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/compiler_types.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define XDR_UNIT	4U

#define xdr_zero	cpu_to_be32(0)
#define xdr_one		cpu_to_be32(1)

struct kvec {
	void	*iov_base;
	size_t	iov_len;
};

/* The kernel's has pages and a tail, which no header uses */
struct xdr_buf {
	struct kvec	head[1];
	unsigned int	buflen;
	unsigned int	len;
};

/*
 * struct xdr_stream - a position in a buffer
 * @base: the buffer
 * @len:  bytes in it; the last word may be cut
 * @at:   bytes that are read, whole words
 */
struct xdr_stream {
	u8	*base;
	size_t	len;
	size_t	at;
};

static inline void xdr_init_decode(struct xdr_stream *xdr, struct xdr_buf *buf,
				   __be32 *p, void *rqst)
{
	xdr->base = buf->head[0].iov_base;
	xdr->len = min_t(size_t, buf->len, buf->head[0].iov_len);
	xdr->at = 0;
}

/* In whole words, as in the kernel: a word that is cut counts, but cannot be read */
static inline size_t xdr_stream_remaining(const struct xdr_stream *xdr)
{
	return ALIGN(xdr->len, XDR_UNIT) - xdr->at;
}

static inline unsigned int xdr_stream_pos(const struct xdr_stream *xdr)
{
	return xdr->at;
}

static inline __be32 *xdr_inline_decode(struct xdr_stream *xdr, size_t len)
{
	u8 *p = xdr->base + xdr->at;

	len = ALIGN(len, XDR_UNIT);
	if (len && (xdr->at > xdr->len || len > xdr->len - xdr->at))
		return NULL;
	xdr->at += len;
	return (__be32 *)p;
}

static inline int xdr_stream_decode_u32(struct xdr_stream *xdr, u32 *value)
{
	__be32 *p = xdr_inline_decode(xdr, sizeof(*p));

	if (!p)
		return -EBADMSG;
	*value = be32_to_cpup(p);
	return 0;
}

static inline __be32 *xdr_decode_hyper(__be32 *p, u64 *value)
{
	*value = (u64)be32_to_cpup(p) << 32 | be32_to_cpup(p + 1);
	return p + 2;
}

static inline __be32 *xdr_encode_hyper(__be32 *p, u64 value)
{
	p[0] = cpu_to_be32(value >> 32);
	p[1] = cpu_to_be32((u32)value);
	return p + 2;
}

#endif /* _USERSPACE_LINUX_SUNRPC_XDR_H */
