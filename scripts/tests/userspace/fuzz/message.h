/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages: decoded with all that must hold for any bytes, and built from the input */
#ifndef _FUZZ_MESSAGE_H
#define _FUZZ_MESSAGE_H

#include <asm/byteorder.h>
#include <rpcrdma/msg.h>
#include "input.h"

/* Most bytes of a message that are looked at: what the reference decoder can read */
#define FUZZ_MESSAGE_MAX	4096

/* message.c */
struct rpcrdma_msg *fuzz_msg(unsigned int max_segs);
struct rpcrdma_msg *fuzz_msg_copy(const struct rpcrdma_msg *msg);
void fuzz_msg_free(struct rpcrdma_msg *msg);
unsigned long fuzz_versions(struct fuzz_input *in);
enum rpcrdma_reason fuzz_decode(struct rpcrdma_msg *msg, unsigned long versions,
				const void *wire, size_t len);
void fuzz_refuse(const struct rpcrdma_msg *bad, unsigned long versions,
		 enum rpcrdma_reason reason);
bool fuzz_add_segment(struct fuzz_input *in, struct rpcrdma_msg *msg,
		      struct rpcrdma_chunk *chunk, u32 position);
void fuzz_add_results(struct fuzz_input *in, struct rpcrdma_msg *msg);

#endif /* _FUZZ_MESSAGE_H */
