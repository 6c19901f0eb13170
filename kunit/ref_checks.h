/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reference checks of Calls and Replies, to compare protocol/check.c with.
 */
#ifndef _KUNIT_REF_CHECKS_H
#define _KUNIT_REF_CHECKS_H

#include <linux/types.h>
#include <rpcrdma/msg.h>

/* ref_checks.c */
bool rpcrdma_ref_check_call(const struct rpcrdma_msg *msg, const void *payload,
			    size_t len);
bool rpcrdma_ref_check_reply(const struct rpcrdma_msg *reply,
			     const struct rpcrdma_msg *call);

#endif /* _KUNIT_REF_CHECKS_H */
