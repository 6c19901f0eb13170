// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a server reads of an RPC Call itself: where the arguments begin, whether it is
 * protected, and whether an argument or a result may be in a chunk.
 *
 * Input: lengths, then the Call, which ends with zeroes.
 */
#include <stdlib.h>
#include <linux/limits.h>
#include "svcrdma/protocol/assemble.h"
#include "svcrdma/protocol/ddp.h"
#include "message.h"

#define CALL_MAX	2048
#define WORD(call, i)	be32_to_cpu((call)[i])

/* Credential and verifier, one after the other */
static void check_args(const __be32 *call, size_t len)
{
	u32 args = svcrdma_call_args(call, len), cred, verf;

	if (args == U32_MAX)
		return;
	CHECK(args <= len && args % 4 == 0 && args >= 40);
	cred = (WORD(call, 7) + 3) / 4;
	verf = (WORD(call, 9 + cred) + 3) / 4;
	CHECK(WORD(call, 7) <= 400 && WORD(call, 9 + cred) <= 400);
	CHECK(args == 4 * (10 + cred + verf));
}

/* RFC 8166 8.2.2: integrity, privacy, and what makes contexts */
static void check_protected(const __be32 *call, size_t len)
{
	bool protected = svcrdma_call_protected(call, len);

	if (len >= 48)
		CHECK(protected == (WORD(call, 6) == 6 &&
				    (WORD(call, 9) || WORD(call, 11) != 1)));
	else
		CHECK(!protected);
}

static void check_arg(const __be32 *call, size_t len, u64 length)
{
	const __be32 *before = call + len / 4 - SVCRDMA_ARG_WORDS;
	enum rpcrdma_reason reason;
	u32 item;

	if (len / 4 < SVCRDMA_ARG_WORDS)
		return;
	reason = svcrdma_ddp_check_arg(call, before, length);
	item = WORD(before, SVCRDMA_ARG_WORDS - 1);
	CHECK(!reason || reason == RPCRDMA_R_NOT_ELIGIBLE || reason == RPCRDMA_R_ITEM_LENGTH);
	if (!reason && WORD(call, 3) != 100227) {
		CHECK(WORD(call, 3) == 100003);
		CHECK(length == item || length == ((u64)item + 3) / 4 * 4);
	}
}

static void check_result(const __be32 *call, size_t len, u32 program, u32 version)
{
	const __be32 *before = call + len / 4 - SVCRDMA_RESULT_WORDS;

	if (len / 4 < SVCRDMA_RESULT_WORDS)
		return;
	if (svcrdma_ddp_check_result(program, version, before))
		CHECK(program == 100003 && (version < 4 || WORD(before, 4) == 25 ||
					    WORD(before, 5) == 27));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	u32 program = fuzz_bool(&in) ? 100003 : fuzz_any(&in);
	u32 version = fuzz_u8(&in) % 6, pad = fuzz_u8(&in) % 5, body = fuzz_u8(&in);
	u64 length = fuzz_u64(&in) % 0x100000004ULL;
	size_t len = fuzz_any(&in) % CALL_MAX;
	__be32 *call = fuzz_bytes(&in, len);

	/* Often a Call of NFS, whose length is right or nearly so */
	if (len >= 36 && version) {
		call[3] = cpu_to_be32(version == 5 ? 100227 : 100003);
		call[4] = cpu_to_be32(version == 5 ? 3 : version);
		if (pad < 4)
			length = (u64)WORD(call, len / 4 - 1) + pad;
	}
	/* and with a credential of about the largest size (RFC 5531 8.2) */
	if (len >= 32 && body & 1)
		call[7] = cpu_to_be32(392 + body / 16);
	check_args(call, len);
	check_protected(call, len);
	check_arg(call, len, length);
	check_result(call, len, program, version);
	free(call);
	return 0;
}
