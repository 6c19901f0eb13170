/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is offered to the server as chunks. A snapshot of its contents
 * shows every byte that changed and should not have.
 */
#ifndef PEER_MEMORY_H
#define PEER_MEMORY_H

#include "common/header.h"
#include "common/verbs.h"

/*
 * Bytes before and after the part that is offered. An odd number, so the
 * offered part begins at an odd address
 */
#define MEMORY_MARGIN	8193

/*
 * struct memory - a registered region with margins
 * @data:   the part that may be offered, @len bytes
 * @handle: R_key for segments
 * @before: expected contents of the whole region
 */
struct memory {
	struct verbs_region	*region;
	uint8_t			*data;
	size_t			len;
	uint32_t		handle;
	uint8_t			*before;
};

/* Ends the scenario on failure. @access as for ibv_reg_mr() */
struct memory *new_memory(struct verbs_conn *conn, size_t len, int access);

/* The server may read it. Its contents follow from @seed */
struct memory *readable_memory(struct verbs_conn *conn, size_t len,
			       unsigned int seed);

/* The server may write it. Its contents are a fixed pattern */
struct memory *writable_memory(struct verbs_conn *conn, size_t len);

/* Update the snapshot after the test has changed the memory */
void memory_snapshot(struct memory *memory);
void free_memory(struct memory *memory);

/*
 * Add segments to a chunk. add_read_chunk() and add_segments() divide @len
 * bytes from @offset into @n adjacent segments of odd sizes.
 */
void add_read_segment(struct header *header, uint32_t position,
		      const struct memory *memory, size_t offset, size_t len);
void add_segment(struct chunk *chunk, const struct memory *memory, size_t offset,
		 size_t len);
void add_read_chunk(struct header *header, uint32_t position,
		    const struct memory *memory, size_t offset, size_t len,
		    unsigned int n);
void add_segments(struct chunk *chunk, const struct memory *memory, size_t offset,
		  size_t len, unsigned int n);

/*
 * Check that only the bytes of @returned, a chunk of a Reply, have changed
 * (NULL: no bytes at all).
 */
void check_memory(struct memory *memory, const struct chunk *returned);

/* The contents of a returned chunk; malloc()ed */
uint8_t *chunk_bytes(const struct chunk *returned);

/* Contents that follow from a seed and the offset */
void fill_pattern(uint8_t *data, size_t len, unsigned int seed);
bool has_pattern(const uint8_t *data, size_t len, unsigned int seed);

#endif /* PEER_MEMORY_H */
