// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients whose Read chunks have many small segments. The case sees to it that the RDMA Reads do
 * not complete, or complete late. The server must drop these clients in time.
 */
#include <stdlib.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define CALLS		24
#define SEGMENTS	128

/* @calls: each with a Read chunk of SEGMENTS segments of @bytes */
static void writes_in_pieces(unsigned int calls, unsigned int bytes)
{
	struct verbs_conn *conn = open_default();
	const uint32_t length = SEGMENTS * bytes;
	struct memory *memory;
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;
	unsigned int i;

	make_file("pieces", 0, 0);
	look_up(conn, "pieces", &handle);
	memory = readable_memory(conn, length, 1);
	for (i = 0; i < calls; i++) {
		call = new3_write(&handle, 0, length, &position);
		add_read_chunk(&call->header, position, memory, 0, length, SEGMENTS);
		send_call(conn, call);
		free(call);
	}
	note("%u Calls are sent", calls);
	expect_lost(conn);
	verbs_close(conn);
}

/* Where RDMA Reads need MRs, a few of these Calls use up those of the connection */
void scenario_pulls_in_pieces(void)
{
	writes_in_pieces(CALLS, 16);
}

/* The server reads few bytes of a cache line at a time: each time something completes */
void scenario_dribbles(void)
{
	writes_in_pieces(1, 1);
}
