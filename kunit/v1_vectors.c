// SPDX-License-Identifier: GPL-2.0-only
/*
 * The worked headers of the version 1 requirements, each as the words on the
 * wire and as a message built by hand.
 */
#include "support.h"

static void rpcrdma_test_fixed(struct rpcrdma_msg *msg, u32 xid, u32 credits,
			       enum rpcrdma_msg_type type)
{
	msg->xid = cpu_to_be32(xid);
	msg->vers = RPCRDMA_VERSION_ONE;
	msg->credits = credits;
	msg->type = type;
}

static void rpcrdma_test_short(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c4d, 32, RPCRDMA_MSG);
}

static void rpcrdma_test_read(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c4e, 32, RPCRDMA_MSG);
	rpcrdma_msg_add_segment(msg, &msg->reads, 148, 0x1111, 4096,
				0x10000000);
	rpcrdma_msg_add_segment(msg, &msg->reads, 148, 0x2222, 5, 0x20000000);
}

static void rpcrdma_test_two_segments(struct rpcrdma_msg *msg, u32 second)
{
	struct rpcrdma_chunk *chunk;

	if (rpcrdma_msg_add_write(msg, &chunk))
		return;
	rpcrdma_msg_add_segment(msg, chunk, 0, 0x3333, 4096, 0x30000000);
	rpcrdma_msg_add_segment(msg, chunk, 0, 0x4444, second, 0x40000000);
}

static void rpcrdma_test_write(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c4f, 32, RPCRDMA_MSG);
	rpcrdma_test_two_segments(msg, 4096);
}

static void rpcrdma_test_write_reply(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c4f, 16, RPCRDMA_MSG);
	rpcrdma_test_two_segments(msg, 5);
}

static void rpcrdma_test_reply_chunk(struct rpcrdma_msg *msg, u32 length)
{
	msg->has_reply = true;
	rpcrdma_msg_add_segment(msg, &msg->reply, 0, 0x6666, length,
				0x60000000);
}

static void rpcrdma_test_long_call(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c50, 32, RPCRDMA_NOMSG);
	rpcrdma_msg_add_segment(msg, &msg->reads, 0, 0x5555, 2000, 0x50000000);
	rpcrdma_test_reply_chunk(msg, 8192);
}

static void rpcrdma_test_long_reply(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c50, 16, RPCRDMA_NOMSG);
	rpcrdma_test_reply_chunk(msg, 3000);
}

static void rpcrdma_test_inline_reply(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c50, 16, RPCRDMA_MSG);
	rpcrdma_test_reply_chunk(msg, 0);
}

static void rpcrdma_test_empty_chunk(struct rpcrdma_msg *msg)
{
	struct rpcrdma_chunk *chunk;

	rpcrdma_test_fixed(msg, 0x1a2b3c53, 32, RPCRDMA_MSG);
	if (rpcrdma_msg_add_write(msg, &chunk) ||
	    rpcrdma_msg_add_write(msg, &chunk))
		return;
	rpcrdma_msg_add_segment(msg, chunk, 0, 0x7777, 512, 0x70000000);
}

static void rpcrdma_test_err_vers(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c51, 16, RPCRDMA_ERROR);
	msg->vers = 2;
	msg->err = RPCRDMA_ERR_VERS;
	msg->vers_low = 1;
	msg->vers_high = 1;
}

static void rpcrdma_test_err_chunk(struct rpcrdma_msg *msg)
{
	rpcrdma_test_fixed(msg, 0x1a2b3c52, 16, RPCRDMA_ERROR);
	msg->err = RPCRDMA_ERR_CHUNK;
}

const struct rpcrdma_test_vector
rpcrdma_v1_vectors[RPCRDMA_V1_VECTORS] = {
	{
		.name	= "short Call or Reply (V1-HDR-09, V1-CHK-14)",
		.nwords	= 7,
		.words	= {
			0x1a2b3c4d, 1, 0x20, 0, 0, 0, 0,
		},
		.bools	= { 4, 5, 6 },
		.build	= rpcrdma_test_short,
	}, {
		.name	= "one Read chunk of two segments (V1-CHK-15)",
		.nwords	= 19,
		.words	= {
			0x1a2b3c4e, 1, 0x20, 0,
			1, 0x94, 0x1111, 0x1000, 0, 0x10000000,
			1, 0x94, 0x2222, 5, 0, 0x20000000,
			0, 0, 0,
		},
		.bools	= { 4, 10, 16, 17, 18 },
		.build	= rpcrdma_test_read,
	}, {
		.name	= "one Write chunk of two segments (V1-CHK-16)",
		.nwords	= 17,
		.words	= {
			0x1a2b3c4f, 1, 0x20, 0,
			0,
			1, 2, 0x3333, 0x1000, 0, 0x30000000,
			0x4444, 0x1000, 0, 0x40000000,
			0, 0,
		},
		.bools	= { 4, 5, 15, 16 },
		.build	= rpcrdma_test_write,
	}, {
		.name	= "its Reply, 4101 bytes returned (V1-WR-05)",
		.nwords	= 17,
		.words	= {
			0x1a2b3c4f, 1, 0x10, 0,
			0,
			1, 2, 0x3333, 0x1000, 0, 0x30000000,
			0x4444, 5, 0, 0x40000000,
			0, 0,
		},
		.bools	= { 4, 5, 15, 16 },
		.build	= rpcrdma_test_write_reply,
	}, {
		.name	= "long Call with a Reply chunk (V1-PZ-01, V1-PZ-08)",
		.nwords	= 18,
		.words	= {
			0x1a2b3c50, 1, 0x20, 1,
			1, 0, 0x5555, 0x7d0, 0, 0x50000000,
			0, 0,
			1, 1, 0x6666, 0x2000, 0, 0x60000000,
		},
		.bools	= { 4, 10, 11, 12 },
		.build	= rpcrdma_test_long_call,
	}, {
		.name	= "its long Reply (V1-RPL-09, V1-CHK-17)",
		.nwords	= 12,
		.words	= {
			0x1a2b3c50, 1, 0x10, 1,
			0, 0,
			1, 1, 0x6666, 0xbb8, 0, 0x60000000,
		},
		.bools	= { 4, 5, 6 },
		.build	= rpcrdma_test_long_reply,
	}, {
		.name	= "answered inline, Reply chunk unused (V1-RPL-08)",
		.nwords	= 12,
		.words	= {
			0x1a2b3c50, 1, 0x10, 0,
			0, 0,
			1, 1, 0x6666, 0, 0, 0x60000000,
		},
		.bools	= { 4, 5, 6 },
		.build	= rpcrdma_test_inline_reply,
	}, {
		.name	= "an empty Write chunk before another (V1-WR-17)",
		.nwords	= 15,
		.words	= {
			0x1a2b3c53, 1, 0x20, 0,
			0,
			1, 0,
			1, 1, 0x7777, 0x200, 0, 0x70000000,
			0, 0,
		},
		.bools	= { 4, 5, 7, 13, 14 },
		.build	= rpcrdma_test_empty_chunk,
	}, {
		.name	= "ERR_VERS (V1-VER-02, V1-VER-03)",
		.nwords	= 7,
		.words	= {
			0x1a2b3c51, 2, 0x10, 4, 1, 1, 1,
		},
		.bools	= { 4 },
		.build	= rpcrdma_test_err_vers,
	}, {
		.name	= "ERR_CHUNK (V1-ERR-08)",
		.nwords	= 5,
		.words	= {
			0x1a2b3c52, 1, 0x10, 4, 2,
		},
		.bools	= { 4 },
		.build	= rpcrdma_test_err_chunk,
	},
};
