// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client whose Read chunks have many small segments. Where RDMA Reads need MRs, a few of
 * its Calls use up those of the connection. The case sees to it that the RDMA Reads do not
 * complete, and what that costs another client. The server must drop this one in time.
 */
#include <stdlib.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define CALLS		24
#define SEGMENTS	128
#define WRITE_LEN	(SEGMENTS * 16)

void scenario_pulls_in_pieces(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory;
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;
	unsigned int i;

	make_file("pieces", 0, 0);
	look_up(conn, "pieces", &handle);
	memory = readable_memory(conn, WRITE_LEN, 1);
	for (i = 0; i < CALLS; i++) {
		call = new3_write(&handle, 0, WRITE_LEN, &position);
		add_read_chunk(&call->header, position, memory, 0, WRITE_LEN, SEGMENTS);
		send_call(conn, call);
		free(call);
	}
	note("%u Calls are sent", CALLS);
	expect_lost(conn);
	verbs_close(conn);
}
