// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection is lost while its Calls are in the server: the first one hangs in nfsd, the
 * others wait for a thread, or their RDMA Reads for the send queue. A copy of the first one
 * waits on another connection.
 *
 * The case makes nfsd hang, and looks at the server's memory between the steps. A step
 * begins when the case creates a file of its name in the directory PEER_STEPS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define CALLS		8
#define WRITE_LEN	1048576

/* Calls and segments of each: more work requests than a short send queue has */
#define MANY_CALLS	24
#define MANY_SEGMENTS	40
#define SEGMENT_LEN	64

static void wait_for_step(const char *step)
{
	const char *steps = getenv("PEER_STEPS");
	int64_t end = verbs_now() + 3 * timeout_ms();
	char path[256];

	check(steps, "there is no PEER_STEPS");
	snprintf(path, sizeof(path), "%s/%s", steps, step);
	note("waits for the step %s", step);
	while (access(path, F_OK)) {
		check(verbs_now() < end, "the step %s does not begin", step);
		usleep(20000);
	}
}

/* A WRITE of the same bytes each time, so that nfsd knows a copy by its checksum */
static struct call *new_write(struct verbs_conn *conn, const struct nfs_handle *handle)
{
	struct memory *memory = readable_memory(conn, WRITE_LEN, 1);
	struct call *call;
	uint32_t position;

	call = new3_write(handle, 0, WRITE_LEN, &position);
	add_read_chunk(&call->header, position, memory, 0, WRITE_LEN, 1);
	return call;
}

static void send_copy(struct verbs_conn *conn, const struct nfs_handle *handle,
		      const struct call *first)
{
	struct call *copy = new_write(conn, handle);

	copy->header.xid = first->header.xid;
	memcpy(copy->payload.data, first->payload.data, sizeof(uint32_t));
	send_call(conn, copy);
	free(copy);
}

void scenario_lost_calls(void)
{
	struct verbs_conn *conn = open_default(), *other = open_default();
	struct nfs_handle handle;
	struct call *first, *call;
	unsigned int i;

	make_file("lost", 0, 0);
	look_up(conn, "lost", &handle);
	expect_alive(other);
	wait_for_step("calls");
	first = new_write(conn, &handle);
	send_call(conn, first);
	for (i = 1; i < CALLS; i++) {
		call = new_write(conn, &handle);
		send_call(conn, call);
		free(call);
	}
	wait_for_step("copy");
	send_copy(other, &handle, first);
	wait_for_step("loss");
	verbs_close(conn);
	/* nfsd drops the copy, so its credit does not come back without a new connection */
	wait_for_step("end");
	expect_lost(other);
	verbs_close(other);
	free(first);
}

static void send_write_in_segments(struct verbs_conn *conn, const struct nfs_handle *handle)
{
	const size_t len = MANY_SEGMENTS * SEGMENT_LEN;
	struct memory *memory = readable_memory(conn, len, 1);
	struct call *call;
	uint32_t position;

	call = new3_write(handle, 0, len, &position);
	add_read_chunk(&call->header, position, memory, 0, len, MANY_SEGMENTS);
	send_call(conn, call);
	free(call);
}

/* The case lets no RDMA Read complete after the first Call */
void scenario_lost_reads(void)
{
	struct verbs_conn *conn = open_default();
	struct nfs_handle handle;
	unsigned int i;

	make_file("lost", 0, 0);
	look_up(conn, "lost", &handle);
	wait_for_step("first");
	send_write_in_segments(conn, &handle);
	wait_for_step("reads");
	for (i = 0; i < MANY_CALLS; i++)
		send_write_in_segments(conn, &handle);
	wait_for_step("loss");
	verbs_close(conn);
}
