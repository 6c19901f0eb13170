// SPDX-License-Identifier: GPL-2.0-only
/*
 * Remote invalidation in version 2: only of the handle that the Call names, and
 * only if it is in a segment of that Call.
 *
 * siw does not report the invalidated handle to user space. On both devices the
 * peer can test whether a handle still works.
 */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

#define SIZE	100
#define BUF_LEN	4096

static struct nfs_handle file;

static struct verbs_conn *open_for_file(void)
{
	struct verbs_conn *conn = open_default();

	make_file("named", SIZE, 1);
	look_up(conn, "named", &file);
	return conn;
}

/* READ into the first; the others are in a Reply chunk and more Write chunks */
static struct call *read_into(struct memory **memory, unsigned int n)
{
	struct call *call = new3_read(&file, 0, SIZE);
	unsigned int i;

	add_segment(header_add_write(&call->header), memory[0], 0, BUF_LEN);
	for (i = 1; i < n; i++)
		add_segment(i == 1 ? header_add_reply(&call->header) :
			    header_add_write(&call->header), memory[i], 0, BUF_LEN);
	return call;
}

/* Return: a handle was invalidated. expect_success() has checked which one */
static bool exchange(struct verbs_conn *conn, struct call *call)
{
	struct reply *reply;
	bool inv;

	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply), "READ fails");
	inv = reply->message.inv;
	free_reply(conn, reply);
	free(call);
	return inv;
}

static void expect_works(struct verbs_conn *conn, struct memory *memory)
{
	memset(memory->data, 0, SIZE);
	exchange(conn, read_into(&memory, 1));
	check(has_pattern(memory->data, SIZE, 1), "no data was written");
}

/* Using the handle ends the connection */
static void expect_dead(struct verbs_conn *conn, struct memory *memory)
{
	send_call(conn, read_into(&memory, 1));
	expect_lost(conn);
	verbs_close(conn);
}

/* Name each of three handles: it becomes invalid, the others stay valid */
void v2_scenario_invalidate(void)
{
	struct memory *memory[3];
	struct verbs_conn *conn;
	struct call *call;
	unsigned int named, i;
	bool inv;

	for (named = 0; named < 3; named++) {
		conn = open_for_file();
		for (i = 0; i < 3; i++)
			memory[i] = bound_memory(conn);
		call = read_into(memory, 3);
		call->header.inv_handle = memory[named]->handle;
		inv = exchange(conn, call);
		check(is_siw(conn) || inv, "nothing was invalidated");
		for (i = 0; i < 3; i++)
			if (i != named)
				expect_works(conn, memory[i]);
		expect_dead(conn, memory[named]);
	}
}

/* The server's device cannot invalidate, and the case has made it so */
void v2_scenario_invalidate_cannot(void)
{
	struct verbs_conn *conn = open_for_file();
	struct memory *memory = bound_memory(conn);
	struct call *call = read_into(&memory, 1);

	call->header.inv_handle = memory->handle;
	check(!exchange(conn, call), "a handle was invalidated");
	expect_works(conn, memory);
	verbs_close(conn);
}

/* The handle of a Read chunk */
void v2_scenario_invalidate_read(void)
{
	struct verbs_conn *conn = open_for_file();
	struct memory *memory = bound_memory(conn);
	struct call *call;
	uint32_t position;
	bool inv;

	call = new3_write(&file, 0, SIZE, &position);
	add_read_segment(&call->header, position, memory, 0, SIZE);
	call->header.inv_handle = memory->handle;
	inv = exchange(conn, call);
	check(is_siw(conn) || inv, "nothing was invalidated");
	check_file("named", memory->data, SIZE);
	expect_dead(conn, memory);
}

/*
 * No handle is named, or one that is in no segment: plain Send, and all handles
 * stay valid
 */
void v2_scenario_invalidate_none(void)
{
	struct verbs_conn *conn = open_for_file();
	struct memory *memory[3], *other = bound_memory(conn);
	uint32_t named[4];
	struct call *call;
	unsigned int i, j;

	for (j = 0; j < 3; j++)
		memory[j] = bound_memory(conn);
	named[0] = 0;
	named[1] = 0xdeadbeef;
	named[2] = other->handle;
	named[3] = memory[0]->handle ^ 1;
	for (i = 0; i < 4; i++) {
		call = read_into(memory, 3);
		call->header.inv_handle = named[i];
		check(!exchange(conn, call), "a handle was invalidated");
		for (j = 0; j < 3; j++)
			expect_works(conn, memory[j]);
		expect_works(conn, other);
		call = null_call();
		call->header.inv_handle = named[i];
		send_call(conn, call);
		free_reply(conn, expect_success(conn, call));
	}
	verbs_close(conn);
}

/* The handle of an earlier Call is not one of this Call */
void v2_scenario_invalidate_foreign(void)
{
	struct verbs_conn *conn = open_for_file();
	struct memory *first = bound_memory(conn), *second = bound_memory(conn);
	struct call *call;

	check(!exchange(conn, read_into(&first, 1)), "a handle was invalidated");
	call = read_into(&second, 1);
	call->header.inv_handle = first->handle;
	check(!exchange(conn, call), "a handle was invalidated");
	expect_works(conn, first);
	expect_works(conn, second);
	verbs_close(conn);
}

/* Errors are sent by plain Send */
void v2_scenario_invalidate_error(void)
{
	static const enum v2_error errors[] = {
		ERR2_WRITE_RESOURCE, ERR2_INVAL_HTYPE, ERR2_BAD_XDR, ERR2_BAD_XDR,
	};
	struct verbs_conn *conn = open_for_file();
	struct memory *memory = bound_memory(conn);
	struct call *call;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		call = new3_read(&file, 0, SIZE);
		add_segment(header_add_write(&call->header), memory, 0,
			    i ? BUF_LEN : SIZE - 1);
		call->header.inv_handle = memory->handle;
		if (i == 1)
			call->header.proc = 99;
		if (i == 2)
			set_u32(call->payload.data, ~call->header.xid);
		if (i == 3)
			set_u32(call->payload.data + 4, 77);
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, errors[i]);
		free(call);
	}
	expect_works(conn, memory);
	verbs_close(conn);
}

/* The flag for remote invalidation in RFC 8797 private data does not matter */
void v2_scenario_invalidate_private(void)
{
	struct verbs_options options;
	struct memory *memory;
	struct verbs_conn *conn;
	struct call *call;
	unsigned int willing;

	for (willing = 0; willing < 2; willing++) {
		default_options(&options);
		private_put(options.private, willing, 8192, 8192);
		conn = open_with(&options);
		make_file("named", SIZE, 1);
		look_up(conn, "named", &file);
		memory = bound_memory(conn);
		check(!exchange(conn, read_into(&memory, 1)),
		      "a handle was invalidated that was not named");
		expect_works(conn, memory);
		call = read_into(&memory, 1);
		call->header.inv_handle = memory->handle;
		exchange(conn, call);
		expect_dead(conn, memory);
	}
}
