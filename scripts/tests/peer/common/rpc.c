// SPDX-License-Identifier: GPL-2.0-only
#include "common/rpc.h"

#define RPC_VERSION	2

static void put_auth_sys(struct xdr_out *out)
{
	static struct xdr_out body;

	body.len = 0;
	put_u32(&body, 0);
	put_string(&body, "peer");
	put_u32(&body, 0);	/* uid */
	put_u32(&body, 0);	/* gid */
	put_u32(&body, 0);	/* no other groups */
	put_u32(out, AUTH_UNIX);
	put_opaque(out, body.data, body.len);
}

static void put_auth_none(struct xdr_out *out)
{
	put_u32(out, AUTH_NULL);
	put_u32(out, 0);
}

void rpc_put_call(struct xdr_out *out, uint32_t xid, uint32_t program,
		  uint32_t version, uint32_t procedure, enum rpc_flavor flavor)
{
	put_u32(out, xid);
	put_u32(out, RPC_CALL);
	put_u32(out, RPC_VERSION);
	put_u32(out, program);
	put_u32(out, version);
	put_u32(out, procedure);
	if (flavor == AUTH_UNIX)
		put_auth_sys(out);
	else
		put_auth_none(out);
	put_auth_none(out);	/* verifier */
}

const char *rpc_get_reply(struct rpc_reply *reply, struct xdr_in *in)
{
	uint32_t len;

	reply->xid = get_u32(in);
	if (get_u32(in) != RPC_REPLY)
		return "the RPC message is not a Reply";
	reply->denied = get_u32(in);
	if (!reply->denied) {
		get_u32(in);
		get_opaque(in, &len);
	}
	reply->stat = get_u32(in);
	return in->bad ? "the RPC Reply is truncated" : NULL;
}
