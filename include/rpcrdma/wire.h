/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RPC-over-RDMA version 1 and CM private data on the wire: numbers only, with the
 * section that defines each. "8166" is RFC 8166, "8797" is RFC 8797. The numbers of
 * version 2 are in v2/wire.h.
 *
 * All header words are big-endian 32-bit XDR.
 */
#ifndef _RPCRDMA_WIRE_H
#define _RPCRDMA_WIRE_H

#include <linux/build_bug.h>
#include <linux/types.h>

/* Fixed words, the same in every version (8166 section 4.2) */
enum rpcrdma_wire_word {
	RPCRDMA_WORD_XID,
	RPCRDMA_WORD_VERS,
	RPCRDMA_WORD_CREDIT,
	RPCRDMA_WORD_PROC,
	RPCRDMA_FIXED_WORDS,
};

#define RPCRDMA_FIXED_SIZE	(RPCRDMA_FIXED_WORDS * sizeof(__be32))

#define RPCRDMA_VERSION_ONE	1	/* 8166 section 4.2.2 */
#define RPCRDMA_VERSION_TWO	2	/* rpcrdma-version-two-09 section 3.1 */

/* Procedure word (8166 section 4.2.4); only 0, 1 and 4 are fixed for all versions */
enum rpcrdma_wire_proc {
	RPCRDMA_WIRE_MSG	= 0,
	RPCRDMA_WIRE_NOMSG	= 1,
	RPCRDMA_WIRE_MSGP	= 2,	/* deprecated: 8166 section 4.6.1 */
	RPCRDMA_WIRE_DONE	= 3,	/* deprecated: 8166 section 4.6.2 */
	RPCRDMA_WIRE_ERROR	= 4,
};

/* Error word of an RDMA_ERROR (8166 section 4.5) */
enum rpcrdma_wire_err {
	RPCRDMA_WIRE_ERR_VERS	= 1,
	RPCRDMA_WIRE_ERR_CHUNK	= 2,
};

/* Sizes in bytes (8166 sections 4.3, 4.5 and 4.7) */
#define RPCRDMA_V1_HDR_MIN		28	/* three empty lists */
#define RPCRDMA_V1_ERR_VERS_SIZE	28
#define RPCRDMA_V1_ERR_CHUNK_SIZE	20
#define RPCRDMA_WIRE_SEG_SIZE		16	/* handle, length, offset */
#define RPCRDMA_WIRE_READ_ENTRY_SIZE	24	/* present, position, segment */
#define RPCRDMA_WIRE_LISTS_MIN		12	/* three empty lists */

/* Before anything is known of the peer (8166 section 3.3.3) */
#define RPCRDMA_V1_DEF_INLINE		1024
#define RPCRDMA_V1_FIRST_CREDIT		1

/* CM private data (8797 section 4) */
#define RPCRDMA_CMP_MAGIC		0xf6ab0e18
#define RPCRDMA_CMP_VERSION		1
#define RPCRDMA_CMP_F_REMOTE_INV	0x01
#define RPCRDMA_CMP_SIZE_UNIT		1024
#define RPCRDMA_CMP_SIZE_MAX		(256 * RPCRDMA_CMP_SIZE_UNIT)

struct rpcrdma_wire_cmp {
	__be32	magic;
	u8	version;
	u8	flags;
	u8	send_size;
	u8	recv_size;
} __packed;

static_assert(sizeof(struct rpcrdma_wire_cmp) == 8,
	      "RFC 8797 private data is eight bytes");

#endif /* _RPCRDMA_WIRE_H */
