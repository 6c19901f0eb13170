// SPDX-License-Identifier: GPL-2.0-only
/* Which version a connection to the server uses. */
#include <stdlib.h>
#include <string.h>
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

static const uint32_t unknown[] = { 0, 3, 77, 0x01000000, 0x80000000, 0xffffffff };

#define UNKNOWN	(sizeof(unknown) / sizeof(unknown[0]))

static struct verbs_conn *connect_only(void)
{
	struct verbs_options options;

	default_options(&options);
	return open_raw(&options);
}

/* Build a Call in this version, whatever the version of the scenario */
static struct call *null_in(unsigned int version)
{
	unsigned int usual = target.version;
	struct call *call;

	target.version = version;
	call = null_call();
	target.version = usual;
	return call;
}

static void expect_refused_version(struct verbs_conn *conn, uint32_t vers,
				   uint32_t low, uint32_t high)
{
	struct call *call = vers == 1 ? null_in(1) : null_in(2);

	call->header.vers = vers;
	send_call(conn, call);
	expect_version_range(conn, call->header.xid, vers, low, high);
	free(call);
}

static void expect_answered(struct verbs_conn *conn, unsigned int version)
{
	target.version = version;
	expect_alive(conn);
	target.version = 2;
}

/* ERR_VERS has seven words, lists versions 1 to 2, and does not fix the version */
void v2_scenario_unknown_versions(void)
{
	struct verbs_conn *conn;
	unsigned int i, version;

	for (version = 1; version <= 2; version++) {
		conn = connect_only();
		for (i = 0; i < UNKNOWN; i++)
			expect_refused_version(conn, unknown[i], 1, 2);
		expect_silence(conn);
		expect_answered(conn, version);
		verbs_close(conn);
	}
}

/* Nothing after the fourth word matters in an unknown version */
void v2_scenario_unknown_opaque(void)
{
	static const uint32_t types[] = { 0, 1, 2, 3, 5, 6, 0xffffffff };
	struct verbs_conn *conn = connect_only();
	struct call *call = null_in(2);
	unsigned int i;
	size_t len;

	call->header.vers = 3;
	for (i = 0; i < 7; i++) {
		call->header.proc = types[i];
		call->bytes.len = 0;
		header_put(&call->bytes, &call->header);
		memset(call->bytes.data + 16, 0xff, sizeof(call->bytes.data) - 16);
		for (len = 28; len < 64; len += 9) {
			send_bytes(conn, call->bytes.data, len);
			expect_version_range(conn, call->header.xid, 3, 1, 2);
		}
	}
	/* Below 28 bytes: nothing */
	for (len = 0; len < 28; len++)
		send_bytes(conn, call->bytes.data, len);
	expect_silence(conn);
	expect_answered(conn, 2);
	verbs_close(conn);
}

/*
 * The first message fixes the version; later ones of the other version are
 * refused
 */
static void settle(unsigned int version, bool connprop)
{
	struct verbs_conn *conn = connect_only();
	unsigned int other = 3 - version, i;

	if (connprop)
		exchange_props(conn, new_connprop());
	for (i = 0; i < 3; i++) {
		expect_answered(conn, version);
		expect_refused_version(conn, other, version, version);
		expect_refused_version(conn, 77, version, version);
	}
	expect_silence(conn);
	expect_answered(conn, version);
	verbs_close(conn);
}

void v2_scenario_settled(void)
{
	settle(1, false);
	settle(2, false);
	settle(2, true);
}

/* Connections of version 1 and version 2 side by side */
void v2_scenario_side_by_side(void)
{
	struct verbs_conn *one = connect_only(), *two = connect_only();
	unsigned int i;

	exchange_props(two, new_connprop());
	for (i = 0; i < 20; i++) {
		expect_answered(one, 1);
		expect_answered(two, 2);
	}
	expect_silence(one);
	expect_silence(two);
	verbs_close(one);
	verbs_close(two);
}

/* A CONNPROP on a connection that already uses version 1 */
void v2_scenario_opening_on_version_1(void)
{
	struct verbs_conn *conn = connect_only();
	struct call *opening = new_connprop();

	header_add_number(&opening->header, PROPERTY_RBSIZ, RBSIZ_DEFAULT);
	expect_answered(conn, 1);
	send_call(conn, opening);
	expect_version_range(conn, opening->header.xid, 2, 1, 1);
	expect_answered(conn, 1);
	verbs_close(conn);
}

/*
 * The case has disabled version 2 on the server. The table lists this scenario
 * as version 1, because the check of the server afterwards must use version 1.
 */
void v2_scenario_off(void)
{
	struct verbs_conn *conn = connect_only();
	struct call *opening;

	target.version = 2;
	opening = new_connprop();
	header_add_number(&opening->header, PROPERTY_RBSIZ, RBSIZ_DEFAULT);
	send_call(conn, opening);
	expect_version_range(conn, opening->header.xid, 2, 1, 1);
	expect_refused_version(conn, 77, 1, 1);
	target.version = 1;
	expect_alive(conn);
	expect_silence(conn);
	verbs_close(conn);
}

/* The case has disabled version 1 on the server */
void v2_scenario_only(void)
{
	struct verbs_conn *conn = connect_only();

	expect_refused_version(conn, 1, 2, 2);
	expect_refused_version(conn, 3, 2, 2);
	exchange_props(conn, new_connprop());
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * The server still sends RFC 8797 private data, but its sizes do not apply: it
 * says 16 KiB here, and the default is 4096 bytes
 */
void v2_scenario_private_data(void)
{
	struct verbs_options options;
	struct private_data remote;
	struct verbs_conn *conn;

	default_options(&options);
	private_put(options.private, true, 16384, 16384);
	conn = open_raw(&options);
	private_get(&remote, conn->private, conn->private_len);
	check(remote.found, "the server sends no private data");
	exchange_props(conn, new_connprop());
	check(reply_threshold(conn) == RBSIZ_DEFAULT, "the peer counts wrongly");
	check_reply_limit(conn);
	verbs_close(conn);
}
