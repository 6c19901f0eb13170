// SPDX-License-Identifier: GPL-2.0-only
/* Header types, flags, and the direction of messages to the server. */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

/* Obsolete types of version 1, and unassigned types */
static const uint32_t unknown[] = {
	RDMA_MSGP, RDMA_DONE, 6, 7, 255, 0x01000000, 0x80000000, 0xffffffff,
};

/* A request gets INVAL_HTYPE; a response is dropped */
void v2_scenario_types(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	unsigned int i;
	size_t len;

	for (i = 0; i < 8; i++) {
		call->header.proc = unknown[i];
		call->header.flags = 0;
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_INVAL_HTYPE);
		/* Nothing after the flags matters */
		memset(call->bytes.data + 20, 0xff, call->bytes.len - 20);
		for (len = 20; len < call->bytes.len; len += 8) {
			send_bytes(conn, call->bytes.data, len);
			v2_expect_error(conn, call->header.xid, ERR2_INVAL_HTYPE);
		}
		header_set_response(&call->header);
		send_call(conn, call);
		expect_silence(conn);
	}
	expect_alive(conn);
	verbs_close(conn);
}

/* Undefined flags are ignored */
void v2_scenario_flags(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int bit;

	for (bit = 1; bit <= 32; bit++) {
		call = null_call();
		call->header.flags = bit < 32 ? 1u << bit : 0xfffffffe;
		send_call(conn, call);
		free_reply(conn, expect_success(conn, call));
		free(call);
	}
	verbs_close(conn);
	conn = open_default();
	call = new_connprop();
	call->header.flags = 0xfffffffe;
	send_call(conn, call);
	v2_expect_error(conn, call->header.xid, ERR2_SYSTEM);
	expect_alive(conn);
	verbs_close(conn);
}

/* The F flag on a Call: dropped. No F flag on a Reply: BAD_XDR */
void v2_scenario_direction(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	unsigned int i;

	header_set_response(&call->header);
	for (i = 0; i < 3; i++) {
		send_call(conn, call);
		expect_silence(conn);
	}
	call = null_call();
	set_u32(call->payload.data + 4, RPC_REPLY);
	for (i = 0; i < 3; i++) {
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_BAD_XDR);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* Errors are never answered: any code, any length, with and without F */
void v2_scenario_error_in(void)
{
	static const uint32_t versions[] = { 0, 1, 2, 3 };
	struct verbs_conn *conn = open_default();
	struct xdr_out *out = calloc(1, sizeof(*out));
	unsigned int i, code;
	size_t len;

	check(out, "no memory");
	for (i = 0; i < 8; i++) {
		for (code = 0; code <= 11; code++) {
			out->len = 0;
			put_u32(out, new_xid());
			put_u32(out, versions[i % 4]);
			put_u32(out, 1);
			put_u32(out, RDMA_ERROR);
			put_u32(out, i / 4);
			put_u32(out, code == 11 ? 0xffffffff : code);
			put_u32(out, 1);
			put_u32(out, 1);
			for (len = 16; len <= out->len; len += 4)
				send_bytes(conn, out->data, len);
			expect_alive(conn);
		}
	}
	expect_silence(conn);
	verbs_close(conn);
}

/* A Call has exactly one place for its payload */
void v2_scenario_forms(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int i;

	for (i = 0; i < 7; i++) {
		call = null_call();
		if (i)
			call->header.proc = RDMA_NOMSG;
		if (!i)
			header_add_read(&call->header, 0, 1, 512, 4096);
		if (i == 2)
			chunk_add(header_add_reply(&call->header), 1, 512, 4096);
		if (i == 3)
			chunk_add(header_add_write(&call->header), 1, 512, 4096);
		if (i == 4)
			header_add_read(&call->header, 64, 1, 512, 4096);
		if (i == 5)
			header_add_read(&call->header, 0, 1, 0, 4096);
		if (i == 6)
			header_add_read(&call->header, 0, 1, 7, 4096);
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_BAD_XDR);
		free(call);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* Different XIDs, and payloads that are not RPC messages */
void v2_scenario_payload_words(void)
{
	static const uint32_t types[] = { 2, 0x01000000, 0xffffffff };
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	unsigned int i;

	set_u32(call->payload.data, ~call->header.xid);
	send_call(conn, call);
	v2_expect_error(conn, call->header.xid, ERR2_BAD_XDR);
	for (i = 0; i < 3; i++) {
		call = null_call();
		set_u32(call->payload.data + 4, types[i]);
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_BAD_XDR);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* A CONNPROP is an exchange like any other: with one Receive, one at a time */
void v2_scenario_one_receive(void)
{
	struct verbs_options options;
	struct verbs_conn *conn;
	unsigned int i;

	default_options(&options);
	options.recvs = 1;
	options.rnr_retry = 0;
	conn = open_with(&options);
	for (i = 0; i < 50; i++) {
		struct call *call = new_connprop();

		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_SYSTEM);
		expect_alive(conn);
		free(call);
	}
	check(conn->posted == 1, "%u Receives are posted", conn->posted);
	verbs_close(conn);
}
