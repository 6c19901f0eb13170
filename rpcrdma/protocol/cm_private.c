// SPDX-License-Identifier: GPL-2.0-only
/*
 * CM private data (RFC 8797): eight bytes that each side passes to the connection
 * manager. They announce larger inline thresholds, and Send With Invalidate, before
 * the first message.
 *
 * The private data of a peer may be absent, of another protocol, or of a later
 * version. That is no error: the defaults of RFC 8166 are used, 1024 bytes in each
 * direction and no remote invalidation. InfiniBand pads private data to a fixed size,
 * so a length above eight bytes has no meaning. Pure: no device, no lock.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include <rpcrdma/cm_private.h>

/* A size is one byte on the wire: (bytes / 1024) - 1 */
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
 * rpcrdma_cm_private_encode - encode private data
 * @priv: what to announce; sizes outside 1 KiB to 256 KiB are clamped, and
 *	rounded down to a multiple of 1 KiB. @priv->present is ignored
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
 * rpcrdma_cm_private_decode - decode the private data of a peer
 * @priv: result, always complete; @priv->present tells whether it is from @data or
 *	has the defaults
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
 * Return: bytes, header and payload together (RFC 8166 3.3.2).
 */
u32 rpcrdma_inline_threshold(u32 sender_size, u32 receiver_size)
{
	return min(sender_size, receiver_size);
}
EXPORT_SYMBOL_GPL(rpcrdma_inline_threshold);
