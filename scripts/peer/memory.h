/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is offered to the server as chunks, with a memory of its own: what
 * was there before, so that any byte that changed and should not have is found.
 */
#ifndef PEER_MEMORY_H
#define PEER_MEMORY_H

#include "header.h"
#include "verbs.h"

/* On either side of the part that may be offered, which so begins at an odd place */
#define MEMORY_MARGIN	8193

/*
 * struct memory - a registered region with room in front and behind
 * @data:   the part that may be offered, @len bytes
 * @handle: for segments in it
 * @before: what the whole region holds as far as the test knows
 */
struct memory {
	struct verbs_region	*region;
	uint8_t			*data;
	size_t			len;
	uint32_t		handle;
	uint8_t			*before;
};

/* Ends the scenario if there is none. @access as for ibv_reg_mr() */
struct memory *new_memory(struct verbs_conn *conn, size_t len, int access);

/* Readable by the server, with bytes that follow from @seed */
struct memory *readable_memory(struct verbs_conn *conn, size_t len,
			       unsigned int seed);

/* Writable by the server, with a pattern in it */
struct memory *writable_memory(struct verbs_conn *conn, size_t len);

/* After the test has changed it */
void memory_snapshot(struct memory *memory);
void free_memory(struct memory *memory);

/*
 * Segments of it. The _cut functions cut @len bytes from @offset on into @n
 * segments of odd sizes, next to each other.
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
 * Nothing has changed but the bytes that @returned says were written (a chunk of
 * a Reply; NULL: nothing at all).
 */
void check_memory(struct memory *memory, const struct chunk *returned);

/* The bytes in a returned chunk, one after another; malloc()ed */
uint8_t *chunk_bytes(const struct chunk *returned);

/* Bytes that follow from a seed and the place */
void fill_pattern(uint8_t *data, size_t len, unsigned int seed);
bool has_pattern(const uint8_t *data, size_t len, unsigned int seed);

#endif /* PEER_MEMORY_H */
