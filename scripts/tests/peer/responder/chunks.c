// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replies with chunk lists that differ from those of the Call, and results in
 * the wrong place: T-15.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "responder/scenarios.h"

static void write_handle(struct exchange *x)
{
	server.hdr.writes[0].segs[0].handle ^= 0x100;
}

static void write_offset(struct exchange *x)
{
	server.hdr.writes[0].segs[0].offset += 4096;
}

static void write_longer(struct exchange *x)
{
	server.hdr.writes[0].segs[0].length = DATA_SIZE + 4;
}

static void write_huge(struct exchange *x)
{
	server.hdr.writes[0].segs[0].length = 0xffffffff;
}

static void write_empty_unasked(struct exchange *x)
{
	server.hdr.writes[server.hdr.nwrites++].nsegs = 0;
}

static void write_no_segment(struct exchange *x)
{
	server.hdr.writes[0].nsegs = 0;
}

static void write_more_segments(struct exchange *x)
{
	chunk_add(&server.hdr.writes[0], 0x1234, 0, 0);
}

static void write_none(struct exchange *x)
{
	server.hdr.nwrites = 0;
}

static void write_two(struct exchange *x)
{
	server.hdr.writes[1] = server.hdr.writes[0];
	server.hdr.nwrites = 2;
}

static void write_unasked(struct exchange *x)
{
	server.hdr.nwrites = 1;
	server.hdr.writes[0].nsegs = 0;
	chunk_add(&server.hdr.writes[0], 0x1234, 100, 0);
}

static void reply_unasked(struct exchange *x)
{
	header_add_reply(&server.hdr)->nsegs = 0;
	chunk_add(&server.hdr.reply, 0x1234, 0, 0);
}

static void reply_instead(struct exchange *x)
{
	reply_unasked(x);
	server.hdr.proc = RDMA_NOMSG;
	server.hdr.reply.segs[0].length = 200;
}

/* Data may be missing or elsewhere: the RPC ends with an error */
void client_write_lists(void)
{
	setup("3");
	bad_ends(OP_READ, read_data, write_handle,
		 "returned chunks are not those offered");
	bad_ends(OP_READ, read_data, write_offset,
		 "returned chunks are not those offered");
	bad_ends(OP_READ, read_data, write_two,
		 "returned chunks are not those offered");
	bad_ends(OP_READ, read_data, write_longer,
		 "returned more bytes than were offered");
	bad_ends(OP_READ, read_data, write_huge,
		 "returned more bytes than were offered");
	bad_ends(OP_STATFS, do_statfs, write_unasked,
		 "returned chunks are not those offered");
	teardown();
}

/* RFC 8267: a server may return an unused chunk without segments */
static void send_emptied(struct exchange *x)
{
	build_reply(x);
	write_no_segment(x);
	post_reply(x);
}

static void send_failed_emptied(struct exchange *x)
{
	build_reply(x);
	set_u32(server.body + 24, 5);	/* NFS3ERR_IO */
	set_u32(server.body + 28, 0);	/* no attributes */
	server.body_len = 32;
	write_no_segment(x);
	post_reply(x);
}

/* The client accepts such a Reply, but does not take the missing data for data */
void client_write_emptied(void)
{
	unsigned long before;

	setup("3");
	before = bad_replies();
	arm_fault(OP_READ, 1, NULL, send_failed_emptied);
	expect_result(read_data(), -EIO, "a READ that fails");
	check(disarm_fault() == 1, "no such Call was sent");
	arm_fault(OP_READ, 1, NULL, send_emptied);
	expect_result(read_data(), -EIO, "a READ that claims data without any");
	check(disarm_fault() == 1, "no such Call was sent");
	check(bad_replies() == before, "such a Reply is counted as bad");
	expect_result(read_data(), 0, "READ");
	teardown();
}

/* The READ fails, and no Write list comes back */
static void failed_without_list(struct exchange *x)
{
	set_u32(server.body + 24, 13);	/* NFS3ERR_ACCES */
	set_u32(server.body + 28, 0);	/* no attributes */
	server.body_len = 32;
	write_none(x);
}

static void unused_left_out(struct exchange *x)
{
	struct chunk *chunk = &server.hdr.writes[0];

	check(chunk->nsegs > 1 && !chunk->segs[chunk->nsegs - 1].length,
	      "the Write chunk has no unused segment");
	while (!chunk->segs[chunk->nsegs - 1].length)
		chunk->nsegs--;
}

/*
 * Lists that differ from those offered in nothing that holds data. The client says so
 * once, and does not take data that it was not sent for data.
 */
void client_inexact_lists(void)
{
	set_parameter("mr_pages", "4");
	setup("3");
	set_parameter("mr_pages", "0");
	log_mark();
	inexact_accepted(OP_READ, read_data, write_more_segments, 0,
			 "one more empty segment");
	expect_log("the Reply returns other chunk lists than were offered");
	inexact_accepted(OP_READ, read_data, write_empty_unasked, 0,
			 "one more empty chunk");
	inexact_accepted(OP_READ, read_small, unused_left_out, 0,
			 "unused segments left out");
	inexact_accepted(OP_READ, read_data, failed_without_list, -EACCES,
			 "no Write list with a READ that fails");
	inexact_accepted(OP_READ, read_data, write_none, -EIO,
			 "no Write list with a READ that claims data");
	inexact_accepted(OP_STATFS, do_statfs, write_empty_unasked, 0,
			 "an empty Write chunk that was not offered");
	inexact_accepted(OP_STATFS, do_statfs, reply_unasked, 0,
			 "an unused Reply chunk that was not offered");
	expect_result(read_data(), 0, "READ");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

static void reply_handle(struct exchange *x)
{
	server.hdr.reply.segs[0].handle ^= 0x100;
}

static void reply_offset(struct exchange *x)
{
	server.hdr.reply.segs[0].offset ^= 8;
}

static void reply_longer(struct exchange *x)
{
	server.hdr.reply.segs[0].length =
		x->header.reply.segs[0].length + 1;
}

static void reply_empty(struct exchange *x)
{
	unsigned int i;

	for (i = 0; i < server.hdr.reply.nsegs; i++)
		server.hdr.reply.segs[i].length = 0;
}

static void reply_absent(struct exchange *x)
{
	server.hdr.has_reply = false;
}

static void reply_twice(struct exchange *x)
{
	server.hdr.proc = RDMA_MSG;
	server.body_len = 200;
}

void client_reply_chunks(void)
{
	setup("3");
	bad_ends(OP_READDIR, read_dir, reply_handle,
		 "returned chunks are not those offered");
	bad_ends(OP_READDIR, read_dir, reply_offset,
		 "returned chunks are not those offered");
	bad_ends(OP_READDIR, read_dir, reply_longer,
		 "returned more bytes than were offered");
	bad_ends(OP_READDIR, read_dir, reply_empty,
		 "Reply has its payload twice or nowhere");
	bad_then_good(OP_READDIR, read_dir, reply_absent, "refused");
	bad_ends(OP_READDIR, read_dir, reply_twice,
		 "Reply has its payload twice or nowhere");
	bad_ends(OP_STATFS, do_statfs, reply_instead,
		 "returned chunks are not those offered");
	teardown();
}

static void swapped_segments(struct exchange *x)
{
	struct chunk *chunk = &server.hdr.writes[0];
	struct segment first = chunk->segs[0];

	chunk->segs[0] = chunk->segs[1];
	chunk->segs[1] = first;
}

static void two_segments(struct exchange *x)
{
	check(x->header.writes[0].nsegs > 1, "the Write chunk has %u segments",
	      x->header.writes[0].nsegs);
	send_reply(x);
}

/* Memory regions of four pages, so the Write chunk has several segments */
void client_several_segments(void)
{
	set_parameter("mr_pages", "4");
	setup("3");
	set_parameter("mr_pages", "0");
	arm_fault(OP_READ, 1, NULL, two_segments);
	expect_result(read_data(), 0, "READ");
	check(disarm_fault() == 1, "no such Call was sent");
	expect_result(write_data(), 0, "WRITE");
	bad_ends(OP_READ, read_data, swapped_segments,
		 "returned chunks are not those offered");
	expect_result(read_small(), 0, "short READ");
	teardown();
}

/* The whole Reply inline, with the Write chunk unused */
static void unreduced(struct exchange *x)
{
	unsigned int i;

	build_reply(x);
	server.body_len = x->reply_len;
	memcpy(server.body, x->reply, x->reply_len);
	for (i = 0; i < server.hdr.writes[0].nsegs; i++)
		server.hdr.writes[0].segs[i].length = 0;
	post_reply(x);
}

void client_unreduced(void)
{
	setup("3");
	arm_fault(OP_READ, 1, NULL, unreduced);
	expect_result(read_small(), -EIO, "a result that was not reduced");
	check(disarm_fault() == 1, "no such Call was sent");
	expect_result(read_small(), 0, "READ after it");
	expect_result(read_data(), 0, "READ after it");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/*
 * struct part - of a Reply to a READ of NFSv3, which the server reduces instead of the data
 * @at:     its offset
 * @len:    bytes
 * @result: of the READ; without its status, the word behind it is taken for one
 * @what:   for messages
 */
static const struct part {
	size_t		at;
	size_t		len;
	int		result;
	const char	*what;
} parts[] = {
	{ 24, 4, -EPERM, "the status was reduced" },
	{ 28, 88, -EIO, "the attributes were reduced" },
	{ 24, 104, -EIO, "all before the data was reduced" },
};

static const struct part *reduced;

static void reduce_other(struct exchange *x)
{
	const uint8_t *rest = x->reply + reduced->at + reduced->len;

	build_reply(x);
	check(word_at(x->reply, 6) == 0 && word_at(x->reply, 7) == 1,
	      "the READ has failed, or has no attributes");
	server.hdr.writes[0] = x->header.writes[0];
	write_chunk(x->cc, &server.hdr.writes[0], x->reply + reduced->at, reduced->len);
	server.body_len = x->reply_len - reduced->len;
	server.body = realloc(server.body, server.body_len);
	check(server.body, "out of memory");
	memcpy(server.body, x->reply, reduced->at);
	memcpy(server.body + reduced->at, rest, server.body_len - reduced->at);
	post_reply(x);
}

/*
 * The Write chunk has another item than the data, which is inline. The RPC ends with an
 * error at once: RFC 8166 6.1 (V1-DDP-07)
 */
void client_other_reduced(void)
{
	int64_t begin;
	unsigned int i;

	setup("3");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		reduced = &parts[i];
		arm_fault(OP_READ, 1, NULL, reduce_other);
		begin = verbs_now();
		expect_result(read_small(), reduced->result, reduced->what);
		check(disarm_fault() == 1, "no such Call was sent");
		check(verbs_now() - begin < timeout_ms(), "%s: the RPC ended too late",
		      reduced->what);
		expect_result(read_small(), 0, "READ after it");
		expect_result(read_data(), 0, "READ after it");
	}
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* Old servers write the padding too, and may count it */
static bool count_pad;

static void padded(struct exchange *x)
{
	struct segment *seg = &server.hdr.writes[0].segs[0];
	uint32_t len;

	build_reply(x);
	len = seg->length;
	check(len % 4, "a READ of %u bytes has no padding", len);
	memset(x->cc->scratch->data, 0xff, 4);
	check(!verbs_write(x->cc->conn, x->cc->scratch, 0, xdr_pad(len),
			   seg->handle, seg->offset + len, timeout_ms()),
	      "cannot write the padding");
	if (count_pad)
		seg->length = xdr_round(len);
	post_reply(x);
}

void client_write_pad(void)
{
	setup("3");
	arm_fault(OP_READ, 1, NULL, padded);
	expect_result(read_small(), 0, "padding in the Write chunk");
	check(disarm_fault() == 1, "no such Call was sent");
	count_pad = true;
	arm_fault(OP_READ, 1, NULL, padded);
	expect_result(read_small(), 0, "padding that is counted");
	check(disarm_fault() == 1, "no such Call was sent");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

#define FOLLOWING	8

static void post_followed(struct exchange *x)
{
	check(server.body_len + FOLLOWING <= x->reply_len,
	      "the READ was not reduced");
	memset(server.body + server.body_len, 0xff, FOLLOWING);
	server.body_len += FOLLOWING;
	post_reply(x);
}

/* What follows the reduced result comes next in the inline part, without the padding */
static void followed(struct exchange *x)
{
	build_reply(x);
	check(server.hdr.writes[0].segs[0].length % 4,
	      "a READ of %u bytes has no padding",
	      server.hdr.writes[0].segs[0].length);
	post_followed(x);
}

static void followed_unpadded(struct exchange *x)
{
	build_reply(x);
	post_followed(x);
}

void client_followed(void)
{
	setup("3");
	arm_fault(OP_READ, 1, NULL, followed);
	expect_result(read_small(), 0, "bytes after a reduced result");
	check(disarm_fault() == 1, "no such Call was sent");
	expect_result(read_data(), 0, "READ after it");
	/* Without padding they reach sunrpc. One READ: its data is whole */
	arm_fault(OP_READ, 2, NULL, followed_unpadded);
	expect_result(read_data(), 0, "bytes after a result without padding");
	check(disarm_fault() == 1, "READs were sent again");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}

/* READDIR of a small directory offers a Reply chunk that is not needed */
static bool came_inline;

static void inline_reply(struct exchange *x)
{
	build_reply(x);
	came_inline |= x->header.has_reply && server.hdr.proc == RDMA_MSG;
	post_reply(x);
}

static bool sent_long;

static void long_reply(struct exchange *x)
{
	struct header *hdr = &server.hdr;

	build_reply(x);
	if (hdr->proc == RDMA_MSG && hdr->has_reply) {
		hdr->proc = RDMA_NOMSG;
		hdr->reply = x->header.reply;
		write_chunk(x->cc, &hdr->reply, server.body,
			    server.body_len);
		sent_long = true;
	}
	post_reply(x);
}

void client_reply_chunk_unused(void)
{
	setup("3");
	arm_fault(OP_READDIR, 20, NULL, inline_reply);
	expect_result(run_program("ls %s > /dev/null", MNT), 0, "ls");
	disarm_fault();
	check(came_inline, "no Call had an unneeded Reply chunk");
	server_file("one-more", 0);
	arm_fault(OP_READDIR, 20, NULL, long_reply);
	expect_result(run_program("ls %s > /dev/null", MNT), 0, "ls");
	disarm_fault();
	check(sent_long, "no Reply that fits was sent in its Reply chunk");
	expect_result(read_dir(), 0, "readdir");
	check(observe().connects == 1, "the client has reconnected");
	teardown();
}
