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
		if (off[i] % 4 == 0) {
			send_refused(conn, call);
			continue;
		}
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
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

/*
 * A server must accept sixteen segments. Old clients use one for each page, up to 259,
 * which is what Linux servers accept. More may be refused.
 */
void scenario_read_many_segments(void)
{
	static const unsigned int counts[] = { 16, 17, 64, 65, 128, 200, 259, 300 };
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, SIZE, 7);
	struct call *call;
	uint32_t position;
	unsigned int i;
	bool taken;

	for (i = 0; i < 8; i++) {
		call = write_call(conn, &position);
		add_read_chunk(&call->header, position, memory, 0, SIZE, counts[i]);
		send_call(conn, call);
		taken = executed_or_refused(conn, call, ERR2_SEGMENTS);
		check(taken || counts[i] > 259, "%u segments are refused",
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
	expect_no_answer(conn);
	check_not_executed();
	expect_alive(other);
	verbs_close(conn);
	expect_alive(other);
	verbs_close(other);
}

void scenario_read_bad_memory(void)
{
	struct verbs_conn *conn = open_default();
	unsigned int kind;

	for (kind = 0; kind < BAD_KINDS; kind++) {
		if (kind == BAD_ACCESS && is_siw(conn)) {
			note("siw reads memory that is registered for Writes only");
			continue;
		}
		read_bad(kind, 40000, false);
		read_bad(kind, 40000, true);
		read_bad(kind, 1, false);
	}
	verbs_close(conn);
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

/* Set an ACL that makes the mode of the file 0640, with the ACL in a Read chunk */
static struct call *setacl_call(struct verbs_conn *conn, uint32_t *position)
{
	static const uint32_t acl[] = {
		3, 3, 1, 0, 6, 4, 0, 4, 32, 0, 0,	/* owner, group, others */
		0, 0,					/* no default ACL */
	};
	struct memory *memory = readable_memory(conn, sizeof(acl), 1);
	struct call *call = new_call(NFSACL_PROGRAM, 3, NFSACL3_SETACL);
	unsigned int i;

	for (i = 0; i < sizeof(acl) / sizeof(acl[0]); i++)
		set_u32(memory->data + 4 * i, acl[i]);
	make_file("acl", 0, 0);
	look_up(conn, "acl", &handle);
	put_opaque(&call->payload, handle.data, handle.len);
	put_u32(&call->payload, 1);	/* access ACL */
	*position = call->payload.len;
	add_read_segment(&call->header, *position, memory, 0, sizeof(acl));
	return call;
}

/*
 * Linux clients before 4.3 put a large ACL into a Read chunk, although it is not
 * eligible. The server takes that, but nothing in front of the arguments.
 */
void scenario_read_acl(void)
{
	struct verbs_conn *conn = open_default();
	struct reply *reply;
	struct call *call;
	uint32_t position, begin;

	call = setacl_call(conn, &position);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply), "SETACL fails");
	free_reply(conn, reply);
	check(file_mode("acl") == 0640, "the ACL was not set: mode %o",
	      file_mode("acl"));
	/* Six words, credential, an empty verifier */
	begin = 32 + word_at(call->payload.data, 7) + 8;
	for (position = 4; position < begin; position += 4) {
		call->header.reads[0].position = position;
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_alive(conn);
	verbs_close(conn);
}
