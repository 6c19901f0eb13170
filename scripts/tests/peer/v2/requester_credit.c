// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first credit grant in version 2.
 */
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

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
