// SPDX-License-Identifier: GPL-2.0-only
/*
 * The RPC header of a Call of any bytes: nothing is read behind its end, and its arguments begin
 * inside. DDP eligibility for any words.
 *
 * Proves: svcrdma_call_args() svcrdma_call_protected() svcrdma_ddp_check_arg()
 * Proves: svcrdma_ddp_check_result()
 * Sources: svcrdma/protocol/assemble.c svcrdma/protocol/ddp.c rpcrdma/protocol/chunk.c
 * Bounds: LEN=900
 * Unwind: 5
 */
#include <linux/align.h>
#include "svcrdma/protocol/assemble.h"
#include "svcrdma/protocol/ddp.h"
#include "message.h"

static struct any_bytes bytes;

static void prove_call(const u8 *call, size_t len)
{
	u32 args = svcrdma_call_args(call, len);
	bool protected = svcrdma_call_protected(call, len);

	if (args != U32_MAX) {
		PROVE(args <= len && args % 4 == 0);
		PROVE(args >= 40 && args <= 24 + 2 * (8 + 400));
		REACH(args == 24 + 2 * (8 + 400));
	}
	PROVE(protected == (len >= 48 && word_at(call, 6) == 6 &&
			    (word_at(call, 9) != 0 || word_at(call, 11) != 1)));
}

static void prove_arg(void)
{
	__be32 call[6], before[SVCRDMA_ARG_WORDS];
	u64 length = nondet_u64(), item;
	enum rpcrdma_reason reason;

	item = word_at((u8 *)before, SVCRDMA_ARG_WORDS - 1);
	reason = svcrdma_ddp_check_arg(call, before, length);
	PROVE(!reason || reason == RPCRDMA_R_NOT_ELIGIBLE || reason == RPCRDMA_R_ITEM_LENGTH);
	if (word_at((u8 *)call, 3) == 100003 && !reason)
		PROVE(length >= item && length - item < 4);
	if (word_at((u8 *)call, 3) != 100003 && word_at((u8 *)call, 3) != 100227)
		PROVE(reason == RPCRDMA_R_NOT_ELIGIBLE);
	REACH(!reason && item > 0xfffffffc && length > 0xffffffff);
}

static void prove_result(void)
{
	__be32 before[SVCRDMA_RESULT_WORDS];
	u32 program = nondet_u32(), version = nondet_u32();
	bool eligible = svcrdma_ddp_check_result(program, version, before);

	PROVE(!eligible || program == 100003);
	PROVE(eligible || program != 100003 || version >= 4);
}

int main(void)
{
	size_t len = nondet_size_t();
	u8 *call = any_message(&bytes, len);

	__CPROVER_havoc_object(&bytes);
	prove_call(call, len);
	prove_arg();
	prove_result();
	return 0;
}
