// SPDX-License-Identifier: GPL-2.0-only
/* sunrpc has no transport layer security: the names do not exist */
#include <linux/sunrpc/xprt.h>

struct xprtsec_parms { int none; };

enum { RPC_XPRTSEC_NONE };
