// SPDX-License-Identifier: GPL-2.0-only
/*
 * Credits in version 2: the first grant, and which messages take one.
 */
#include <stdlib.h>
#include "requester/nfs.h"
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

/* The least that a server can be told to grant, and one page */
#define LEAST_CREDITS	4
#define HUNG_SIZE	4096

/* The server's CONNPROP carries the first grant, which is valid at once */
void v2_scenario_credit_first(void)
{
	static const uint32_t wanted[] = { 0, 1, 7, 32, 0xffffffff };
	struct verbs_options options;
	struct verbs_conn *conn;
	struct call *calls[1024], *call;
	unsigned int i, grant;

	for (i = 0; i < 5; i++) {
		default_options(&options);
		options.recvs = 1024;
		options.sends = 1024;
		options.recv_size = 4096;
		options.send_size = 1024;
		conn = open_raw(&options);
		call = new_connprop();
		call->header.credit = wanted[i];
		exchange_props(conn, call);
		grant = ((struct props *)conn->arg)->grant;
		check(grant <= 1024 && (grant > 1 || wanted[i] < 2),
		      "%u credits granted, %u requested", grant, wanted[i]);
		send_nulls(conn, grant, calls);
		take_nulls(conn, grant, calls);
		expect_silence(conn);
		verbs_close(conn);
	}
}

/*
 * WRITEs to a file system that hangs use all credits; the case sees to that, and that the
 * server grants the least. A CONNPROP that is marked as a response takes no credit: it is
 * dropped, and the connection stays. One that is not marked takes one, and is one too many.
 */
void v2_scenario_credits_used_up(void)
{
	struct call *call, *connprop = new_connprop();
	struct verbs_options options;
	struct nfs_handle handle;
	struct verbs_conn *conn;
	struct memory *memory;
	uint32_t position;
	unsigned int i;

	default_options(&options);
	conn = open_raw(&options);
	memory = readable_memory(conn, HUNG_SIZE, 1);
	look_up(conn, "hung/file", &handle);
	for (i = 0; i < LEAST_CREDITS; i++) {
		call = new3_write(&handle, 0, HUNG_SIZE, &position);
		add_read_chunk(&call->header, position, memory, 0, HUNG_SIZE, 1);
		send_call(conn, call);
		free(call);
	}
	header_set_response(&connprop->header);
	send_call(conn, connprop);
	expect_silence(conn);
	send_call(conn, new_connprop());
	expect_lost(conn);
	verbs_close(conn);
}
