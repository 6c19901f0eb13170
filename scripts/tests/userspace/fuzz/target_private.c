// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a peer announces: CM private data, and the properties of version 2.
 *
 * Input: own sizes; a length and the private data; the rest is a set of properties.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/minmax.h>
#include <rpcrdma/cm_private.h>
#include "message.h"

#define PRIVATE_MAX	256
#define SET_AT		RPCRDMA_V2_PREFIX_SIZE

static void check_size(u32 size)
{
	CHECK(size >= 1024 && size <= 256 * 1024 && size % 1024 == 0);
}

static bool is_ours(const u8 *data, size_t len)
{
	static const u8 begin[] = { 0xf6, 0xab, 0x0e, 0x18, 1 };

	return len >= 8 && !memcmp(data, begin, sizeof(begin));
}

/* @data has no alignment */
static void check_private(const u8 *data, size_t len)
{
	struct rpcrdma_cm_private priv, again;
	struct rpcrdma_wire_cmp wire;

	rpcrdma_cm_private_decode(&priv, data, len);
	check_size(priv.send_size);
	check_size(priv.recv_size);
	CHECK(priv.present == is_ours(data, len));
	if (!priv.present) {
		CHECK(priv.send_size == 1024 && priv.recv_size == 1024 && !priv.remote_inv);
		return;
	}
	CHECK(priv.remote_inv == (data[5] & 1));
	rpcrdma_cm_private_encode(&priv, &wire);
	CHECK(!memcmp(&wire, data, 5) && !memcmp(&wire.send_size, data + 6, 2));
	rpcrdma_cm_private_decode(&again, &wire, sizeof(wire));
	CHECK(again.send_size == priv.send_size && again.recv_size == priv.recv_size &&
	      again.remote_inv == priv.remote_inv && again.present);
}

/* Never more than there is, and less than 1 KiB less */
static void check_announced(u32 size, u32 announced)
{
	check_size(announced);
	if (size >= 1024)
		CHECK(announced <= size);
	if (size < 256 * 1024)
		CHECK(announced + 1024 > size);
}

static void check_own(struct fuzz_input *in)
{
	struct rpcrdma_cm_private own = {
		.send_size = fuzz_any(in), .recv_size = fuzz_any(in),
		.remote_inv = fuzz_bool(in),
	}, priv;
	struct rpcrdma_wire_cmp wire;
	u32 threshold;

	rpcrdma_cm_private_encode(&own, &wire);
	rpcrdma_cm_private_decode(&priv, &wire, sizeof(wire));
	CHECK(priv.present && priv.remote_inv == own.remote_inv);
	check_announced(own.send_size, priv.send_size);
	check_announced(own.recv_size, priv.recv_size);
	threshold = rpcrdma_inline_threshold(own.send_size, own.recv_size);
	CHECK(threshold == own.send_size || threshold == own.recv_size);
	CHECK(threshold <= own.send_size && threshold <= own.recv_size);
}

static void check_threshold(const struct rpcrdma_props *props, u32 own)
{
	u32 threshold = rpcrdma_props_threshold(props, own);

	CHECK(threshold <= own);
	CHECK(threshold <= max_t(u32, props->recv_size, 1024));
	CHECK(threshold >= min_t(u32, own, 1024));
}

/* A CONNPROP with any set of properties */
static void check_set(struct fuzz_input *in, u32 own)
{
	size_t len = min_t(size_t, in->left, FUZZ_MESSAGE_MAX - SET_AT);
	struct rpcrdma_msg *msg = fuzz_msg(0);
	u8 *set = fuzz_bytes(in, len);
	__be32 *wire = malloc(SET_AT + len);
	u32 word;

	for (word = 0; word < SET_AT / 4; word++)
		wire[word] = cpu_to_be32(word == 1 ? 2 : word == 3 ? 5 : 0);
	memcpy((u8 *)wire + SET_AT, set, len);
	if (!fuzz_decode(msg, RPCRDMA_VERSIONS_2, wire, SET_AT + len))
		check_threshold(&msg->props, own);
	CHECK(msg->props.reverse <= RPCRDMA_BRS_GENERAL);
	free(wire);
	free(set);
	fuzz_msg_free(msg);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	u32 own = fuzz_any(&in);
	size_t len, shift;
	u8 *private;

	check_own(&in);
	shift = fuzz_below(&in, 4);
	len = min_t(size_t, fuzz_below(&in, PRIVATE_MAX), in.left);
	private = malloc(shift + len);
	if (len)
		memcpy(private + shift, in.at, len);
	check_private(private + shift, len);
	free(private);
	in.at += len;
	in.left -= len;
	check_set(&in, own);
	return 0;
}
