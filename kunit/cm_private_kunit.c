// SPDX-License-Identifier: GPL-2.0-only
/*
 * CM private data (RFC 8797).
 */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <rpcrdma/cm_private.h>
#include "support.h"

/* InfiniBand delivers this much, whatever was sent */
#define RPCRDMA_TEST_PADDED	196

struct rpcrdma_cm_private_case {
	const char		*name;
	u8			bytes[8];
	struct rpcrdma_cm_private	priv;
};

static const struct rpcrdma_cm_private_case rpcrdma_cm_private_cases[] = {
	{ "smallest sizes", { 0xf6, 0xab, 0x0e, 0x18, 1, 0, 0, 0 },
	  { 1024, 1024, false, true } },
	{ "largest sizes, remote invalidation",
	  { 0xf6, 0xab, 0x0e, 0x18, 1, 1, 255, 255 },
	  { 256 * 1024, 256 * 1024, true, true } },
	{ "8 KiB out, 4 KiB in", { 0xf6, 0xab, 0x0e, 0x18, 1, 1, 7, 3 },
	  { 8192, 4096, true, true } },
	{ "4 KiB both ways", { 0xf6, 0xab, 0x0e, 0x18, 1, 0, 3, 3 },
	  { 4096, 4096, false, true } },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_cm_private, rpcrdma_cm_private_cases, name);

static void rpcrdma_cm_private_expect(struct kunit *test,
				      const struct rpcrdma_cm_private *want,
				      const struct rpcrdma_cm_private *priv)
{
	KUNIT_EXPECT_EQ(test, want->send_size, priv->send_size);
	KUNIT_EXPECT_EQ(test, want->recv_size, priv->recv_size);
	KUNIT_EXPECT_EQ(test, want->remote_inv, priv->remote_inv);
	KUNIT_EXPECT_EQ(test, want->present, priv->present);
}

static void rpcrdma_cm_private_both_ways(struct kunit *test)
{
	const struct rpcrdma_cm_private_case *c = test->param_value;
	struct rpcrdma_cm_private priv;
	struct rpcrdma_wire_cmp wire;

	rpcrdma_cm_private_encode(&c->priv, &wire);
	KUNIT_EXPECT_MEMEQ(test, c->bytes, &wire, sizeof(wire));
	memset(&priv, 0xff, sizeof(priv));
	rpcrdma_cm_private_decode(&priv, c->bytes, sizeof(c->bytes));
	rpcrdma_cm_private_expect(test, &c->priv, &priv);
}

static void rpcrdma_cm_private_each_size(struct kunit *test)
{
	struct rpcrdma_cm_private priv, back;
	struct rpcrdma_wire_cmp wire;
	u32 kib;

	for (kib = 1; kib <= 256; kib++) {
		priv = (struct rpcrdma_cm_private) {
			.send_size	= kib * 1024,
			.recv_size	= (257 - kib) * 1024,
			.remote_inv	= kib & 1,
			.present	= true,
		};
		rpcrdma_cm_private_encode(&priv, &wire);
		rpcrdma_cm_private_decode(&back, &wire, sizeof(wire));
		rpcrdma_cm_private_expect(test, &priv, &back);
	}
}

static void rpcrdma_cm_private_clamp(struct kunit *test)
{
	static const u32 sizes[][2] = {
		{ 0, 0 }, { 1, 0 }, { 1023, 0 }, { 1024, 0 }, { 2047, 0 },
		{ 2048, 1 }, { 256 * 1024 - 1, 254 }, { 256 * 1024, 255 },
		{ 256 * 1024 + 1, 255 }, { U32_MAX, 255 },
	};
	struct rpcrdma_cm_private priv = {};
	struct rpcrdma_wire_cmp wire;
	int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		priv.send_size = sizes[i][0];
		priv.recv_size = sizes[i][0];
		rpcrdma_cm_private_encode(&priv, &wire);
		KUNIT_EXPECT_EQ(test, sizes[i][1], wire.send_size);
		KUNIT_EXPECT_EQ(test, sizes[i][1], wire.recv_size);
	}
}

static const struct rpcrdma_cm_private rpcrdma_cm_private_defaults = {
	.send_size	= 1024,
	.recv_size	= 1024,
};

/*
 * RFC 8166 3.3.3 (V1-INL-06, T-24): whatever is not RFC 8797 private data means
 * the defaults
 */
static void rpcrdma_cm_private_foreign(struct kunit *test)
{
	u8 bytes[] = { 0xf6, 0xab, 0x0e, 0x18, 1, 1, 7, 7 };
	struct rpcrdma_cm_private priv;
	size_t len;
	int i;

	rpcrdma_cm_private_decode(&priv, NULL, 0);
	rpcrdma_cm_private_expect(test, &rpcrdma_cm_private_defaults, &priv);
	rpcrdma_cm_private_decode(&priv, NULL, sizeof(bytes));
	rpcrdma_cm_private_expect(test, &rpcrdma_cm_private_defaults, &priv);

	for (len = 0; len < sizeof(bytes); len++) {
		rpcrdma_cm_private_decode(&priv,
					  rpcrdma_test_cut(test, bytes, len),
					  len);
		rpcrdma_cm_private_expect(test, &rpcrdma_cm_private_defaults,
					  &priv);
	}
	/* magic and version: any wrong byte */
	for (i = 0; i < 5; i++) {
		bytes[i] ^= 2;
		rpcrdma_cm_private_decode(&priv, bytes, sizeof(bytes));
		rpcrdma_cm_private_expect(test, &rpcrdma_cm_private_defaults,
					  &priv);
		bytes[i] ^= 2;
	}
	bytes[4] = 0;
	rpcrdma_cm_private_decode(&priv, bytes, sizeof(bytes));
	rpcrdma_cm_private_expect(test, &rpcrdma_cm_private_defaults, &priv);
}

/* Padded by InfiniBand, at an odd address, with flags of the future */
static void rpcrdma_cm_private_padded(struct kunit *test)
{
	static const u8 bytes[] = { 0xf6, 0xab, 0x0e, 0x18, 1, 0xff, 7, 3 };
	u8 padded[RPCRDMA_TEST_PADDED + 1] = {};
	struct rpcrdma_cm_private priv;

	memcpy(padded + 1, bytes, sizeof(bytes));
	rpcrdma_cm_private_decode(&priv, padded + 1, RPCRDMA_TEST_PADDED);
	KUNIT_EXPECT_TRUE(test, priv.present);
	KUNIT_EXPECT_TRUE(test, priv.remote_inv);
	KUNIT_EXPECT_EQ(test, 8192, priv.send_size);
	KUNIT_EXPECT_EQ(test, 4096, priv.recv_size);

	padded[6] = 0xfe;
	rpcrdma_cm_private_decode(&priv, padded + 1, RPCRDMA_TEST_PADDED);
	KUNIT_EXPECT_FALSE(test, priv.remote_inv);

	/* nothing was sent: all padding */
	memset(padded, 0, sizeof(padded));
	rpcrdma_cm_private_decode(&priv, padded, RPCRDMA_TEST_PADDED);
	rpcrdma_cm_private_expect(test, &rpcrdma_cm_private_defaults, &priv);
}

/*
 * RFC 8166 3.3.2 (V1-INL-01): the smaller of what is sent and what is received
 */
static void rpcrdma_cm_private_threshold(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 4096, rpcrdma_inline_threshold(8192, 4096));
	KUNIT_EXPECT_EQ(test, 4096, rpcrdma_inline_threshold(4096, 8192));
	KUNIT_EXPECT_EQ(test, 1024, rpcrdma_inline_threshold(1024, 1024));
}

#define RPCRDMA_CM_PRIVATE_SEED	0x8797
#define RPCRDMA_CM_PRIVATE_ROUNDS	20000

/* Byte by byte, as RFC 8797 section 4 draws it */
static void rpcrdma_cm_private_naive(struct rpcrdma_cm_private *priv,
				     const u8 *b, size_t len)
{
	*priv = rpcrdma_cm_private_defaults;
	if (len < 8 || b[0] != 0xf6 || b[1] != 0xab || b[2] != 0x0e ||
	    b[3] != 0x18 || b[4] != 1)
		return;
	priv->present = true;
	priv->remote_inv = b[5] & 1;
	priv->send_size = 1024 * (b[6] + 1);
	priv->recv_size = 1024 * (b[7] + 1);
}

/*
 * RFC 8166 3.3.3 (V1-INL-06): whatever comes, in memory that ends with it;
 * sizes stay in range
 */
static void rpcrdma_cm_private_fuzz(struct kunit *test)
{
	static const u8 good[] = { 0xf6, 0xab, 0x0e, 0x18, 1, 1, 7, 3 };
	unsigned int round, taken = 0;
	struct rpcrdma_cm_private want, priv;
	struct rnd_state rnd;
	size_t len;
	u8 *bytes;

	prandom_seed_state(&rnd, RPCRDMA_CM_PRIVATE_SEED);
	for (round = 0; round < RPCRDMA_CM_PRIVATE_ROUNDS; round++) {
		len = prandom_u32_state(&rnd) % 24;
		bytes = kmalloc(len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, bytes);
		prandom_bytes_state(&rnd, bytes, len);
		memcpy(bytes, good,
		       min_t(size_t, len, prandom_u32_state(&rnd) % 9));

		rpcrdma_cm_private_naive(&want, bytes, len);
		memset(&priv, 0xff, sizeof(priv));
		rpcrdma_cm_private_decode(&priv, bytes, len);
		kfree(bytes);
		rpcrdma_cm_private_expect(test, &want, &priv);
		KUNIT_EXPECT_GE(test, priv.recv_size, 1024);
		KUNIT_EXPECT_LE(test, priv.recv_size, 256 * 1024);
		taken += priv.present;
		if (rpcrdma_test_faulty(test, round))
			return;
	}
	KUNIT_EXPECT_GT(test, taken, round / 20);
	KUNIT_EXPECT_LT(test, taken, round - round / 20);
}

static struct kunit_case rpcrdma_cm_private_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_cm_private_both_ways,
			 rpcrdma_cm_private_gen_params),
	KUNIT_CASE(rpcrdma_cm_private_each_size),
	KUNIT_CASE(rpcrdma_cm_private_clamp),
	KUNIT_CASE(rpcrdma_cm_private_foreign),
	KUNIT_CASE(rpcrdma_cm_private_padded),
	KUNIT_CASE(rpcrdma_cm_private_threshold),
	KUNIT_CASE(rpcrdma_cm_private_fuzz),
	{}
};

static struct kunit_suite rpcrdma_cm_private_test_suite = {
	.name		= "rpcrdma_cm_private",
	.test_cases	= rpcrdma_cm_private_test_cases,
};

kunit_test_suite(rpcrdma_cm_private_test_suite);
