// SPDX-License-Identifier: GPL-2.0-only
/* How many RDMA Reads the client, by its connect request, and the device allow at once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define CALLS		8
#define SEGMENTS	16
#define LEN		262144

/* Replies in any order */
static void take_replies(struct verbs_conn *conn, unsigned int count)
{
	static struct header h;
	struct verbs_message message;

	while (count--) {
		next_message(conn, &message);
		check(!header_get(&h, message.data, message.len) && h.proc == RDMA_MSG,
		      "a message that is not a Reply");
		repost_receive(conn, &message);
	}
}

/* WRITEs of many segments, all at once */
static void write_at_once(struct verbs_conn *conn)
{
	struct memory *memory = readable_memory(conn, CALLS * LEN, 7);
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;
	unsigned int i;

	make_file("depth", 0, 0);
	look_up(conn, "depth", &handle);
	for (i = 0; i < CALLS; i++) {
		call = new3_write(&handle, i * LEN, LEN, &position);
		add_read_chunk(&call->header, position, memory, i * LEN, LEN, SEGMENTS);
		send_call(conn, call);
		free(call);
	}
	take_replies(conn, CALLS);
	check_file("depth", memory->data, memory->len);
	free_memory(memory);
}

static struct verbs_conn *open_with_reads(unsigned int reads)
{
	struct verbs_options options;

	default_options(&options);
	options.reads = reads;
	return open_with(&options);
}

/* The server says that it has no more outstanding, and reads all segments */
void scenario_reads_few(void)
{
	static const unsigned int counts[] = { 1, 3 };
	struct verbs_conn *conn;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		conn = open_with_reads(counts[i]);
		check(conn->remote_reads == counts[i], "%u RDMA Reads at once, %u are allowed",
		      conn->remote_reads, counts[i]);
		write_at_once(conn);
		expect_silence(conn);
		verbs_close(conn);
	}
}

/* The server's device, which is this end's too, has fewer: the case has made it so */
void scenario_reads_device(void)
{
	struct verbs_conn *conn = open_with_reads(16);
	struct ibv_device_attr attr;

	check(!ibv_query_device(conn->id->verbs, &attr), "the device tells no limits");
	check(attr.max_qp_init_rd_atom < 16, "the device can do %d RDMA Reads at once",
	      attr.max_qp_init_rd_atom);
	check(conn->remote_reads == attr.max_qp_init_rd_atom,
	      "%u RDMA Reads at once, the device can do %d", conn->remote_reads,
	      attr.max_qp_init_rd_atom);
	write_at_once(conn);
	verbs_close(conn);
}

/* The server could take no Read chunk, so it refuses the connection */
void scenario_reads_none(void)
{
	struct verbs_options options;
	struct verbs_conn *conn;
	int ret;

	default_options(&options);
	options.reads = 0;
	ret = try_open_raw(&conn, &options);
	check(ret == -ECONNREFUSED, "connecting ends with: %s", strerror(-ret));
}
