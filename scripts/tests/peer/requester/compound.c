// SPDX-License-Identifier: GPL-2.0-only
/*
 * NFSv4 COMPOUNDs with several eligible results: which result goes into which
 * chunk.
 */
#include <stdlib.h>
#include <string.h>
#include "requester/nfs.h"
#include "requester/scenarios.h"

#define TEXT	"the/text/of/the/link!"
#define BUF_LEN	4096

/*
 * struct item - one result of READ or READLINK
 * @len: bytes
 * @inline_: its data, if inline
 */
struct item {
	uint32_t	len;
	const uint8_t	*inline_;
};

/*
 * nfsd of 6.12 returns wrong data for the second READ of a COMPOUND, on any
 * transport, unless the data begins at the start of a page of the Reply: it
 * uses the page after the one that its encoder is in. With these lengths the
 * data begins at byte 8192, after 60 bytes of other results.
 */
static const uint32_t lengths[] = { 4040, 4092, 1002 };

static char text[4093];

static void make_items(void)
{
	unsigned int i;

	for (i = 0; i < lengths[1]; i++)
		text[i] = i % 100 ? 'a' + i % 26 : '/';
	make_file("one", lengths[0], 1);
	make_link("two", text);
	make_file("three", lengths[2], 3);
}

/* READ, READLINK, READ: RFC 8267 6.4.3 (ULB-CMP-09) */
static struct call *three_items(void)
{
	struct call *call = new_compound(0);

	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "one");
	put_read(call, 0, BUF_LEN);
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "two");
	put_op(call, OP_READLINK);
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "three");
	put_read(call, 0, BUF_LEN);
	put_op(call, OP_GETFH);
	return call;
}

static void check_bytes(const uint8_t *data, unsigned int which)
{
	if (which == 1)
		check(!memcmp(data, text, lengths[1]), "a wrong link target");
	else
		check(has_pattern(data, lengths[which], which + 1),
		      "result %u has wrong data", which);
}

/* @where: index of the Write chunk that must have the result, or -1 for inline */
static void take_item(struct reply *reply, unsigned int which, int where)
{
	uint32_t len;
	uint8_t *data;

	check(!get_op(reply, OP_PUTROOTFH), "PUTROOTFH fails");
	check(!get_op(reply, OP_LOOKUP), "LOOKUP fails");
	check(!get_op(reply, which == 1 ? OP_READLINK : OP_READ), "READ fails");
	if (which != 1)
		get_u32(&reply->results);	/* eof */
	if (where < 0) {
		data = (uint8_t *)get_opaque(&reply->results, &len);
		check(data && len == lengths[which],
		      "result %u is not inline: %u bytes", which, len);
		check_bytes(data, which);
		return;
	}
	len = get_u32(&reply->results);
	check(len == lengths[which], "result %u has %u bytes", which, len);
	check(chunk_length(&reply->header.writes[where]) == len,
	      "result %u is not in chunk %d", which, where);
	data = chunk_bytes(&reply->header.writes[where]);
	check_bytes(data, which);
	free(data);
}

/*
 * @chunks: one letter for each Write chunk: F full size, e empty (no segment);
 * @where: where the three results must be
 */
static void pair(struct verbs_conn *conn, const char *chunks, const int *where)
{
	struct memory *memory[8], *rest = writable_memory(conn, 20000);
	struct call *call = three_items();
	struct reply *reply;
	unsigned int i, n = strlen(chunks);
	uint32_t nops, len;
	bool used;

	for (i = 0; i < n; i++) {
		memory[i] = writable_memory(conn, BUF_LEN);
		if (chunks[i] == 'F')
			add_segments(header_add_write(&call->header), memory[i], 0,
				     BUF_LEN, 1 + i);
		else
			header_add_write(&call->header);
	}
	add_segments(header_add_reply(&call->header), rest, 0, 20000, 2);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_compound(reply, &nops) && nops == 10,
	      "the COMPOUND ends after %u operations", nops);
	for (i = 0; i < 3; i++)
		take_item(reply, i, where[i]);
	check(!get_op(reply, OP_GETFH), "GETFH fails");
	check(get_opaque(&reply->results, &len), "GETFH returns nothing");
	check_end(reply);
	for (i = 0; i < n; i++) {
		used = (int)i == where[0] || (int)i == where[1] ||
		       (int)i == where[2];
		check(used || !chunk_length(&reply->header.writes[i]),
		      "unused chunk %u of '%s' was written", i, chunks);
		check_memory(memory[i], &reply->header.writes[i]);
		free_memory(memory[i]);
	}
	check_memory(rest, &reply->header.reply);
	free_memory(rest);
	free_reply(conn, reply);
	free(call);
}

void scenario_compound_pairs(void)
{
	static const struct {
		const char	*chunks;
		int		where[3];
	} pairs[] = {
		{ "",		{ -1, -1, -1 } },
		{ "F",		{ 0, -1, -1 } },
		{ "FF",		{ 0, 1, -1 } },
		{ "FFF",	{ 0, 1, 2 } },
		{ "FFFF",	{ 0, 1, 2 } },
		{ "FFFFFFF",	{ 0, 1, 2 } },
		{ "FeF",	{ 0, -1, 2 } },
		{ "eFF",	{ -1, 1, 2 } },
		{ "eeF",	{ -1, -1, 2 } },
		{ "FFe",	{ 0, 1, -1 } },
		{ "Fee",	{ 0, -1, -1 } },
		{ "eee",	{ -1, -1, -1 } },
		{ "e",		{ -1, -1, -1 } },
		{ "eFFeF",	{ -1, 1, 2 } },
	};
	struct verbs_conn *conn = open_default();
	unsigned int i;

	make_items();
	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		pair(conn, pairs[i].chunks, pairs[i].where);
	verbs_close(conn);
}

/*
 * A READ of 0 bytes uses its chunk; a failed one does not:
 * RFC 8267 6.4.1 (UQ-04)
 */
void scenario_compound_nothing(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *first = writable_memory(conn, BUF_LEN);
	struct memory *second = writable_memory(conn, BUF_LEN);
	struct call *call = new_compound(0);
	struct reply *reply;
	uint32_t nops;

	make_items();
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "one");
	put_read(call, lengths[0], BUF_LEN);	/* at the end of the file */
	put_read(call, 0, BUF_LEN);
	put_op(call, OP_READLINK);		/* fails: it is a file */
	add_segments(header_add_write(&call->header), first, 0, BUF_LEN, 2);
	add_segments(header_add_write(&call->header), second, 0, BUF_LEN, 2);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(get_compound(reply, &nops) && nops == 5,
	      "the COMPOUND ends after %u operations", nops);
	get_op(reply, OP_PUTROOTFH);
	get_op(reply, OP_LOOKUP);
	check(!get_op(reply, OP_READ) && !get_read4(reply),
	      "READ at the end of the file returns data");
	check(!get_op(reply, OP_READ) && get_read4(reply) == lengths[0],
	      "the second READ has a wrong length");
	check(get_op(reply, OP_READLINK), "READLINK of a file succeeds");
	check_end(reply);
	check(!chunk_length(&reply->header.writes[0]), "the first chunk was written");
	check(chunk_length(&reply->header.writes[1]) == lengths[0] &&
	      has_pattern(second->data, lengths[0], 1), "the second chunk is wrong");
	check_memory(first, NULL);
	check_memory(second, &reply->header.writes[1]);
	verbs_close(conn);
}

/* Read list and Write list in one Call: a COMPOUND with WRITE and READ */
void scenario_compound_both(void)
{
	struct verbs_conn *conn = open_default();
	size_t len = 70001;
	struct memory *source = readable_memory(conn, len, 8);
	struct memory *sink = writable_memory(conn, len);
	struct call *call = new_compound(0);
	struct reply *reply;
	uint32_t nops, at;

	make_file("both", 0, 0);
	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "both");
	put_write(call, 0, len);
	at = call->payload.len;
	put_read(call, 0, len);
	add_read_chunk(&call->header, at, source, 0, len, 5);
	add_segments(header_add_write(&call->header), sink, 0, len, 3);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_compound(reply, &nops) && nops == 4,
	      "the COMPOUND ends after %u operations", nops);
	check_file("both", source->data, len);
	check(chunk_length(&reply->header.writes[0]) == len &&
	      !memcmp(sink->data, source->data, len),
	      "READ and WRITE have different data");
	check_memory(sink, &reply->header.writes[0]);
	check_memory(source, NULL);
	verbs_close(conn);
}

/*
 * The target of a symbolic link, in the middle of the COMPOUND:
 * RFC 8267 6.1 (ULB-V4-02)
 */
void scenario_compound_create(void)
{
	struct verbs_conn *conn = open_default();
	struct memory *source = readable_memory(conn, 64, 8);
	struct call *call = new_compound(0);
	struct memory *sink = writable_memory(conn, BUF_LEN);
	struct reply *reply;
	uint32_t nops, at;

	remove_file("create");
	memcpy(source->data, TEXT, sizeof(TEXT));
	put_op(call, OP_PUTROOTFH);
	put_op(call, OP_CREATE);
	put_u32(&call->payload, 5);		/* NF4LNK */
	put_u32(&call->payload, sizeof(TEXT) - 1);
	at = call->payload.len;
	put_string(&call->payload, "create");
	put_u32(&call->payload, 0);		/* no attributes */
	put_u32(&call->payload, 0);
	put_op(call, OP_READLINK);
	add_read_segment(&call->header, at, source, 0, sizeof(TEXT) - 1);
	add_segments(header_add_write(&call->header), sink, 0, BUF_LEN, 1);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_compound(reply, &nops) && nops == 3,
	      "the COMPOUND ends after %u operations", nops);
	check(chunk_length(&reply->header.writes[0]) == sizeof(TEXT) - 1 &&
	      !memcmp(sink->data, TEXT, sizeof(TEXT) - 1),
	      "the link has a wrong target");
	check_memory(sink, &reply->header.writes[0]);
	verbs_close(conn);
}
