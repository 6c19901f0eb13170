// SPDX-License-Identifier: GPL-2.0-only
/*
 * Headers: XIDs, lengths, discriminators, counts, procedures. The server
 * refuses each bad message, and keeps the connection.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "requester/scenarios.h"

/* More than the server posts, so that each has held a Call */
#define RECEIVES	300

/* The shortest exchange; the server sends nothing else */
void scenario_null(void)
{
	struct verbs_conn *conn = open_default();

	expect_silence(conn);
	expect_alive(conn);
	expect_silence(conn);
	verbs_close(conn);
}

void scenario_xids(void)
{
	static const uint32_t xids[] = { 0, 1, 0x80000000, 0xffffffff };
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		call = null_call();
		call->header.xid = xids[i];
		set_u32(call->payload.data, xids[i]);
		send_call(conn, call);
		free_reply(conn, expect_success(conn, call));
	}
	verbs_close(conn);
}

/* A Call with an entry in each list; no handle is ever used */
static struct call *full_call(void)
{
	struct call *call = null_call();
	struct chunk *chunk;

	header_add_read(&call->header, 48, 0x1111, 64, 0x100000000);
	header_add_read(&call->header, 48, 0x2222, 64, 0x200000000);
	chunk = header_add_write(&call->header);
	chunk_add(chunk, 0x3333, 128, 0x300000000);
	chunk_add(chunk, 0x4444, 128, 0x400000000);
	header_add_write(&call->header);
	chunk = header_add_reply(&call->header);
	chunk_add(chunk, 0x5555, 512, 0x500000000);
	header_put(&call->bytes, &call->header);
	return call;
}

/*
 * Truncate the message at every length. The server ignores less than 28 bytes
 * (20 in version 2) and refuses the rest, until the header and eight bytes of
 * payload are complete.
 */
void scenario_header_cut(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = full_call();
	size_t len, header = call->bytes.len;
	size_t least = target.version == 2 ? header_fixed_size() : header_min_size();

	put_bytes(&call->bytes, call->payload.data, 7);
	for (len = 1; len < least; len++) {
		send_bytes(conn, call->bytes.data, len);
		expect_alive(conn);
	}
	expect_silence(conn);
	for (len = least; len <= header + 7; len++) {
		send_bytes(conn, call->bytes.data, len);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* A Send of 0 bytes */
void scenario_header_nothing(void)
{
	struct verbs_conn *conn = open_default();

	send_bytes(conn, "", 0);
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* Index of the first word of the Read list */
static size_t lists_at(void)
{
	return header_min_size() / 4 - 3;
}

/* Find each discriminator word of the header */
static unsigned int discriminators(const struct header *h, size_t *at)
{
	size_t word = lists_at();
	unsigned int i, n = 0;

	for (i = 0; i < h->nreads; i++, word += 6)
		at[n++] = word;
	at[n++] = word++;
	for (i = 0; i < h->nwrites; i++) {
		at[n++] = word;
		word += 2 + 4 * h->writes[i].nsegs;
	}
	at[n++] = word++;
	at[n++] = word;
	return n;
}

void scenario_discriminators(void)
{
	static const uint32_t wrong[] = { 2, 0xffffffff, 0x01000000, 0x80000001 };
	struct verbs_conn *conn = open_default();
	struct call *call = full_call();
	size_t at[32];
	unsigned int i, j, n = discriminators(&call->header, at);
	uint32_t right;

	put_bytes(&call->bytes, call->payload.data, call->payload.len);
	for (i = 0; i < n; i++) {
		right = word_at(call->bytes.data, at[i]);
		check(right <= 1, "the peer changes the wrong word");
		for (j = 0; j < 4; j++) {
			set_u32(call->bytes.data + at[i] * 4, wrong[j]);
			send_bytes(conn, call->bytes.data, call->bytes.len);
			expect_err_chunk(conn, call->header.xid);
		}
		set_u32(call->bytes.data + at[i] * 4, right);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* Segment counts that are too large, and counts for which count * 16 overflows */
void scenario_counts(void)
{
	static const uint32_t counts[] = {
		3, 1000, 0x08000000, 0x10000000, 0x10000001, 0x7fffffff,
		0xfffffffe, 0xffffffff,
	};
	struct verbs_conn *conn = open_default();
	struct call *call = full_call();
	/*
	 * After two read segments, the end of the list, and the discriminator
	 * of the chunk
	 */
	const size_t write_count = lists_at() + 12 + 1 + 1;
	size_t reply_count = call->bytes.len / 4 - 4 - 1;
	unsigned int i;

	check(word_at(call->bytes.data, write_count) == 2 &&
	      word_at(call->bytes.data, reply_count) == 1,
	      "the peer changes the wrong word");
	for (i = 0; i < 8; i++) {
		set_u32(call->bytes.data + write_count * 4, counts[i]);
		send_bytes(conn, call->bytes.data, call->bytes.len);
		expect_err_chunk(conn, call->header.xid);
		set_u32(call->bytes.data + write_count * 4, 2);
		set_u32(call->bytes.data + reply_count * 4, counts[i]);
		send_bytes(conn, call->bytes.data, call->bytes.len);
		expect_err_chunk(conn, call->header.xid);
		set_u32(call->bytes.data + reply_count * 4, 1);
	}
	expect_alive(conn);
	verbs_close(conn);
}

void scenario_procedures(void)
{
	static const uint32_t procs[] = { 5, 6, 255, 0x01000000, 0xffffffff };
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	unsigned int i;

	for (i = 0; i < 5; i++) {
		call->header.proc = procs[i];
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* RDMA_MSGP as in RFC 5666, and with any bytes after the procedure word */
void scenario_msgp(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	size_t len;

	call->header.proc = RDMA_MSGP;
	send_call(conn, call);
	expect_err_chunk(conn, call->header.xid);
	memset(call->bytes.data + 16, 0xff, call->bytes.len - 16);
	for (len = 28; len <= call->bytes.len; len += 8) {
		send_bytes(conn, call->bytes.data, len);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

void scenario_done(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	size_t len;

	call->header.proc = RDMA_DONE;
	send_call(conn, call);
	expect_silence(conn);
	for (len = 16; len <= call->bytes.len; len += 4)
		send_bytes(conn, call->bytes.data, len);
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* It uses a Receive, but brings no message */
void scenario_write_immediate(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *memory;
	int ret;

	if (is_siw(conn))
		skip("iWARP has no RDMA Write With Immediate");
	memory = new_memory(conn, 16, IBV_ACCESS_LOCAL_WRITE);
	expect_alive(conn);
	ret = verbs_write_immediate(conn, memory->region, 0, 0, 0, timeout_ms());
	check(!ret, "RDMA Write With Immediate: %s", strerror(-ret));
	expect_lost(conn);
	verbs_close(conn);
}

/* A requester that sends nothing but errors is not served for ever */
static void errors_only(void)
{
	struct verbs_conn *conn = open_default();
	struct xdr_out *out = calloc(1, sizeof(*out));
	unsigned int i;

	put_u32(out, new_xid());
	put_u32(out, 1);
	put_u32(out, 1);
	put_u32(out, RDMA_ERROR);
	for (i = 0; i < 300 && verbs_send(conn, out->data, out->len) == 0; i++) {
		/* On iWARP a message without a Receive ends the connection */
		if (i % 16 == 15)
			usleep(20000);
	}
	check(i > 200, "the connection ends after %u messages", i);
	expect_lost(conn);
	verbs_close(conn);
}

/* A server never answers an RDMA_ERROR, whatever its contents and version */
void scenario_error_in(void)
{
	static const uint32_t versions[] = { 0, 1, 2, 3, 0xffffffff };
	static const uint32_t codes[] = { 0, ERR_VERS, ERR_CHUNK, 3, 0xffffffff };
	struct verbs_conn *conn = open_default();
	struct xdr_out *out = calloc(1, sizeof(*out));
	unsigned int i, j;
	size_t len;

	for (i = 0; i < 5; i++) {
		for (j = 0; j < 5; j++) {
			out->len = 0;
			put_u32(out, new_xid());
			put_u32(out, versions[i]);
			put_u32(out, 1);
			put_u32(out, RDMA_ERROR);
			put_u32(out, codes[j]);
			put_u32(out, 1);
			put_u32(out, 1);
			put_u32(out, 1);
			for (len = 16; len <= out->len; len += 4)
				send_bytes(conn, out->data, len);
			expect_alive(conn);
		}
	}
	expect_silence(conn);
	verbs_close(conn);
	errors_only();
}

/* An RDMA_NOMSG without a payload: RFC 8166 4.2.4 (V1-HDR-12) */
void scenario_nomsg_empty(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		call = null_call();
		call->header.proc = RDMA_NOMSG;
		if (i == 1)
			chunk_add(header_add_reply(&call->header), 1, 512, 4096);
		if (i == 2)
			chunk_add(header_add_write(&call->header), 1, 512, 4096);
		if (i == 3)
			header_add_read(&call->header, 64, 1, 512, 4096);
		if (i == 4)
			header_add_read(&call->header, 0, 1, 0, 4096);
		if (i == 5)
			header_add_read(&call->header, 0, 1, 7, 4096);
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* The payload is both inline and in a Position Zero chunk: RFC 8166 (T-07) */
void scenario_msg_with_p0(void)
{
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();

	header_add_read(&call->header, 0, 1, 512, 4096);
	send_call(conn, call);
	expect_err_chunk(conn, call->header.xid);
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * The RPC message has another XID than the header, or is neither a Call nor a
 * Reply
 */
void scenario_payload_words(void)
{
	static const uint32_t types[] = { 2, 0x01000000, 0xffffffff };
	struct verbs_conn *conn = open_default();
	struct call *call = null_call();
	unsigned int i;

	set_u32(call->payload.data, ~call->header.xid);
	send_call(conn, call);
	expect_err_chunk(conn, call->header.xid);
	for (i = 0; i < 3; i++) {
		call = null_call();
		set_u32(call->payload.data + 4, types[i]);
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
	}
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* XID, message type, version of RPC, program, its version and procedure */
#define CALL_FIXED	24

/* sunrpc of Linux 6.1 demands the begin of the credential too: flavor and length */
#define CALL_FIXED_61	32

/*
 * The RPC layer decodes the rest, and must not execute the Call: the bytes that are missing
 * still stand in the receive buffers of the server, which all have held the whole Call
 * before. If the fixed part is whole, the server answers with an error. If that part
 * itself is cut, it closes the connection.
 */
void scenario_payload_cut(void)
{
	struct verbs_conn *conn = NULL;
	struct call *call = null_call();
	size_t len, whole = call->payload.len;
	size_t fixed = nfsd_of_61() ? CALL_FIXED_61 : CALL_FIXED;
	unsigned int refused = 0, lost = 0, before, i;

	for (len = 8; len < whole; len++) {
		if (!conn) {
			conn = open_default();
			for (i = 0; i < RECEIVES; i++)
				expect_alive(conn);
		}
		call->payload.len = len;
		before = refused;
		if (send_call_or_lost(conn, call) &&
		    expect_not_executed(conn, call, &refused)) {
			check(refused == before + 1, "%u answers to a Call of %zu bytes",
			      refused - before, len);
			continue;
		}
		lost++;
		check(len < fixed, "a Call of %zu bytes has cost the connection", len);
		verbs_close(conn);
		conn = NULL;
	}
	note("%zu Calls were cut: %u refused, %u connections lost", whole - 8, refused,
	     lost);
	if (conn)
		verbs_close(conn);
}
