// SPDX-License-Identifier: GPL-2.0-only
/*
 * CONNPROP with the server: the server's properties, how it applies ours, and
 * how it handles invalid ones.
 */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "v2/requester.h"
#include "v2/requester_scenarios.h"

#define UNKNOWN_PROPERTY	0x7fff0001
#define FILE_SIZE		40000
#define BUSY_SIZE		1048576
#define BUSY_CALLS		30

static struct verbs_conn *open_raw_with(unsigned int recvs)
{
	struct verbs_options options;

	default_options(&options);
	options.recv_size = 65536;
	options.recvs = recvs;
	return open_raw(&options);
}

static struct verbs_conn *connect_only(void)
{
	return open_raw_with(32);
}

/* The server sends nothing first, and answers once */
void v2_scenario_connprop(void)
{
	struct verbs_conn *conn = connect_only();

	expect_silence(conn);
	exchange_props(conn, new_connprop());
	expect_silence(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* Size of the longest inline Reply to a READ, header included */
static size_t largest_inline(struct verbs_conn *conn)
{
	size_t low = 4, high = FILE_SIZE, len, most = 0;
	struct verbs_message message;
	struct nfs_handle handle;
	struct call *call;

	make_file("inline", FILE_SIZE, 1);
	look_up(conn, "inline", &handle);
	while (low <= high) {
		len = (low + high) / 8 * 4;
		call = new3_read(&handle, 0, len);
		send_call(conn, call);
		next_message(conn, &message);
		if (word_at(message.data, 3) == RDMA_MSG) {
			most = message.len;
			low = len + 4;
		} else {
			high = len - 4;
		}
		repost_receive(conn, &message);
		free(call);
	}
	return most;
}

void check_reply_limit(struct verbs_conn *conn)
{
	size_t most = largest_inline(conn);

	check(most <= reply_threshold(conn) && most + 4 > reply_threshold(conn),
	      "inline Replies of up to %zu bytes, but the threshold is %u", most,
	      reply_threshold(conn));
}

static void expect_inline(struct verbs_conn *conn)
{
	check_reply_limit(conn);
	expect_alive(conn);
	verbs_close(conn);
}

/* From 1024 to the size that the server can send */
void v2_scenario_rbsiz(void)
{
	static const uint32_t sizes[] = {
		0, 1, 1023, 1024, 1028, 4092, 4096, 4100, 5000, 8192, 65536,
		0x7fffffff, 0xffffffff,
	};
	struct verbs_conn *conn;
	struct call *call;
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		conn = connect_only();
		call = new_connprop();
		header_add_number(&call->header, PROPERTY_RBSIZ, sizes[i]);
		exchange_props(conn, call);
		expect_inline(conn);
	}
}

/* Defaults apply without a property, or with one of length 0 */
void v2_scenario_defaults(void)
{
	struct verbs_conn *conn;
	struct call *call;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		conn = connect_only();
		call = new_connprop();
		if (i == 1)
			header_add_property(&call->header, PROPERTY_RBSIZ, NULL,
					    0);
		if (i == 2)
			header_add_property(&call->header, PROPERTY_BRS, NULL, 0);
		exchange_props(conn, call);
		check(reply_threshold(conn) == RBSIZ_DEFAULT,
		      "the peer has a wrong threshold");
		expect_inline(conn);
	}
}

/*
 * Unknown properties of all lengths are skipped, before, between and after the
 * others
 */
void v2_scenario_unknown(void)
{
	static const uint8_t data[PROPERTY_SIZE] = { 0xaa, 0xbb, 0xcc };
	struct verbs_conn *conn;
	struct call *call;
	unsigned int i;

	for (i = 0; i < 9; i++) {
		conn = connect_only();
		call = new_connprop();
		header_add_property(&call->header, UNKNOWN_PROPERTY, data, i);
		header_add_number(&call->header, PROPERTY_BRS, REVERSE_INLINE);
		header_add_property(&call->header, 0, data, 7 * i);
		header_add_number(&call->header, PROPERTY_RBSIZ, 8192);
		header_add_property(&call->header, 0xffffffff, data, 5);
		header_add_property(&call->header, 3, data, 4);
		exchange_props(conn, call);
		check(reply_threshold(conn) > RBSIZ_DEFAULT,
		      "the server accepts no more than 4096 bytes");
		expect_inline(conn);
	}
}

/* The last value counts; bytes after the properties are ignored */
void v2_scenario_twice(void)
{
	struct verbs_conn *conn = connect_only();
	struct call *call = new_connprop();

	header_add_number(&call->header, PROPERTY_RBSIZ, 1024);
	header_add_number(&call->header, PROPERTY_RBSIZ, 4096);
	header_add_number(&call->header, PROPERTY_RBSIZ, 2048);
	exchange_props(conn, call);
	expect_inline(conn);

	conn = connect_only();
	call = new_connprop();
	header_add_number(&call->header, PROPERTY_RBSIZ, 2048);
	header_put(&call->bytes, &call->header);
	put_u32(&call->bytes, 0xffffffff);
	put_bytes(&call->bytes, "trailing", 7);
	send_bytes(conn, call->bytes.data, call->bytes.len);
	expect_connprop(conn, call);
	((struct props *)conn->arg)->local = 2048;
	expect_inline(conn);
}

/*
 * A valid RBSIZ of 8192, followed by an error: the server answers BAD_XDR and
 * applies nothing. @edit gets the message and the number of the error.
 */
static void expect_bad(void (*edit)(struct call *call, unsigned int n),
		       unsigned int n)
{
	struct verbs_conn *conn = connect_only();
	struct call *call = new_connprop();

	header_add_number(&call->header, PROPERTY_RBSIZ, 8192);
	edit(call, n);
	if (!call->bytes.len)
		header_put(&call->bytes, &call->header);
	send_bytes(conn, call->bytes.data, call->bytes.len);
	v2_expect_error(conn, call->header.xid, ERR2_BAD_XDR);
	check(largest_inline(conn) == RBSIZ_DEFAULT,
	      "invalid properties were applied in part");
	/* It does not count as the first CONNPROP */
	exchange_props(conn, new_connprop());
	expect_inline(conn);
}

static void wrong_length(struct call *call, unsigned int n)
{
	static const uint32_t lengths[] = { 1, 2, 3, 5, 8 };
	uint8_t data[8] = { 0 };

	header_add_property(&call->header, n < 5 ? PROPERTY_RBSIZ : PROPERTY_BRS,
			    data, lengths[n % 5]);
}

static void wrong_level(struct call *call, unsigned int n)
{
	static const uint32_t levels[] = { 3, 0x80000000, 0xffffffff };

	header_add_number(&call->header, PROPERTY_BRS, levels[n]);
}

/* Known and unknown properties that extend past the end */
static void past_the_end(struct call *call, unsigned int n)
{
	static const uint32_t lengths[] = { 5, 8, 1000, 0x7fffffff, 0xfffffffc,
					    0xfffffffd, 0xffffffff };

	header_add_number(&call->header, n % 2 ? PROPERTY_BRS : UNKNOWN_PROPERTY,
			  0);
	header_put(&call->bytes, &call->header);
	set_u32(call->bytes.data + call->bytes.len - 8, lengths[n / 2]);
}

/* Counts that exceed the message */
static void wrong_count(struct call *call, unsigned int n)
{
	static const uint32_t counts[] = { 2, 3, 0x10000000, 0xffffffff };

	header_put(&call->bytes, &call->header);
	set_u32(call->bytes.data + 20, counts[n]);
}

static void cut_short(struct call *call, unsigned int n)
{
	header_add_number(&call->header, PROPERTY_BRS, 1);
	header_put(&call->bytes, &call->header);
	call->bytes.len = header_fixed_size() + n;
}

void v2_scenario_bad_sets(void)
{
	unsigned int i;

	for (i = 0; i < 10; i++)
		expect_bad(wrong_length, i);
	for (i = 0; i < 3; i++)
		expect_bad(wrong_level, i);
	for (i = 0; i < 14; i++)
		expect_bad(past_the_end, i);
	for (i = 0; i < 4; i++)
		expect_bad(wrong_count, i);
	for (i = 0; i < 28; i += 3)
		expect_bad(cut_short, i);
}

/* With the F flag there is no answer, and nothing is applied */
void v2_scenario_connprop_answers(void)
{
	struct verbs_conn *conn = connect_only();
	struct call *call = new_connprop();

	expect_alive(conn);
	header_set_response(&call->header);
	header_add_number(&call->header, PROPERTY_RBSIZ, 8192);
	send_call(conn, call);
	header_add_number(&call->header, PROPERTY_BRS, 77);
	call->bytes.len = 0;
	send_call(conn, call);
	expect_silence(conn);
	check(largest_inline(conn) == RBSIZ_DEFAULT, "a response was applied");
	exchange_props(conn, new_connprop());
	expect_alive(conn);
	verbs_close(conn);
}

/* Each end sends its properties once */
void v2_scenario_connprop_again(void)
{
	struct verbs_conn *conn = connect_only();
	struct call *call = new_connprop();
	unsigned int i;

	header_add_number(&call->header, PROPERTY_RBSIZ, 2048);
	exchange_props(conn, call);
	for (i = 0; i < 5; i++) {
		call = new_connprop();
		header_add_number(&call->header, PROPERTY_RBSIZ, 8192);
		send_call(conn, call);
		v2_expect_error(conn, call->header.xid, ERR2_SYSTEM);
		header_set_response(&call->header);
		call->bytes.len = 0;
		send_call(conn, call);
	}
	expect_silence(conn);
	expect_inline(conn);
}

/* An RPC before the CONNPROP: the server answers both */
void v2_scenario_connprop_late(void)
{
	struct verbs_conn *conn = connect_only();

	expect_alive(conn);
	expect_silence(conn);
	check(largest_inline(conn) == RBSIZ_DEFAULT,
	      "the threshold is not 4096 before the properties are known");
	exchange_props(conn, new_connprop());
	expect_alive(conn);
	verbs_close(conn);
}

static void send_reads(struct verbs_conn *conn, unsigned int count)
{
	struct memory *memory = writable_memory(conn, BUSY_SIZE);
	struct nfs_handle handle;
	struct call *call;

	make_file("busy", BUSY_SIZE, 1);
	look_up(conn, "busy", &handle);
	while (count--) {
		call = new3_read(&handle, 0, BUSY_SIZE);
		add_segment(header_add_write(&call->header), memory, 0, BUSY_SIZE);
		send_call(conn, call);
		free(call);
	}
}

/*
 * The first CONNPROP while many large READs are outstanding: the server answers
 * all of them. If the READs fill the send queue, the CONNPROP must wait for a
 * slot.
 */
void v2_scenario_connprop_busy(void)
{
	static struct header h;
	struct verbs_conn *conn = open_raw_with(64);
	struct verbs_message message;
	unsigned int i, connprops = 0;

	send_reads(conn, BUSY_CALLS);
	for (i = 0; i < BUSY_CALLS + 1; i++) {
		next_message(conn, &message);
		check(!header_get(&h, message.data, message.len),
		      "an invalid answer");
		if (h.proc == RDMA2_CONNPROP)
			connprops++;
		else
			check(h.proc == RDMA_MSG, "a READ is answered by type %u", h.proc);
		repost_receive(conn, &message);
		if (i == 2)
			send_call(conn, new_connprop());
	}
	check(connprops == 1, "%u answers to one CONNPROP", connprops);
	expect_alive(conn);
	verbs_close(conn);
}

/*
 * A first message of 4096 bytes, and one of the size that the server has
 * announced
 */
void v2_scenario_receives(void)
{
	struct verbs_conn *conn = connect_only();
	struct call *call;
	size_t len;

	call = null_call();
	header_put(&call->bytes, &call->header);
	while (call->bytes.len + call->payload.len < RBSIZ_DEFAULT)
		put_u32(&call->payload, 0);
	call->bytes.len = 0;
	send_call(conn, call);
	check(call->bytes.len == RBSIZ_DEFAULT, "the peer has a wrong threshold");
	free_reply(conn, expect_reply(conn, call));
	exchange_props(conn, new_connprop());
	len = call_threshold(conn);
	call = null_call();
	while (header_min_size() + call->payload.len < len)
		put_u32(&call->payload, 0);
	send_call(conn, call);
	check(call->bytes.len == len, "the peer has a wrong threshold");
	free_reply(conn, expect_reply(conn, call));
	verbs_close(conn);
}
