// SPDX-License-Identifier: GPL-2.0-only
/* Versions that the server does not support. */
#include <stdlib.h>
#include <string.h>
#include "requester/scenarios.h"

/* Not 2 or 3, which a server may support one day */
static const uint32_t unknown[] = { 0, 77, 0x01000000, 0x80000000, 0xffffffff };

#define UNKNOWN	(sizeof(unknown) / sizeof(unknown[0]))

void scenario_versions(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int i;

	for (i = 0; i < UNKNOWN; i++) {
		call = null_call();
		call->header.vers = unknown[i];
		send_call(conn, call);
		expect_err_vers(conn, call->header.xid, unknown[i]);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * The server must not look beyond the fixed words (RFC 8166, T-04): the
 * procedure may be one that version 1 drops or refuses, and the body may be
 * garbage.
 */
void scenario_versions_opaque(void)
{
	static const uint32_t procs[] = { 0, 1, 2, 3, 5, 0xffffffff };
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	unsigned int i;
	size_t len;

	call->header.vers = unknown[1];
	for (i = 0; i < 6; i++) {
		call->header.proc = procs[i];
		send_call(conn, call);
		memset(call->bytes.data + 16, 0xff, sizeof(call->bytes.data) - 16);
		expect_err_vers(conn, call->header.xid, unknown[1]);
		for (len = 28; len < 64; len += 9) {
			send_bytes(conn, call->bytes.data, len);
			expect_err_vers(conn, call->header.xid, unknown[1]);
		}
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* Too short for any version: no ERR_VERS */
void scenario_versions_short(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	size_t len;

	call->header.vers = unknown[1];
	header_put(&call->bytes, &call->header);
	for (len = 0; len < 28; len++)
		send_bytes(conn, call->bytes.data, len);
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}
