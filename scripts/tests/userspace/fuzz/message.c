// SPDX-License-Identifier: GPL-2.0-only
/*
 * What holds for each message that is decoded, whatever its bytes are:
 *
 *  - the codec and the reference decoder (kunit/) accept the same, and read the same;
 *  - what was accepted encodes to the bytes that it came from, and never past the end of
 *    the buffer;
 *  - what was refused has no lists, and its answer is an error that the peer can decode.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include "kunit/ref_decoder.h"
#include "message.h"

#define FUZZ_WORD(wire, i)	be32_to_cpu(((const __be32 *)(wire))[i])

struct rpcrdma_msg *fuzz_msg(unsigned int max_segs)
{
	struct rpcrdma_msg *msg = malloc(sizeof(*msg));

	/* Segments end where their memory ends */
	rpcrdma_msg_init(msg, malloc(max_segs * sizeof(*msg->segs)), max_segs);
	return msg;
}

struct rpcrdma_msg *fuzz_msg_copy(const struct rpcrdma_msg *msg)
{
	struct rpcrdma_msg *copy = fuzz_msg(msg->max_segs);
	struct rpcrdma_segment *segs = copy->segs;

	*copy = *msg;
	copy->segs = segs;
	memcpy(segs, msg->segs, msg->nsegs * sizeof(*segs));
	return copy;
}

void fuzz_msg_free(struct rpcrdma_msg *msg)
{
	free(msg->segs);
	free(msg);
}

unsigned long fuzz_versions(struct fuzz_input *in)
{
	static const unsigned long versions[] = {
		RPCRDMA_VERSIONS_1, RPCRDMA_VERSIONS_2, RPCRDMA_VERSIONS_BOTH,
	};

	return FUZZ_PICK(in, versions);
}

/* Does version 2 say what these bytes are? */
static bool fuzz_is_v2(unsigned long versions, const void *wire, size_t len)
{
	return versions == RPCRDMA_VERSIONS_2 ||
	       (versions & RPCRDMA_VERSIONS_2 && len >= 8 && FUZZ_WORD(wire, 1) == 2);
}

static void fuzz_compare(const struct rpcrdma_msg *a, const struct rpcrdma_msg *b)
{
	CHECK(a->type == b->type);
	CHECK(a->dir == b->dir);
	CHECK(a->inv_handle == b->inv_handle);
	CHECK(a->props.recv_size == b->props.recv_size);
	CHECK(a->props.reverse == b->props.reverse);
	CHECK(a->err == b->err);
	CHECK(a->vers_low == b->vers_low);
	CHECK(a->vers_high == b->vers_high);
	CHECK(a->err_max == b->err_max);
	CHECK(a->err_index == b->err_index);
	CHECK(a->err_length == b->err_length);
	CHECK(rpcrdma_test_lists_equal(a, b));
}

/* The fixed words are read from every message that has them, accepted or not */
static void fuzz_check_fixed(const struct rpcrdma_msg *msg, const void *wire, size_t len)
{
	if (len < RPCRDMA_FIXED_SIZE)
		return;
	CHECK(msg->xid == *(const __be32 *)wire);
	CHECK(msg->vers == FUZZ_WORD(wire, 1));
	CHECK(msg->credits == FUZZ_WORD(wire, 2));
}

static void fuzz_check_segments(const struct rpcrdma_msg *msg)
{
	unsigned int i;

	CHECK(msg->nsegs <= msg->max_segs);
	for (i = 0; i < msg->nsegs; i++) {
		CHECK(msg->segs[i].position % 4 == 0);
		CHECK(msg->segs[i].offset <= U64_MAX - msg->segs[i].length);
	}
}

static int fuzz_encode(struct rpcrdma_msg *msg, bool v2, void *buf, size_t len)
{
	if (msg->type == RPCRDMA_ERROR && !v2)
		return rpcrdma_error_encode(msg, buf, len);
	return (v2 ? &rpcrdma_codec_v2 : &rpcrdma_codec_v1)->encode(msg, buf, len);
}

/* Unknown flags, the handle of a Reply and unknown properties and codes are not kept */
static bool fuzz_is_kept(const struct rpcrdma_msg *msg, bool v2, size_t word)
{
	if (!v2)
		return true;
	if (word == 4)
		return msg->type == RPCRDMA_ERROR && msg->err == RPCRDMA_ERR_VERS;
	if (word == 5 && msg->dir == RPCRDMA_DIR_REPLY)
		return msg->type == RPCRDMA_ERROR;
	return word < 4 || msg->type != RPCRDMA_CONNPROP;
}

/* Codes that are written in another form than they were read in */
static bool fuzz_has_other_form(const struct rpcrdma_msg *msg)
{
	return msg->type == RPCRDMA_ERROR &&
	       (msg->err == RPCRDMA_ERR_UNKNOWN ||
		(msg->err == RPCRDMA_ERR_VERS &&
		 msg->header_size != RPCRDMA_V1_ERR_VERS_SIZE));
}

/* A set of properties: the smaller of two buffers is never announced */
static void fuzz_check_props(const struct rpcrdma_msg *msg, const void *again, int size)
{
	struct rpcrdma_msg *copy = fuzz_msg(0);

	CHECK(!rpcrdma_msg_decode(copy, RPCRDMA_VERSIONS_2, again, size));
	CHECK(copy->header_size == size);
	CHECK(copy->props.recv_size == max_t(u32, msg->props.recv_size, 4096));
	CHECK(copy->props.reverse == msg->props.reverse);
	fuzz_msg_free(copy);
}

static void fuzz_round_trip(struct rpcrdma_msg *msg, bool v2, const __be32 *wire)
{
	u32 header_size = msg->header_size;
	__be32 *again;
	size_t i;
	int size;

	if (fuzz_has_other_form(msg))
		return;
	size = fuzz_encode(msg, v2, NULL, 0);
	CHECK(size == -EMSGSIZE);
	size = (v2 ? &rpcrdma_codec_v2 : &rpcrdma_codec_v1)->size(msg);
	CHECK(msg->type == RPCRDMA_CONNPROP || size == header_size);
	again = malloc(size);
	CHECK(fuzz_encode(msg, v2, again, size - 1) == -EMSGSIZE);
	CHECK(fuzz_encode(msg, v2, again, size) == size);
	CHECK(msg->header_size == size);
	if (msg->type == RPCRDMA_CONNPROP)
		fuzz_check_props(msg, again, size);
	else
		for (i = 0; i < size / sizeof(*again); i++)
			CHECK(!fuzz_is_kept(msg, v2, i) || again[i] == wire[i]);
	msg->header_size = header_size;
	free(again);
}

static void fuzz_accepted(struct rpcrdma_msg *msg, struct rpcrdma_ref_decoder *ref, bool v2,
			  const void *wire, size_t len)
{
	fuzz_compare(msg, ref->msg);
	fuzz_check_segments(msg);
	CHECK(msg->header_size <= len);
	CHECK(msg->header_size % 4 == 0);
	if (!v2 || msg->type != RPCRDMA_ERROR)
		CHECK(msg->header_size == 4 * ref->at);
	fuzz_round_trip(msg, v2, wire);
}

/* Short messages are not answered, so only a longer one draws ERR_VERS (RFC 8166 4.5) */
static void fuzz_check_refused(const struct rpcrdma_msg *msg, unsigned long versions,
			       enum rpcrdma_reason reason, size_t len)
{
	CHECK(rpcrdma_test_lists_empty(msg));
	if (reason == RPCRDMA_R_VERS)
		CHECK(len >= RPCRDMA_V1_HDR_MIN &&
		      (msg->vers >= BITS_PER_LONG || !(versions & BIT(msg->vers))));
}

/*
 * rpcrdma_msg_decode(), with all that holds for any bytes. @len is at most
 * FUZZ_MESSAGE_MAX.
 */
enum rpcrdma_reason fuzz_decode(struct rpcrdma_msg *msg, unsigned long versions,
				const void *wire, size_t len)
{
	bool v2 = fuzz_is_v2(versions, wire, len), good;
	static struct rpcrdma_ref_decoder ref;
	enum rpcrdma_reason reason;

	ref.msg = fuzz_msg(msg->max_segs);
	good = v2 ? rpcrdma_ref_v2_decode(&ref, wire, len) :
		    rpcrdma_ref_v1_decode(&ref, wire, len);
	reason = rpcrdma_msg_decode(msg, versions, wire, len);
	CHECK(good == !reason);
	fuzz_check_fixed(msg, wire, len);
	if (reason)
		fuzz_check_refused(msg, versions, reason, len);
	else
		fuzz_accepted(msg, &ref, v2, wire, len);
	fuzz_msg_free(ref.msg);
	return reason;
}

/* A peer of @versions reads the error, and what it says is in range */
static void fuzz_read_error(const struct rpcrdma_msg *bad, unsigned long versions,
			    enum rpcrdma_reason reason, const void *wire, int len)
{
	struct rpcrdma_msg *err = fuzz_msg(0);

	CHECK(!fuzz_decode(err, versions, wire, len));
	CHECK(err->type == RPCRDMA_ERROR);
	CHECK(err->xid == bad->xid);
	CHECK(err->vers == bad->vers);
	CHECK((err->err == RPCRDMA_ERR_VERS) == (reason == RPCRDMA_R_VERS));
	fuzz_msg_free(err);
}

/* The error that answers @bad, which was refused for @reason */
void fuzz_refuse(const struct rpcrdma_msg *bad, unsigned long versions,
		 enum rpcrdma_reason reason)
{
	struct rpcrdma_msg err;
	__be32 wire[16];
	int len;

	CHECK(*rpcrdma_reason_text(reason) && *rpcrdma_reason_name(reason));
	rpcrdma_msg_refuse(&err, bad, versions, reason);
	err.credits = 1;
	len = rpcrdma_error_encode(&err, wire, sizeof(wire));
	CHECK(len > 0);
	if (err.err == RPCRDMA_ERR_VERS) {
		CHECK(err.vers_low <= err.vers_high);
		CHECK(versions & BIT(err.vers_low) && versions & BIT(err.vers_high));
		fuzz_read_error(bad, RPCRDMA_VERSIONS_1, reason, wire, len);
	} else {
		CHECK(bad->vers < BITS_PER_LONG && versions & BIT(bad->vers));
		fuzz_read_error(bad, BIT(bad->vers), reason, wire, len);
	}
}

/* False if there is no room for it, which leaves the message as it was */
bool fuzz_add_segment(struct fuzz_input *in, struct rpcrdma_msg *msg,
		      struct rpcrdma_chunk *chunk, u32 position)
{
	bool full = msg->nsegs == msg->max_segs;
	u32 length = fuzz_any(in);
	int ret;

	ret = rpcrdma_msg_add_segment(msg, chunk, position, fuzz_u8(in), length,
				      (u64)fuzz_u8(in) << 32);
	CHECK(ret == (full ? -EMSGSIZE : 0));
	return !ret;
}

/* A Write list and a Reply chunk */
void fuzz_add_results(struct fuzz_input *in, struct rpcrdma_msg *msg)
{
	unsigned int writes = fuzz_below(in, 4), segs;
	struct rpcrdma_chunk *chunk;

	while (writes-- && !rpcrdma_msg_add_write(msg, &chunk))
		for (segs = fuzz_below(in, 4); segs; segs--)
			fuzz_add_segment(in, msg, chunk, 0);
	msg->has_reply = fuzz_bool(in);
	for (segs = fuzz_below(in, 4); msg->has_reply && segs; segs--)
		fuzz_add_segment(in, msg, &msg->reply, 0);
}
