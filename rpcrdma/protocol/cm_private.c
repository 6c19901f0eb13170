// SPDX-License-Identifier: GPL-2.0-only
/*
 * CM private data (RFC 8797): eight bytes that each end hands to the
 * connection manager, so that both know larger inline thresholds and the use
 * of Send With Invalidate before the first message.
 *
 * What arrives is hostile and may be anybody's: absent, another protocol's, or
 * of a later version. All of that means the defaults of RFC 8166 (1024 bytes
 * each way, no remote invalidation) and is no error. InfiniBand pads private
 * data to a fixed size, so a length beyond eight bytes says nothing. Pure.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include <rpcrdma/cm_private.h>

/* Sizes travel as (bytes / 1024) - 1 in one byte */
static u8 rpcrdma_cm_private_size_encode(u32 bytes)
{
	bytes = clamp_t(u32, bytes, RPCRDMA_CMP_SIZE_UNIT,
			RPCRDMA_CMP_SIZE_MAX);
	return bytes / RPCRDMA_CMP_SIZE_UNIT - 1;
}

static u32 rpcrdma_cm_private_size_decode(u8 size)
{
	return (size + 1) * RPCRDMA_CMP_SIZE_UNIT;
}

/**
 * rpcrdma_cm_private_encode - make the private data to announce
 * @priv: what to announce; sizes outside 1 KiB to 256 KiB are clamped, and
 *	rounded down to a multiple of 1 KiB. @priv->present is not looked at
 * @wire: result
 *
 * Context: any.
 */
void rpcrdma_cm_private_encode(const struct rpcrdma_cm_private *priv,
			       struct rpcrdma_wire_cmp *wire)
{
	wire->magic = cpu_to_be32(RPCRDMA_CMP_MAGIC);
	wire->version = RPCRDMA_CMP_VERSION;
	wire->flags = priv->remote_inv ? RPCRDMA_CMP_F_REMOTE_INV : 0;
	wire->send_size = rpcrdma_cm_private_size_encode(priv->send_size);
	wire->recv_size = rpcrdma_cm_private_size_encode(priv->recv_size);
}
EXPORT_SYMBOL_GPL(rpcrdma_cm_private_encode);

/**
 * rpcrdma_cm_private_decode - read what a peer announced
 * @priv: result, always completely set; @priv->present tells whether it comes
 *	from @data or holds the defaults
 * @data: private data of a CM event, of any alignment; NULL if there is none
 * @len: bytes at @data, padding included
 *
 * Flags that RFC 8797 does not define are ignored.
 *
 * Context: any.
 */
void rpcrdma_cm_private_decode(struct rpcrdma_cm_private *priv,
			       const void *data, size_t len)
{
	struct rpcrdma_wire_cmp wire;

	*priv = (struct rpcrdma_cm_private) {
		.send_size	= RPCRDMA_V1_DEF_INLINE,
		.recv_size	= RPCRDMA_V1_DEF_INLINE,
	};

	if (!data || len < sizeof(wire))
		return;
	memcpy(&wire, data, sizeof(wire));
	if (wire.magic != cpu_to_be32(RPCRDMA_CMP_MAGIC) ||
	    wire.version != RPCRDMA_CMP_VERSION)
		return;

	priv->send_size = rpcrdma_cm_private_size_decode(wire.send_size);
	priv->recv_size = rpcrdma_cm_private_size_decode(wire.recv_size);
	priv->remote_inv = wire.flags & RPCRDMA_CMP_F_REMOTE_INV;
	priv->present = true;
}
EXPORT_SYMBOL_GPL(rpcrdma_cm_private_decode);

/**
 * rpcrdma_inline_threshold - largest message in one direction
 * @sender_size: largest Send that the sender makes, bytes
 * @receiver_size: size of the receiver's Receive buffers, bytes
 *
 * Context: any.
 * Return: bytes, header and payload together (V1-INL-01, T-22).
 */
u32 rpcrdma_inline_threshold(u32 sender_size, u32 receiver_size)
{
	return min(sender_size, receiver_size);
}
EXPORT_SYMBOL_GPL(rpcrdma_inline_threshold);
