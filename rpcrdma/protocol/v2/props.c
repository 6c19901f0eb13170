// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transport properties of version 2 on the wire (rpcrdma-version-two-09 4).
 *
 * A property set is a counted array of items, each a number and opaque data. Unknown
 * numbers are skipped, so that an extension can add some. If one item is bad, nothing
 * of the set is used. A new property needs a case in rpcrdma_props_take() and an item
 * in rpcrdma_props_encode(). Pure: no device, no lock.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/sunrpc/xdr.h>
#include <rpcrdma/v2/props.h>

#define RPCRDMA_PROPS_SENT	2	/* items that the encoder writes */
#define RPCRDMA_PROP_HEAD_WORDS	2	/* number and length of an item */
#define RPCRDMA_PROP_U32_WORDS	(RPCRDMA_PROP_HEAD_WORDS + 1)

/**
 * rpcrdma_props_default - the properties of a peer that has not sent any
 * @props: filled in
 *
 * Context: any.
 */
void rpcrdma_props_default(struct rpcrdma_props *props)
{
	*props = (struct rpcrdma_props) {
		.recv_size	= RPCRDMA_V2_DEF_INLINE,
		.reverse	= RPCRDMA_BRS_INLINE,
	};
}
EXPORT_SYMBOL_GPL(rpcrdma_props_default);

/**
 * rpcrdma_props_size - size of the property set that rpcrdma_props_encode() writes
 *
 * Context: any.
 * Return: bytes.
 */
size_t rpcrdma_props_size(void)
{
	return (1 + RPCRDMA_PROPS_SENT * RPCRDMA_PROP_U32_WORDS) *
	       sizeof(__be32);
}

static __be32 *rpcrdma_props_put_u32(__be32 *p, u32 which, u32 value)
{
	*p++ = cpu_to_be32(which);
	*p++ = cpu_to_be32(sizeof(value));
	*p++ = cpu_to_be32(value);
	return p;
}

/**
 * rpcrdma_props_encode - encode a property set
 * @p: buffer with rpcrdma_props_size() bytes
 * @props: properties; a Receive Buffer Size below the default is sent as the default
 *
 * Context: any.
 * Return: the word after the set.
 */
__be32 *rpcrdma_props_encode(__be32 *p, const struct rpcrdma_props *props)
{
	u32 size = max_t(u32, props->recv_size, RPCRDMA_V2_DEF_INLINE);

	*p++ = cpu_to_be32(RPCRDMA_PROPS_SENT);
	p = rpcrdma_props_put_u32(p, RPCRDMA_WIRE_PROP_RBSIZ, size);
	return rpcrdma_props_put_u32(p, RPCRDMA_WIRE_PROP_BRS, props->reverse);
}

/* Data of length 0 means the default; it must be a word otherwise */
static bool rpcrdma_props_u32(const __be32 *data, u32 len, u32 fallback,
			      u32 *value)
{
	*value = fallback;
	if (!len)
		return true;
	if (len != sizeof(*data))
		return false;
	*value = be32_to_cpup(data);
	return true;
}

static bool rpcrdma_props_take(struct rpcrdma_props *props, u32 which,
			       const __be32 *data, u32 len)
{
	u32 value;

	switch (which) {
	case RPCRDMA_WIRE_PROP_RBSIZ:
		return rpcrdma_props_u32(data, len, RPCRDMA_V2_DEF_INLINE,
					 &props->recv_size);
	case RPCRDMA_WIRE_PROP_BRS:
		if (!rpcrdma_props_u32(data, len, RPCRDMA_BRS_INLINE, &value) ||
		    value > RPCRDMA_BRS_GENERAL)
			return false;
		props->reverse = value;
		return true;
	}
	return true;
}

/**
 * rpcrdma_props_decode - decode a property set
 * @props: result; the defaults if the set is refused. An item that is not in the set
 *	gets its default; of an item that comes twice the later one is used
 * @xdr: stream at the set; moves past it
 *
 * Context: any.
 * Return: RPCRDMA_OK or RPCRDMA_R_PROPERTY (rpcrdma-version-two-09 4.1).
 */
enum rpcrdma_reason rpcrdma_props_decode(struct rpcrdma_props *props,
					 struct xdr_stream *xdr)
{
	struct rpcrdma_props set;
	u32 count, which, len;
	__be32 *p;

	rpcrdma_props_default(props);
	set = *props;
	if (xdr_stream_decode_u32(xdr, &count))
		return RPCRDMA_R_PROPERTY;
	/* A count that is too large ends with the message */
	while (count--) {
		p = xdr_inline_decode(xdr,
				      RPCRDMA_PROP_HEAD_WORDS * sizeof(*p));
		if (!p)
			return RPCRDMA_R_PROPERTY;
		which = be32_to_cpup(p);
		len = be32_to_cpup(p + 1);
		if (len > xdr_stream_remaining(xdr))
			return RPCRDMA_R_PROPERTY;
		p = xdr_inline_decode(xdr, len);
		if (!p || !rpcrdma_props_take(&set, which, p, len))
			return RPCRDMA_R_PROPERTY;
	}
	*props = set;
	return RPCRDMA_OK;
}

/**
 * rpcrdma_props_threshold - the largest message that a peer can receive
 * @props: properties of the peer; not trusted
 * @own: our own limit, bytes
 *
 * Context: any.
 * Return: bytes: at most @own, and at least RPCRDMA_V2_INLINE_MIN if @own is that
 * large, whatever the peer says.
 */
u32 rpcrdma_props_threshold(const struct rpcrdma_props *props, u32 own)
{
	return min(own, max_t(u32, props->recv_size, RPCRDMA_V2_INLINE_MIN));
}
EXPORT_SYMBOL_GPL(rpcrdma_props_threshold);
