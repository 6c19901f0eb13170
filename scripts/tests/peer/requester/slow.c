// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients that are slow: what a thread of the server would wait for comes late, or never.
 * The case sees to it that RDMA Reads, or RDMA Writes, of the server do not complete, and
 * measures how long other clients wait meanwhile.
 *
 * Environment: PEER_DEADLINE, decimal: milliseconds until the connections are closed.
 */
#include <stdlib.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define MOST_CONNS	8

/* Of a segment, so that none is empty */
#define SEGMENT_LEN	64

/* Of one Write chunk: more RDMA Writes than fit into one WR chain of the server */
#define MANY_SEGMENTS	259

/* Of one Read chunk: as many MRs as the server has if it grants few credits */
#define MR_SEGMENTS	40

static void stay(void)
{
	const char *text = getenv("PEER_DEADLINE");

	note("all Calls are sent");
	usleep((text ? strtoul(text, NULL, 10) : 5000) * 1000);
}

/* READs into Write chunks of @segments segments */
static void slow_reads(unsigned int nconns, unsigned int ncalls, unsigned int segments)
{
	const size_t len = segments * SEGMENT_LEN;
	struct verbs_conn *conns[MOST_CONNS];
	struct nfs_handle handle;
	struct memory *memory;
	struct call *call;
	unsigned int i, j;

	make_file("slow", len, 1);
	for (i = 0; i < nconns; i++) {
		conns[i] = open_default();
		look_up(conns[i], "slow", &handle);
	}
	for (i = 0; i < nconns; i++) {
		memory = writable_memory(conns[i], len);
		for (j = 0; j < ncalls; j++) {
			call = new3_read(&handle, 0, len);
			add_segments(header_add_write(&call->header), memory, 0,
				     len, segments);
			send_call(conns[i], call);
			free(call);
		}
	}
	stay();
	for (i = 0; i < nconns; i++)
		verbs_close(conns[i]);
}

void scenario_slow_large_replies(void)
{
	slow_reads(MOST_CONNS, 4, MANY_SEGMENTS);
}

static void slow_writes(struct verbs_conn *conn, const struct nfs_handle *handle,
			unsigned int ncalls)
{
	const size_t len = MR_SEGMENTS * SEGMENT_LEN;
	struct memory *memory = readable_memory(conn, len, 1);
	struct call *call;
	uint32_t position;

	while (ncalls--) {
		call = new3_write(handle, 0, len, &position);
		add_read_chunk(&call->header, position, memory, 0, len,
			       MR_SEGMENTS);
		send_call(conn, call);
		free(call);
	}
}

void scenario_slow_read_chunks(void)
{
	struct verbs_conn *conns[2];
	struct nfs_handle handle;
	unsigned int i;

	make_file("slow", 0, 0);
	for (i = 0; i < 2; i++) {
		conns[i] = open_default();
		look_up(conns[i], "slow", &handle);
	}
	for (i = 0; i < 2; i++)
		slow_writes(conns[i], &handle, 8);
	stay();
	for (i = 0; i < 2; i++)
		verbs_close(conns[i]);
}

/*
 * The first Call of a connection is a WRITE to a file system that hangs. The next one has
 * a Read chunk too, and fails at once: a directory cannot be written to.
 */
void scenario_first_call_hangs(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory = readable_memory(conn, 4096, 1);
	struct nfs_handle hung, root;
	struct call *calls[2];
	struct reply *reply;
	uint32_t position;
	unsigned int i;

	look_up(conn, "hung/file", &hung);
	look_up(conn, "", &root);
	verbs_close(conn);

	conn = open_default();
	memory = readable_memory(conn, 4096, 1);
	for (i = 0; i < 2; i++) {
		calls[i] = new3_write(i ? &root : &hung, 0, 4096, &position);
		add_read_chunk(&calls[i]->header, position, memory, 0, 4096, 1);
		send_call(conn, calls[i]);
	}
	reply = expect_success(conn, calls[1]);
	check(get_status3(reply), "a directory was written to");
	free_reply(conn, reply);
	verbs_close(conn);
}
