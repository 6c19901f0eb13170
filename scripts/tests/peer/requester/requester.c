// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections of the requester, and Calls.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "requester/requester.h"
#include "v2/requester.h"

#define PEER_INLINE	8192

bool (*intercept)(struct verbs_conn *conn, const struct verbs_message *message);

void default_options(struct verbs_options *options)
{
	verbs_options_init(options);
	options->timeout = timeout_ms();
	private_put(options->private, false, PEER_INLINE, PEER_INLINE);
	options->private_len = PRIVATE_SIZE;
}

int try_open_raw(struct verbs_conn **conn, const struct verbs_options *options)
{
	int64_t end = verbs_now() + timeout_ms();
	int ret;

	/* The randomly chosen port can be one that siw's TCP has in TIME_WAIT */
	do
		ret = verbs_connect(conn, target.address, target.port, options);
	while (ret == -EADDRINUSE && verbs_now() < end);
	return ret;
}

struct verbs_conn *open_raw(const struct verbs_options *options)
{
	struct verbs_conn *conn;
	int ret = try_open_raw(&conn, options);

	check(!ret, "cannot connect: %s", strerror(-ret));
	return conn;
}

struct verbs_conn *open_with(const struct verbs_options *options)
{
	struct verbs_conn *conn = open_raw(options);

	if (target.version == 2)
		exchange_props_as_private(conn);
	return conn;
}

struct verbs_conn *open_default(void)
{
	struct verbs_options options;

	default_options(&options);
	return open_with(&options);
}

struct verbs_conn *open_no_private(void)
{
	struct verbs_options options;

	default_options(&options);
	options.private_len = 0;
	return open_with(&options);
}

bool is_siw(const struct verbs_conn *conn)
{
	return !strncmp(ibv_get_device_name(conn->id->verbs->device), "siw", 3);
}

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int call_threshold(const struct verbs_conn *conn)
{
	const struct props *props = conn->arg;
	struct private_data local, remote;

	if (props)
		return props->remote;
	private_get(&local, conn->options.private, conn->options.private_len);
	private_get(&remote, conn->private, conn->private_len);
	return smaller(local.send_size, remote.recv_size);
}

unsigned int reply_threshold(const struct verbs_conn *conn)
{
	const struct props *props = conn->arg;
	struct private_data local, remote;

	if (props)
		return smaller(props->local, props->remote);
	private_get(&local, conn->options.private, conn->options.private_len);
	private_get(&remote, conn->private, conn->private_len);
	return smaller(local.recv_size, remote.send_size);
}

uint32_t new_xid(void)
{
	static uint32_t xid;

	if (!xid)
		xid = verbs_now() * 2654435761u;
	return ++xid;
}

struct call *new_call(uint32_t program, uint32_t version, uint32_t procedure)
{
	struct call *call = calloc(1, sizeof(*call));

	check(call, "no memory");
	header_init(&call->header, new_xid());
	rpc_put_call(&call->payload, call->header.xid, program, version,
		     procedure, AUTH_UNIX);
	return call;
}

struct call *null_call(void)
{
	return new_call(NFS_PROGRAM, 3, 0);
}

void send_bytes(struct verbs_conn *conn, const void *data, size_t len)
{
	int ret = verbs_send(conn, data, len);

	check(!ret, "cannot send: %s", strerror(-ret));
}

void encode_call(struct call *call)
{
	call->bytes.len = 0;
	header_put(&call->bytes, &call->header);
	if (call->header.proc != RDMA_NOMSG &&
	    call->header.proc != RDMA2_CONNPROP)
		put_bytes(&call->bytes, call->payload.data, call->payload.len);
}

void send_call(struct verbs_conn *conn, struct call *call)
{
	encode_call(call);
	send_bytes(conn, call->bytes.data, call->bytes.len);
}

void next_message(struct verbs_conn *conn, struct verbs_message *message)
{
	int ret = verbs_recv(conn, message, timeout_ms());

	check(ret != -ENOTCONN, "the connection is lost, status %s",
	      ibv_wc_status_str(conn->status));
	check(ret != -ETIMEDOUT, "no answer");
	check(!ret, "cannot receive: %s", strerror(-ret));
}

void repost_receive(struct verbs_conn *conn, const struct verbs_message *message)
{
	verbs_recv_done(conn, message);
}

bool send_call_or_lost(struct verbs_conn *conn, struct call *call)
{
	encode_call(call);
	if (!verbs_send(conn, call->bytes.data, call->bytes.len))
		return true;
	expect_lost(conn);
	return false;
}
