// SPDX-License-Identifier: GPL-2.0-only
/* Read chunks: what the server reads, and how it rebuilds the Call. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

enum pad {
	PAD_NONE,
	PAD_LONGER,	/* the last segment includes the padding */
	PAD_SEGMENT,	/* the padding has its own segment */
	PAD_KINDS,
};

static const size_t sizes[] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 1021, 1024, 4095, 4096, 4097, 65535, 65537,
	1048573, 1048576,
};

#define SIZES	(sizeof(sizes) / sizeof(sizes[0]))

static void add_chunk(struct call *call, uint32_t position,
		      const struct memory *memory, size_t len, unsigned int n,
		      enum pad pad)
{
	size_t longer = pad == PAD_LONGER ? xdr_pad(len) : 0;

	add_read_chunk(&call->header, position, memory, 0, len + longer, n);
	if (pad == PAD_SEGMENT && xdr_pad(len))
		add_read_segment(&call->header, position, memory, len, xdr_pad(len));
}

static void expect_written(struct verbs_conn *conn, struct call *call,
			   size_t len)
{
	struct reply *reply;
	uint32_t status;

	send_call(conn, call);
	reply = expect_success(conn, call);
	status = get_status3(reply);
	check(!status, "WRITE of %zu bytes fails with status %u", len, status);
	check(get_write3(reply) == len, "WRITE returns a wrong count");
	check_end(reply);
	free_reply(conn, reply);
}

/* WRITE @len bytes in @n segments. The bytes after the data are not zero */
static void write_one(struct verbs_conn *conn, size_t len, unsigned int n,
		      enum pad pad)
{
	struct memory *memory = readable_memory(conn, len + 4, len);
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;

	make_file("read", 0, 0);
	look_up(conn, "read", &handle);
	call = new3_write(&handle, 0, len, &position);
	add_chunk(call, position, memory, len, n, pad);
	expect_written(conn, call, len);
	check_file("read", memory->data, len);
	free_memory(memory);
	free(call);
}

void scenario_read_sizes(void)
{
	struct verbs_conn *conn = open_default();
	unsigned int i, pad;

	for (i = 0; i < SIZES; i++)
		for (pad = 0; pad < PAD_KINDS; pad++)
			write_one(conn, sizes[i], 1, pad);
	verbs_close(conn);
}

void write_payload(struct verbs_conn *conn)
{
	write_one(conn, largest_payload(), 1, PAD_NONE);
}

void scenario_read_largest_segments(void)
{
	static const unsigned int counts[] = { 1, 3, 15 };
	struct verbs_conn *conn = open_default();
	unsigned int i;

	for (i = 0; i < 3; i++) {
		write_one(conn, largest_payload() - 1, counts[i], PAD_SEGMENT);
		write_one(conn, largest_payload(), counts[i] + 1, PAD_NONE);
	}
	verbs_close(conn);
}

/* Odd addresses and lengths */
void scenario_read_segments(void)
{
	static const unsigned int counts[] = { 2, 3, 7, 15, 16 };
	struct verbs_conn *conn = open_default();
	unsigned int i, j, pad;

	for (i = 4; i < SIZES; i++)
		for (j = 0; j < 5; j++)
			for (pad = 0; pad < PAD_KINDS; pad++)
				if (counts[j] <= sizes[i])
					write_one(conn, sizes[i],
						  counts[j] - (pad == PAD_SEGMENT),
						  pad);
	verbs_close(conn);
}

/* The server maps a cache line for each of the tiny segments, and for the end of the first */
void scenario_read_tiny_segments(void)
{
	const unsigned int tiny = 4, count = 12, first = 4096 + tiny;
	struct verbs_conn *conn = open_default();
	size_t len = first + count * tiny;
	struct memory *memory = readable_memory(conn, len, 10);
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;
	unsigned int i;

	make_file("read", 0, 0);
	look_up(conn, "read", &handle);
	call = new3_write(&handle, 0, len, &position);
	add_read_segment(&call->header, position, memory, 0, first);
	for (i = 0; i < count; i++)
		add_read_segment(&call->header, position, memory, first + i * tiny, tiny);
	expect_written(conn, call, len);
	check_file("read", memory->data, len);
	free_memory(memory);
	verbs_close(conn);
}

/* The server does not read empty segments, so their handles do not matter */
void scenario_read_empty_segments(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 3000, 9);
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;

	make_file("read", 0, 0);
	look_up(conn, "read", &handle);
	call = new3_write(&handle, 0, 3000, &position);
	header_add_read(&call->header, position, 0xdead, 0, 0);
	add_read_segment(&call->header, position, memory, 0, 1001);
	header_add_read(&call->header, position, 0xdead, 0, 0xffffffffffffffff);
	add_read_segment(&call->header, position, memory, 1001, 1999);
	header_add_read(&call->header, position, 0, 0, 0);
	expect_written(conn, call, 3000);
	check_file("read", memory->data, 3000);

	/* A chunk of empty segments only */
	call = new3_write(&handle, 0, 0, &position);
	header_add_read(&call->header, position, 0xdead, 0, 0);
	header_add_read(&call->header, position, 0, 0, 4711);
	expect_written(conn, call, 0);
	check_file("read", memory->data, 3000);
	verbs_close(conn);
}

/* After the Reply the memory belongs to the client again: change it at once */
void scenario_read_released(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 1048576, 3);
	uint8_t *copy = malloc(memory->len);
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;

	memcpy(copy, memory->data, memory->len);
	make_file("read", 0, 0);
	look_up(conn, "read", &handle);
	call = new3_write(&handle, 0, memory->len, &position);
	add_read_chunk(&call->header, position, memory, 0, memory->len, 16);
	expect_written(conn, call, memory->len);
	memset(memory->data, 0, memory->len);
	verbs_region_deregister(memory->region);
	check_file("read", copy, 1048576);
	expect_alive(conn);
	verbs_close(conn);
}

/* The server reads @byte into pages that it uses again for the next Read chunk */
static void fill_pages(struct verbs_conn *conn, uint8_t byte)
{
	struct memory *memory = readable_memory(conn, 65536, 0);
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;

	memset(memory->data, byte, memory->len);
	make_file("read", 0, 0);
	look_up(conn, "read", &handle);
	call = new3_write(&handle, 0, memory->len, &position);
	add_read_chunk(&call->header, position, memory, 0, memory->len, 1);
	expect_written(conn, call, memory->len);
	free_memory(memory);
	free(call);
}

static void expect_symlink(struct verbs_conn *conn, struct call *call, const char *what)
{
	struct reply *reply;

	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply), "%s fails", what);
	free_reply(conn, reply);
}

/*
 * The target of a SYMLINK, in the middle of the Call. The server adds a pad of zeroes, so it
 * recognizes the Call when it comes again, and does not execute it twice.
 */
void scenario_read_symlink(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 512, 5);
	const char *text = "a/target/of/odd/length/that/no-one/follows/at";
	uint32_t position, i, len = strlen(text);
	struct nfs_handle root;
	struct call *call;
	char got[512] = "";

	memcpy(memory->data, text, len);
	remove_file("symlink");
	look_up(conn, "", &root);
	call = new3_symlink(&root, "symlink", len, &position);
	add_read_chunk(&call->header, position, memory, 0, len, 3);
	expect_symlink(conn, call, "SYMLINK");
	check(readlink(export_path("symlink"), got, sizeof(got) - 1) == len &&
	      !strcmp(got, text), "the link says '%s'", got);
	for (i = 1; i <= 5; i++) {
		fill_pages(conn, i);
		expect_symlink(conn, call, "the same SYMLINK again");
	}
	verbs_close(conn);
}

/*
 * Two WRITEs in a COMPOUND, each with a Read chunk. The second Position
 * includes the first chunk and its padding (RFC 8166, T-25); the segments of
 * both are interleaved (RFC 8166, T-29).
 *
 * The second Position is below 4096. nfsd of 6.12 takes data that begins in a
 * later page, and not at the start of that page, from the wrong offset:
 * svc_fill_write_vector() ignores page_base. This happens over TCP as well.
 */
static void write_two(struct verbs_conn *conn, size_t a, size_t b, bool mixed)
{
	struct memory *first = readable_memory(conn, a, 100 + a);
	struct memory *second = readable_memory(conn, b, 200 + b);
	struct call *call = new_compound(0);
	uint32_t at_a, at_b, nops;
	struct reply *reply;

	make_file("first", 0, 0);
	make_file("second", 0, 0);
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "first");
	put_write(call, 0, a);
	at_a = call->payload.len;
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "second");
	put_write(call, 0, b);
	at_b = call->payload.len + xdr_round(a);
	if (mixed) {
		add_read_segment(&call->header, at_b, second, 0, b / 2);
		add_read_segment(&call->header, at_a, first, 0, a / 2);
		add_read_segment(&call->header, at_b, second, b / 2, b - b / 2);
		add_read_segment(&call->header, at_a, first, a / 2, a - a / 2);
	} else {
		add_read_segment(&call->header, at_a, first, 0, a);
		add_read_segment(&call->header, at_b, second, 0, b);
	}
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_compound(reply, &nops) && nops == 6,
	      "the COMPOUND ends after %u operations", nops);
	check_file("first", first->data, a);
	check_file("second", second->data, b);
	free_reply(conn, reply);
	free_memory(first);
	free_memory(second);
}

void scenario_read_chunks(void)
{
	static const size_t pairs[][2] = {
		{ 5, 8 }, { 8, 5 }, { 1, 1 }, { 1023, 1021 }, { 3001, 70003 },
	};
	struct verbs_conn *conn = open_default();
	unsigned int i;

	for (i = 0; i < 5; i++) {
		write_two(conn, pairs[i][0], pairs[i][1], false);
		write_two(conn, pairs[i][0], pairs[i][1], true);
	}
	verbs_close(conn);
}

/* One eligible argument is reduced, the other is not: RFC 8166 3.5.2 (V1-RD-14) */
void scenario_read_partly(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 777, 6);
	struct call *call = new_compound(0);
	struct reply *reply;
	uint32_t nops, at;

	make_file("first", 0, 0);
	make_file("second", 0, 0);
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "first");
	put_write(call, 0, 301);
	put_fixed(&call->payload, memory->data, 301);
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "second");
	put_write(call, 0, 777);
	at = call->payload.len;
	put_op(call, OP_GETFH);
	add_read_segment(&call->header, at, memory, 0, 777);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_compound(reply, &nops) && nops == 7,
	      "the COMPOUND ends after %u operations", nops);
	check_file("first", memory->data, 301);
	check_file("second", memory->data, 777);
	free_reply(conn, reply);
	verbs_close(conn);
}
