// SPDX-License-Identifier: GPL-2.0-only
/*
 * The worked messages of the version 2 requirements, each as the words on the
 * wire and as a message built by hand.
 */
#include "support.h"

static void rpcrdma_v2_fixed(struct rpcrdma_msg *msg, u32 xid, u32 credits,
			     enum rpcrdma_msg_type type,
			     enum rpcrdma_direction dir)
{
	msg->xid = cpu_to_be32(xid);
	msg->vers = RPCRDMA_VERSION_TWO;
	msg->credits = credits;
	msg->type = type;
	msg->dir = dir;
}

static void rpcrdma_v2_write(struct rpcrdma_msg *msg, u32 length)
{
	struct rpcrdma_chunk *chunk;

	if (!rpcrdma_msg_add_write(msg, &chunk))
		rpcrdma_msg_add_segment(msg, chunk, 0, 0x3333, length,
					0x30000000);
}

static void rpcrdma_v2_reply_chunk(struct rpcrdma_msg *msg, u32 length)
{
	msg->has_reply = true;
	rpcrdma_msg_add_segment(msg, &msg->reply, 0, 0x6666, length,
				0x60000000);
}

static void rpcrdma_v2_short_call(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000001, 32, RPCRDMA_MSG, RPCRDMA_DIR_CALL);
}

static void rpcrdma_v2_short_reply(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000001, 16, RPCRDMA_MSG, RPCRDMA_DIR_REPLY);
}

static void rpcrdma_v2_read_call(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000002, 32, RPCRDMA_MSG, RPCRDMA_DIR_CALL);
	msg->inv_handle = 0x1111;
	rpcrdma_msg_add_segment(msg, &msg->reads, 0x94, 0x1111, 4096,
				0x10000000);
}

static void rpcrdma_v2_write_call(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000003, 32, RPCRDMA_MSG, RPCRDMA_DIR_CALL);
	msg->inv_handle = 0x3333;
	rpcrdma_v2_write(msg, 8192);
}

static void rpcrdma_v2_write_reply(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000003, 16, RPCRDMA_MSG, RPCRDMA_DIR_REPLY);
	rpcrdma_v2_write(msg, 4101);
}

static void rpcrdma_v2_long_call(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000004, 32, RPCRDMA_NOMSG, RPCRDMA_DIR_CALL);
	msg->inv_handle = 0x6666;
	rpcrdma_msg_add_segment(msg, &msg->reads, 0, 0x5555, 2000, 0x50000000);
	rpcrdma_v2_reply_chunk(msg, 8192);
}

static void rpcrdma_v2_long_reply(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000004, 16, RPCRDMA_NOMSG,
			 RPCRDMA_DIR_REPLY);
	rpcrdma_v2_reply_chunk(msg, 3000);
}

static void rpcrdma_v2_inline_reply(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b000004, 16, RPCRDMA_MSG, RPCRDMA_DIR_REPLY);
	rpcrdma_v2_reply_chunk(msg, 0);
}

static void rpcrdma_v2_opening(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b0000f0, 128, RPCRDMA_CONNPROP,
			 RPCRDMA_DIR_CALL);
	msg->props.recv_size = 4096;
	msg->props.reverse = RPCRDMA_BRS_INLINE;
}

static void rpcrdma_v2_opening_answer(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_fixed(msg, 0x2b0000f0, 64, RPCRDMA_CONNPROP,
			 RPCRDMA_DIR_REPLY);
	msg->props.recv_size = 8192;
	msg->props.reverse = RPCRDMA_BRS_INLINE;
}

static void rpcrdma_v2_error(struct rpcrdma_msg *msg, enum rpcrdma_err_code err)
{
	rpcrdma_v2_fixed(msg, 0x2b000001, 64, RPCRDMA_ERROR,
			 RPCRDMA_DIR_REPLY);
	msg->err = err;
}

static void rpcrdma_v2_err_vers(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_VERS);
	msg->vers_low = 1;
	msg->vers_high = 1;
}

static void rpcrdma_v2_bad_xdr(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_BAD_XDR);
}

static void rpcrdma_v2_htype(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_HTYPE);
}

static void rpcrdma_v2_read_chunks(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_READ_CHUNKS);
	msg->err_max = 1;
}

static void rpcrdma_v2_write_chunks(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_WRITE_CHUNKS);
	msg->err_max = 1;
}

static void rpcrdma_v2_segments(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_SEGMENTS);
	msg->err_max = 16;
}

static void rpcrdma_v2_write_resource(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_WRITE_RESOURCE);
	msg->err_index = 1;
	msg->err_length = 69632;
}

static void rpcrdma_v2_reply_resource(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_REPLY_RESOURCE);
	msg->err_length = 9216;
}

static void rpcrdma_v2_system(struct rpcrdma_msg *msg)
{
	rpcrdma_v2_error(msg, RPCRDMA_ERR_SYSTEM);
}

/* First line of every worked error, with the flags word */
#define RPCRDMA_V2_ERROR_WORDS(...) \
	{ 0x2b000001, 2, 0x40, 4, 1, __VA_ARGS__ }

const struct rpcrdma_test_vector
rpcrdma_v2_vectors[RPCRDMA_V2_VECTORS] = {
	{
		.name	= "Call without chunks (V2-HDR-02, V2-CHK-05)",
		.nwords	= 9,
		.words	= { 0x2b000001, 2, 0x20, 0, 0, 0, 0, 0, 0 },
		.bools	= { 6, 7, 8 },
		.build	= rpcrdma_v2_short_call,
	}, {
		.name	= "its Reply (V2-HDR-08, V2-HDR-13)",
		.nwords	= 9,
		.words	= { 0x2b000001, 2, 0x10, 0, 1, 0, 0, 0, 0 },
		.bools	= { 6, 7, 8 },
		.build	= rpcrdma_v2_short_reply,
	}, {
		.name	= "Call with a Read chunk (V2-CHK-01, V2-CHK-04)",
		.nwords	= 15,
		.words	= {
			0x2b000002, 2, 0x20, 0, 0, 0x1111,
			1, 0x94, 0x1111, 0x1000, 0, 0x10000000,
			0, 0, 0,
		},
		.bools	= { 6, 12, 13, 14 },
		.build	= rpcrdma_v2_read_call,
	}, {
		.name	= "Call with a Write chunk (V2-CHK-03)",
		.nwords	= 15,
		.words	= {
			0x2b000003, 2, 0x20, 0, 0, 0x3333, 0,
			1, 1, 0x3333, 0x2000, 0, 0x30000000, 0, 0,
		},
		.bools	= { 6, 7, 13, 14 },
		.build	= rpcrdma_v2_write_call,
	}, {
		.name	= "its Reply (V2-CHK-08, V2-CHK-10)",
		.nwords	= 15,
		.words	= {
			0x2b000003, 2, 0x10, 0, 1, 0, 0,
			1, 1, 0x3333, 0x1005, 0, 0x30000000, 0, 0,
		},
		.bools	= { 6, 7, 13, 14 },
		.build	= rpcrdma_v2_write_reply,
	}, {
		.name	= "long Call with a Reply chunk (V2-MSG-07)",
		.nwords	= 20,
		.words	= {
			0x2b000004, 2, 0x20, 1, 0, 0x6666,
			1, 0, 0x5555, 0x7d0, 0, 0x50000000, 0, 0,
			1, 1, 0x6666, 0x2000, 0, 0x60000000,
		},
		.bools	= { 6, 12, 13, 14 },
		.build	= rpcrdma_v2_long_call,
	}, {
		.name	= "its long Reply (V2-MSG-07)",
		.nwords	= 14,
		.words	= {
			0x2b000004, 2, 0x10, 1, 1, 0, 0, 0,
			1, 1, 0x6666, 0xbb8, 0, 0x60000000,
		},
		.bools	= { 6, 7, 8 },
		.build	= rpcrdma_v2_long_reply,
	}, {
		.name	= "answered inline, Reply chunk unused (V2-CHK-15)",
		.nwords	= 14,
		.words	= {
			0x2b000004, 2, 0x10, 0, 1, 0, 0, 0,
			1, 1, 0x6666, 0, 0, 0x60000000,
		},
		.bools	= { 6, 7, 8 },
		.build	= rpcrdma_v2_inline_reply,
	}, {
		.name	= "CONNPROP of a client (V2-CPR-01, V2-CPR-12, V2-PROP-01)",
		.nwords	= 12,
		.words	= {
			0x2b0000f0, 2, 0x80, 5, 0,
			2, 1, 4, 0x1000, 2, 4, 1,
		},
		.build	= rpcrdma_v2_opening,
	}, {
		.name	= "answer to it (V2-CPR-09)",
		.nwords	= 12,
		.words	= {
			0x2b0000f0, 2, 0x40, 5, 1,
			2, 1, 4, 0x2000, 2, 4, 1,
		},
		.build	= rpcrdma_v2_opening_answer,
	}, {
		.name	= "ERR_VERS, seven words (V2-NEG-16, V2-NEG-22)",
		.nwords	= 7,
		.words	= { 0x2b000001, 2, 0x40, 4, 1, 1, 1 },
		.build	= rpcrdma_v2_err_vers,
	}, {
		.name	= "BAD_XDR (V2-ERR-07, V2-ERC-05)",
		.nwords	= 6,
		.words	= RPCRDMA_V2_ERROR_WORDS(2),
		.build	= rpcrdma_v2_bad_xdr,
	}, {
		.name	= "INVAL_HTYPE (V2-ERC-03)",
		.nwords	= 6,
		.words	= RPCRDMA_V2_ERROR_WORDS(3),
		.build	= rpcrdma_v2_htype,
	}, {
		.name	= "READ_CHUNKS (V2-ERC-09)",
		.nwords	= 7,
		.words	= RPCRDMA_V2_ERROR_WORDS(4, 1),
		.build	= rpcrdma_v2_read_chunks,
	}, {
		.name	= "WRITE_CHUNKS (V2-ERC-14)",
		.nwords	= 7,
		.words	= RPCRDMA_V2_ERROR_WORDS(5, 1),
		.build	= rpcrdma_v2_write_chunks,
	}, {
		.name	= "SEGMENTS (V2-ERC-17)",
		.nwords	= 7,
		.words	= RPCRDMA_V2_ERROR_WORDS(6, 16),
		.build	= rpcrdma_v2_segments,
	}, {
		.name	= "WRITE_RESOURCE (V2-ERC-19 to V2-ERC-21)",
		.nwords	= 8,
		.words	= RPCRDMA_V2_ERROR_WORDS(7, 1, 0x11000),
		.build	= rpcrdma_v2_write_resource,
	}, {
		.name	= "REPLY_RESOURCE (V2-ERC-24, V2-ERC-25)",
		.nwords	= 7,
		.words	= RPCRDMA_V2_ERROR_WORDS(8, 0x2400),
		.build	= rpcrdma_v2_reply_resource,
	}, {
		.name	= "SYSTEM (V2-ERC-28)",
		.nwords	= 6,
		.words	= RPCRDMA_V2_ERROR_WORDS(9),
		.build	= rpcrdma_v2_system,
	},
};
