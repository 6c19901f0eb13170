/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The transport header of version 1 (RFC 8166 section 4) and of version 2
 * (draft-cel-nfsv4-rpcrdma-version-two-09), and the private data of RFC 8797.
 * Written from the specifications and independent of the kernel modules, so it
 * can check them.
 */
#ifndef PEER_HEADER_H
#define PEER_HEADER_H

#include "common/xdr.h"
#include "v2/header.h"

#define HEADER_SEGMENTS	512
#define HEADER_CHUNKS	64

enum header_proc {
	RDMA_MSG	= 0,
	RDMA_NOMSG	= 1,
	RDMA_MSGP	= 2,
	RDMA_DONE	= 3,
	RDMA_ERROR	= 4,
	RDMA2_CONNPROP	= 5,
};

enum header_error {
	ERR_VERS	= 1,
	ERR_CHUNK	= 2,
};

struct segment {
	uint32_t	position;	/* Read list only */
	uint32_t	handle;
	uint32_t	length;
	uint64_t	offset;
};

/* struct chunk - a Write chunk or a Reply chunk */
struct chunk {
	unsigned int	nsegs;
	struct segment	segs[HEADER_SEGMENTS];
};

/*
 * struct header - a header of either version
 * @layout: protocol version of the layout, independent of @vers
 * @flags, @inv_handle: version 2 only
 * @error, @low, @high: body of an RDMA_ERROR
 * @max, @index, @needed: more of the body in version 2
 * @err_vers_flags: an ERR_VERS with a flags word (eight words), which is wrong
 * @properties: of an RDMA2_CONNPROP
 * @size: bytes of the decoded header; the payload follows
 */
struct header {
	unsigned int	layout;
	uint32_t	xid;
	uint32_t	vers;
	uint32_t	credit;
	uint32_t	proc;
	unsigned int	nreads;
	struct segment	reads[HEADER_SEGMENTS];
	unsigned int	nwrites;
	struct chunk	writes[HEADER_CHUNKS];
	bool		has_reply;
	struct chunk	reply;
	uint32_t	error;
	uint32_t	low;
	uint32_t	high;
	uint32_t	flags;
	uint32_t	inv_handle;
	uint32_t	max;
	uint32_t	index;
	uint32_t	needed;
	bool		err_vers_flags;
	unsigned int	nproperties;
	struct property	properties[HEADER_PROPERTIES];
	size_t		size;
};

/*
 * An RDMA_MSG without chunks that requests 32 credits, in the version of the
 * scenario (target.version)
 */
void header_init(struct header *header, uint32_t xid);

/* Bytes of a header without chunks in that version, and of its fixed words */
size_t header_min_size(void);
size_t header_fixed_size(void);

/* Whether a segment of the header has this handle; the first handle, or 0 */
bool header_has_handle(const struct header *header, uint32_t handle);
uint32_t header_first_handle(const struct header *header);
/* Ends the program if a list of @max entries is full */
void check_list_length(unsigned int used, unsigned int max);
void header_add_read(struct header *header, uint32_t position, uint32_t handle,
		     uint32_t length, uint64_t offset);
struct chunk *header_add_write(struct header *header);
struct chunk *header_add_reply(struct header *header);
void chunk_add(struct chunk *chunk, uint32_t handle, uint32_t length,
	       uint64_t offset);
uint64_t chunk_length(const struct chunk *chunk);

/*
 * Append the header in the form of @proc. Procedures above 4 have the form of
 * RDMA_MSG; RDMA_MSGP has two more words before the lists.
 */
void header_put(struct xdr_out *out, const struct header *header);

/* Return: NULL, or the error. Accepts any version in the fixed words */
const char *header_get(struct header *header, const void *data, size_t len);

/* Common to both versions; common/header.c */
void header_put_lists(struct xdr_out *out, const struct header *header);
const char *header_get_lists(struct xdr_in *in, struct header *header);

/*
 * struct private_data - RFC 8797
 * @found: the magic number and version 1 were present
 */
struct private_data {
	bool		found;
	bool		remote_inv;
	unsigned int	send_size;
	unsigned int	recv_size;
};

#define PRIVATE_SIZE	8

void private_put(uint8_t *data, bool remote_inv, unsigned int send_size,
		 unsigned int recv_size);
void private_get(struct private_data *private, const uint8_t *data, size_t len);

#endif /* PEER_HEADER_H */
