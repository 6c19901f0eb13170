// SPDX-License-Identifier: GPL-2.0-only
/*
 * DDP eligibility: which data items may be reduced (RFC 8267 4 and 6.1).
 */
#include <compat/kunit.h>
#include <kunit/visibility.h>
#include "support.h"
#include "../svcrdma/protocol/ddp.h"

struct svcrdma_arg_case {
	const char		*name;
	u32			prog, vers, proc;
	u32			before[SVCRDMA_ARG_WORDS];
	u64			length;
	enum rpcrdma_reason	reason;
};

static const struct svcrdma_arg_case svcrdma_arg_cases[] = {
	{ "NFSv2 WRITE (ULB-V23-01)", 100003, 2, 8, { [8] = 5 }, 5,
	  RPCRDMA_OK },
	{ "NFSv2 SYMLINK (ULB-V23-02)", 100003, 2, 13, { [8] = 5 }, 5,
	  RPCRDMA_OK },
	{ "NFSv3 WRITE (ULB-V23-01)", 100003, 3, 7, { [8] = 5 }, 5,
	  RPCRDMA_OK },
	{ "NFSv3 SYMLINK (ULB-V23-02)", 100003, 3, 10, { [8] = 5 }, 5,
	  RPCRDMA_OK },
	{ "NFSv3 MKDIR (V1-DDP-05, ULB-V23-05, DR-20)", 100003, 3, 9, { [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "procedure of another version (V1-DDP-05)", 100003, 2, 7,
	  { [8] = 5 }, 5, RPCRDMA_R_NOT_ELIGIBLE },
	{ "procedure of an earlier version (V1-DDP-05)", 100003, 3, 8,
	  { [8] = 5 }, 5, RPCRDMA_R_NOT_ELIGIBLE },
	{ "program below NFS (ULB-AUX-04)", 100002, 3, 7, { [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSACL (ULB-ACL-02)", 100227, 3, 7, { [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "MOUNT (ULB-AUX-04)", 100005, 3, 7, { [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "no such version", 100003, 5, 1, { 38, [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 WRITE (ULB-V4-01)", 100003, 4, 1,
	  { 38, 1, 2, 3, 4, 0, 0, 2, 5 }, 5, RPCRDMA_OK },
	{ "NFSv4 WRITE, UNSTABLE4 (ULB-V4-01)", 100003, 4, 1,
	  { 38, 1, 2, 3, 4, 0, 0, 0, 5 }, 5, RPCRDMA_OK },
	{ "NFSv4 CREATE of a link (ULB-V4-02)", 100003, 4, 1,
	  { [6] = 6, 5, 9 }, 9, RPCRDMA_OK },
	{ "NFSv4 CREATE of another type (ULB-GEN-05)", 100003, 4, 1,
	  { [6] = 6, 2, 9 }, 9, RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 CREATE of a type above (ULB-GEN-05)", 100003, 4, 1,
	  { [6] = 6, 6, 9 }, 9, RPCRDMA_R_NOT_ELIGIBLE },
	{ "operation below CREATE (ULB-GEN-05)", 100003, 4, 1,
	  { [6] = 5, 5, 9 }, 9, RPCRDMA_R_NOT_ELIGIBLE },
	{ "operation above CREATE (ULB-GEN-05)", 100003, 4, 1,
	  { [6] = 7, 5, 9 }, 9, RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 WRITE_SAME (ULB-V4-05)", 100003, 4, 1,
	  { 70, 1, 2, 3, 4, 0, 0, 2, 5 }, 5, RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4, stable_how out of range", 100003, 4, 1,
	  { 38, 1, 2, 3, 4, 0, 0, 3, 5 }, 5, RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 LOOKUP (ULB-GEN-05)", 100003, 4, 1, { [7] = 15, 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSACL SETACL (ULB-ACL-02)", 100227, 3, 2, { [8] = 5 }, 400,
	  RPCRDMA_OK },
	{ "SETACL's number in NFSv3 (ULB-GEN-05)", 100003, 3, 2, { [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "SETACL's number in a program above (ULB-AUX-04)", 100228, 3, 2, { [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSACL GETACL (ULB-ACL-02)", 100227, 3, 1, { [8] = 5 }, 5,
	  RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 SETATTR of an ACL (ULB-V4-05)", 100003, 4, 1,
	  { 9, 34, 1, 2, 3, 4, 1, 0x1000, 400 }, 400, RPCRDMA_OK },
	{ "the same, of another length", 100003, 4, 1,
	  { 9, 34, 1, 2, 3, 4, 1, 0x1000, 400 }, 396, RPCRDMA_R_ITEM_LENGTH },
	{ "NFSv4 SETATTR of more than an ACL (ULB-V4-05)", 100003, 4, 1,
	  { 9, 34, 1, 2, 3, 4, 1, 0x1010, 400 }, 400, RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 SETATTR with two words of mask (ULB-V4-05)", 100003, 4, 1,
	  { 9, 34, 1, 2, 3, 4, 2, 0x1000, 400 }, 400, RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 SETATTR without a mask (ULB-V4-05)", 100003, 4, 1,
	  { 9, 34, 1, 2, 3, 4, 0, 0x1000, 400 }, 400, RPCRDMA_R_NOT_ELIGIBLE },
	{ "NFSv4 SETATTR of a lower attribute (ULB-V4-05)", 100003, 4, 1,
	  { 9, 34, 1, 2, 3, 4, 1, 0x0800, 400 }, 400, RPCRDMA_R_NOT_ELIGIBLE },
	{ "operation below SETATTR (ULB-V4-05)", 100003, 4, 1,
	  { 9, 33, 1, 2, 3, 4, 1, 0x1000, 400 }, 400, RPCRDMA_R_NOT_ELIGIBLE },
	{ "operation above SETATTR (ULB-V4-05)", 100003, 4, 1,
	  { 9, 35, 1, 2, 3, 4, 1, 0x1000, 400 }, 400, RPCRDMA_R_NOT_ELIGIBLE },
	{ "with its pad (T-26, V1-PAD-04, DR-04)", 100003, 3, 7, { [8] = 5 }, 8,
	  RPCRDMA_OK },
	{ "with half of its pad", 100003, 3, 7, { [8] = 5 }, 7,
	  RPCRDMA_R_ITEM_LENGTH },
	{ "pad makes up for a missing byte", 100003, 3, 7,
	  { [8] = 1000 }, 999, RPCRDMA_R_ITEM_LENGTH },
	{ "one byte more (V1-PAD-05, DR-04)", 100003, 3, 7, { [8] = 1000 }, 1001,
	  RPCRDMA_R_ITEM_LENGTH },
	{ "empty item", 100003, 3, 7, { [8] = 0 }, 0, RPCRDMA_OK },
	{ "count of nearly 4 GiB does not wrap (T-34)", 100003, 3, 7,
	  { [8] = 0xfffffffe }, 0, RPCRDMA_R_ITEM_LENGTH },
};

KUNIT_ARRAY_PARAM_DESC(svcrdma_arg, svcrdma_arg_cases, name);

static void svcrdma_ddp_arg(struct kunit *test)
{
	const struct svcrdma_arg_case *c = test->param_value;
	const u32 words[] = { 0x1a2b3c4d, 0, 2, c->prog, c->vers, c->proc };
	__be32 *call = rpcrdma_test_wire(test, words, ARRAY_SIZE(words));
	__be32 *before = rpcrdma_test_wire(test, c->before,
					   ARRAY_SIZE(c->before));

	KUNIT_EXPECT_EQ(test, c->reason,
			svcrdma_ddp_check_arg(call, before, c->length));
}

struct svcrdma_result_case {
	const char	*name;
	u32		prog, vers;
	u32		before[SVCRDMA_RESULT_WORDS];
	bool		eligible;
};

static const struct svcrdma_result_case svcrdma_result_cases[] = {
	{ "NFSv3 (ULB-V23-03, ULB-V23-04)", 100003, 3, {}, true },
	{ "NFSACL (ULB-ACL-02)", 100227, 3, {}, false },
	{ "program below NFS (ULB-AUX-04)", 100002, 3, {}, false },
	{ "no such version", 100003, 5, {}, false },
	{ "NFSv4 READ (ULB-V4-03)", 100003, 4, { [4] = 25, 0, 1, 100 }, true },
	{ "NFSv4 READLINK (ULB-V4-04)", 100003, 4, { [5] = 27, 0, 100 },
	  true },
	{ "READ_PLUS (ULB-V4-05)", 100003, 4,
	  { 68, 0, 0, 1, 0, 0, 4096, 100 }, false },
	{ "READ_PLUS that looks like a READLINK (ULB-V4-05)", 100003, 4,
	  { 68, 0, 0, 1, 0, 27, 0, 100 }, false },
	{ "READLINK whose words in front look like a failed READ_PLUS", 100003, 4,
	  { 68, 10, 0, 1, 0, 27, 0, 100 }, true },
	{ "READLINK whose words in front look like a hole", 100003, 4,
	  { 68, 0, 0, 1, 1, 27, 0, 100 }, true },
	{ "READLINK whose words in front look like another operation", 100003, 4,
	  { 69, 0, 0, 1, 0, 27, 0, 100 }, true },
	{ "operation above READ (ULB-V4-05)", 100003, 4, { [4] = 26, 0, 1, 100 }, false },
	{ "operation below READLINK (ULB-V4-05)", 100003, 4, { [5] = 26, 0, 100 }, false },
	{ "operation above READLINK (ULB-V4-05)", 100003, 4, { [5] = 28, 0, 100 }, false },
	{ "failed READ", 100003, 4, { [4] = 25, 10, 1, 100 }, false },
	{ "failed READLINK", 100003, 4, { [5] = 27, 10, 100 }, false },
	{ "GETATTR (ULB-V4-05)", 100003, 4, { [4] = 9, 0, 1, 100 }, false },
};

KUNIT_ARRAY_PARAM_DESC(svcrdma_result, svcrdma_result_cases, name);

static void svcrdma_ddp_result(struct kunit *test)
{
	const struct svcrdma_result_case *c = test->param_value;
	__be32 *before = rpcrdma_test_wire(test, c->before,
					   ARRAY_SIZE(c->before));

	KUNIT_EXPECT_EQ(test, c->eligible,
			svcrdma_ddp_check_result(c->prog, c->vers, before));
}

static struct kunit_case svcrdma_ddp_test_cases[] = {
	KUNIT_CASE_PARAM(svcrdma_ddp_arg, svcrdma_arg_gen_params),
	KUNIT_CASE_PARAM(svcrdma_ddp_result, svcrdma_result_gen_params),
	{}
};

static struct kunit_suite svcrdma_ddp_test_suite = {
	.name		= "svcrdma_ddp",
	.test_cases	= svcrdma_ddp_test_cases,
};

kunit_test_suite(svcrdma_ddp_test_suite);
