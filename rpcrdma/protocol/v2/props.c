// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transport properties of version 2 on the wire (v2 section 4).
 *
 * A set is a counted array of items, each a number and opaque data. Unknown
 * numbers are stepped over, so that an extension can be added (V2-PROP-09).
 * One bad item spoils the set: nothing of it is used (V2-PROP-12). A new
 * property is one more case in rpcrdma_props_take() and one more item in the
 * encoder. Pure.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/sunrpc/xdr.h>
#include <rpcrdma/v2/props.h>

#define RPCRDMA_PROPS_SENT	2	/* items that the encoder writes */
#define RPCRDMA_PROP_HEAD_WORDS	2	/* number and length of an item */
#define RPCRDMA_PROP_U32_WORDS	(RPCRDMA_PROP_HEAD_WORDS + 1)

/**
 * rpcrdma_props_default - what holds for an end that has said nothing
 * @props: filled in (V2-PROP-10)
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
 * rpcrdma_props_size - bytes of the property set that we send
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
 * rpcrdma_props_encode - write a property set
 * @p: where to write; rpcrdma_props_size() bytes are free there
 * @props: what to say; a Receive Buffer Size below the default is never said
 *	(V2-RBS-07)
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

/* Data of length 0 says the default; other lengths than a word's are bad */
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
 * rpcrdma_props_decode - read a property set
 * @props: result; the defaults if the set is refused. An item that is not in
 *	the set has its default, and of an item that comes twice the later one
 *	counts (V2-CPR-06, V2-PROP-13)
 * @xdr: stream at the set; moves past it
 *
 * Context: any.
 * Return: RPCRDMA_OK or RPCRDMA_R_PROPERTY (V2-PROP-04 to V2-PROP-08).
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
	/* A count that lies ends where the message does */
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
 * rpcrdma_props_threshold - largest message to an end
 * @props: what that end has said, hostile
 * @own: largest Send of this end, bytes
 *
 * Context: any.
 * Return: bytes, from RPCRDMA_V2_INLINE_MIN (if @own is that large) to @own
 * (V2-RBS-08, V2-INL-06, V2-SEC-04).
 */
u32 rpcrdma_props_threshold(const struct rpcrdma_props *props, u32 own)
{
	return min(own, max_t(u32, props->recv_size, RPCRDMA_V2_INLINE_MIN));
}
EXPORT_SYMBOL_GPL(rpcrdma_props_threshold);
