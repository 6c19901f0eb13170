// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random Calls for the fuzzer.
 */
#include <string.h>
#include "requester/fuzz.h"
#include "v2/requester.h"

/* xorshift64* */
uint32_t fuzz_random(void)
{
	fuzz.state ^= fuzz.state >> 12;
	fuzz.state ^= fuzz.state << 25;
	fuzz.state ^= fuzz.state >> 27;
	return fuzz.state * 2685821657736338717ull >> 32;
}

uint32_t fuzz_below(uint32_t limit)
{
	return limit ? fuzz_random() % limit : 0;
}

uint32_t edge_word(void)
{
	static const uint32_t words[] = {
		0, 1, 2, 3, 4, 5, 7, 8, 16, 27, 28, 127, 128, 129, 1023, 1024,
		4095, 4096, 4097, 65535, 65536, 1048575, 1048576, 1048577,
		0x0fffffff, 0x10000000, 0x7fffffff, 0x80000000, 0xfffffffc,
		0xffffffff,
	};

	if (!fuzz_below(4))
		return fuzz_random();
	return words[fuzz_below(sizeof(words) / sizeof(words[0]))];
}

/*
 * One READ only: after a second READ, nfsd of 6.12 can run past the end of its
 * page array, on any transport. nfsd_iter_read() takes pages for the requested
 * count and returns none.
 */
static struct call *random_compound(struct memory *source, struct memory *sink)
{
	struct call *call = new_compound(fuzz_below(4) ? 0 : fuzz_below(3));
	unsigned int i, n = fuzz_below(4);

	put_op(call, OP_PUTROOTFH);
	put_lookup(call, "fuzz-file");
	if (fuzz_below(2))
		put_op(call, OP_GETFH);
	if (fuzz_below(2)) {
		put_write(call, fuzz_below(FILE_SIZE), 1001);
		add_read_chunk(&call->header, call->payload.len, source, 0, 1001,
			       1 + fuzz_below(8));
	}
	put_read(call, fuzz_below(FILE_SIZE), fuzz_below(3000));
	for (i = 0; i < n; i++)
		add_segments(header_add_write(&call->header), sink, i * 4000,
			     fuzz_below(2) ? 3000 : fuzz_below(3000), fuzz_below(9));
	if (fuzz_below(2))
		add_segments(header_add_reply(&call->header), sink, 30000, 30000,
			     1 + fuzz_below(8));
	return call;
}

static struct call *random_write(struct memory *source)
{
	uint32_t position, len = 1 + fuzz_below(40000);
	struct call *call = new3_write(&fuzz.file, 0, len, &position);

	add_read_chunk(&call->header, position, source, 0, len, 1 + fuzz_below(16));
	return call;
}

static struct call *random_long_call(struct memory *source, struct memory *sink)
{
	struct call *call = new3_readdir(&fuzz.directory, fuzz_below(32768));

	memcpy(source->data, call->payload.data, call->payload.len);
	call->header.proc = RDMA_NOMSG;
	add_read_chunk(&call->header, 0, source, 0, call->payload.len,
		       1 + fuzz_below(4));
	add_segments(header_add_reply(&call->header), sink, 0, BUF_LEN,
		     1 + fuzz_below(16));
	return call;
}

static struct call *random_read(struct memory *sink)
{
	struct call *call = new3_read(&fuzz.file, fuzz_below(FILE_SIZE),
				      fuzz_below(40000));

	if (fuzz_below(3))
		add_segments(header_add_write(&call->header), sink, 0,
			     fuzz_below(2) ? 40000 : fuzz_below(40000),
			     1 + fuzz_below(16));
	if (fuzz_below(2))
		add_segments(header_add_reply(&call->header), sink, 40000, 20000,
			     1 + fuzz_below(4));
	return call;
}

/* An unmatched Reply, or an error */
static struct call *random_reply(void)
{
	struct call *call = null_call();

	header_set_response(&call->header);
	if (fuzz_below(2)) {
		call->header.proc = RDMA_ERROR;
		call->header.error = fuzz_below(target.version == 2 ? 11 : 4);
		call->header.err_vers_flags = fuzz_below(2);
		call->payload.len = 0;
		return call;
	}
	set_u32(call->payload.data + 4, RPC_REPLY);
	return call;
}

struct call *random_call(struct memory *source, struct memory *sink)
{
	switch (fuzz_below(9)) {
	case 0:
		return null_call();
	case 1:
		return new3_getattr(&fuzz.file);
	case 2:
		return new3_readlink(&fuzz.link);
	case 3:
		return random_reply();
	case 4:
		return random_write(source);
	case 5:
		return random_long_call(source, sink);
	case 6:
		return random_read(sink);
	default:
		return random_compound(source, sink);
	}
}
