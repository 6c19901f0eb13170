/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of RPC (RFC 5531) */
#ifndef _USERSPACE_LINUX_SUNRPC_MSG_PROT_H
#define _USERSPACE_LINUX_SUNRPC_MSG_PROT_H

#include <asm/byteorder.h>

#define RPC_VERSION		2
#define RPC_CALL		0
#define RPC_REPLY		1
#define RPC_AUTH_NULL		0
#define RPC_MAX_AUTH_SIZE	400

#endif /* _USERSPACE_LINUX_SUNRPC_MSG_PROT_H */
