/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The transport header of version 1 (RFC 8166 section 4), and the private data
 * of RFC 8797. Written from the text, word by word, and sharing nothing with the
 * kernel modules: they are judged by this.
 */
#ifndef PEER_HEADER_H
#define PEER_HEADER_H

#include "xdr.h"

#define HEADER_SEGMENTS	512
#define HEADER_CHUNKS	64

enum header_proc {
	RDMA_MSG	= 0,
	RDMA_NOMSG	= 1,
	RDMA_MSGP	= 2,
	RDMA_DONE	= 3,
	RDMA_ERROR	= 4,
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

/*
 * struct chunk - a Write chunk or a Reply chunk
 */
struct chunk {
	unsigned int	nsegs;
	struct segment	segs[HEADER_SEGMENTS];
};

/*
 * struct header - a version 1 header
 * @error, @low, @high: body of an RDMA_ERROR
 * @size: of the decoded header, bytes; the payload begins here
 */
struct header {
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
	size_t		size;
};

/* An RDMA_MSG of version 1 without chunks that asks for 32 credits */
void header_init(struct header *header, uint32_t xid);
void header_add_read(struct header *header, uint32_t position, uint32_t handle,
		     uint32_t length, uint64_t offset);
struct chunk *header_add_write(struct header *header);
struct chunk *header_add_reply(struct header *header);
void chunk_add(struct chunk *chunk, uint32_t handle, uint32_t length,
	       uint64_t offset);
uint64_t chunk_length(const struct chunk *chunk);

/*
 * Append. What @proc says decides on the form; numbers above 4 are written as
 * RDMA_MSG is, and RDMA_MSGP with its two words in front of the lists.
 */
void header_put(struct xdr_out *out, const struct header *header);

/* NULL, or what is wrong with it. Takes any version for the fixed words */
const char *header_get(struct header *header, const void *data, size_t len);

/*
 * struct private_data - RFC 8797
 * @found: the magic word was there, and the version was 1
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
