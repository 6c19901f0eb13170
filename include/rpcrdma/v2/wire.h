/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Version 2 on the wire: numbers only, with the section of rpcrdma-version-two-09
 * (draft-cel-nfsv4-rpcrdma-version-two-09) that defines each.
 */
#ifndef _RPCRDMA_V2_WIRE_H
#define _RPCRDMA_V2_WIRE_H

#include <rpcrdma/wire.h>

/* Header types that version 1 does not have (section 5.2) */
#define RPCRDMA_WIRE_CONNPROP	5

/* Flags word (section 3.2) */
#define RPCRDMA_WIRE_F_RESPONSE	0x00000001

/* Error word of an RDMA2_ERROR (section 5.3.3) */
enum rpcrdma_wire_err2 {
	RPCRDMA_WIRE_ERR2_VERS			= 1,
	RPCRDMA_WIRE_ERR2_BAD_XDR		= 2,
	RPCRDMA_WIRE_ERR2_INVAL_HTYPE		= 3,
	RPCRDMA_WIRE_ERR2_READ_CHUNKS		= 4,
	RPCRDMA_WIRE_ERR2_WRITE_CHUNKS		= 5,
	RPCRDMA_WIRE_ERR2_SEGMENTS		= 6,
	RPCRDMA_WIRE_ERR2_WRITE_RESOURCE	= 7,
	RPCRDMA_WIRE_ERR2_REPLY_RESOURCE	= 8,
	RPCRDMA_WIRE_ERR2_SYSTEM		= 9,
};

/* Transport properties (section 4.2); numbers need not be small */
#define RPCRDMA_WIRE_PROP_RBSIZ		1
#define RPCRDMA_WIRE_PROP_BRS		2

/* Sizes in bytes (sections 3.1, 3.3 and 5.3.3) */
#define RPCRDMA_V2_PREFIX_SIZE		20
#define RPCRDMA_V2_HDR_MIN		36	/* no chunks */
#define RPCRDMA_V2_ERR_MIN		24
#define RPCRDMA_V2_ERR_VERS_SIZE	32	/* with flags word: never sent */

/* Until a CONNPROP says otherwise (sections 4.2.1 and 7) */
#define RPCRDMA_V2_DEF_INLINE		4096
#define RPCRDMA_V2_INLINE_MIN		1024
#define RPCRDMA_V2_CONNPROP_MAX		1024	/* longest CONNPROP (OQ-07: our limit) */

#endif /* _RPCRDMA_V2_WIRE_H */
