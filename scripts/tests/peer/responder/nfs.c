// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding of NFS as far as RFC 8267 needs it: which Calls have a DDP-eligible
 * argument or result, and its XDR position.
 */
#include <string.h>
#include "responder/responder.h"

enum {
	NFS3_GETATTR	= 1,
	NFS3_READLINK	= 5,
	NFS3_READ	= 6,
	NFS3_WRITE	= 7,
	NFS3_SYMLINK	= 10,
	NFS3_READDIR	= 16,
	NFS3_READDIRPLUS = 17,
	NFS3_FSSTAT	= 18,
};

enum {
	NFS4_CREATE	= 6,
	NFS4_GETATTR	= 9,
	NFS4_PUTFH	= 22,
	NFS4_PUTROOTFH	= 24,
	NFS4_READ	= 25,
	NFS4_READDIR	= 26,
	NFS4_READLINK	= 27,
	NFS4_SAVEFH	= 32,
	NFS4_WRITE	= 38,
	NFS4_CREATE_SESSION = 43,
	NFS4_SEQUENCE	= 53,
};

#define NFS3_SATTR_TIME		2	/* "set to client time": a time follows */
#define NFS3_ATTR_SIZE		84
#define NFS4_STATEID_SIZE	16
#define NFS4_SESSION_SIZE	16
#define NFS4_LINK		5

/* The eligible argument is next: count, bytes */
static void nfs_item(struct nfs_call *call, struct xdr_in *in, size_t len)
{
	call->item_len = get_u32(in);
	call->item = len - in->left;
	call->has_item = true;
	if (in->bad || call->item_len > in->left)
		call->why = "an opaque extends past the end of the Call";
}

static void nfs3_skip_sattr(struct xdr_in *in)
{
	unsigned int i;

	for (i = 0; i < 3; i++)		/* mode, uid, gid */
		if (get_u32(in))
			get_u32(in);
	if (get_u32(in))		/* size */
		get_u64(in);
	for (i = 0; i < 2; i++)		/* atime, mtime */
		if (get_u32(in) == NFS3_SATTR_TIME)
			get_u64(in);
}

static void nfs3_parse(struct nfs_call *call, struct xdr_in *in, size_t total)
{
	uint32_t len;

	switch (call->procedure) {
	case NFS3_GETATTR:
		call->op = OP_GETATTR;
		break;
	case NFS3_READLINK:
		call->op = OP_READLINK;
		break;
	case NFS3_READ:
		call->op = OP_READ;
		get_opaque(in, &len);
		get_u64(in);		/* offset */
		call->read_count = get_u32(in);
		break;
	case NFS3_WRITE:
		call->op = OP_WRITE;
		get_opaque(in, &len);
		get_u64(in);		/* offset */
		call->count = get_u32(in);
		call->has_count = true;
		get_u32(in);		/* stable */
		nfs_item(call, in, total);
		break;
	case NFS3_SYMLINK:
		call->op = OP_SYMLINK;
		get_opaque(in, &len);
		get_opaque(in, &len);
		nfs3_skip_sattr(in);
		nfs_item(call, in, total);
		break;
	case NFS3_READDIR:
	case NFS3_READDIRPLUS:
		call->op = OP_READDIR;
		break;
	case NFS3_FSSTAT:
		call->op = OP_STATFS;
		break;
	}
}

/* headerpadsize, maxrequestsize, four more, and a list of the RDMA read depth */
static uint32_t nfs4_channel_request(struct xdr_in *in)
{
	uint32_t size;

	get_u32(in);
	size = get_u32(in);
	get_bytes(in, 16);
	get_bytes(in, 4 * (size_t)get_u32(in));
	return size;
}

static void nfs4_parse_session(struct nfs_call *call, struct xdr_in *in)
{
	get_bytes(in, 16);		/* clientid, sequence, flags */
	nfs4_channel_request(in);
	call->back_request = nfs4_channel_request(in);
}

/* The first operation that does more than select a file. Return: continue */
static bool nfs4_parse_op(struct nfs_call *call, struct xdr_in *in,
			  size_t total)
{
	uint32_t len;

	switch (get_u32(in)) {
	case NFS4_SEQUENCE:
		get_bytes(in, NFS4_SESSION_SIZE + 16);
		return true;
	case NFS4_PUTFH:
		get_opaque(in, &len);
		return true;
	case NFS4_PUTROOTFH:
	case NFS4_SAVEFH:
		return true;
	case NFS4_READ:
		call->op = OP_READ;
		get_bytes(in, NFS4_STATEID_SIZE + 8);
		call->read_count = get_u32(in);
		break;
	case NFS4_READLINK:
		call->op = OP_READLINK;
		break;
	case NFS4_READDIR:
		call->op = OP_READDIR;
		break;
	case NFS4_GETATTR:
		call->op = OP_GETATTR;
		break;
	case NFS4_WRITE:
		call->op = OP_WRITE;
		get_bytes(in, NFS4_STATEID_SIZE + 12);
		nfs_item(call, in, total);
		break;
	case NFS4_CREATE_SESSION:
		nfs4_parse_session(call, in);
		break;
	case NFS4_CREATE:
		if (get_u32(in) != NFS4_LINK)
			break;
		call->op = OP_SYMLINK;
		nfs_item(call, in, total);
		break;
	}
	return false;
}

static void nfs4_parse(struct nfs_call *call, struct xdr_in *in, size_t total)
{
	uint32_t len, ops;

	get_opaque(in, &len);		/* tag */
	get_u32(in);			/* minor version */
	ops = get_u32(in);
	while (ops-- && !in->bad && nfs4_parse_op(call, in, total))
		;
}

/*
 * With RPCSEC_GSS (RFC 2203) the arguments are plain NFS only in a data message with the
 * service rpc_gss_svc_none
 */
static bool nfs_args_are_plain(uint32_t flavor, const uint8_t *cred, uint32_t len)
{
	struct xdr_in in;
	uint32_t procedure;

	if (flavor != AUTH_GSS || !cred)
		return true;
	xdr_in_init(&in, cred, len);
	get_u32(&in);			/* version */
	procedure = get_u32(&in);
	get_u32(&in);			/* sequence number */
	return procedure == GSS_DATA && get_u32(&in) == GSS_AUTHENTICATION;
}

void nfs_parse_call(struct nfs_call *call, const uint8_t *data, size_t len)
{
	struct xdr_in in;
	const uint8_t *cred;
	uint32_t skipped;
	bool plain;

	memset(call, 0, sizeof(*call));
	call->op = OP_OTHER;
	xdr_in_init(&in, data, len);
	get_u32(&in);
	if (get_u32(&in) != RPC_CALL || get_u32(&in) != 2)
		call->why = "the RPC message is not a Call";
	call->program = get_u32(&in);
	call->version = get_u32(&in);
	call->procedure = get_u32(&in);
	call->flavor = get_u32(&in);
	cred = get_opaque(&in, &skipped);
	plain = nfs_args_are_plain(call->flavor, cred, skipped);
	get_u32(&in);
	get_opaque(&in, &skipped);
	if (!in.bad && !call->why && plain && call->program == NFS_PROGRAM) {
		if (!call->procedure)
			call->op = OP_NULL;
		else if (call->version == 3)
			nfs3_parse(call, &in, len);
		else if (call->version == 4)
			nfs4_parse(call, &in, len);
	}
	if (in.bad && !call->why)
		call->why = "the Call is truncated";
}

static bool nfs4_skip_results(struct xdr_in *in)
{
	uint32_t len, ops;

	get_u32(in);			/* status of the last operation */
	get_opaque(in, &len);		/* tag */
	for (ops = get_u32(in); ops && !in->bad; ops--) {
		switch (get_u32(in)) {
		case NFS4_READ:
			return !get_u32(in) && !in->bad;
		case NFS4_SEQUENCE:
			if (get_u32(in))
				return false;
			get_bytes(in, NFS4_SESSION_SIZE + 20);
			break;
		case NFS4_PUTFH:
			if (get_u32(in))
				return false;
			break;
		default:
			return false;
		}
	}
	return false;
}

size_t nfs_read_result(const struct nfs_call *call, const uint8_t *reply,
		       size_t len, uint32_t *item_len)
{
	struct rpc_reply rpc;
	struct xdr_in in;

	if (call->op != OP_READ)
		return 0;
	xdr_in_init(&in, reply, len);
	if (rpc_get_reply(&rpc, &in) || rpc.denied || rpc.stat)
		return 0;
	if (call->version == 3) {
		if (get_u32(&in))	/* status */
			return 0;
		if (get_u32(&in))
			get_bytes(&in, NFS3_ATTR_SIZE);
		get_u32(&in);		/* count */
	} else if (!nfs4_skip_results(&in)) {
		return 0;
	}
	get_u32(&in);			/* end of file */
	*item_len = get_u32(&in);
	return in.bad || *item_len > in.left ? 0 : len - in.left;
}
