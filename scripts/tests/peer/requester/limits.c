// SPDX-License-Identifier: GPL-2.0-only
/*
 * Peers that stop receiving, that disconnect early, that open many connections,
 * and chunks with invalid memory. Only their own connection may suffer.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

static struct nfs_handle handle;

static void big_file(struct verbs_conn *conn)
{
	make_file("big", 1048576, 1);
	look_up(conn, "big", &handle);
}

/* End the connection in the middle of an exchange, in one of several ways */
static void leave(struct verbs_conn *conn, unsigned int how)
{
	switch (how % 4) {
	case 0:
		verbs_disconnect(conn);
		break;
	case 1:
		verbs_set_error(conn);
		break;
	case 2:
		usleep(1000 * (how % 7));
		verbs_set_error(conn);
		break;
	case 3:
		usleep(1000 * (how % 5));
		break;
	}
	verbs_close(conn);
}

/* With outstanding RDMA Reads of 1 MiB each */
void scenario_leave_reading(void)
{
	struct verbs_conn *conn, *other = open_default();
	struct memory *memory;
	struct call *call;
	unsigned int i, j;
	uint32_t position;

	big_file(other);
	for (i = 0; i < 24; i++) {
		conn = open_default();
		expect_alive(conn);
		memory = readable_memory(conn, 1048576, 1);
		for (j = 0; j < 4; j++) {
			call = new3_write(&handle, 0, 1048576, &position);
			add_read_chunk(&call->header, position, memory, 0,
				       1048576, 16);
			send_call(conn, call);
			free(call);
		}
		leave(conn, i);
		expect_alive(other);
	}
	verbs_close(other);
}

/* With outstanding RDMA Writes into Write chunks and Reply chunks */
void scenario_leave_writing(void)
{
	struct verbs_conn *conn, *other = open_default();
	struct memory *memory;
	struct call *call;
	unsigned int i, j;

	big_file(other);
	for (i = 0; i < 24; i++) {
		conn = open_default();
		expect_alive(conn);
		memory = writable_memory(conn, 1100000);
		for (j = 0; j < 4; j++) {
			call = new3_read(&handle, 0, 1048576);
			add_segments(j % 2 ? header_add_write(&call->header) :
				     header_add_reply(&call->header), memory, 0,
				     1100000, 16);
			send_call(conn, call);
			free(call);
		}
		leave(conn, i);
		expect_alive(other);
	}
	verbs_close(other);
}

/* With outstanding Calls */
void scenario_leave_calling(void)
{
	struct verbs_conn *conn;
	struct call *call;
	unsigned int i, j;

	for (i = 0; i < 24; i++) {
		conn = open_default();
		expect_alive(conn);
		for (j = 0; j < 30; j++) {
			call = null_call();
			send_call(conn, call);
			free(call);
		}
		leave(conn, i);
	}
}

/* Memory that the server cannot write */
static void write_bad(unsigned int kind, bool reply_chunk)
{
	struct verbs_conn *other = open_default(), *conn = open_default();
	struct memory *memory;
	struct chunk *chunk;
	struct call *call;

	big_file(other);
	memory = new_memory(kind == 1 ? other : conn, 65536, kind == 2 ?
			    IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE);
	if (kind == 0)
		memory->handle ^= 0x00ffff00;
	if (kind == 3)
		verbs_region_deregister(memory->region);
	call = new3_read(&handle, 0, 40000);
	chunk = reply_chunk ? header_add_reply(&call->header) :
			      header_add_write(&call->header);
	add_segment(chunk, memory, kind == 4 ? 50000 : 0, 65536);
	send_call(conn, call);
	expect_no_answer(conn);
	if (kind != 3 && kind != 4)
		check_memory(memory, NULL);
	expect_alive(other);
	verbs_close(conn);
	expect_alive(other);
	verbs_close(other);
}

void scenario_write_bad_memory(void)
{
	unsigned int kind;

	for (kind = 0; kind < 5; kind++) {
		write_bad(kind, false);
		write_bad(kind, true);
	}
}

/* The connection has no Receive left, so the server's next Send does not complete */
static void check_silent(struct verbs_conn *conn)
{
	verbs_poll(conn);
	check(conn->lost || !conn->posted, "a connection still has a Receive");
}

/*
 * Peers that post no more Receives: the server must serve other connections, and keep
 * nothing of these when they leave
 */
void scenario_silent(void)
{
	struct verbs_conn *silent[8], *other = open_default();
	struct verbs_options options;
	struct memory *memory;
	struct call *call;
	unsigned int i, j;

	big_file(other);
	default_options(&options);
	options.recvs = 1;
	for (i = 0; i < 8; i++) {
		silent[i] = open_with(&options);
		memory = writable_memory(silent[i], 1048576);
		for (j = 0; j < 20; j++) {
			call = new3_read(&handle, 0, 1048576);
			add_segment(header_add_write(&call->header), memory, 0,
				    1048576);
			/* Some devices close the connection by themselves */
			header_put(&call->bytes, &call->header);
			put_bytes(&call->bytes, call->payload.data,
				  call->payload.len);
			verbs_send(silent[i], call->bytes.data, call->bytes.len);
			free(call);
		}
	}
	for (i = 0; i < 100; i++)
		expect_alive(other);
	for (i = 0; i < 8; i++) {
		check_silent(silent[i]);
		verbs_close(silent[i]);
	}
	expect_server_connections(1);
	expect_alive(other);
	verbs_close(other);
}

/* The second Reply finds no Receive, and there are no RNR retries: the connection is lost */
void scenario_no_receive(void)
{
	struct verbs_options options;
	struct verbs_message message;
	struct verbs_conn *conn;
	unsigned long before;
	struct call *call;
	unsigned int i;

	default_options(&options);
	options.recvs = 1;
	options.rnr_retry = 0;
	conn = open_with(&options);
	before = conn->received;
	for (i = 0; i < 8; i++) {
		call = null_call();
		header_put(&call->bytes, &call->header);
		put_bytes(&call->bytes, call->payload.data, call->payload.len);
		if (verbs_send(conn, call->bytes.data, call->bytes.len))
			break;
	}
	expect_lost(conn);
	while (!verbs_recv(conn, &message, 0))
		;
	check(conn->received == before + 1, "%lu messages came before",
	      conn->received - before);
	verbs_close(conn);
}

/* Many connections at once, idle and in use; the server replies on all of them */
void scenario_many_connections(void)
{
	struct verbs_options options;
	struct verbs_conn *conns[48];
	unsigned int i, round;

	default_options(&options);
	options.recvs = 2;
	options.sends = 2;
	for (i = 0; i < 48; i++)
		conns[i] = open_with(&options);
	for (round = 0; round < 3; round++)
		for (i = 0; i < 48; i++)
			expect_alive(conns[i]);
	for (i = 0; i < 48; i += 2)
		verbs_close(conns[i]);
	for (i = 1; i < 48; i += 2)
		expect_alive(conns[i]);
	for (i = 1; i < 48; i += 2)
		verbs_close(conns[i]);
}

/*
 * Many errors on one connection, after a Call that is good: it is not lost, and the log
 * does not grow
 */
void scenario_errors_repeated(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	unsigned int i;

	expect_alive(conn);
	call->header.proc = 99;
	for (i = 0; i < 3000; i++) {
		call->header.xid = i;
		send_call(conn, call);
		expect_refusal(conn, i, ERR2_INVAL_HTYPE);
	}
	expect_alive(conn);
	verbs_close(conn);
}
