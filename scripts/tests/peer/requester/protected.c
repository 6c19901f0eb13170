// SPDX-License-Identifier: GPL-2.0-only
/*
 * With RPCSEC_GSS integrity or privacy nothing is reduced, in neither direction; with
 * authentication alone all is as with AUTH_SYS.
 */
#include <stdlib.h>
#include <string.h>
#include "requester/gss.h"
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define LARGE	20000
#define SMALL	2000
/* What protection and RPC header need at most */
#define MORE	1000

static const enum gss_service services[] = {
	GSS_AUTHENTICATION, GSS_INTEGRITY, GSS_PRIVACY,
};

/* The data is in the results, and the Write chunk comes back unused */
static void check_not_reduced(struct reply *reply, struct memory *memory, size_t len)
{
	const uint8_t *data;

	check(!chunk_length(&reply->header.writes[0]), "a protected result was reduced");
	check_memory(memory, NULL);
	data = get_bytes(&reply->results, len);
	check(data && has_pattern(data, len, len), "the results have other data");
	get_bytes(&reply->results, xdr_pad(len));
}

static void check_reduced(struct reply *reply, struct memory *memory, size_t len)
{
	check(chunk_length(&reply->header.writes[0]) == len, "%llu bytes in the Write chunk",
	      (unsigned long long)chunk_length(&reply->header.writes[0]));
	check(has_pattern(memory->data, len, len), "the Write chunk has other data");
	check_memory(memory, &reply->header.writes[0]);
}

static void read_protected(struct verbs_conn *conn, struct gss *gss, size_t len,
			   enum gss_service service)
{
	struct memory *memory = writable_memory(conn, len);
	struct memory *whole = writable_memory(conn, len + MORE);
	struct nfs_handle handle;
	struct reply *reply;
	struct call *call;

	make_file("protected", len, len);
	look_up(conn, "protected", &handle);
	call = new3_read(&handle, 0, len);
	gss_protect(gss, call, service);
	add_segments(header_add_write(&call->header), memory, 0, len, 2);
	add_segments(header_add_reply(&call->header), whole, 0, len + MORE, 1);
	send_call(conn, call);
	reply = expect_success(conn, call);
	gss_check(gss, reply, service);
	check(!get_status3(reply) && get_read3(reply) == len, "READ of %zu bytes fails", len);
	if (service == GSS_AUTHENTICATION)
		check_reduced(reply, memory, len);
	else
		check_not_reduced(reply, memory, len);
	check_end(reply);
	free_reply(conn, reply);
	free_memory(memory);
	free_memory(whole);
	free(call);
}

void scenario_gss_read(void)
{
	struct verbs_conn *conn = open_default();
	struct gss *gss = gss_open(conn);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		read_protected(conn, gss, LARGE, services[i]);
		read_protected(conn, gss, SMALL, services[i]);
		read_protected(conn, gss, SMALL + 1, services[i]);
	}
	gss_close(gss);
	verbs_close(conn);
}

/* A WRITE whose data is complete, of a file that is empty. Returns where the data is */
static struct call *new_write(struct verbs_conn *conn, size_t len, uint32_t *position)
{
	struct nfs_handle handle;
	struct call *call;
	uint8_t *data = malloc(len);

	check(data, "no memory");
	make_file("protected", 0, 0);
	look_up(conn, "protected", &handle);
	call = new3_write(&handle, 0, len, position);
	fill_pattern(data, len, len);
	put_fixed(&call->payload, data, len);
	free(data);
	return call;
}

static void check_written(size_t len)
{
	uint8_t *data = malloc(len + 1);

	check(data, "no memory");
	fill_pattern(data, len, len);
	check_file("protected", data, len);
	free(data);
}

/* The whole Call is in the Position Zero chunk, the only Read chunk that it may have */
static void write_long_protected(struct verbs_conn *conn, struct gss *gss,
				 enum gss_service service)
{
	struct reply *reply;
	struct call *call;
	uint32_t position;

	call = new_write(conn, LARGE, &position);
	gss_protect(gss, call, service);
	send_long(conn, call, 3);
	reply = expect_success(conn, call);
	gss_check(gss, reply, service);
	check(!get_status3(reply) && get_write3(reply) == LARGE, "WRITE fails");
	check_end(reply);
	check_written(LARGE);
	free_reply(conn, reply);
	free(call);
}

void scenario_gss_write(void)
{
	struct verbs_conn *conn = open_default();
	struct gss *gss = gss_open(conn);
	unsigned int i;

	for (i = 0; i < 3; i++)
		write_long_protected(conn, gss, services[i]);
	gss_close(gss);
	verbs_close(conn);
}

/*
 * A WRITE with a correct checksum, whose data is in a Read chunk. @whole: the rest is in a
 * Position Zero chunk
 */
static void write_reduced(struct verbs_conn *conn, struct gss *gss, bool whole)
{
	struct memory *memory = readable_memory(conn, SMALL, SMALL);
	struct xdr_out *out;
	struct call *call;
	uint32_t position;

	call = new_write(conn, SMALL, &position);
	out = &call->payload;
	position += gss_protect(gss, call, GSS_INTEGRITY);
	out->len -= SMALL;
	memmove(out->data + position, out->data + position + SMALL, out->len - position);
	if (whole)
		add_long(conn, call, 1);
	add_read_chunk(&call->header, position, memory, 0, SMALL, 2);
	send_call(conn, call);
	expect_refusal(conn, call->header.xid, ERR2_READ_CHUNKS);
	check_written(0);
	free_memory(memory);
	free(call);
}

/* Of a Call with privacy no data can be told from the rest */
static void write_sealed(struct verbs_conn *conn, struct gss *gss)
{
	struct memory *memory = readable_memory(conn, 4, 1);
	struct call *call;
	uint32_t position;

	call = new_write(conn, SMALL, &position);
	gss_protect(gss, call, GSS_PRIVACY);
	add_read_chunk(&call->header, call->payload.len, memory, 0, 4, 1);
	send_call(conn, call);
	expect_refusal(conn, call->header.xid, ERR2_READ_CHUNKS);
	check_written(0);
	free_memory(memory);
	free(call);
}

void scenario_gss_reduced(void)
{
	struct verbs_conn *conn = open_default();
	struct gss *gss = gss_open(conn);

	write_reduced(conn, gss, false);
	write_reduced(conn, gss, true);
	write_sealed(conn, gss);
	expect_alive(conn);
	gss_close(gss);
	verbs_close(conn);
}
