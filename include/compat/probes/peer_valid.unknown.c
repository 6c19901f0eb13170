// SPDX-License-Identifier: GPL-2.0-only
/* It does not: the name is free */
#include <linux/sunrpc/svc_xprt.h>

void svc_xprt_set_valid(void);
