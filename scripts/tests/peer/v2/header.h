/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of a header that only version 2 has (draft-cel-nfsv4-rpcrdma-
 * version-two-09). Section numbers are those of the draft.
 */
#ifndef PEER_V2_HEADER_H
#define PEER_V2_HEADER_H

#include "common/xdr.h"

#define HEADER_PROPERTIES 16
#define PROPERTY_SIZE	64

/* Error codes, sections 5.3.3 and 6.4 */
enum v2_error {
	ERR2_VERS		= 1,
	ERR2_BAD_XDR		= 2,
	ERR2_INVAL_HTYPE	= 3,
	ERR2_READ_CHUNKS	= 4,
	ERR2_WRITE_CHUNKS	= 5,
	ERR2_SEGMENTS		= 6,
	ERR2_WRITE_RESOURCE	= 7,
	ERR2_REPLY_RESOURCE	= 8,
	ERR2_SYSTEM		= 9,
};

/* Bits of the flags word */
#define FLAG_RESPONSE	1

/* Transport properties, section 4.2 */
enum property_id {
	PROPERTY_RBSIZ	= 1,
	PROPERTY_BRS	= 2,
};

enum reverse_support {
	REVERSE_NONE	= 0,
	REVERSE_INLINE	= 1,
	REVERSE_GENERAL	= 2,
};

#define RBSIZ_DEFAULT	4096

/*
 * struct property - one transport property
 * @len: length in the message; at most PROPERTY_SIZE bytes are kept
 */
struct property {
	uint32_t	which;
	uint32_t	len;
	uint8_t		data[PROPERTY_SIZE];
};

struct header;

/* Mark the message as a response */
void header_set_response(struct header *header);
struct property *header_add_property(struct header *header, uint32_t which,
				     const void *data, uint32_t len);
void header_add_number(struct header *header, uint32_t which, uint32_t value);

/* The part of a header after the four fixed words */
void v2_header_put(struct xdr_out *out, const struct header *header);
const char *v2_header_get(struct header *header, struct xdr_in *in);

#endif /* PEER_V2_HEADER_H */
