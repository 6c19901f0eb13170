// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inline thresholds: Calls of the maximum length, and private data of every
 * kind.
 */
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

/* A WRITE with inline data, so that header and payload have @total bytes */
static struct call *sized_write(struct verbs_conn *conn, size_t total,
				size_t *len)
{
	struct nfs_handle handle;
	struct call *call;
	uint32_t position;
	uint8_t data[16384];

	make_file("inline", 0, 0);
	look_up(conn, "inline", &handle);
	call = new3_write(&handle, 0, 0, &position);
	*len = total - header_min_size() - position;
	call = new3_write(&handle, 0, *len, &position);
	fill_pattern(data, *len, 2);
	put_fixed(&call->payload, data, *len);
	return call;
}

static void check_written(size_t len)
{
	uint8_t data[16384];

	fill_pattern(data, len, 2);
	check_file("inline", data, len);
}

static void write_sized(struct verbs_conn *conn, size_t total)
{
	struct reply *reply;
	size_t len;
	struct call *call = sized_write(conn, total, &len);

	send_call(conn, call);
	check(call->bytes.len == total, "the peer builds %zu bytes, not %zu",
	      call->bytes.len, total);
	reply = expect_success(conn, call);
	check(!get_status3(reply) && get_write3(reply) == len, "WRITE fails");
	check_written(len);
	free_reply(conn, reply);
}

/*
 * Calls up to the default threshold, and up to the one that the server has
 * announced
 */
void scenario_inline_calls(void)
{
	struct verbs_conn *conn = open_no_private();
	size_t total;

	check(target.version == 2 || call_threshold(conn) == DEFAULT_THRESHOLD,
	      "the basic threshold is wrong");
	for (total = DEFAULT_THRESHOLD - 64; total <= DEFAULT_THRESHOLD; total += 4)
		write_sized(conn, total);
	verbs_close(conn);
	conn = open_default();
	check(call_threshold(conn) >= DEFAULT_THRESHOLD,
	      "the server accepts less than %u bytes", DEFAULT_THRESHOLD);
	for (total = call_threshold(conn) - 64; total <= call_threshold(conn);
	     total += 4)
		write_sized(conn, total);
	expect_silence(conn);
	verbs_close(conn);
}

/* A message that is too long for the Receive: only this connection is lost */
void scenario_inline_too_long(void)
{
	struct verbs_options options;
	struct verbs_conn *conn, *other = open_default();
	struct private_data remote;
	struct call *call;
	size_t len, most;

	default_options(&options);
	options.send_size = 16384;
	conn = open_with(&options);
	private_get(&remote, conn->private, conn->private_len);
	most = target.version == 2 ? call_threshold(conn) : remote.recv_size;
	call = sized_write(conn, most + 4, &len);
	send_call(conn, call);
	expect_lost(conn);
	check_file("inline", NULL, 0);
	expect_alive(other);
	verbs_close(conn);
	verbs_close(other);
}

/*
 * Receives that are smaller than this end has said: the Reply does not fit, and the Send
 * of the server fails. It must close the connection, and no other one.
 */
void scenario_receive_too_small(void)
{
	struct verbs_conn *conn, *other = open_default();
	struct verbs_options options;
	struct nfs_handle handle;
	struct call *call;

	default_options(&options);
	options.recv_size = 1024;
	conn = open_with(&options);
	make_file("inline", 2000, 1);
	look_up(conn, "inline", &handle);
	call = new3_read(&handle, 0, 2000);
	send_call(conn, call);
	expect_no_answer(conn);
	/* rxe does not say that it was the length */
	check(conn->status == IBV_WC_LOC_LEN_ERR || conn->status == IBV_WC_LOC_QP_OP_ERR ||
	      is_siw(conn), "the Receive ends with %s", ibv_wc_status_str(conn->status));
	expect_alive(other);
	verbs_close(conn);
	verbs_close(other);
}

/* The server announces its sizes as in RFC 8797 */
void scenario_private_data(void)
{
	struct verbs_conn *conn = open_default();
	struct private_data remote;

	private_get(&remote, conn->private, conn->private_len);
	check(remote.found, "the server sends no private data");
	check(remote.send_size >= 1024 && remote.recv_size >= 1024,
	      "sizes %u and %u", remote.send_size, remote.recv_size);
	check(remote.remote_inv, "no remote invalidation");
	verbs_close(conn);
}

/* Invalid private data leaves the thresholds at 1024 */
void scenario_private_data_wrong(void)
{
	struct verbs_options options;
	struct nfs_handle handle;
	struct verbs_conn *conn;
	struct reply *reply;
	struct call *call;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		default_options(&options);
		if (i == 0)
			options.private[0] ^= 1;	/* magic */
		if (i == 1)
			options.private[3] ^= 0x80;
		if (i == 2)
			options.private[4] = 0;		/* version */
		if (i == 3)
			options.private[4] = 2;
		if (i == 4)
			memset(options.private, 0xff, sizeof(options.private));
		/* Too short; but the CM may pad it with zeroes */
		if (i == 5)
			options.private_len = 4;
		conn = open_with(&options);
		make_file("private", 2000, 1);
		look_up(conn, "private", &handle);
		call = new3_read(&handle, 0, 1200);
		send_call(conn, call);
		expect_err_chunk(conn, call->header.xid);
		call = new3_read(&handle, 0, 700);
		send_call(conn, call);
		reply = expect_success(conn, call);
		check(reply->message.len <= 1024,
		      "the Reply exceeds the default threshold");
		free_reply(conn, reply);
		verbs_close(conn);
	}
}
