/* SPDX-License-Identifier: GPL-2.0-only */
/* linux/sunrpc/msg_prot.h; on older kernels it does not include the types that it needs */
#ifndef _COMPAT_MSG_PROT_H
#define _COMPAT_MSG_PROT_H

#include <linux/types.h>
#include <linux/sunrpc/msg_prot.h>

#endif /* _COMPAT_MSG_PROT_H */
