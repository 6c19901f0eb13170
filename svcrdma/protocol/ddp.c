// SPDX-License-Identifier: GPL-2.0-only
/*
 * DDP eligibility: which data items may be reduced (RFC 8267 4 and 6.1), and which are
 * taken all the same.
 *
 * This file does not decode NFSv4 COMPOUNDs. The words in front of an item identify it:
 * the operation, fields of fixed size, and the length of the item. A client that forges
 * these words in another item gains nothing, since nfsd decodes the whole Call anyway.
 */
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/sunrpc/xdr.h>
#include <asm/byteorder.h>
#include <kunit/visibility.h>
#include "ddp.h"

#define SVCRDMA_PROG_NFS	100003
#define SVCRDMA_PROG_NFSACL	100227

/* NFSACL, versions 2 and 3 */
#define SVCRDMA_ACLPROC_SETACL	2

/* Words of an RPC Call (RFC 5531 section 9) */
enum {
	SVCRDMA_CALL_PROG	= 3,
	SVCRDMA_CALL_VERS	= 4,
	SVCRDMA_CALL_PROC	= 5,
};

/* RFC 7530, RFC 7862: operations and values of enumerations */
enum {
	SVCRDMA_OP_CREATE	= 6,
	SVCRDMA_OP_READ		= 25,
	SVCRDMA_OP_READLINK	= 27,
	SVCRDMA_OP_SETATTR	= 34,
	SVCRDMA_OP_WRITE	= 38,
	SVCRDMA_OP_READ_PLUS	= 68,
	SVCRDMA_NF4LNK		= 5,
	SVCRDMA_FILE_SYNC4	= 2,
	SVCRDMA_CONTENT_DATA	= 0,
	SVCRDMA_ATTR4_ACL	= BIT(12),
};

/* NFSv2 and NFSv3: procedures with a DDP-eligible argument */
static const struct {
	u32	version;
	u32	procedure;
} svcrdma_procs[] = {
	{ 2, 8 },		/* WRITE */
	{ 2, 13 },		/* SYMLINK */
	{ 3, 7 },		/* WRITE */
	{ 3, 10 },		/* SYMLINK */
};

static u32 svcrdma_word(const __be32 *words, unsigned int i)
{
	return be32_to_cpu(words[i]);
}

/* op, stateid (4 words), offset (2), stable_how, length: then the data */
static bool svcrdma_is_write4(const __be32 *before)
{
	return svcrdma_word(before, 0) == SVCRDMA_OP_WRITE &&
	       svcrdma_word(before, 7) <= SVCRDMA_FILE_SYNC4;
}

/* op, type, length: then the text */
static bool svcrdma_is_symlink4(const __be32 *before)
{
	return svcrdma_word(before, 6) == SVCRDMA_OP_CREATE &&
	       svcrdma_word(before, 7) == SVCRDMA_NF4LNK;
}

/* op, stateid (4 words), words in the mask, mask, length: then the ACL */
static bool svcrdma_is_setacl4(const __be32 *before)
{
	return svcrdma_word(before, 1) == SVCRDMA_OP_SETATTR &&
	       svcrdma_word(before, 6) == 1 &&
	       svcrdma_word(before, 7) == SVCRDMA_ATTR4_ACL;
}

/* The ACLs are not one item: no length stands in front of them */
static bool svcrdma_is_setacl3(const __be32 *call)
{
	return svcrdma_word(call, SVCRDMA_CALL_PROG) == SVCRDMA_PROG_NFSACL &&
	       svcrdma_word(call, SVCRDMA_CALL_PROC) == SVCRDMA_ACLPROC_SETACL;
}

static bool svcrdma_ddp_arg_eligible(const __be32 *call, const __be32 *before)
{
	u32 version = svcrdma_word(call, SVCRDMA_CALL_VERS);
	unsigned int i;

	if (svcrdma_word(call, SVCRDMA_CALL_PROG) != SVCRDMA_PROG_NFS)
		return false;
	if (version == 4)
		return svcrdma_is_write4(before) ||
		       svcrdma_is_symlink4(before) ||
		       svcrdma_is_setacl4(before);
	for (i = 0; i < ARRAY_SIZE(svcrdma_procs); i++)
		if (svcrdma_procs[i].version == version &&
		    svcrdma_procs[i].procedure ==
		    svcrdma_word(call, SVCRDMA_CALL_PROC))
			return true;
	return false;
}

/**
 * svcrdma_ddp_check_arg - may an argument be in a Read chunk?
 * @call: beginning of the RPC Call, at least up to the procedure
 * @before: the SVCRDMA_ARG_WORDS words of the Call in front of the argument
 * @length: length of the Read chunk, bytes
 *
 * Each DDP-eligible item has a variable length, which is the last word of @before. Its
 * chunk has that length, with or without the pad: RFC 8166 3.4.5.2 (V1-PAD-04,
 * V1-PAD-05).
 *
 * ACLs are not eligible (RFC 8267 5.2, 6.1), but Linux clients before 4.3 reduce them.
 * That does no harm, as they are bytes to the transport, so they are taken.
 *
 * Context: any.
 * Return: RPCRDMA_OK; RPCRDMA_R_NOT_ELIGIBLE: RFC 8166 6.1 (V1-DDP-05);
 * RPCRDMA_R_ITEM_LENGTH: RFC 8166 4.5.2 (V1-ERR-15).
 */
enum rpcrdma_reason svcrdma_ddp_check_arg(const __be32 *call,
					  const __be32 *before, u64 length)
{
	u64 item = svcrdma_word(before, SVCRDMA_ARG_WORDS - 1);

	if (svcrdma_is_setacl3(call))
		return RPCRDMA_OK;
	if (!svcrdma_ddp_arg_eligible(call, before))
		return RPCRDMA_R_NOT_ELIGIBLE;
	if (length != item && length != ALIGN(item, XDR_UNIT))
		return RPCRDMA_R_ITEM_LENGTH;
	return RPCRDMA_OK;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_ddp_check_arg);

/* op, status, eof, length: then the data */
static bool svcrdma_is_read4(const __be32 *before)
{
	return svcrdma_word(before, 4) == SVCRDMA_OP_READ &&
	       !svcrdma_word(before, 5);
}

/* op, status, length: then the text */
static bool svcrdma_is_readlink4(const __be32 *before)
{
	return svcrdma_word(before, 5) == SVCRDMA_OP_READLINK &&
	       !svcrdma_word(before, 6);
}

/*
 * op, status, eof, segments, content, offset (2), length: then the data. With an
 * offset of 27 times 4 GiB these words look like those of a READLINK.
 */
static bool svcrdma_is_read_plus(const __be32 *before)
{
	return svcrdma_word(before, 0) == SVCRDMA_OP_READ_PLUS &&
	       !svcrdma_word(before, 1) &&
	       svcrdma_word(before, 4) == SVCRDMA_CONTENT_DATA;
}

/**
 * svcrdma_ddp_check_result - is a result that nfsd has reported DDP-eligible?
 * @program: RPC program
 * @version: version of @program
 * @before: the SVCRDMA_RESULT_WORDS words of the Reply in front of the result
 *
 * For NFSv2 and NFSv3 nfsd reports only READ and READLINK, which are eligible. For NFSv4
 * some kernels report READ_PLUS too, which is not: RFC 8267 6.1 (ULB-V4-05).
 *
 * Context: any.
 * Return: true if the result may go into a Write chunk.
 */
bool svcrdma_ddp_check_result(u32 program, u32 version, const __be32 *before)
{
	if (program != SVCRDMA_PROG_NFS)
		return false;
	if (version < 4)
		return true;
	if (svcrdma_is_read4(before))
		return true;
	return svcrdma_is_readlink4(before) && !svcrdma_is_read_plus(before);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_ddp_check_result);
