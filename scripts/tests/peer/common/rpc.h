/* SPDX-License-Identifier: GPL-2.0-only */
/* RPC messages (RFC 5531), as far as the tests need them. */
#ifndef PEER_RPC_H
#define PEER_RPC_H

#include "common/xdr.h"

enum rpc_program {
	NFS_PROGRAM	= 100003,
	MOUNT_PROGRAM	= 100005,
	NFSACL_PROGRAM	= 100227,
};

enum rpc_flavor {
	AUTH_NULL	= 0,
	AUTH_UNIX	= 1,
	AUTH_GSS	= 6,
};

/* RFC 2203 5.3.1 */
enum gss_proc {
	GSS_DATA	= 0,
	GSS_INIT	= 1,
	GSS_CONTINUE	= 2,
};

enum gss_service {
	GSS_AUTHENTICATION	= 1,
	GSS_INTEGRITY		= 2,
	GSS_PRIVACY		= 3,
};

enum rpc_msg_type {
	RPC_CALL	= 0,
	RPC_REPLY	= 1,
};

enum rpc_accept_stat {
	RPC_SUCCESS	= 0,
	PROG_UNAVAIL	= 1,
	PROG_MISMATCH	= 2,
	PROC_UNAVAIL	= 3,
	GARBAGE_ARGS	= 4,
	SYSTEM_ERR	= 5,
};

/*
 * struct rpc_reply - the header of a Reply
 * @denied: MSG_DENIED; @stat is the reject_stat then
 */
struct rpc_reply {
	uint32_t	xid;
	bool		denied;
	uint32_t	stat;
};

/* The Call header, with AUTH_SYS as root or AUTH_NONE */
void rpc_put_call(struct xdr_out *out, uint32_t xid, uint32_t program,
		  uint32_t version, uint32_t procedure, enum rpc_flavor flavor);

/* Return: NULL, or the error. @in is left at the results */
const char *rpc_get_reply(struct rpc_reply *reply, struct xdr_in *in);

#endif /* PEER_RPC_H */
