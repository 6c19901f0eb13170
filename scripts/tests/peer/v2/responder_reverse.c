// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reverse direction in version 2.
 */
#include "responder/reverse.h"
#include "v2/responder_scenarios.h"

/* A client without callbacks answers with an error */
void v2_client_reverse_absent(void)
{
	unsigned int i;

	setup("3");
	for (i = 0; i < 20; i++) {
		reverse_call(FIRST_XID + i, CALLBACK_PROGRAM);
		await_errors(i + 1);
		check(observe().error == ERR2_SYSTEM &&
		      observe().error_xid == FIRST_XID + i,
		      "draft -09 (V2-BRS-12, OQ-24): error %u", observe().error);
	}
	check(!observe().reverse_replies, "a reverse Call was executed");
	expect_forward(1);
	teardown();
}

/*
 * Without F, a Reply is refused as an invalid Call. Undefined flags are
 * ignored. A reverse Call may name an Invalidate handle, which has no meaning
 * without chunks.
 */
void v2_client_reverse_flags(void)
{
	static struct xdr_out out;
	unsigned int i;

	setup("4.1");
	for (i = 0; i < 4; i++) {
		responder_lock();
		new_call_header(FIRST_XID + i);
		reverse_header.flags = i == 1 ? 0x80000000 : i == 2 ? 0xfffffffe : 0;
		reverse_header.inv_handle = i == 3 ? 0x12345678 : 0;
		send_call_to(newest_conn(), CALLBACK_PROGRAM);
		responder_unlock();
		await_replies(i + 1);
		expect_accepted(FIRST_XID + i, RPC_SUCCESS);
	}
	responder_lock();
	new_call_header(FIRST_XID + 10);
	out.len = 0;
	header_put(&out, &reverse_header);
	rpc_put_call(&out, reverse_header.xid, CALLBACK_PROGRAM, 1, 0, AUTH_NULL);
	set_u32(out.data + header_min_size() + 4, RPC_REPLY);
	send_raw(newest_conn(), out.data, out.len);
	responder_unlock();
	await_errors(1);
	check(observe().error == ERR2_BAD_XDR && observe().error_xid == FIRST_XID + 10,
	      "draft -09 (V2-HDR-16, OQ-20): error %u", observe().error);
	expect_forward(1);
	teardown();
}
