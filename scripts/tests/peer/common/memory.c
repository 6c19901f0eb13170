// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/test.h"

static uint8_t byte_at(size_t place, unsigned int seed)
{
	uint32_t x = (place + 1) * 2654435761u ^ seed * 40503u;

	return x >> 11 ^ x >> 23;
}

void fill_pattern(uint8_t *data, size_t len, unsigned int seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		data[i] = byte_at(i, seed);
}

bool has_pattern(const uint8_t *data, size_t len, unsigned int seed)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (data[i] != byte_at(i, seed))
			return false;
	return true;
}

void memory_snapshot(struct memory *memory)
{
	memcpy(memory->before, memory->region->data, memory->region->len);
}

struct memory *new_memory(struct verbs_conn *conn, size_t len, int access)
{
	struct memory *memory = calloc(1, sizeof(*memory));

	check(memory, "no memory");
	memory->region = verbs_region(conn, len + 2 * MEMORY_MARGIN, access);
	check(memory->region, "cannot register %zu bytes", len);
	memory->before = malloc(memory->region->len);
	check(memory->before, "no memory");
	memory->data = memory->region->data + MEMORY_MARGIN;
	memory->len = len;
	memory->handle = memory->region->rkey;
	fill_pattern(memory->region->data, memory->region->len, 12345);
	memory_snapshot(memory);
	return memory;
}

struct memory *readable_memory(struct verbs_conn *conn, size_t len,
			       unsigned int seed)
{
	struct memory *memory = new_memory(conn, len, IBV_ACCESS_REMOTE_READ);

	fill_pattern(memory->data, len, seed);
	memory_snapshot(memory);
	return memory;
}

struct memory *writable_memory(struct verbs_conn *conn, size_t len)
{
	return new_memory(conn, len, IBV_ACCESS_REMOTE_WRITE);
}

void free_memory(struct memory *memory)
{
	verbs_region_free(memory->region);
	free(memory->before);
	free(memory);
}

static uint64_t address(const struct memory *memory, size_t offset)
{
	return (uintptr_t)memory->data + offset;
}

void add_read_segment(struct header *header, uint32_t position,
		      const struct memory *memory, size_t offset, size_t len)
{
	header_add_read(header, position, memory->handle, len,
			address(memory, offset));
}

void add_segment(struct chunk *chunk, const struct memory *memory, size_t offset,
		 size_t len)
{
	chunk_add(chunk, memory->handle, len, address(memory, offset));
}

/* Length of segment @i of @n: odd, and the last takes the rest */
static size_t cut(size_t left, unsigned int i, unsigned int n)
{
	size_t part = left / (n - i);

	if (i == n - 1)
		return left;
	part += i % 3;
	return part < left ? part | 1 : left;
}

void add_read_chunk(struct header *header, uint32_t position,
		    const struct memory *memory, size_t offset, size_t len,
		    unsigned int n)
{
	unsigned int i;
	size_t part;

	for (i = 0; i < n; i++) {
		part = cut(len, i, n);
		if (part > len)
			part = len;
		add_read_segment(header, position, memory, offset, part);
		offset += part;
		len -= part;
	}
}

void add_segments(struct chunk *chunk, const struct memory *memory, size_t offset,
		  size_t len, unsigned int n)
{
	unsigned int i;
	size_t part;

	for (i = 0; i < n; i++) {
		part = cut(len, i, n);
		if (part > len)
			part = len;
		add_segment(chunk, memory, offset, part);
		offset += part;
		len -= part;
	}
}

/* Accept the contents of a returned segment */
static void accept_bytes(struct memory *memory, const struct segment *segment)
{
	uint64_t start = (uintptr_t)memory->region->data;
	uint64_t at = segment->offset - start;

	if (segment->offset < start || at > memory->region->len ||
	    segment->length > memory->region->len - at)
		return;
	memcpy(memory->before + at, memory->region->data + at, segment->length);
}

void check_memory(struct memory *memory, const struct chunk *returned)
{
	unsigned int i;
	size_t at;

	for (i = 0; returned && i < returned->nsegs; i++)
		accept_bytes(memory, &returned->segs[i]);
	for (at = 0; at < memory->region->len; at++)
		if (memory->before[at] != memory->region->data[at])
			fail("byte %zd outside the returned segments has changed",
			     (ssize_t)(at - MEMORY_MARGIN));
}

uint8_t *chunk_bytes(const struct chunk *returned)
{
	uint8_t *data = malloc(chunk_length(returned) + 1);
	unsigned int i;
	size_t len = 0;

	check(data, "no memory");
	for (i = 0; i < returned->nsegs; i++) {
		memcpy(data + len,
		       (void *)(uintptr_t)returned->segs[i].offset,
		       returned->segs[i].length);
		len += returned->segs[i].length;
	}
	return data;
}
