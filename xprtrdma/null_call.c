// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Call that the transport makes itself, without an RPC task: to the NULL procedure of
 * NFS, which does nothing, takes nothing and needs no credential. Every RPC server
 * answers it (RFC 5531 9 and 12.1), one without NFS with an error.
 * Pure: no device, no lock.
 */
#include <linux/errno.h>
#include <linux/types.h>
#include <linux/nfs.h>
#include <linux/nfs3.h>
#include <linux/string.h>
#include <kunit/visibility.h>
#include <compat/msg_prot.h>
#include "null_call.h"

/**
 * xprtrdma_null_call_encode - encode a NULL Call, transport header and RPC message
 * @codec: protocol version of the message
 * @xid: not the XID of an RPC in progress
 * @credits: forward credits to ask for
 * @buf: buffer, 4-byte aligned
 * @size: bytes of @buf
 *
 * Context: any.
 * Return: bytes written, less than 128, or -EMSGSIZE.
 */
int xprtrdma_null_call_encode(const struct rpcrdma_codec *codec, __be32 xid,
			      u32 credits, void *buf, size_t size)
{
	const __be32 call[] = {
		xid, cpu_to_be32(RPC_CALL), cpu_to_be32(RPC_VERSION),
		cpu_to_be32(NFS_PROGRAM), cpu_to_be32(NFS3_VERSION),
		cpu_to_be32(NFS3PROC_NULL),
		cpu_to_be32(RPC_AUTH_NULL), 0,	/* credential */
		cpu_to_be32(RPC_AUTH_NULL), 0,	/* verifier */
	};
	struct rpcrdma_msg msg;
	int len;

	rpcrdma_msg_init(&msg, NULL, 0);
	msg.xid = xid;
	msg.vers = codec->version;
	msg.credits = credits;
	msg.type = RPCRDMA_MSG;
	msg.dir = RPCRDMA_DIR_CALL;
	len = codec->encode(&msg, buf, size);
	if (len < 0 || size - len < sizeof(call))
		return -EMSGSIZE;
	memcpy(buf + len, call, sizeof(call));
	return len + sizeof(call);
}
EXPORT_SYMBOL_IF_KUNIT(xprtrdma_null_call_encode);
