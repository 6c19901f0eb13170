// SPDX-License-Identifier: GPL-2.0-only
/*
 * Remote invalidation: only if agreed, only of a handle that the Call offered,
 * and only with its Reply.
 *
 * rxe lets memory windows be invalidated, siw plain regions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define BUF_LEN	4096

static struct verbs_conn *open_willing(void)
{
	struct verbs_options options;

	default_options(&options);
	private_put(options.private, true, 8192, 8192);
	return open_with(&options);
}

struct memory *bound_memory(struct verbs_conn *conn)
{
	struct memory *memory;
	int ret;

	memory = new_memory(conn, BUF_LEN,
			    IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE |
			    IBV_ACCESS_MW_BIND);
	ret = verbs_bind_window(conn, memory->region, MEMORY_MARGIN, BUF_LEN,
				&memory->handle);
	if (ret == -EOPNOTSUPP)
		memory->handle = memory->region->rkey;
	else
		check(!ret, "cannot bind a memory window: %s", strerror(-ret));
	return memory;
}

/* A Call with chunks as in @kinds: W for a Write chunk, R for a Reply chunk */
static struct call *call_with(const char *kinds, struct memory **memory)
{
	struct nfs_handle handle = { .len = 0 };
	struct call *call = new3_read(&handle, 0, 100);

	for (; *kinds; kinds++, memory++) {
		if (*kinds == 'W')
			add_segment(header_add_write(&call->header), *memory, 0,
				    BUF_LEN);
		if (*kinds == 'R')
			add_segment(header_add_reply(&call->header), *memory, 0,
				    BUF_LEN);
	}
	return call;
}

/*
 * The Reply must invalidate one of the handles of its Call. Invalidating any
 * other handle ends the connection. siw does not report the handle to user
 * space.
 */
static void expect_invalidated(struct verbs_conn *conn, struct call *call)
{
	struct reply *reply;

	send_call(conn, call);
	reply = expect_reply(conn, call);
	check(is_siw(conn) || reply->message.inv, "nothing was invalidated");
	check(is_siw(conn) || header_has_handle(&call->header,
						reply->message.inv_rkey),
	      "handle %08x was invalidated, which was not offered",
	      reply->message.inv_rkey);
	free_reply(conn, reply);
	expect_alive(conn);
}

/* The handle is invalid: its next use ends the connection */
void scenario_invalidate_dead(void)
{
	struct verbs_conn *conn = open_willing();
	struct memory *memory = bound_memory(conn);
	struct nfs_handle handle;
	struct call *call;

	make_file("invalidate", 100, 1);
	look_up(conn, "invalidate", &handle);
	call = new3_read(&handle, 0, 100);
	add_segment(header_add_write(&call->header), memory, 0, BUF_LEN);
	expect_invalidated(conn, call);
	check(has_pattern(memory->data, 100, 1), "READ fails");
	call = new3_read(&handle, 0, 100);
	add_segment(header_add_write(&call->header), memory, 0, BUF_LEN);
	send_call(conn, call);
	expect_lost(conn);
	verbs_close(conn);
}

void scenario_invalidate(void)
{
	static const char * const kinds[] = { "W", "R", "WR", "WW", "WWR" };
	struct verbs_conn *conn = open_willing();
	struct memory *memory[3];
	unsigned int i, j;

	for (i = 0; i < 5; i++) {
		for (j = 0; j < 3; j++)
			memory[j] = bound_memory(conn);
		expect_invalidated(conn, call_with(kinds[i], memory));
	}
	verbs_close(conn);
}

/* The handle of a Read chunk */
void scenario_invalidate_read(void)
{
	struct verbs_conn *conn = open_willing();
	struct memory *memory = bound_memory(conn);
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;

	make_file("invalidate", 0, 0);
	look_up(conn, "invalidate", &handle);
	call = new3_write(&handle, 0, 1000, &position);
	add_read_segment(&call->header, position, memory, 0, 1000);
	expect_invalidated(conn, call);
	check_file("invalidate", memory->data, 1000);
	verbs_close(conn);
}

/* No invalidation without a handle, and none by an error */
void scenario_invalidate_nothing(void)
{
	struct verbs_conn *conn = open_willing();
	struct memory *memory = bound_memory(conn);
	struct call *call = null_call();
	struct nfs_handle handle;
	struct reply *reply;

	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!reply->message.inv, "a handle was invalidated that was not offered");
	free_reply(conn, reply);

	call = null_call();
	header_add_write(&call->header);
	header_add_reply(&call->header);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!reply->message.inv, "a handle was invalidated that was not offered");
	free_reply(conn, reply);

	make_file("invalidate", BUF_LEN, 1);
	look_up(conn, "invalidate", &handle);
	call = new3_read(&handle, 0, BUF_LEN);
	add_segment(header_add_write(&call->header), memory, 0, 100);
	send_call(conn, call);
	expect_err_chunk(conn, call->header.xid);
	call = null_call();
	add_segment(header_add_write(&call->header), memory, 0, 100);
	set_u32(call->payload.data, ~call->header.xid);
	send_call(conn, call);
	expect_err_chunk(conn, call->header.xid);
	/* The handle is still valid */
	call = new3_read(&handle, 0, 100);
	add_segment(header_add_write(&call->header), memory, 0, 100);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(chunk_length(&reply->header.writes[0]) == 100, "READ fails");
	verbs_close(conn);
}

/* The server's device cannot invalidate, and the case has made it so */
void scenario_invalidate_cannot(void)
{
	struct verbs_conn *conn = open_willing();
	struct memory *memory = bound_memory(conn);
	struct nfs_handle handle;
	struct reply *reply;
	struct call *call;
	unsigned int i;

	make_file("invalidate", 100, 1);
	look_up(conn, "invalidate", &handle);
	for (i = 0; i < 2; i++) {
		memset(memory->data, 0, 100);
		call = new3_read(&handle, 0, 100);
		add_segment(header_add_write(&call->header), memory, 0, BUF_LEN);
		send_call(conn, call);
		reply = expect_success(conn, call);
		check(!reply->message.inv, "a handle was invalidated");
		check(has_pattern(memory->data, 100, 1), "READ fails");
		free_reply(conn, reply);
		free(call);
	}
	verbs_close(conn);
}

/* Not agreed: plain Send for Replies with chunks of every kind */
void scenario_invalidate_refused(void)
{
	static const char * const kinds[] = { "W", "R", "WR", "WW", "" };
	struct verbs_conn *conn;
	struct memory *memory[3];
	struct reply *reply;
	struct call *call;
	unsigned int i, j, plain;

	for (plain = 0; plain < 2; plain++) {
		conn = plain ? open_no_private() : open_default();
		for (i = 0; i < 5; i++) {
			for (j = 0; j < 3; j++)
				memory[j] = writable_memory(conn, BUF_LEN);
			call = call_with(kinds[i], memory);
			send_call(conn, call);
			reply = expect_reply(conn, call);
			check(!reply->message.inv, "a handle was invalidated");
			free_reply(conn, reply);
		}
		expect_alive(conn);
		verbs_close(conn);
	}
}
