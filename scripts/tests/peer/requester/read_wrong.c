// SPDX-License-Identifier: GPL-2.0-only
/* Invalid Read chunks. The server must not execute the Call. */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define SIZE	1000

static struct nfs_handle handle;

static struct call *write_call(struct verbs_conn *conn, uint32_t *position)
{
	make_file("wrong", 0, 0);
	look_up(conn, "wrong", &handle);
	return new3_write(&handle, 0, SIZE, position);
}

static void check_not_executed(void)
{
	check_file("wrong", NULL, 0);
}

static void send_refused(struct verbs_conn *conn, struct call *call)
{
	send_call(conn, call);
	expect_refused(conn, call);
	check_not_executed();
	expect_alive(conn);
}

/* More or fewer bytes than the length word in the payload says */
void scenario_read_lengths(void)
{
	static const size_t wrong[] = {
		0, 1, SIZE - 4, SIZE - 1, SIZE + 1, SIZE + 3, SIZE + 4, 2 * SIZE,
	};
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 4096, 7);
	struct call *call;
	uint32_t position;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		call = write_call(conn, &position);
		add_read_segment(&call->header, position, memory, 0, wrong[i]);
		send_refused(conn, call);
	}
	verbs_close(conn);
}

void scenario_read_positions(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 4096, 7);
	static const int32_t off[] = { 1, 2, 3, -1, -2, -3, -4, 4, 8, 1024 };
	struct call *call;
	uint32_t position;
	unsigned int i;

	for (i = 0; i < 10; i++) {
		call = write_call(conn, &position);
		add_read_segment(&call->header, position + off[i], memory, 0, SIZE);
		send_refused(conn, call);
	}
	for (i = 4; i <= 48; i += 4) {
		call = write_call(conn, &position);
		add_read_segment(&call->header, i, memory, 0, SIZE);
		send_refused(conn, call);
	}
	call = write_call(conn, &position);
	add_read_segment(&call->header, 0xfffffffc, memory, 0, SIZE);
	send_call(conn, call);
	expect_err_chunk(conn, call->header.xid);
	verbs_close(conn);
}

/* Two chunks that overlap in the XDR stream */
void scenario_read_overlap(void)
{
	static const uint32_t offsets[] = { 4, 8, SIZE - 4 };
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 4096, 7);
	struct call *call;
	uint32_t position;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		call = write_call(conn, &position);
		add_read_segment(&call->header, position, memory, 0, SIZE);
		add_read_segment(&call->header, position + offsets[i], memory, 0, 4);
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
		check_not_executed();
	}
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * Lengths whose sum exceeds 32 bits, offsets that exceed 64 bits, lengths
 * beyond any NFS limit
 */
void scenario_read_huge(void)
{
	static const struct segment huge[][2] = {
		{ { .length = 0xffffffff } },
		{ { .length = 0x80000000 }, { .length = 0x80000000 } },
		{ { .length = 0xfffffffc }, { .length = 4 + SIZE } },
		{ { .length = 0xffffffff }, { .length = 1 + SIZE } },
		{ { .length = 0x7fffffff } },
		{ { .length = 64 << 20 } },
		{ { .length = SIZE, .offset = 0xffffffffffffff00 } },
	};
	struct verbs_conn *conn = open_default();
	struct call *call;
	uint32_t position;
	unsigned int i, j;

	for (i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
		call = write_call(conn, &position);
		for (j = 0; j < 2; j++)
			header_add_read(&call->header, position, 0x1234,
					huge[i][j].length, huge[i][j].offset);
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
		check_not_executed();

		/* The same at Position Zero */
		call->header.proc = RDMA_NOMSG;
		for (j = 0; j < 2; j++)
			call->header.reads[j].position = 0;
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_alive(conn);
	verbs_close(conn);
}

/* A server must accept sixteen segments. It may accept more, or refuse them. */
void scenario_read_many_segments(void)
{
	static const unsigned int counts[] = { 16, 17, 64, 128, 129, 200, 300 };
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, SIZE, 7);
	struct call *call;
	uint32_t position;
	unsigned int i;
	bool taken;

	for (i = 0; i < 7; i++) {
		call = write_call(conn, &position);
		add_read_chunk(&call->header, position, memory, 0, SIZE, counts[i]);
		send_call(conn, call);
		taken = executed_or_err_chunk(conn, call);
		check(taken || counts[i] > 16, "%u segments are refused",
		      counts[i]);
		if (taken)
			check_file("wrong", memory->data, SIZE);
		else
			check_not_executed();
	}
	expect_alive(conn);
	verbs_close(conn);
}

/* Many chunks, of which at most one is an eligible argument */
void scenario_read_many_chunks(void)
{
	static const unsigned int counts[] = { 2, 15, 16, 17, 64, 128, 300 };
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, SIZE, 7);
	struct call *call;
	uint32_t position;
	unsigned int i, j;

	for (i = 0; i < 7; i++) {
		call = write_call(conn, &position);
		for (j = 0; j < counts[i]; j++)
			add_read_segment(&call->header, position + 8 * j,
					 memory, 0, 4);
		send_refused(conn, call);
	}
	verbs_close(conn);
}

enum bad_memory {
	BAD_HANDLE,
	BAD_OTHER_CONNECTION,
	BAD_DEREGISTERED,
	BAD_LENGTH,
	BAD_ACCESS,
	BAD_KINDS,
};

static struct memory *bad_memory(struct verbs_conn *conn,
				 struct verbs_conn *other, enum bad_memory kind,
				 int access)
{
	struct memory *memory;

	if (kind == BAD_ACCESS)
		access ^= IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
	memory = new_memory(kind == BAD_OTHER_CONNECTION ? other : conn,
			    65536, access);
	if (kind == BAD_HANDLE)
		memory->handle ^= 0x00ffff00;
	if (kind == BAD_DEREGISTERED)
		verbs_region_deregister(memory->region);
	return memory;
}

/* Only the connection of the Call is lost, not the other one */
static void read_bad(enum bad_memory kind, size_t len, bool long_call)
{
	struct verbs_conn *other = open_default(), *conn = open_default();
	struct memory *memory = bad_memory(conn, other, kind,
					   IBV_ACCESS_REMOTE_READ);
	struct call *call;
	uint32_t position;

	/* siw of 6.12 permits Reads of memory that is registered for Writes only */
	if (kind == BAD_ACCESS && is_siw(conn))
		return;
	make_file("wrong", 0, 0);
	look_up(conn, "wrong", &handle);
	call = new3_write(&handle, 0, len, &position);
	if (long_call) {
		call->header.proc = RDMA_NOMSG;
		position = 0;
	}
	add_read_segment(&call->header, position, memory,
			 kind == BAD_LENGTH ? 65536 + MEMORY_MARGIN - len / 2 : 0, len);
	send_call(conn, call);
	expect_err_chunk_or_lost(conn, call->header.xid);
	check_not_executed();
	expect_alive(other);
	verbs_close(conn);
	expect_alive(other);
	verbs_close(other);
}

void scenario_read_bad_memory(void)
{
	unsigned int kind;

	for (kind = 0; kind < BAD_KINDS; kind++) {
		read_bad(kind, 40000, false);
		read_bad(kind, 40000, true);
		read_bad(kind, 1, false);
	}
}

/*
 * A MKDIR whose name is in a Read chunk from @memory, although a name is not
 * eligible. Returns the Position of the chunk in @position; the attributes
 * follow there.
 */
struct call *not_eligible_call(struct verbs_conn *conn, struct memory *memory,
			       uint32_t *position)
{
	struct call *call = new_call(NFS_PROGRAM, 3, NFS3_MKDIR);
	unsigned int i;

	memcpy(memory->data, "not-eligible", 12);
	look_up(conn, "", &handle);
	put_opaque(&call->payload, handle.data, handle.len);
	put_u32(&call->payload, 12);
	*position = call->payload.len;
	for (i = 0; i < 6; i++)
		put_u32(&call->payload, 0);
	add_read_segment(&call->header, *position, memory, 0, 12);
	return call;
}

/* The server must not execute a Call whose reduced argument is not eligible */
void scenario_read_not_eligible(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 64, 7);
	uint32_t position;
	struct call *call = not_eligible_call(conn, memory, &position);

	send_call(conn, call);
	expect_refused(conn, call);
	check(!file_exists("not-eligible"), "the Call was executed");
	verbs_close(conn);
}
