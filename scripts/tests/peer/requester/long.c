// SPDX-License-Identifier: GPL-2.0-only
/* Long Calls: the RPC message is in a Position Zero chunk. */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

void add_long(struct verbs_conn *conn, struct call *call, unsigned int n)
{
	struct memory *memory = readable_memory(conn, call->payload.len, 1);

	memcpy(memory->data, call->payload.data, call->payload.len);
	memory_snapshot(memory);
	call->header.proc = RDMA_NOMSG;
	add_read_chunk(&call->header, 0, memory, 0, memory->len, n);
}

void send_long(struct verbs_conn *conn, struct call *call, unsigned int n)
{
	add_long(conn, call, n);
	send_call(conn, call);
}

/* A Long Call may have any size */
void scenario_long_small(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int n;

	for (n = 1; n <= 16; n++) {
		call = null_call();
		send_long(conn, call, n);
		free_reply(conn, expect_success(conn, call));
	}
	expect_silence(conn);
	verbs_close(conn);
}

/*
 * A WRITE of @len bytes as a Long Call with @n segments. @reduced: its data is
 * in a Read chunk
 */
static void write_long(struct verbs_conn *conn, size_t len, unsigned int n,
		       bool reduced)
{
	struct memory *memory = readable_memory(conn, len + 2048, len);
	struct memory *data = readable_memory(conn, len, len);
	struct nfs_handle handle;
	struct reply *reply;
	struct call *call;
	uint32_t position;
	size_t total;

	make_file("long", 0, 0);
	look_up(conn, "long", &handle);
	call = new3_write(&handle, 0, len, &position);
	memcpy(memory->data, call->payload.data, position);
	total = position;
	if (!reduced) {
		memcpy(memory->data + position, data->data, len);
		memset(memory->data + position + len, 0, 4);
		total += xdr_round(len);
	}
	memory_snapshot(memory);
	call->header.proc = RDMA_NOMSG;
	add_read_chunk(&call->header, 0, memory, 0, total, n);
	if (reduced)
		add_read_chunk(&call->header, position, data, 0, len, n);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_status3(reply) && get_write3(reply) == len,
	      "WRITE of %zu bytes fails", len);
	check_file("long", data->data, len);
	free_reply(conn, reply);
	free_memory(memory);
	free_memory(data);
	free(call);
}

static const size_t sizes[] = { 1, 3, 4, 1000, 4096, 65535, 1048575, 1048576 };

void scenario_long_write(void)
{
	struct verbs_conn *conn = open_default();
	unsigned int i;

	for (i = 0; i < 8; i++) {
		write_long(conn, sizes[i], 1, false);
		write_long(conn, sizes[i], 5, false);
		write_long(conn, sizes[i], 16, false);
	}
	verbs_close(conn);
}

/* The Position Zero chunk has the reduced message, and a Read chunk has the data */
void scenario_long_and_chunk(void)
{
	struct verbs_conn *conn = open_default();
	unsigned int i;

	for (i = 0; i < 8; i++) {
		write_long(conn, sizes[i], 1, true);
		write_long(conn, sizes[i], 7, true);
		write_long(conn, sizes[i], 16, true);
	}
	verbs_close(conn);
}

/* The server ignores bytes after the header */
void scenario_long_trailing(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	struct memory *memory = readable_memory(conn, call->payload.len, 1);

	memcpy(memory->data, call->payload.data, call->payload.len);
	call->header.proc = RDMA_NOMSG;
	add_read_segment(&call->header, 0, memory, 0, memory->len);
	header_put(&call->bytes, &call->header);
	put_u32(&call->bytes, 0xffffffff);
	put_bytes(&call->bytes, call->payload.data, 21);
	send_bytes(conn, call->bytes.data, call->bytes.len);
	free_reply(conn, expect_success(conn, call));
	verbs_close(conn);
}

/* The message in the chunk has another XID, is a Reply, or is too short */
void scenario_long_words(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	size_t len;

	set_u32(call->payload.data, ~call->header.xid);
	send_long(conn, call, 1);
	expect_err_chunk(conn, call->header.xid);

	call = null_call();
	set_u32(call->payload.data + 4, RPC_REPLY);
	send_long(conn, call, 1);
	expect_err_chunk(conn, call->header.xid);

	for (len = 1; len < 8; len++) {
		call = null_call();
		call->payload.len = len;
		send_long(conn, call, 1);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_alive(conn);
	verbs_close(conn);
}
